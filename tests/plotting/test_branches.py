"""Pictures of branches of orbits: what is drawn by default, and which curves have one colour."""

import numpy as np

from hybridsim.plotting import plot_branch
from hybridsim.results.branches import BranchRecord


def record_of(curve, k, x, y):
    """A branch of orbits of one stride, with the states x and y, over the parameter k."""
    points = {"curve": np.array(curve), "k": np.array(k), "x": np.array(x), "y": np.array(y)}
    n = len(curve)
    return BranchRecord(
        model_name="runner",
        parameter="k",
        to=3.0,
        max_strides=1,
        back_to=0.0,
        states=("x", "y"),
        units={},
        points={**points, "strides": np.ones(n, int), "period": np.ones(n), "stable": np.ones(n, bool)},
        multipliers=np.zeros((n, 1), complex),
        visits=np.stack([points["x"], points["y"]], axis=1)[:, None, :],
        notes=(),
        pending={},
        provenance={},
        bifurcations={
            "kind": np.array([], str),
            "type": np.array([], str),
            "value": np.array([]),
            "curve": np.array([], int),
        },
    )


BOTH_WAYS = record_of([0, 0, 1, 1, 2, 2], [1.0, 2.0, 1.0, 0.0, 2.0, 3.0], [0.0] * 6, [5.0, 6.0, 5.0, 4.0, 6.5, 7.0])
"""Two curves that begin at k = 1, y = 5, and one that begins elsewhere."""


def drawn(record, *names, **window):
    """The panels of the picture of a branch."""
    return plot_branch(record, names, **window).axes


def test_the_first_state_that_varies_is_drawn_by_default():
    (panel,) = drawn(BOTH_WAYS)
    assert panel.get_ylabel() == "y"


def test_a_state_that_is_constant_but_for_rounding_is_not_drawn_by_default():
    for pinned in ([0.0, 3e-14, -2e-15], [0.7, 0.7 + 1e-15, 0.7]):
        (panel,) = drawn(record_of([0, 0, 0], [1.0, 2.0, 3.0], pinned, [5.0, 5.1, 5.3]))
        assert panel.get_ylabel() == "y"


def test_the_two_directions_from_one_orbit_have_one_colour():
    (panel,) = drawn(BOTH_WAYS, "y")
    up, down, other = (line.get_color() for line in panel.lines)
    assert up == down != other


def test_colours_are_the_same_in_a_part_of_the_branch():
    (whole,), (part,) = drawn(BOTH_WAYS, "y"), drawn(BOTH_WAYS, "y", begin=1.5)
    assert [line.get_color() for line in part.lines] == [whole.lines[0].get_color(), whole.lines[2].get_color()]
