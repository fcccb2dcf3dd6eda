"""Runners with a pause before each block, so that there is time to interrupt them, and some that fail.

The functions `..._block` do the same on the workers of a cluster, in place of `run_block`.
"""

import os
import time

from hybridsim.errors import ModelError
from hybridsim.sweeps import worker
from hybridsim.sweeps.batch import BatchRunner, Cancelled

PAUSE = float(os.environ.get("PAUSE", "0.02"))


class SlowRunner(BatchRunner):
    def run(self, values, stop):
        end = time.monotonic() + PAUSE
        while time.monotonic() < end:
            if stop[0]:
                raise Cancelled
            time.sleep(0.002)
        return super().run(values, stop)


class BrokenRunner(BatchRunner):
    def __init__(self, config):
        raise ModelError(f"model {config.run.model.name!r}: does not compile")


class DyingRunner(BatchRunner):
    def run(self, values, stop):
        os._exit(3)


def slow_block(job, values):
    time.sleep(PAUSE)
    return worker.run_block(job, values)


def dying_block(job, values):
    os._exit(1)


def failing_block(job, values):
    return 1 / 0


class _DoesNotCompile:
    def run(self, values, stop):
        raise ModelError("model 'bouncing_ball': does not compile")


def broken_block(job, values):
    worker._of_thread.__dict__.setdefault("runners", {})[job.key] = _DoesNotCompile()
    return worker.run_block(job, values)
