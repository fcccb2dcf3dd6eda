"""The columns of a run's record: each is declared once, here.

The buffers of the engine's log, the tables that are copied out of them, the public `Events`, the datasets of a run's
file and the shapes that `verify` expects all follow from `StepTable` and `EventTable`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import CERTIFICATES, EVENT_KINDS
from hybridsim.typing import FloatArray, IntArray

REAL, WHOLE, FLAG = np.float64, np.int64, np.uint8
"""Types of the entries in the engine's buffers."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    dtype : type
        Of the engine's buffer: float64, int64 or uint8.
    meaning : str
        What the numbers mean.
    unit : str
        Unit of the numbers; "" if they have none, or one that depends on the model.
    shape : tuple of str
        Names of the sizes of one row's entry, see `shape_of`; () for one number.
    words : tuple of str
        The words that the numbers 0, 1, ... stand for; () if they are numbers.
    is_flag : bool
        The numbers are 0 for false and 1 for true.
    """

    dtype: type
    meaning: str
    unit: str = ""
    shape: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_flag: bool = False


class Table:
    """Columns of one length; indexing picks rows of all columns."""

    __slots__ = ()

    t: FloatArray

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self: AnyTable, rows: Any) -> AnyTable:
        return type(self)(**{name: values[rows] for name, values in values_of(self).items()})


AnyTable = TypeVar("AnyTable", bound=Table)


@dataclass(frozen=True, slots=True, eq=False)
class StepTable(Table):
    """Rows of a trajectory: one where each step begins, one before each jump, and the last one.

    A row from which no step begins has `step` 0, `extension` 0 and `certificate` -1.
    """

    t: Annotated[FloatArray, Column(REAL, "time", unit="s")]
    j: Annotated[IntArray, Column(WHOLE, "number of jumps so far")]
    chart: Annotated[IntArray, Column(WHOLE, "number of the chart; in a slide, of the chart that the state came from")]
    adjacent_chart: Annotated[IntArray, Column(WHOLE, "number of the second chart in a slide, else -1")]
    surface: Annotated[IntArray, Column(WHOLE, "index of the boundary along which the state slides, else -1")]
    certificate: Annotated[
        IntArray, Column(WHOLE, "how the step was searched for crossings, -1 if it was not", words=CERTIFICATES)
    ]
    x: Annotated[FloatArray, Column(REAL, "state", shape=("n_states",))]
    step: Annotated[FloatArray, Column(REAL, "length of the step that begins here", unit="s")]
    extension: Annotated[
        FloatArray, Column(REAL, "coefficients of the step's continuous extension", shape=("degree", "n_states"))
    ]


@dataclass(frozen=True, slots=True, eq=False)
class EventTable(Table):
    """Events in the order in which they happened.

    `value`, `depth` and `error` are in the unit of the boundary, and nan if they are not known.
    """

    t: Annotated[FloatArray, Column(REAL, "time", unit="s")]
    j: Annotated[IntArray, Column(WHOLE, "number of jumps before the event")]
    chart_before: Annotated[IntArray, Column(WHOLE, "number of the chart before")]
    chart_after: Annotated[IntArray, Column(WHOLE, "number of the chart after")]
    adjacent_chart: Annotated[
        IntArray, Column(WHOLE, "number of the second chart of the slide that begins, ends or goes on here, else -1")
    ]
    surface: Annotated[IntArray, Column(WHOLE, "index of the boundary along which that slide runs, else -1")]
    x_before: Annotated[FloatArray, Column(REAL, "state before", shape=("n_states",))]
    x_after: Annotated[FloatArray, Column(REAL, "state after", shape=("n_states",))]
    crossed: Annotated[
        NDArray[np.uint8], Column(FLAG, "which boundaries crossed", shape=("n_boundaries",), is_flag=True)
    ]
    certificate: Annotated[IntArray, Column(WHOLE, "how the crossing was found", words=CERTIFICATES)]
    declined: Annotated[
        IntArray, Column(WHOLE, "nothing changed: the transition declined, or a touch was reported", is_flag=True)
    ]
    kind: Annotated[IntArray, Column(WHOLE, "what happened", words=EVENT_KINDS)]
    value: Annotated[FloatArray, Column(REAL, "value of the boundary")]
    depth: Annotated[FloatArray, Column(REAL, "how far below zero the boundary goes within the step")]
    error: Annotated[FloatArray, Column(REAL, "error estimate of the step")]


def columns_of(table: type[Table]) -> Mapping[str, Column]:
    """The columns of a table by name, in the order of their declaration."""
    if table not in _columns:
        hints = get_type_hints(table, include_extras=True)
        _columns[table] = {field.name: hints[field.name].__metadata__[0] for field in fields(table)}  # type: ignore[arg-type]
    return _columns[table]


_columns: dict[type[Table], dict[str, Column]] = {}


def values_of(table: Table) -> dict[str, NDArray[Any]]:
    """The arrays of a table by name."""
    return {name: getattr(table, name) for name in columns_of(type(table))}


def shape_of(column: Column, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of one row's entry.

    Parameters
    ----------
    column : Column
        The column.
    sizes : mapping of str to int
        The sizes that shapes name: `n_states`, `n_boundaries`, `n_outputs`, and the `degree` of the extension.

    Returns
    -------
    tuple of int
        () for one number.
    """
    return tuple(sizes[name] for name in column.shape)


def zeros(table: type[AnyTable], n: int, sizes: Mapping[str, int]) -> AnyTable:
    """A table of n rows of zeros; for `sizes` see `shape_of`."""
    return table(
        **{name: np.zeros((n, *shape_of(column, sizes)), column.dtype) for name, column in columns_of(table).items()}
    )


def join_tables(tables: Sequence[AnyTable]) -> AnyTable:
    """The rows of several tables of one class, one after another."""
    parts = [values_of(table) for table in tables]
    return type(tables[0])(**{name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
