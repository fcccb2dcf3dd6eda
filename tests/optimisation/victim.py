"""A process that optimises and is killed: `victim.py CONFIG FOLDER SEED TIMES`.

Each child is a fork of this process, which has loaded everything and computed nothing, so that it dies in the middle of
its work and not while it is importing.
"""

import os
import random
import signal
import sys
import time

from hybridsim.config.optimization import load_optimization_config
from hybridsim.optimisation import run_optimization
from hybridsim.sweeps.batch import BatchRunner


def main(config: str, folder: str, seed: int, times: int) -> None:
    settings = load_optimization_config(config)
    BatchRunner(settings.sweeps[0])
    chance = random.Random(seed)
    for _ in range(times):
        child = os.fork()
        if child == 0:
            run_optimization(settings, folder, resume=True, workers=2)
            os._exit(0)
        time.sleep(chance.uniform(0.0, 0.5))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
