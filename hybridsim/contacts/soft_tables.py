"""What soft contacts add to a model: constants, states, parameters, boundaries and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hybridsim.contacts.assembly import Assembly, Places, bodies_of, joints_of, layout_of
from hybridsim.contacts.description import point_names
from hybridsim.contacts.generated import Constants
from hybridsim.contacts.joints import Stop
from hybridsim.contacts.layout import Layout
from hybridsim.contacts.rows import Soft
from hybridsim.model.records import Boundary, Output, Parameter, State

AXES = ("spring", "lateral_spring")
"""Names of tangential springs, along both tangents."""

BOUNDARIES = {
    "gap": ("it touches its plane", "m"),
    "clear": ("it has left, and is above its plane", "m"),
    "force": ("it leaves its plane", "N"),
    "hold": ("it begins to slip", "N^2"),
    "stop": ("its slip ends", "N"),
}
OUTPUTS = {
    "gap": ("m", "to its plane"),
    "normal": ("N", "force along the normal"),
    "tangential": ("N", "force along the tangent"),
    "slip": ("m/s", "how fast it slips along the tangent"),
    "lateral": ("N", "force along the second tangent"),
    "lateral_slip": ("m/s", "how fast it slips along the second tangent"),
}
"""Of each point, in the order in which they are written; the last two in space."""


def soft_bit(made: Assembly) -> int:
    """Return the first bit of soft points in the chart."""
    return len(made.points) + 2 * (len(made.contacts) + len(made.dry))


def soft_constants(where: str, made: Assembly, places: Places) -> Soft | None:
    """Return soft points and soft stops, with the places of their springs in the state and of their bits."""
    if places.soft is None:
        return None
    leans = 3 if made.tangents == 2 else 0
    first = len(made.coordinates) + len(made.speeds) + 3 + (1 + made.tangents + leans) * len(made.contacts)
    springs = []
    for each in made.soft:
        for _ in each.points:
            springs.append(-1 if each.tangential is None else first)
            first += 0 if each.tangential is None else made.tangents
    springs += [-1] * sum(len(stop.limits) for stop in made.soft_stops.values())
    bodies = bodies_of(where, made.system, made.soft_part, places.soft)  # type: ignore[arg-type]
    joints = joints_of(made.soft_part, places.soft, bodies.length)
    table, size = layout_of(made.soft_part, Constants(bodies, None, None, None), places.soft)
    table[Layout._fields.index("n_contacts")] = 0.0  # none that hold or slip as a whole: each point is by itself
    return Soft(bodies, joints, np.array(springs, np.int64), soft_bit(made), size, table)


def soft_parameters(contact: Any, add: Callable[..., int], friction: list[Parameter]) -> int:
    """Add the parameters of a soft contact; return the index of the first."""
    name, along, what = contact.name, contact.tangential, "of each of its points"
    normal = [
        Parameter(f"{name}_stiffness", contact.stiffness, "N/m", what, lower=0.0),
        Parameter(f"{name}_damping", contact.damping, "N s/m", what, lower=0.0),
    ]
    if along is None:
        return add(*normal)
    return add(
        *normal,
        *friction,
        Parameter(f"{name}_tangential_stiffness", along["stiffness"], "N/m", "along the plane", lower=0.0),
        Parameter(f"{name}_tangential_damping", along["damping"], "N s/m", "along the plane", lower=1e-9),
    )


def soft_states(made: Assembly) -> list[State]:
    """Return the tangential springs."""
    doc = "how far its spring along the plane is stretched"
    return [
        State(f"{point}_{axis}", unit="m", doc=doc)
        for each in made.soft
        for point in point_names(each)
        for axis in (AXES[: made.tangents] if each.tangential is not None else ())
    ]


def soft_boundaries(made: Assembly) -> list[Boundary]:
    """Return the boundaries of all soft points, and of soft stops."""
    found, n = [], sum(each.n_points for each in made.soft)
    for point in made.soft_part.points[:n]:
        found += [Boundary(f"{point}_{key}", *texts, touch="ignore") for key, texts in BOUNDARIES.items()]
    for stop, joint in stops_of(made.soft_stops).items():
        units = made.unit(joint), made.unit(joint), made.force_unit(joint)
        for (key, (text, _)), unit in zip(BOUNDARIES.items(), units, strict=False):
            found.append(Boundary(f"{stop}_{key}", text.replace("plane", "stop"), unit, touch="ignore"))
    return found


def soft_outputs(made: Assembly) -> list[Output]:
    """Return the outputs of all soft points, and of soft stops."""
    n, kinds = sum(each.n_points for each in made.soft), list(OUTPUTS.items())[: 2 + 2 * made.tangents]
    found = [Output(f"{point}_{key}", *texts) for point in made.soft_part.points[:n] for key, texts in kinds]
    for stop, joint in stops_of(made.soft_stops).items():
        found += [Output(f"{stop}_gap", made.unit(joint)), Output(f"{stop}_force", made.force_unit(joint))]
    return found


def stops_of(stops: Mapping[str, Stop]) -> dict[str, str]:
    """Return the joints of stops, by the names of the stops."""
    return {f"{joint}_{side}": joint for joint, stop in stops.items() for side in stop.limits}
