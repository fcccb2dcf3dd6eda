"""Damaged folders of a sweep: what is read was computed, what is resumed becomes whole, or one error names a file."""

import functools
import os
import random
import resource
import shutil
import signal
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.errors import ConfigError
from hybridsim.sweeps import load_sweep, part_file, run_sweep

SEEDS, FOLDERS_PER_SEED, CUTS_PER_SEED = 10, 40, 30
TIME_LIMIT = 20
"""Longest time in which a folder is read or completed, which takes a fraction of a second [s]."""

MEMORY_LIMIT = 2**32
"""Most memory that this may take beyond what the process has [bytes]."""

VALUES = [None, True, "word", 1.5, b"bytes", [1, 2], {"a": 1}, 2**62]


class TookTooLongError(BaseException):
    """Raised at the time limit; nothing that is tested here catches it."""


@contextmanager
def limits():
    """Interrupt what waits, and refuse memory to what takes more and more of it."""

    def interrupt(*_):
        raise TookTooLongError

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, interrupt)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_LIMIT, hard))
    signal.alarm(TIME_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGALRM, before)


@functools.cache
def balls():
    """Twelve bouncing balls in three parts, with a table of events."""
    axes = {"restitution": [0.1, 0.3, 0.5, 0.7, 0.8, 0.9], "y": [0.2, 1.0]}
    metrics = {"bounces": "count(floor)", "end": "final(t)", "speeds": "last(floor, 2, v)"}
    return sweep_from_keywords("bouncing_ball", axes, metrics, final_time=1.0, block=4)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "balls"
    run_sweep(balls(), folder)
    return folder


@pytest.fixture
def copied(whole, tmp_path):
    """Make a fresh copy of the folder, which the one before gives way to."""

    def copy():
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        return shutil.copytree(whole, tmp_path / "copy")

    return copy


def cut(path, rng):
    os.truncate(path, rng.randrange(path.stat().st_size))


def flip_bits(path, rng):
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 1, 4, 16])):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def write_noise(path, rng):
    path.write_bytes(rng.randbytes(rng.choice([0, 1, 1000])))


def link(path, rng):
    path.unlink()
    path.symlink_to(rng.choice(["/dev/zero", "/dev/full", "nowhere", path.name]))


def put_pipe(path, _):
    path.unlink()
    os.mkfifo(path)


def put_folder(path, _):
    path.unlink()
    path.mkdir()


def remove(path, _):
    path.unlink()


def grow(path, _):
    """Give a file a size that no memory has, with zeros that take no room on the disk."""
    os.truncate(path, 2**43)


def exchange(path, rng):
    others = [other for other in path.parent.glob("*.*") if other != path]
    path.write_bytes(rng.choice(others).read_bytes())


def rewrite_by_pandas(path, _):
    pandas = pytest.importorskip("pandas")
    pandas.read_parquet(path).to_parquet(path)


def change_columns(path, rng):
    """Write a part with a column of another type, with fewer columns or rows, or in another order."""
    table = pq.ParquetFile(path).read()
    index, names = rng.randrange(table.num_columns), table.column_names
    words = rng.choice([pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())])
    another = pa.array([rng.choice(VALUES)] * len(table))
    changed = rng.choice(
        [
            table.set_column(index, names[index], another),
            table.cast(pa.schema([f.with_type(words) if f.type == pa.string() else f for f in table.schema])),
            *(table.select(names[1:]), table.select(names[::-1]), table.append_column("more", table[0])),
            *(table[:0], table[1:], pa.concat_tables([table, table])),
        ]
    )
    pq.write_table(changed.replace_schema_metadata(table.schema.metadata), path)


DAMAGES = [cut, flip_bits, write_noise, link, put_pipe, put_folder, remove, grow, exchange]
DAMAGES_OF_PARTS = [*DAMAGES, rewrite_by_pandas, change_columns, change_columns, change_columns]


def damage(folder, rng):
    """Damage one file of a folder."""
    parts = [*folder.glob("part-*"), *folder.glob("_events/part-*")]
    path = rng.choice([*parts, folder / "_plan.yaml", folder / "_provenance.yaml"])
    rng.choice(DAMAGES if path.suffix == ".yaml" else DAMAGES_OF_PARTS)(path, rng)


def same_rows(found, original):
    """Return whether all rows found, which may be fewer, are those of the original."""
    return found.equals(original.take(np.flatnonzero(np.isin(original["row"].to_numpy(), found["row"].to_numpy()))))


def error_of(function):
    """Return the ConfigError that a function raises, None if it raises none."""
    try:
        with limits():
            function()
    except ConfigError as error:
        return error
    return None


def judge(folder, original):
    """Read and resume a damaged folder: return which of the two was refused, and fail where what is found is wrong."""
    refused = []
    for use in (load_sweep, lambda folder: run_sweep(balls(), folder, resume=True)):
        error = error_of(lambda use=use: use(folder))
        refused.append(error is not None)
        if error:
            assert str(error).startswith(f"{folder}")
            assert len(error.problems) == 1
        else:
            found = load_sweep(folder)
            assert len(found.table) >= 8
            assert same_rows(found.table, original.table)
            assert same_rows(found.events, original.events)
    assert refused[1] or len(found.table) == 12
    return refused


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_damaged_folder_is_read_and_completed_to_what_it_was_or_refused(whole, copied, seed):
    rng, original, refused = random.Random(seed), load_sweep(whole), []
    for _ in range(FOLDERS_PER_SEED):
        folder = copied()
        damage(folder, rng)
        refused.append(judge(folder, original))
    reading, resuming = np.sum(refused, axis=0)
    assert 0 < resuming < reading < FOLDERS_PER_SEED  # most damaged parts are computed again


@pytest.mark.parametrize("name", ["_plan.yaml", "_provenance.yaml"])
@pytest.mark.parametrize("seed", [0, pytest.param("every byte", marks=pytest.mark.exhaustive)])
def test_a_description_that_is_cut_anywhere_is_refused_as_damaged(copied, name, seed):
    folder = copied()
    path = folder / name
    content = path.read_bytes()
    positions = range(len(content))
    for position in positions if seed else random.Random(seed).sample(positions, CUTS_PER_SEED):
        path.write_bytes(content[:position])
        with pytest.raises(ConfigError, match=rf"{name}: the file is damaged, or was altered; bring back"):
            run_sweep(balls(), folder, resume=True)
        if name == "_plan.yaml":
            with pytest.raises(ConfigError, match=rf"{name}: the file is damaged, or was altered; bring back"):
                load_sweep(folder)


@pytest.mark.parametrize("change", [put_pipe, link, put_folder])
def test_what_is_no_file_is_named_with_what_to_do(copied, change):
    folder = copied()
    part = next(folder.glob("part-*"))
    change(part, random.Random(1))
    for use in (load_sweep, lambda folder: run_sweep(balls(), folder, resume=True)):
        with limits(), pytest.raises(ConfigError, match=f"{part}: cannot be read .* where a file is expected.* move"):
            use(folder)


def test_a_part_that_would_fill_the_memory_counts_as_damaged(copied, monkeypatch):
    """Repeated values take no room in a file: one of some kilobytes may claim any number of rows."""
    folder = copied()
    monkeypatch.setattr(part_file, "available_memory", lambda: 4 * 6 * 8 - 1)  # rows, columns and bytes of a number
    with pytest.raises(ConfigError, match="the part is damaged"):
        load_sweep(folder)
    monkeypatch.setattr(part_file, "available_memory", lambda: 1e9)
    assert len(load_sweep(folder).table) == 12


def test_a_file_in_the_place_of_the_folder_of_events_is_refused(copied):
    folder = copied()
    shutil.rmtree(folder / "_events")
    (folder / "_events").write_text("")
    with pytest.raises(ConfigError, match="_events"):
        run_sweep(balls(), folder, resume=True)
