"""Values at the last events of runs are points over one axis; elsewhere the other metrics are drawn."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

from hybridsim.errors import ConfigError
from hybridsim.plotting.sweeps import drawable, plot_sweep

from .sweep_tables import axis, figure_of, metric, table


def diagram(n_axes=1):
    """Three runs, of which the first had one event and the others two; with two axes, twice as many runs."""
    mass, copies = np.array([1.0, 2.0, 4.0]), np.arange(float(n_axes))
    axes = [(axis("mass", np.repeat(mass, n_axes), 0, "kg"), np.repeat(mass, n_axes))]
    axes += [(axis("copy", np.tile(copies, 3), 1), np.tile(copies, 3))] * (n_axes - 1)
    metrics = [(metric("speed", "last_after", "m/s"), np.zeros(3 * n_axes)), (metric("top"), np.ones(3 * n_axes))]
    rows = table(axes, metrics)
    runs = np.array([0, 1, 1, 2, 2, 2])
    events = pa.table({"row": runs, "event": [1, 1, 2, 3, 4, 5], "speed": [1.0, 2.0, 3.0, 4.0, 5.0, None]})
    return dataclasses.replace(rows, table=rows.table.drop_columns("speed"), events=events)


def test_values_at_events_are_points_over_the_axis():
    figure = figure_of(diagram())
    (panel,) = figure.axes
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("mass [kg]", "speed [m/s]")
    (points,) = figure.axes[0].collections
    np.testing.assert_array_equal(points.get_offsets(), [[1, 1], [2, 2], [2, 3], [4, 4], [4, 5]])
    assert figure.axes[0].get_yscale() == "linear"


def test_values_at_events_share_a_picture_with_curves():
    above, below = figure_of(diagram(), ["speed", "top"]).axes
    assert (len(above.collections), len(above.lines)) == (1, 0)
    assert (len(below.collections), len(below.lines)) == (0, 1)


def test_an_unfinished_sweep_has_the_points_of_its_rows():
    whole = diagram()
    part = dataclasses.replace(
        whole, table=whole.table.take([0, 2]), events=whole.events.filter(np.array([1, 0, 0, 1, 1, 1], bool))
    )
    (points,) = figure_of(part).axes[0].collections
    np.testing.assert_array_equal(points.get_offsets(), [[1, 1], [4, 4], [4, 5]])


def test_values_at_events_are_drawn_over_one_axis_only():
    with pytest.raises(ConfigError, match=r"2 axes vary: .*; expected one for values at events; fix .* mass=2$"):
        figure_of(diagram(2))


@pytest.mark.members(1)
@pytest.mark.parametrize("metrics", [[], ["speed", "top"], ["top", "speed"]])
def test_a_map_is_drawn_of_the_other_metrics_and_a_note_says_which_are_left_out(metrics, tmp_path):
    drawn, (note,) = drawable(diagram(2), metrics, {}, {})
    assert (drawn.names, dict(drawn.events)) == (("top",), {})
    assert note.startswith("not drawn: speed: 2 axes vary: mass (3 values), copy (2 values); expected one for values")
    assert note.endswith("for example mass=2")
    assert plot_sweep(diagram(2), metrics, {}, tmp_path / "a.png").notes == (note,)
    with pytest.raises(ConfigError, match="expected one for values at events"):
        plot_sweep(diagram(2), ["speed"], {}, tmp_path / "b.png")


def test_over_samples_the_other_metrics_are_drawn():
    mass = np.array([2.0, 4.0, 1.0])
    axes = [(axis("mass", mass, 0), mass), (axis("length", np.arange(3.0), 0), np.arange(3.0))]
    rows = table(axes, [(metric("speed", "last"), np.zeros(3)), (metric("top"), np.ones(3))])
    events = pa.table({"row": [0, 1, 2], "event": [1, 1, 1], "speed": [1.0, 2.0, 3.0]})
    sweep = dataclasses.replace(rows, table=rows.table.drop_columns("speed"), events=events)
    drawn, notes = drawable(sweep, [], {}, {})
    assert drawn.names == ("top",)
    assert notes == ["not drawn: speed: values at events are drawn over one axis, not over samples"]
