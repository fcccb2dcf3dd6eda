"""Characteristics of an orbit: numbers that describe it, by name, each computed when it is first asked for.

For every state and output q, over a period, on the steps' own continuous extensions: `q.min`, `q.max`, `q.mean` and
`q.integral`, and of its part in chart c `q.min(c)` and so on; for every boundary b that crosses: `b.count`,
`q.before(b)` and `q.after(b)` at its last event, and `q.jump(b)`, by how much all its events change q. States that are
translated have `q.displacement` and `q.speed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from hybridsim.analysis.return_map import Return
from hybridsim.config import RunConfig
from hybridsim.engine.columns import StepTable, join_tables
from hybridsim.engine.extension import rise_at
from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.results.rows import event_sides
from hybridsim.simulation.evaluation import outputs_at, weights_at
from hybridsim.simulation.packing import pack
from hybridsim.typing import FloatArray, IntArray

Measure = Any
"""The name of a characteristic, or a function of an orbit that returns a number."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
NODES, WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS
"""Nodes and weights of Gauss and Legendre's rule on (0, 1): exact for polynomials up to degree 15."""

OVER_PERIOD, AT_EVENTS, OF_TRANSLATIONS = (
    ("min", "max", "mean", "integral"),
    ("before", "after", "jump"),
    ("displacement", "speed"),
)

_NAME = re.compile(r"(?P<quantity>\w+)\.(?P<kind>\w+)(?:\((?P<where>\w+)\))?")


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """The steps of a period: the rows where they begin, the part of each that is used, and where an event cuts it."""

    rows: StepTable
    used: FloatArray

    def inside(self, some: IntArray, theta: FloatArray) -> StepTable:
        """Return the rows within some steps, at parts (n,) of the whole step."""
        rows: StepTable = self.rows[some]
        x = rows.x + rise_at(rows.extension, theta)
        values = {name: getattr(rows, name) for name in StepTable.__dataclass_fields__}
        return StepTable(**{**values, "t": rows.t + theta * rows.step, "x": x})


class Characteristics(Mapping[str, float]):
    """The characteristics of an orbit; a mapping that computes each value when it is asked for.

    Parameters
    ----------
    config : RunConfig
        The model with its parameters.
    found : Return
        The strides of a period.
    multipliers : (n,) complex array
        The multipliers of the orbit.
    displacement : mapping of str to float
        By how much a period moves the states that are translated.
    """

    def __init__(
        self, config: RunConfig, found: Return, multipliers: FloatArray, displacement: Mapping[str, float]
    ) -> None:
        self._model, self._packed, self._displacement = config.model, pack(config), displacement
        growth = float(np.abs(multipliers).max(initial=0.0))
        self._of_orbit = {"period": found.duration, "strides": float(len(found.strides)), "growth": growth}
        model = self._model
        self._quantities = tuple(dict.fromkeys((*model.output_records.names, *model.states.names)))
        parts = [(s.rows[np.arange(len(s.rows) - 1)], np.diff(s.rows.t)) for s in found.strides]
        rows, lengths = join_tables([part for part, _ in parts]), np.concatenate([length for _, length in parts])
        flows = np.flatnonzero((rows.step > 0.0) & (lengths > 0.0))
        self._steps = _Steps(rows[flows], lengths[flows] / rows.step[flows])
        n, m = len(flows), len(NODES)
        steps, theta = np.repeat(np.arange(n), m + 2), np.concatenate([[0.0], NODES, [1.0]])
        self._where = steps, np.outer(self._steps.used, theta).ravel()
        self._samples = self._evaluate(self._steps.inside(*self._where)).reshape(n, m + 2, -1)
        self._spans = self._steps.used * rows.step[flows]
        self._sides = self._events_of(found)

    def _events_of(self, strides: Return) -> dict[str, FloatArray]:
        """Return the quantities before and after the jumps of each boundary, (n, 2, n_quantities)."""
        found: dict[str, list[FloatArray]] = {}
        for stride in strides.strides:
            if stride.events is None or not len(stride.events):
                continue
            jumps = stride.events[stride.events.declined == 0]
            values = self._evaluate(event_sides(jumps)).reshape(len(jumps), 2, -1)
            for index, name in enumerate(self._model.boundary_records.names):
                crossed = jumps.crossed[:, index].astype(bool)
                if crossed.any():
                    found.setdefault(name, []).append(values[crossed])
        return {name: np.concatenate(parts) for name, parts in found.items()}

    def _evaluate(self, rows: StepTable) -> FloatArray:
        """Return all quantities at rows, (n, n_quantities)."""
        model, packed = self._model, self._packed
        names = model.output_records.names
        states = [index for index, name in enumerate(model.states.names) if name not in names]
        if not names:
            return rows.x
        y = outputs_at(packed, rows, weights_at(packed, rows))
        return np.concatenate([y, rows.x[:, states]], axis=1)

    def __iter__(self) -> Iterator[str]:
        yield from self._of_orbit
        for name in self._displacement:
            yield from (f"{name}.{kind}" for kind in OF_TRANSLATIONS)
        yield from (f"{boundary}.count" for boundary in self._sides)
        for name in self._quantities:
            yield from (f"{name}.{kind}" for kind in OVER_PERIOD)
            yield from (f"{name}.{kind}({boundary})" for boundary in self._sides for kind in AT_EVENTS)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> float:
        """Return a characteristic; a ConfigError names the nearest one if there is none of this name."""
        if name in self._of_orbit:
            return self._of_orbit[name]
        match = _NAME.fullmatch(name)
        value = None if match is None else self._value(**match.groupdict())
        if value is None:
            raise ConfigError(
                f"an orbit of {self._model.name} has no characteristic {name!r}{nearest(name, tuple(self))}"
            )
        return value

    def unit(self, name: str) -> str:
        """Return the unit of a characteristic, "" for numbers without one."""
        model = self._model
        match = _NAME.fullmatch(name)
        if match is None:
            return self._unit_of_time() if name == "period" else ""
        tables: tuple[Any, ...] = (model.output_records, model.states)
        unit = next((str(table[match["quantity"]].unit) for table in tables if match["quantity"] in table.names), "")
        suffix = {"integral": f" {self._unit_of_time()}", "speed": f"/{self._unit_of_time()}"}.get(match["kind"], "")
        return (unit + suffix).strip()

    def _unit_of_time(self) -> str:
        records = self._model.output_records
        return records["time"].unit or "s" if "time" in records.names else "s"

    def _value(self, quantity: str, kind: str, where: str | None) -> float | None:
        if where is None and kind in OF_TRANSLATIONS and quantity in self._displacement:
            return self._displacement[quantity] / (self._of_orbit["period"] if kind == "speed" else 1.0)
        if where is None and kind == "count" and quantity in self._sides:
            return float(len(self._sides[quantity]))
        if quantity not in self._quantities:
            return None
        index = self._quantities.index(quantity)
        if kind in OVER_PERIOD:
            return self._over_period(index, kind, where)
        if where not in self._sides or kind not in AT_EVENTS:
            return None
        before, after = self._sides[where][:, 0, index], self._sides[where][:, 1, index]
        values = {"before": before[-1], "after": after[-1], "jump": np.sum(after - before)}
        return float(values[kind])

    def _over_period(self, index: int, kind: str, chart: str | None) -> float | None:
        """Return a characteristic of the whole period, or of the part of it in one chart; None if there is none."""
        numbers, names = self._steps.rows.chart, self._model.charts.names
        if chart is not None and chart not in names:
            return None
        some = np.flatnonzero(np.ones(len(numbers), bool) if chart is None else numbers == names.index(chart))
        if not len(some):
            return None
        if kind in ("min", "max"):
            return self._extremum(some, index, 1.0 if kind == "min" else -1.0)
        spans = self._spans[some]
        integral = float(np.sum(spans * (self._samples[some, 1:-1, index] @ WEIGHTS)))
        return integral if kind == "integral" else integral / float(np.sum(spans))

    def _extremum(self, some: IntArray, index: int, sign: float) -> float:
        """Return sign times the least value of sign times a quantity: the best sample, improved within its step."""
        samples = self._samples[:, :, index]
        best, place = np.unravel_index(np.argmin(sign * samples[some]), samples[some].shape)
        step = int(some[best])
        theta = self._where[1].reshape(samples.shape)[step]
        low, high = theta[max(place - 1, 0)], theta[min(place + 1, len(theta) - 1)]

        def value(part: float) -> float:
            return sign * float(self._evaluate(self._steps.inside(np.array([step]), np.array([part])))[0, index])

        found = minimize_scalar(value, bounds=(low, high), method="bounded", options={"xatol": 1e-9})
        return sign * min(float(found.fun), sign * float(samples[step, place]))
