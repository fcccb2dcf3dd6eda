from pathlib import Path

import numpy as np
import pytest

from hybridsim import Evaluator, Optimizer, Simulation, load_config, load_optimization, optimize, simulate
from hybridsim.config.optimization import load_optimization_config
from hybridsim.config.yaml_source import write_yaml
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.optimisation import run_optimization
from hybridsim.optimisation.problem import Problem
from hybridsim.optimisation.reproduction import reproduce
from hybridsim.optimisation.table import SearchLayout

CONFIGS = Path(__file__).parents[2] / "configs" / "optimisation"

CHOICES = """
model: slip
final_time: 100
initial: {y: 1.0, xdot: 5.0}
stop: [{boundary: touchdown, count: 24}]
metrics: {steps: count(touchdown), distance: final(x)}
optimize:
  parameters: {k: 15e3..25e3}
  structure:
    hold_touchdown_angle:
      "0": {touchdown_angle: 'uniform(-28 deg, -18 deg)'}
      "1": {touchdown_angle: 'uniform(-28 deg, -20 deg)', body_mass: 'uniform(70, 90)'}
  stages: [{maximize: steps, until: steps >= 24}, {maximize: distance}]
  method: {name: mmpso, population: 12, generations: 6}
  runs: 2
"""


@pytest.fixture
def choices(tmp_path):
    def load(*overrides):
        (tmp_path / "choices.yaml").write_text(CHOICES)
        return load_optimization_config(tmp_path / "choices.yaml", overrides)

    return load


def test_every_row_of_the_table_is_the_run_that_it_says(choices):
    found = run_optimization(choices())
    rows = found.table.to_pylist()
    assert {row["hold_touchdown_angle"] for row in rows} == {"0", "1"}
    for row in rows[:: len(rows) // 12]:
        held = row["hold_touchdown_angle"] == "1"
        assert (row["body_mass"] is None) == (not held)
        parameters = {"k": row["k"], "hold_touchdown_angle": int(held), "body_mass": row["body_mass"] or 80.0}
        initial = {"y": 1.0, "xdot": 5.0, "touchdown_angle": row["touchdown_angle"]}
        run = simulate("slip", parameters=parameters, initial=initial, final_time=100.0, stop=("touchdown", 24))
        assert run.events.count("touchdown") == row["steps"]
        assert run["x"][-1] == row["distance"]
        assert row["stage"] == (2 if row["steps"] >= 24 else 1)
        assert row["value"] == (row["distance"] if row["steps"] >= 24 else row["steps"])


def test_the_best_of_each_search_is_the_best_of_its_rows(choices):
    found = run_optimization(choices())
    for one in found.searches:
        rows = [row for row in found.table.to_pylist() if row["run"] == one.run]
        best = max(rows, key=lambda row: (row["stage"], row["value"]))
        assert one.passed_over or (one.stage, one.value) == (best["stage"], best["value"])
    assert found.best in found.searches
    assert (found.best.stage, found.best.value) == max((one.stage, one.value) for one in found.searches)


def test_the_config_of_the_best_makes_the_same_run_again(choices, tmp_path):
    found = run_optimization(choices(), tmp_path / "search")
    config = load_config(tmp_path / "search" / "best.yaml")
    assert config.parameters["k"] == found.best.setting["k"]

    run = Simulation.from_config(config).run()
    assert run["x"][-1] == found.best.metrics["distance"] == found.best.value
    assert {path.name for path in (tmp_path / "search").glob("best*")} == {"best.yaml", "best-01.yaml", "best-02.yaml"}
    again = load_optimization(tmp_path / "search")
    assert again.table.equals(found.table)
    assert again.best.setting == found.best.setting
    assert again.best.checks == found.best.checks
    reproduced = reproduce(tmp_path / "search")
    assert reproduced.ok
    assert reproduced.rows == 2


def test_a_changed_table_is_not_reproduced(choices, tmp_path):
    found = run_optimization(choices(), tmp_path / "search")
    (tmp_path / "search" / "_config.yaml").write_text(
        (tmp_path / "search" / "_config.yaml").read_text().replace("xdot: 5.0", "xdot: 5.001")
    )
    reproduced = reproduce(tmp_path / "search")
    assert not reproduced.ok
    assert any("distance" in text for text in reproduced.differences)
    assert found.confirmed


def test_a_search_begins_where_it_is_told(choices, tmp_path):
    found = run_optimization(choices(), tmp_path / "search")
    begun = run_optimization(
        choices(f"optimize.start={tmp_path / 'search'}", "optimize.spread=1e-3", "optimize.seed=50")
    )
    first = begun.table.to_pylist()[0]
    for name, value in found.best.setting.items():
        assert str(first[name]) == str(value) or first[name] == pytest.approx(value, rel=1e-12)
    k = begun.table["k"].to_numpy()[:24]
    assert np.abs(k - found.best.setting["k"]).max() <= 1e-3 * 10e3 * (1 + 1e-12)


def test_ranges_give_values_within_their_bounds(tmp_path):
    text = """
model: slip
final_time: 1
optimize:
  parameters:
    k: loguniform(1e3, 1e5)
    q_0: fraction(q_rt, 0.8, 1.2)
    q_rt: uniform(0.9, 1.1)
    spri: uniform(1, 3)
    touchdown_angle: [-28 deg, -18 deg]
  stages: [{minimize: final(x)}]
"""
    (tmp_path / "legs.yaml").write_text(text)
    problem = Problem(load_optimization_config(tmp_path / "legs.yaml"))
    u = np.random.default_rng(1).random((2000, 5))
    u[0], u[1] = 0.0, 1.0
    found = {key.partition(".")[2]: values for key, values in problem.values(np.zeros(2000, np.int64), u).items()}
    assert (found["k"].min(), found["k"].max()) == (1e3, 1e5)
    assert np.median(found["k"]) == pytest.approx(1e4, rel=0.1)
    assert set(found["spri"]) == {1.0, 2.0, 3.0}
    assert [(found["spri"] == n).mean() for n in (1, 2, 3)] == pytest.approx([1 / 3] * 3, abs=0.04)
    ratio = found["q_0"] / found["q_rt"]
    assert (ratio.min(), ratio.max()) == pytest.approx((0.8, 1.2))
    assert np.degrees(found["touchdown_angle"]).min() == pytest.approx(-28.0)


def test_repeated_runs_are_judged_by_the_worst(tmp_path):
    text = """
model: slip
final_time: 20
parameters: {hold_touchdown_angle: 1}
initial: {xdot: 5.0, touchdown_angle: -22 deg}
metrics: {steps: count(touchdown)}
optimize:
  parameters: {k: 15e3..25e3}
  stages: [{maximize: steps}]
  repeats: {samples: 3, axes: {y: 'normal(1.0, 0.02)'}, take: TAKE}
  method: {population: 6, generations: 3}
  runs: 2
"""
    tables = {}
    for take in ("worst", "median"):
        (tmp_path / "legs.yaml").write_text(text.replace("TAKE", take))
        found = run_optimization(load_optimization_config(tmp_path / "legs.yaml"))
        tables[take] = found.table.to_pylist()
        rows = tables[take]
        assert len(rows) == 2 * 6 * 3 * 3
        for generation in range(3):
            heights = {row["repeat"]: row["y"] for row in rows if row["generation"] == generation}
            assert len(set(heights.values())) == 3
            here = [row for row in rows if row["generation"] == generation]
            assert all(row["y"] == heights[row["repeat"]] for row in here)  # the same for all settings
        for one in found.searches:
            runs = sorted(row["steps"] for row in rows[one.row : one.row + 3])
            assert one.value == runs[0 if take == "worst" else 1]
        judged = found.judged.to_pylist()
        assert len(judged) == len(rows) / 3 == len(found.places())
        assert judged[int(found.places().argmin())]["value"] == max(row["value"] for row in judged)
    assert tables["worst"][0]["y"] == tables["median"][0]["y"]


def test_a_search_by_a_caller_who_evaluates_is_that_of_optimize():
    keywords = {
        "parameters": {"hold_touchdown_angle": 1},
        "initial": {"y": 1.0, "xdot": 5.0, "touchdown_angle": -0.38},
        "final_time": 20.0,
        "runs": 2,
        "search": {"population": 6, "generations": 4},
    }
    aims = [{"maximize": "count(touchdown)"}]
    ours = optimize("slip", {"k": (15e3, 25e3)}, aims, **keywords)
    search = Optimizer("slip", {"k": (15e3, 25e3)}, aims, **keywords)
    run = Evaluator(
        "slip", ["k"], ["count(touchdown)"], **{key: keywords[key] for key in ("parameters", "initial", "final_time")}
    )
    while not search.is_over:
        settings = search.ask()
        assert search.ask().equals(settings)
        search.tell(run({"k": settings["k"].to_numpy()}))
    for name in ("k", "count(touchdown)", "stage", "value", "generation", "run", "particle"):
        assert search.table[name].equals(ours.table[name])
    assert search.best["value"] == max(one.value for one in ours.searches)
    with pytest.raises(SimulationError, match="the search is over"):
        search.ask()
    with pytest.raises(SimulationError, match="nothing was asked yet"):
        search.tell({})


def test_what_is_told_has_a_value_for_each_setting():
    search = Optimizer("slip", {"k": (15e3, 25e3)}, [{"minimize": "final(x)"}], final_time=1.0, runs=1)
    with pytest.raises(SimulationError, match="nothing was told yet"):
        search.table  # noqa: B018
    search.ask()
    with pytest.raises(ConfigError, match=r"metrics: expected 40 numbers each of final\(x\); give final\(x\)"):
        search.tell({"final(x)": [1.0, 2.0]})


def test_keywords_that_there_are_not_are_refused():
    with pytest.raises(ConfigError, match="threads: there is no such keyword; it is called `workers` here"):
        optimize("slip", {"k": (1e4, 2e4)}, [{"minimize": "final(x)"}], final_time=1.0, threads=2)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_workers_of_a_cluster_find_the_same(softest):
    pytest.importorskip("distributed")
    config = softest("optimize.method.generations=3")
    here = run_optimization(config)
    there = run_optimization(config, cluster="local:2")
    assert here.table.equals(there.table)
    assert here.best.checks == there.best.checks


def test_a_best_whose_value_changes_with_the_tolerance_is_denied():
    found = optimize(
        "slip",
        {"k": (15e3, 25e3)},
        [{"maximize": "final(x)"}],
        initial={"xdot": 5.0, "touchdown_angle": -0.384},
        final_time=2.0,
        rtol=1e-3,
        agreement=1e-9,
        search={"population": 6, "generations": 3},
        runs=2,
    )
    for one in found.searches:
        assert not one.confirmed
        assert all(check.stage == one.stage and check.value != one.value for check in one.checks)


def test_searched_tolerances_are_tightened_too():
    found = optimize(
        "slip",
        {"k": (15e3, 25e3), "rtol": "loguniform(1e-4, 1e-2)"},
        [{"maximize": "final(x)"}],
        parameters={"hold_touchdown_angle": 1},
        initial={"xdot": 5.0, "touchdown_angle": -0.384},
        final_time=1.0,
        search={"population": 6, "generations": 3},
        runs=1,
    )
    for check in found.best.checks:
        assert check.value != found.best.value


def test_a_search_among_parts_is_read_from_its_folder(tmp_path):
    config = load_optimization_config(CONFIGS / "hexapod-control.yaml", ["optimize.runs=1"])
    layout = SearchLayout(Problem(config))
    data, _ = layout.config_files("search")
    (tmp_path / "_config.yaml").write_text(write_yaml(data))
    again = SearchLayout(Problem(load_optimization_config(tmp_path / "_config.yaml")))
    assert again.schema.equals(layout.schema)
    assert again.description()["run"] == layout.description()["run"]


def test_entries_of_an_array_are_searched_and_so_are_shares(tmp_path):
    (tmp_path / "push.py").write_text(PUSHES)
    searched = {"push": "simplex(3)", "weights[1]": (0.0, 2.0)}
    found = optimize(
        tmp_path / "push.py",
        searched,
        [{"minimize": "(final(x) - 2) ** 2"}],
        final_time=1.0,
        search={"population": 12, "generations": 40},
        runs=2,
    )
    shares = np.array([found.table[f"push[{index}]"].to_numpy() for index in range(3)])
    np.testing.assert_allclose(shares.sum(axis=0), 1.0, rtol=0, atol=1e-15)
    assert (shares >= 0.0).all()
    best = found.best.setting
    assert best["push[0]"] + best["weights[1]"] * best["push[1]"] + 3.0 * best["push[2]"] == pytest.approx(
        2.0, abs=1e-3
    )
    run = Simulation.from_config(found.config()).run()
    assert (run["x"][-1] - 2.0) ** 2 == found.best.metrics["(final(x) - 2) ** 2"]


PUSHES = """
from hybridsim import Model, Parameter, Records, State

PARAMETERS = Records(Parameter("push", (0.2, 0.3, 0.5)), Parameter("weights", (1.0, 1.0, 3.0)))
P = PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    a, w = int(p[P.push]), int(p[P.weights])
    xdot[0] = p[a] * p[w] + p[a + 1] * p[w + 1] + p[a + 2] * p[w + 2]


MODEL = Model("pushes", Records(State("x")), vector_field=vector_field, parameters=PARAMETERS)
"""


@pytest.mark.exhaustive  # `test_polish` polishes a best
def test_the_best_of_one_choice_is_polished_within_its_own_ranges(choices):
    found = run_optimization(choices("optimize.polish=true", "optimize.method.generations=12"))
    assert {one.setting["hold_touchdown_angle"] for one in found.searches} <= {"0", "1"}
    for one in found.searches:
        assert one.checks
