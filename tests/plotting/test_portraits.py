"""Phase portraits: what is drawn over what, what jumps look like, and what is refused."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from hybridsim import ConfigError, simulate
from hybridsim.plotting import plot_phase, plot_portraits
from hybridsim.plotting.columns import points_of


@pytest.fixture(scope="module")
def ball():
    return simulate("bouncing_ball", parameters={"restitution": 0.8}, final_time=2.0)


def test_a_portrait_follows_the_flow_and_goes_straight_at_every_jump(ball):
    """Between two bounces v^2 / 2 + g y is constant, at every point that is drawn."""
    curve, jumps, start = plot_portraits(ball, ["y:v"], events=False).axes[0].lines[:3]
    y, v = curve.get_data()
    assert np.isnan(y).sum() == np.isnan(v).sum() == ball.j[-1] == 3
    flights = np.split(np.arange(len(y)), np.flatnonzero(np.isnan(y)))
    energy = 0.5 * v**2 + 9.81 * y
    assert all(np.nanmax(energy[flight]) - np.nanmin(energy[flight]) < 1e-7 for flight in flights)
    assert all(len(flight) > 50 for flight in flights)
    np.testing.assert_allclose([energy[flight[-1]] for flight in flights], 9.81 * 0.64 ** np.arange(4), rtol=1e-7)
    heights, speeds = (column.reshape(3, 3)[:, :2] for column in jumps.get_data())
    np.testing.assert_allclose(heights, 0.0, atol=1e-9)
    np.testing.assert_allclose(speeds[:, 1], -0.8 * speeds[:, 0])
    assert (start.get_xdata()[0], start.get_ydata()[0]) == (1.0, 0.0)


def test_only_the_part_that_is_asked_for_is_drawn(ball):
    t, *_, y = points_of(ball, ["y"], (0.5, 0.7)).along("y")
    after = np.array([0.5, 0.7]) - np.sqrt(2 / 9.81)  # the ball rises all this time after its first bounce
    assert (t[0], t[-1]) == (0.5, 0.7)
    np.testing.assert_allclose(y[[0, -1]], 0.8 * np.sqrt(2 * 9.81) * after - 0.5 * 9.81 * after**2)


def test_several_runs_have_a_curve_and_a_key_each():
    runs = {
        name: simulate("bouncing_ball", initial={"y": y}, final_time=0.4) for name, y in (("low", 1.0), ("high", 2.0))
    }
    figure = plot_phase(runs)
    curves = [line for line in figure.axes[0].lines if len(line.get_xdata()) > 1]
    assert [line.get_xdata()[0] for line in curves] == [1.0, 2.0]
    assert curves[0].get_color() != curves[1].get_color()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["low", "high", "start"]


def test_a_portrait_in_space_needs_a_panel_in_space(ball):
    with pytest.raises(ConfigError, match="ax: y:v:y needs a panel with projection='3d'"):
        plot_portraits(ball, ["y:v:y"], ax=Figure().subplots())


@pytest.mark.members(1)
@pytest.mark.parametrize("names", [["y:ydot"], ["x:y:ydot"], ["y:ydot", "x:y:ydot", "leg_force:ydot"]])
def test_portraits_of_two_and_three_quantities_are_written(names, tmp_path):
    plot_portraits(simulate("slip", final_time=1.0), names, tmp_path / "p.svg")
    text = (tmp_path / "p.svg").read_text()
    assert "<!-- touchdown -->" in text
    assert "<!-- ydot [m/s] -->" in text


def test_events_are_left_out_on_demand(ball, tmp_path):
    plot_portraits(ball, ["y:v"], tmp_path / "p.svg", events=False)
    assert "<!-- floor -->" not in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("y:w", "y:w: the run has no output, state or input 'w'; it has y, v"),
        ("y:", "y:: expected two or three names with a : between them; write y:v"),
        ("y:v:y:v", "expected two or three names"),
    ],
)
def test_what_is_no_portrait_is_refused(ball, tmp_path, name, what):
    with pytest.raises(ConfigError) as error:
        plot_portraits(ball, [name], tmp_path / "p.png")
    assert what in str(error.value)
    assert not [*tmp_path.iterdir()]
