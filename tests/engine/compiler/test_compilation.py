"""Plug-in functions on their way to compiled ones: what goes along, what an edit changes, what is refused and how."""

import linecache
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Model, ModelError, State, load_model, simulate
from hybridsim.engine.compiler import object_file
from hybridsim.engine.compiler.backend import linking, plugin_functions
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import SIGNATURES

compiled_only = pytest.mark.skipif(not JIT, reason="interpreted functions are not compiled")

PLUGIN = """
import math
from hybridsim import Model, scratch
{top}

def vector_field(xdot, t, x, p, chart):
    {body}

MODEL = Model("drift", ["x"], vector_field=vector_field)
"""
BODY_LINE = 7


@pytest.fixture(autouse=True, scope="module")
def _engine():
    """Load the engine from the cache of all tests: in one of its own, it would be compiled."""
    simulate("projectile", final_time=0.1)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(object_file, "cache_root", lambda: tmp_path / "cache")


@pytest.fixture
def plugin(tmp_path):
    """Write a plug-in whose vector field has that body, with lines above it; returns its path."""

    def write(body: str, top: str = "") -> Path:
        path = tmp_path / "drift.py"
        path.write_text(PLUGIN.format(body=body, top=top))
        return path

    return write


def rise(model) -> float:
    """How far x rises in one second: the rate, as no method errs on a constant one."""
    run = simulate(model, final_time=1.0)
    return run["x"][-1] - run["x"][0]


def refusal(path) -> str:
    with pytest.raises(ModelError) as caught:
        simulate(path, final_time=1.0)
    return str(caught.value)


# Modules, arrays and helpers that are compiled with a function.


def test_helpers_and_their_helpers_are_compiled_along(plugin, tmp_path):
    (tmp_path / "legs.py").write_text(
        "HALF = 0.5\ndef half(v):\n    return HALF * v\ndef force(v):\n    return half(v)\n"
    )
    path = plugin("xdot[0] = twice(force(3.0))", "from legs import force\ndef twice(v):\n    return 2.0 * v")
    assert rise(path) == pytest.approx(3.0, rel=1e-14)


@pytest.mark.members(1)
@compiled_only
@pytest.mark.skipif(not linking.NUMBA_IS_KNOWN, reason="this numba compiles helpers as other functions")
@pytest.mark.parametrize("name", ["vector_field", "transition"])
def test_the_c_function_contains_the_function_and_its_helpers(name, monkeypatch):
    function, defined = load_model("slip").functions[name], []
    object_code = linking._ObjectLibrary.object_code

    def spied(library, *arguments):
        code = object_code(library, *arguments)
        defined.extend(each.name for each in library.get_defined_functions())
        return code

    monkeypatch.setattr(linking._ObjectLibrary, "object_code", spied)
    code = plugin_functions.translate(
        "slip", function, None, SIGNATURES[name], plugin_functions.DOUBLES_TRANSLATION, True
    )
    assert defined == [code.symbol]


@pytest.mark.parametrize(
    ("changed", "name", "factor"),
    [(linking.InlinedFunction, "_compile_uncached", 7.25), (linking._ObjectLibrary, "object_code", 7.5)],
)
def test_a_numba_that_works_otherwise_inside_calls_the_function(changed, name, factor, monkeypatch):
    def missing(*arguments):
        raise AttributeError(arguments)

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = factor * x[0]

    monkeypatch.setattr(changed, name, missing)
    found = simulate(Model("other_numba", [State("a", 2.0)], vector_field=vector_field), final_time=1e-3)
    assert found.x[-1, 0] == pytest.approx(2.0 * math.exp(factor * 1e-3), rel=1e-9)


def test_a_function_may_have_a_name_in_any_script():
    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 3.5 * x[0]

    vector_field.__name__ = vector_field.__qualname__ = "höhe"
    found = simulate(Model("Höhe", [State("a", 2.0)], vector_field=vector_field), final_time=1e-3)
    assert found.x[-1, 0] == pytest.approx(2.0 * math.exp(3.5e-3), rel=1e-9)


def test_scratch_is_work_space_of_a_constant_size(plugin):
    body = """work = scratch(N)
    for i in range(N):
        work[i] = i + 1.0
    xdot[0] = work[0] + work[1] + work[2]"""
    assert rise(plugin(body, "N = 3")) == pytest.approx(6.0, rel=1e-14)


def test_scratch_in_two_functions_is_not_the_same_memory(plugin):
    top = "def inner():\n    work = scratch(2)\n    work[0] = 5.0\n    return work[0]"
    body = """work = scratch(2)
    work[0] = 1.0
    xdot[0] = inner() + work[0]"""
    assert rise(plugin(body, top)) == pytest.approx(6.0, rel=1e-14)


def test_arrays_and_tuples_of_constants_can_be_read(plugin):
    top = "import numpy as np\nTABLE = np.array([1.0, 2.0])\nPAIR = (3.0, 4.0)"
    assert rise(plugin("xdot[0] = TABLE[1] * PAIR[1]", top)) == pytest.approx(8.0, rel=1e-14)


# What an edit changes. The plug-in itself stays as it was: only another file of its folder is edited.

EDITS = {
    "the body of a helper": ("force(1.0)", "from legs import force", "def force(v):\n    return {} * v\n"),
    "a helper's helper": (
        *("force(1.0)", "from legs import force"),
        "def inner(v):\n    return {} * v\ndef force(v):\n    return inner(v)\n",
    ),
    "a constant imported by name": ("RATE", "from legs import RATE", "RATE = {}\n"),
    "a constant that a helper reads": (
        *("force(1.0)", "from legs import force"),
        "RATE = {}\ndef force(v):\n    return RATE * v\n",
    ),
    "a constant of an imported module": ("legs.RATE", "import legs", "RATE = {}\n"),
    "a constant of an enumeration": (
        *("2.0 if Leg.RATE == 2 else 3.0", "from legs import Leg"),
        "from enum import IntEnum\nclass Leg(IntEnum):\n    RATE = int({})\n",
    ),
    "a default argument": ("force(1.0)", "from legs import force", "def force(v, rate={}):\n    return rate * v\n"),
    "a function within a helper": (
        *("force(1.0)", "from legs import force"),
        "def force(v):\n    def inner(w):\n        return {} * w\n    return inner(v)\n",
    ),
    "a helper that numba has compiled": (
        *("force(1.0)", "from legs import force"),
        "from numba import njit\n@njit\ndef force(v):\n    return {} * v\n",
    ),
    "a number of numpy's": ("SINGLE", "from legs import SINGLE", "import numpy as np\nSINGLE = np.float32({})\n"),
    "an array": ("TABLE[0]", "from legs import TABLE", "import numpy as np\nTABLE = np.array([{}])\n"),
    "a tuple": ("PAIR[1]", "from legs import PAIR", "PAIR = (0.0, {})\n"),
    "what a factory closes over": (
        *("force(1.0)", "from legs import force"),
        "def made(rate):\n    def force(v):\n        return rate * v\n    return force\nforce = made({})\n",
    ),
}


@pytest.mark.members(3)
@pytest.mark.parametrize("edited", EDITS)
def test_an_edit_in_another_file_of_the_plugin_gives_a_new_result(edited, plugin, tmp_path):
    value, top, legs = EDITS[edited]
    path = plugin(f"xdot[0] = {value}", top)
    for rate in (2.0, 3.0):
        (tmp_path / "legs.py").write_text(legs.format(rate))
        assert rise(load_model(path)) == pytest.approx(rate, rel=1e-14)


def test_a_helper_redefined_in_a_session_gives_a_new_result():
    session: dict[str, object] = {"RATE": 2.0}
    exec("def force():\n    return RATE", session)
    exec(PLUGIN.format(body="xdot[0] = force()", top=""), session)
    assert rise(session["MODEL"]) == pytest.approx(2.0, rel=1e-14)
    session["RATE"] = 3.0
    assert rise(session["MODEL"]) == pytest.approx(3.0, rel=1e-14)
    exec("def force():\n    return 5.0", session)
    assert rise(session["MODEL"]) == pytest.approx(5.0, rel=1e-14)


def test_what_did_not_change_keeps_its_fingerprint(plugin, tmp_path):
    (tmp_path / "legs.py").write_text("def force(v):\n    return v\n")
    path = plugin("xdot[0] = force(1.0)", "from legs import force")
    before = content_hash(load_model(path).functions["vector_field"])
    (tmp_path / "legs.py").write_text('"""Now with a docstring."""\n\ndef force(v):\n    return v\n')
    assert content_hash(load_model(path).functions["vector_field"]) == before


# What is refused, and how.

REFUSED = {
    "if x[0] < -9.0: raise ValueError": "`raise` is swallowed",
    "assert x[0] > -9.0": "`assert` is swallowed",
    "xdot[0] = len(x)": "`len` is unknown to a pointer",
    "xdot[0:1] = 1.0": "slice",
    "xdot[0] = x[-1]": "negative index",
    'xdot[0] = x["y"]': "string index",
    "xdot[0] = x[0, 0]": "arrays have one index",
    "xdot[0] = np.zeros(3)[0]": "`np.zeros` allocates memory",
    "global N; xdot[0] = 1.0": "keeps no memory",
    "import os": "import at the top",
    "xdot[0] = 1.0; f'{t}'": "strings do not compile",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_pointers_cannot_do_is_refused_with_its_line_and_what_to_do(statement, plugin):
    path = plugin(statement)
    message = refusal(path)
    assert re.search(rf"{re.escape(str(path))}:{BODY_LINE}: in `vector_field`: .*{REFUSED[statement]}.*[;,] ", message)


@compiled_only
def test_an_error_of_a_helper_in_another_file_is_reported_with_that_file(plugin, tmp_path):
    (tmp_path / "legs.py").write_text("def force(v):\n    if v < 0.0:\n        raise ValueError\n    return v\n")
    message = refusal(plugin("xdot[0] = force(1.0)", "from legs import force"))
    assert f"{tmp_path / 'legs.py'}:3: in `force`: `raise` is swallowed" in message


# Errors that only the compiler finds, not a dry run in Python: (above, body, expected).
UNCOMPILABLE = {
    "a name that is not defined": ("", "if t > 9.0: xdot[0] = RATE", "`RATE` is not defined; import or define"),
    "a helper called through its module": ("import legs", "xdot[0] = legs.force(t)", "import the function by name"),
    "a string": ("", "if t > 9.0: xdot[0] = 'leg'", "strings do not compile"),
    "a dictionary": ("RATES = {'leg': 1.0}", "xdot[0] = RATES['leg']", "`RATES` is not a number or a function"),
    "an object": ("class Leg: rate = 1.0\nLEG = Leg()", "xdot[0] = LEG.rate", "`LEG` is not a number or a function"),
    "scratch of a changing size": ("", "work = scratch(int(t) + 1); xdot[0] = 1.0", "needs a constant n"),
    "a helper without a return": (
        *("def force(v):\n    w = 2.0 * v", "if t > 9.0: xdot[0] = force(t)"),
        "does a helper lack a `return`?",
    ),
    "a wrong number of arguments": (
        *("def force(v):\n    return v", "if t > 9.0: xdot[0] = force(t, t)"),
        "wrong number of arguments",
    ),
    "iteration over an array": ("", "for v in x: xdot[0] = v", "for i in range(N)"),
    "a generator": ("", "xdot[0] = sum(v for v in (1.0, t))", "numbers, scalar indices"),
    "a list": ("", "work = [t]; work.append(1.0); xdot[0] = work[1]", "allocate memory at every call"),
    "a dict": ("", "work = {1: t}; xdot[0] = work[1]", "allocate memory at every call"),
    "a whole array": ("import numpy as np\nW = np.ones(2)", "xdot[0] = (2.0 * W)[0]", "allocate memory at every call"),
    "numpy of arrays": (
        "import numpy as np",
        "xdot[0] = float(np.where(t > 9.0, 1.0, 2.0))",
        "`where` does not compile",
    ),
}


@compiled_only
@pytest.mark.parametrize("fault", UNCOMPILABLE)
def test_what_does_not_compile_is_explained_with_its_line(fault, plugin, tmp_path):
    (tmp_path / "legs.py").write_text("def force(v):\n    return v\n")
    top, body, expected = UNCOMPILABLE[fault]
    path = plugin(body, top)
    linecache.checkcache()
    message = refusal(path)
    assert expected in message
    assert re.search(rf"{re.escape(str(path))}:\d+: in `vector_field`", message)
    assert len(message.splitlines()) <= 2


HELPED = """
from hybridsim import Model, State
from springs import weight

def vector_field(xdot, t, x, p, chart):
    xdot[0] = -weight(x[0])

MODEL = Model("helped", [State("y", 1.0)], vector_field=vector_field)
"""
RUN_IT = "import hybridsim; print(hybridsim.simulate('helped.py', final_time=1.0).x[-1, 0])"


@pytest.mark.exhaustive  # edits of other files give new results in the ordinary run
@pytest.mark.slow
@compiled_only
def test_a_helper_in_the_folder_of_the_plug_in_is_found_by_the_next_process(tmp_path):
    (tmp_path / "springs.py").write_text("def weight(q):\n    return 2.0 * q\n")
    (tmp_path / "helped.py").write_text(HELPED)

    def run():
        command = [sys.executable, "-c", RUN_IT]
        return float(
            subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=240).stdout
        )

    expected = pytest.approx(math.exp(-2.0), rel=1e-7)
    assert [run(), run()] == [expected, expected]


ENTRY = """
from typing import Any, NamedTuple
from hybridsim.engine.compiler.routines import loaded

class Numbers(NamedTuple):
    x: Any

def double(numbers, n):
    c = loaded(numbers)
    for i in range(n):
        c.x[i] = 2.0 * c.x[i]
"""


@pytest.mark.slow
@compiled_only
def test_a_damaged_file_of_the_engine_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "doubling.py").write_text(ENTRY)
    import doubling  # noqa: PLC0415

    def run():
        """Call the entry as a new process does: what is loaded belongs to an `Entry`."""
        x = np.array([2.0, 3.0])
        Entry("doubling:double")(doubling.Numbers(x), 2)
        return x.tolist()

    assert run() == [4.0, 6.0]
    (file,) = (tmp_path / "cache").rglob("double-*.bin")
    whole = file.read_bytes()
    one_bit = whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:]
    for damaged in (whole[: len(whole) // 2], b"", b"x" + whole, whole + b"x", one_bit):
        file.write_bytes(damaged)
        assert run() == [4.0, 6.0]
        assert len(file.read_bytes()) == len(whole)  # mended
