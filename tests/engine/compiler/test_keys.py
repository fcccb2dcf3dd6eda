"""What has been found in sources is kept; keys know the layout of tables; whole sources can be the key."""

import os
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from hybridsim import ConfigError
from hybridsim.engine.compiler import entries, keys, shape, source_contents
from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.entry import MODULES_OF_ROUTINES, ROUTINES

ENTRY = "hybridsim.engine.evaluations:run"


def forget():
    for function in (keys.machine_key, keys.contents_of, keys.contents_of_routines, keys.is_by_sources):
        function.cache_clear()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("HYBRIDSIM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("HYBRIDSIM_CACHE_KEY", raising=False)
    cache_root.cache_clear()
    forget()
    yield tmp_path / "cache"
    monkeypatch.undo()
    cache_root.cache_clear()
    forget()


def all_keys():
    forget()
    return keys.machine_key(), keys.contents_of(ENTRY), *keys.contents_of_routines(MODULES_OF_ROUTINES, ROUTINES)


@pytest.mark.exhaustive  # slow; keys are those of contents in the ordinary run
def test_sources_are_taken_apart_once_and_again_where_the_file_is_damaged(cache, monkeypatch):
    found = all_keys()
    files = [*cache.rglob("keys/*.bin")]
    assert len(files) == 3
    assert len(set(found)) == 2 + len(ROUTINES)
    files[0].write_bytes(files[0].read_bytes()[:-1] + b"?")
    assert all_keys() == found

    def fail(*_):
        raise AssertionError

    monkeypatch.setattr(source_contents, "decisive_tree", fail)
    assert all_keys() == found
    files[0].unlink()
    with pytest.raises(AssertionError):
        all_keys()


def test_what_keys_are_made_of_is_one_of_two_words(cache, monkeypatch):
    contents = all_keys()
    monkeypatch.setenv("HYBRIDSIM_CACHE_KEY", "sources")
    sources = all_keys()
    assert not {*contents} & {*sources}
    monkeypatch.setenv("HYBRIDSIM_CACHE_KEY", "contents")
    assert all_keys() == contents
    monkeypatch.setenv("HYBRIDSIM_CACHE_KEY", "source")
    with pytest.raises(ConfigError, match="HYBRIDSIM_CACHE_KEY: expected `contents` or `sources`, found 'source'"):
        all_keys()


class Table(NamedTuple):
    a: Any
    b: Any


class Turned(NamedTuple):
    b: Any
    a: Any


def record(**fields):
    return np.zeros(1, np.dtype([*fields.items()], align=True))


def test_the_layout_of_tables_and_records_is_part_of_the_key(monkeypatch):
    monkeypatch.setattr(shape, "_names", dict(shape._names))
    real, whole = np.zeros(3), np.zeros(3, np.int64)
    shaped = np.dtype([("n", "i8"), ("of_a_test", "f8")])
    shape.with_shape(shaped, ("n",))
    arguments = [
        (Table(real, whole), 0),
        (Table(whole, real), 0),
        (Turned(real, whole), 0),
        (Table(real, record(n="i8", t="f8")), 0),
        (Table(real, record(t="f8", n="i8")), 0),
        (Table(real, record(n="i8", s="f8")), 0),
        (Table(real, record(n="i8", of_a_test="f8")), 0),
        (record(n="i8"), 0),
        (record(n="f8"), 0),
        (real, 0),
        (whole, 0),
    ]
    found = [entries._key("module:name", "contents", "void", each) for each in arguments]
    assert len(set(found)) == len(found)
    assert entries._key("module:name", "contents", "void", (Table(np.zeros(5), whole), 7)) == found[0]


BITS = """
import hashlib, hybridsim, numpy as np
for model, keywords in (
    ("slip", {"final_time": 3.0}), ("bouncing_ball", {"final_time": 10.0}), ("stick_slip", {"final_time": 10.0}),
    ("robertson", {"final_time": 1e3, "method": "rodas5p"}), ("slip", {"final_time": 3.0, "method": "dop853"}),
):
    run = hybridsim.simulate(model, **keywords)
    columns = run.t, run.x, run.chart, run.events.t, run.events.x_after, run.events.depth, run.extension
    print(model, hashlib.sha256(b"".join(np.asarray(column).tobytes() for column in columns)).hexdigest())
"""


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_is_in_the_cache_by_contents_computes_what_is_compiled_from_these_sources():
    """A key that is too small would find a file of an engine before an edit. Both caches are the user's: after an edit
    of the engine this compiles it, otherwise it takes seconds."""
    printed = []
    for word in (keys.CONTENTS, keys.SOURCES):
        environment = os.environ | {keys.VARIABLE: word}
        ended = subprocess.run(
            [sys.executable, "-c", BITS], env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        assert ended.returncode == 0, ended.stderr
        printed.append(ended.stdout.splitlines())
    assert printed[0] == printed[1]
    assert len(printed[0]) == 5
