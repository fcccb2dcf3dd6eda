"""An altered run is no solution: each array of the file is altered in many ways, and no alteration passes."""

import functools
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest

import hybridsim
from hybridsim.config.source import Diagnostics, Origin
from hybridsim.errors import ConfigError
from hybridsim.results import reading
from hybridsim.results.saving import save_run
from hybridsim.verification import verify

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
UNVERIFIABLE = {"config", "model_files/path", "model_files/sha256"}
"""The config is what the run is verified against; the hashes decide which files may be executed to verify it."""

OF_STEPS = {"events/depth", "events/error"}
"""These describe the rest of a step; without its extension they cannot be checked."""


SHARE = 1e-5
"""The least alteration, in units of the largest number of the column: well above the deviations allowed here."""

SHARE_OF_EXTENSION = 1e-3
"""A step that an event has cut is checked beyond the event too, but to the tolerance of its end."""


OF_EVENTS = {"events/value": (1e-5, 1e-3), "events/depth": (1e-2, 1e-5), "events/error": (1e-2, 1e-5)}
"""Share and least size: a value or an error may be pure rounding, and depths have three digits."""


def arrays(file):
    """The names of all datasets, and their values."""
    found = {}
    file.visititems(lambda name, item: found.update({name: item[()]}) if hasattr(item, "shape") else None)
    return found


def alterations(name, values):
    """Ways to alter one dataset: (what, the values altered), each one different from the values as they are."""
    values = np.asarray(values)
    if values.dtype.kind in "SO":
        ways, least = _of_words(values), 0.0
    else:
        least = _least(name, values)
        ways = _of_numbers(values, least)
    for what, altered in ways:
        if altered.shape != values.shape or _differ(values, altered, least):
            yield what, altered


def _least(name, values):
    """The least alteration of each column; of an extension, by the largest coefficient of each state."""
    share, floor = OF_EVENTS.get(name, (SHARE_OF_EXTENSION if values.ndim == 3 else SHARE, 0.0))
    size = abs(values.astype(float))
    if values.ndim:
        size = np.fmax.reduce(size, axis=tuple(range(max(values.ndim - 1, 1))), initial=0.0)
    return share * np.fmax(size, floor)


def _differ(values, altered, least):
    """Return whether the alteration is large enough to be seen."""
    if values.dtype.kind != "f":
        return not np.array_equal(values, altered)
    with np.errstate(invalid="ignore"):
        change = abs(altered - values)
    change = np.where(np.isnan(values) & np.isnan(altered), 0.0, change)
    return not (change <= 0.99 * least).all()


def _of_words(values):
    if values.ndim == 0:
        return
    for row in _some_rows(len(values)):
        altered = values.copy()
        altered[row] = b"nonsense"
        yield f"another word in row {row}", altered
    yield from _of_rows(values)


def _of_numbers(values, least):
    if values.ndim == 0:
        yield "the next number", values + 1
        if values.dtype.kind == "f":
            yield "a little more", values * (1.0 + 1e-3)
            yield "not a number", np.full_like(values, np.nan)
        return
    changes = _float_changes if values.dtype.kind == "f" else _integer_changes
    for place in _some_places(values):
        for what, changed in changes(values, place, np.broadcast_to(least, values.shape)[place]):
            altered = values.copy()
            altered[place] = changed
            yield f"{what} at {place}", altered
    yield from _of_rows(values)
    if values.dtype.kind == "f":
        yield "all turned round", -values
        yield "all a little larger", values * (1.0 + 1e-5)
        yield "all shifted", values + 1e-3
    else:
        yield "all larger by one", values + 1


def _float_changes(values, place, least):
    sign = 1.0 if sum(place) % 2 else -1.0
    least = least or SHARE
    yield "a little off", values[place] + sign * least
    yield "off", values[place] - 1e2 * sign * least
    yield "turned round", -values[place]
    yield ("not a number", np.nan) if sum(place) % 2 else ("infinite", np.inf)


def _integer_changes(values, place, _least):
    yield "one more", values[place] + 1
    if values[place] or values.dtype.kind == "i":
        yield "one less", values[place] - 1


def _of_rows(values):
    """Rows dropped, doubled, swapped and reversed; and a dimension too many."""
    n = len(values)
    for row in _some_rows(n):
        yield f"without row {row}", np.delete(values, row, axis=0)
        yield f"row {row} twice", np.insert(values, row, values[row], axis=0)
    for row in _some_rows(n - 1):
        swapped = values.copy()
        swapped[[row, row + 1]] = values[[row + 1, row]]
        yield f"rows {row} and {row + 1} swapped", swapped
    yield "backwards", values[::-1].copy()
    yield "one dimension more", values[None]
    yield "empty", values[:0]


def _some_rows(n):
    return sorted({row for row in (0, 1, n // 2, n - 1) if 0 <= row < n})


def _some_places(values):
    """Every column, in one row after another, and the first column in all of these."""
    rows = _some_rows(len(values))
    columns = list(np.ndindex(values.shape[1:]))
    turns = max(len(rows), len(columns)) if rows and columns else 0
    return [(rows[k % len(rows)], *columns[k % len(columns)]) for k in range(turns)]


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
def honest(request, tmp_path_factory):
    """The file of an honest run, and its model."""
    name, keywords = RUNS[request.param]
    model = hybridsim.load_model(name)
    folder = tmp_path_factory.mktemp("honest")
    save_run(run_with(model, **keywords), folder, "run", ["hdf5"])
    return folder / "run.h5", model


def run_with(model, changes=(), **keywords):
    """A run whose inputs change at some times."""
    simulation = hybridsim.Simulation(model, **keywords)
    for t, name, value in changes:
        simulation.advance(t)
        simulation.inputs[name] = value
    return simulation.run()


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


@pytest.mark.slow
def test_no_altered_array_passes(honest):
    path, model = honest
    altered = path.with_name("altered.h5")
    with h5py.File(path) as file:
        known = arrays(file)
    assert {"t", "j", "chart", "x", "y", "events/t", "events/certificate", "charts/name"} <= set(known)
    passed = []
    for name in known.keys() - UNVERIFIABLE - (set() if "extension" in known else OF_STEPS):
        for what, values in alterations(name, known[name]):
            shutil.copy(path, altered)
            with h5py.File(altered, "a") as file:
                replace(file, name, values)
            if not is_rejected(altered, model):
                passed.append(f"{name}: {what}")
    assert not passed, "; ".join(passed[:12])


def test_no_missing_array_passes(honest):
    path, model = honest
    altered = path.with_name("altered.h5")
    with h5py.File(path) as file:
        known = arrays(file)
    for name in known:
        shutil.copy(path, altered)
        with h5py.File(altered, "a") as file:
            del file[name]
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
