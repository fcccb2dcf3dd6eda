"""Run files without a sound record of the model's files."""

import h5py
import pytest

from hybridsim import ConfigError, verify

from recorded_runs import refusal, without_record


def test_a_file_without_a_record_executes_nothing(recorded, use, marker, stranger):
    path, plugin, _ = recorded()
    without_record(path)
    plugin.write_text(plugin.read_text() + stranger)
    assert "not as the run records" in refusal(use, path, marker)


@pytest.mark.exhaustive  # one without a record executes nothing in the ordinary run
def test_a_file_without_a_record_executes_no_part(swing, marker, stranger):
    path, _, part = swing
    without_record(path)
    part.write_text(part.read_text() + stranger)
    refusal(verify, path, marker)


@pytest.mark.parametrize("lost", [("plugin_hash",), ("source",), ("plugin_hash", "source")])
def test_a_file_without_attributes_executes_nothing(lost, recorded, use, marker, stranger):
    path, plugin, _ = recorded()
    without_record(path)
    plugin.write_text(plugin.read_text() + stranger)
    with h5py.File(path, "a") as file:
        for name in lost:
            del file.attrs[name]
    refusal(use, path, marker)


BAD_RECORDS = {
    "a number": lambda file: file.create_dataset("model_files", data=3),
    "empty": lambda file: file.create_group("model_files"),
    "one column": lambda file: file.create_dataset("model_files/path", data=["a"]),
    "numbers": lambda file: (
        file.create_dataset("model_files/path", data=[1, 2]),
        file.create_dataset("model_files/sha256", data=[1, 2]),
    ),
    "of two lengths": lambda file: (
        file.create_dataset("model_files/path", data=["a", "b"]),
        file.create_dataset("model_files/sha256", data=["a"]),
    ),
    "a device": lambda file: (
        file.create_dataset("model_files/path", data=["/dev/zero", "a\nb", "../.."]),
        file.create_dataset("model_files/sha256", data=["a", "b", "c"]),
    ),
}


@pytest.mark.members
@pytest.mark.parametrize("damage", BAD_RECORDS)
def test_a_damaged_record_executes_nothing(damage, recorded, use, marker, stranger):
    path, plugin, _ = recorded()
    without_record(path)
    plugin.write_text(plugin.read_text() + stranger)
    with h5py.File(path, "a") as file:
        BAD_RECORDS[damage](file)
    with pytest.raises(ConfigError):
        use(path)
    assert not marker.exists()
