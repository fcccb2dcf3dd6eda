"""The functions of a model with contacts: a small module of constants, which calls what serves every mechanism."""

from __future__ import annotations

import hashlib
from typing import Any

from hybridsim.contacts import kernels
from hybridsim.contacts.layout import read_layout
from hybridsim.contacts.settle import IMPACT, JAMMED
from hybridsim.contacts.terms import Bodies, equation_terms, mechanism_terms
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.separate import returns_of, separate
from hybridsim.engine.compiler.signatures import void
from hybridsim.engine.compiler.slices import subarray
from hybridsim.engine.status import DECLINED
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.multibody.constants import set_constants
from hybridsim.multibody.dynamics import kinetic_energy, potential_energy
from hybridsim.multibody.joint_forces import spring_energy
from hybridsim.multibody.motion import coordinate_rates
from hybridsim.typing import FloatArray, Function

CALLED: dict[str, Any] = {
    **{name: value for name, value in vars(kernels).items() if returns_of(value)},
    "scratch": scratch,
    "subarray": subarray,
    "separate": separate,
    "void": void,
    "set_constants": set_constants,
    "mechanism_terms": mechanism_terms,
    "equation_terms": equation_terms,
    "kinetic_energy": kinetic_energy,
    "potential_energy": potential_energy,
    "spring_energy": spring_energy,
    "coordinate_rates": coordinate_rates,
}
"""What generated modules call by name."""

MECHANISM = """
@separate(void)
def find_terms(work, motion, t, x, p):
    set_constants(work, TABLE, {table})
    mechanism_terms(work, motion, BODIES, x, p){forces}


def move(x_new, work):
    q = subarray(x_new, 0, {n_q})
    rates = scratch({n_q})
    coordinate_rates(rates, BODIES.tree, q, subarray(work, {change}, {n}))
    for i in range({n_q}):
        q[i] += rates[i]


def coordinate_slopes(xdot, x):
    coordinate_rates(xdot, BODIES.tree, x, subarray(x, {n_q}, {n}))


def energies(y, work, motion, x):
    y[0] = kinetic_energy(motion, BODIES.tree, BODIES.data)
    weights = potential_energy(motion, BODIES.tree, BODIES.data, BODIES.gravity)
    y[1] = weights + spring_energy(BODIES.tree, BODIES.data, x)
    y[2] = y[0] + y[1]
"""

EQUATIONS = """
@separate(void)
def find_terms(work, motion, t, x, p):
    set_constants(work, TABLE, {table})
    equation_terms(work, {length})
    rows, gaps = subarray(work, {rows}, {rows_size}), subarray(work, {gaps}, {points})
    terms(subarray(work, {mass}, {n} * {n}), subarray(work, {force}, {n}), rows, gaps, t, x, p){forces}


def move(x_new, work):
    for i in range({n}):
        x_new[i] += work[{change} + i]


def coordinate_slopes(xdot, x):
    for i in range({n}):
        xdot[i] = x[{n} + i]


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
    coordinate_slopes(xdot, x)
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
    put_outputs(subarray(y, {n_q} + {n}, {contact_outputs}), work, chart)
    energies(subarray(y, {n_q} + {n} + {contact_outputs}, 3), work, motion, x)


def transition(x_new, t, x, p, chart, crossed):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    members = begin_event(work, subarray(x, {n_q}, {n}), chart, crossed)
    move(x_new, work)
    find_terms(work, motion, t, x_new, p)
    mode = decide(x_new, work, p, chart, members, crossed)
    return mode if mode >= {declined} else settle(x_new, work, motion, t, p, members, mode, chart)


def initial_chart(x_new, t, x, p):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p)
    members = begin_run(work, subarray(x, {n_q}, {n}))
    if members < 0:
        x_new[{cause}] = 1.0 - members
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


def generated_functions(
    name: str, table: FloatArray, size: int, bodies: Bodies | None, system: Any, forces: Function | None
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
    bodies : Bodies or None
        The mechanism; None for equations.
    system : Mechanism or Equations
        Where both come from.
    forces : callable or None
        Adds generalised forces.
    """
    layout = read_layout(table)
    n = layout.n_speeds
    sizes = {
        **layout._asdict(),
        "n_q": layout.n_coordinates,
        "n": n,
        "points": layout.n_points,
        "rows_size": layout.n_rows * (n + 1),
        "table": len(table),
        "size": size,
        "motion": 1 if bodies is None else system.motion_size,
        "contact_outputs": 3 * layout.n_patches + 2 * layout.n_points,
        "cause": layout.n_coordinates + n,
        "length": float(getattr(system, "length", 0.0)),
        "declined": DECLINED,
        "impact": IMPACT,
        "jammed": JAMMED,
        "forces": f"\n    forces(subarray(work, {layout.force}, {n}), t, x, p)" if forces else "",
    }
    constants = hashlib.sha256(repr((table.tolist(), bodies)).encode()).hexdigest()[:16]
    heading = f'"""{name} with contacts, {constants}: written by hybridsim.contacts.contact_model."""\n\n'
    text = heading + (EQUATIONS if bodies is None else MECHANISM).format(**sizes) + FUNCTIONS.format(**sizes)
    used = dict(CALLED) | {"TABLE": table}
    used |= {"BODIES": bodies} if bodies else {"terms": system.terms}
    used |= {"forces": forces} if forces else {}
    module = load_generated(name, text, used)
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module)}
