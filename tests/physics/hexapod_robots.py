"""A family of random hexapods: gaits, heights, laws of friction and damping, and grounds.

    python tests/physics/hexapod_robots.py 500

runs the first 500 for 10 s each, and prints the most events in a millisecond, and how the runs ended.
"""

import sys
from collections import Counter

import numpy as np

from hybridsim import Status, simulate

DURATION, RTOL, WINDOW = 10.0, 1e-6, 1e-3  # [s], and that in which events are counted [s]
GROUNDS = (
    {},
    {"terrain": "sinusoid", "terrain_arg1": 0.03, "terrain_arg2": 3.0, "terrain_arg3": 3.0},
    {"terrain": "sloped", "terrain_arg2": 0.1},
    {"terrain": "ditchedflat", "terrain_arg1": 0.2, "terrain_arg2": 0.1, "terrain_arg3": 0.03},
    {"terrain": "height_map"},
)
GAITS = ("forward", "forward", "backward", "turn_left")


def random_robot(seed):
    """Parameters, inputs and initial state of a member of the family; friction_coeff is 0.1 to 3.2."""
    rng = np.random.default_rng(seed)
    period = rng.uniform(0.4, 1.1)
    inputs = {
        "t_c": period,
        "t_s": rng.uniform(0.5, 0.7) * period,
        "phi_s": rng.uniform(0.5, 1.1),
        "phi_o": rng.uniform(-0.3, 0.1),
    }
    parameters = {
        "friction": ("coulomb", "creep")[rng.integers(2)],
        "damping": ("linear", "hunt_crossley")[rng.integers(2)],
        "friction_coeff": float(np.exp(rng.uniform(np.log(0.1), np.log(3.2)))),
        "gait": GAITS[rng.integers(4)],
    } | GROUNDS[rng.integers(5)]
    if parameters.get("terrain") == "height_map":
        parameters["height_map"] = rng.uniform(0.0, 0.03, (21, 21))
    return parameters, inputs, {"r_z": rng.uniform(0.18, 0.25), "r_x": rng.uniform(0.0, 0.5)}


def run_of(seed, duration=DURATION, **changes):
    """Run a member of the family, with some parameters changed."""
    parameters, inputs, initial = random_robot(seed)
    return simulate(
        "hexapod",
        parameters=parameters | changes,
        inputs=inputs,
        initial=initial,
        final_time=duration,
        rtol=RTOL,
        atol=1e-2 * RTOL,
        max_transitions=10**6,
        record={"period": 0.01},
    )


def most_events(run):
    """The largest number of events within WINDOW."""
    t = run.events.t
    return int(np.max(np.searchsorted(t, t + WINDOW, side="right") - np.arange(len(t)), initial=0))


def ended_well(run):
    """Whether a run reached its final time, or the body the ground."""
    return run.status is Status.FINAL_TIME or "body toppled over" in run.message


def main(n):
    """Print what the first n robots do."""
    most, ends = Counter(), Counter()
    for seed in range(n):
        run = run_of(seed)
        most[most_events(run)] += 1
        ends[run.message.split(" (at")[0]] += 1
        if not ended_well(run) or most_events(run) > 30:
            print(f"robot {seed}: {most_events(run)} events in a millisecond, {run.message}")
    print("most events in a millisecond, and how many robots:", dict(sorted(most.items())))
    print("ends:", dict(ends))


if __name__ == "__main__":
    main(int(sys.argv[1]))
