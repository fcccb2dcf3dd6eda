"""Write the data of the configs in this folder: runs of hybridsim, sampled, with noise added.

python make_data.py
"""

import csv
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hybridsim import Simulation, load_config

FOLDER = Path(__file__).parent
PUSH = "+".join(f"sin(2*pi*{n}/240*t)" for n in (7, 11, 16, 25, 38, 61, 103, 131, 151, 181, 313, 523))
ONE = [-4.717643460708, 19.670836678497, -3.694021570309, 5.571148088349]
TWO = [
    *(-10.41213764545, 39.164196345414, 20.558014425155, -8.705462677483, 12.16342564116, 8.173208291733),
    *(-2.227537048582, -1.992182022782, 18.639064838172, -2.239973603497, 2.104331104396, 5.233877976093),
]
"""Gains of the linear-quadratic regulators with weights of 1."""
QUARTER = np.radians(0.25)


@dataclass(frozen=True)
class Experiment:
    """A run, and what is measured of it: states and outputs with the standard deviations of the noise.

    `spacing` is in seconds; `inputs` follow time by formulas, and become columns; in `gaps` [s] a column is empty.
    """

    model: str
    overrides: list[str]
    spacing: float
    measured: dict[str, float]
    inputs: dict[str, str] = field(default_factory=dict)
    gaps: dict[str, tuple[float, float]] = field(default_factory=dict)


BOUNCING = ["final_time=2.6", "parameters.restitution=0.8"]
MOTOR = ["parameters.resistance=1.2", "parameters.inertia=0.0015", "parameters.friction=0.002", "final_time=2"]
EXPERIMENTS = {
    "pendulum": Experiment(
        "pendulum.py", ["final_time=10", "initial.theta=30 deg"], 0.02, {"theta": 0.005, "omega": 0.02}
    ),
    "one_link": Experiment(
        "one_link.py",
        [f"parameters.gains={ONE}", "initial.q1=5 deg", "final_time=20"],
        0.02,
        dict.fromkeys(["q0", "q1", "u0", "u1"], QUARTER),
        {"force": f"8/sqrt(12)*({PUSH})"},
    ),
    "two_links": Experiment(
        "two_links.py",
        [f"parameters.gains={TWO}", "initial.q1=5 deg", "initial.q2=5 deg", "final_time=20"],
        0.02,
        dict.fromkeys(["q0", "q1", "q2", "u0", "u1", "u2"], QUARTER),
        {"force": f"8/sqrt(12)*({PUSH})"},
    ),
    "standing": Experiment(
        "standing.py",
        ["final_time=20"],
        0.02,
        {"theta_a": 0.005, "theta_h": 0.005, "omega_a": 0.07, "omega_h": 0.07},
        {"a": f"0.3*({PUSH})"},
    ),
    "bouncing_ball": Experiment("bouncing_ball", BOUNCING, 0.01, {"y": 0.005}),
    "dc_motor": Experiment("dc_motor.py", MOTOR, 0.005, {"speed": 0.3}, {"voltage": "12*sin(2*pi*t*(1+t))"}),
    "duffing": Experiment(
        "duffing.py",
        ["final_time=20", "initial.x=1"],
        0.025,
        {"x": 0.01, "spring": 0.05},
        {"push": "2*sin(1.3*t)"},
        {"x": (6.0, 9.0), "spring": (12.0, 13.0)},
    ),
}
EXACT = ["engine.rtol=1e-11", "engine.atol=1e-12"]


def columns_of(experiment: Experiment, seed: int = 1) -> dict[str, np.ndarray]:
    """Return time, measurements and inputs of an experiment; not a number in gaps."""
    model = experiment.model if "." not in experiment.model else FOLDER / experiment.model
    follow = [f"inputs.{name}={formula}" for name, formula in experiment.inputs.items()]
    config = load_config(model, [*experiment.overrides, *follow, *EXACT, f"record={experiment.spacing / 10}"])
    run = Simulation.from_config(config).run()
    t = experiment.spacing * np.arange(round(run.t[-1] / experiment.spacing) + 1)
    noise = np.random.default_rng(seed)
    found = {"t": t}
    names = config.model.states.names
    states = run.at(np.minimum(t, run.t[-1]))
    for name, deviation in experiment.measured.items():
        exact = states[:, names.index(name)] if name in names else np.interp(t, run.t, run[name])
        found[name] = exact + deviation * noise.normal(size=len(t))
        begin, end = experiment.gaps.get(name, (np.inf, np.inf))
        found[name][(t >= begin) & (t < end)] = np.nan
    for name, formula in experiment.inputs.items():
        found[name] = eval(formula, {"sin": np.sin, "sqrt": np.sqrt, "pi": np.pi, "t": t})
    return found


def write(path: Path, columns: dict[str, np.ndarray]) -> None:
    """Write columns as a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*(each.tolist() for each in columns.values()), strict=True):
            writer.writerow("" if np.isnan(value) else f"{value:.7g}" for value in row)


if __name__ == "__main__":
    for stem, experiment in EXPERIMENTS.items():
        write(FOLDER / f"{stem}.csv", columns_of(experiment))
