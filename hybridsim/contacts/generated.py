"""The functions of a model with contacts: a small module of constants, which calls what serves every mechanism."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from hybridsim.contacts import constants as packing
from hybridsim.contacts import kernels
from hybridsim.contacts.constants import MANY, pack
from hybridsim.contacts.impacts import IMPACT, JAMMED
from hybridsim.contacts.layout import Layout, read_layout
from hybridsim.contacts.rows import Bodies, Joints, Loops
from hybridsim.contacts.terms import equation_terms
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


def move(x_new, work):
    rates = scratch({n_q})
    coordinate_slopes(rates, x_new, subarray(work, {change}, {n}))
    for i in range({n_q}):
        x_new[i] += rates[i]


@separate(void)
def energies(y, work, motion, x):
    put_energies(y, motion, {bodies}, x)
"""

EQUATIONS = """
@separate(void)
def find_terms(work, motion, t, x, p):
    set_constants(work, TABLE, {table})
    equation_terms(work, {length})
    rows, gaps = subarray(work, {rows}, {rows_size}), subarray(work, {gaps}, {points})
    terms(subarray(work, {mass}, {n} * {n}), subarray(work, {force}, {n}), rows, gaps, t, x, p){more}


def move(x_new, work):
    for i in range({n}):
        x_new[i] += work[{change} + i]


def coordinate_slopes(qdot, q, u):
    for i in range({n}):
        qdot[i] = u[i]


def energies(y, work, motion, x):
    y[0] = 0.0
    for i in range({n}):
        y[0] += 0.5 * work[{momentum} + i] * work[{momentum} + i]
"""

FUNCTIONS = """
def vector_field(xdot, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    solve_chart(work, subarray(x, {n_q}, {n}), p, chart)
    coordinate_slopes(xdot, x, subarray(x, {n_q}, {n}))
    put_rates(subarray(xdot, {n_q}, {n}), work)


def boundaries(g, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    solve_chart(work, subarray(x, {n_q}, {n}), p, chart)
    put_boundaries(g, work, p, chart)


def outputs(y, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    solve_chart(work, subarray(x, {n_q}, {n}), p, chart)
    for i in range({n_q} + {n}):
        y[i] = x[i]
    put_outputs(subarray(y, {n_q} + {n}, {contact_outputs}), work, chart){more_outputs}
    energies(subarray(y, {n_q} + {n} + {contact_outputs} + {other_outputs}, 3), work, motion, x)


def transition(x_new, t, x, p, chart, crossed):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    members = begin_event(work, subarray(x, {n_q}, {n}), chart, crossed)
    move(x_new, work)
    find_terms(work, motion, t, x_new, p)
    mode = decide(x_new, work, p, chart, members, crossed)
    return mode if mode >= {declined} else settle(x_new, work, motion, t, p, members, mode, chart)


def initial_chart(x_new, t, x, p):
    work, motion = scratch({size}), scratch({motion}){closing}
    find_terms(work, motion, t, x_new, p)
    members = begin_run(work, subarray(x_new, {n_q}, {n}))
    if members < 0:
        x_new[{cause}] = 1.0 - members
        x_new[{misfit}] = -work[{gaps} - members - 1]
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
    x_new[{cause}] = 1.0
    return chart


def validate(t, x, p, chart):
    return int(x[{cause}])
"""


CLOSING = """
    find_terms(work, motion, t, x, p)
    loop, misfit = open_loop(work, 0.0), loop_error(work)
    for _ in range({closings}):
        if close_loops(work, subarray(x_new, {n_q}, {n})) == 1:
            break
        move(x_new, work)
        find_terms(work, motion, t, x_new, p)
    if open_loop(work, 1.0):
        for i in range({n_q}):
            x_new[i] = x[i]
        x_new[{cause}] = {first_loop} + loop
        x_new[{misfit}] = misfit
        return 0"""

CLOSINGS = 60
"""Most steps of Newton's method that close loops at the initial state."""


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
    sizes |= _calls(sizes, constants, forces)
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
    """Return the sizes that the text of the functions names."""
    n, joints = layout.n_speeds, constants.joints
    n_stops = joints.n_stops if joints else 0
    rows_of_contacts = layout.n_rows - layout.n_loop_rows - layout.n_slipping + layout.n_contacts - n_stops
    forces = layout.n_slipping - layout.n_contacts + layout.n_loop_rows
    return {
        **layout._asdict(),
        "n_q": layout.n_coordinates,
        "n": n,
        "points": layout.n_points - n_stops,
        "rows_size": rows_of_contacts * (n + 1),
        "table": len(table),
        "size": size,
        "tree": f"subarray(BODIES.whole, 0, {MANY})",
        **{
            each: f"subarray({each.upper()}.whole, 0, {MANY}), subarray({each.upper()}.real, 0, {MANY})"
            for each in constants._fields
        },
        "motion": system.motion_size if constants.bodies else 1,
        "contact_outputs": 3 * layout.n_contacts + 2 * layout.n_points + forces,
        "other_outputs": (layout.n_loops > 0) + (joints.n_motors if joints else 0),
        "cause": layout.n_coordinates + n,
        "misfit": layout.n_coordinates + n + 1,
        "closings": CLOSINGS,
        "first_loop": 1 + layout.n_points,
        "length": float(getattr(system, "length", 0.0)),
        "declined": DECLINED,
        "impact": IMPACT,
        "jammed": JAMMED,
    }


def _calls(sizes: Mapping[str, Any], constants: Constants, forces: Function | None) -> dict[str, str]:
    """Return the statements of what a model has besides contacts."""
    terms = outputs = closing = ""
    if constants.joints:
        terms += "\n    find_joints(work, {joints}, x, p)"
        outputs += "\n    put_motor_forces(subarray(y, {others}, {other_outputs}), {joints}, x, p, {n_q})"
    if constants.loops:
        terms += "\n    find_loops(work, motion, {tree}, {loops}, p)"
        outputs += "\n    y[{others} + {other_outputs} - 1] = loop_error(work)"
        closing = CLOSING.format(**sizes)
    if forces:
        terms += "\n    forces(subarray(work, {force}, {n}), t, x, p)"
    others = sizes["n_q"] + sizes["n"] + sizes["contact_outputs"]
    more = {"more": terms, "more_outputs": outputs}
    return {key: text.format(others=others, **sizes) for key, text in more.items()} | {"closing": closing}
