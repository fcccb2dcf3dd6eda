"""A family of random pushes on bipeds that walk or stand, whose feet may slip and leave the ground.

    python tests/physics/biped_pushes.py 1000

runs the first thousand for 12 s each, and prints how they ended; `python tests/physics/biped_pushes.py 300..400` runs
those from 300 on.

    python tests/physics/biped_pushes.py repeat 200

runs 200 bipeds that walk, and catch themselves by steps where they stand, at rtol 1e-6 and at a hundredth of it, and
prints how many of them end the same way.
"""

import sys
from collections import Counter

import numpy as np

from hybridsim import Status, simulate

DURATION = 12.0  # s
FREE = {"on_slip": "slip", "on_lift": "release", "on_roll": "warn", "on_tip": "warn", "on_twist": "warn"}
UPRIGHT = "goes on to the end"
FASTER = {
    "step_length": 0.5,
    "single_time": 0.5,
    "double_time": 0.16,
    "walk_height": 0.955,
    "start_height": 0.955,
    "bounce": 0.015,
}


def random_push(seed):
    """Parameters of a member of the family: of four, one stands, and one walks faster."""
    rng = np.random.default_rng(seed)
    parameters = {
        "steps": 0 if rng.random() < 0.25 else 8,
        "start_mode": ("right", "left")[rng.integers(2)],
        "friction": 0.6 if rng.random() < 0.5 else float(np.exp(rng.uniform(np.log(0.1), np.log(1.0)))),
        "push_x": rng.uniform(-400.0, 400.0),
        "push_y": rng.uniform(-250.0, 250.0),
        "push_start": rng.uniform(0.1, 11.0),
    }
    return FREE | parameters | (FASTER if rng.random() < 1 / 3 else {})


def hard_push(seed):
    """Parameters of a member of the family that is pushed up to twice as hard, early, on ground of any friction."""
    parameters, rng = random_push(seed), np.random.default_rng(seed + 10**6)
    parameters["friction"], parameters["push_start"] = rng.uniform(0.3, 1.2), rng.uniform(0.1, 3.0)
    return parameters | {"push_x": 2.0 * parameters["push_x"], "push_y": 1.5 * parameters["push_y"]}


def catching_push(seed):
    """Parameters of a member of the family that stands at the strength of people, and may catch itself by steps."""
    rng = np.random.default_rng(seed)
    push = {name: rng.uniform(-most, most) for name, most in (("push_x", 800.0), ("push_y", 400.0))}
    start = {"push_start": rng.uniform(0.1, 1.2), "friction": rng.uniform(0.3, 1.0)}
    body = {"steps": 0, "recovery": "step", "limits": "people", "start_height": 0.93, "walk_height": 0.93}
    return body | push | start | {"on_slip": "slip", "on_lift": "release"}


def walking_push(seed):
    """Parameters of a member of the family that walks, stands after eight steps, and then may catch itself by more."""
    return random_push(seed) | {"steps": 8, "recovery": "step"}


def run_of(parameters, duration=DURATION, first=0.0, **options):
    """Run a biped; the push is as long after the start as it is after t = 0 in `parameters`."""
    return simulate(
        "biped",
        parameters=parameters | {"push_start": first + parameters["push_start"]},
        initial_time=first,
        final_time=first + duration,
        method="tsit5",
        **{"record": False} | options,
    )


def end_of(run):
    """How a run ended: upright, or why not; a limit has a name, anything else is a reason of the numerics."""
    if run.status is Status.FINAL_TIME:
        return UPRIGHT
    return run.message.split(" (at")[0].split(" at t")[0]


def repeat(seeds):
    """Print the share of pushes that end the same way with a hundredth of the tolerance, and those that do not."""
    same, same_fate, ends = 0, 0, Counter()
    for seed in seeds:
        found = [end_of(run_of(walking_push(seed), rtol=rtol, atol=1e-3 * rtol)) for rtol in (1e-6, 1e-8)]
        ends[found[0]] += 1
        same += found[0] == found[1]
        same_fate += (found[0] == UPRIGHT) == (found[1] == UPRIGHT)
        if found[0] != found[1]:
            print(f"push {seed}: {found[0]}; with a hundredth of the tolerance: {found[1]}", flush=True)
    print(f"{same} of {len(seeds)} end the same way, {same_fate} upright or not as before; at the first tolerance:")
    for end, count in ends.most_common():
        print(f"{count:5} {end}")


def main(seeds):
    """Print how the runs of these seeds ended, and which ones ended for a reason of the numerics."""
    ends = Counter()
    for seed in seeds:
        run = run_of(random_push(seed))
        ends[end_of(run)] += 1
        if run.status not in (Status.FINAL_TIME, Status.LEFT_CHART):
            print(f"push {seed}: {run.message}", flush=True)
    for end, count in ends.most_common():
        print(f"{count:5} {end}")


if __name__ == "__main__":
    first, _, last = sys.argv[-1].rpartition("..")
    (repeat if sys.argv[1] == "repeat" else main)(range(int(first or 0), int(last)))
