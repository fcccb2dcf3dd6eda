"""Edits of a plug-in that must change the hash of its function, and so be compiled, and edits that must not."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hybridsim import load_model
from hybridsim.engine.compiler.deferred import Deferred, kernel
from hybridsim.engine.compiler.fingerprint import content_hash, fingerprint
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer, real

compiled_only = pytest.mark.skipif(not JIT, reason="interpreted functions are not compiled")

PLUGIN = """
from hybridsim import Model
{top}

def vector_field(xdot, t, x, p, chart):
    {body}

MODEL = Model("drift", ["x"], vector_field=vector_field)
"""

VECTOR = "from typing import NamedTuple\nclass Vector(NamedTuple):\n    {}: float\n    {}: float\n"
DEFAULT = "from typing import NamedTuple\nclass Vector(NamedTuple):\n    x: float\n    y: float = {}\n"
NORM = "from typing import NamedTuple\nclass Vector(NamedTuple):\n    x: float\n    def norm(self, n={}):\n        {}\n"
PROPERTY = NORM.replace("def norm(self, n={}):\n        {}", "@property\n    def rate(self):\n        return {}")
INDICES = "from collections import namedtuple\nS = namedtuple('Indices', ['{}', '{}'])(0, 1)\n"
TABLES = "import numpy as np\nA = np.arange(2000.0)\nA[1000] = {}\nTABLES = ((0.0, 1.0), (2.0, A))\n"
LEG = "from enum import IntEnum\nclass Leg(IntEnum):\n    LEFT = {}\n    RIGHT = {}\n"
MAKE = "def make(v):\n    def force():\n        return {}\n    return force\nforce = make({})\n"
NESTED = "def force():\n    def inner(w):\n        return w * {}\n    return inner(1.0)\n"
MUTUAL = "def back(n):\n    return {} * force(n)\ndef force(n):\n    return back(n - 1) if n else 1.0\n"
NAMES = "def a():\n    return 1.0\ndef b():\n    return 2.0\n{}, {} = a, b\n"
USE_VECTOR = "def force():\n    return Vector(1.0, 2.0).x\n"


class Edit(NamedTuple):
    """The file legs.py with gaps, what fills them before and after the edit; the vector field and the import of it."""

    legs: str
    before: Sequence[str]
    after: Sequence[str]
    expression: str = "force()"
    top: str = "from legs import force"


VECTOR_OF = "from legs import Vector"
NUMPY = "import numpy as np\n"
EDITS = {
    "fields swapped": Edit(VECTOR, "xy", "yx", "Vector(1.0, 2.0).x", VECTOR_OF),
    "fields swapped, class used in a helper": Edit(VECTOR + USE_VECTOR, "xy", "yx"),
    "fields swapped, class reached by its module": Edit(VECTOR, "xy", "yx", "legs.Vector(1.0, 2.0).x", "import legs"),
    "fields of an instance": Edit(VECTOR + "V = Vector(1.0, 2.0)\n", "xy", "yx", "V.x", "from legs import V"),
    "fields of an instance in a tuple": Edit(
        VECTOR + "W = (Vector(1.0, 2.0), 3.0)\n", "xy", "yx", "W[0].x", "from legs import W"
    ),
    "index constants swapped": Edit(INDICES, "xy", "yx", "1.0 * S.x", "from legs import S"),
    "an array's element in a tuple of tuples": Edit(TABLES, "5", "6", "TABLES[1][1][1000]", "from legs import TABLES"),
    "a constant in a nested tuple": Edit("T = (1, ((2, {}), 3))\n", "4", "5", "T[1][0][1]", "from legs import T"),
    "the order of an array": Edit(
        NUMPY + "T = np.arange(4.0).reshape(2, 2){}\n", [""], [".T"], "T[1, 0]", "from legs import T"
    ),
    "the shape of an array": Edit(
        NUMPY + "T = np.arange(6.0).reshape({}, {})\n", "23", "32", "T[1, 0]", "from legs import T"
    ),
    "the type of an array": Edit(
        NUMPY + "T = np.full(1, 0.1, np.float{})\n", ["32"], ["64"], "1.0 * T[0]", "from legs import T"
    ),
    "a value of an enumeration": Edit(LEG, "12", "21", "1.0 if Leg.LEFT == 1 else 2.0", "from legs import Leg"),
    "a value of an enumeration of a module": Edit(LEG, "12", "21", "1.0 if legs.Leg.LEFT == 1 else 2.0", "import legs"),
    "a value of an enumeration, in a helper": Edit(
        LEG + "def force():\n    return 1.0 if Leg.LEFT == 1 else 2.0\n", "12", "21"
    ),
    "a member of an enumeration": Edit(
        LEG + "L = Leg.LEFT\n", "12", "21", "1.0 if L == 1 else 2.0", "from legs import L"
    ),
    "a variable of the enclosing function": Edit(MAKE, ["v", "2.0"], ["v", "3.0"]),
    "a tuple of the enclosing function": Edit(MAKE, ["v[1]", "(0.0, 2.0)"], ["v[1]", "(0.0, 3.0)"]),
    "a helper of a helper": Edit("def inner():\n    return {}\ndef force():\n    return inner()\n", "2", "3"),
    "helpers that change names": Edit(NAMES, "fg", "gf", "f() + 2.0 * g()", "from legs import f, g"),
    "an attribute of a module": Edit("RATE = {}\n", "2", "3", "legs.RATE", "import legs"),
    "an attribute and one of another module": Edit(
        "import math\nR = {}\n", "2", "3", "legs.math.e + legs.R", "import legs"
    ),
    "an array of a module": Edit(NUMPY + "T = np.array([0.0, {}])\n", "2", "3", "legs.T[1]", "import legs"),
    "a default argument": Edit("def force(v={}):\n    return 1.0 * v\n", "2", "3"),
    "a default argument in a tuple": Edit("def force(v=(0, {})):\n    return 1.0 * v[1]\n", "2", "3"),
    "a nested function": Edit(NESTED, "2", "3"),
    "the sign of zero": Edit(
        "Z = {}0.0\n", "-", "+", "copysign(1.0, Z)", "from math import copysign\nfrom legs import Z"
    ),
    "a truth value": Edit("B = {}\n", ["True"], ["False"], "1.0 if B else 2.0", "from legs import B"),
    "a whole number that becomes real": Edit("N = {}\n", ["1"], ["1.5"], "7 * N // 2 / N", "from legs import N"),
    "a function of a library": Edit("from math import {} as f\n", ["cos"], ["sin"], "f(0.0)", "from legs import f"),
    "an argument of numpy's": Edit(NUMPY + "X = {}\n", ["0.0"], ["1.0"], "legs.np.cos(legs.X)", "import legs"),
    "a function compiled by the plug-in": Edit(
        "from numba import njit\n@njit\ndef force():\n    return {}\n", ["2.0"], ["3.0"]
    ),
    "a set in the code": Edit("def force():\n    return 1.0 if 1 in {{{}, 5}} else 2.0\n", "1", "2"),
}

# numba does not compile these, but a sweep without compilation needs their hashes, too.
PYTHON_EDITS = {
    "the default of a field": Edit(DEFAULT, "2", "3", "Vector(1.0).y", VECTOR_OF),
    "the default of a field, by its name": Edit(
        "RATE = {}\n" + DEFAULT.replace("{}", "RATE"), "2", "3", "Vector(1.0).y", VECTOR_OF
    ),
    "the body of a method": Edit(NORM, ["1", "return n"], ["1", "return 2"], "Vector(1.0).norm()", VECTOR_OF),
    "the default of a method": Edit(NORM, ["1", "return n"], ["2", "return n"], "Vector(1.0).norm()", VECTOR_OF),
    "a method, in a helper": Edit(
        NORM + "def force():\n    return Vector(1.0).norm()\n", ["1", "return n"], ["2", "return n"]
    ),
    "a method of a base class": Edit(
        *(NORM + "class W(Vector):\n    pass\n", ["1", "return n"], ["2", "return n"]),
        *("W(1.0).norm()", "from legs import W"),
    ),
    "a property of a class": Edit(PROPERTY, "2", "3", "Vector(1.0).rate", VECTOR_OF),
    "an attribute of a class": Edit("class Leg:\n    RATE = {}\n", "2", "3", "legs.Leg.RATE", "import legs"),
    "a module in a variable": Edit("RATE = {}\n", "2", "3", "[m.RATE for m in [legs]][0]", "import legs"),
    "a function that calls itself": Edit("def force(n=2):\n    return force(n - 1) if n else {}\n", ["2.0"], ["3.0"]),
    "functions that call each other": Edit(MUTUAL, "2", "3", "force(2)"),
}


def write(folder: Path, edit: Edit, fill: Sequence[str] = ()) -> Path:
    """The plug-in of an edit, with its gaps filled."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "legs.py").write_text(edit.legs.format(*fill))
    path = folder / "drift.py"
    path.write_text(PLUGIN.format(top=edit.top, body=f"xdot[0] = {edit.expression}"))
    return path


def value_and_hash(path: Path):
    function = load_model(path).functions["vector_field"]
    xdot = np.zeros(1)
    function(xdot, 0.0, np.zeros(1), np.zeros(0), 0)
    return xdot[0], content_hash(function)


@pytest.mark.parametrize("edited", [*EDITS, *PYTHON_EDITS])
def test_an_edit_that_changes_the_value_changes_the_hash(edited, tmp_path):
    edit = (EDITS | PYTHON_EDITS)[edited]
    before, hash_before = value_and_hash(write(tmp_path, edit, edit.before))
    after, hash_after = value_and_hash(write(tmp_path, edit, edit.after))
    assert before != after
    assert None not in (hash_before, hash_after)
    assert hash_before != hash_after
    assert value_and_hash(write(tmp_path, edit, edit.before)) == (before, hash_before)


# Calls the compiled vector field of each folder; prints its values, and how many came from the cache.
IN_A_NEW_PROCESS = """
import ctypes, json, sys
from hybridsim import load_model
from hybridsim.engine.compiler import compilation
from hybridsim.engine.compiler.compilation import compile_functions

load_function, made = compilation.load_function, []
compilation.load_function = lambda path, make, *others, **more: load_function(
    path, lambda: made.append(path) or make(), *others, **more
)
real, data = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
found = {}
for folder in sys.argv[1:]:
    model = load_model(folder + "/drift.py")
    compiled = compile_functions(model.name, model.functions)
    function = ctypes.CFUNCTYPE(None, data, real, data, data, ctypes.c_int64)(int(compiled.addresses[0]))
    xdot = (real * 1)()
    function(xdot, 0.0, xdot, xdot, 0)
    found[folder] = xdot[0], 1 - len(made)
    made.clear()
print(json.dumps(found))
"""


def in_a_new_process(folders, cache):
    """(value, cache hits) of each folder's vector field, compiled in another process."""
    environment = os.environ | {"HYBRIDSIM_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", IN_A_NEW_PROCESS, *map(str, folders)]
    process = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, timeout=240)
    assert process.returncode == 0, process.stderr
    return {Path(folder).name: tuple(found) for folder, found in json.loads(process.stdout).items()}


@pytest.mark.exhaustive  # edits that change the value change the hash in the ordinary run
@compiled_only
@pytest.mark.parametrize("every", [12, 1])
def test_an_edit_gives_a_new_value_in_a_new_process_with_a_warm_cache(tmp_path, every):
    """Of the edits whose hashes the tests above look at."""
    folders = {name: tmp_path / "plugins" / f"{number:02}" for number, name in enumerate([*EDITS][::every])}
    for fill in ("before", "after", "before"):  # the third process finds the first one's files
        expected = {}
        for name, folder in folders.items():
            value, _ = value_and_hash(write(folder, EDITS[name], getattr(EDITS[name], fill)))
            expected[folder.name] = pytest.approx(value, rel=1e-15)
        found = in_a_new_process(folders.values(), tmp_path / "cache")
        assert {name: value for name, (value, _) in found.items()} == expected
    assert [name for name, folder in folders.items() if found[folder.name][1] == 0] == []


LEGS = '''
import math
SPARE = 1.0
class Leg:
    """A leg."""
def force(v):
    """A force."""
    return math.cos(v) * 2.0
def unused(v):
    return v
'''
HARMLESS = {
    "a comment": ("import math", "# Forces.\nimport math  # for cos"),
    "the text of a docstring": ("A force.", "A force [N]."),
    "a docstring removed": ('    """A force."""\n', ""),
    "a docstring of the file": ("\nimport math", '"""Forces."""\nimport math'),
    "an empty line": ("def force", "\n\n\ndef force"),
    "an annotation": ("def force(v):", "def force(v: float) -> float:"),
    "another function": ("def unused(v):\n    return v\n", "def unused(v):\n    return 2.0 * v\n"),
    "a constant that is not used": ("SPARE = 1.0", "SPARE = 2.0"),
    "a class that is not used": ('"""A leg."""', "RATE = 1.0"),
}


def write_harmless(folder: Path, legs: str, comment: str = "") -> Path:
    return write(folder, Edit(legs, (), (), "force(t)", f"from legs import force{comment}"))


@pytest.mark.parametrize("edited", HARMLESS)
def test_an_edit_that_changes_no_value_keeps_the_hash(edited, tmp_path):
    before = value_and_hash(write_harmless(tmp_path, LEGS))
    old, new = HARMLESS[edited]
    assert old in LEGS
    assert value_and_hash(write_harmless(tmp_path, LEGS.replace(old, new))) == before


def test_a_moved_plug_in_keeps_its_hash(tmp_path):
    here, there = (value_and_hash(write_harmless(tmp_path / name, LEGS)) for name in ("here", "there"))
    assert here == there


@pytest.mark.exhaustive  # the hash of harmless edits is kept in the ordinary run
@compiled_only
def test_comments_docstrings_and_a_new_folder_do_not_compile_anew(tmp_path):
    folder, cache = tmp_path / "here", tmp_path / "cache"
    write_harmless(folder, LEGS)
    assert in_a_new_process([folder], cache) == {"here": (2.0, 0)}
    write_harmless(folder, LEGS, "\n\n# A comment in the plug-in.\n")
    assert in_a_new_process([folder], cache) == {"here": (2.0, 1)}
    legs = LEGS
    for old, new in HARMLESS.values():
        legs = legs.replace(old, new)
    write_harmless(tmp_path / "there", legs)
    assert in_a_new_process([tmp_path / "there"], cache) == {"there": (2.0, 1)}


def test_options_of_a_function_compiled_by_the_plug_in_change_the_hash(tmp_path):
    legs = "from numba import njit\n@njit({})\ndef force():\n    return 2.0\n"
    options = ("", "fastmath=True", "error_model='numpy'", "'float32()'", "'float64()'")
    hashes = {value_and_hash(write(tmp_path, Edit(legs, (), ()), [option]))[1] for option in options}
    assert len(hashes) == len(options)
    assert None not in hashes


# (lines above, expression): values of types that are not hashed.
UNKNOWN = {
    "a C function": (
        "import ctypes\nC = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda v: {} * v)",
        "C(1.0)",
    ),
    "an object": ("class Leg:\n    pass\nLEG = Leg()\nLEG.rate = {}", "LEG.rate"),
    "a dictionary": ("RATES = {{'leg': {}}}", "RATES['leg']"),
    "an object in a tuple": ("class Leg:\n    pass\nLEG = Leg()\nLEG.rate = {}\nLEGS = (LEG,)", "LEGS[0].rate"),
    "an array of objects": ("import numpy as np\nA = np.array([{}], dtype=object)", "A[0]"),
    "an object as a default": (
        "class Leg:\n    rate = {}\ndef force(leg=Leg()):\n    return leg.rate",
        "force()",
    ),
    "a partial function": ("from functools import partial\nFORCE = partial(max, {})", "FORCE(0.0)"),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_a_value_of_an_unknown_type_has_no_hash(kind, tmp_path):
    top, expression = UNKNOWN[kind]
    assert value_and_hash(write(tmp_path, Edit("", (), (), expression, top.format(2.0)))) == (2.0, None)


@pytest.mark.exhaustive  # such a value has no hash in the ordinary run
@compiled_only
def test_a_function_with_a_value_of_an_unknown_type_is_compiled_without_the_cache(tmp_path):
    top, expression = UNKNOWN["a C function"]
    for rate in (2.0, 3.0):
        write(tmp_path / "plugin", Edit("", (), (), expression, top.format(rate)))
        assert in_a_new_process([tmp_path / "plugin"], tmp_path / "cache") == {"plugin": (rate, 0)}
    assert not [*(tmp_path / "cache").rglob("*.bin")]


def calls_separate(function):
    """A function that calls this one by the name `called`."""
    namespace = {"called": function}
    exec("def caller(t, x):\n    return called(t, x)", namespace)
    return namespace["caller"]


def separately_compiled(body, returns=real):
    namespace = {}
    exec(f"def called(t, x):\n    return {body}", namespace)
    return separate(returns)(namespace["called"])


def test_of_a_function_compiled_separately_its_callers_depend_on_the_interface_alone():
    callers = [calls_separate(separately_compiled(body)) for body in ("x", "2.0 * x")]
    assert len({fingerprint(caller, "", is_whole=False) for caller in callers}) == 1
    assert len({fingerprint(caller, "", is_whole=True) for caller in callers}) == 2
    assert len({content_hash(caller) for caller in callers}) == 2


def test_another_type_is_another_interface():
    callers = [calls_separate(separately_compiled("x", returns)) for returns in (real, integer)]
    assert len({fingerprint(caller, "", is_whole=False) for caller in callers}) == 2


def test_it_has_a_hash_of_its_own_contents():
    functions = map(separately_compiled, ("x", "2.0 * x"))
    assert len({fingerprint(function, "", is_whole=False) for function in functions}) == 2


@compiled_only
def test_a_kernel_of_the_engine_counts_by_its_contents_and_what_the_compiler_makes_by_its_arguments():
    def hashed(deferred):
        return content_hash(calls_separate(deferred))

    kernels = [kernel(separately_compiled(body)) for body in ("x", "2.0 * x", "x")]
    made = [Deferred("calls", "foreign_call", real), Deferred("calls", "foreign_call", integer)]
    assert None not in map(hashed, made)
    assert hashed(kernels[0]) == hashed(kernels[2])
    assert len(set(map(hashed, kernels + made))) == 4
