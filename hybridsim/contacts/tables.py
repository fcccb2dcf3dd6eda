"""Names and units: parameters, states, fields of the chart, boundaries, outputs and messages of a model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from hybridsim.contacts.assembly import Assembly, Places, is_wheel, lever_of, loop_axes
from hybridsim.contacts.description import Circle, Disk, Plane, Rows, point_names
from hybridsim.contacts.generated import Constants
from hybridsim.contacts.joints import Rod, Stop
from hybridsim.contacts.soft import SOFT_BITS, STOP_BITS
from hybridsim.contacts.soft_tables import soft_boundaries, soft_outputs, soft_parameters, soft_states, stops_of
from hybridsim.contacts.terrain import Terrain
from hybridsim.errors import ModelError, nearest
from hybridsim.model.records import Boundary, Message, Output, Parameter, State
from hybridsim.model.table import Records
from hybridsim.multibody.mechanism import Mechanism


def states_of(made: Assembly, initial: Mapping[str, float]) -> Records[State]:
    """Return the states, with their defaults."""
    leans = [f"{each.name}_begins_{axis}" for each in made.contacts for axis in ("along", "lateral", "turning")]
    return Records(
        *_moving(made.system, initial),
        State("cause", doc="why there is no mode", continuous=False),
        State("misfit", doc="by how much the initial state is impossible", continuous=False),
        *(State(each, doc="the slip's first direction", continuous=False) for each in leans if made.tangents == 2),
        *(State(each, 0.0, "N s", "of the last impact", continuous=False) for each in impulses_of(made)),
        State(
            "restitution_scale",
            1.0,
            doc="of the last impact, in turn the smallest; 1 unless energy is gained",
            continuous=False,
        ),
        *soft_states(made),
    )


def impulses_of(made: Assembly) -> list[str]:
    """Return the names of the impulses of contacts that collide."""
    axes = ("normal", "tangential", "lateral")[: 1 + made.tangents]
    return [f"{each.name}_impulse_{axis}" for each in made.contacts for axis in axes]


def _moving(system: Any, initial: Mapping[str, float]) -> Records[State]:
    if isinstance(system, Mechanism):
        return system.states(**initial)
    names = [*system.coordinates, *(f"{each}dot" for each in system.coordinates)]
    for key in initial:
        if key not in names:
            raise ModelError(f"there is no coordinate or speed {key!r}{nearest(key, names)}")
    return Records(*(State(key, initial.get(key, 0.0)) for key in names))


def fields_of(made: Assembly) -> dict[str, int]:
    """Return the fields of the chart, with their bits."""
    fields: dict[str, int] = {}
    for each in made.contacts:
        fields |= {f"{each.name}_down": each.n_points, f"{each.name}_slip": 2}
    fields |= {f"{joint}_dry": 2 for joint in made.dry}
    fields |= {f"{joint}_stop": len(stop.limits) for joint, stop in made.stops.items()}
    fields |= dict.fromkeys(made.soft_part.points, SOFT_BITS)
    return fields | dict.fromkeys(stops_of(made.soft_stops), STOP_BITS)


def parameters_of(made: Assembly, n_own: int, general: Mapping[str, float]) -> tuple[list[Parameter], Places]:
    """Return the parameters, and where they are in p."""
    found = [
        Parameter("stabilise", general["stabilise"], "1/s", "rate at which gaps are pulled to zero", lower=0.0),
        Parameter("rest_speed", general["rest_speed"], "m/s", "slower at the end of impacts comes to rest", lower=0.0),
    ]
    slow = Parameter("begin_speed", general["begin_speed"], "m/s", "where a slip begins or ends", lower=1e-9)
    found += [slow] * (made.tangents - 1)

    def add(*parameters: Parameter) -> int:
        found.extend(parameters)
        return n_own + len(found) - len(parameters)

    patches = [
        add(*_friction(each.name, each.coefficients, ""), _restitution(each.name, each.restitution))
        for each in made.contacts
    ]
    patches += [
        add(*_friction(f"{joint}_dry", dry.coefficients, made.force_unit(joint))) for joint, dry in made.dry.items()
    ]
    planes = {key: add(*_plane(key[0], made.tangents)) for key in made.planes}
    radii = {each.name: add(*sizes) if (sizes := _sizes(made, each)) else -1 for each in made.all_contacts}

    def limits_of(joint: str, stop: Stop) -> list[int]:
        return [add(Parameter(f"{joint}_{side}", at, made.unit(joint), "a stop")) for side, at in stop.limits.items()]

    stops, soft_stops = [], []
    for joint, stop in made.stops.items():
        stops += limits_of(joint, stop)
        patches.append(add(_restitution(joint, stop.restitution)) - 2)  # its place is behind two others
    motors, loops = [add(*_motor(made, each)) for each in made.motors], [add(*_loop(made, each)) for each in made.loops]
    springs = [soft_parameters(each, add, _friction(each.name, each.coefficients, "")) for each in made.soft]
    for joint, stop in made.soft_stops.items():
        soft_stops += limits_of(joint, stop)
        springs.append(add(*_spring(f"{joint}_stop", stop, made.unit(joint), made.force_unit(joint), "a stop")))

    def of(contacts: Sequence[Any]) -> tuple[list[int], list[int]]:
        at = [0 if isinstance(each, Rows) else planes[each.plane, each.on] for each in contacts]
        return at, [radii[each.name] for each in contacts]

    soft = Places(n_own, springs, *of(made.soft), soft_stops, [], []) if springs else None
    return found, Places(n_own, patches, *of(made.contacts), stops, motors, loops, soft)


def _sizes(made: Assembly, contact: Any) -> list[Parameter]:
    """Return the radius of a disk, a wheel's with its tyre; or the lever of several points."""
    name = contact.name
    if made.is_turning(contact):
        return [Parameter(f"{name}_lever", lever_of(contact), "m", "of friction about the normal", lower=1e-9)]
    found = [Parameter(f"{name}_radius", contact.radius, "m", lower=0.0)] if isinstance(contact, Disk) else []
    if is_wheel(made, contact):
        found.append(Parameter(f"{name}_tyre", contact.tyre, "m", "radius of its cross section", lower=0.0))
    return found


def _plane(plane: Plane, tangents: int) -> list[Parameter]:
    further = plane.parameters() if isinstance(plane, Terrain) else []
    what = "its centre" if isinstance(plane, Circle) else "a point of the plane"
    own = [Parameter(f"{plane.name}_{key}", getattr(plane, key), "m", what) for key in ("x", "z")]
    if isinstance(plane, Circle):
        return [*own, Parameter(f"{plane.name}_radius", plane.radius, "m", lower=0.0)]
    own += [
        Parameter(f"{plane.name}_slope", plane.slope, "rad", "from the x axis, positive where it rises"),
        Parameter(f"{plane.name}_heading", plane.heading, "rad", "where it rises"),
    ]
    return own[: 2 + tangents] + further


def _friction(name: str, coefficients: tuple[float, float], unit: str) -> list[Parameter]:
    what = "friction" if unit else "coefficient of friction"
    return [
        Parameter(f"{name}_static", coefficients[0], unit, f"{what} up to which it holds", lower=0.0),
        Parameter(f"{name}_kinetic", coefficients[1], unit, f"{what} where it slips", lower=0.0),
    ]


def _restitution(name: str, value: float) -> Parameter:
    return Parameter(f"{name}_restitution", value, "", "speed after / before", lower=0.0, upper=1.0)


def _motor(made: Assembly, joint: str) -> list[Parameter]:
    motor, unit, force = made.motors[joint], made.unit(joint), made.force_unit(joint)
    return [
        *_spring(joint, motor, unit, force, "the motor", -math.inf),
        Parameter(f"{joint}_target", motor.target, unit, "where the motor drives the joint"),
    ]


def _spring(name: str, of: Any, unit: str, force: str, what: str, lower: float = 0.0) -> list[Parameter]:
    return [
        Parameter(f"{name}_stiffness", of.stiffness, f"{force}/{unit}" if unit else "", f"of {what}", lower=lower),
        Parameter(f"{name}_damping", of.damping, f"{force} s/{unit}" if unit else "", f"of {what}", lower=lower),
    ]


def _loop(made: Assembly, loop: Any) -> list[Parameter]:
    if isinstance(loop, Rod):
        return [Parameter(f"{loop.name}_length", loop.length, "m", "length of the rod", lower=0.0)]
    return [
        Parameter(f"{loop.name}_{'xyz'[i]}", loop.to[i], "m", f"place of the pin in {loop.on}")
        for i in loop_axes(made, loop)
    ]


def boundaries_of(made: Assembly) -> Records[Boundary]:
    """Return the boundaries: gaps, forces, then friction."""
    n_touching = sum(each.n_points for each in made.contacts)
    units = [("m", "N")] * n_touching
    units += [(made.unit(joint), made.force_unit(joint)) for joint, stop in made.stops.items() for _ in stop.limits]
    words = ["its plane"] * n_touching + ["its stop"] * (len(made.points) - n_touching)
    points = list(zip(made.points, units, words, strict=True))
    found = [
        Boundary(f"{point}_gap", f"it touches {what}", unit, rest="transition") for point, (unit, _), what in points
    ]
    found += [
        Boundary(f"{point}_force", f"it leaves {what}", unit, touch="ignore") for point, (_, unit), what in points
    ]
    for each in made.contacts:
        found += _slips(each.name, "N", "m/s") if made.tangents == 1 else _slides(each.name)
        found.append(Boundary(f"{each.name}_jam", "its friction jams (Painleve)", "", touch="ignore"))
    for joint in made.dry:
        unit = made.unit(joint)
        found += _slips(f"{joint}_dry", made.force_unit(joint), f"{unit}/s" if unit else "")
    found += [
        Boundary(f"{each.name}_return", f"it is past {each.passes}, and counts again", "m", touch="ignore")
        for each in made.contacts
        if each.passes
    ]
    return Records(*found, *soft_boundaries(made))


def _slips(name: str, force: str, speed: str) -> list[Boundary]:
    return [
        Boundary(f"{name}_hold_forward", "it begins to slip forward", force, touch="ignore"),
        Boundary(f"{name}_hold_backward", "it begins to slip backward", force, touch="ignore"),
        Boundary(f"{name}_stop", "its slip ends", speed, touch="ignore", rest="transition"),
    ]


def _slides(name: str) -> list[Boundary]:
    return [
        Boundary(f"{name}_hold", "it begins to slip", "N^2", touch="ignore"),
        Boundary(f"{name}_pace", "its slip becomes fast or slow", "m/s", touch="ignore"),
        Boundary(f"{name}_stop", "its slip ends", "m/s", touch="ignore", rest="transition"),
    ]


def outputs_of(made: Assembly, constants: Constants) -> Records[Output]:
    """Return the outputs: states, contacts, points, friction of joints, loops, motors and energies."""
    found = [Output(each.name, each.unit) for each in _moving(made.system, {})]
    for each in made.contacts:
        found += [
            Output(f"{each.name}_normal", "N", "force along the normal"),
            Output(f"{each.name}_tangential", "N", "force along the tangent"),
            Output(f"{each.name}_slip", "m/s", "speed along the tangent"),
        ]
    stops = stops_of(made.stops)
    for point in made.points:
        gap, force = ("m", "N") if point not in stops else (made.unit(stops[point]), made.force_unit(stops[point]))
        found += [Output(f"{point}_gap", gap), Output(f"{point}_force", force, "force along the normal")]
    found += [Output(f"{joint}_dry", made.force_unit(joint), "dry friction") for joint in made.dry]
    for loop in made.loops:
        axes = loop_axes(made, loop)
        found += [Output(f"{loop.name}_force_{'xyz'[i]}", "N", f"force of the pin on {loop.body}") for i in axes]
        found += [] if axes else [Output(f"{loop.name}_force", "N", "force of the rod, positive where it pushes")]
    for each in made.contacts if made.tangents == 2 else ():
        found += [
            Output(f"{each.name}_lateral", "N", "force along the second tangent"),
            Output(f"{each.name}_torque", "N m", "of friction about the normal"),
            Output(f"{each.name}_lateral_slip", "m/s", "speed along the second tangent"),
        ]
    found += soft_outputs(made)
    found += [Output(f"{joint}_motor", made.force_unit(joint), "of the motor") for joint in made.motors]
    found += [Output("loop_error", "m", "largest gap of a loop")] if constants.loops else []
    found.append(Output("kinetic", "J", "kinetic energy"))
    if made.is_mechanism:
        found += [Output("potential", "J", "of weights and springs"), Output("energy", "J")]
    return Records(*found)


def messages_of(made: Assembly) -> tuple[Message, ...]:
    """Return why a run may end: no mode, and an initial state that is impossible."""
    names = " and ".join([*(each.name for each in made.contacts), *made.dry, *made.stops])
    texts = [f"the contacts {names} have no consistent state (Painleve): lower their friction"]
    begins = "where the run begins"
    n_touching = sum(each.n_points for each in made.contacts)
    texts += [
        f"contact {each} is below its plane {begins}: raise it by {{misfit}} m" for each in made.points[:n_touching]
    ]
    for joint, stop in made.stops.items():
        unit = made.unit(joint)
        texts += [f"joint {joint} is beyond its {side} stop {begins}, by {{misfit}} {unit}" for side in stop.limits]
    texts += [f"loop {each.name}: it is {{misfit}} m open {begins}, and no posture closes it" for each in made.loops]
    texts += misplaced(made)
    rubbing = [each.name for each in made.contacts] + [f"{joint}_dry" for joint in made.dry]
    rubbing += [each.name for each in made.soft if each.tangential is not None]
    pairs = [(f"{each}_static", f"{each}_kinetic") for each in rubbing]
    pairs += [(f"{each.name}_radius", f"{each.name}_tyre") for each in made.all_contacts if is_wheel(made, each)]
    texts += [f"parameters: {a} = {{{a}}} must not be less than {b} = {{{b}}}" for a, b in pairs]
    return tuple(Message(text) for text in texts)


def misplaced(made: Assembly) -> list[str]:
    """Return what is said of each point, of hard and then of soft contacts, that terrain or a wheel has no place for.

    Those of terrain come first, if there is any; then those of wheels in space.
    """
    points, texts = [name for each in made.all_contacts for name in point_names(each)], []
    if made.has_terrain:
        texts += [f"the ground is curved more tightly than the radius of contact {each}" for each in points]
    if any(is_wheel(made, each) for each in made.all_contacts):
        flat = "lies flat on its side, where a wheel has no lowest point; give its rim some points, as a Patch"
        texts += [f"contact {each} {flat}" for each in points]
    return texts


def frictions_of(made: Assembly, places: Places) -> list[int]:
    """Return the index in p of each static friction, or radius of a wheel; kinetic friction, or its tyre, follows."""
    soft = zip(made.soft, places.soft.patches if places.soft else (), strict=False)  # stops come behind
    hard = places.patches[: len(made.contacts) + len(made.dry)]
    radii = places.radii + (places.soft.radii if places.soft else [])
    wheels = [at for each, at in zip(made.all_contacts, radii, strict=True) if is_wheel(made, each)]
    return hard + [at + 2 for each, at in soft if each.tangential is not None] + wheels
