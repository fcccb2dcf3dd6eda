"""The functions of a model with contacts: a small module of constants and calls; what they call serves every mechanism."""

from __future__ import annotations

import hashlib
from typing import Any

from hybridsim.contacts import flow, impacts, settle, terms
from hybridsim.contacts.layout import Layout
from hybridsim.contacts.terms import Bodies
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.slices import subarray
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.multibody import dynamics, joint_forces, motion
from hybridsim.typing import Function

MECHANISM = """
def find_terms(work, motion, t, x, p):
    mechanism_terms(work, motion, LAYOUT, BODIES, x, p)


def move(x_new, work):
    q = subarray(x_new, 0, {n_q})
    rates = scratch({n_q})
    coordinate_rates(rates, BODIES.tree, q, subarray(work, LAYOUT.change, {n}))
    for i in range({n_q}):
        q[i] += rates[i]


def coordinate_slopes(xdot, x):
    coordinate_rates(xdot, BODIES.tree, x, subarray(x, {n_q}, {n}))


def energies(y, first, work, motion, x):
    y[first] = kinetic_energy(motion, BODIES.tree, BODIES.data)
    weights = potential_energy(motion, BODIES.tree, BODIES.data, BODIES.gravity)
    y[first + 1] = weights + spring_energy(BODIES.tree, BODIES.data, x)
    y[first + 2] = y[first] + y[first + 1]
"""

EQUATIONS = """
def find_terms(work, motion, t, x, p):
    rows, gaps = subarray(work, LAYOUT.rows, {rows_size}), subarray(work, LAYOUT.gaps, {points})
    terms(subarray(work, LAYOUT.mass, {n} * {n}), subarray(work, LAYOUT.force, {n}), rows, gaps, t, x, p)
    for i in range({points}):
        put_gap(work, LAYOUT, i, gaps[i], {length}, {length})


def move(x_new, work):
    for i in range({n}):
        x_new[i] += work[LAYOUT.change + i]


def coordinate_slopes(xdot, x):
    for i in range({n}):
        xdot[i] = x[{n} + i]


def energies(y, first, work, motion, x):
    y[first] = impulse_energy(work, LAYOUT)
"""

FUNCTIONS = """
def find_all(work, motion, t, x, p):
    find_terms(work, motion, t, x, p){forces}
    find_delassus(work, LAYOUT, subarray(x, {n_q}, {n}), -1)


def find_chart(work, motion, t, x, p, chart):
    find_terms(work, motion, t, x, p){forces}
    find_forces(work, LAYOUT, subarray(x, {n_q}, {n}), p, chart)


def vector_field(xdot, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_chart(work, motion, t, x, p, chart)
    coordinate_slopes(xdot, x)
    find_rates(subarray(xdot, {n_q}, {n}), work, LAYOUT)


def boundaries(g, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_chart(work, motion, t, x, p, chart)
    write_boundaries(g, work, LAYOUT, p, chart)


def outputs(y, t, x, p, chart):
    work, motion = scratch({size}), scratch({motion})
    find_chart(work, motion, t, x, p, chart)
    for i in range({n_q} + {n}):
        y[i] = x[i]
    write_outputs(subarray(y, {n_q} + {n}, {contact_outputs}), work, LAYOUT, chart)
    energies(y, {n_q} + {n} + {contact_outputs}, work, motion, x)


def transition(x_new, t, x, p, chart, crossed):
    work, motion = scratch({size}), scratch({motion})
    find_all(work, motion, t, x, p)
    members = find_members(work, LAYOUT, chart, crossed)
    lift(x_new, work, motion, t, p, members)
    kind = find_impact(work, LAYOUT, chart, members, crossed)
    released = find_released(work, LAYOUT, p, chart, crossed)
    allowed = slips_of_chart(work, LAYOUT, p, chart, crossed)
    if kind == NO_IMPACT:
        mode = choose(work, LAYOUT, p, members & ~released, allowed)
        if mode >= 0:
            stop(x_new, work, LAYOUT, mode)
            return mode
    return settle(x_new, work, motion, t, p, members, kind, chart)


def initial_chart(x_new, t, x, p):
    work, motion = scratch({size}), scratch({motion})
    find_all(work, motion, t, x, p)
    below = find_below(work, LAYOUT)
    if below:
        x_new[{cause}] = 1.0 + below
        return 0
    members = find_near(work, LAYOUT)
    lift(x_new, work, motion, t, p, members)
    kind = IMPACT if is_hit(work, LAYOUT, 0, members) else NO_IMPACT
    return settle(x_new, work, motion, t, p, members, kind, 0)


def lift(x_new, work, motion, t, p, members):
    raise_points(work, LAYOUT, members)
    move(x_new, work)
    find_all(work, motion, t, x_new, p)


def settle(x_new, work, motion, t, p, members, kind, chart):
    left = members
    if kind == IMPACT:
        if not strike(x_new, work, LAYOUT, p, members, 1.0):
            x_new[{cause}] = 1.0
            return chart
        find_all(work, motion, t, x_new, p)
        left = find_near(work, LAYOUT) & members
    mode = -1
    if kind != WITHOUT_COLLISION:
        mode = choose(work, LAYOUT, p, left, slips_of_speeds(work, LAYOUT, left))
    if mode < 0 and strike(x_new, work, LAYOUT, p, left, 0.0):
        find_all(work, motion, t, x_new, p)
        left = find_near(work, LAYOUT) & members
        mode = choose(work, LAYOUT, p, left, slips_of_speeds(work, LAYOUT, left))
    if mode < 0:
        x_new[{cause}] = 1.0
        return chart
    stop(x_new, work, LAYOUT, mode)
    return mode


def validate(t, x, p, chart):
    return int(x[{cause}])
"""


def generated_functions(
    name: str, layout: Layout, bodies: Bodies | None, system: Any, forces: Function | None
) -> dict[str, Function]:
    """Return the functions of a model by their names in the contract.

    Parameters
    ----------
    name : str
        Name of the model.
    layout : Layout
        Where everything lies.
    bodies : Bodies or None
        The mechanism; None for equations.
    system : Mechanism or Equations
        Where both come from.
    forces : callable or None
        Adds generalised forces.
    """
    sizes = {
        "n_q": layout.n_coordinates,
        "n": layout.n_speeds,
        "points": layout.n_points,
        "rows_size": layout.n_rows * (layout.n_speeds + 1),
        "size": layout.size,
        "motion": 1 if bodies is None else system.motion_size,
        "contact_outputs": 3 * layout.n_patches + 2 * layout.n_points,
        "cause": layout.n_coordinates + layout.n_speeds,
        "length": float(getattr(system, "length", 0.0)),
        "forces": f"\n    forces(subarray(work, LAYOUT.force, {layout.n_speeds}), t, x, p)" if forces else "",
    }
    constants = hashlib.sha256(repr((layout, bodies)).encode()).hexdigest()[:16]
    heading = f'"""{name} with contacts, {constants}: written by hybridsim.contacts.contact_model."""\n\n'
    text = heading + (EQUATIONS if bodies is None else MECHANISM).format(**sizes) + FUNCTIONS.format(**sizes)
    used: dict[str, Any] = {"LAYOUT": layout, "scratch": scratch, "subarray": subarray}
    for module in (terms, flow, impacts, settle, motion, dynamics, joint_forces):
        used |= {key: value for key, value in vars(module).items() if not key.startswith("_") and key != "motion"}
    used["impulse_energy"] = terms.kinetic_energy
    used |= {"BODIES": bodies} if bodies else {"terms": system.terms}
    used |= {"forces": forces} if forces else {}
    module = load_generated(name, text, used)
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module)}
