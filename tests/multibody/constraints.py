"""Constraint rows by the package's functions in plain Python, and their solution with Lagrange multipliers."""

import numpy as np

from hybridsim.multibody import Point, Vector, Wheel, rows

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


def random_vector(rng, length=None):
    vector = rng.normal(size=3)
    return Vector(*(vector if length is None else vector * length / np.linalg.norm(vector)))


def random_rows(mechanism, q, u, rng):
    """Return rows of all kinds on random bodies, such that they are independent and leave some freedom."""
    n, bodies = mechanism.tree.n_speeds, np.arange(1, mechanism.tree.n_frames)
    found, kept = RowsOf(mechanism, q, u), np.zeros((0, n + 1))
    while len(kept) < min(0.6 * n, 14):
        frame, other = (int(each) for each in rng.choice(bodies, 2))
        point, away = Point(frame, random_vector(rng)), Point(other % frame, random_vector(rng))
        wheel = Wheel(frame, random_vector(rng), random_vector(rng, 1.0), 0.4, 0.1 * rng.integers(2))
        count, write, *arguments = [
            (3, rows.point_rows, point),
            (1, rows.direction_row, point, random_vector(rng, 1.0)),
            (1, rows.spin_row, frame, random_vector(rng, 1.0)),
            (3, rows.joining_rows, point, away),
            (1, rows.distance_row, point, away),
            (3, rows.rolling_rows, rows.contact_of(found.motion, wheel, random_vector(rng, 1.0))),
        ][rng.integers(6)]
        found.add(count, write, *arguments)
        if rng.random() < 0.3:
            found.flat = np.concatenate((found.flat, np.full(n + 1, np.nan)))
            rows.lock_row(found.flat, mechanism.tree, len(found) - 1, int(rng.integers(n)))
        for row in found.array[-count - 1 :]:  # those that add something; a row may be tried twice
            more = np.vstack((kept, row))
            if len(more) < n and smallest(more[:, :-1]) > 0.02:
                kept = more
    return kept


def smallest(matrix):
    return np.linalg.svd(matrix, compute_uv=False)[-1]


def with_multipliers(mass, force, constraints, efforts=None):
    """Solve M x - E reactions = force and A x = -c as one system; return x and the reactions. E^T is A if not given."""
    matrix, drift = constraints[:, :-1], constraints[:, -1]
    transposed = (constraints if efforts is None else efforts)[:, :-1]
    whole = np.block([[mass, -transposed.T], [matrix, np.zeros((len(drift), len(drift)))]])
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
