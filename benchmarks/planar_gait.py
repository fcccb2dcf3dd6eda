"""Gains of a walker's joints over the gait cycle, identified from its motion: 180 numbers, 18 states, 20,000 nodes.

    python benchmarks/planar_gait.py [--trials N] [--noise SD]

The walker of configs/identification/scheduled_gait.py has seven bodies. The torque of each of its six joints is
T(phase) - K(phase) angle - D(phase) rate, with ten points of each schedule over the cycle, joined by straight lines. It
starts near the states of a gait (gait.csv, of least torque, found by direct collocation), each trial at another phase,
and is simulated. All schedules are identified at once from its states at 1 kHz, with noise or without: 0.2 s of each
trial, from when its feet have settled.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from pathlib import Path

import numpy as np

import hybridsim
from hybridsim.identification import identify

FOLDER = Path(__file__).parent.parent / "configs" / "identification"
MODEL = FOLDER / "scheduled_gait.py"
POINTS, JOINTS, SETTLING, DURATION, RATE = 10, 6, 0.05, 0.2, 1000
NAMES = ("torque", "stiffness_of", "damping_of")
GUESSES = {"torque": 0.0, "stiffness_of": 30.0, "damping_of": 2.0}
UNITS = np.array([0.1] * 2 + [1.0] * 7 + [1.0] * 2 + [10.0] * 7)
"""By how much more noisy a state is than an angle."""


def nominal(phase: float, table: np.ndarray) -> np.ndarray:
    """Return states and torques of the gait, whose second half is the first one with the legs exchanged."""
    row = np.array([np.interp(phase % 0.5, table[:, 0], column) for column in table[:, 1:].T])
    if phase % 1.0 < 0.5:
        return row
    places = np.arange(len(row))
    for first in (3, 12, 18):
        places[first : first + 6] = np.roll(places[first : first + 6], 3)
    return row[places]


def schedules(table: np.ndarray) -> dict[str, np.ndarray]:
    """Return schedules with which the walker follows the gait for a while, each (60,)."""
    phases, joint = np.arange(POINTS) / POINTS, np.arange(JOINTS)[:, None]
    stiffness = 60.0 * (1.0 + 0.5 * np.sin(2 * np.pi * phases + joint))
    damping = 4.0 * (1.0 + 0.4 * np.cos(2 * np.pi * phases + 2 * joint))
    rows = np.array([nominal(phase, table) for phase in phases])
    torque = np.clip(rows[:, 18:].T, -120.0, 120.0) + stiffness * rows[:, 3:9].T + damping * rows[:, 12:18].T
    return {name: values.ravel() for name, values in zip(NAMES, (torque, stiffness, damping), strict=True)}


def write_trials(folder: Path, truth: dict[str, np.ndarray], table: np.ndarray, trials: int, noise: float) -> None:
    """Simulate the trials, and write their data and the config."""
    rng, names = np.random.default_rng(1), hybridsim.functions(MODEL).model.states.names
    spread = np.array([0.0, 0.0, 0.02] + [0.03] * 6 + [0.05] * 3 + [0.3] * 6)
    for trial in range(trials):
        begin = trial / trials
        x = nominal(begin, table)[:18] + spread * rng.normal(size=18)
        run = hybridsim.simulate(
            MODEL, initial=dict(zip(names, x, strict=True)), initial_time=begin, final_time=begin + SETTLING + DURATION,
            parameters={name: tuple(values) for name, values in truth.items()}, method="dop853", rtol=1e-9, atol=1e-10,
        )  # fmt: skip
        t = np.linspace(begin + SETTLING, begin + SETTLING + DURATION, round(DURATION * RATE) + 1)
        states = run.at(t) + noise * UNITS * rng.normal(size=(len(t), 18))
        with (folder / f"{trial}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["t", *names])
            writer.writerows(np.column_stack([t, states]).tolist())
    sd = "{" + ", ".join(f"{name}: {value:g}" for name, value in zip(names, noise * UNITS, strict=True)) + "}"
    data = [f"  - {{file: {trial}.csv, noise: {sd if noise else '{}'}}}" for trial in range(trials)]
    free = [f"  {name}[{i}]: {guess}" for name, guess in GUESSES.items() for i in range(POINTS * JOINTS)]
    measured = "measured: {" + ", ".join(f"{name}: {name}" for name in names) + "}"
    text = "\n".join([f"model: {MODEL}", "data:", *data, measured, "free:", *free])
    (folder / "gait.yaml").write_text(text + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=100, metavar="N", help="trials of 201 nodes each")
    parser.add_argument("--noise", type=float, default=0.0, metavar="SD", help="of angles [rad]; rates ten times more")
    given = parser.parse_args()
    table = np.loadtxt(FOLDER / "gait.csv", delimiter=",", skiprows=1)
    truth = schedules(table)
    with tempfile.TemporaryDirectory() as folder:
        write_trials(Path(folder), truth, table, given.trials, given.noise)
        began = time.process_time()
        found = identify(Path(folder) / "gait.yaml")
    print(f"{given.trials} trials, {given.trials * 201:,} nodes, noise {given.noise:g} rad")
    print(f"{found.iterations} iterations, {time.process_time() - began:.0f} s of CPU; {found.reason}; "
          f"{'confirmed' if found.confirmed else found.why_not}")  # fmt: skip
    print(f"{'schedule':14}{'largest':>10}{'error: rms':>12}{'largest':>10}{'standard: rms':>16}{'outside 3 sd':>14}")
    for name, true in truth.items():
        keys = [f"{name}[{i}]" for i in range(len(true))]
        error = np.array([found.parameters[key] for key in keys]) - true
        sd = np.array([found.standard_errors[key] for key in keys])
        print(
            f"{name:14}{np.abs(true).max():10.1f}{np.sqrt((error**2).mean()):12.2g}{np.abs(error).max():10.2g}"
            f"{np.sqrt((sd**2).mean()):16.2g}{int((np.abs(error) > 3 * sd).sum()):14}"
        )


if __name__ == "__main__":
    main()
