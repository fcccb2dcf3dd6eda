"""Tables of a run for pandas, xarray and CSV; the run is the ball of `conftest`."""

import csv
import sys

import numpy as np
import pytest

import hybridsim
from hybridsim import HybridsimError, SimulationError

JUMPS = {"both": [0, 1, 2, 3, 4], "before": [0, 1, 2, 4], "after": [0, 1, 3, 4]}


@pytest.mark.parametrize(("jumps", "rows"), JUMPS.items())
def test_a_frame_has_the_chosen_side_of_each_jump(run, jumps, rows):
    frame = run.to_pandas(jumps)
    np.testing.assert_array_equal(frame["t"], run.t[rows])
    np.testing.assert_array_equal(frame["j"], run.j[rows])
    for name in (*run.states.names, *run.outputs.names):
        np.testing.assert_array_equal(frame[name], run[name][rows])
    assert list(frame.columns[:3]) == ["t", "j", "chart"]
    assert len(set(frame.columns)) == len(frame.columns)
    assert (frame.attrs["units"]["t"], frame.attrs["units"]["y"]) == ("s", "m")


@pytest.mark.parametrize(("jumps", "rows"), JUMPS.items())
def test_a_dataset_has_units_and_coordinates(run, jumps, rows):
    dataset = run.to_xarray(jumps)
    np.testing.assert_array_equal(dataset.t, run.t[rows])
    np.testing.assert_array_equal(dataset.y, run.x[rows, 0])
    assert (dataset.y.attrs["units"], dataset.y.attrs["long_name"]) == ("m", "height")
    assert set(dataset.coords) == {"t", "j", "chart"}
    assert dataset.attrs["model"] == run.model_name


def test_a_change_of_inputs_is_a_jump_of_their_columns():
    simulation = hybridsim.Simulation("hexapod", parameters={"control_type": "held"}, final_time=0.02, record=0.01)
    simulation.advance(0.01)
    simulation.inputs["voltage0"] = 3.0
    simulation.advance(0.02)
    frame = simulation.result().to_pandas()
    assert frame.loc[frame["t"] == 0.01, "voltage0"].tolist() == [0.0, 3.0]


def test_a_side_that_does_not_exist_is_refused(run):
    for table in (run.to_pandas, run.to_xarray):
        with pytest.raises(SimulationError, match=r"both, before, after.*'left'"):
            table("left")


def test_events_have_both_states_by_name(run):
    (event,) = run.events.to_pandas().to_dict("records")
    assert (event["t"], event["boundaries"], event["kind"]) == (1.0, "floor", run.events.kind[0])
    assert [event["v_before"], event["v_after"]] == [-2.0, 1.0]
    assert [event["bounces_before"], event["bounces_after"]] == [0.0, 1.0]


def test_no_events_are_an_empty_table_with_the_same_columns(run):
    still = hybridsim.simulate("bouncing_ball", final_time=0.1)
    assert len(still.events.to_pandas()) == 0
    assert "y_after" in still.events.to_pandas().columns


def test_a_csv_file_has_every_digit(run, tmp_path):
    (path,) = run.save(tmp_path / "ball.csv")
    with path.open(newline="") as file:
        names, *rows = csv.reader(file)
    assert names == list(run.to_pandas().columns)
    assert np.array(rows, float).tolist() == run.to_pandas().to_numpy().tolist()


@pytest.mark.parametrize("package", ["pandas", "xarray"])
def test_a_package_that_is_missing_is_named(run, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(HybridsimError, match=f"pip install {package}"):
        getattr(run, f"to_{package}")()
