"""Families of random hexapods: gaits, heights, laws of friction and damping, and grounds.

    python tests/physics/hexapod_robots.py 500

runs the first 500 for 10 s each, and prints the most events in a millisecond, and how the runs ended.

    python tests/physics/hexapod_robots.py 500 thrown

does so with robots that fall: thrown at any attitude, on all grounds, or pushed off their way.
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
STEEP = (
    {"terrain": "ditchedflat", "terrain_arg1": -0.2, "terrain_arg2": 0.4, "terrain_arg3": 0.2},
    {"terrain": "stairs", "terrain_arg1": 0.0, "terrain_arg2": 0.3, "terrain_arg3": 0.06},
    {"terrain": "rough", "terrain_arg1": 0.04, "terrain_arg2": 0.15, "terrain_arg3": 5},
    {"terrain": "sloped", "terrain_arg1": 0.3, "terrain_arg2": -0.2},
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


def thrown_robot(seed):
    """A member of the family that begins in the air, at any attitude, with up to 3 m/s and 10 rad/s."""
    parameters, inputs, initial = random_robot(seed)
    rng = np.random.default_rng([seed, 1])
    if rng.random() < 0.5:
        kept = ("terrain", "terrain_arg1", "terrain_arg2", "terrain_arg3", "height_map")
        parameters = {name: value for name, value in parameters.items() if name not in kept}
        parameters |= STEEP[rng.integers(4)]
    angles = {name: rng.uniform(-np.pi, np.pi) for name in ("roll", "pitch", "yaw")}
    speeds = {f"v_{axis}": rng.uniform(-3.0, 3.0) for axis in "xyz"}
    spins = {f"omega_{axis}": rng.uniform(-10.0, 10.0) for axis in "xyz"}
    return parameters, inputs, {**initial, "r_z": rng.uniform(0.4, 0.8), **angles, **speeds, **spins}


def run_of(robot, duration=DURATION, **changes):
    """Run a robot, (parameters, inputs, initial state), with some parameters changed."""
    parameters, inputs, initial = robot
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


def main(n, family=random_robot):
    """Print what the first n robots of a family do."""
    most, ends, fallen = Counter(), Counter(), 0
    for seed in range(n):
        run = run_of(family(seed))
        most[most_events(run)] += 1
        ends[run.message.split(" (at")[0].split(" at t")[0]] += 1
        fallen += run.events.count("body_down") > 0
        if run.status is not Status.FINAL_TIME or most_events(run) > 30:
            print(f"robot {seed}: {most_events(run)} events in a millisecond, {run.message}", flush=True)
    print("robots whose body was on the ground:", fallen)
    print("most events in a millisecond, and how many robots:", dict(sorted(most.items())))
    print("ends:", dict(ends))


if __name__ == "__main__":
    main(int(sys.argv[1]), thrown_robot if "thrown" in sys.argv else random_robot)
