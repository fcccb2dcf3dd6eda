"""The engine with a pause before each block, so that there is time to interrupt it; and some that fail."""

import os
import time

from hybridsim.errors import ModelError
from hybridsim.sweeps.batch import Cancelled, Worker

PAUSE = float(os.environ.get("PAUSE", "0.02"))


class SlowWorker(Worker):
    def run(self, values, stop):
        end = time.monotonic() + PAUSE
        while time.monotonic() < end:
            if stop[0]:
                raise Cancelled
            time.sleep(0.002)
        return super().run(values, stop)


class BrokenWorker(Worker):
    def __init__(self, config):
        raise ModelError(f"model {config.run.model.name!r}: does not compile")


class DyingWorker(Worker):
    def run(self, values, stop):
        os._exit(1)


class FailingWorker(Worker):
    def run(self, values, stop):
        return 1 / 0
