"""Where orbits are looked at: sections of the state space, and symmetries that take one stride to the next."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.engine.columns import EventTable
from hybridsim.errors import ConfigError, explains_keywords, refuse_other_word
from hybridsim.model import DECLINED, Boundary, Model, Records, nearest
from hybridsim.typing import Direction, FloatArray, IntArray, Side


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Section:
    """Where a stride begins and ends: at an event of a boundary, where a state passes a value, or after a fixed time.

    Parameters
    ----------
    boundary : str, optional
        Name of the boundary.
    chart : str, optional
        Count only events that begin in this chart.
    when : {"after", "before"}
        Whether the state of an orbit is that after or before the boundary's transition.
    time : float, optional
        Instead of a boundary: length of a stride [s], for models that are driven with this period.
    state : str, optional
        Instead of a boundary: a state that passes a value.
    value : float, optional
        The value of that state [its unit].
    direction : {"rising", "falling"}
        How the state passes the value, by default upwards.

    Raises
    ------
    ConfigError
        If there is not one of boundary, time and state, or a word or number is wrong.
    """

    boundary: str | None = None
    chart: str | None = None
    when: Side = "after"
    time: float | None = None
    state: str | None = None
    value: float | None = None
    direction: Direction = "rising"

    def __post_init__(self) -> None:
        if sum(given is not None for given in (self.boundary, self.time, self.state)) != 1:
            raise ConfigError(
                'section: give one of a boundary, a time and a state: "heelstrike", Section(time=1.5) or '
                'Section(state="theta", value=0.0)'
            )
        if (self.state is None) != (self.value is None):
            raise ConfigError('section: give a state with its value: Section(state="theta", value=0.0)')
        refuse_other_word("section: direction", self.direction, Direction)
        refuse_other_word("section: when", self.when, Side)
        if self.time is not None and not self.time > 0.0:
            raise ConfigError(f"section: time: expected a positive number of seconds, found {self.time!r}")

    def check(self, model: Model) -> None:
        """Refuse a model that has no such boundary or chart.

        Parameters
        ----------
        model : Model
            The model.

        Raises
        ------
        ConfigError
            If it has none.
        """
        for what, name, names in (
            ("boundary", self.boundary, model.boundary_records.names),
            ("chart", self.chart, model.charts.names),
            ("state", self.state, model.states.names),
        ):
            if name is not None:
                _refuse_unknown(f"section: {model.name} has no {what}", name, names)

    def __str__(self) -> str:
        if self.state is not None:
            return f"{self.state} {self.direction} through {self.value:g}" + (f" in {self.chart}" if self.chart else "")
        if self.boundary is None:
            return f"after {self.time:g} s"
        return f"{self.when} {self.boundary}" + (f" in {self.chart}" if self.chart else "")


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Symmetry:
    """A map of states under which the equations do not change: an orbit returns to the image of where it began.

    A walker in three dimensions that steps left and right in turn is periodic in one step if left and right are
    mirrored after it.

    Parameters
    ----------
    negate : sequence of str
        States that change their sign.
    swap : sequence of (str, str)
        Pairs of states that exchange their values, before signs change.
    charts : mapping of str to str
        Charts whose names change: the image of a chart.
    boundaries : mapping of str to str
        Boundaries whose names change: a stride that begins at the section's boundary ends at its image.

    Raises
    ------
    ConfigError
        If a state is swapped twice.
    """

    negate: Sequence[str] = ()
    swap: Sequence[tuple[str, str]] = ()
    charts: Mapping[str, str] = field(default_factory=dict)
    boundaries: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(len(tuple(pair)) != 2 for pair in self.swap):
            raise ConfigError('symmetry: swap: expected pairs of states, [("left", "right")]')
        names = [name for pair in self.swap for name in pair]
        if len(set(names)) < len(names):
            raise ConfigError("symmetry: swap: each state can be in one pair only")

    def matrix(self, model: Model) -> FloatArray:
        """Make the matrix that maps a state to its image.

        Parameters
        ----------
        model : Model
            The model.

        Returns
        -------
        (n_states, n_states) array
            The matrix.

        Raises
        ------
        ConfigError
            If the model has no such state.
        """
        names = model.states.names
        for name in (*self.negate, *(name for pair in self.swap for name in pair)):
            _refuse_unknown(f"symmetry: {model.name} has no state", name, names)
        image = np.arange(len(names))
        for first, second in self.swap:
            i, j = names.index(first), names.index(second)
            image[[i, j]] = j, i
        return np.array([[-1.0 if name in self.negate else 1.0] for name in names]) * np.eye(len(names))[image]

    def chart_images(self, model: Model) -> IntArray:
        """Find the image of each chart.

        Parameters
        ----------
        model : Model
            The model.

        Returns
        -------
        (n_charts,) int array
            The numbers of the images.

        Raises
        ------
        ConfigError
            If the model has no such chart.
        """
        names = model.charts.names
        images = np.arange(model.n_charts)
        for name, image in self.charts.items():
            for one in (name, image):
                _refuse_unknown(f"symmetry: {model.name} has no chart", one, names)
            images[names.index(name)] = names.index(image)
        return images

    def end_of(self, section: Section, model: Model) -> Section:
        """Return the section where a stride ends that begins on another one: its image.

        Parameters
        ----------
        section : Section
            Where the stride begins.
        model : Model
            The model.

        Returns
        -------
        Section
            Where it ends.

        Raises
        ------
        ConfigError
            If the model has no such boundary.
        """
        names = model.boundary_records.names
        for name in (*self.boundaries, *self.boundaries.values()):
            _refuse_unknown(f"symmetry: {model.name} has no boundary", name, names)
        boundary, chart = self.boundaries.get(section.boundary or "", section.boundary), section.chart
        images = {image: name for name, image in self.charts.items()}  # `charts` maps the end of a stride back
        return dataclasses.replace(section, boundary=boundary, chart=images.get(chart or "", chart))


def _refuse_unknown(problem: str, name: str, names: Sequence[str]) -> None:
    """Raise a ConfigError if a name is none of these, with the nearest of them, or all."""
    if name not in names:
        known = ", ".join(names) or "none"
        raise ConfigError(f"{problem} {name!r}{nearest(name, names) or f'; it has {known}'}")


SECTION_BOUNDARY = "the_section"
"""Name of the boundary."""

SECTION_SOURCE = """
def no_boundaries(g, t, x, p, chart):
    pass


def no_jump(x_new, t, x, p, chart, crossed):
    return DECLINED


def boundaries(g, t, x, p, chart):
    of_model(g, t, x, p, chart)
    g[N_BOUNDARIES] = SIGN * (VALUE - x[STATE])


def transition(x_new, t, x, p, chart, crossed):
    for i in range(N_BOUNDARIES):
        if crossed[i]:
            return jump(x_new, t, x, p, chart, crossed)
    return DECLINED
"""


def with_state_section(model: Model, section: Section) -> Model:
    """Return the model with a boundary that crosses where the section's state passes its value.

    Parameters
    ----------
    model : Model
        The model.
    section : Section
        A section at a value of a state.

    Returns
    -------
    Model
        The copy. Its own boundary is the last one; the crossing is declined, so that the motion is the same.
    """
    names, n = model.states.names, len(model.boundary_records)
    space: dict[str, Any] = {
        "N_BOUNDARIES": n,
        "SIGN": 1.0 if section.direction == "rising" else -1.0,
        "VALUE": float(section.value or 0.0),
        "STATE": names.index(section.state or ""),
        "DECLINED": DECLINED,
    }
    exec(SECTION_SOURCE, space)
    # As globals of the new functions, those of the model are compiled and hashed with them.
    space |= {"of_model": model.boundaries or space["no_boundaries"], "jump": model.transition or space["no_jump"]}
    record = Boundary(SECTION_BOUNDARY, f"{section.state} passes {section.value:g}", degree=1, armed="when_positive")
    return dataclasses.replace(
        model,
        boundary_records=Records(*model.boundary_records.blocks, record),
        boundaries=space["boundaries"],
        transition=space["transition"],
    )


def events_of_model(events: EventTable) -> EventTable:
    """Return the events of the model's own boundaries, without those of a section at a value of a state."""
    own = events[(events.crossed[:, -1] == 0) | (events.crossed[:, :-1].any(axis=1))]
    return dataclasses.replace(own, crossed=own.crossed[:, :-1])
