"""Pictures of branches of orbits: what is drawn by default, and which curves have one colour."""

import dataclasses

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


def doubling():
    """x = k up to a flip at k = 1; from there two strides at 1 and x = k; a flip of these at k = 2."""
    record = record_of([0, 0, 1, 1], [0.0, 1.0, 1.001, 2.0], [0.0] * 4, [0.0, 1.0, 1.001, 2.0])
    visits = np.full((4, 2, 2), np.nan)
    visits[:, 0] = record.visits[:, 0]
    visits[2:, 1] = [[0.0, 1.0], [0.0, 1.0]]
    found = {"kind": ["flip"] * 2, "type": ["supercritical"] * 2, "value": [1.0, 2.0], "curve": [0, 1]}
    return dataclasses.replace(
        record,
        points=record.points | {"strides": np.array([1, 1, 2, 2]), "period": np.array([0.5, 0.5, 1.0, 1.0])},
        visits=visits,
        bifurcations={name: np.array(values) for name, values in found.items()}
        | {"x": np.array([[0.0, 1.0], [0.0, 2.0]])},
    )


def marks_of(panel):
    return [line.get_xydata().tolist() for line in panel.lines if line.get_marker() == "o"]


def test_a_flip_is_marked_at_all_strides_and_on_the_curve_that_is_born_there():
    above, below = drawn(doubling(), "y", "period")
    assert marks_of(above) == [[[1.0, 1.0]], [[2.0, 2.0], [2.0, 1.0]]]
    assert marks_of(below) == [[[1.0, 0.5], [1.0, 1.0]], [[2.0, 1.0]]]


def test_the_legend_says_what_the_colours_are():
    figure = plot_branch(doubling(), ["y"])
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["1 stride", "2 strides", "stable", "unstable", "flip"]
    colours = [line.get_color() for line in figure.legends[0].get_lines()[:2]]
    assert colours == [figure.axes[0].lines[0].get_color(), figure.axes[0].lines[1].get_color()]
    labels = [text.get_text() for text in plot_branch(BOTH_WAYS, ["y"]).legends[0].get_texts()]
    assert labels[:2] == ["1 stride, from 1", "1 stride, from 2"]


def test_equilibria_outside_their_chart_are_faint():
    record = record_of([0] * 4, [0.0, 1.0, 2.0, 3.0], [0.0] * 4, [0.0, 1.0, 2.0, 3.0])
    inside = np.array([True, True, False, False])
    (panel,) = drawn(dataclasses.replace(record, what="equilibria", points=record.points | {"admissible": inside}), "y")
    faint = next(line for line in panel.lines if line.get_alpha())
    full = next(line for line in panel.lines if not line.get_alpha())
    assert np.nanmin(faint.get_ydata()) == 2.0
    assert np.nanmax(full.get_ydata()) == 2.0
