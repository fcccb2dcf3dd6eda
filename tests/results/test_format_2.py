"""Files of format 2 are read: with other names, and without the column `surface`."""

import dataclasses

import h5py
import numpy as np
import pytest

from hybridsim import Simulation, Status, load_run, simulate, verify
from hybridsim.plotting import plot_run
from hybridsim.results.events import EVENT_COLUMNS
from hybridsim.results.rows import ROW_COLUMNS
from hybridsim.results.saving import save_run
from hybridsim.viewer.replay import Replay

from gallery import BLOCK


def rewrite_as_format_2(path):
    """Give the columns, the status and the config of a file their old names, and remove what was not there."""
    with h5py.File(path, "a") as file:
        file.attrs["format_version"] = 2
        file.move("adjacent_chart", "other")
        file.move("sliding_weight", "weight")
        file.move("events/adjacent_chart", "events/other")
        del file["surface"], file["events/surface"]
        config = file["config"].asstr()[()]
        del file["config"]
        file["config"] = config.replace("progress_period:", "measure_period:")
        if file.attrs["status"] == "OUTSIDE_CHART":
            file.attrs["status"] = "OUTSIDE_PATCH"


def saved_as_format_2(run, folder):
    *_, path = save_run(run, folder, formats=["hdf5"])
    rewrite_as_format_2(path)
    return path


@pytest.fixture(params=[True, False, 0.01], ids=["steps", "events", "period"])
def sliding(request):
    return simulate("dry_friction", final_time=10.0, record=request.param)


def test_all_columns_come_back(sliding, tmp_path):
    loaded = load_run(saved_as_format_2(sliding, tmp_path))
    assert (sliding.adjacent_chart >= 0).any()
    for name in ROW_COLUMNS:
        np.testing.assert_array_equal(getattr(loaded, name), getattr(sliding, name), err_msg=name)
    for name in EVENT_COLUMNS:
        np.testing.assert_array_equal(getattr(loaded.events, name), getattr(sliding.events, name), err_msg=name)
    assert loaded.status is sliding.status
    assert loaded.provenance["config"] == sliding.provenance["config"]
    assert "progress_period" in loaded.provenance["config"]


def test_an_old_run_is_verified_viewed_and_plotted(sliding, tmp_path):
    path = saved_as_format_2(sliding, tmp_path)
    assert verify(load_run(path)).ok
    assert verify(path).ok
    plot_run(load_run(path), ["v"], tmp_path / "old.png")
    assert (tmp_path / "old.png").is_file()


def test_an_old_run_is_shown(tmp_path):
    run = simulate("bouncing_ball", final_time=1.0)
    new, old = Replay(run), Replay(saved_as_format_2(run, tmp_path))
    for t in (0.0, 0.3, 1.0):
        np.testing.assert_array_equal(old.frame(t).poses, new.frame(t).poses)
        assert old.frame(t).outputs == new.frame(t).outputs


def test_slides_that_changes_of_inputs_interrupt_come_back(tmp_path):
    simulation = Simulation(BLOCK, initial={"v": 0.2}, inputs={"force": 0.0}, final_time=2.0)
    for t, push in ((0.5, 0.3), (0.9, -0.4), (1.1, 1.5), (1.3, -2.0), (1.8, 0.0)):
        simulation.advance(t)
        simulation.inputs["force"] = push
    run = simulation.run()
    assert {event.kind for event in run.events} == {"crossing", "entry", "input"}
    loaded = load_run(saved_as_format_2(run, tmp_path))
    np.testing.assert_array_equal(loaded.surface, run.surface)
    np.testing.assert_array_equal(loaded.events.surface, run.events.surface)


def test_a_status_of_format_2_has_its_present_name(run, tmp_path):
    loaded = load_run(saved_as_format_2(dataclasses.replace(run, status=Status.OUTSIDE_CHART), tmp_path))
    assert loaded.status is Status.OUTSIDE_CHART


def test_a_run_without_slides_has_no_surface(run, tmp_path):
    loaded = load_run(saved_as_format_2(run, tmp_path))
    assert set(loaded.surface.tolist()) == set(loaded.events.surface.tolist()) == {-1}
