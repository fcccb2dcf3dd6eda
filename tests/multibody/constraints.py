"""Constraint rows by the package's functions in plain Python, and their solution with Lagrange multipliers."""

import numpy as np

from hybridsim.multibody import Vector, Wheel, rows

UP = Vector(0.0, 0.0, 1.0)


class RowsOf:
    """Rows of a mechanism in one position, added one after the other."""

    def __init__(self, mechanism, q, u=()):
        self.mechanism, self.motion = mechanism, mechanism.motion(q, u)
        self.flat = np.zeros(0)

    def add(self, count, write, *arguments):
        """Add rows that a function (rows, motion, tree, row, ...) of the package writes; return what it returns."""
        first = len(self)
        self.flat = np.concatenate((self.flat, np.full(count * self.width, np.nan)))  # every entry must be written
        return write(self.flat, self.motion, self.mechanism.tree, first, *arguments)

    @property
    def width(self):
        return self.mechanism.tree.n_speeds + 1

    def __len__(self):
        return len(self.flat) // self.width

    @property
    def array(self):
        return self.flat.reshape(-1, self.width)


def rolling(mechanism, q, u, wheel, normal=UP):
    """Return the three rows of a wheel that rolls on a plane."""
    found = RowsOf(mechanism, q, u)
    found.add(3, rows.rolling_rows, rows.contact_of(found.motion, wheel, normal))
    return found.array


def with_multipliers(mass, force, constraints):
    """Solve M x - A^T reactions = force and A x = -c as one system; return x and the reactions."""
    matrix, drift = constraints[:, :-1], constraints[:, -1]
    whole = np.block([[mass, -matrix.T], [matrix, np.zeros((len(drift), len(drift)))]])
    solution = np.linalg.solve(whole, np.concatenate((force, -drift)))
    return solution[: len(force)], solution[len(force) :]


def completed(mechanism, q, u, constraints_at, names):
    """Return speeds that obey the rows `constraints_at(q, u)`: those named are determined by the others."""
    speeds = np.array(u, float)
    matrix = constraints_at(q, speeds)[:, :-1]
    dependent = [mechanism.speeds.index(name) for name in names]
    free = np.setdiff1d(np.arange(len(speeds)), dependent)
    speeds[dependent] = np.linalg.solve(matrix[:, dependent], -matrix[:, free] @ speeds[free])
    return speeds


def wheel_of(mechanism, body, radius, tube):
    """Return a wheel about the z axis of a body."""
    return Wheel(mechanism.frames._asdict()[body], Vector(0.0, 0.0, 0.0), UP, radius, tube)
