"""The configs of mechanisms with loops and contacts, against values that are known otherwise."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from hybridsim import find_orbit, load_config, simulate
from hybridsim.multibody import load_mechanism
from hybridsim.simulation import Simulation

from .config_runs import CONFIGS, run_of

G = 9.81
TIGHT = ("engine.rtol=1e-9", "engine.atol=1e-11")
INERTIA = 2 * (1.0025 / 12 + 0.25) + 1.0
"""Of the pendulum that a parallelogram of three links is equivalent to; its weight drives it with 2 g sin(angle)."""


def test_a_chain_moves_as_lagrange_says():
    """In absolute angles of the links, with damping of the differences of their rates."""
    n = 5
    after = np.array([[n - max(i, j) - 1 for j in range(n)] for i in range(n)])
    mass = after + 0.5 * (1 - np.eye(n)) + np.eye(n) * (0.25 + 1.0025 / 12)
    weights = G * (np.arange(n)[::-1] + 0.5)
    differences = np.eye(n) - np.eye(n, k=-1)
    damping = 20.0 * differences.T @ differences

    def rates(t, y):
        angle, rate = y[:n], y[n:]
        turn = angle[:, None] - angle
        force = -(mass * np.sin(turn)) @ rate**2 - weights * np.sin(angle) - damping @ rate
        return np.concatenate([rate, np.linalg.solve(mass * np.cos(turn), force)])

    start = np.concatenate([np.full(n, 0.2 * math.pi), np.zeros(n)])
    expected = solve_ivp(rates, (0.0, 2.0), start, rtol=1e-11, atol=1e-13, method="LSODA").y[:n, -1]
    run = run_of("multibody/chain.yaml", "final_time=2", *TIGHT)
    found = np.cumsum([run[f"q{i}"][-1] for i in range(n)])
    np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.exhaustive  # four-bars of `tests/contacts` swing with their period
def test_a_parallelogram_has_the_period_of_its_pendulum():
    """4 sqrt(I / 2 g) K(sin 18 deg)."""
    run = run_of("multibody/parallelogram.yaml", "final_time=1.87774887531348840805", *TIGHT)
    assert run["q0"][-1] == pytest.approx(math.radians(36), abs=1e-8)
    assert run["q0dot"][-1] == pytest.approx(0.0, abs=1e-7)


def test_the_motor_at_the_closing_pin_drives_the_parallelogram():
    """I angle'' = -2 g sin(angle) - 40 (angle - 0.5) - 4 angle': one equation for all three links."""

    def rates(t, y):
        return [y[1], (-2 * G * math.sin(y[0]) - 40 * (y[0] - 0.5) - 4 * y[1]) / INERTIA]

    expected = solve_ivp(rates, (0.0, 1.0), [0.0, 0.0], rtol=1e-11, atol=1e-13).y[:, -1]
    run = run_of("multibody/parallelogram_driven.yaml", "final_time=1", *TIGHT)
    assert (run["rocker"][-1], run["rockerdot"][-1]) == pytest.approx(tuple(expected), abs=1e-8)


def test_the_pin_between_coupler_and_rocker_carries_what_newton_says():
    """At rest, about the crank's pin and the coupler's end: coupler and motor load it."""
    run = run_of("multibody/parallelogram_driven.yaml", "final_time=40", *TIGHT)
    angle = run["rocker"][-1]
    torque = 40 * (0.5 - angle)
    assert torque == pytest.approx(2 * G * math.sin(angle), abs=1e-6)
    # on the rocker alone, about its fixed pin: its weight, the motor, and the pin's force at its end
    end = np.array([-math.sin(angle), -math.cos(angle)])
    force = -np.array([run["tip_force_x"][-1], run["tip_force_z"][-1]])
    assert abs(force[1]) == pytest.approx(G / 2, abs=1e-5)  # the coupler is level: each of its ends carries half of it
    moment = end[1] * force[0] - end[0] * force[1] + torque - 0.5 * G * math.sin(angle)
    assert moment == pytest.approx(0.0, abs=1e-5)


@pytest.mark.exhaustive  # both configs are run by `test_bundled`
def test_multipliers_and_independent_speeds_are_the_same_four_bar():
    by_pin = run_of("multibody/four_bar_multipliers.yaml", "final_time=3", *TIGHT)
    reduced = run_of("multibody/four_bar.yaml", "final_time=3", *TIGHT)
    assert len(by_pin.events) == 0 < len(reduced.events)
    for name in ("crank", "coupler", "rocker"):
        assert by_pin[name][-1] == pytest.approx(reduced[name][-1], abs=2e-6)
    assert by_pin["loop_error"].max() < 1e-8


def test_a_pantograph_keeps_its_bars_parallel_and_loses_energy():
    """What the hip's damper takes is the integral of 1e-3 hipdot^2."""
    run = run_of("multibody/pantograph.yaml", "final_time=3", "record={steps: true}", *TIGHT)
    np.testing.assert_allclose(run["knee"] + run["ankle"], 0.0, atol=1e-8)
    np.testing.assert_allclose(run["parallel"], run["knee"], atol=1e-8)
    lost = np.trapezoid(1e-3 * run["hipdot"] ** 2, run.t)
    assert run["energy"][0] - run["energy"][-1] == pytest.approx(lost, rel=1e-3)
    assert np.diff(run["energy"]).max() < 1e-9


@pytest.mark.exhaustive  # as the coin
def test_a_wheel_rolls_when_it_should_and_rolls_back():
    """It slips for v / (g (sin + 3 mu cos)) s, and rolls with 2/3 of g sin, down the slope; both by Newton."""
    run = run_of("multibody/rolling_wheel.yaml", *TIGHT)
    sine, cosine = math.sin(0.1), math.cos(0.1)
    until = 3.0 / (G * (sine + 3 * 0.5 * cosine))
    (event,) = run.events
    assert (event.boundaries, event.t) == (("rim_stop",), pytest.approx(until, abs=1e-9))
    speed = 3.0 - G * (sine + 0.5 * cosine) * until - 2 / 3 * G * sine * (8.0 - until)
    assert run["wheel_xdot"][-1] == pytest.approx(speed * cosine, abs=1e-8)
    assert run["wheel_angledot"][-1] == pytest.approx(speed / 0.2, abs=1e-7)


@pytest.mark.exhaustive  # that of bodies is in `tests/physics`
def test_a_compass_of_contacts_walks_as_the_compass_gait():
    """Goswami et al. (1996) on 3 degrees, by Lagrange's equations: the models share no line; one orbit is two steps."""
    config = load_config(CONFIGS / "multibody/compass.yaml", ["engine.rtol=1e-11", "engine.atol=1e-13"])
    run = Simulation.from_config(config).run()
    steps = [event.t for event in run.events if event.boundaries[0].endswith("_gap")]
    gait = find_orbit("compass_gait", section="heelstrike", parameters={"slope": math.radians(3)})
    assert np.diff([0.0, *steps]) == pytest.approx(gait.period, abs=1e-9)
    assert len(steps) == 10
    orbit = find_orbit(config.model, section="left_gap", initial=config.initial)
    assert orbit.period == pytest.approx(2.0 * gait.period, abs=1e-11)
    np.testing.assert_allclose(np.sort_complex(orbit.multipliers), np.sort_complex(gait.multipliers**2), atol=1e-9)


@pytest.mark.exhaustive  # `tests/analysis/test_groups.py` has such a hopper
@pytest.mark.slow
def test_a_hopper_hops_alike_from_every_height():
    """At the lower stop of the leg nothing moves: the hop that follows does not depend on the one before."""
    config = load_config(CONFIGS / "multibody/hopper.yaml", ["engine.rtol=1e-10", "engine.atol=1e-12"])
    orbit = find_orbit(config.model, section="leg_lower_gap", initial=config.initial)
    assert np.abs(orbit.multipliers).max() < 1e-9
    for height in (0.9, 1.4):
        run = simulate(config.model, initial={"height": height, "leg": 0.3}, final_time=4.0, rtol=1e-10, atol=1e-12)
        bottoms = [event for event in run.events if event.boundaries == ("leg_lower_gap",)]
        assert np.diff([event.t for event in bottoms]) == pytest.approx(orbit.period, abs=1e-8)
        for event in bottoms:
            assert event.x_after[[0, 2, 3]] == pytest.approx([0.4, 0.0, 0.0], abs=1e-10)


@pytest.mark.exhaustive  # `tests/contacts/test_terrain.py` has disks on waves
def test_a_wheel_on_waves_bounces_and_then_rolls_without_loss():
    """Impacts take energy, and where it rolls, nothing does; its centre keeps 0.2 m from the waves."""
    run = run_of("multibody/hills.yaml", "record={steps: true}", *TIGHT)
    assert np.diff(run["energy"]).max() < 1e-8
    rolls = run.t > run.events.t[-1]
    assert np.ptp(run["energy"][rolls]) < 1e-8
    assert np.abs(run["rim_gap"][rolls]).max() < 1e-10
    places = np.linspace(-2.0, 3.0, 200_001)
    for x, z in zip(run["wheel_x"][rolls][::20], run["wheel_z"][rolls][::20], strict=True):
        assert np.hypot(places - x, 0.15 * np.sin(3 * places) - z).min() == pytest.approx(0.2, abs=1e-8)


@pytest.mark.exhaustive  # `tests/physics` has McGeer's wheel
def test_a_wheel_of_spokes_walks_with_the_speed_of_mcgeer():
    """McGeer (1990): the rate is kept times (cos 60 deg + r) / (1 + r), r = 0.25, at each spoke; weight restores it."""
    run = run_of("multibody/spoked_wheel.yaml", "final_time=30", *TIGHT)
    kept = (0.5 + 0.25) / 1.25
    gained = 4 * G * math.sin(math.pi / 6) * math.sin(0.2) / 1.25
    steps = [event for event in run.events if "_gap" in event.boundaries[0]]
    angledot = 5
    before, after = (float(getattr(steps[-1], when)[angledot]) for when in ("x_before", "x_after"))
    assert before**2 == pytest.approx(gained / (1 - kept**2), rel=1e-8)
    assert after == pytest.approx(kept * before, rel=1e-8)


def test_the_woodpecker_of_the_config_has_its_orbit():
    """Its period as a time stepping scheme finds it; deviations alternate and decay by 0.839 at each blow."""
    config = load_config(CONFIGS / "multibody/woodpecker.yaml")
    run = Simulation.from_config(config).run()
    blows = np.array([event.t for event in run.events if "beak_gap" in event.boundaries])
    assert np.diff(blows)[-1] == pytest.approx(0.1459760651442, abs=1e-4)
    orbit = find_orbit(config.model, section="beak_gap", initial=config.initial)
    assert orbit.period == pytest.approx(0.1459760651442, abs=2e-12)
    assert orbit.multipliers[0].real == pytest.approx(-0.8392, abs=1e-3)


@pytest.mark.members(1)
@pytest.mark.parametrize(("friction", "grows"), [(0.295, False), (0.2892, True)])
def test_the_woodpecker_limps_where_its_branch_has_a_flip(friction, grows):
    """Continued over `lower_kinetic`, the orbit loses its stability at 0.28965: runs beside it come closer, or part."""
    config = load_config(CONFIGS / "multibody/woodpecker.yaml")
    values = {"lower_kinetic": friction}
    orbit = find_orbit(config.model, section="beak_gap", initial=config.initial, parameters=values)
    initial = {**orbit.x, "sleevedot": orbit.x["sleevedot"] * (1 + 1e-5)}
    run = simulate(config.model, initial=initial, parameters=values, final_time=6.0, rtol=1e-11)
    blows = np.array([event.t for event in run.events if "beak_gap" in event.boundaries])
    misses = np.abs(np.diff(blows) - orbit.period)
    assert (misses[35] > misses[5]) == grows
    assert misses[35] < 1e-3


@pytest.fixture(scope="module")
def trot():
    pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'hybridsim[robots]'")
    return run_of("multibody/quadruped.yaml", "record={steps: true}")


LEGS = ("front_left", "front_right", "hind_left", "hind_right")


def test_a_quadruped_trots(trot):
    """Diagonal legs swing together, and the trunk goes on by about the way of a foot from behind to in front, twice."""
    assert trot.status.ok
    assert trot.statistics["steps"] < 5000  # without rotors stability alone takes 13,000
    steps = np.diff(trot.t)
    down = {leg: trot[f"{leg}_normal"][:-1] > 0.0 for leg in LEGS}
    alike = [steps @ (down["front_left"] == down[other]) / trot.t[-1] for other in ("hind_right", "front_right")]
    assert alike[0] > 0.7 > 0.4 > alike[1], alike
    speed = (trot["base_x"][-1] - np.interp(2.0, trot.t, trot["base_x"])) / (trot.t[-1] - 2.0)
    assert speed == pytest.approx(2 * 2.5 * 2 * 0.2 * 0.37, rel=0.2)
    assert np.abs(trot["base_angle"]).max() < 0.05


@pytest.mark.members(1)
@pytest.mark.members(1)
@pytest.mark.parametrize("friction", [0.3, 0.5, 0.7, 0.8])
def test_a_quadruped_on_slippery_ground_has_few_events_at_one_instant(friction):
    """Feet rattle as they land, without restitution; but none crosses the ground again and again where it moves off."""
    pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'hybridsim[robots]'")
    feet = [f"parameters.{leg}_{kind}={friction}" for leg in LEGS for kind in ("static", "kinetic")]
    run = run_of("multibody/quadruped.yaml", *feet)
    assert run.status.ok
    assert len(run.events) < 1000
    assert np.histogram(run.events.t, np.unique(run.events.t))[0].max() < 20


@pytest.mark.parametrize("method", ["tsit5", "dop853"])
def test_a_quadruped_trots_to_the_same_place_with_every_method(trot, method):
    """Where a force vanishes, a gap begins flat, and the first step that dop853 tries is long."""
    other = run_of("multibody/quadruped.yaml", f"engine.method={method}")
    assert other.status.ok
    assert other["base_x"][-1] == pytest.approx(trot["base_x"][-1], abs=1e-4)


def test_forces_at_the_feet_of_the_quadruped_are_in_their_cones_and_change_its_momentum(trot):
    """Between two events, Newton's law for the whole robot of 13.2 kg, by the trapezoidal rule."""
    robot = load_mechanism(CONFIGS / "multibody/quadruped.urdf", base="planar")
    for leg in LEGS:
        assert trot[f"{leg}_normal"].min() > -1e-9
        assert (np.abs(trot[f"{leg}_tangential"]) - trot[f"{leg}_normal"]).max() < 1e-6
    instants = np.concatenate([[0.0], trot.events.t, [trot.t[-1]]])
    longest = np.argmax(np.diff(instants))
    inside = np.flatnonzero((trot.t > instants[longest] + 1e-9) & (trot.t < instants[longest + 1] - 1e-9))
    rows = [trot.x[i] for i in (inside[0], inside[-1])]
    n = robot.tree.n_coordinates
    gained = np.subtract(*(robot.momentum(x[:n], x[n : n + robot.tree.n_speeds]) for x in rows[::-1]))
    forces = [sum(trot[f"{leg}_{way}"][inside] for leg in LEGS) for way in ("tangential", "normal")]
    pushed = [np.trapezoid(force, trot.t[inside]) for force in forces]
    pushed[1] -= 13.2 * G * np.ptp(trot.t[inside])
    assert gained[[0, 2]] == pytest.approx(pushed, abs=1e-3 * 13.2 * G * np.ptp(trot.t[inside]))


@pytest.mark.exhaustive  # `test_bundled` runs it until it rests
def test_a_thrown_box_comes_to_rest_on_an_edge_and_its_ball():
    """The contacts bear the weight, along the normal of the slope and along both tangents."""
    run, slope = run_of("multibody/thrown_box.yaml", "record={steps: true}"), 0.12
    ends = {way: run[f"sole_{way}"][-1] + run[f"ball_{way}"][-1] for way in ("normal", "tangential", "lateral")}
    expected = {"normal": G * math.cos(slope), "tangential": G * math.sin(slope), "lateral": 0.0}
    assert ends == pytest.approx(expected, abs=1e-6)
    assert np.diff(run["energy"]).max() < 1e-8
    assert run["ball_normal"][-1] > 0.1
    assert max(abs(run[f"box_w{axis}"][-1]) for axis in "xyz") < 1e-9


@pytest.mark.exhaustive  # wheels of `tests/contacts` do so
def test_a_coin_slips_until_it_rolls_and_loses_nothing_from_then_on():
    run = run_of("multibody/coin.yaml")
    assert [event.boundaries for event in run.events] == [("rim_gap",), ("rim_pace",), ("rim_stop",)]
    rolls = run.t > run.events.t[-1]
    assert np.ptp(run["energy"][rolls]) < 1e-8
    assert run["rim_normal"][rolls].min() > 0.5 * G
    assert np.ptp(np.arctan2(run["coin_ydot"], run["coin_xdot"])[rolls]) > 1.0  # along a curve


@pytest.mark.exhaustive  # soft contacts have closed forms in `tests/contacts`
def test_pogo_masses_bounce_as_damped_oscillators_say():
    """Landings and take-offs: parabolas in flight, and on the ground the closed form of a damped oscillator."""
    run = run_of("multibody/pogo.yaml", "final_time=4", "engine.rtol=1e-10", "engine.atol=1e-12")
    numbers = ((0.6, 1200.0, 1.0, 1.5), (0.3, 500.0, 1.5, 2.0), (0.4, 600.0, 1.8, 2.5))
    for i, (mass, stiffness, damping, first) in enumerate(numbers):
        decay, rest = damping / (2 * mass), 0.1 - mass * G / stiffness
        rate = math.sqrt(stiffness / mass - decay**2)
        t, speed, height, landings, leaves = 0.0, 0.0, first, [], []
        while True:
            fall = (speed + math.sqrt(speed**2 + 2 * G * (height - 0.1))) / G
            if t + fall > 4.0:
                break
            t, speed = t + fall, speed - G * fall
            landings.append(t)
            a, b = 0.1 - rest, (speed + decay * (0.1 - rest)) / rate

            def motion(s, a=a, b=b, decay=decay, rate=rate, rest=rest):
                cosine, sine, fade = math.cos(rate * s), math.sin(rate * s), math.exp(-decay * s)
                velocity = (rate * b - decay * a) * cosine - (rate * a + decay * b) * sine
                return rest + fade * (a * cosine + b * sine), fade * velocity

            def force(s, motion=motion, stiffness=stiffness, damping=damping):
                y, velocity = motion(s)
                return stiffness * (0.1 - y) - damping * velocity

            stay = brentq(force, 0.5 * math.pi / rate, 1.2 * math.pi / rate, xtol=1e-15)
            t, (height, speed) = t + stay, motion(stay)
            leaves.append(t)
        events = [(e.t, e.chart_before >> 3 * i & 7) for e in run.events if e.boundaries[0].startswith(f"foot{i}")]
        assert [t for t, code in events if code == 0] == pytest.approx(landings, abs=1e-8)
        assert [t for t, code in events if code == 4] == pytest.approx(leaves, abs=1e-8)
