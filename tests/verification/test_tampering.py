"""An altered run is no solution: each array is altered in many ways, and no alteration passes."""

import dataclasses
import functools
import shutil
from collections import Counter

import h5py
import numpy as np
import pytest
from alterations import alterations, arrays, with_array

from hybridsim import Model, Output, Records, State, Status, simulate
from hybridsim.config.source import Diagnostics, Origin
from hybridsim.errors import ConfigError
from hybridsim.results import reading
from hybridsim.verification import Report, verify
from hybridsim.verification.api import check_all
from hybridsim.verification.evaluator import make_evaluator
from hybridsim.verification.event_values import check_depths

from .small_runs import RUNS, make_run

OF_STEPS = {"events/depth", "events/error"}
"""These describe the rest of a step. Without its extension, it is checked where they are given, and their signs."""

UNSEEN = {
    "a little off",
    "off",
    "all a little larger",
    "all shifted",
    "two rows swapped",
    "backwards",
    "a row twice",
}
"""Ways to alter them that are not seen then."""

ALTERATIONS_PER_ARRAY = [2, pytest.param(6, marks=pytest.mark.exhaustive)]
"""How many alterations of each array of a run are tried: a sample of all ways and places, another one in each run."""


@pytest.fixture(autouse=True, scope="module")
def parse_once():
    """The config, which is the same in all altered files, is read from YAML only once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "parse_value", lambda text, *_: parsed(text))
        yield


@functools.cache
def parsed(text, parse=reading.parse_value):
    return parse(text, Origin("/config"), (), Diagnostics())


def words(name):
    return name.replace(", ", "-").replace(" ", "_")


@pytest.fixture(scope="module", params=RUNS, ids=words)
def honest_run(request):
    """An honest run, and its evaluator."""
    model, run = make_run(request.param)
    return run, make_evaluator(run, model)


FILES = {
    "runner, every step",
    "slide, sampled",
    "rest, events only",
    "tides, every step",
    "changing inputs, every step",
}
"""Runs whose files have every array, with and without steps; those of the others are altered in exhaustive tests."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name in FILES else pytest.mark.exhaustive) for name in RUNS],
    ids=words,
)
def honest(request, tmp_path_factory):
    """The file of an honest run, and its model."""
    model, run = make_run(request.param)
    folder = tmp_path_factory.mktemp("honest")
    run.save(folder / "run.h5")
    return folder / "run.h5", model


def datasets(file):
    """The names of all datasets."""
    found = []
    file.visititems(lambda name, item: found.append(name) if hasattr(item, "shape") else None)
    return found


def is_rejected(path, model):
    try:
        return not verify(path, model).ok
    except ConfigError:
        return True


def replace(file, name, values):
    """Write other values, keep the attributes."""
    attributes = dict(file[name].attrs)
    del file[name]
    file.create_dataset(name, data=values, dtype=h5py.string_dtype() if values.dtype.kind == "O" else None)
    file[name].attrs.update(attributes)


def test_an_honest_run_passes(honest):
    path, model = honest
    report = verify(path, model)
    assert report.ok, str(report)


@pytest.mark.members(1)
@pytest.mark.parametrize("count", ALTERATIONS_PER_ARRAY)
def test_no_altered_array_passes(honest_run, count):
    run, evaluator = honest_run
    rng = np.random.default_rng(len(run.t))
    known = arrays(run)
    assert {"t", "j", "chart", "x", "y", "events/t", "events/certificate", "charts/name"} <= set(known)
    passed = []
    for name in known:
        unseen = UNSEEN if name in OF_STEPS and "extension" not in known else set()
        ways = [way for way in alterations(name, known[name]) if way[0] not in unseen]
        for way, where, values in sample(rng, ways, count):
            report = Report(run.model_name, 0, 0)
            check_all(dataclasses.replace(evaluator, run=with_array(run, name, values)), report)
            if report.ok:
                passed.append(f"{name}: {way} {where}")
    assert not passed, "; ".join(passed[:12])


def sample(rng, ways, count):
    """A few alterations, each of a different way as long as there are others."""
    order = rng.permutation(len(ways)).tolist()
    tried = Counter()
    rank = {}
    for k in order:
        rank[k] = tried[ways[k][0]]
        tried[ways[k][0]] += 1
    return [ways[k] for k in sorted(order, key=rank.get)[:count]]


@pytest.mark.members(1)
def test_no_missing_array_passes(honest):
    path, model = honest
    altered = path.with_name("altered.h5")
    with h5py.File(path) as file:
        known = datasets(file)
    for name in known:
        shutil.copy(path, altered)
        with h5py.File(altered, "a") as file:
            del file[name]
        assert is_rejected(altered, model), name


def test_flags_other_than_0_and_1_in_a_file_are_rejected(honest):
    path, model = honest
    altered = path.with_name("altered.h5")
    for name in ("events/boundaries", "events/declined"):
        shutil.copy(path, altered)
        with h5py.File(altered, "a") as file:
            replace(file, name, file[name][()] + 1)
        assert is_rejected(altered, model), name


@pytest.mark.members(1)
def test_no_altered_description_passes(honest):
    path, model = honest
    altered = path.with_name("altered.h5")
    with h5py.File(path) as file:
        described = [
            (name, attribute) for name in ("/", "x", "y", "events/boundaries") for attribute in file[name].attrs
        ]
    free = {"format", "format_version", "plugin_hash", "source"}
    for name, attribute in described:
        if attribute in free:
            continue
        shutil.copy(path, altered)
        with h5py.File(altered, "a") as file:
            value = file[name].attrs[attribute]
            if isinstance(value, str):
                file[name].attrs[attribute] = "nonsense"
            elif value.dtype.kind == "O":
                file[name].attrs[attribute] = ["nonsense", *value[1:]]
            else:
                file[name].attrs[attribute] = np.where(np.isinf(value), 0, value + 1)
        assert is_rejected(altered, model), (name, attribute)


@pytest.mark.members
@pytest.mark.parametrize("drop", ["first", "last"])
def test_no_event_may_be_dropped_or_added(honest, drop):
    path, model = honest
    altered = path.with_name("altered.h5")
    place = 0 if drop == "first" else -1
    for change in ("drop", "add"):
        shutil.copy(path, altered)
        with h5py.File(altered, "a") as file:
            for name in list(file["events"]):
                values = file["events"][name][()]
                rows = list(range(len(values)))
                rows = [row for row in rows if row != rows[place]] if change == "drop" else sorted([*rows, rows[place]])
                replace(file["events"], name, values[rows])
            statistics = file["statistics"].attrs
            statistics["events"] += 1 if change == "add" else -1
        assert is_rejected(altered, model), change


def test_no_row_may_be_dropped_from_all_columns(honest):
    path, model = honest
    altered = path.with_name("altered.h5")
    with h5py.File(path) as file:
        n = len(file["t"])
    for row in {0, 1, n // 2, n - 1}:
        shutil.copy(path, altered)
        with h5py.File(altered, "a") as file:
            for name in {"t", "j", "chart", "x", "y", "xdot", "extension", "step"} & set(file):
                values = file[name][()]
                replace(file, name, values[[k for k in range(n) if k != row]])
        assert is_rejected(altered, model), row


WITHOUT_STEPS = {
    "sampled runner": lambda: make_run("runner, sampled")[1],
    "slide": lambda: make_run("slide, sampled")[1],
    "walls": lambda: make_run("walls, events only")[1],
}


@pytest.mark.parametrize("run", WITHOUT_STEPS)
def test_a_depth_or_an_error_that_is_missing_infinite_or_negative_is_rejected(run):
    """The others pass, so only that one event is reported."""
    run = WITHOUT_STEPS[run]()
    evaluator = make_evaluator(run, None)
    assert np.isfinite(run.events.depth).any()
    assert np.isfinite(run.events.error).any()
    for column in ("depth", "error"):
        values = getattr(run.events, column)
        for k in np.flatnonzero(np.isfinite(values))[:2].tolist():
            for wrong in (np.nan, np.inf, -1e-3):
                altered = values.copy()
                altered[k] = wrong
                report = Report(run.model_name, 0, 0)
                check_depths(dataclasses.replace(evaluator, run=with_array(run, f"events/{column}", altered)), report)
                assert [violation.place for violation in report.violations] == [f"event {k}"], (column, k, wrong)


@pytest.mark.parametrize("name", ["runner, sampled", "runner, events only"])
def test_slopes_of_a_row_without_a_step_are_checked(name):
    """A run that ends at a jump has one row after it: its slopes are zero in samples, else those of the field."""
    model, run = make_run(name)
    evaluator = make_evaluator(run, model)
    assert run.xdot[-1].any() == (name == "runner, events only")
    for wrong in (np.zeros_like(run.xdot[-1]), run.xdot[-1] + 1e-3):
        altered = run.xdot.copy()
        altered[-1] = wrong
        report = Report(run.model_name, 0, 0)
        check_all(dataclasses.replace(evaluator, run=with_array(run, "xdot", altered)), report)
        assert report.ok == (altered == run.xdot).all()


def turn(xdot, t, x, p, chart):
    xdot[1] = 1.0


def count_teeth(y, t, x, p, chart):
    y[0] = 10.0 * int(x[0])


def test_what_depends_on_a_held_count_is_exact():
    """A count of 3 is 3, and not 2 for the sake of rounding, which would excuse any number of teeth."""
    model = Model(
        "gear",
        Records(State("turns", 3.0, continuous=False), State("angle", 0.0)),
        vector_field=turn,
        outputs=count_teeth,
        output_records=Records(Output("teeth")),
    )
    run = simulate(model, final_time=1.0)
    assert verify(run, model).ok
    assert not verify(with_array(run, "y", run.y + 5.0), model).ok


@pytest.mark.members(1)
@pytest.mark.parametrize("row", [1, -1])
def test_a_wrong_state_does_not_excuse_itself(row):
    """Where a row is off, steps are tried near it. One that goes back from a wrong state leads to it again."""
    model, run = make_run("slide, sampled")
    x = run.x.copy()
    x[row, 1] *= 1.001
    report = Report(run.model_name, 0, 0)
    check_all(make_evaluator(with_array(run, "x", x), model), report)
    assert any(violation.place == f"row {row % len(x)}" for violation in report.violations), str(report)


def test_a_run_that_ends_inside_its_chart_did_not_end_outside():
    run = simulate("bouncing_ball", final_time=0.3)
    assert verify(run).ok
    assert not verify(dataclasses.replace(run, status=Status.OUTSIDE_CHART)).ok


def test_a_stop_at_a_value_may_be_a_jump_over_it_and_no_other_place():
    run = simulate("bouncing_ball", final_time=2.0, stop=[{"state": "v", "value": 1.0}])
    assert (run.status, len(run.events)) == (Status.STOPPED, 1)  # v jumps from -4.4 to 2.2
    assert verify(run).ok
    assert not verify(dataclasses.replace(simulate("bouncing_ball", final_time=0.3), status=Status.STOPPED)).ok
