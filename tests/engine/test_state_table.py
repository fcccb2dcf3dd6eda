"""The tables that declare the engine's scalars: complete, and true of the sources."""

import ast
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim.engine.settings import SETTINGS_DTYPE, SETTINGS_SLOTS
from hybridsim.engine.state import MANY_READERS, STATE_DTYPE, STATE_SLOTS

ENGINE = Path(hybridsim.__file__).parent / "engine"
RECORDS = ("state", "point_state")
"""Names by which the engine's functions call the record."""


def uses():
    """The modules that write each slot, and those that read it."""
    writers, readers = defaultdict(set), defaultdict(set)
    for path in ENGINE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        updated = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in RECORDS:
                if isinstance(node.ctx, ast.Store):
                    writers[node.attr].add(path.stem)
                if isinstance(node.ctx, ast.Load) or id(node) in updated:
                    readers[node.attr].add(path.stem)
    return writers, readers


WRITERS, READERS = uses()
BY_ADDRESS = ("problem_table", "workspace_table", "record_table")
"""Slots that compiled code finds by name and Python sets as items."""


@pytest.mark.parametrize("slot", [s for s in STATE_SLOTS if s.name not in BY_ADDRESS], ids=lambda slot: slot.name)
def test_the_modules_of_a_row_are_those_that_use_the_slot(slot):
    written_by, read_by = ({*names.split(", ")} - {"simulation"} - {""} for names in (slot.written_by, slot.read_by))
    assert written_by == WRITERS[slot.name]
    if slot.read_by == MANY_READERS:
        assert len(READERS[slot.name]) > 5
    else:
        assert read_by == READERS[slot.name]


def test_no_module_uses_a_slot_that_is_not_declared():
    declared = {slot.name for slot in STATE_SLOTS}
    assert {*WRITERS, *READERS} - declared <= set(dir(np.ndarray))


@pytest.mark.parametrize("rows", [STATE_SLOTS, SETTINGS_SLOTS], ids=["state", "settings"])
def test_every_row_is_a_word_with_a_meaning(rows):
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert row.dtype in ("f8", "i8")
        assert row.meaning.endswith(".")


@pytest.mark.parametrize(
    ("dtype", "rows"), [(STATE_DTYPE, STATE_SLOTS), (SETTINGS_DTYPE, SETTINGS_SLOTS)], ids=["state", "settings"]
)
def test_the_records_are_packed_words_in_the_order_of_the_rows(dtype, rows):
    assert dtype.names == tuple(row.name for row in rows)
    assert dtype.itemsize == 8 * len(rows)
