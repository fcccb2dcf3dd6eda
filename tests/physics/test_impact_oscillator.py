"""The impact oscillator against closed forms: periodic orbits and their multipliers, grazing, chattering, sticking."""

import itertools
import math

import numpy as np
import pytest
from impact_orbits import ORBITS, PERIOD_DOUBLINGS, Orbit, doubling_amplitude

from hybridsim import simulate
from hybridsim_models.basics import impact_oscillator as model

TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}


def oscillate(parameters, initial, duration, t0=0.0, **settings):
    return simulate(
        "impact_oscillator",
        parameters=parameters,
        initial=initial,
        initial_time=t0,
        final_time=t0 + duration,
        **TIGHT | settings,
    )


def at_impacts(run):
    return [event for event in run.events if "impact" in event.boundaries]


@pytest.mark.parametrize("t0", [0.0, 1e6])
@pytest.mark.parametrize("orbit", ORBITS)
def test_an_orbit_of_one_impact_in_n_periods_repeats_itself(orbit, t0):
    expected = Orbit(*orbit)
    omega, n, e, gap, _ = orbit
    growth = max(abs(np.roots([1.0, -expected.trace, e**2])))
    count = 100 if growth < 1 else 5
    run = oscillate(expected.parameters, expected.after_impact, 1e3, t0, stop=[("impact", count)])
    impacts = at_impacts(run)
    assert len(impacts) == count
    times = [event.t - t0 for event in impacts]
    np.testing.assert_allclose(times, expected.duration * np.arange(1, count + 1), rtol=0, atol=1e-8)
    states = [event.x_before for event in impacts]
    np.testing.assert_allclose(states, [[gap, expected.speed, expected.phase]] * count, rtol=0, atol=1e-8)
    periods = [event.t - t0 for event in run.events if "period" in event.boundaries]
    begin = 2 * math.pi - expected.phase
    np.testing.assert_allclose(periods, (begin + 2 * math.pi * np.arange(len(periods))) / omega, rtol=0, atol=1e-8)
    assert len(periods) in (n * count, n * count - 1, n * count + 1)


def multipliers(orbit):
    """Those of the map from impact to impact, in speed and phase, by central differences."""
    h, columns = 1e-5, []
    for name in ("v", "phase"):
        ends = []
        for sign in (h, -h):
            initial = orbit.after_impact | {name: orbit.after_impact[name] + sign}
            ends.append(oscillate(orbit.parameters, initial, 99.0, stop=[("impact", 1)]).x[-1, 1:])
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.sort_complex(np.linalg.eigvals(np.array(columns).T))


@pytest.mark.parametrize("orbit", ORBITS)
def test_the_map_from_impact_to_impact_has_the_trace_and_determinant_of_the_closed_form(orbit):
    expected = Orbit(*orbit)
    first, second = multipliers(expected)
    assert first * second == pytest.approx(orbit[2] ** 2, abs=1e-5)
    assert first + second == pytest.approx(expected.trace, abs=1e-5)


@pytest.mark.parametrize("case", PERIOD_DOUBLINGS)
def test_the_orbit_doubles_its_period_at_the_amplitude_of_the_closed_form(case):
    expected = Orbit(*case, doubling_amplitude(*case))
    np.testing.assert_allclose(multipliers(expected), [-1.0, -(case[2] ** 2)], rtol=0, atol=1e-5)


@pytest.mark.parametrize(("omega", "zeta", "gap"), [(0.7, 0.05, 0.4), (1.9, 0.2, 1.0), (2.8, 0.01, 0.1)])
@pytest.mark.parametrize(("factor", "hits"), [(1 - 1e-7, False), (1 + 1e-7, True)])
def test_the_steady_oscillation_touches_the_wall_at_the_grazing_amplitude(omega, zeta, gap, factor, hits):
    stiffness = complex(1 - omega**2, 2 * zeta * omega)
    amplitude = factor * gap * abs(stiffness)
    steady = amplitude / stiffness * np.exp(1j * 3.0)  # x = Re(steady), where the phase of the force is 3
    initial = {"x": steady.real, "v": (1j * omega * steady).real, "phase": 3.0}
    parameters = {"omega": omega, "zeta": zeta, "gap": gap, "amplitude": amplitude}
    run = oscillate(parameters, initial, 3 * 2 * math.pi / omega)
    assert (len(at_impacts(run)) > 0) is hits


@pytest.mark.parametrize("t0", [0.0, 1e6])
def test_under_a_constant_force_the_impacts_accumulate_at_the_sum_of_the_bounces(t0):
    # At rest at x = 0, gap = 0.3 below the force of 1: x = 1 - cos(t); a bounce of speed u lasts 2 atan(u / 0.7)
    e, gap, press = 0.6, 0.3, 0.7
    speed = math.sin(math.acos(press))
    rest = math.acos(press) + sum(2 * math.atan(speed * e**k / press) for k in range(1, 100))
    run = oscillate({"omega": 0.0, "amplitude": 1.0, "gap": gap, "restitution": e}, {}, rest + 2.0, t0)
    assert run.status.ok, run.message
    assert run.events.kind[-1] == "zeno"
    assert run.events.t[-1] - t0 == pytest.approx(rest, abs=1e-8)
    assert run.chart[-1] == model.C.stuck
    np.testing.assert_allclose(run.x[-1, :2], [gap, 0.0], rtol=0, atol=1e-8)


@pytest.mark.parametrize("t0", [0.0, 1e6])
def test_a_mass_that_sticks_to_the_wall_leaves_it_when_the_force_falls_below_the_spring(t0):
    rng = np.random.default_rng(2)
    released = 0
    for gap in (0.0, 0.0, 1e-9, 0.3, 0.6, -0.2):
        omega, e, zeta = rng.uniform([0.1, 0.0, 0.0], [0.4, 0.7, 0.2])
        parameters = {"omega": omega, "amplitude": 1.0, "restitution": e, "zeta": zeta, "gap": gap}
        run = oscillate(parameters, {"x": gap - 0.5}, 100.0, t0, rtol=1e-9, atol=1e-12)
        assert run.status.ok, run.message
        assert run.x[:, 0].max() < gap + 1e-8
        for event in run.events:
            if "release" in event.boundaries:
                assert event.x_before[2] == pytest.approx(math.acos(gap), abs=1e-9)
                released += 1
    assert released > 10


@pytest.mark.parametrize("rtol", [1e-6, 1e-10])
@pytest.mark.members
@pytest.mark.parametrize("begin", [0.0, 1e6, 1.7e9])
@pytest.mark.parametrize("method", ["dp5", "tsit5", "dop853", "rk4_adaptive", "series", "rodas5p"])
def test_a_mass_leaves_the_wall_alike_in_every_cycle(begin, method, rtol):
    for gap, restitution in ((0.1, 0.5), (0.0, 0.3), (0.3, 0.0), (-0.2, 0.6)):
        parameters = {"omega": 0.4, "amplitude": 0.6, "restitution": restitution, "gap": gap}
        run = oscillate(parameters, {"x": gap - 0.5}, 90.0, begin, method=method, rtol=rtol, atol=1e-3 * rtol)
        assert run.status.ok, run.message
        release, slowing = ([e.x_before for e in run.events if kind in e.boundaries] for kind in ("release", "slowing"))
        assert len(release) >= 5
        assert len(release) - len(slowing) in (0, 1)
        # From rest at the wall, driven by a force that has just come to balance the spring: always the same motion.
        known = 1e4 * rtol + 16.0 * np.spacing(begin)
        for first, other in itertools.pairwise(slowing):
            np.testing.assert_allclose(other, first, rtol=0.0, atol=known)
        assert slowing[0][0] < gap - 0.1


def test_an_impact_without_restitution_under_pressure_sticks_at_once():
    run = oscillate({"omega": 0.25, "amplitude": 1.0, "gap": 0.3, "restitution": 0.0}, {}, 4.0)
    (impact,) = run.events
    assert impact.chart_after == model.C.stuck
    assert tuple(run.x[-1, :2]) == (0.3, 0.0)
