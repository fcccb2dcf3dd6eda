"""Edits in memory after which a function is hashed again, however often it has been hashed before."""

import enum
import sys
import types

import numpy as np
import pytest

from hybridsim.engine.compiler.fingerprint import content_hash

SOURCE = """
import enum
from typing import NamedTuple
import numpy as np

RATE = 2.0
TABLE = np.array([1.0, 2.0])
ROWS = (np.array([3.0, 4.0]), 5.0)

class Leg(enum.IntEnum):
    LEFT = 1

class Vector(NamedTuple):
    x: float
    y: float = 1.0
    def norm(self):
        return self.x

class Constants:
    MASS = 80.0

def inner(v=1.0, *, w=2.0):
    return v * w * RATE

def outer(k):
    def within(v):
        return k * v
    return within

force = outer(3.0)

def function(x):
    sizes = TABLE[0] + ROWS[0][1] + Leg.LEFT + Vector(1.0).norm() + Constants.MASS
    return inner(x) + force(x) + sizes + library.GRAVITY
"""


@pytest.fixture
def module(monkeypatch):
    """A plug-in and a module that it imports, in memory."""
    found, library = types.ModuleType("plugin_in_memory"), types.ModuleType("library_in_memory")
    library.GRAVITY = 9.81
    found.library = library
    for each in (found, library):
        monkeypatch.setitem(sys.modules, each.__name__, each)
    exec(SOURCE, vars(found))
    return found


def entry(array, value):
    """An edit of the second entry of an array, and what undoes it."""
    before = array[1]
    return lambda: array.__setitem__(1, value), lambda: array.__setitem__(1, before)


def attribute(owner, name, value):
    before = getattr(owner, name)
    return lambda: setattr(owner, name, value), lambda: setattr(owner, name, before)


def new_attribute(owner, name, value):
    return lambda: setattr(owner, name, value), lambda: delattr(owner, name)


EDITS = {
    "a number": lambda m: attribute(m, "RATE", 3.0),
    "a number that becomes an integer": lambda m: attribute(m, "RATE", 2),
    "an array": lambda m: attribute(m, "TABLE", np.array([1.0, 3.0])),
    "an entry of an array": lambda m: entry(m.TABLE, 7.0),
    "an entry of an array in a tuple": lambda m: entry(m.ROWS[0], 7.0),
    "a helper": lambda m: attribute(m, "inner", m.force),
    "the code of a helper": lambda m: attribute(m.inner, "__code__", (lambda v=1.0, *, w=2.0: v + w).__code__),
    "a default value": lambda m: attribute(m.inner, "__defaults__", (4.0,)),
    "a default value by keyword": lambda m: attribute(m.inner, "__kwdefaults__", {"w": 4.0}),
    "an entry of the defaults by keyword": lambda m: (
        lambda: m.inner.__kwdefaults__.update(w=4.0),
        lambda: m.inner.__kwdefaults__.update(w=2.0),
    ),
    "a variable of the enclosing function": lambda m: attribute(m.force.__closure__[0], "cell_contents", 4.0),
    "an attribute of a class": lambda m: attribute(m.Constants, "MASS", 70.0),
    "an attribute that a class did not have": lambda m: new_attribute(m.Constants, "LENGTH", 1.0),
    "a method": lambda m: attribute(m.Vector, "norm", lambda self: self.y),
    "a default value of a field": lambda m: (
        lambda: m.Vector._field_defaults.update(y=2.0),
        lambda: m.Vector._field_defaults.update(y=1.0),
    ),
    "an enumeration": lambda m: attribute(m, "Leg", enum.IntEnum("Leg", {"LEFT": 2})),
    "an attribute of a module": lambda m: attribute(m.library, "GRAVITY", 1.62),
    "a name that was a built-in function's": lambda m: new_attribute(m, "abs", m.inner),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_in_memory_is_seen_and_so_is_its_undoing(module, edit):
    if edit == "a name that was a built-in function's":
        exec("def function(x):\n    return abs(x)", vars(module))
    before = [content_hash(module.function) for _ in range(2)]
    assert before[0] is not None
    change, undo = EDITS[edit](module)
    change()
    after = [content_hash(module.function) for _ in range(2)]
    undo()
    assert before[0] == before[1] == content_hash(module.function)
    assert after[0] == after[1] != before[0]


def test_a_hash_is_kept_as_long_as_nothing_changes(module, monkeypatch):
    """Without the class that makes it, there is still the hash of before, and no other."""
    found = content_hash(module.function)
    monkeypatch.setattr("hybridsim.engine.compiler.fingerprint._Contents", None)
    assert content_hash(module.function) == found
    module.RATE = 3.0
    with pytest.raises(TypeError):
        content_hash(module.function)
