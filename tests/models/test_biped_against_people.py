"""How far the biped's walks are from people's, by two ways that share nothing but the data."""

import csv
import importlib.util

import numpy as np
import pytest

from hybridsim_models.biped import people

from .config_runs import CONFIGS, run_of


def module_of(name):
    spec = importlib.util.spec_from_file_location(name, CONFIGS / "biped" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run():
    return run_of("biped/walk-straight.yaml", "parameters.steps=12", "final_time=13")


def rows_of(group):
    with people.FILE.open() as file:
        rows = [row for row in csv.DictReader(line for line in file if line[0] != "#") if row["group"] == group]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "group"}


def deviations(run):
    """Root mean squares over one stride of each leg between landings, at the slowest people's curves: by hand."""
    landings = [event.t for event in run.events if "heel2_down" in event.boundaries]
    squares = {joint: [] for joint in people.JOINTS}
    columns = rows_of("very slow")
    for first in (7, 8):
        begin, end = landings[first], landings[first + 2]
        at = begin + columns["cycle"][:-1] / 100.0 * (end - begin)
        loads = {side: np.interp(begin + 0.3 * (end - begin), run.t, run[f"fz_{side}"]) for side in ("right", "left")}
        side = max(loads, key=loads.get)  # the one that has landed stands
        for joint, found in squares.items():
            mean = columns[joint] - (np.mean(columns["pelvis"][:-1]) if joint == "hip" else 0.0)
            angle = np.degrees(np.interp(at, run.t, run[f"{joint}_{side}"]))
            found.append(((angle - mean[:-1]) / columns[f"{joint}_sd"][:-1]) ** 2)
    return {joint: np.sqrt(np.mean(each)) for joint, each in squares.items()}


@pytest.mark.exhaustive  # slow; the objective is the mean of the same squares
def test_the_printed_deviations_are_those_of_strides_between_landings(run):
    text = module_of("pictures").compare(run)
    assert "0.170 sqrt(g l)" in text
    assert run.parameters["step_length"] == pytest.approx(0.4134)
    for joint, rms in deviations(run).items():
        (line,) = (line for line in text.splitlines() if line.startswith(joint))
        assert float(line.split("rms ")[1].split(" sd")[0]) == pytest.approx(rms, abs=0.03)
    assert "people 68 +- 5 %" in text


def test_the_objective_of_the_search_is_the_mean_over_time_of_the_same_squares(run):
    """It takes the heel's landing from the controller's phases, and people between two speeds from the plan's speed."""
    miss = module_of("people_miss")
    p = [0.0] * (max(miss._MODEL.p_indices.values()) + 1)
    for name in ("step_length", "single_time", "double_time", "g", "stature"):
        p[miss._MODEL.p_indices[name]] = run.parameters[name]
    landings = [event.t for event in run.events if "heel2_down" in event.boundaries]
    rows = np.flatnonzero((run.t >= landings[7]) & (run.t < landings[9]))
    for joint, rms in deviations(run).items():
        function = getattr(miss, f"{joint}_miss")
        values = [function(run.t[i], run.x[i], p, int(run.chart[i])) for i in rows]
        mean = np.trapezoid(values, run.t[rows]) / np.ptp(run.t[rows])
        assert np.sqrt(mean) == pytest.approx(rms, abs=0.03)


@pytest.mark.exhaustive  # the objective of the search is compared above
def test_the_search_for_a_fast_walk_has_the_same_deviations(run):
    pytest.importorskip("cma", reason="cma is not installed: pip install 'hybridsim[optimize]'")
    landings = [event.t for event in run.events if "heel2_down" in event.boundaries][7:10]
    figures = module_of("fast_search").figures_of(run, landings)
    assert figures["speed"] == pytest.approx(0.516, abs=0.003)
    for joint, rms in deviations(run).items():
        assert figures[joint] == pytest.approx(rms, abs=0.05)


@pytest.mark.exhaustive  # a matter of one sentence
def test_a_walk_of_few_steps_has_none_to_compare():
    short = run_of("biped/walk-straight.yaml", "parameters.steps=3", "final_time=6")
    assert "no steady strides" in module_of("pictures").compare(short)


FOUND = [
    ("walk-people", (0.60, 0.67, 0.70), (1.8, 1.2, 1.5)),
    pytest.param("walk-people-faster", (0.70, 0.92, 0.91), (2.1, 1.8, 1.8), marks=pytest.mark.exhaustive),
    pytest.param("walk-people-fast", (0.70, 0.73, 0.76), (2.0, 1.8, 1.5), marks=pytest.mark.exhaustive),
]


@pytest.mark.exhaustive  # slow; the deviations of a run are compared in the ordinary run
@pytest.mark.parametrize(("name", "page", "largest"), FOUND)
def test_the_walks_that_were_found_are_as_near_to_people_as_the_page_says(name, page, largest):
    """To the last digit of the table, but for steps that are not quite steady after seven of them."""
    walk = run_of(f"biped/{name}.yaml", "parameters.steps=12", "final_time=13")
    text = module_of("pictures").compare(walk)
    printed = [float(line.split("rms ")[1].split(" sd")[0]) for line in text.splitlines() if "rms" in line]
    assert printed == pytest.approx(page, abs=0.021)
    assert max(printed) < 1.0
    most = [float(line.split("at most ")[1].split(" sd")[0]) for line in text.splitlines() if "rms" in line]
    assert most == pytest.approx(largest, abs=0.08)
