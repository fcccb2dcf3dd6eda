import dataclasses

import h5py
import numpy as np
import pytest

from hybridsim.errors import ConfigError
from hybridsim.results.events import EVENT_COLUMNS
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory


@pytest.fixture
def path(run, tmp_path):
    run.save(tmp_path / "ball.h5")
    return tmp_path / "ball.h5"


def test_a_run_comes_back_as_it_was_saved(run, path):
    loaded = load_run(path)
    for field in dataclasses.fields(Trajectory):
        before, after = getattr(run, field.name), getattr(loaded, field.name)
        if isinstance(before, np.ndarray):
            np.testing.assert_array_equal(after, before)
            assert after.dtype == before.dtype
        elif field.name != "events":
            assert after == before, field.name


def test_its_events_come_back_too(run, path):
    (event,), (loaded,) = run.events, load_run(path).events
    assert loaded.boundaries == event.boundaries == ("floor",)
    assert (loaded.t, loaded.j, loaded.certificate, loaded.declined) == (1.0, 0, "exact", False)
    np.testing.assert_array_equal(loaded.x_before, event.x_before)
    np.testing.assert_array_equal(loaded.x_after, event.x_after)


def test_a_loaded_run_interpolates(run, path):
    # free fall from 1 m with 2 m/s2: y(0.25) = 1 - 0.25^2
    assert load_run(path).at(0.25)[0] == 0.9375


def test_the_public_layout_is_plain_hdf5(run, path):
    with h5py.File(path) as file:
        assert set(file) >= {"t", "j", "chart", "x", "y", "extension", "step", "events", "parameters", "config"}
        assert set(file["events"]) == {
            *("t", "j", "boundaries", "chart_before", "chart_after", "x_before", "x_after", "certificate", "declined"),
            *("kind", "adjacent_chart", "surface", "value", "depth", "error"),
        }
        assert [*file["certificate"].attrs["names"]] == ["time", "sampled", "bounded", "exact"]
        assert [*file["x"].attrs["names"]] == ["y", "v", "bounces"]
        assert [*file["x"].attrs["units"]] == ["m", "m/s", ""]
        assert [*file["y"].attrs["names"]] == ["energy", "height"]
        assert file["events/boundaries"][()].tolist() == [[1, 0]]
        assert file.attrs["status"] == "STOPPED"
        assert "rtol: 1.0e-08" in file["config"].asstr()[()]
        assert file["versions"].attrs["numpy"] == np.__version__


def test_a_run_without_events_or_provenance_is_saved_as_well(run, tmp_path):
    nothing = {name: getattr(run.events, name)[:0] for name in EVENT_COLUMNS}
    events = type(run.events)(names=run.boundaries, states=run.states.names, **nothing)
    dataclasses.replace(run, events=events, provenance={}).save(tmp_path / "quiet.h5")
    loaded = load_run(tmp_path / "quiet.h5")
    assert len(loaded.events) == 0
    assert "config" not in loaded.provenance


def test_slopes_are_saved_where_there_is_no_extension(run, tmp_path):
    sampled = dataclasses.replace(run, extension=None, step=None, xdot=np.ones_like(run.x))
    sampled.save(tmp_path / "sampled.h5")
    loaded = load_run(tmp_path / "sampled.h5")
    assert loaded.extension is None
    np.testing.assert_array_equal(loaded.xdot, sampled.xdot)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.h5: there is no such file"):
        load_run(tmp_path / "none.h5")


def test_a_text_file_is_not_a_run(tmp_path):
    (tmp_path / "run.h5").write_text("hello")
    with pytest.raises(ConfigError, match="not an HDF5 file"):
        load_run(tmp_path / "run.h5")


def test_a_foreign_hdf5_file_is_not_a_run(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["t"] = [1.0]
    with pytest.raises(ConfigError, match="not a run of hybridsim"):
        load_run(tmp_path / "other.h5")


@pytest.mark.parametrize("version", [2, 4])
def test_a_file_of_another_format_is_refused_with_the_version_that_wrote_it(path, version):
    with h5py.File(path, "a") as file:
        file.attrs["format_version"] = version
        file["versions"].attrs["hybridsim"] = "0.0.7"
    with pytest.raises(
        ConfigError,
        match=rf"in format {version} by hybridsim 0\.0\.7, and this one reads format 3; .* run the simulation again",
    ):
        load_run(path)


def test_a_file_of_another_format_that_names_no_version_is_refused(path):
    with h5py.File(path, "a") as file:
        file.attrs["format_version"] = 1
        del file["versions"]
    with pytest.raises(ConfigError, match="in format 1 by hybridsim of another version"):
        load_run(path)


def test_a_run_with_a_missing_dataset_is_damaged(path):
    with h5py.File(path, "a") as file:
        del file["x"]
    with pytest.raises(ConfigError, match="damaged"):
        load_run(path)


def test_a_truncated_file_is_refused_wherever_it_was_cut(path):
    content = path.read_bytes()
    for share in np.linspace(0.0, 0.999, 50):
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(ConfigError, match=r"damaged|not an HDF5 file"):
            load_run(path)
