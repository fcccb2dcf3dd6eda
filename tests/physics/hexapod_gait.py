"""The symmetric gait of the hexapod: after half a stride it is the mirror image of itself. Is it stable?

    python tests/physics/hexapod_gait.py                # the gaits of several slow swings, and their multipliers

The map is that of half a stride: run for half a period, look at the result from its own place and heading, and mirror
it, left legs for right ones. Newton's method finds the state that this map returns to itself, with the derivatives of
`hybridsim.sensitivity`. Its multipliers are those of half a stride; their squares are those of a stride.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import hybridsim

T_C = 0.53
BEGIN = 0.205
"""Where in its half turn leg 0 is when the half stride begins [s]: no toe lands, lifts, sticks or slips near it."""
LEGS = range(6)
MODEL = hybridsim.load_model("hexapod")
BODY = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")
TOES = tuple(f"f{leg}_{axis}" for leg in LEGS for axis in "xyz")
RATES = tuple(f"fdot{leg}_{axis}" for leg in LEGS for axis in "xyz")
RELEASES = tuple(f"release{leg}" for leg in LEGS)
STATES = ("r_x", "r_y", "r_z", "q_w", "q_x", "q_y", "q_z", *BODY, *TOES, *RATES, *RELEASES)
"""The states of the body and its legs, in the order in which they are used here."""
COORDINATES = ("r_z", "roll", "pitch", *BODY, *TOES, *RATES, *RELEASES)
"""The same without place and heading."""
MIRRORED = np.array([-1.0 if name in ("roll", "v_x", "omega_y", "omega_z") else 1.0 for name in COORDINATES])
"""Signs of the coordinates of the body in a mirror at x = 0."""
STEP = 1e-6
"""Step of the differences by which the two changes of coordinates are differentiated."""


@dataclass(frozen=True)
class Gait:
    """A gait that mirrors itself.

    Attributes
    ----------
    t_s : float
        Duration of the slow swing [s].
    coordinates : (51,) array
        `COORDINATES` where the half stride begins.
    free : (n,) int array
        Those that are not given by the ground under toes that stand.
    multipliers : (n,) complex array
        Of half a stride, largest first.
    miss : float
        By how much the half stride misses the mirror image.
    speed : float
        Length of the half stride along the way, by its time [m/s].
    """

    t_s: float
    coordinates: np.ndarray
    free: np.ndarray
    multipliers: np.ndarray
    miss: float
    speed: float


def heading_of(x):
    """Return the heading of a state, in the order of `STATES` [rad]: 0 is along y, positive to the left."""
    w, a, b, c = x[3:7] / np.linalg.norm(x[3:7])
    return math.atan2(2.0 * (w * c - a * b), 1.0 - 2.0 * (a * a + c * c))


def coordinates_of(x):
    """Look at a state (55,), in the order of `STATES`, from the body's own place and heading: (51,)."""
    w, a, b, c = x[3:7] / np.linalg.norm(x[3:7])
    yaw = heading_of(x)
    roll = math.atan2(2.0 * (w * b - a * c), 1.0 - 2.0 * (a * a + b * b))
    pitch = math.asin(2.0 * (b * c + w * a))
    turn = np.array([[math.cos(yaw), math.sin(yaw), 0.0], [-math.sin(yaw), math.cos(yaw), 0.0], [0.0, 0.0, 1.0]])
    toes = (x[13:31].reshape(6, 3) - [x[0], x[1], 0.0]) @ turn.T
    rates = x[31:49].reshape(6, 3) @ turn.T
    return np.concatenate([[x[2], roll, pitch], turn @ x[7:10], turn @ x[10:13], toes.ravel(), rates.ravel(), x[49:55]])


def state_of(coordinates):
    """Return the state (55,) with these coordinates (51,) above the origin, heading along y."""
    height, roll, pitch = coordinates[:3]
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    return np.concatenate([[0.0, 0.0, height, cp * cr, sp * cr, cp * sr, sp * sr], coordinates[3:]])


def mirrored(coordinates):
    """Return the mirror image of coordinates (51,): left legs for right ones."""
    image = MIRRORED * coordinates
    for first in (9, 27):
        toes = image[first : first + 18].reshape(6, 3)
        image[first : first + 18] = (np.roll(toes, 3, axis=0) * [-1.0, 1.0, 1.0]).ravel()
    image[45:51] = np.roll(image[45:51], 3)
    return image


def jacobian(function, x):
    """Return the derivative of a function of a vector, by central differences."""
    steps = STEP * np.eye(len(x))
    return np.transpose([(function(x + step) - function(x - step)) / (2.0 * STEP) for step in steps])


def half_stride(coordinates, t_s, *, rtol=1e-10, every_step=False):
    """Run for half a period; return the run."""
    lags = {f"lag{leg}": -BEGIN / T_C for leg in LEGS}
    start = {"posed": 1.0, **dict(zip(STATES, map(float, state_of(coordinates)), strict=True))}
    run = hybridsim.simulate(
        MODEL,
        final_time=0.5 * T_C,
        rtol=rtol,
        atol=1e-2 * rtol,
        max_transitions=10**5,
        record=True if every_step else {"period": 0.5 * T_C},
        parameters=lags,
        inputs={"t_c": T_C, "t_s": t_s},
        initial=start,
    )
    assert run.status.ok, run.message
    return run


def state_in(run, row):
    """Return the state of a row, in the order of `STATES`."""
    return np.array([run[name][row] for name in STATES])


def image_of(run):
    """Return the mirror image of where a half stride ends."""
    return mirrored(coordinates_of(state_in(run, -1)))


def derivative_of(coordinates, run):
    """Return the derivative (51, 51) of the map of half a stride."""
    by_state = hybridsim.sensitivity(run, list(STATES), model=MODEL).final
    rows = [run.states.index(name) for name in STATES]
    matrix = np.asarray(by_state.values)[rows]
    return jacobian(lambda x: mirrored(coordinates_of(x)), state_in(run, -1)) @ matrix @ jacobian(state_of, coordinates)


def free_coordinates(run):
    """Return the coordinates that vary: toes that stand are on the ground and at rest, none slips."""
    stands = [run[f"stance{leg}"][0] == 1.0 for leg in LEGS]
    assert not any(run[f"slipping{leg}"][0] for leg in LEGS)
    free = [*range(9)]
    for leg, is_down in enumerate(stands):
        free += [9 + 3 * leg, 10 + 3 * leg]
        free += [] if is_down else [11 + 3 * leg, *range(27 + 3 * leg, 30 + 3 * leg)]
    return np.array(free)


def speed_of(run):
    """Return the speed of a gait that mirrors itself [m/s]; its way halves the turn of half a stride."""
    end = state_in(run, -1)
    way = 0.5 * heading_of(end)
    return float(end[1] * math.cos(way) - end[0] * math.sin(way)) / (0.5 * T_C)


def find_gait(guess, t_s, *, tolerance=1e-8, most=8):
    """Find a gait that mirrors itself near a guess (51,), by Newton's method."""
    coordinates = np.array(guess)
    for _ in range(most):
        run = half_stride(coordinates, t_s, every_step=True)
        free = free_coordinates(run)
        miss = (image_of(run) - coordinates)[free]
        derivative = derivative_of(coordinates, run)[np.ix_(free, free)]
        if np.abs(miss).max() < tolerance:
            multipliers = np.linalg.eigvals(derivative)
            multipliers = multipliers[np.argsort(-np.abs(multipliers), kind="stable")]
            return Gait(t_s, coordinates, free, multipliers, float(np.abs(miss).max()), speed_of(run))
        coordinates[free] += np.linalg.solve(np.eye(len(free)) - derivative, miss)
    raise RuntimeError(f"no gait found at t_s = {t_s} s: half a stride misses its image by {np.abs(miss).max():.2g}")


def settled(t_s, strides=30):
    """Return the coordinates to which a run comes from rest, where a half stride begins."""
    run = hybridsim.simulate(
        MODEL,
        final_time=strides * T_C,
        rtol=1e-7,
        max_transitions=10**6,
        record={"period": strides * T_C},
        parameters={f"lag{leg}": -BEGIN / T_C for leg in LEGS},
        inputs={"t_c": T_C, "t_s": t_s},
    )
    return coordinates_of(state_in(run, -1))


def follow(slow_swings):
    """Yield the gaits of rising slow swings [s]; from rest, a run comes to the first."""
    known = []
    for t_s in slow_swings:
        guess = settled(t_s) if not known else known[-1].coordinates
        if len(known) > 1:
            share = (t_s - known[-1].t_s) / (known[-1].t_s - known[-2].t_s)
            guess = guess + share * (known[-1].coordinates - known[-2].coordinates)
        known.append(find_gait(guess, t_s))
        yield known[-1]


SLOW_SWINGS = (0.31, 0.314, 0.318, 0.322, 0.326, 0.329978)
"""Up to that of setting 2 [s]."""


if __name__ == "__main__":
    print("t_s [s]   speed [m/s]   largest multipliers of half a stride")
    for gait in follow(SLOW_SWINGS):
        print(f"{gait.t_s:<9g} {gait.speed:<13.5f}", *(f"{value:.5f}" for value in gait.multipliers[:3]))
