"""Records without states: of each piece of the log, outputs are evaluated, and the rest is let go.

A large model would fill the memory with its states and the extensions of its steps.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.columns import EventTable, StepTable
from hybridsim.model import Output, Records, State
from hybridsim.model.blocks import BlockRecords
from hybridsim.model.table import MANY_VALUES
from hybridsim.results.input_history import InputHistory
from hybridsim.results.rows import sample_within
from hybridsim.simulation.evaluation import outputs_at, weights_at
from hybridsim.simulation.packing import Packed
from hybridsim.typing import FloatArray, IntArray


def records_states(config: RunConfig) -> bool:
    """Return whether a run records its states: by default those of models without large blocks."""
    record, model = config.record, config.model
    if not record.steps:
        return True  # few rows, from which a run can go on
    is_large = isinstance(model.states, BlockRecords) and len(model.states) >= MANY_VALUES
    return not is_large if record.states is None else record.states


def outputs_to_record(config: RunConfig) -> Records[Output]:
    """Return the outputs that the config asks for; a model without outputs records its states."""
    columns = config.model.columns
    if config.record.outputs is None and columns is config.model.output_records:
        return config.model.output_records
    names = config.record.outputs or [record.name for record in columns.blocks]
    found = [each for name in names if columns.found(name) is not None for each in _called(name, columns)]
    return Records(*(Output(each.name, each.unit, each.doc, getattr(each, "shape", ())) for each in found))


def states_to_record(config: RunConfig) -> Records[State]:
    """Return the states that a record has."""
    model = config.model
    if records_states(config):
        return model.states
    names = [name for name in config.record.outputs or () if model.columns.found(name) is None]
    return Records(*(each for name in names for each in _called(name, model.states)))


def _called(name: str, columns: Records[Any]) -> Sequence[Any]:
    """Return the records that a name stands for: that of a quantity or of a block, or those of some of its entries."""
    place = columns.place(name)
    is_part = isinstance(place, slice) and "[" in name
    return columns[place] if is_part else [columns[name]]


def places_of(some: Records[Any], columns: Records[Any]) -> IntArray:
    """Return the indices among all columns of those of some records."""
    every = np.arange(len(columns))
    if some is columns:
        return every
    return np.concatenate([[], *(np.atleast_1d(every[columns.place(each.name)]) for each in some.blocks)]).astype(int)


def reduction_of(config: RunConfig, packed: Packed, history: Callable[[], InputHistory]) -> Reduction | None:
    """Return what a record without states keeps; None if it has states."""
    return None if records_states(config) else Reduction(config, packed, history)


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What a record without states keeps of pieces of the log.

    Attributes
    ----------
    config : RunConfig
        The run.
    packed : Packed
        The same as the engine sees it.
    history : callable
        Returns the inputs up to now.
    """

    config: RunConfig
    packed: Packed
    history: Callable[[], InputHistory]

    def rows(self, rows: StepTable, first: bool, last: bool) -> StepTable:
        """Return the recorded rows of a piece; its state is what is kept of them, see `columns`.

        A piece has one row of the piece before, unless it is the first, and one of that behind, unless it is the last.
        """
        within = slice(0 if first else 1, len(rows) if last else -1)
        period = self.config.record.period
        kept = rows[within] if period is None else sample_within(rows, period, within)
        weight = weights_at(self.packed, kept, self.history())
        values = outputs_at(self.packed, kept, weight, self.history())
        y = values[:, places_of(outputs_to_record(self.config), self.config.model.columns)]
        x = np.concatenate([kept.x[:, self._states()], y, weight[:, None]], axis=1)
        return dataclasses.replace(kept, x=x, extension=np.zeros((len(kept), 0, 0)))

    def columns(self, rows: StepTable) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the states, the outputs and the sliding weights of rows that `rows` has returned."""
        n = len(self._states())
        return rows.x[:, :n], rows.x[:, n:-1], rows.x[:, -1]

    def events(self, events: EventTable) -> EventTable:
        """Return events with the recorded states alone."""
        states = self._states()
        return dataclasses.replace(events, x_before=events.x_before[:, states], x_after=events.x_after[:, states])

    def _states(self) -> IntArray:
        return places_of(states_to_record(self.config), self.config.model.states)
