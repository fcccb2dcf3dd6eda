"""Identification by opty: run by identification.py, prints JSON.

python opty_collocation.py midpoint FILE.npz     # with a Python that has opty and casadi
"""

import sys

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from collocation import TOLERANCE, cpu, one_link, report
from opty import Problem


def opty_midpoint(data, force, h):
    """Return what solves with opty's midpoint rule; second derivatives are Ipopt's own, of limited memory."""
    n, t = len(data), me.dynamicsymbols._t
    x, f, k = me.dynamicsymbols("q0, q1, u0, u1"), me.dynamicsymbols("F"), sm.symbols("k0:4")
    eom = sm.Matrix([xi.diff(t) - s for xi, s in zip(x, one_link(x, k, f, sm.sin, sm.cos), strict=True)])
    goal = data.T.ravel()

    def objective(z):
        return h * float(((z[: 4 * n] - goal) ** 2).sum())

    def gradient(z):
        return np.concatenate([2 * h * (z[: 4 * n] - goal), np.zeros(4)])

    problem = Problem(
        objective, gradient, eom, x, n, h, known_trajectory_map={f: force}, integration_method="midpoint", time_symbol=t
    )
    for name, value in (("tol", TOLERANCE), ("print_level", 0), ("max_iter", 3000)):
        problem.add_option(name, value)

    def solve():
        z, info = problem.solve(np.concatenate([goal, np.zeros(4)]))
        return z[-4:].tolist(), objective(z), info["status"]

    return solve


if __name__ == "__main__":
    table, begin = np.load(sys.argv[2]), cpu()
    report(begin, opty_midpoint(table["x"], table["force"], float(table["h"])))
