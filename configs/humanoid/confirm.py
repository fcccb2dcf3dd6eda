"""How long the best settings of searches walk: each is run for 20 s at a hundredth of the tolerances of its search.

    hybridsim optimize configs/humanoid/coman-search-const.yaml optimize.method.generations=2
    python configs/humanoid/confirm.py coman-search-const

prints a line for each search: whether it falls, since when nothing has held its trunk, and what it does from 10 s on.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import trapezoid

import hybridsim

LONG, LATE = 20.0, 10.0
EXACT = (f"final_time={LONG}", "engine.rtol=1e-5", "engine.atol=1e-7", "engine.max_steps=1000000")
EXACT += ("engine.max_transitions=20000",)


def main(folder, *overrides):
    """Print what becomes of the best setting of each search in the folder of an optimisation."""
    searches = {found.run: found for found in hybridsim.load_optimization(folder).searches}
    print("search  stage    value  runs for  unassisted from   speed   cost  frequency  friction  events/s")  # noqa: T201
    for file in sorted(Path(folder).glob("best-*.yaml")):
        found = searches[int(file.stem.partition("-")[2])]
        run = hybridsim.Simulation.from_config(hybridsim.load_config(file, [*EXACT, *overrides])).run()
        frequency = found.setting["frequency"]
        print(f"{found.run:6} {found.stage:6} {found.value:8.3g} {described(run)} {frequency:10.3f} {more(run)}")  # noqa: T201


def described(run):
    """Return how long a run has lasted, since when it is not helped, and speed and cost of its last part."""
    helped = run.t[run["assisted"] > 0.0]
    since, late = (helped[-1] if len(helped) else 0.0), run.t >= LATE
    if run.t[-1] < LONG - 1e-9:
        return f"{run.t[-1]:9.2f} {'falls':>16} {'':7} {'':6}"
    way, work = run["base_x"][late][-1] - run["base_x"][late][0], trapezoid(run["power"][late], run.t[late])
    return f"{run.t[-1]:9.2f} {since:16.2f} {way / (LONG - LATE):7.3f} {work / way:6.1f}"


def more(run):
    """Return the largest friction of a loaded foot in the last part, in parts of the load, and events in a second."""
    used, late = 0.0, run.t >= min(LATE, 0.5 * run.t[-1])
    for leg in ("left", "right"):
        loaded = late & (run[f"{leg}_normal"] > 1.0)
        used = max(used, np.max(abs(run[f"{leg}_tangential"][loaded] / run[f"{leg}_normal"][loaded]), initial=0.0))
    return f"{used:9.2f} {len(run.events) / run.t[-1]:9.0f}"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("give the folder of a search, as in: python confirm.py coman-search-const")
    main(*sys.argv[1:])
