"""States that follow from others, as a mean speed does: those of an orbit are what its last stride has set."""

import math
from pathlib import Path

import pytest

import hybridsim

MODEL = Path(__file__).with_name("odometer.py")


def way_of_a_step(rate):
    """The way of a step whose sway s obeys s' = 0.3 - s and halves at its end: it begins where it ends."""
    duration = 1.0 / rate
    decay = math.exp(-duration)
    sway = 0.15 * (1.0 - decay) / (1.0 - 0.5 * decay)
    return 1.6 * duration + (sway - 0.3) * (1.0 - decay)


@pytest.mark.parametrize("place", [3.0, 0.0, -4e5])
@pytest.mark.parametrize("strides", [1, 2])
def test_what_a_step_notes_is_what_the_orbit_has(place, strides):
    orbit = hybridsim.find_orbit(MODEL, section="step", initial={"place": place}, strides=strides)
    way = way_of_a_step(0.5)
    assert orbit.x["noted"] == pytest.approx(orbit.x["place"], rel=1e-12, abs=1e-9)
    assert orbit.x["way"] == pytest.approx(way, abs=1e-9 + 1e-14 * abs(place))
    assert orbit.x["mean"] == pytest.approx(way, abs=1e-9 + 1e-14 * abs(place))


def test_along_a_branch_it_goes_on_changing():
    orbit = hybridsim.find_orbit(MODEL, section="step")
    points = hybridsim.continue_orbit(orbit, "rate", to=0.7).points
    assert len(points["rate"]) > 5
    for rate, way, mean in zip(points["rate"], points["way"], points["mean"], strict=True):
        assert (way, mean) == pytest.approx((way_of_a_step(rate),) * 2, abs=1e-9)
