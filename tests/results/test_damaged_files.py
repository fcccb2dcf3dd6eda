"""Damaged run files: each is read as a run that can be verified, or refused by an error that names the file."""

import functools
import random
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

from hybridsim import Trajectory, load_run, simulate
from hybridsim.config.source import Diagnostics, Origin
from hybridsim.errors import ConfigError
from hybridsim.results import reading
from hybridsim.verification import verify

from waiting import PATIENCE

SEEDS, FILES_PER_SEED = 13, 150
VERIFIED_SHARE = 0.1
VALUES = [
    *(1, -1, 2**62, 1.5, np.nan, np.inf, 1j, True, "word", b"bytes", ""),
    *(np.zeros(0), np.zeros(3), np.zeros((2, 2)), np.zeros((3, 2), complex), np.full(14, np.nan), np.arange(14)),
    *(h5py.Empty("f8"), h5py.Empty("S1"), np.array(["a", "b"], dtype="S2"), np.array([b"\xff\xfe"])),
]


@functools.cache
def parsed(text, parse=reading.parse_value):
    return parse(text, Origin("/config"), (), Diagnostics())


@pytest.fixture(autouse=True)
def parse_once(monkeypatch):
    """The config is read from YAML once for all files that have the same."""
    monkeypatch.setattr(reading, "parse_value", lambda text, *_: parsed(text))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    simulate("bouncing_ball", final_time=1.0).save(folder / "run.h5")
    return folder / "run.h5"


def flip_bits(path, rng):
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 1, 4, 16])):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def places(file):
    names = []
    file.visit(names.append)
    return names


def replace_dataset(file, rng):
    name = rng.choice(places(file))
    attributes = {} if rng.random() < 0.3 else dict(file[name].attrs)
    del file[name]
    file[name] = rng.choice(VALUES)
    file[name].attrs.update(attributes)


def change_entries(file, rng):
    name = rng.choice([name for name in places(file) if isinstance(file[name], h5py.Dataset) and file[name].size])
    data = file[name]
    if data.dtype.kind in "OS":
        data[...] = rng.choice([b"", b"nonsense", b"\xff\xfe"])
        return
    values = data[()]
    flat = np.ravel(values)
    flat[rng.randrange(len(flat))] = rng.choice([0, 1, 3, 200] if data.dtype.kind == "u" else [-7, 0, 1, 99, 2**40])
    if data.dtype.kind == "f" and rng.random() < 0.3:
        flat[rng.randrange(len(flat))] = rng.choice([np.nan, np.inf, -np.inf])
    data[...] = flat.reshape(values.shape)


def change_shape(file, rng):
    name = rng.choice([name for name in places(file) if isinstance(file[name], h5py.Dataset) and file[name].shape])
    values, attributes = file[name][()], dict(file[name].attrs)
    kind = h5py.string_dtype() if values.dtype.kind == "O" else None
    del file[name]
    changed = rng.choice([values[:-1], values[None], values[:0], np.repeat(values, 2, axis=0), values.ravel()])
    file.create_dataset(name, data=changed, dtype=kind)
    file[name].attrs.update(attributes)


def change_attribute(file, rng):
    owner = file[rng.choice([name for name in ["/", *places(file)] if len(file[name].attrs)])]
    name = rng.choice([*owner.attrs])
    if rng.random() < 0.3:
        del owner.attrs[name]
    else:
        owner.attrs[name] = rng.choice(VALUES)


def link_elsewhere(file, rng):
    name = rng.choice(places(file))
    del file[name]
    kind = rng.choice(["none", "itself", "another", "root", "file", "hard"])
    if kind == "itself":
        file[name] = h5py.SoftLink(f"/{name}")
    elif kind == "another":
        file[name] = h5py.SoftLink("/" + rng.choice(places(file)))
    elif kind == "root":
        file[name] = h5py.SoftLink("/")
    elif kind == "file":
        file[name] = h5py.ExternalLink("elsewhere.h5", "/t")
    elif kind == "hard":
        file[name] = file["/"]


STRUCTURAL = [replace_dataset, change_entries, change_shape, change_attribute, link_elsewhere]


def damaged(whole, path, rng):
    """Write a damaged copy of a file."""
    shutil.copy(whole, path)
    if rng.random() < 0.5:
        flip_bits(path, rng)
        return
    with h5py.File(path, "a") as file:
        rng.choice(STRUCTURAL)(file, rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, SEEDS))])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numpy, about numbers that damage made infinite
def test_a_damaged_file_is_a_run_that_can_be_verified_or_one_error(whole, tmp_path, seed):
    rng, path, refused = random.Random(seed), tmp_path / "run.h5", 0
    named = 0
    for _ in range(FILES_PER_SEED):
        damaged(whole, path, rng)
        try:
            run = load_run(path)
            assert isinstance(run, Trajectory)
            if rng.random() < VERIFIED_SHARE:
                verify(path, "bouncing_ball")
        except ConfigError as error:
            refused += 1
            named += str(path) in str(error) or "/config" in str(error)
    assert named == refused > 0.2 * FILES_PER_SEED


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
