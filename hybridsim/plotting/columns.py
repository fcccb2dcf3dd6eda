"""The quantities of a run that pictures show: outputs, states and inputs, at its rows and at its events."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.model import Records
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray

EQUALITY_TOLERANCE = 1e-12
"""An output counts as equal to a state if it differs by less than this fraction; on slides outputs are averages."""


MOST_ENTRIES = 24
"""Most entries of a block that a picture draws."""


def column_names(run: Trajectory) -> list[str]:
    """Return the names of the outputs, states and inputs of a run."""
    return [*dict.fromkeys((*run.outputs.names, *run.states.names, *run.inputs.records.names))]


def entries_called(run: Trajectory, name: str) -> list[str]:
    """Return the names of the entries of a block or of a part of one, `h.phi[0:3]`; any other name as it is.

    Raises
    ------
    ConfigError
        If they are too many for one picture.
    """
    tables: tuple[Records[Any], ...] = run.outputs, run.states
    for table in tables:
        place = table.found(name)
        if isinstance(place, slice):
            if place.stop - place.start > MOST_ENTRIES:
                n = place.stop - place.start
                raise ConfigError(f"{name}: {n} entries are too many to draw; choose some, for example {name}[0:3]")
            return list(table.names[place])
    return [name]


def window_of(run: Trajectory, begin: float | None, end: float | None) -> tuple[float, float]:
    """Return the part of a run that is drawn [s]; raise a ConfigError if there is none."""
    first, last = float(run.t[0]), float(run.t[-1])
    left, right = (first if begin is None else begin), (last if end is None else end)
    if not (left < right and left < last and right > first) and (begin, end) != (None, None):
        given = [f"{option} {t:g}" for option, t in (("--from", begin), ("--to", end)) if t is not None]
        raise ConfigError(
            f"command line: --from, --to: expected a part of the run, which goes from {first:g} s to {last:g} s, "
            f"found {' '.join(given)}"
        )
    return left, right


def is_state(run: Trajectory, name: str) -> bool:
    """Return whether the column is a state, whose values between the rows are also known."""
    return name in run.states.names and np.allclose(
        values_of(run, name), run[name], rtol=EQUALITY_TOLERANCE, atol=0.0, equal_nan=True
    )


def values_of(run: Trajectory, name: str) -> FloatArray:
    """Return the column of an output, or else of a state or input."""
    return run.y[:, run.outputs.index(name)] if name in run.outputs.names else run[name]


def values_at_events(run: Trajectory, name: str) -> FloatArray:
    """Return a column before each event, (m,); if it is no state, interpolated between rows as its curve is drawn."""
    if is_state(run, name):
        return run.events.x_before[:, run.states.index(name)]
    t, t_event, values = run.t, run.events.t, values_of(run, name)
    first = np.searchsorted(run.j, run.events.j, side="left")
    last = np.searchsorted(run.j, run.events.j, side="right") - 1
    right = np.clip(np.searchsorted(t, t_event), first, last)
    left = np.maximum(right - 1, first)
    width = np.where(t[right] > t_event, t[right] - t[left], 1.0)
    share = np.where(t[right] > t_event, (t[right] - t_event) / width, 0.0)
    return np.where(share > 0.0, share * values[left] + (1.0 - share) * values[right], values[right])


def unit_of(run: Trajectory, name: str) -> str:
    """Return the unit of a column."""
    tables: tuple[Records[Any], ...] = (run.outputs, run.states, run.inputs.records)
    unit: str = next(table[name].unit for table in tables if name in table.names)
    return unit
