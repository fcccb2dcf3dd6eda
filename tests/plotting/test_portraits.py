"""Phase portraits: what is drawn over what, where the gaps are, and what is refused."""

import numpy as np
import pytest

from hybridsim import ConfigError, simulate
from hybridsim.plotting import plot_portraits
from hybridsim.plotting.portraits import _points


@pytest.fixture(scope="module")
def ball():
    return simulate("bouncing_ball", parameters={"restitution": 0.8}, final_time=2.0)


def test_a_portrait_of_states_follows_the_flow_and_has_a_gap_at_every_jump(ball):
    """Between two bounces v^2 / 2 + g y is constant, at every point that is drawn."""
    (y, v), _ = _points(ball, ["y", "v"], (0.0, 2.0))
    assert np.isnan(y).sum() == np.isnan(v).sum() == ball.j[-1] == 3
    flights = np.split(np.arange(len(y)), np.flatnonzero(np.isnan(y)))
    energy = 0.5 * v**2 + 9.81 * y
    assert all(np.nanmax(energy[flight]) - np.nanmin(energy[flight]) < 1e-7 for flight in flights)
    assert all(len(flight) > 50 for flight in flights)
    np.testing.assert_allclose([energy[flight[-1]] for flight in flights], 9.81 * 0.64 ** np.arange(4), rtol=1e-7)


def test_only_the_part_that_is_asked_for_is_drawn(ball):
    (t, y), _ = _points(ball, ["y", "y"], (0.5, 0.7))
    assert len(t) > 0
    after = np.array([0.5, 0.7]) - np.sqrt(2 / 9.81)  # the ball rises all this time after its first bounce
    low, high = 0.8 * np.sqrt(2 * 9.81) * after - 0.5 * 9.81 * after**2
    assert low <= np.nanmin(y) < low + 0.03
    assert high - 0.03 < np.nanmax(y) <= high


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
