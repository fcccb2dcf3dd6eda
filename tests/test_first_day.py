"""The script of a new user's first day knows every page, and reads their commands and their Python."""

import ast
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def day():
    spec = importlib.util.spec_from_file_location("first_day", ROOT / "packaging" / "first_day.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_tried_or_has_a_reason_why_not(day):
    pages = {"README", *(path.stem for path in (ROOT / "docs").glob("*.md"))}
    assert {*day.PAGES} | {*day.OTHER_PAGES} == pages
    assert not {*day.PAGES} & {*day.OTHER_PAGES}


def test_pages_without_a_reason_have_commands_or_python(day):
    assert [name for name in day.PAGES if not day.commands_of(name) + day.python_of(name)] == []
    assert "hybridsim plot slip-steps-to-fall steps" in day.commands_of("sweeps")


def test_nothing_is_left_out_that_is_not_there(day):
    for name, page in day.PAGES.items():
        shown = [*day.commands_of(name), *day.python_of(name)]
        starts = [*page.left_out, *page.codes]
        assert [start for start in starts if not any(text.startswith(start) for text in shown)] == []


def test_the_python_that_is_tried_is_python(day):
    for name, page in day.PAGES.items():
        saved = [text for _, text in day.saved_files(day.python_of(name))]
        for block in day.python_of(name):
            if block in saved or not day.is_left_out(block, page):
                compile(page.prelude + block, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_models_are_saved_under_the_names_that_commands_use(day):
    assert {"ball.py", "door.py", "motor.py"} <= {name for name, _ in day.saved_files(day.python_of("write-a-model"))}
