"""What the return map does where the events change, and what is born there, against the piecewise-linear map."""

import math
from pathlib import Path

import numpy as np
import pytest

import hybridsim

BENT_LINE = Path(__file__).with_name("bent_line.py")


def branch_of(left, right, max_strides=4, unit=1.0, **more):
    parameters = {"left": left, "right": right, "m": -0.1, "unit": unit, **more}
    initial = {"u": -0.1 / (1.0 - left) * unit}
    orbit = hybridsim.find_orbit(BENT_LINE, parameters=parameters, section="cycle", initial=initial)
    return hybridsim.continue_orbit(orbit, "m", to=0.1, max_strides=max_strides)


@pytest.mark.members(1)
@pytest.mark.parametrize("unit", [1.0, 1e-4])
def test_a_stable_cycle_of_two_periods_begins_where_the_slope_is_below_minus_one(unit):
    # left right = -0.75: the 2-cycle is stable, and beyond the corner the fixed point m / 2.5 is not.
    branch = branch_of(0.5, -1.5, unit=unit)
    (corner,) = branch.bifurcations
    assert (corner.kind, corner.type, corner.boundary) == ("grazing", "corner", "seen")
    assert corner.value == pytest.approx(0.0, abs=1e-9)
    (note,) = branch.notes
    assert (
        "the orbit goes on beyond it; for larger m a stable cycle of 2 strides begins (LR, largest multiplier 0.75)"
        in note
    )
    points = branch.points
    beyond, born = (points["curve"] == 0) & (points["m"] > 0.0), points["curve"] == 1
    np.testing.assert_allclose(points["u"][beyond], points["m"][beyond] / 2.5 * unit, rtol=1e-9)
    assert points["stable"][born].all()
    assert not points["stable"][beyond].any()
    assert points["m"][born].max() == 0.1
    # u = left v + m, v = right u + m
    low, high = (points["m"][born] * (1.0 + slope) / 1.75 * unit for slope in (-1.5, 0.5))
    visits = np.sort(points.visits[born][:, :, 0], axis=1)
    np.testing.assert_allclose(visits, np.column_stack([low, high]), rtol=1e-7)


def test_two_orbits_meet_where_the_slopes_are_on_both_sides_of_one():
    branch = branch_of(0.5, 1.5)
    (corner,) = branch.bifurcations
    assert (corner.kind, corner.type) == ("grazing", "corner")
    assert "two orbits meet and vanish there" in branch.notes[0]
    other = branch.points["u"] > 1e-9
    assert branch.points["m"].max() <= 1e-9  # none beyond
    assert len({*branch.points["curve"][other]}) == 1  # whether the curve turns round by itself, or another one begins
    np.testing.assert_allclose(branch.points["u"][other], -2.0 * branch.points["m"][other], rtol=1e-9, atol=1e-12)
    assert branch.points["m"][other].min() == -0.1


@pytest.mark.exhaustive  # that of two is in the ordinary run
def test_a_stable_cycle_of_three_begins_where_that_of_two_is_unstable():
    # left = 0.4, right = -4: LR grows by 1.6, LLR shrinks to 0.64.
    branch = branch_of(0.4, -4.0, max_strides=3)
    assert "an unstable cycle of 2 strides begins (LR, largest multiplier 1.6)" in branch.notes[0]
    assert "a stable cycle of 3 strides begins (LLR, largest multiplier 0.64)" in branch.notes[0]
    assert {*branch.points["strides"]} == {1, 2, 3}
    numbers = {*branch.points["curve"][branch.points["strides"] == 3]}  # LLR, and LRR, which grows
    assert sorted(branch.points["stable"][branch.points["curve"] == number].all() for number in numbers) == [
        False,
        True,
    ]


@pytest.mark.members(1)
@pytest.mark.parametrize("left", [0.7, 0.3, -0.5])
def test_an_event_that_changes_nothing_is_no_bifurcation(left):
    for bend in (0.0, 0.1):
        branch = branch_of(left, left, bend=bend)
        assert branch.bifurcations == ()
        assert branch.points["m"].max() == 0.1


@pytest.mark.exhaustive  # `test_square_roots` has it in closed form
@pytest.mark.members(1)
@pytest.mark.parametrize(("omega", "zeta", "gap"), [(2.2, 0.05, 1.0), (0.6, 0.1, 0.3)])
def test_an_impact_that_is_grazed_is_a_square_root(omega, zeta, gap):
    grazing = gap * math.hypot(1.0 - omega**2, 2.0 * zeta * omega)
    orbit = hybridsim.find_orbit(
        "impact_oscillator",
        parameters={"omega": omega, "zeta": zeta, "gap": gap, "amplitude": 0.7 * grazing, "restitution": 0.8},
        section="period",
    )
    found = hybridsim.continue_orbit(orbit, "amplitude", to=1.2 * grazing).bifurcations
    on_first = [(each.kind, each.type, each.boundary) for each in found if each.curve == 0]
    assert on_first == [("grazing", "square root", "impact")]
