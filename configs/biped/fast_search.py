"""The search that has found walk-people-fast.yaml: people's joint angles, at a speed that is raised bit by bit.

    python configs/biped/fast_search.py [GENERATIONS [SEED]]

It begins at the numbers of walk-people-faster.yaml (0.71 m/s) and goes on from generation to generation of CMA-ES: each
run begins where the best run of the last generation has ended, right after a heel has landed, so that no run makes
its first steps from rest; and as soon as the best walk is as fast as asked for, 0.008 m/s more are asked for. What
counts are the deviations of hip, knee and ankle from those of people who walk as fast as the run does, as in
pictures.py. The best numbers of each generation are printed. Needs cma (`pip install 'hybridsim[optimize]'`).
"""

import sys
from itertools import pairwise
from pathlib import Path

import cma
import numpy as np
import yaml

import hybridsim
from hybridsim_models.biped import people

BEGIN = Path(__file__).with_name("walk-people-faster.yaml")
LONGER = {"step_length": 0.55}
"""Of the walk at which the search begins, besides the numbers of BEGIN: 0.85 m/s."""
FIRST = {"apex_part": 0.4, "descent_part": 0.95, "clearance": 0.09, "flat_part": 0.6}
"""Where the search begins with numbers that BEGIN leaves at their defaults, nearer to how people swing a foot."""
RANGES = {
    "step_length": (0.5, 0.9),
    "single_time": (0.38, 0.5),
    "double_time": (0.08, 0.16),
    "walk_height": (0.96, 1.0),
    "lower": (0.0, 0.02),  # start_height below walk_height; says nothing here, as runs do not begin at rest
    "bounce": (-0.01, 0.035),
    "cop_first": (-0.19, -0.02),
    "cop_last": (-0.03, 0.05),
    "heel_off": (0.4, 1.0),
    "landing_pitch": (-0.5, -0.02),
    "leaving_pitch": (0.3, 1.3),
    "clearance": (0.02, 0.2),
    "landing_speed": (0.0, 0.6),
    "foot_lines": (0.08, 0.17),
    "foothold_gain": (0.0, 1.0),
    "gain": (1.5, 6.0),
    "leaving_turn": (0.2, 1.4),
    "landing_forward": (0.0, 1.5),
    "swing_part": (0.85, 1.0),
    "apex_part": (0.15, 0.5),
    "descent_part": (0.6, 1.0),
    "flat_part": (0.4, 1.0),
}
SPEED, FASTER, FASTEST = 0.86, 0.008, 1.22
"""Asked for at first, more each time that it has been reached, and at last [m/s]."""
POPULATION, SPREAD = 12, 0.05
DURATION, STEPS = 3.5, 4
"""Of a run [s]; the last steps of it that count."""
FALL = 50.0
"""What a fall at once costs, in standard deviations."""
PLACES = ("toe_x", "plan_x", "ankle_x_start", "xi_x", "xi_plan_x", "cop_plan_x", "cop_goal_x")


def main(generations=136, seed=1):
    """Search, and print what is found."""
    numbers, state = beginning()
    low, high = np.transpose(list(RANGES.values()))
    start = np.clip((np.array([numbers[name] for name in RANGES]) - low) / (high - low), 0.01, 0.99)
    options = {"bounds": [0, 1], "popsize": POPULATION, "seed": seed, "verbose": -9, "maxstd": 0.08}
    search, asked = cma.CMAEvolutionStrategy(start, SPREAD, options), SPEED
    for generation in range(generations):
        points = search.ask()
        settings = [dict(zip(RANGES, (low + x * (high - low)).tolist(), strict=True)) for x in points]
        results = [judge(each, state, asked) for each in settings]
        search.tell(points, [cost for cost, _, _ in results])
        best = min(range(POPULATION), key=lambda i: results[i][0])
        cost, figures, run = results[best]
        print(generation, f"{asked:.3f} m/s asked for, cost {cost:.3f}", figures, settings[best], flush=True)  # noqa: T201
        if run is not None:
            state = state_after(run)
            asked = min(FASTEST, asked + FASTER) if figures["speed"] > asked - 0.02 else asked


def beginning():
    """Return the numbers at which the search begins, and the state of a walk that is nearly theirs."""
    config = yaml.safe_load(BEGIN.read_text(encoding="utf-8"))["parameters"]
    lower = {"lower": config["walk_height"] - config.pop("start_height")}
    defaults = {each.name: each.default for each in hybridsim.load_model("biped").parameters if each.name in RANGES}
    numbers = {**defaults, **config, **lower}
    at_rest = simulate({**numbers, "walk": "counted"}, None, 6.3)
    numbers.update(LONGER)
    longer = simulate(numbers, state_after(at_rest), 3.0)
    return {**numbers, **FIRST}, state_after(longer)


def simulate(numbers, state, duration):
    """Return a run of a walk without an end, from a state as `state_after` returns it, or from rest."""
    parameters = {"sample_time": 0.005, "walk": "endless", **numbers}
    parameters["start_height"] = parameters["walk_height"] - parameters.pop("lower")
    begins = {} if state is None else {"initial": state[0], "initial_chart": state[1]}
    settings = {"final_time": duration, "method": "tsit5", "rtol": 1e-6, "record": 0.01}
    return hybridsim.simulate("biped", parameters=parameters, **begins, **settings)


def state_after(run):
    """Return the states after the last landing of a run, as if it were at time 0 and at place 0, and the chart."""
    event = [each for each in run.events if "heel2_down" in each.boundaries][-1]
    names = [each.name for each in hybridsim.load_model("biped").states]
    state = dict(zip(names, np.asarray(event.x_after).tolist(), strict=True))
    state.update(posed=1.0, phase_start=state["phase_start"] - event.t)
    here = state["toe_x"]
    for name in PLACES:
        state[name] -= here
    return state, int(event.chart_after)


def judge(numbers, state, asked):
    """Return the cost of a setting, the figures of its steps, and its run; for one that falls only the cost."""
    run = simulate(numbers, state, DURATION)
    landings = [event.t for event in run.events if "heel2_down" in event.boundaries][-STEPS - 1 :]
    if not run.status.ok or len(landings) <= STEPS:
        return FALL - run.t[-1], run.message[:80], None
    figures = figures_of(run, landings)
    speed = figures["speed"]
    cost = figures["miss"] + 0.3 * max(0.0, figures["largest"] - 1.9)
    cost += 15.0 * max(0.0, asked - speed) + 5.0 * max(0.0, speed - asked - 0.03)
    cost += 5.0 * max(0.0, figures["force"] - 0.3) + 5.0 * max(0.0, figures["friction"] - 0.4)
    cost += 5.0 * max(0.0, np.ptp(np.diff(landings)) - 0.01) + 0.02 * max(0.0, figures["yaw"] - 40.0)
    return cost, {name: round(float(value), 3) for name, value in figures.items()}, run


def figures_of(run, landings):
    """Return speed, deviations from people in their standard deviations, and loads, over steps between landings."""
    begin, end = landings[0], landings[-1]
    speed = np.ptp(np.interp([begin, end], run.t, run["com_x"])) / (end - begin)
    relative = people.relative_speed(speed, run.parameters["stature"], run.parameters["g"])
    steady = slice(*np.searchsorted(run.t, [begin, end]))
    weight = run.parameters["mass"] * run.parameters["g"]
    figures, largest = {"speed": speed}, 0.0
    for joint in people.JOINTS:
        curve = np.degrees(mean_stride(run, joint, begin, end))
        _, figures[joint], most = people.deviation(curve, relative, joint)
        largest = max(largest, most)
    figures["miss"] = np.sqrt(np.mean([figures[joint] ** 2 for joint in people.JOINTS]))
    figures["largest"] = largest
    figures["force"] = np.abs((run["fz_right"] + run["fz_left"])[steady] / weight - 1.0).max()
    figures["friction"] = run["friction_used"][steady].max()
    figures["yaw"] = np.nanmax(np.abs(run["tz1"][steady]))
    return figures


def mean_stride(run, joint, begin, end):
    """Return the mean of an angle over the strides of both legs between two instants, where people have points."""
    curves = []
    for side in ("right", "left"):
        strikes = np.flatnonzero(np.diff((run[f"fz_{side}"] > 0.0).astype(int), prepend=1) == 1)
        within = [at for at in strikes if begin - 1e-6 <= run.t[at] <= end + 1e-6]
        for first, last in pairwise(within):
            part = slice(first, last + 1)
            phase = 100.0 * (run.t[part] - run.t[first]) / (run.t[last] - run.t[first])
            curves.append(np.interp(people.CYCLE, phase, run[f"{joint}_{side}"][part]))
    return np.mean(curves, axis=0)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
