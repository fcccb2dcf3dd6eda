import numpy as np
import pytest

from hybridsim import ConfigError, Simulation
from hybridsim.plotting import _curve, _rows_before, _shades, plot_run

FORMATS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture(scope="module")
def run():
    return Simulation("slip", final_time=1.0).run()


@pytest.mark.parametrize("ending", FORMATS)
def test_the_ending_of_the_picture_decides_its_format(run, tmp_path, ending):
    plot_run(run, ["y"], tmp_path / f"picture{ending}")
    assert (tmp_path / f"picture{ending}").read_bytes().startswith(FORMATS[ending])


def test_without_names_all_outputs_but_time_are_drawn(run, tmp_path):
    plot_run(run, [], tmp_path / "all.svg")
    text = (tmp_path / "all.svg").read_text()
    assert all(f"<!-- {name}" in text for name in run.outputs.names if name != "time")


def test_charts_and_boundaries_are_in_the_legend(run, tmp_path):
    plot_run(run, ["y"], tmp_path / "picture.svg")
    text = (tmp_path / "picture.svg").read_text()
    assert all(f"<!-- {name} -->" in text for name in ("descent", "compression", "touchdown", "liftoff"))


def test_a_state_that_is_no_output_can_be_drawn(run, tmp_path):
    plot_run(run, ["footx"], tmp_path / "foot.png")


def test_a_run_that_did_not_move_can_be_drawn(tmp_path):
    plot_run(Simulation("slip").result(), ["y"], tmp_path / "still.png")


def test_an_unknown_output_gets_a_suggestion(run, tmp_path):
    with pytest.raises(ConfigError, match="did you mean `leg_force`"):
        plot_run(run, ["leg_forse"], tmp_path / "picture.png")
    assert not [*tmp_path.iterdir()]


def test_an_unknown_format_is_refused(run, tmp_path):
    with pytest.raises(ConfigError, match=r"name it \.png, \.pdf or \.svg"):
        plot_run(run, ["y"], tmp_path / "picture.doc")


def test_a_curve_has_a_gap_at_every_jump_and_follows_the_flow_between(run):
    t, y = _curve(run, "y")
    assert np.isnan(y).sum() == run.j[-1]
    inside = ~np.isnan(t)
    # the runner stays between ground and its apex, and falls from there along y = 1 - g t^2 / 2
    fall = inside & (t < run.events[0].t)
    np.testing.assert_allclose(y[fall], run["y"][0] - 0.5 * 9.81 * t[fall] ** 2, rtol=1e-9)


def test_an_event_is_marked_at_the_state_before_it(run):
    rows = _rows_before(run)
    np.testing.assert_array_equal(run.x[rows], run.events.x_before)


def test_the_charts_with_the_longest_stay_are_coloured(run):
    assert len(set(_shades(run).values())) == len(run.charts)
