"""Random pushes on the person with soles who stands: it bears them, or falls on a named part.

    PYTHONPATH=tests python tests/physics/human3d_pushes.py standing 40
    PYTHONPATH=tests python tests/physics/human3d_pushes.py walking 20..40

runs pushes of 20 to 450 N in any direction, with springs alone or with steps that catch the body, each for 5 s or at
most `MAX_WALL_TIME` of computing, and prints how each ended.
"""

import math
import sys
import time
from collections import Counter

import numpy as np

from hybridsim import simulate

MAX_WALL_TIME = 20.0  # s
CONTROLS = {"standing": {}, "walking": {"control": "walking", "steps": 0, "recovery": "step"}}


def random_push(seed):
    """Size and direction of a push [N, degrees]."""
    rng = np.random.default_rng(seed)
    return rng.uniform(20.0, 450.0), rng.uniform(-180.0, 180.0)


def run_of(control, seed, **options):
    """Run a person that is pushed."""
    size, heading = random_push(seed)
    push = {
        "push_x": size * math.cos(math.radians(heading)),
        "push_y": size * math.sin(math.radians(heading)),
    }
    options = {"record": False, "rtol": 1e-6, "atol": 1e-8, "max_wall_time": MAX_WALL_TIME} | options
    return simulate("human3d", parameters=CONTROLS[control] | push, final_time=5.0, **options)


def main(control, seeds):
    """Print how the runs of these seeds ended."""
    ends = Counter()
    simulate("human3d", parameters=CONTROLS[control], final_time=1e-3)  # compiles
    for seed in seeds:
        begun = time.process_time()
        run = run_of(control, seed)
        used, (size, heading) = time.process_time() - begun, random_push(seed)
        end = f"{run.status.name}: {run.message.split(' (at')[0].split(' at t')[0]}"
        ends[end] += 1
        at = f"t = {run.t[-1]:.4f}, {len(run.events)} events, {used:.1f} s"
        print(f"{seed:4} {size:4.0f} N {heading:5.0f} deg {at}: {run.status.name}: {run.message[:150]}", flush=True)
    for end, count in ends.most_common():
        print(f"{count:5} {end}")


if __name__ == "__main__":
    first, _, last = sys.argv[2].rpartition("..")
    main(sys.argv[1], range(int(first or 0), int(last)))
