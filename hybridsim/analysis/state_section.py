"""A section where a state passes a value: a copy of the model with one more boundary, at which nothing happens."""

from __future__ import annotations

import dataclasses
from typing import Any

from hybridsim.analysis.section import Section
from hybridsim.model import DECLINED, Boundary, Model, Records

NAME = "the_section"
"""Name of the boundary."""

SOURCE = """
def boundaries(g, t, x, p, chart):
    if HAS_BOUNDARIES:
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
        "HAS_BOUNDARIES": n > 0,
        "N_BOUNDARIES": n,
        "SIGN": 1.0 if section.direction == "rising" else -1.0,
        "VALUE": float(section.value or 0.0),
        "STATE": names.index(section.state or ""),
        "DECLINED": DECLINED,
        "of_model": model.boundaries or _no_boundaries,
        "jump": model.transition or _no_jump,
    }
    exec(SOURCE, space)  # noqa: S102 - the functions of the model are globals, by which they are compiled and hashed
    record = Boundary(NAME, f"{section.state} passes {section.value:g}", degree=1, armed="when_positive")
    return dataclasses.replace(
        model,
        boundary_records=Records(*model.boundary_records, record),
        boundaries=space["boundaries"],
        transition=space["transition"],
    )


def _no_boundaries(g, t, x, p, chart):  # type: ignore[no-untyped-def]
    """Boundaries of a model that has none."""


def _no_jump(x_new, t, x, p, chart, crossed):  # type: ignore[no-untyped-def]
    """Transition of a model that has none."""
    return DECLINED
