"""Symmetries of the hexapod: mirror images, and other places and headings."""

import math

import numpy as np
import pytest

from hybridsim import load_model

from .hexapod_runs import (
    COULOMB,
    CREEP,
    LEGS,
    WEAK,
    defaults,
    free_fall,
    packed,
    walk,
)


def test_a_mirrored_run_mirrors():
    start = {"r_z": 0.2, "v_x": 0.2, "roll": 0.1, "omega_z": 0.3, "omega_x": 0.2}
    mirrored = {"r_z": 0.2, "v_x": -0.2, "roll": -0.1, "omega_z": -0.3, "omega_x": 0.2}
    one, other = (free_fall(0.3, initial=initial) for initial in (start, mirrored))
    assert len(one.events) > 5
    np.testing.assert_allclose(one["r_x"][-1], -other["r_x"][-1], atol=1e-8)
    np.testing.assert_allclose(one["body_roll"][-1], -other["body_roll"][-1], atol=1e-8)
    np.testing.assert_allclose(one["push1"][-1], other["push4"][-1], atol=1e-6)


def mirrored_legs(values, per_leg=1):
    """Of legs 3-5 for those of 0-2, and the other way around: [6 per_leg]."""
    return np.roll(values, 3 * per_leg)


def mirrored_state(model, x):
    """X, or its rates, seen in a mirror at x = 0 of W: legs change sides, rotations about y and z turn around."""
    mirror, at = np.array(x), model.states.index
    for name in ("r_x", "v_x", "q_y", "q_z", "omega_y", "omega_z"):
        mirror[at(name)] *= -1.0
    for name in ("f0_x", "fdot0_x"):
        toes = slice(at(name), at(name) + 18)
        mirror[toes] = mirrored_legs(x[toes], 3) * np.tile([-1.0, 1.0, 1.0], 6)
    for name in ("phi_ref0", "release0", "clock_start0", "half_turns0", "swings0", "waits0"):
        per_leg = slice(at(name), at(name) + 6)
        mirror[per_leg] = mirrored_legs(x[per_leg])
    for name in ("used_t_s", "used_phi_o", "used_turn"):
        left, right = at(f"{name}_left"), at(f"{name}_right")
        mirror[[left, right]] = x[[right, left]]
    return mirror


def mirrored_chart(chart):
    """Three fields with the bits of six legs, around those of battery and corners: stance, slip, phase."""
    stance, slip, rest, phase = chart & 63, chart >> 6 & 63, chart & 511 << 12, chart >> 21
    assert not rest >> 13  # no corner is on the ground

    def swap(field, bits):
        return field >> 3 * bits | (field & (1 << 3 * bits) - 1) << 3 * bits

    return swap(stance, 1) | swap(slip, 1) << 6 | rest | swap(phase, 2) << 21


@pytest.mark.members(1)
@pytest.mark.parametrize("changes", [CREEP, COULOMB, COULOMB | WEAK, COULOMB | {"gait": "turn_left"}], ids=str)
def test_a_mirrored_gait_mirrors(changes):
    run = walk(1.2, inputs={"dphi_o": 0.06}, **changes)
    model, p = load_model("hexapod"), packed(defaults(**changes))
    field, boundaries = model.functions["vector_field"], model.functions["boundaries"]
    rows = range(3, len(run.t), 5)
    slips = {leg for leg in LEGS for row in rows if run[f"slipping{leg}"][row]}
    assert slips == set(LEGS)
    for row in rows:
        t, x, chart = run.t[row], run.x[row], int(run.chart[row])
        mirror = mirrored_state(model, x)
        rates, other, g, g_other = np.zeros(len(x)), np.zeros(len(x)), *np.zeros((2, len(model.boundary_records)))
        field(rates, t, x, p, chart)
        field(other, t, mirror, p, mirrored_chart(chart))
        np.testing.assert_allclose(other, mirrored_state(model, rates), rtol=1e-9, atol=1e-9)
        boundaries(g, t, x, p, chart)
        boundaries(g_other, t, mirror, p, mirrored_chart(chart))
        for kind in ("liftoff", "touchdown", "slip", "stick", "tick"):
            places = [model.boundary_records.index(f"{kind}{leg}") for leg in LEGS]
            np.testing.assert_allclose(g_other[places], mirrored_legs(g[places]), rtol=1e-9, atol=1e-9)


def test_place_and_heading_do_not_matter():
    here = walk(1.0, rtol=1e-10)
    there = walk(1.0, rtol=1e-10, initial={"r_x": 7.0, "r_y": -3.0, "yaw": 1.0})
    assert len(here.events) == len(there.events)
    along = [here["r_x"][-1] - 0.0, here["r_y"][-1] + 0.5]
    turned = [
        math.cos(1.0) * along[0] - math.sin(1.0) * along[1],
        math.sin(1.0) * along[0] + math.cos(1.0) * along[1],
    ]
    np.testing.assert_allclose([there["r_x"][-1] - 7.0, there["r_y"][-1] + 3.0], turned, atol=1e-6)
    np.testing.assert_allclose(here["body_pitch"][-1], there["body_pitch"][-1], atol=1e-6)
