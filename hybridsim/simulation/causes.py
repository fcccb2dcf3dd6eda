"""The line of a plug-in that divides by zero, found in plain Python: compiled code goes on with infinities."""

from __future__ import annotations

import linecache
import re
from collections.abc import Mapping

from hybridsim.model import Model
from hybridsim.model.source_location import line_of
from hybridsim.typing import FloatArray

WORDS_FOR_EXCEPTION: Mapping[type[Exception], str] = {
    ZeroDivisionError: "divides by zero",
    ValueError: "a function of `math` is called where it is not defined",
    OverflowError: "a number becomes too large",
}
"""What the exceptions of plain Python mean, where compiled code goes on with infinities."""

_INDEXED = re.compile(r"\b[xp]\[\s*\w+\.(\w+)")


def arithmetic_fault(model: Model, function: str, t: float, x: FloatArray, p: FloatArray, chart: int) -> str:
    """Find the line of a function whose arithmetic fails at a state.

    Parameters
    ----------
    model : Model
        The model.
    function : str
        The name of a function that writes an array: `vector_field` or `boundaries`.
    t, x, p, chart
        Its arguments: time [s], state (n,), parameters (n,), chart.

    Returns
    -------
    str
        `ball.py:12: in `vector_field`: divides by zero, with m = 0.0`; "" if nothing fails there.
    """
    plain = model.functions.get(function)
    if plain is None:
        return ""
    room = [0.0] * max(len(model.states), len(model.boundary_records))
    try:
        plain(room, t, x.tolist(), p.tolist(), chart)  # lists: numpy's numbers would become infinite
    except (ZeroDivisionError, ValueError, OverflowError) as problem:
        place = line_of(problem, plain)
        return f"{place}: in `{function}`: {WORDS_FOR_EXCEPTION[type(problem)]}{_values(place, model, x, p)}"
    except Exception:  # no list is taken here; there is nothing to say
        return ""
    return ""


def _values(place: str, model: Model, x: FloatArray, p: FloatArray) -> str:
    """Return the states and parameters that a line reads, with their values."""
    file, _, line = place.rpartition(":")
    read = dict.fromkeys(_INDEXED.findall(linecache.getline(file, int(line)))) if line.isdigit() else {}
    values = {name: float(x[model.states.index(name)]) for name in read if name in model.states.names}
    values |= {name: float(p[model.p_indices[name]]) for name in read if name in model.p_indices}
    return f", with {', '.join(f'{name} = {value:.6g}' for name, value in values.items())}" if values else ""
