"""Charts with different flows: relays, springs, friction, and the legs that start every stance on a boundary."""

import math

import numpy as np
import pytest

from hybridsim import simulate

TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-13}


def test_growth_and_decay_switch_at_multiples_of_ln_2(plugin):
    run = simulate(plugin("two_rates"), final_time=10.0, **TIGHT)
    expected = math.log(2.0) * np.array([1, 3, 4, 6, 7, 9, 10, 12, 13])
    np.testing.assert_allclose(run.events.t, expected, rtol=1e-10)


def test_a_relay_with_hysteresis_has_its_period():
    gain, tau, eps = 1.0, 1.0, 0.1
    run = simulate("relay", parameters={"gain": gain, "tau": tau, "hysteresis": eps}, final_time=4.0, **TIGHT)
    first = tau * math.log(gain / (gain - eps))
    half_period = tau * math.log((gain + eps) / (gain - eps))
    np.testing.assert_allclose(run.events.t, first + half_period * np.arange(len(run.events)), rtol=1e-10)
    assert len(run.events) == 1 + math.floor((4.0 - first) / half_period)


def test_a_constant_force_towards_the_middle_swings_with_4_root_2_a(plugin):
    run = simulate(plugin("sign_oscillator"), initial={"x": 1.0, "v": 0.0}, final_time=30.0)
    expected = math.sqrt(2.0) * np.arange(1, 2 * len(run.events), 2)
    assert len(run.events) == 11  # odd multiples of root 2 up to 30
    np.testing.assert_allclose(run.events.t, expected, rtol=1e-13)  # the flow is quadratic: rounding only


def test_a_bilinear_oscillator_swings_half_on_each_spring():
    run = simulate("bilinear_oscillator", parameters={"k_right": 1.0, "k_left": 4.0}, final_time=20.0, **TIGHT)
    period = math.pi * (1.0 + 0.5)
    turns = period * np.arange(5)
    expected = np.sort([*(turns[:5] + math.pi / 2), *(turns[:4] + math.pi)])
    np.testing.assert_allclose(run.events.t, expected[expected < 20.0], rtol=1e-10)


def test_stick_and_slip_alternate_with_their_period_and_slip_starts_on_its_own_boundary():
    static, kinetic, k, speed = 2.0, 1.0, 1.0, 1.0
    parameters = {"mass": 1.0, "k": k, "belt_speed": speed, "static_friction": static, "kinetic_friction": kinetic}
    run = simulate("stick_slip", parameters=parameters, initial={"x": 0.0, "v": speed}, final_time=20.0, **TIGHT)
    stick = 2.0 * (static - kinetic) / (k * speed)
    slip = 2.0 * (math.pi - math.atan((static - kinetic) / (k * speed)))
    period = stick + slip
    assert period == pytest.approx(2.0 + 1.5 * math.pi, rel=1e-15)
    assert [event.boundaries for event in run.events] == [("breaks_back",), ("caught_up",)] * 2 + [("breaks_back",)]
    np.testing.assert_allclose(run.events.t, [stick, period, period + stick, 2 * period, 2 * period + stick], rtol=1e-9)
    np.testing.assert_allclose([e.x_after for e in run.events][1], [2 * kinetic / k - static / k, speed], atol=1e-9)


@pytest.mark.parametrize("step", [0.15, 0.075, 0.0375])
def test_steps_end_at_the_edges_of_a_square_wave(plugin, step):
    run = simulate(plugin("square_wave"), final_time=3.0, method="rk4", first_step=step)
    assert run.events.t.tolist()[:5] == [0.5, 1.0, 1.5, 2.0, 2.5]
    # On xdot = u - x classic RK4 multiplies x - u by R(h) = 1 - h + h^2/2 - h^3/6 + h^4/24 a step, exactly.
    whole = math.floor(0.5 / step)
    shrink = rk4_factor(step) ** whole * rk4_factor(0.5 - whole * step)
    x = 0.0
    for u in (1.0, -1.0) * 3:
        x = u + (x - u) * shrink
    before_last_edge = run.at(3.0, side="before")[0]
    assert before_last_edge == pytest.approx(x, abs=1e-14)
    a = math.exp(-0.5)
    exact = -(1.0 - a) * (1.0 - a**6) / (1.0 + a)
    # A step loses |x - u| h^5 / 120 with |x - u| < 2, of which exp(-(3 - t)) is left at the end: a fourth-order bound.
    assert abs(before_last_edge - exact) < 2.0 * step**4 / 120.0


def rk4_factor(h):
    return 1.0 - h + h**2 / 2.0 - h**3 / 6.0 + h**4 / 24.0


def test_a_vertical_hop_has_its_stance_and_period():
    gravity, omega, drop = 9.81, math.sqrt(1000.0), 0.3
    run = simulate(
        "slip",
        parameters={"body_mass": 80.0, "k": 80.0 * omega**2, "g_stance": gravity, "g_flight": gravity},
        initial={"x": 0.0, "y": 1.0 + drop, "xdot": 0.0, "ydot": 0.0, "touchdown_angle": 0.0},
        final_time=3.1,
        **TIGHT,
    )
    speed = math.sqrt(2.0 * gravity * drop)
    stance = 2.0 / omega * (math.pi - math.atan(speed * omega / gravity))
    period = stance + 2.0 * speed / gravity
    assert (stance, period) == pytest.approx((0.1073892623931443, 0.6020086292226423), rel=1e-14)
    touchdown, bottom, liftoff, apex = (
        np.array([event.t for event in run.events if event.boundaries == (name,)])
        for name in ("touchdown", "bottom", "liftoff", "apex")
    )
    np.testing.assert_allclose(apex, period * np.arange(1, 6), rtol=1e-10)
    np.testing.assert_allclose(liftoff - touchdown, stance, rtol=1e-9)
    np.testing.assert_allclose(bottom - touchdown, stance / 2.0, rtol=1e-9)
