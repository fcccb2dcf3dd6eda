"""A model that has passed its trials is not tried again, in other processes either, unless what decides changes."""

import dataclasses
from collections import deque

import pytest

from hybridsim import Boundary, Message, Model, ModelError, Parameter, State
from hybridsim.engine.compiler import object_file
from hybridsim.model import dry_run

SHIFT = {"of": 0.0}


def vector_field(xdot, t, x, p, chart):
    xdot[0] = p[0]


def faster(xdot, t, x, p, chart):
    xdot[0] = 2.0 * p[0]


def outside(xdot, t, x, p, chart):
    xdot[1] = p[0]


def unknown(xdot, t, x, p, chart):
    xdot[0] = SHIFT["of"]


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[0]


def transition(x_new, t, x, p, chart, crossed):
    return 0


MODEL = Model("drift", [State("s", 1.0)], vector_field=vector_field, parameters=[Parameter("speed", 1.0)])
CHANGES = {
    "a function": {"vector_field": faster},
    "a function more": {
        "boundaries": boundaries,
        "transition": transition,
        "boundary_records": [Boundary("end")],
    },
    "an initial value": {"states": [State("s", 2.0)]},
    "a state more": {"states": [State("s", 1.0), State("r")]},
    "a parameter": {"parameters": [Parameter("speed", 0.0)]},
    "a chart more": {"charts": ["one", "two"]},
    "a message": {"messages": [Message("too far")]},
}


@pytest.fixture
def tried(tmp_path, monkeypatch):
    """Ask for a model as a new process does; whether it was tried."""
    monkeypatch.setattr(object_file, "cache_root", lambda: tmp_path / "cache")
    calls, trial = [], dry_run.dry_run
    monkeypatch.setattr(dry_run, "dry_run", lambda tried, *n: calls.append(tried) or trial(tried, *n))

    def ask(model):
        monkeypatch.setattr(dry_run, "_sound_models", deque())
        calls.clear()
        dry_run.refuse_broken(model)
        return bool(calls)

    return ask


def test_a_model_is_tried_once_whatever_it_is_called(tried):
    assert tried(MODEL)
    assert not tried(MODEL)
    assert not tried(dataclasses.replace(MODEL, name="other"))


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_decides_is_tried(tried, change):
    assert tried(MODEL)
    assert tried(dataclasses.replace(MODEL, **CHANGES[change]))


def test_a_state_that_becomes_bookkeeping_is_tried(tried):
    assert tried(MODEL)
    with pytest.raises(ModelError, match="as its slope"):
        tried(dataclasses.replace(MODEL, states=[State("s", 1.0, continuous=False)]))


def test_a_model_that_is_refused_is_tried_each_time(tried):
    for _ in range(2):
        with pytest.raises(ModelError, match="lies outside the array"):
            tried(dataclasses.replace(MODEL, vector_field=outside))


def test_a_function_whose_contents_are_not_known_is_tried_each_time(tried):
    model = dataclasses.replace(MODEL, vector_field=unknown)
    assert [tried(model), tried(model)] == [True, True]


def test_a_damaged_file_is_no_verdict(tried, tmp_path):
    assert tried(MODEL)
    (file,) = (tmp_path / "cache").rglob("trials/*")
    file.write_bytes(file.read_bytes()[:-1])
    assert tried(MODEL)
    assert not tried(MODEL)
