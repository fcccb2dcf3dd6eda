"""Damaged run files: the error names the file, the place in it, and what was expected and found."""

import re
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

from hybridsim import load_run, simulate
from hybridsim.errors import ConfigError

from waiting import PATIENCE


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    simulate("bouncing_ball", final_time=1.0).save(folder / "run.h5")
    return folder / "run.h5"


@pytest.mark.parametrize(
    ("place", "value", "expected", "found"),
    [
        ("t", 1j * np.ones(14), "numbers", "complex128"),
        ("x", 3.0, "numbers of shape (14, 2)", "one value"),
        ("chart", np.full(14, 7), "the charts of /charts/number (0)", "found 7"),
        ("t", np.full(14, np.nan), "finite numbers", "found nan"),
        ("events/x_after", np.zeros((3, 2)), "numbers of shape (2, 2)", "(3, 2)"),
        ("events/kind", np.array([b"?", b"?"]), "crossing", "'?'"),
        ("parameters/gravity", h5py.Empty("f8"), "a number", "nothing"),
        ("certificate", np.full(14, 9), "integers from -1 to 3", "found 9"),
        ("extension", h5py.SoftLink("/extension"), "cannot be read", "too many links"),
        ("charts", 1.0, "", ""),
    ],
)
def test_the_error_names_the_place_and_what_was_expected_and_found(whole, tmp_path, place, value, expected, found):
    path = tmp_path / "run.h5"
    shutil.copy(whole, path)
    with h5py.File(path, "a") as file:
        attributes = dict(file[place].attrs)
        del file[place]
        file[place] = value
        if not isinstance(value, h5py.SoftLink):
            file[place].attrs.update(attributes)
    with pytest.raises(ConfigError) as error:
        load_run(path)
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert f"/{place}" in message
    assert expected in message
    assert found in message
    assert message.endswith("run the simulation again")


def test_a_text_whose_type_is_damaged_is_refused_before_it_is_read(whole, tmp_path):
    """HDF5 calls it neither text nor sequence then, and reading it ends the process."""
    content, path, refused = whole.read_bytes(), tmp_path / "run.h5", 0
    text_types = [found.start() for found in re.finditer(rb"\x19\x01\x01\x00\x10\x00\x00\x00", content)]
    for position in text_types:
        path.write_bytes(content[: position + 1] + b"\x09" + content[position + 2 :])
        try:
            load_run(path)  # not all attributes are read
        except ConfigError as error:
            refused += "expected text" in str(error) or "expected a text" in str(error)
    assert refused > 0.8 * len(text_types) > 10


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize("command", ["verify", "plot"])
def test_a_damaged_file_ends_a_command_with_one_message_and_exit_code_2(whole, tmp_path, command):
    path = tmp_path / "run.h5"
    shutil.copy(whole, path)
    with h5py.File(path, "a") as file:
        file["x"].attrs["units"] = h5py.Empty("S1")
    process = [sys.executable, "-m", "hybridsim", command, str(path)]
    ended = subprocess.run(process, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 2
    assert "the attribute units of /x: expected texts" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
