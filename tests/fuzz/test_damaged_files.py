"""Randomly damaged run files: each is a run that can be verified, or is refused by an error that names the file."""

import functools
import random
import shutil

import h5py
import numpy as np
import pytest

from hybridsim import Trajectory, load_run, simulate
from hybridsim.config.source import Diagnostics, Origin
from hybridsim.errors import ConfigError
from hybridsim.results import reading
from hybridsim.verification import verify

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
@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numpy, about numbers that damage made infinite
def test_a_damaged_file_is_a_run_that_can_be_verified_or_one_error(whole, tmp_path, seed, counted):
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
    counted["files"] += FILES_PER_SEED
    counted["refused"] += refused
    assert named == refused > 0.2 * FILES_PER_SEED
