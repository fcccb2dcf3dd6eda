"""CoMan's walk computed a second time, by equations that share nothing with the package but the numbers of body and config.

Each part is a point mass with a moment of inertia, at the end of a chain of segments with absolute angles; feet stick.
Forces and impulses of the ground are those of the only set of points that all push, while the others leave or stay
away. scipy integrates between events, and an event is where another integration, which ends there, says so.
"""

from itertools import chain, combinations

import numpy as np
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

GRAVITY, LIMIT = 9.81, 30.0
PITCH = np.array([0, 0, 1.0, 0, 0, 0, 0, 0, 0])
TORSO = np.array([0.00919962, 0.212992])
THIGH, SHANK, FOOT = (7.39959e-4, -0.100464), (0.00246127, -0.0859895), (0.00508618, -0.0204323)
MASSES, INERTIAS = (14.4847, 3.61731, 1.40982, 1.39639), (0.169801, 0.0265146, 0.00400565, 0.00263102)
KNEE, ANKLE, HEEL, TOE = (0.0, -0.2258), (0.0, -0.201), (-0.03, -0.095), (0.0825, -0.095)


def angles_of(leg):
    """Return what turns thigh, shank and foot: rows of factors of the coordinates x, z, pitch and six flexions."""
    hip, knee, ankle = np.eye(9)[3 + 3 * leg : 6 + 3 * leg]
    thigh = PITCH - hip
    shank = thigh + knee
    return thigh, shank, shank - ankle


def chains():
    """Return the bodies (mass, inertia, chain) and the points of the feet (chains): vectors, each with its angle."""
    bodies, points = [(MASSES[0], INERTIAS[0], [(TORSO, PITCH)])], []
    for leg in range(2):
        thigh, shank, foot = angles_of(leg)
        to_knee, to_ankle = [(KNEE, thigh)], [(KNEE, thigh), (ANKLE, shank)]
        parts = ([(THIGH, thigh)], [*to_knee, (SHANK, shank)], [*to_ankle, (FOOT, foot)])
        bodies += [(m, i, part) for m, i, part in zip(MASSES[1:], INERTIAS[1:], parts, strict=True)]
        points += [[*to_ankle, (end, foot)] for end in (HEEL, TOE)]
    return bodies, points


BODIES, POINTS = chains()


def place(links, q):
    """Return the place of the end of a chain."""
    return q[:2] + sum(turned(vector, factors @ q) for vector, factors in links)


def turned(vector, angle):
    """Return a vector turned from z to x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([vector[0] * c + vector[1] * s, vector[1] * c - vector[0] * s])


def motion(links, q, u):
    """Return the Jacobian of the end of a chain, and its acceleration at constant speeds."""
    jacobian, drift = np.zeros((2, 9)), np.zeros(2)
    jacobian[0, 0] = jacobian[1, 1] = 1.0
    for vector, factors in links:
        x, z = turned(vector, factors @ q)
        jacobian += np.outer((z, -x), factors)
        drift -= np.array((x, z)) * (factors @ u) ** 2
    return jacobian, drift


def curve(phase, shares, values):
    """Return the monotone cubic through four points of a cycle (Fritsch and Carlson 1980), by its definition."""
    at = np.cumsum(shares)[:4] / np.sum(shares)
    wide, ends = np.append(at, at + 1.0), np.append(values, values)
    secants = np.diff(ends)[:4] / np.diff(wide)[:4]
    before = np.roll(secants, 1)
    slopes = np.where(secants * before > 0.0, 0.5 * (secants + before), 0.0)
    sizes = np.hypot(slopes, np.roll(slopes, -1))
    least = np.where(sizes > 3.0 * abs(secants), 3.0 * abs(secants) / np.maximum(sizes, 1e-300), 1.0)
    slopes = slopes * np.minimum(least, np.roll(least, 1))
    phase = phase if phase >= at[0] else phase + 1.0
    i = int(np.searchsorted(wide, phase, side="right")) - 1
    h, j = wide[i + 1] - wide[i], i % 4
    s = (phase - wide[i]) / h
    rise = ends[i + 1] - ends[i]
    m0, m1 = h * slopes[j], h * slopes[(j + 1) % 4]
    return ends[i] + s * m0 + s**2 * (3 * rise - 2 * m0 - m1) + s**3 * (m0 + m1 - 2 * rise)


class Walker:
    """The plain equations.

    Parameters
    ----------
    numbers : dict
        Parameters of the config.
    ridge : float
        What is added to the diagonal of A M^-1 A^T, in parts of it; 0 of the exact equations.
    """

    def __init__(self, numbers, ridge=0.0):
        self.p, self.ridge, self.friction_used = numbers, ridge, 0.0

    def targets(self, t):
        """Return the flexions of hip, knee and ankle that the left and the right leg want."""
        phases = [(self.p["frequency"] * t + 0.5 * leg) % 1.0 for leg in range(2)]
        joints = [(self.p[f"{joint}_shares"], self.p[f"{joint}_angles"]) for joint in ("hip", "knee", "ankle")]
        return np.array([curve(phase, *joint) for phase in phases for joint in joints])

    def torques(self, t, q, u):
        """Return the torques of the six joints."""
        k, b = (
            np.tile([self.p[f"{joint}_{kind}"] for joint in ("hip", "knee", "ankle")], 2)
            for kind in ("stiffness", "damping")
        )
        return np.clip(k * (self.targets(t) - q[3:]) - b * u[3:], -LIMIT, LIMIT)

    def mass_and_force(self, t, q, u):
        """Return mass matrix and generalised forces."""
        mass, force = np.zeros((9, 9)), np.concatenate([np.zeros(3), self.torques(t, q, u)])
        for m, inertia, links in BODIES:
            jacobian, drift = motion(links, q, u)
            mass += m * jacobian.T @ jacobian + inertia * np.outer(links[-1][1], links[-1][1])
            force -= m * jacobian.T @ (drift + (0.0, GRAVITY))
        return mass, force

    def rows(self, down, q, u):
        """Return the rows of some points: along x of the first one of each foot, along z of each; and their drifts."""
        found = []
        for foot in (0, 2):
            mine = [i for i in (foot, foot + 1) if i in down]
            for number, i in enumerate(mine):
                jacobian, drift = motion(POINTS[i], q, u)
                found += [(jacobian[0], drift[0])] if number == 0 else []
                found.append((jacobian[1], drift[1]))
        return np.array([row for row, _ in found]).reshape(-1, 9), np.array([drift for _, drift in found])

    def multipliers(self, mass, rows, wanted):
        """Return the forces with which rows change by what is wanted."""
        effect = rows @ np.linalg.solve(mass, rows.T)
        return np.linalg.solve(effect + self.ridge * np.diag(np.diag(effect)), wanted)

    def normal(self, down, values):
        """Return the entries of points along z, by point."""
        found, n = {}, 0
        for i in sorted(down):
            n += 1 if i % 2 == 0 or i - 1 not in down else 0
            found[i] = values[n]
            n += 1
        return found

    def accelerations(self, t, q, u, down):
        """Return accelerations and the normal forces of the points that are down."""
        mass, force = self.mass_and_force(t, q, u)
        free = np.linalg.solve(mass, force)
        if not down:
            return free, {}
        rows, drift = self.rows(down, q, u)
        forces = self.multipliers(mass, rows, -drift - rows @ free)
        return free + np.linalg.solve(mass, rows.T @ forces), self.normal(down, forces)

    def strike(self, t, q, u, touching):
        """Return the speeds after a plastic impact, and the points that stay."""
        mass, _ = self.mass_and_force(t, q, u)
        for down in subsets(touching):
            rows, _ = self.rows(down, q, u)
            impulses = self.multipliers(mass, rows, -rows @ u) if down else np.zeros(0)
            after = u + (np.linalg.solve(mass, rows.T @ impulses) if down else 0.0)
            away = [motion(POINTS[i], q, u)[0][1] @ after for i in touching - down]
            if min([*self.normal(down, impulses).values(), 0.0]) >= 0.0 and min([*away, 0.0]) >= -1e-12:
                return after, down
        raise AssertionError("no impact is consistent")

    def settle(self, t, q, u, touching):
        """Return the points that are down when no force pulls and none of the others accelerates into the ground."""
        for down in subsets(touching):
            udot, forces = self.accelerations(t, q, u, down)
            away = []
            for i in touching - down:
                jacobian, drift = motion(POINTS[i], q, u)
                if jacobian[1] @ u < 1e-9:
                    away.append(jacobian[1] @ udot + drift[1])
            if min([*forces.values(), 0.0]) >= 0.0 and min([*away, 0.0]) >= -1e-9:
                return down
        raise AssertionError("no mode is consistent")

    def begin(self):
        """Return coordinates and speeds as a run begins: in the pose of the targets, 5 mm above the ground."""
        q, u = np.concatenate([np.zeros(3), self.targets(0.0)]), np.zeros(9)
        q[1], u[0] = 0.005 - min(place(links, q)[1] for links in POINTS), 0.4
        return q, u

    def boundaries(self, t, state, down):
        """Return heights of the points that are up, and normal forces of those that are down."""
        q, u = state[:9], state[9:]
        forces = self.accelerations(t, q, u, down)[1]
        return np.array([forces[i] if i in down else place(POINTS[i], q)[1] for i in range(4)])

    def slopes(self, t, state, down):
        """Return the slopes of coordinates and speeds."""
        return np.concatenate([state[9:], self.accelerations(t, state[:9], state[9:], down)[0]])

    def walk(self, until, rtol):
        """Return coordinates and speeds at a time, and the number of events on the way."""
        (q, u), t, down, n_events = self.begin(), 0.0, frozenset(), 0
        knots = self.knots(until)
        while t < until:
            t, state, crossed = self.flow(t, np.concatenate([q, u]), down, min(k for k in knots if k > t), rtol)
            q, u = state[:9].copy(), state[9:].copy()
            if crossed is None:
                continue
            n_events += 1
            if crossed in down:
                down = self.settle(t, q, u, down - {crossed})
            else:
                u, down = self.strike(t, q, u, down | {crossed})
                down = self.settle(t, q, u, down)
        return np.concatenate([q, u]), n_events

    def knots(self, until):
        """Return the times at which a target goes through a point, where its second derivative jumps; and the end."""
        cycles = np.arange(-1, int(until * self.p["frequency"]) + 2)
        at = [np.cumsum(self.p[f"{joint}_shares"])[:4] / np.sum(self.p[f"{joint}_shares"]) for joint in ("hip", "knee", "ankle")]
        times = (np.add.outer(np.concatenate(at), cycles).ravel()[:, None] + (0.0, 0.5)).ravel() / self.p["frequency"]
        return [*times[times < until], until]

    def flow(self, t, state, down, until, rtol):
        """Integrate up to the next event or the time; return time, state, and the point that has an event."""
        solver = DOP853(lambda t, x: self.slopes(t, x, down), t, state, until, rtol=rtol, atol=1e-2 * rtol)
        armed = self.boundaries(t, state, down) > 1e-9
        while solver.status == "running":
            begin, before = solver.t, solver.y.copy()
            assert solver.step() is None
            between = solver.dense_output()
            times = np.linspace(begin, solver.t, 5)
            for a, b in zip(times, times[1:], strict=False):
                values = self.boundaries(b, between(b), down)
                crossed = [i for i in range(4) if armed[i] and values[i] < 0.0]
                if crossed:
                    roots = {i: self.root(i, between, down, a, b) for i in crossed}
                    first = min(roots, key=roots.get)
                    return *self.refined(first, begin, before, roots[first], down, rtol), first
                armed |= values > 1e-9
        return solver.t, solver.y, None

    def root(self, i, between, down, a, b):
        """Return where a boundary is zero on the continuous extension of a step."""
        if self.boundaries(a, between(a), down)[i] <= 0.0:
            return a
        return brentq(lambda t: self.boundaries(t, between(t), down)[i], a, b, xtol=1e-14)

    def refined(self, i, begin, before, guess, down, rtol):
        """Return time and state of an event by integrations that end there, as extensions are less exact than steps."""
        t = guess
        for _ in range(3):
            state = self.at(begin, before, t, down, rtol)
            later = self.at(begin, before, t + 1e-6, down, rtol)
            here, there = (self.boundaries(time, x, down)[i] for time, x in ((t, state), (t + 1e-6, later)))
            t -= 1e-6 * here / (there - here)
        return t, self.at(begin, before, t, down, rtol)

    def at(self, begin, before, t, down, rtol):
        if t == begin:
            return before
        run = solve_ivp(self.slopes, (begin, t), before, "DOP853", args=(down,), rtol=rtol, atol=1e-2 * rtol)
        return run.y[:, -1]


def subsets(points):
    """Return all sets of some points, the largest first."""
    return map(frozenset, chain.from_iterable(combinations(sorted(points), n) for n in range(len(points), -1, -1)))
