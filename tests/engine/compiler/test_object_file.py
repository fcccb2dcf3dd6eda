"""Machine code stays in memory as long as somebody may call it, whoever loads it, and however many at once."""

import ctypes
import gc
import threading

import numpy as np
import pytest

from hybridsim import Model, State
from hybridsim.engine.compiler import compilation, entries, object_file
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.object_file import LoadedFunction
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, SIGNATURES, for_python

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def test_threads_that_call_an_entry_first_load_it_once(monkeypatch):
    loads, begin = [], threading.Barrier(4)
    real = object_file.load_function

    def slowly(path, make):
        loads.append(path)
        threading.Event().wait(0.05)  # the others arrive meanwhile
        return real(path, make)

    monkeypatch.setattr(entries, "load_function", slowly)
    entry = Entry("hybridsim.engine.evaluations:run", entries.integer)
    found = []

    def call():
        begin.wait(timeout=60)
        found.append(entry.c_function(0, 0, 0))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert len(loads) == 1
    assert len(found) == 4
    assert all(function is found[0] for function in found)


def test_an_address_is_valid_when_nobody_keeps_its_owner():
    """Also of a function that is not kept in the cache: what it uses cannot be hashed."""
    unknown = ctypes.c_double(2.0)

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 2.0 * x[0]

    vector_field.__globals__["_unknown"] = unknown
    model = Model("doubling", [State("a", 2.0)], vector_field=vector_field)
    address = int(compile_functions(model.name, model.functions).addresses[0])
    gc.collect()
    real, data = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
    function = ctypes.CFUNCTYPE(None, data, real, data, data, ctypes.c_int64)(address)
    xdot, x = np.zeros(1), np.array([21.0])
    pointers = [each.ctypes.data_as(data) for each in (xdot, x)]
    function(pointers[0], 0.0, pointers[1], pointers[1], 0)
    assert xdot[0] == 42.0


def test_what_has_been_loaded_is_kept():
    before = len(object_file._engines)

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 17.25 * x[0]

    functions = compile_functions("kept", {"vector_field": vector_field})
    assert len(object_file._engines) > before
    owners = [each.owner for each in functions.alive if isinstance(each, LoadedFunction)] or list(functions.alive)
    assert owners


def two(xdot, t, x, p, chart):
    xdot[0] = 2.0


@pytest.mark.skipif(not JIT, reason="interpreted functions are not kept")
def test_a_damaged_file_of_a_function_is_written_anew(tmp_path, monkeypatch):
    made = []

    def counted(file, make, *others, **more):
        return object_file.load_function(file, lambda: made.append(file) or make(), *others, **more)

    monkeypatch.setattr(object_file, "cache_root", lambda: tmp_path / "cache")
    monkeypatch.setattr(compilation, "load_function", counted)
    monkeypatch.setattr(compilation, "compile_or_load", compilation.compile_or_load.__wrapped__)  # none in memory

    def value_and_makes():
        made.clear()
        xdot = np.zeros(1)
        address = compile_functions("two", {"vector_field": two}).addresses[FUNCTION_INDEX["vector_field"]]
        for_python(SIGNATURES["vector_field"], address)(xdot, 0.0, xdot, xdot, 0)
        return xdot[0], len(made)

    assert value_and_makes() == (2.0, 1)
    (file,) = (tmp_path / "cache").rglob("*.bin")
    whole = file.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"x" + whole):
        file.write_bytes(damaged)
        assert value_and_makes() == (2.0, 1)
        assert len(file.read_bytes()) == len(whole)
    assert value_and_makes() == (2.0, 0)
