"""The functions of a model with contacts: a small module of constants, which calls what serves every mechanism."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from hybridsim.contacts import constants as packing
from hybridsim.contacts import kernels
from hybridsim.contacts.constants import MANY, Packed, pack
from hybridsim.contacts.impacts import IMPACT, JAMMED
from hybridsim.contacts.layout import Layout, read_layout
from hybridsim.contacts.rows import Bodies, Joints, Loops
from hybridsim.contacts.terms import equation_terms, speeds_in
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.separate import returns_of, separate
from hybridsim.engine.compiler.signatures import void
from hybridsim.engine.compiler.slices import subarray
from hybridsim.engine.status import DECLINED
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.multibody.constants import set_constants
from hybridsim.typing import FloatArray, Function

CALLED: dict[str, Any] = {
    **{name: value for each in (kernels, packing) for name, value in vars(each).items() if returns_of(value)},
    "scratch": scratch,
    "subarray": subarray,
    "separate": separate,
    "void": void,
    "set_constants": set_constants,
    "read_layout": read_layout,
    "speeds_in": speeds_in,
    "equation_terms": equation_terms,
}
"""What generated modules call by name."""

MECHANISM = """
@separate(void)
def find_terms(work, motion, t, x, p):
    set_constants(work, TABLE, {table})
    find_bodies(work, motion, {bodies}, x, p){more}


@separate(void)
def coordinate_slopes(qdot, q, u):
    put_coordinate_rates(qdot, {tree}, q, u)


@separate(void)
def other_outputs(y, work, motion, x, p):{more_outputs}
    put_energies(subarray(y, {n_others}, 3), motion, {bodies}, x)
"""

EQUATIONS = """
@separate(void)
def find_terms(work, motion, t, x, p):
    set_constants(work, TABLE, {table})
    equation_terms(work, {length})
    rows, gaps = subarray(work, {rows}, {rows_size}), subarray(work, {gaps}, {points})
    terms(subarray(work, {mass}, {n} * {n}), subarray(work, {force}, {n}), rows, gaps, t, x, p){more}


@separate(void)
def coordinate_slopes(qdot, q, u):
    for i in range({n}):
        qdot[i] = u[i]


@separate(void)
def other_outputs(y, work, motion, x, p):{more_outputs}
    y[{n_others}] = 0.0
    for i in range({n}):
        y[{n_others}] += 0.5 * work[{momentum} + i] * work[{momentum} + i]
"""

FUNCTIONS = """
def vector_field(xdot, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    u = speeds_in(x, read_layout(work))
    solve_chart(work, u, p, chart)
    coordinate_slopes(xdot, x, u)
    put_rates(speeds_in(xdot, read_layout(work)), work)


def boundaries(g, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    solve_chart(work, speeds_in(x, read_layout(work)), p, chart)
    put_boundaries(g, work, p, chart)


def outputs(y, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    solve_chart(work, speeds_in(x, read_layout(work)), p, chart)
    n = read_layout(work).n_coordinates + read_layout(work).n_speeds
    for i in range(n):
        y[i] = x[i]
    n += put_outputs(subarray(y, n, {many}), work, chart)
    other_outputs(subarray(y, n, {many}), work, motion, x, p)


def move(x_new, work):
    rates, layout = scratch({size}), read_layout(work)
    coordinate_slopes(rates, x_new, subarray(work, layout.change, layout.n_speeds))
    for i in range(layout.n_coordinates):
        x_new[i] += rates[i]


def transition(x_new, t, x, p, chart, crossed):
    work, motion = scratch({size}), scratch({motion})
    for _ in range({beginnings}):
        find_terms(work, motion, t, x_new, p)
        members = begin_event(work, speeds_in(x, read_layout(work)), chart, crossed)
        move(x_new, work)
        find_terms(work, motion, t, x_new, p)
        mode = decide(x_new, work, p, chart, members, crossed)
        if mode != {again}:
            break
    return mode if mode >= {declined} else settle(x_new, work, motion, t, p, members, mode, chart)


def initial_chart(x_new, t, x, p):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    layout, loop, misfit = read_layout(work), open_loop(work, 0.0), loop_error(work)
    cause = layout.n_coordinates + layout.n_speeds
    for _ in range({closings} if loop > 0 else 0):
        if close_loops(work, speeds_in(x_new, read_layout(work))) == 1:
            break
        move(x_new, work)
        find_terms(work, motion, t, x_new, p)
    if loop > 0 and open_loop(work, 1.0) > 0:
        for i in range(layout.n_coordinates):
            x_new[i] = x[i]
        x_new[cause], x_new[cause + 1] = 1.0 + layout.n_points + loop, misfit
        return 0
    find_terms(work, motion, t, x_new, p)
    members = begin_run(work, speeds_in(x_new, read_layout(work)))
    if members < 0:
        x_new[cause], x_new[cause + 1] = 1.0 - members, -work[layout.gaps - members - 1]
        return 0
    move(x_new, work)
    find_terms(work, motion, t, x_new, p)
    mode = decide_first(x_new, work, p, members)
    return mode if mode >= 0 else settle(x_new, work, motion, t, p, members, mode, 0)


def settle(x_new, work, motion, t, p, members, kind, chart):
    mode = kind
    if mode <= {impact} and collide(x_new, work, p, members, mode):
        find_terms(work, motion, t, x_new, p)
        mode = go_on(x_new, work, p, members)
    if mode == {jammed} and collide(x_new, work, p, members, mode):
        find_terms(work, motion, t, x_new, p)
        mode = go_on(x_new, work, p, members)
    if mode >= 0:
        return mode
    x_new[read_layout(work).n_coordinates + read_layout(work).n_speeds] = 1.0
    return chart


def validate(t, x, p, chart):
    return int(x[{cause}])
"""

CLOSINGS = 60
"""Most steps of Newton's method that close loops at the initial state."""

BEGINNINGS = 3
"""How often an event begins at most: again where points come to their planes as others are raised."""


class Constants(NamedTuple):
    """What the functions of a model know of its mechanism; None where there is nothing of the kind."""

    bodies: Bodies | None
    joints: Joints | None
    loops: Loops | None


def generated_functions(
    name: str, table: FloatArray, size: int, constants: Constants, system: Any, forces: Function | None
) -> dict[str, Function]:
    """Return the functions of a model by their names in the contract.

    Parameters
    ----------
    name : str
        Name of the model.
    table : array
        The layout, as the work space begins with it.
    size : int
        Size of the work space.
    constants : Constants
        The mechanism, none for equations; joints and loops.
    system : Mechanism or Equations
        Where both come from.
    forces : callable or None
        Adds generalised forces.
    """
    layout = read_layout(table)
    sizes = _sizes(layout, table, size, constants, system)
    sizes |= {key: text.format(**sizes) for key, text in _calls(constants, forces).items()}
    used: dict[str, Any] = {key.upper(): pack(value) for key, value in constants._asdict().items() if value is not None}
    numbers = [table.tolist(), *(each.tolist() for packed in used.values() for each in packed)]
    digest = hashlib.sha256(repr(numbers).encode()).hexdigest()[:16]
    heading = f'"""{name} with contacts, {digest}: written by hybridsim.contacts.contact_model."""\n\n'
    text = heading + (MECHANISM if constants.bodies else EQUATIONS).format(**sizes) + FUNCTIONS.format(**sizes)
    used |= CALLED | {"TABLE": table} | ({} if constants.bodies else {"terms": system.terms})
    used |= {"forces": forces} if forces else {}
    module = load_generated(name, text, used)
    without = () if layout.n_points or layout.n_slipping else ("boundaries", "transition")
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module) and key not in without}


def _sizes(layout: Layout, table: FloatArray, size: int, constants: Constants, system: Any) -> dict[str, Any]:
    """Return what the text of the functions names."""
    n, joints = layout.n_speeds, constants.joints
    n_stops = joints.n_stops if joints else 0
    rows_of_contacts = layout.n_rows - layout.n_loop_rows - layout.n_slipping + layout.n_contacts - n_stops
    packed = {
        key: [f"subarray({key.upper()}.{each}, 0, {MANY})" for each in Packed._fields] for key in Constants._fields
    }
    return {
        **layout._asdict(),
        "n": n,
        "points": layout.n_points - n_stops,
        "rows_size": rows_of_contacts * (n + 1),
        "table": len(table),
        "size": _power_of_two(size),
        "motion": _power_of_two(system.motion_size if constants.bodies else 1),
        **{key: ", ".join(arrays) for key, arrays in packed.items()},
        "tree": packed["bodies"][0],
        "n_motors": joints.n_motors if joints else 0,
        "n_others": (layout.n_loops > 0) + (joints.n_motors if joints else 0),
        "cause": layout.n_coordinates + n,
        "closings": CLOSINGS,
        "beginnings": BEGINNINGS,
        "again": kernels.AGAIN,
        "many": MANY,
        "length": float(getattr(system, "length", 0.0)),
        "declined": DECLINED,
        "impact": IMPACT,
        "jammed": JAMMED,
    }


def _power_of_two(size: int) -> int:
    """Return a size that many models have in common, so that they have the same machine code."""
    return max(1 << (size - 1).bit_length(), 1024)


def _calls(constants: Constants, forces: Function | None) -> dict[str, str]:
    """Return the statements of what a model has besides contacts."""
    terms = outputs = ""
    if constants.joints:
        terms += "\n    find_joints(work, {joints}, x, p)"
        outputs += "\n    put_motor_forces(y, {joints}, x, p, {n_coordinates})"
    if constants.loops:
        terms += "\n    find_loops(work, motion, {tree}, {loops}, p)"
        outputs += "\n    y[{n_motors}] = loop_error(work)"
    if forces:
        terms += "\n    forces(subarray(work, {force}, {n}), t, x, p)"
    return {"more": terms, "more_outputs": outputs}
