"""Where a picture comes from: a run, finished or not, that knows its state at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hybridsim.model import Model
from hybridsim.model.scene import Scene
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """All there is to show of one instant of a run.

    Attributes
    ----------
    t : [s]; j : how many jumps there have been.
    chart : the chart's name; of a slide, both: `faster|slower`.
    x : (n_states,), the model's units. poses : (n_bodies, 4, 4), from the bodies' frames to the world [m].
    outputs : everything the model records, by name; the states of a model without outputs.
    last_event : the boundaries of the last event up to here, `touchdown` or `floor (touch)`; "" before the first one.
    """

    t: float
    j: int
    chart: str
    x: FloatArray
    poses: FloatArray
    outputs: Mapping[str, float]
    last_event: str


class EventLike(Protocol):
    """What the time slider shows of an event."""

    @property
    def t(self) -> float: ...
    @property
    def boundaries(self) -> tuple[str, ...]: ...
    @property
    def kind(self) -> str: ...


class Source(Protocol):
    """A run to look at.

    Attributes
    ----------
    name : what to call it beside others. p : the packed parameters, for the ground.
    begin, end : where it starts and how far it has come [s]. finished : it will come no further.
    message : why it ended, or what it is doing.
    events : those up to `end`, in order.
    """

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> Model: ...
    @property
    def scene(self) -> Scene: ...
    @property
    def p(self) -> FloatArray: ...
    @property
    def begin(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def finished(self) -> bool: ...
    @property
    def message(self) -> str: ...
    @property
    def events(self) -> Sequence[EventLike]: ...

    def moment(self, t: float, before: bool = False) -> Moment:
        """What there is to show at t [s]; outside the run, at the nearer end of it.

        Exact at any t of a run with every step recorded. At a jump, the state after all jumps of that instant, or
        with `before` the one before them.
        """
