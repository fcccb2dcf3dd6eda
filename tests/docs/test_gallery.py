"""The table of proven orbits in docs/gallery.md: it is that of its script, and its digits are proven."""

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from hybridsim.proofs.enclosure import Enclosure

pytest.importorskip("flint")

SITE = Path(__file__).parents[2] / "docs" / "site"


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(SITE))
    import proven  # noqa: PLC0415  (docs/site is no package)

    sys.path.remove(str(SITE))
    return proven


def rows():
    """Return the rows of the page by their titles."""
    text = (SITE.parent / "gallery.md").read_text(encoding="utf-8")
    lines = text.split("<!-- written by docs/site/proven.py -->")[1].split("<!-- end -->")[0].splitlines(keepends=True)
    return {line.split("|")[1].strip(): line for line in lines if line.startswith("|")}


TITLES = [
    "compass gait, 3 degrees",
    "spring-mass runner, 1,784.8 J",
    "simplest walker, slope 0.009",
    "compass gait, 4.6 degrees, two steps",
    "McGeer's walker, straight legs",
    "kneed walker",
    "ball on a vibrating table, 1.3",
    "disk feet",
    "compass of a URDF",
    "hopper of a URDF",
    "biped",
    "CoMan",
    "stick and slip",
    "chatter against a wall",
    "buck converter",
]


def test_the_page_has_each_orbit_of_the_script(script):
    assert [*rows()][2:] == [*script.ORBITS]
    assert {*TITLES} == {*script.ORBITS}


@pytest.mark.parametrize(
    "title", [TITLES[0], *(pytest.param(title, marks=pytest.mark.exhaustive) for title in TITLES[1:])]
)
def test_the_digits_of_the_page_are_those_that_are_proven_again(title, script):
    assert rows()[title] == script.row(title)


def test_only_digits_that_an_enclosure_supports_are_shown(script):
    def shown(low, high, most=17):
        return script.digits(Enclosure(Fraction(low), Fraction(high)), most)

    assert shown("0.12344", "0.12346") == "0.123"  # 0.1234 or 0.1235
    assert shown("-0.20000001", "-0.19999999") == "-0.2000000"
    assert shown("1/3", "1/3", 5) == "0.33333"
    assert "+/-" in shown("0.4", "0.6")  # 0 or 1


def test_a_box_reaches_from_the_state_no_further_than_is_proven(script):
    state = Enclosure(Fraction(1, 8), Fraction(3, 16))
    # the middle is 1/16 from the farther end, so that 2 - 1/16 = 1.9375 is left, and not 2
    assert script.reach(state, 0.125, 2.0) == "1.9e+0"
