"""From a mechanism and its contacts to an ordinary model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hybridsim.contacts.description import Contact, Equations, Patch, Plane, Rows
from hybridsim.contacts.generated import generated_functions
from hybridsim.contacts.layout import N_FRICTION, N_GENERAL, N_PLANE, N_SCALARS, SLIP_BITS, Layout, work_sizes
from hybridsim.contacts.modes import MOST_TRIALS
from hybridsim.contacts.scene import contact_scene
from hybridsim.contacts.terms import Bodies
from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.model.model import MAX_CHART_BITS, Model
from hybridsim.model.records import Boundary, Message, Output, Parameter, State
from hybridsim.model.table import Records
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.motion import kinematics
from hybridsim.multibody.rows import Point, direction_row
from hybridsim.multibody.vectors import Vector
from hybridsim.typing import FloatArray, Function

MOST_CONTACTS = 62 // SLIP_BITS
"""The sets of slips of all contacts are one number."""


@explains_keywords()
def contact_model(
    name: str,
    system: Mechanism | Equations,
    contacts: Sequence[Contact],
    *,
    initial: Mapping[str, float] | None = None,
    forces: Function | None = None,
    parameters: Records[Parameter] | Sequence[Parameter] = (),
    stabilise: float = 10.0,
    rest_speed: float = 1e-6,
    doc: str = "",
) -> Model:
    """Make a model of a planar mechanism with hard contacts.

    Parameters
    ----------
    name : str
        An identifier.
    system : Mechanism or Equations
        The mechanism, which moves in the x-z plane, or equations of motion with the rows of contacts.
    contacts : sequence of Patch or of Rows
        The contacts: `Patch` of a mechanism, `Rows` of equations.
    initial : mapping of str to float, optional
        Defaults of coordinates and speeds.
    forces : callable, optional
        `forces(force, t, x, p)` adds generalised forces to `force`, in the order of the speeds.
    parameters : Records of Parameter, optional
        Those of `forces` and `terms`, the first entries of p.
    stabilise : float
        Rate at which gaps and slips of what is down are pulled to zero [1/s].
    rest_speed : float
        What moves more slowly than this at the limit of infinitely many impacts comes to rest; and what leaves an
        impact more slowly than a millionth of it [m/s].
    doc : str
        What the model is, in one line.

    Returns
    -------
    Model
        States are coordinates, speeds, and `cause`, nonzero where no state of the contacts is consistent.

    Raises
    ------
    ModelError
        If a body is unknown, the mechanism leaves the plane, or there are too many contacts.
    """
    where = f"model {name!r}"
    own = Records(*parameters)
    _refuse(where, system, contacts)
    planes = list(dict.fromkeys(each.plane for each in contacts if isinstance(each, Patch)))
    table, size = _table(system, contacts, planes, len(own))
    functions: Any = generated_functions(name, table, size, _bodies(where, system, contacts), system, forces)
    points = [point for each in contacts for point in _point_names(each)]
    seen = None
    if isinstance(system, Mechanism):
        at_planes = len(own) + N_GENERAL + N_FRICTION * len(contacts)
        patches = [each for each in contacts if isinstance(each, Patch)]
        seen = contact_scene(system, patches, planes, at_planes, functions["outputs"])
    return Model(
        name,
        Records(*_states(system, initial or {}), State("cause", doc="why there is no mode", continuous=False)),
        **functions,
        parameters=own + Records(*_parameters(contacts, planes, stabilise, rest_speed)),
        chart_fields={key: width for each in contacts for key, width in _fields(each).items()},
        boundary_records=_boundaries(contacts, points),
        output_records=_outputs(system, contacts, points),
        messages=_messages(contacts),
        scene=seen and seen.scene,
        poses=seen and seen.poses,
        doc=doc,
    )


def _refuse(where: str, system: Mechanism | Equations, contacts: Sequence[Contact]) -> None:
    expected = Patch if isinstance(system, Mechanism) else Rows
    for each in contacts:
        if not isinstance(each, expected):
            raise ModelError(f"{where}: the contacts of {type(system).__name__} are {expected.__name__}, not {each!r}")
    names = [each.name for each in contacts]  # type: ignore[attr-defined]
    if not names or len(set(names)) < len(names):
        raise ModelError(f"{where}: give at least one contact, each with a name of its own, not {', '.join(names)}")
    bits = {each.name: sum(_fields(each).values()) for each in contacts}  # type: ignore[attr-defined]
    if sum(bits.values()) > MAX_CHART_BITS:
        what = ", ".join(f"{key} {value}" for key, value in bits.items())
        raise ModelError(f"{where}: {sum(bits.values())} bits are needed, {MAX_CHART_BITS} are there: {what}")
    if len(contacts) > MOST_CONTACTS:
        raise ModelError(f"{where}: there are {len(contacts)} contacts, at most {MOST_CONTACTS} are possible")
    trials = np.prod([4.0 * (2**each.n_points - 1) + 1 for each in contacts])  # type: ignore[attr-defined]
    if trials > MOST_TRIALS:
        raise ModelError(
            f"{where}: {trials:.0f} states of contacts would be tried at an event, at most {MOST_TRIALS}: leave out "
            "points, as Lemke's method is not there yet"
        )


def _point_names(contact: Any) -> list[str]:
    """Return the endings of names of a contact's points: none for a single one."""
    return [contact.name if contact.n_points == 1 else f"{contact.name}{i}" for i in range(contact.n_points)]


def _fields(contact: Any) -> dict[str, int]:
    return {f"{contact.name}_down": contact.n_points, f"{contact.name}_slip": 2}


def _table(system: Any, contacts: Sequence[Any], planes: Sequence[Plane], n_own: int) -> tuple[FloatArray, int]:
    """Return the layout as the work space begins with it, and the size of the work space."""
    n_q, n = _sizes(system)
    counts = [each.n_points for each in contacts]
    n_points, n_patches = sum(counts), len(counts)
    sizes = work_sizes(n, n_points, n_patches)
    starts = N_SCALARS + np.cumsum([0, *sizes.values()])
    scalars = Layout(n_q, n, n_points, 2 * n_points, n_patches, n_own, *map(int, starts[:-1]))
    at_planes = n_own + N_GENERAL + N_FRICTION * n_patches
    patch, first = np.repeat(np.arange(n_patches), counts), np.cumsum([0, *counts])
    plane = [at_planes + N_PLANE * _index(planes, each) for each in contacts]
    return np.array([*scalars, *patch, *first, *plane], float), int(starts[-1])


def _index(planes: Sequence[Plane], contact: Any) -> int:
    return planes.index(contact.plane) if isinstance(contact, Patch) else 0


def _sizes(system: Mechanism | Equations) -> tuple[int, int]:
    if isinstance(system, Mechanism):
        return system.tree.n_coordinates, system.tree.n_speeds
    return len(system.coordinates), len(system.coordinates)


def _bodies(where: str, system: Any, contacts: Sequence[Any]) -> Bodies | None:
    """Return frames and places of the points, and the mechanism's size: the largest distance within a body."""
    if not isinstance(system, Mechanism):
        return None
    frames, points = [], []
    for each in contacts:
        if each.body not in system.frames._fields:
            known = [body.name for body in system.bodies]
            raise ModelError(f"{where}: {each.name}: body {each.body!r} is unknown{nearest(each.body, known)}")
        for point in each.points:
            _refuse_out_of_plane(where, system, each, point)
            frames.append(getattr(system.frames, each.body))
            points.append(point)
    within = [*points, *(body.centre for body in system.bodies), *(body.joint.place for body in system.bodies)]
    length = float(max(np.linalg.norm(each) for each in within)) or 1.0
    return Bodies(system.tree, system.data, system.gravity, np.array(frames, np.int64), np.ravel(points), length)


def _refuse_out_of_plane(where: str, system: Mechanism, contact: Patch, point: Sequence[float]) -> None:
    rng = np.random.default_rng(0)
    q = rng.uniform(-1.0, 1.0, system.tree.n_coordinates)
    tree, n, motion = system.tree, system.tree.n_speeds, np.zeros(system.motion_size)
    kinematics(motion, tree, system.data, q, np.zeros(n))  # in Python: calls of compiled functions import the compiler
    rows, place = np.zeros(3 * (n + 1)), Point(getattr(system.frames, contact.body), Vector(*point))
    for k, direction in enumerate(np.eye(3)):
        direction_row(rows, motion, tree, k, place, Vector(*direction))
    along = np.abs(rows.reshape(3, n + 1)[:, :n])
    if along[1].max() > 1e-12 * max(1.0, along.max()):
        raise ModelError(
            f"{where}: {contact.name}: the body {contact.body!r} can leave the x-z plane; contacts in space are not "
            'there yet: give the base a joint Planar("base", normal="y")'
        )


def _states(system: Any, initial: Mapping[str, float]) -> Records[State]:
    if isinstance(system, Mechanism):
        return system.states(**initial)
    names = [*system.coordinates, *(f"{each}dot" for each in system.coordinates)]
    for key in initial:
        if key not in names:
            raise ModelError(f"there is no coordinate or speed {key!r}{nearest(key, names)}")
    return Records(*(State(key, initial.get(key, 0.0)) for key in names))


def _parameters(
    contacts: Sequence[Any], planes: Sequence[Plane], stabilise: float, rest_speed: float
) -> list[Parameter]:
    found = [
        Parameter("stabilise", stabilise, "1/s", "rate at which gaps of what is down are pulled to zero", lower=0.0),
        Parameter("rest_speed", rest_speed, "m/s", "what is slower at the end of impacts comes to rest", lower=0.0),
    ]
    for each in contacts:
        static, kinetic = each.coefficients
        found += [
            Parameter(f"{each.name}_static", static, "", "coefficient of friction up to which it holds", lower=0.0),
            Parameter(f"{each.name}_kinetic", kinetic, "", "coefficient of friction where it slips", lower=0.0),
            Parameter(f"{each.name}_restitution", each.restitution, "", "speed after / before", lower=0.0, upper=1.0),
        ]
    for plane in planes:
        found += [
            Parameter(f"{plane.name}_x", plane.x, "m", "a point of the plane"),
            Parameter(f"{plane.name}_z", plane.z, "m", "a point of the plane"),
            Parameter(f"{plane.name}_slope", plane.slope, "rad", "from the x axis, positive where it rises"),
        ]
    return found


def _boundaries(contacts: Sequence[Any], points: Sequence[str]) -> Records[Boundary]:
    found = [Boundary(f"{point}_gap", "it touches its plane", "m", rest="transition") for point in points]
    found += [Boundary(f"{point}_force", "it leaves its plane", "N", touch="ignore") for point in points]
    for each in contacts:
        found += [
            Boundary(f"{each.name}_hold_forward", "it begins to slip forward", "N", touch="ignore"),
            Boundary(f"{each.name}_hold_backward", "it begins to slip backward", "N", touch="ignore"),
            Boundary(f"{each.name}_stop", "its slip ends", "m/s", touch="ignore"),
            Boundary(f"{each.name}_jam", "its friction jams (Painleve)", "", touch="ignore"),
        ]
    return Records(*found)


def _outputs(system: Any, contacts: Sequence[Any], points: Sequence[str]) -> Records[Output]:
    found = [Output(each.name, each.unit) for each in _states(system, {})]
    for each in contacts:
        found += [
            Output(f"{each.name}_normal", "N", "force along the normal"),
            Output(f"{each.name}_tangential", "N", "force along the tangent"),
            Output(f"{each.name}_slip", "m/s", "speed along the tangent"),
        ]
    for point in points:
        found += [Output(f"{point}_gap", "m"), Output(f"{point}_force", "N", "force along the normal")]
    found.append(Output("kinetic", "J", "kinetic energy"))
    if isinstance(system, Mechanism):
        found += [Output("potential", "J", "of weights and springs"), Output("energy", "J")]
    return Records(*found)


def _messages(contacts: Sequence[Any]) -> tuple[Message, ...]:
    names = " and ".join(each.name for each in contacts)
    return (
        Message(f"the contacts {names} have no consistent state (Painleve): lower their friction"),
        *(Message(f"contact {each.name} is below its plane where the run begins: raise it") for each in contacts),
    )
