"""Walkers whose legs are rigid bodies: the gaits of docs/walkers.md, and laws of their collisions and of their motion.

An independent program found the gaits, with equations, an integrator and derivatives of its own. The momenta are those
of bodies that turn in a plane, written down here from the conventions of that page: places are complex numbers, along
the slope and above it, and a leg that leans forwards by theta is turned by exp(-i theta).
"""

import cmath
import math

import numpy as np
import pytest

from hybridsim import continue_orbit, find_orbit, simulate
from hybridsim_models.walkers import compass_gait, kneed_walker, straight_legs

from .gait_tables import PAGE, multipliers_of, slope_of, table, tables

TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}
GENERAL = {"m": 0.5, "m_H": 1.0, "l": 1.0, "R": 0.2, "c": 0.5, "r": 0.2}
COMPASS = {"m": 5.0, "m_H": 10.0, "l": 1.0, "R": 0.0, "c": 0.5, "r": 0.0, "g": 9.81}
MCGEER = {
    "l_t": 0.46, "l_s": 0.54, "R": 0.2, "eps_K": 0.2, "m_H": 0.676, "m_t": 0.1, "m_s": 0.062, "c_t": 0.2,
    "c_s": 0.24, "w_t": 0.0, "w_s": 0.01, "r_t": 0.135, "r_s": 0.186, "g": 1.0, "slope": 0.0456,
}  # fmt: skip
CHEN = {
    "l_t": 0.5, "l_s": 0.5, "R": 0.0, "eps_K": 0.0, "m_H": 0.5, "m_t": 0.5, "m_s": 0.05, "c_t": 0.325,
    "c_s": 0.125, "w_t": 0.0, "w_s": 0.0, "r_t": 0.0, "r_s": 0.0, "g": 9.81, "slope": 0.0504,
}  # fmt: skip
KNEED = {
    "McGeer": MCGEER,
    "original": {"m_t": 0.9868, "r_t": 0.1354, "c_t": 0.116},
    "first": {"m_t": 1.7868, "r_t": 0.1006, "c_t": 0.116},
    "second": {"m_t": 1.9568, "r_t": 0.0992, "c_t": 0.108},
    "final": {"m_t": 2.3451, "r_t": 0.0992, "c_t": 0.091},
    "Chen": CHEN,
}
RATES = ("thetadot_st", "thetadot_th", "thetadot_sh")


def straight_gaits():
    """The parameters, the state after a heelstrike, the time of a step and the multipliers."""
    for slope, walker, *numbers, multipliers in table("Straight legs with round feet"):
        angle, stance, swing, time = map(float, numbers)
        parameters = {"slope": slope_of(slope)} | (GENERAL if walker == "general" else {})
        yield parameters, straight_state(angle, stance, swing), time, multipliers_of(multipliers)


def kneed_gaits():
    """The name, the state after a heelstrike, the times of kneestrike and step, and the multipliers."""
    for row in tables("Knees")[1]:
        state = kneed_state(float(row["theta_st"]), *(float(row[name]) for name in RATES))
        times = [float(row[name]) if row[name] else None for name in ("kneestrike", "time")]
        yield row["walker"], state, times, np.append(multipliers_of(row["multipliers"]), 0.0)


def straight_state(angle, stance, swing):
    return {"theta_st": angle, "theta_sw": -angle, "thetadot_st": stance, "thetadot_sw": swing}


def kneed_state(angle, *rates):
    return {"theta_st": angle, "theta_th": -angle, "theta_sh": -angle, **dict(zip(RATES, rates, strict=True))}


STRAIGHT_GAITS, KNEED_GAITS = list(straight_gaits()), list(kneed_gaits())
BY_NAME = {name: (KNEED[name], state) for name, state, *_ in KNEED_GAITS}


def test_the_documentation_has_its_gaits():
    assert (len(STRAIGHT_GAITS), [name for name, *_ in KNEED_GAITS]) == (4, list(KNEED))


def walk(model, parameters, initial, t0=0.0, steps=1):
    return simulate(
        model, parameters=parameters, initial=initial, initial_time=t0, final_time=t0 + 5.0 * steps,
        stop=[("heelstrike", steps)], **TIGHT,
    )  # fmt: skip


def orbit_near(model, parameters, state):
    """The gait from a guess that has three digits of the state."""
    rough = {name: round(value, 3) for name, value in state.items()}
    return find_orbit(model, parameters=parameters, section="heelstrike", initial=rough)


def state_of(orbit, names):
    return [orbit.x[name] for name in names]


@pytest.mark.parametrize(("parameters", "state", "time", "multipliers"), STRAIGHT_GAITS)
def test_straight_legs_have_their_gaits(parameters, state, time, multipliers):
    orbit = orbit_near("straight_legs", parameters, state)
    np.testing.assert_allclose(state_of(orbit, state), list(state.values()), rtol=0, atol=1e-9)
    assert orbit.period == pytest.approx(time, abs=1e-9)
    np.testing.assert_allclose(np.sort_complex(orbit.multipliers), multipliers, rtol=0, atol=2e-9)


@pytest.mark.exhaustive  # their derivatives are compiled for half a minute; the runs below are without
@pytest.mark.members(1)
@pytest.mark.parametrize(("name", "state", "times", "multipliers"), KNEED_GAITS)
def test_kneed_walkers_have_their_gaits(name, state, times, multipliers):
    orbit = orbit_near("kneed_walker", KNEED[name], state)
    np.testing.assert_allclose(state_of(orbit, state), list(state.values()), rtol=0, atol=1e-9)
    kneestrike, period = times
    assert orbit.period == pytest.approx(period, abs=1e-9)
    if kneestrike is not None:
        first = next(event.t for event in orbit.events if "kneestrike" in event.boundaries)
        assert first == pytest.approx(kneestrike, abs=1e-9)
    found = np.append(orbit.multipliers, np.zeros(len(multipliers) - len(orbit.multipliers)))
    np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(multipliers), rtol=0, atol=2e-9)


def test_the_state_that_passivewalker_prints_for_round_feet_is_no_gait():
    theta, thetadot, phi, phidot = 0.189472782205104, -0.239124222551699, 0.378945564410209, -0.053691703909393
    printed = straight_state(-theta, -thetadot, phidot - thetadot)
    assert phi == pytest.approx(2.0 * theta, abs=1e-14)  # so that theta_sw = phi - theta = -theta_st
    run = walk("straight_legs", {"slope": 0.01} | GENERAL, printed)
    missed = np.abs(run.x[-1, :4] - list(printed.values())).max()
    assert f"misses it by {missed:.1e}" in PAGE.replace("\n", " ")


def test_mcgeers_kneestrike_is_the_one_of_the_reference():
    parameters, state = BY_NAME["McGeer"]
    run = walk("kneed_walker", parameters, state)
    knee = next(event for event in run.events if "kneestrike" in event.boundaries)
    expected = [0.04039321451911, -0.25747823602937, -0.25747823602937]
    expected += [0.23545879289865, 0.42332753961873, -2.06067982199104]
    np.testing.assert_allclose(knee.x_before[:6], expected, rtol=0, atol=1e-9)
    after = [*expected[:3], 0.21655242142326, -0.41909085652374, -0.41909085652374]
    np.testing.assert_allclose(knee.x_after[:6], after, rtol=0, atol=1e-9)
    heel = next(event for event in run.events if "heelstrike" in event.boundaries)
    np.testing.assert_allclose(heel.x_before[3:5], [0.45033409743231, 0.29194683516457], rtol=0, atol=1e-9)
    lowest = next(event for event in run.events if "lowest" in event.boundaries)
    assert lowest.t == pytest.approx(1.5008, abs=5e-4)  # not as exact as its digits: the minimum is flat
    walker = Rigid(parameters, lowest.x_after[:3], lowest.x_after[3:6])
    height, rise = walker.feet[1][0].imag - parameters["R"], walker.feet[1][1].imag
    assert (height, rise) == (
        pytest.approx(lowest.x_after[kneed_walker.S.lowest_clearance], rel=1e-12),
        pytest.approx(0.0, abs=1e-10),
    )
    assert lowest.x_after[kneed_walker.S.lowest_clearance] == pytest.approx(0.0087756, abs=5e-8)


@pytest.mark.exhaustive  # as above
def test_mcgeers_printed_eigenvalues_are_within_their_rounding():
    published, _, ours = zip(
        *([row[key] for key in ("published", "reference", "ours")] for row in tables("Knees")[2]), strict=True
    )
    orbit = orbit_near("kneed_walker", *BY_NAME["McGeer"])
    first, _, third = orbit.multipliers[:3]
    found = [abs(first), abs(cmath.phase(first)), third.real]
    for value, text, band in zip(found, published, (0.03, 0.1, 0.01), strict=False):
        assert value == pytest.approx(float(text), abs=band)
    found.append(orbit.characteristics["lowest_clearance.before(heelstrike)"])
    assert [f"{value:.6g}" for value in found] == list(ours)


def random_kneed(n):
    """Parameters by name, and states at a heelstrike, or anywhere with a straight leg that may bend."""
    rng = np.random.default_rng(2)
    for _ in range(n):
        p = {record.name: rng.uniform(0.1, 1.0) for record in kneed_walker.PARAMETERS}
        p |= {"w_t": rng.uniform(-0.1, 0.1), "slope": 0.1, "R": rng.uniform(0.0, 1.0) * p["l_s"]}
        yield p, rng.uniform(0.05, 0.5), rng.uniform(-2.0, 2.0, 3)


class Rigid:
    """The walker in a plane: places, velocities, masses, moments of inertia and rates of its bodies.

    The root of the tree is the stance foot; `contact` is the point below its centre.
    """

    def __init__(self, p, angles, rates):
        d = p["l_s"] - p["R"]
        length = math.sqrt(p["l_t"] ** 2 + d**2 + 2.0 * p["l_t"] * d * math.cos(p["eps_K"]))
        back = math.asin(d / length * math.sin(p["eps_K"]))
        thigh_line, shank_line = -1j * cmath.exp(-1j * back), -1j * cmath.exp(1j * (p["eps_K"] - back))
        knee, foot = p["l_t"] * thigh_line, d * shank_line
        thigh = (p["c_t"] - 1j * p["w_t"]) * thigh_line  # behind a line that points down is to its right
        shank = (p["c_s"] - 1j * p["w_s"]) * shank_line
        (st, th, sh), (st_rate, th_rate, sh_rate) = angles, rates
        self.contact = p["R"] * st
        hip = self.contact + 1j * p["R"] - turned(knee + foot, st), p["R"] * st_rate - moved(knee + foot, st, st_rate)
        self.hip, self.bodies = hip, []
        self.knees, self.feet = [], []
        for upper, upper_rate, lower, lower_rate in ((st, st_rate, st, st_rate), (th, th_rate, sh, sh_rate)):
            joint = added(hip, knee, upper, upper_rate)
            self.knees.append(joint)
            self.feet.append(added(joint, foot, lower, lower_rate))
            self.bodies.append((p["m_t"], p["r_t"], *added(hip, thigh, upper, upper_rate), upper_rate))
            self.bodies.append((p["m_s"], p["r_s"], *added(joint, shank, lower, lower_rate), lower_rate))
        self.bodies.append((p["m_H"], 0.0, *hip, 0.0))

    def momentum(self, about, bodies=slice(None)):
        """The clockwise angular momentum of some bodies about a point at rest, and the sum of its terms' sizes."""
        terms = [
            term
            for mass, radius, place, velocity, rate in self.bodies[bodies]
            for term in (-mass * ((place - about).conjugate() * velocity).imag, mass * radius**2 * rate)
        ]
        return sum(terms), sum(map(abs, terms))


def turned(vector, angle):
    return vector * cmath.exp(-1j * angle)


def moved(vector, angle, rate):
    return -1j * rate * turned(vector, angle)


def added(point, vector, angle, rate):
    """The place and the velocity at the end of a vector that turns, from those of its beginning."""
    return point[0] + turned(vector, angle), point[1] + moved(vector, angle, rate)


STANCE_LEG, SWING_LEG, STANCE_SHANK, SWING_SHANK = slice(0, 2), slice(2, 4), slice(1, 2), slice(3, 4)


def kept(before, after):
    (first, size), (second, other) = before, after
    assert second == pytest.approx(first, abs=1e-13 * (size + other))


def transition(model, parameters, x, chart, boundary):
    p = [parameters.get(record.name, record.default) for record in model.PARAMETERS]
    after = list(x)
    crossed = [int(name == boundary) for name in model.B._fields]
    model.transition(after, 0.0, x, p, chart, crossed)
    return after


def test_a_heelstrike_keeps_the_angular_momenta_about_the_new_contact_the_hip_and_the_free_knee():
    for p, angle, (st, sw, _) in random_kneed(20):
        before = [angle, -angle, -angle, st, sw, sw, *[0.0] * 6]
        after = transition(kneed_walker, p, before, kneed_walker.C.locked_knee, "heelstrike")
        assert after[:3] == [-angle, angle, angle]
        old, new = Rigid(p, before[:3], before[3:6]), Rigid(p, after[:3], after[3:6])
        assert new.hip[0] - new.contact == pytest.approx(old.hip[0] - old.feet[1][0].real, abs=1e-15)
        kept(old.momentum(old.feet[1][0].real), new.momentum(new.contact))
        kept(old.momentum(old.hip[0], STANCE_LEG), new.momentum(new.hip[0], SWING_LEG))
        kept(old.momentum(old.knees[0][0], STANCE_SHANK), new.momentum(new.knees[1][0], SWING_SHANK))


def test_a_kneestrike_keeps_the_angular_momenta_about_the_contact_and_the_hip():
    for p, angle, rates in random_kneed(20):
        before = [0.3 * angle, -angle, -angle, *rates, *[0.0] * 6]
        after = transition(kneed_walker, p, before, kneed_walker.C.free_knee, "kneestrike")
        assert after[4] == after[5]
        old, new = Rigid(p, before[:3], before[3:6]), Rigid(p, after[:3], after[3:6])
        kept(old.momentum(old.contact), new.momentum(new.contact))
        kept(old.momentum(old.hip[0], SWING_LEG), new.momentum(new.hip[0], SWING_LEG))


def test_a_heelstrike_of_straight_legs_keeps_the_angular_momenta_about_the_new_contact_and_the_hip():
    for kneed, angle, (st, sw, _) in random_kneed(20):
        p = {name: kneed[name] for name in ("m_H", "R", "slope", "g")} | {"l": kneed["l_t"], "c": kneed["c_t"]}
        p |= {"m": kneed["m_t"], "w": kneed["w_t"], "r": kneed["r_t"]}
        # thighs that reach down to the centres of the feet, and shanks without length and mass
        alike = kneed | {"l_s": p["R"], "eps_K": 0.0, "m_s": 0.0}
        before = [angle, -angle, st, sw, 0.0, 0.0, 0.0]
        after = transition(straight_legs, p, before, straight_legs.C.leg_ahead, "heelstrike")
        assert after[:2] == [-angle, angle]
        old = Rigid(alike, (angle, -angle, -angle), (st, sw, sw))
        new = Rigid(alike, (-angle, angle, angle), (after[2], after[3], after[3]))
        kept(old.momentum(old.feet[1][0].real), new.momentum(new.contact))
        kept(old.momentum(old.hip[0], STANCE_LEG), new.momentum(new.hip[0], SWING_LEG))


@pytest.mark.parametrize(
    ("model", "parameters", "state"),
    [
        ("straight_legs", *STRAIGHT_GAITS[0][:2]),
        ("straight_legs", *STRAIGHT_GAITS[3][:2]),
        *(("kneed_walker", *gait) for gait in BY_NAME.values()),
    ],
)
def test_energy_is_kept_in_the_swing_and_a_gait_loses_what_the_descent_gives(model, parameters, state):
    run = walk(model, parameters, state)
    steps = np.flatnonzero(np.diff(run.j) * (np.diff(run["kinetic"]) != 0)) + 1
    for swing in np.split(np.arange(len(run.t)), steps):
        scale = run["kinetic"][swing].max() + abs(run["potential"][swing]).max()
        np.testing.assert_allclose(run["energy"][swing], run["energy"][swing[0]], rtol=0, atol=1e-11 * scale)
    records = {"straight_legs": straight_legs, "kneed_walker": kneed_walker}[model].PARAMETERS
    p = {record.name: parameters.get(record.name, record.default) for record in records}
    mass = p["m_H"] + 2.0 * (p["m"] if model == "straight_legs" else p["m_t"] + p["m_s"])
    step = run["foot_x"][-2] + 2.0 * p["R"] * abs(state["theta_st"])
    lost = -np.diff(run["kinetic"])[steps - 1].sum()
    assert lost == pytest.approx(mass * p["g"] * step * math.sin(p["slope"]), rel=1e-9)


LENGTHS = {"l_t", "l_s", "R", "c_t", "c_s", "w_t", "w_s", "r_t", "r_s", "l", "c", "w", "r", "g"}


@pytest.mark.parametrize(
    ("model", "parameters", "state", "defaults"),
    [
        ("straight_legs", *STRAIGHT_GAITS[0][:2], straight_legs.PARAMETERS),
        ("kneed_walker", *BY_NAME["original"], kneed_walker.PARAMETERS),
    ],
)
def test_a_gait_is_the_same_in_millimetres_and_a_million_seconds_later(model, parameters, state, defaults):
    here, later = walk(model, parameters, state), walk(model, parameters, state, t0=1e6)
    p = {record.name: parameters.get(record.name, record.default) for record in defaults}
    small = walk(model, {name: value * (1000.0 if name in LENGTHS else 1.0) for name, value in p.items()}, state)
    angles = len(state)
    for other, time in ((later, later.t[-1] - 1e6), (small, small.t[-1])):
        assert [event.boundaries for event in other.events] == [event.boundaries for event in here.events]
        np.testing.assert_allclose(other.x[-1, :angles], here.x[-1, :angles], rtol=0, atol=1e-9)
        assert time == pytest.approx(here.t[-1], abs=1e-9)
    powers = {"clearance": 1, "hip_z": 1, "force_z": 1, "energy": 2}
    powers |= {"lowest_clearance": 1, "stance_knee": 2} if model == "kneed_walker" else {}
    for name, power in powers.items():
        assert small[name][-2] == pytest.approx(1000.0**power * here[name][-2], rel=1e-8, abs=1e-9 * 1000.0**power)


def test_straight_legs_without_feet_and_inertia_have_the_equations_of_the_compass():
    rng = np.random.default_rng(3)
    for _ in range(20):
        m, m_hip, a, b, g = rng.uniform(0.5, 5.0, 5)
        p = {"m": m, "m_H": m_hip, "l": a + b, "R": 0.0, "c": b, "w": 0.0, "r": 0.0, "g": g, "slope": 0.1}
        x, angle = rng.uniform(-1.0, 1.0, 4).tolist(), rng.uniform(0.05, 0.5)
        expected, found = [0.0] * 5, [0.0] * 7
        compass = [m, m_hip, a, b, g, 0.1]
        compass_gait.vector_field(expected, 0.0, [*x, 0.0], compass, 0)
        straight_legs.vector_field(found, 0.0, [*x, 0.0, 0.0, 0.0], [p[r.name] for r in straight_legs.PARAMETERS], 0)
        np.testing.assert_allclose(found[:4], expected[:4], rtol=1e-11)
        x[:2] = angle, -angle
        compass_gait.transition(expected, 0.0, [*x, 0.0], compass, 1, [0, 0, 1])
        found = transition(straight_legs, p, [*x, 0.0, 0.0, 0.0], straight_legs.C.leg_ahead, "heelstrike")
        np.testing.assert_allclose(found[:4], expected[:4], rtol=1e-11)


@pytest.mark.parametrize("row", table("The compass gait"), ids=lambda row: row[0])
def test_straight_legs_have_the_gaits_of_the_compass(row):
    slope, angle, stance, swing, time, multipliers = row
    state = straight_state(float(angle), float(stance), float(swing))
    orbit = orbit_near("straight_legs", COMPASS | {"slope": slope_of(slope)}, state)
    np.testing.assert_allclose(state_of(orbit, state), list(state.values()), rtol=0, atol=1e-9)
    assert orbit.period == pytest.approx(float(time), abs=1e-9)
    np.testing.assert_allclose(np.sort_complex(orbit.multipliers), multipliers_of(multipliers), rtol=0, atol=6e-7)


@pytest.mark.exhaustive  # the compass has the equations of bodies in the ordinary run
def test_the_period_of_the_compass_made_of_bodies_doubles_where_the_other_one_does():
    state = straight_state(-0.30, 1.14, 0.21)
    orbit = find_orbit("straight_legs", parameters=COMPASS | {"slope": 0.07}, section="heelstrike", initial=state)
    (flip,) = continue_orbit(orbit, "slope", to=0.078).bifurcations
    assert (flip.kind, math.degrees(flip.value)) == ("flip", pytest.approx(4.390898249602, abs=1e-7))
