"""What the viewer needs of a run: its state, poses and outputs at any time, while it is computed or afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hybridsim.errors import explains_keywords
from hybridsim.model import Model
from hybridsim.model.scene import Scene
from hybridsim.results.events import Event
from hybridsim.typing import FloatArray


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class RunFrame:
    """Everything that a picture shows of a run at one time.

    Parameters
    ----------
    t : float
        Time [s].
    j : int
        Number of jumps so far.
    chart : str
        Name of the chart; while the state slides, the names of both charts: `faster|slower`.
    x : (n_states,) array
        State, in the model's units.
    poses : (n_bodies, 4, 4) array
        Transforms from the bodies' own coordinates to the world's [m].
    outputs : mapping of str to float
        Values of all outputs of the model, recorded or not; of the states if the model has no outputs.
    last_event : str
        Boundaries of the latest event, such as `touchdown` or `floor (touch)`; "" before the first event.
    """

    t: float
    j: int
    chart: str
    x: FloatArray
    poses: FloatArray
    outputs: Mapping[str, float]
    last_event: str


class Source(Protocol):
    """A run that the viewer can show: a finished one (`Replay`), or one that is being computed (`Live`).

    Attributes
    ----------
    name : str
        Name of the run in pictures.
    model : Model
        The model.
    scene : Scene
        The model's scene.
    p : array
        Packed parameters, on which the height of the ground may depend.
    begin, end : float
        Time at which the run begins, and up to which it is known [s].
    finished : bool
        Whether `end` is final.
    message : str
        Why the run ended; "" while it is being computed.
    events : sequence of Event
        The events up to `end`, in order.
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
    def events(self) -> Sequence[Event]: ...

    def frame(self, t: float, before: bool = False) -> RunFrame:
        """Return what there is to show at time `t`.

        Exact at any time if every step of the run was recorded.

        Parameters
        ----------
        t : float
            Time [s]; times before `begin` or after `end` are replaced by these.
        before : bool
            At the time of a jump, show the state before the first jump at that time instead of that after the last.

        Returns
        -------
        Frame
            State, poses and outputs at that time.
        """

    def shown(self, moments: Sequence[tuple[float, bool]]) -> tuple[FloatArray, FloatArray]:
        """Return what `frame` returns at n times, faster than one by one.

        Parameters
        ----------
        moments : sequence of (float, bool)
            Times [s], and whether the state before the jumps at that time is meant, instead of that after them.

        Returns
        -------
        poses : (n, n_bodies, 4, 4) array
            Transforms of the bodies [m].
        outputs : (n, n_outputs) array
            All outputs of the model [their units].
        """
