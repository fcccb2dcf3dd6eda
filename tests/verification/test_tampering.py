"""An altered run is no solution: each array is altered in many ways, and no alteration passes."""

import dataclasses
import functools
import shutil
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import pytest

import hybridsim
from hybridsim.config.source import Diagnostics, Origin
from hybridsim.errors import ConfigError
from hybridsim.results import reading
from hybridsim.results.saving import save_run
from hybridsim.verification import Report, verify
from hybridsim.verification.api import check_all
from hybridsim.verification.evaluator import make_evaluator

from .alterations import alterations, arrays, with_array

SLIDER, TABLE, TIDES, HEATER = (
    Path(__file__).parent / "models" / f"{name}.py" for name in ("slider", "table", "tides", "heater")
)
CHANGES = [
    (0.5, "target", 21.0),
    (0.5, "outside", 2.0),
    (1.1, "target", 14.0),
    (1.1001, "target", 23.0),
    (2.0, "outside", -7.0),
]
RUNNER = {
    "parameters": {"hold_touchdown_angle": 1},
    "initial": {"touchdown_angle": -0.38397243543875251},
    "stop": [("apex", 3)],
    "final_time": 20.0,
}
RUNS = {
    "runner, every step": ("slip", RUNNER),
    "runner, sampled": ("slip", RUNNER | {"record": 0.02, "rtol": 1e-12, "atol": 1e-13}),
    "runner, events only": ("slip", RUNNER | {"record": False}),
    "ball, every step": ("bouncing_ball", {"final_time": 1.2}),
    "belt, sampled": ("stick_slip", {"final_time": 9.0, "method": "rk4_adaptive", "rtol": 1e-12, "record": 0.1}),
    "thermostat, every step of another method": ("relay", {"final_time": 2.0, "method": "dop853"}),
    "slide, every step": (SLIDER, {"final_time": 2.0}),
    "slide, sampled": (SLIDER, {"final_time": 2.0, "record": 0.1, "rtol": 1e-12, "atol": 1e-13}),
    "rest, every step": (TABLE, {"final_time": 2.5, "method": "dop853"}),
    "rest, events only": (TABLE, {"final_time": 2.5, "record": False}),
    "tides, every step": (TIDES, {"final_time": 7.0, "touch_precision": 1e-3, "rtol": 1e-10, "atol": 1e-12}),
    "changing inputs, every step": (HEATER, {"final_time": 3.0, "changes": CHANGES}),
    "changing inputs, events only": (HEATER, {"final_time": 3.0, "changes": CHANGES, "record": False}),
    "walls, events only": ("two_walls", {"final_time": 15.0, "initial": {"xdot": 2.0}, "record": False}),
}
OF_STEPS = {"events/depth", "events/error"}
"""These describe the rest of a step; without its extension they cannot be checked."""

ALTERATIONS_PER_ARRAY = 6
"""How many alterations of each array are tried: a sample of all ways and places. `offline.py` tries all of them."""


@pytest.fixture(autouse=True, scope="module")
def parse_once():
    """The config, which is the same in all altered files, is read from YAML only once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "parse_value", lambda text, *_: parsed(text))
        yield


@functools.cache
def parsed(text, parse=reading.parse_value):
    return parse(text, Origin("/config"), (), Diagnostics())


@pytest.fixture(scope="module", params=RUNS, ids=lambda name: name.replace(", ", "-").replace(" ", "_"))
def honest_run(request):
    """An honest run, and its evaluator."""
    name, keywords = RUNS[request.param]
    model = hybridsim.load_model(name)
    run = run_with(model, **keywords)
    return run, make_evaluator(run, model)


@pytest.fixture(scope="module")
def honest(honest_run, tmp_path_factory):
    """The file of an honest run, and its model."""
    run, evaluator = honest_run
    folder = tmp_path_factory.mktemp("honest")
    save_run(run, folder, "run", ["hdf5"])
    return folder / "run.h5", evaluator.model


def run_with(model, changes=(), **keywords):
    """A run whose inputs change at some times."""
    simulation = hybridsim.Simulation(model, **keywords)
    for t, name, value in changes:
        simulation.advance(t)
        simulation.inputs[name] = value
    return simulation.run()


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


def test_no_altered_array_passes(honest_run):
    run, evaluator = honest_run
    rng = np.random.default_rng(len(run.t))
    known = arrays(run)
    assert {"t", "j", "chart", "x", "y", "events/t", "events/certificate", "charts/name"} <= set(known)
    passed = []
    for name in known.keys() - (set() if "extension" in known else OF_STEPS):
        for way, where, values in sample(rng, list(alterations(name, known[name]))):
            report = Report(run.model_name, 0, 0)
            check_all(dataclasses.replace(evaluator, run=with_array(run, name, values)), report)
            if report.ok:
                passed.append(f"{name}: {way} {where}")
    assert not passed, "; ".join(passed[:12])


def sample(rng, ways):
    """A few alterations, each of a different way as long as there are others."""
    order = rng.permutation(len(ways)).tolist()
    tried = Counter()
    rank = {}
    for k in order:
        rank[k] = tried[ways[k][0]]
        tried[ways[k][0]] += 1
    return [ways[k] for k in sorted(order, key=rank.get)[:ALTERATIONS_PER_ARRAY]]


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
