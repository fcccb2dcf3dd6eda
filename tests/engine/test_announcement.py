"""Who waits for the compiler is told so, once, and only after a while."""

import logging
import threading
import time

import pytest

from hybridsim import simulate
from hybridsim.engine.compiler import announcement
from hybridsim.engine.compiler.announcement import compiling
from hybridsim.engine.compiler.options import JIT


@pytest.fixture(autouse=True)
def _nothing_has_been_compiled(monkeypatch):
    monkeypatch.setattr(announcement, "_spent", {})
    monkeypatch.setattr(announcement, "ANNOUNCEMENT_DELAY", 0.2)


def messages(caplog):
    return [(record.name, record.levelno, record.getMessage()) for record in caplog.records]


LINE = ("hybridsim", logging.WARNING, "compiling the engine")


def test_what_takes_long_has_one_line_however_often_it_is_compiled(caplog):
    for _ in range(2):
        with compiling("the engine"):
            time.sleep(0.4)
    assert messages(caplog) == [LINE]


def test_what_is_quick_has_none(caplog):
    with compiling("the engine"):
        pass
    time.sleep(0.3)
    assert messages(caplog) == []


def test_many_quick_ones_of_a_kind_have_a_line_together(caplog):
    for _ in range(4):
        with compiling("the engine"):
            time.sleep(0.15)
    assert messages(caplog) == [LINE]


def test_what_is_compiled_on_the_way_belongs_to_the_whole(caplog):
    with compiling("the engine"), compiling("a part"):
        time.sleep(0.4)
    assert messages(caplog) == [LINE]


def test_threads_are_told_apart(caplog):
    def compile_a_part():
        with compiling("a part"):
            time.sleep(0.4)

    other = threading.Thread(target=compile_a_part)
    with compiling("the engine"):
        other.start()
        time.sleep(0.4)
        other.join()
    assert {text for _, _, text in messages(caplog)} == {"compiling the engine", "compiling a part"}


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_model_that_no_cache_has_is_announced_by_its_name(caplog, monkeypatch, tmp_path):
    monkeypatch.setattr(announcement, "ANNOUNCEMENT_DELAY", 0.0)
    file = tmp_path / "mine.py"
    file.write_text(MODEL.format(number=time.time()))
    simulate(file, final_time=0.1)
    line = "compiling the functions of mine (once; again after an edit)"
    assert ("hybridsim", logging.WARNING, line) in messages(caplog)
    caplog.clear()
    simulate(file, final_time=0.1)
    assert messages(caplog) == []


MODEL = """from hybridsim import Model, Records, State

STATES = Records(State("y", 1.0))
S = STATES.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.y] = {number} - x[S.y]


MODEL = Model("mine", STATES, vector_field=vector_field)
"""
