"""The engine with a pause before each block, so that there is time to interrupt it."""

import os
import time

from hybridsim.sweep.batch import Cancelled, Worker

PAUSE = float(os.environ.get("PAUSE", "0.02"))


class SlowWorker(Worker):
    def run(self, values, stop):
        end = time.monotonic() + PAUSE
        while time.monotonic() < end:
            if stop[0]:
                raise Cancelled
            time.sleep(0.002)
        return super().run(values, stop)
