"""Orbits on which legs land together: stable only if deviations die out in every order of landing."""

from pathlib import Path

import numpy as np
import pytest

import hybridsim

LANDING = Path(__file__).with_name("landing.py")

CASES = {
    # a, c, b, g, h, k: what follows for A = [[a, h], [c, k]] and B = [[b, h], [g, k]].
    "both contract": ((0.3, 0.1, -0.4, 0.2, 0.0, 0.5), True),
    "one grows and stays on its side": ((3.0, 0.0, 0.3, 0.0, 0.0, 0.5), False),
    "the other grows and stays on its side": ((0.3, 0.0, 3.0, 0.0, 0.0, 0.5), False),
    "both grow in turn, each other's side": ((-2.0, 0.0, -1.5, 0.0, 0.0, 0.5), False),
    "one grows, the other shrinks it more, in turn": ((-2.0, 0.0, -0.3, 0.0, 0.0, 0.5), None),
    "a word of both grows": ((-2.0, 0.0, -0.6, 0.0, 0.0, 0.5), False),
    "one would grow on the side where it is not met": ((0.2, 0.0, -4.0, 0.0, 0.0, 0.5), None),
}
"""Of the cases that are not decided, deviations die out: one norm does not show it, and no word that is met grows."""


def landing(values, unit=1.0, **options):
    a, c, b, g, h, k = values
    parameters = {"a": a, "c": c, "b": b, "g": g, "h": h, "k": k, "unit": unit}
    return hybridsim.find_orbit(
        LANDING, parameters=parameters, section="cycle", initial={"d": 0.0, "e": 0.0}, **options
    )


def growth_of(values, cycles=60):
    """By how much a deviation grows at most, from either side, by the two maps themselves."""
    a, c, b, g, h, k = values
    grown = []
    for deviation in ((1.0, 0.3), (-1.0, 0.2), (1.0, -2.0), (-1.0, 1.0)):
        d, e = deviation
        for _ in range(cycles):
            left = d > 0.0
            d, e = (a if left else b) * d + h * e, (c if left else g) * d + k * e
        grown.append(np.hypot(d, e))
    return max(grown)


@pytest.mark.members(2)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("unit", [1.0, 1e-5])
def test_an_orbit_is_stable_only_if_every_order_of_landing_is(case, unit):
    values, stable = CASES[case]
    orbit = landing(values, unit)
    assert orbit.stable is stable
    assert (growth_of(values) < 1.0) == (stable is not False)
    assert len(orbit.orders) == 2
    (warning,) = orbit.warnings
    assert warning.startswith("left+right coincide, and the order in which they come nearby matters: ")
    first = sorted(matrix[0, 0] for matrix in (order[:2, :2] for order in orbit.orders))
    np.testing.assert_allclose(first, sorted([values[0], values[2]]), atol=1e-6)


def test_where_the_order_does_not_matter_nothing_is_said():
    orbit = landing((0.3, 0.1, 0.3, 0.1, 0.0, 0.5))
    assert (orbit.stable, orbit.orders, orbit.warnings) == (True, (), ())
    np.testing.assert_allclose(sorted(orbit.multipliers.real)[-2:], [0.3, 0.5], atol=1e-9)


@pytest.mark.members(1)
@pytest.mark.parametrize("case", ["one grows and stays on its side", "one grows, the other shrinks it more, in turn"])
def test_a_file_and_a_summary_keep_the_warning(case, tmp_path, capsys):
    orbit = landing(CASES[case][0])
    orbit.save(tmp_path / "landing.h5")
    again = hybridsim.load_orbit(tmp_path / "landing.h5")
    assert (again.stable, again.warnings) == (orbit.stable, orbit.warnings)
    word = {False: "unstable", None: "stability not decided"}[orbit.stable]
    assert word in repr(again)


def test_a_branch_notes_that_the_order_matters():
    orbit = landing((0.5, 0.0, -0.5, 0.0, 0.0, 0.5))
    assert orbit.stable is True
    branch = hybridsim.continue_orbit(orbit, "a", to=1.5)
    assert branch.bifurcations == ()  # that the multiplier of one order passes 1 is none of the map
    growing = branch.points["a"] > 1.0 + 2e-3
    assert not branch.points["stable"][growing].any()
    assert branch.points["stable"][branch.points["a"] < 0.9].all()
    assert any(
        "left+right coincide" in note and "deviations that follow these orders grow" in note for note in branch.notes
    )


def test_where_the_section_itself_coincides_nothing_is_claimed():
    orbit = hybridsim.find_orbit(
        LANDING, parameters={"a": 3.0, "b": 0.3}, section="left", initial={"d": 0.0, "e": 0.0, "clock": 0.5}
    )
    assert orbit.stable is None
    assert "stability not decided" in repr(orbit)
    assert "left+right coincide" in orbit.warnings[0]


@pytest.mark.members(2)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("unit", [1.0, 1e-5])
@pytest.mark.parametrize("gap", [1e-8, -1e-8, 1e-10, -1e-10, 1e-13, 1e-16, -1e-16])
def test_legs_that_land_together_but_for_very_little_are_judged_by_both_orders(case, unit, gap, tmp_path):
    """By chance, or as rounding leaves it: deviations that are hardly larger exchange their order."""
    values, stable = CASES[case]
    names = dict(zip("acbghk", values, strict=True))
    shift = unit * gap * (1.0 - names["a" if gap > 0.0 else "b"])
    given = {"parameters": {**names, "unit": unit, "shift": shift}, "initial": {"d": unit * gap, "e": 0.0}}
    orbit = hybridsim.find_orbit(LANDING, section="cycle", **given)
    again = hybridsim.load_orbit(orbit.save(tmp_path / "landing.h5"))
    for each in (orbit, again):
        assert each.stable is stable
        (warning,) = each.warnings
        assert warning.startswith("left+right coincide")


@pytest.mark.parametrize("gap", [1e-3, 1e-5])
def test_legs_that_land_one_after_the_other_are_judged_by_their_order(gap):
    orbit = hybridsim.find_orbit(
        LANDING,
        parameters={"a": 0.3, "b": 3.0, "shift": 0.7 * gap},
        section="cycle",
        initial={"d": gap, "e": 0.0},
    )
    assert (orbit.stable, orbit.orders, orbit.warnings) == (True, (), ())
