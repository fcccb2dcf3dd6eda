"""CoMan's walk computed a second time, by equations that share nothing with the package but the numbers of the config.

Each part is a mass with a moment of inertia at the end of a chain of vectors, of which each turns with an angle that is
a sum of coordinates; feet stick. Forces and impulses of the ground are those of the largest set of points that all
push, while the others leave or stay away. scipy integrates between events, and an event is where another integration,
which ends there, says so.
"""

from bisect import bisect_right
from itertools import chain, combinations, pairwise

import numpy as np
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

GRAVITY, LIMIT = 9.81, 30.0
JOINTS = ("hip", "knee", "ankle")
MASSES, INERTIAS = (14.4847, 3.61731, 1.40982, 1.39639), (0.169801, 0.0265146, 0.00400565, 0.00263102)
TORSO, THIGH, SHANK, FOOT = (
    (0.00919962, 0.212992),
    (7.39959e-4, -0.100464),
    (0.00246127, -0.0859895),
    (0.00508618, -0.0204323),
)
KNEE, ANKLE, HEEL, TOE = (0.0, -0.2258), (0.0, -0.201), (-0.03, -0.095), (0.0825, -0.095)


def structure():
    """Return what turns each segment, (7, 9); and the chains of 7 bodies and of 4 points, (11, 7, 2)."""
    factors, chains = np.zeros((7, 9)), np.zeros((11, 7, 2))
    factors[:, 2], chains[0, 0] = 1.0, TORSO
    for leg in range(2):
        thigh, shank, foot = 1 + 3 * leg + np.arange(3)
        factors[[thigh, shank, foot], 3 + 3 * leg] = -1.0
        factors[[shank, foot], 4 + 3 * leg] = 1.0
        factors[foot, 5 + 3 * leg] = -1.0
        heel, toe = 7 + 2 * leg, 8 + 2 * leg
        chains[[shank, foot, heel, toe], thigh] = KNEE
        chains[[foot, heel, toe], shank] = ANKLE
        chains[thigh, thigh], chains[shank, shank], chains[foot, foot] = THIGH, SHANK, FOOT
        chains[heel, foot], chains[toe, foot] = HEEL, TOE
    return factors, chains


FACTORS, CHAINS = structure()
MASS = np.array([*MASSES, *MASSES[1:]])
INERTIA = FACTORS.T @ (np.array([*INERTIAS, *INERTIAS[1:]])[:, None] * FACTORS)
ALONG_X, ALONG_Z = np.eye(9)[:2]


def motion(q, u):
    """Return places of bodies and points (11, 2), both Jacobians (11, 9), accelerations at constant speeds (11, 2)."""
    angles, squares = FACTORS @ q, (FACTORS @ u) ** 2
    c, s = np.cos(angles), np.sin(angles)
    x, z = CHAINS[:, :, 0] * c + CHAINS[:, :, 1] * s, CHAINS[:, :, 1] * c - CHAINS[:, :, 0] * s
    places = np.stack([q[0] + x.sum(1), q[1] + z.sum(1)], 1)
    return places, ALONG_X + z @ FACTORS, ALONG_Z - x @ FACTORS, -np.stack([x @ squares, z @ squares], 1)


class Curve:
    """The monotone cubic through four points of a cycle (Fritsch and Carlson 1980), by its definition."""

    def __init__(self, shares, values):
        at = np.cumsum(shares)[:4] / np.sum(shares)
        wide, ends = np.append(at, at + 1.0), np.append(values, values)
        secants = (np.diff(ends) / np.diff(wide))[:4]
        before = np.roll(secants, 1)
        slopes = np.where(secants * before > 0.0, 0.5 * (secants + before), 0.0)
        sizes = np.hypot(slopes, np.roll(slopes, -1))
        least = np.where(sizes > 3.0 * abs(secants), 3.0 * abs(secants) / np.maximum(sizes, 1e-300), 1.0)
        slopes = slopes * np.minimum(least, np.roll(least, 1))
        self.at, self.values, self.slopes = wide.tolist(), ends.tolist(), [*slopes.tolist(), *slopes.tolist()]

    def __call__(self, phase):
        phase = phase if phase >= self.at[0] else phase + 1.0
        i = bisect_right(self.at, phase) - 1
        h = self.at[i + 1] - self.at[i]
        s, rise = (phase - self.at[i]) / h, self.values[i + 1] - self.values[i]
        m0, m1 = h * self.slopes[i], h * self.slopes[i + 1]
        return self.values[i] + s * (m0 + s * (3.0 * rise - 2.0 * m0 - m1 + s * (m0 + m1 - 2.0 * rise)))


class Walker:
    """The plain equations.

    Parameters
    ----------
    numbers : dict
        Parameters of the config.
    """

    def __init__(self, numbers):
        self.frequency = numbers["frequency"]
        self.curves = [Curve(numbers[f"{joint}_shares"], numbers[f"{joint}_angles"]) for joint in JOINTS]
        self.stiffness, self.damping = (
            np.array([numbers[f"{joint}_{kind}"] for joint in JOINTS] * 2) for kind in ("stiffness", "damping")
        )

    def targets(self, t):
        """Return the flexions of hip, knee and ankle that the left and the right leg want."""
        turns = self.frequency * t
        return np.array([curve(phase % 1.0) for phase in (turns, turns + 0.5) for curve in self.curves])

    def torques(self, t, q, u):
        """Return the torques of the six joints."""
        return np.clip(self.stiffness * (self.targets(t) - q[3:]) - self.damping * u[3:], -LIMIT, LIMIT)

    def mass_matrix(self, along_x, along_z):
        x, z = along_x[:7], along_z[:7]
        return x.T @ (MASS[:, None] * x) + z.T @ (MASS[:, None] * z) + INERTIA

    def rows(self, down, along_x, along_z, drift):
        """Return rows of some points, along x of the first one of each foot, along z of each; drifts; the points."""
        found = []
        for i in sorted(down):
            found += [(along_x[7 + i], drift[7 + i, 0], -1)] if i % 2 == 0 or i - 1 not in down else []
            found.append((along_z[7 + i], drift[7 + i, 1], i))
        return np.array([row for row, _, _ in found]), np.array([d for _, d, _ in found]), [i for _, _, i in found]

    def multipliers(self, mass, rows, wanted):
        """Return the forces with which rows change by what is wanted."""
        return np.linalg.solve(rows @ np.linalg.solve(mass, rows.T), wanted)

    def accelerations(self, t, q, u, down):
        """Return accelerations, and the normal forces of the points that are down."""
        _, along_x, along_z, drift = motion(q, u)
        mass = self.mass_matrix(along_x, along_z)
        force = -(MASS * drift[:7, 0]) @ along_x[:7] - (MASS * (drift[:7, 1] + GRAVITY)) @ along_z[:7]
        force[3:] += self.torques(t, q, u)
        free = np.linalg.solve(mass, force)
        if not down:
            return free, {}
        rows, drifts, points = self.rows(down, along_x, along_z, drift)
        forces = self.multipliers(mass, rows, -drifts - rows @ free)
        normal = {i: force for i, force in zip(points, forces, strict=True) if i >= 0}
        return free + np.linalg.solve(mass, rows.T @ forces), normal

    def strike(self, q, u, touching):
        """Return the speeds after a plastic impact, and the points that stay."""
        _, along_x, along_z, drift = motion(q, u)
        mass = self.mass_matrix(along_x, along_z)
        for down in subsets(touching):
            if not down:
                continue
            rows, _, points = self.rows(down, along_x, along_z, drift)
            impulses = self.multipliers(mass, rows, -rows @ u)
            after = u + np.linalg.solve(mass, rows.T @ impulses)
            pushes = [f for i, f in zip(points, impulses, strict=True) if i >= 0]
            if min(pushes) >= 0.0 and all(along_z[7 + i] @ after >= -1e-12 for i in touching - down):
                return after, down
        raise AssertionError("no impact is consistent")

    def settle(self, t, q, u, touching):
        """Return the points that are down when no force pulls and none of the others accelerates into the ground."""
        _, _, along_z, drift = motion(q, u)
        slow = [i for i in touching if along_z[7 + i] @ u < 1e-9]
        for down in subsets(touching):
            udot, forces = self.accelerations(t, q, u, down)
            away = [along_z[7 + i] @ udot + drift[7 + i, 1] for i in slow if i not in down]
            if min([*forces.values(), 0.0]) >= 0.0 and min([*away, 0.0]) >= -1e-9:
                return down
        raise AssertionError("no mode is consistent")

    def begin(self):
        """Return coordinates and speeds as a run begins: in the pose of the targets, 5 mm above the ground."""
        q, u = np.concatenate([np.zeros(3), self.targets(0.0)]), np.zeros(9)
        q[1], u[0] = 0.005 - motion(q, u)[0][7:, 1].min(), 0.4
        return q, u

    def boundaries(self, t, state, down):
        """Return heights of the points that are up, and normal forces of those that are down."""
        values = motion(state[:9], state[9:])[0][7:, 1].copy()
        for i, force in self.accelerations(t, state[:9], state[9:], down)[1].items():
            values[i] = force
        return values

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
                u, down = self.strike(q, u, down | {crossed})
                down = self.settle(t, q, u, down)
        return np.concatenate([q, u]), n_events

    def knots(self, until):
        """Return the times at which a target goes through a point, where its second derivative jumps; and the end."""
        cycles = np.arange(-1, int(until * self.frequency) + 2)
        at = [place + shift for curve in self.curves for place in curve.at[:4] for shift in (0.0, 0.5)]
        times = np.sort(np.add.outer(np.array(at), cycles).ravel()) / self.frequency
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
            for a, b in pairwise(times):
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
