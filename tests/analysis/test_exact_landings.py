"""Steps of a branch that end just at a bifurcation, and branches that begin there."""

import numpy as np
import pytest
from map_model import LOGISTIC, MODEL, PITCHFORK

import hybridsim


def branch(begin, to, kind=PITCHFORK, u=0.0):
    """The fixed point 0 of u -> r u - u^3, or 1 - 1/r of the logistic map; the first steps are 0.02 and 0.048 of the
    range, so that round numbers meet r = 1 and r = -1 exactly."""
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": kind, "r": begin}, section="tick", initial={"u": u})
    return hybridsim.continue_orbit(orbit, "r", to=to)


RANGES = [
    (0.0, 50.0),
    (0.98, 1.98),
    (0.96, 2.96),
    (0.952, 1.952),
    (0.94, 3.94),
    (0.92, 4.92),
    (0.904, 2.904),
    (0.88, 6.88),
]


@pytest.mark.exhaustive  # so is a flip in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(("begin", "to"), [*RANGES, (0.0, 50.3), (0.5, 1.5)])
def test_a_pitchfork_is_found_wherever_steps_end(begin, to):
    """From the pitchfork at 1 come u = +-sqrt(r - 1), with flips at r = 2."""
    found = branch(begin, to).bifurcations
    expected = [("branch", 1.0)] + 2 * [("flip", 2.0)] * (to > 2.0)
    assert [each.kind for each in found] == [kind for kind, _ in expected]
    np.testing.assert_allclose([each.value for each in found], [value for _, value in expected], atol=1e-9)


@pytest.mark.parametrize("to", [-50.0, -50.3, -2.0])
def test_a_flip_is_found_wherever_steps_end(to):
    assert [(each.kind, round(each.value, 9)) for each in branch(0.0, to).bifurcations] == [("flip", -1.0)]


@pytest.mark.parametrize(
    ("kind", "begin", "u", "to"), [(LOGISTIC, 3.0, 2.0 / 3.0, 3.4), (LOGISTIC, 3.0, 2.0 / 3.0, 2.5)]
)
def test_a_branch_that_begins_at_a_bifurcation_says_so(kind, begin, u, to):
    assert any("begins with a multiplier of size 1" in note for note in branch(begin, to, kind, u).notes)


def test_what_begins_as_a_family_and_is_none_is_not_stable_for_ever():
    """At r = 1 the derivative of u -> r u - u^3 at 0 is 1, as in a family; at 1.4 it is 1.4."""
    found = branch(1.0, 1.4)
    of_zero = (found.points["u"] == 0.0) & (found.points["r"] > 1.002)
    assert of_zero.sum() > 3
    assert not found.points["stable"][of_zero].any()
    assert found.notes


@pytest.mark.parametrize("to", ["0.5", np.nan, [0.5], 1j])
def test_an_end_that_is_no_number_is_refused(to):
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": PITCHFORK, "r": 0.0}, section="tick", initial={"u": 0.0})
    with pytest.raises(hybridsim.ConfigError, match="to: expected a finite number, found"):
        hybridsim.continue_orbit(orbit, "r", to=to)
