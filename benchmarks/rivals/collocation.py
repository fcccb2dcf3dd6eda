"""Identification and a gait of least torque by CasADi with Ipopt: run by identification.py, prints JSON.

    python collocation.py TASK FILE.npz     # with a Python that has casadi

TASK is `midpoint`, `hermite-simpson` or `gait`. opty_collocation.py is the same for opty.
"""

import json
import os
import sys
import time

import casadi as ca
import numpy as np

TOLERANCE = 1e-10
GAIT_NODES, STEP, STEP_TIME = 31, 0.2, 0.7


def one_link(x, k, force, sin, cos):
    """Return the slopes of one link on a cart, see one_link.py."""
    torque = -k[0] * x[0] - k[1] * x[1] - k[2] * x[2] - k[3] * x[3]
    on_cart = force - 10 * x[0] - 5 * x[2] - sin(x[1]) * x[3] ** 2
    on_link = 9.81 * sin(x[1]) + torque
    determinant = 2 - cos(x[1]) ** 2
    return x[2], x[3], (on_cart + cos(x[1]) * on_link) / determinant, (cos(x[1]) * on_cart + 2 * on_link) / determinant


def casadi_of(scheme, data, force, halfway, h):
    """Solve with CasADi and its Ipopt, by hand: exact second derivatives."""
    n = len(data)
    x, k, f = ca.SX.sym("x", 4), ca.SX.sym("k", 4), ca.SX.sym("f")
    slope = ca.Function(
        "slope", [x, k, f], [ca.vertcat(*one_link(ca.vertsplit(x), ca.vertsplit(k), f, ca.sin, ca.cos))]
    )
    a, b, fa, fb, fm = ca.SX.sym("a", 4), ca.SX.sym("b", 4), *(ca.SX.sym(name) for name in ("fa", "fb", "fm"))
    if scheme == "midpoint":
        missed = b - a - h * slope((a + b) / 2, k, (fa + fb) / 2)
    else:
        sa, sb = slope(a, k, fa), slope(b, k, fb)
        middle = (a + b) / 2 + h / 8 * (sa - sb)
        missed = b - a - h / 6 * (sa + 4 * slope(middle, k, fm) + sb)
    step = ca.Function("step", [a, b, k, fa, fb, fm], [missed]).map(n - 1)
    states, gains = ca.MX.sym("states", 4, n), ca.MX.sym("gains", 4)
    forces = force[None, :-1], force[None, 1:], halfway[None]
    defects = step(states[:, :-1], states[:, 1:], ca.repmat(gains, 1, n - 1), *forces)
    cost = h * ca.sumsqr(states - data.T)
    program = {"x": ca.vertcat(ca.vec(states), gains), "f": cost, "g": ca.vec(defects)}
    solver = solver_of(program)
    guess = np.concatenate([data.ravel(), np.zeros(4)])

    def solve():
        found = solver(x0=guess, lbg=0, ubg=0)
        return np.array(found["x"]).ravel()[-4:].tolist(), float(found["f"]), solver.stats()["return_status"]

    return solve


def solver_of(program):
    options = {"ipopt.tol": TOLERANCE, "ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes"}
    return ca.nlpsol("solver", "ipopt", program, options)


def compass(x, torque):
    """Return the slopes of the powered compass gait: masses 5, 10 and 5 kg, legs of 1 m, on level ground."""
    m, hip, a, b, g = 5.0, 10.0, 0.5, 0.5, 9.81
    length, moment = a + b, m * a + (hip + m) * (a + b)
    spread = x[0] - x[1]
    right = ca.vertcat(
        m * length * b * ca.sin(spread) * x[3] ** 2 + moment * g * ca.sin(x[0]) - torque,
        -m * length * b * ca.sin(spread) * x[2] ** 2 - m * b * g * ca.sin(x[1]) + torque,
    )
    return ca.vertcat(x[2], x[3], *ca.vertsplit(two_by_two(spread, right)))


def two_by_two(spread, right):
    m, hip, a, b = 5.0, 10.0, 0.5, 0.5
    length = a + b
    m11, m12, m22 = m * a**2 + (hip + m) * length**2, -m * length * b * ca.cos(spread), m * b**2
    determinant = m11 * m22 - m12**2
    return ca.vertcat(m22 * right[0] - m12 * right[1], m11 * right[1] - m12 * right[0]) / determinant


def strike(x):
    """Return the state after the collision of the foot, the legs swapped."""
    m, hip, a, b = 5.0, 10.0, 0.5, 0.5
    length, spread = a + b, x[0] - x[1]
    about_hip = -m * a * b * x[2]
    about_foot = ((hip * length + 2 * m * a) * length * ca.cos(spread) - m * a * b) * x[2] - m * a * b * x[3]
    rates = two_by_two(spread, ca.vertcat(about_foot - about_hip, about_hip))
    return ca.vertcat(x[1], x[0], rates)


def casadi_gait():
    """Solve for the gait of configs/identification/powered_compass.yaml, on the same nodes by the same rule."""
    x, u = ca.SX.sym("x", 4), ca.SX.sym("u")
    slope = ca.Function("slope", [x, u], [compass(x, u)])
    a, b, ua, ub, h = ca.SX.sym("a", 4), ca.SX.sym("b", 4), ca.SX.sym("ua"), ca.SX.sym("ub"), ca.SX.sym("h")
    sa, sb, um = slope(a, ua), slope(b, ub), (ua + ub) / 2
    middle = (a + b) / 2 + h / 8 * (sa - sb)
    missed = b - a - h / 6 * (sa + 4 * slope(middle, um) + sb)
    cost = h / 6 * (ua**2 + 4 * um**2 + ub**2)
    step = ca.Function("step", [a, b, ua, ub, h], [missed, cost]).map(GAIT_NODES - 1)
    impact = ca.Function("impact", [x], [strike(x)])
    n = GAIT_NODES
    phases = [(ca.MX.sym(f"x{i}", 4, n), ca.MX.sym(f"u{i}", 1, n), ca.MX.sym(f"d{i}")) for i in (0, 1)]
    unknowns, rows, total = [], [], 0
    for states, torque, duration in phases:
        lengths = ca.repmat(duration / (GAIT_NODES - 1), 1, GAIT_NODES - 1)
        defects, costs = step(states[:, :-1], states[:, 1:], torque[:-1], torque[1:], lengths)
        unknowns += [ca.vec(states), ca.vec(torque), duration]
        rows.append(ca.vec(defects))
        total += ca.sum2(costs)
    first, second = phases[0][0], phases[1][0]
    rows += [first[1, -1] - first[0, -1], second[:, 0] - first[:, -1], second[0, -1] + second[1, -1]]
    rows += [impact(second[:, -1]) - first[:, 0], phases[0][2] + phases[1][2] - STEP_TIME, first[:2, 0]]
    bounds = np.zeros(sum(row.numel() for row in rows))
    bounds[-2:] = -STEP, STEP
    solver = solver_of({"x": ca.vertcat(*unknowns), "f": total, "g": ca.vertcat(*rows)})
    one = np.concatenate([np.tile([-STEP, STEP, 1.0, 0.4], GAIT_NODES), np.zeros(GAIT_NODES), [STEP_TIME / 2]])
    lower = np.full(2 * len(one), -np.inf)
    lower[len(one) - 1 :: len(one)] = 1e-6

    def solve():
        found = solver(x0=np.tile(one, 2), lbx=lower, lbg=bounds, ubg=bounds)
        return [], float(found["f"]), solver.stats()["return_status"]

    return solve


def main(task, file):
    begin = cpu()
    if task == "gait":
        solve = casadi_gait()
    else:
        table = np.load(file)
        solve = casadi_of(task, *(table[name] for name in ("x", "force", "halfway")), float(table["h"]))
    report(begin, solve)


def cpu():
    """Return seconds of CPU of this process, and of those that it has waited for, as compilers."""
    return time.process_time() + sum(os.times()[2:4])


def report(begin, solve):
    """Solve, and print what was found as JSON."""
    prepared = cpu()
    gains, objective, status = solve()
    times = {"prepare": prepared - begin, "solve": cpu() - prepared}
    print(json.dumps({**times, "gains": gains, "objective": objective, "status": str(status)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
