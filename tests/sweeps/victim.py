"""A process that computes a sweep and is killed: `victim.py FOLDER SEED TIMES`.

Each child is a fork of this process, which has loaded everything and computed nothing, so that it dies in the middle of
its work and not while it is importing.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from slow import SlowRunner

from hybridsim.config.sweep import load_sweep_config
from hybridsim.sweeps import api, run_sweep


def main(folder: Path, seed: int, times: int) -> None:
    config = load_sweep_config(folder / "balls.yaml")
    SlowRunner(config)
    api.BatchRunner = SlowRunner
    chance = random.Random(seed)
    for _ in range(times):
        child = os.fork()
        if child == 0:
            run_sweep(config, folder / "killed", resume=True, workers=2)
            os._exit(0)
        time.sleep(chance.uniform(0.0, 0.35))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{status} {len([*(folder / 'killed').glob('part-*')])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
