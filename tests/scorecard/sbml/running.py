"""Run a case and compare it with its expected results."""

from __future__ import annotations

import csv
import hashlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hybridsim
from hybridsim.engine.status import Status

from .building import equations
from .reading import Refused, read

FOLDER = Path(tempfile.gettempdir()) / f"hybridsim-sbml-{os.getuid()}"
"""Where the plug-ins are written; the compiler's cache identifies them by their path."""

SHARPER = 1e-3
"""The tolerance of the integration, relative to that of the case."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case of the suite: its model, its settings, and the expected results, (rows, 1 + variables)."""

    name: str
    model: Path
    settings: dict[str, str]
    expected: np.ndarray

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The variables, each with what is compared."""
        listed = {kind: _names(self.settings.get(kind, "")) for kind in ("amount", "concentration")}
        kinds = {name: kind for kind, names in listed.items() for name in names}
        return [(name, kinds.get(name, "value")) for name in _names(self.settings["variables"])]

    @property
    def times(self) -> np.ndarray:
        start, duration, steps = (float(self.settings[key]) for key in ("start", "duration", "steps"))
        return start + duration * np.arange(int(steps) + 1) / steps


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: "pass", "fail", "refused" or "slow", and why."""

    case: str
    verdict: str
    reason: str = ""


def cases(suite: Path) -> list[Path]:
    """The folders of the cases in a folder of them."""
    return sorted(folder for folder in suite.iterdir() if any(folder.glob("*settings.txt")))


def load(folder: Path) -> Case:
    """A case from its folder, as it lies there or as the suite names it; the highest level of its model."""
    lines = next(folder.glob("*settings.txt")).read_text().splitlines()
    settings = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    models = sorted([*folder.glob("model.xml"), *folder.glob("*-sbml-l?v?.xml")])
    with next(folder.glob("*results.csv")).open(newline="") as file:
        names, *rows = [[field.strip() for field in row] for row in csv.reader(file) if row]
    order = [0, *(names.index(name) for name in _names(settings["variables"]))]
    expected = np.array([[float(row[place]) for place in order] for row in rows])
    return Case(folder.name, models[-1], settings, expected)


def try_case(folder: Path, max_wall_time: float | None = None) -> Outcome:
    """Translate, run and compare; whatever goes wrong on the way is a failure."""
    try:
        case = load(folder)
        return compare(case, simulate(case, max_wall_time))
    except TimeoutError:
        return Outcome(folder.name, "slow")
    except Refused as refusal:
        return Outcome(folder.name, "refused", str(refusal))
    except Exception as problem:
        return Outcome(folder.name, "fail", f"{type(problem).__name__}: {problem}")


def simulate(case: Case, max_wall_time: float | None = None) -> np.ndarray:
    """The case's variables at its times: (rows, variables); a TimeoutError if that takes longer [s].

    A row at the time of an event shows what is after it, unless that event comes only just after: `time > 2` is not
    yet true at 2.
    """
    times = case.times
    end = times[-1] + _rounding(times[-1])
    simulation = hybridsim.Simulation(
        str(write_plugin(case)),
        initial_time=float(times[0]),
        final_time=float(end),
        rtol=SHARPER * float(case.settings["relative"]),
        atol=SHARPER * float(case.settings["absolute"]),
        max_transitions=10_000_000,
        zeno_precision=0.0,  # events accumulate in two cases, and what is expected goes on behind the limit
        max_wall_time=max_wall_time,
        record=False,
    )
    sides = [[_look(simulation, case, t + side * _rounding(t)) for side in (-1.0, 1.0)] for t in times]
    jumps = {before[0] for before, after in sides if before[0] != after[0]}
    if jumps:
        run = simulation.result()
        crossings = [event for event in run.events if event.j in jumps and not event.declined]
        jumps = {event.j for event in crossings if _comes_just_after(event, run.states.names)}
    return np.array([(before if before[0] in jumps else after)[1] for before, after in sides])


def _look(simulation: hybridsim.Simulation, case: Case, t: float) -> tuple[int, list[float]]:
    """The number of jumps up to time t, and the variables."""
    simulation.advance(min(max(t, simulation.t), simulation.config.final_time))
    if simulation.status is Status.WALL_TIME:
        raise TimeoutError
    if simulation.status not in (Status.UNFINISHED, Status.FINAL_TIME):
        raise RuntimeError(f"ended at t = {simulation.t!r}: {simulation.message}")
    return simulation.j, [simulation[f"column_{name}"] for name, _ in case.columns]


def _comes_just_after(event: hybridsim.Event, states: Sequence[str]) -> bool:
    """Return whether nothing of it is true yet where the sides of its relations are equal."""
    for name in event.boundaries:
        kind, _, k = name.partition("_")
        if kind == "due" or bool(event.x_before[states.index(f"truth_{k}")]) == (kind == "above"):
            return False
    return True


def _rounding(t: float) -> float:
    """What rounding may move an event by that is at a row's time."""
    return 8.0 * np.spacing(abs(t))


def write_plugin(case: Case) -> Path:
    """The plug-in of a case, in a folder named after its contents: one that is there already is the same."""
    plugin = Path(__file__).with_name("plugin.py").read_text()
    text = equations(read(case.model), case.columns, f"case {case.name}")
    folder = FOLDER / f"{case.name}-{hashlib.sha256((plugin + text).encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    for file, contents in ((folder / "equations.py", text), (folder / "model.py", plugin)):
        if not file.exists():
            unfinished = file.with_suffix(f".{os.getpid()}")
            unfinished.write_text(contents)
            unfinished.replace(file)
    return folder / "model.py"


def compare(case: Case, found: np.ndarray) -> Outcome:
    """The suite's own rule: |found - expected| <= absolute + relative |expected|, at every row and column."""
    expected = case.expected[:, 1:]
    if found.shape != expected.shape:
        return Outcome(case.name, "fail", f"{len(found)} rows where {len(expected)} are expected")
    absolute, relative = (float(case.settings[key]) for key in ("absolute", "relative"))
    with np.errstate(invalid="ignore"):
        excess = np.abs(found - expected) - (absolute + relative * np.abs(expected))
    wrong = ~((excess <= 0.0) | (found == expected) | (np.isnan(found) & np.isnan(expected)))
    if not wrong.any():
        return Outcome(case.name, "pass")
    row, column = np.argwhere(wrong)[0]
    return Outcome(
        case.name,
        "fail",
        f"{case.columns[column][0]}({case.times[row]:g}) = {found[row, column]!r}, "
        f"expected {expected[row, column]!r}; {wrong.sum()} of {wrong.size} numbers differ",
    )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
