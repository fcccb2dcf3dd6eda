"""Searches in which something coincides or is missing: the right answer, or a sentence."""

import math

import pytest

from hybridsim import optimize
from hybridsim.errors import ConfigError

RUNNER = {
    "parameters": {"hold_touchdown_angle": 1},
    "initial": {"xdot": 5.0, "touchdown_angle": -0.384},
    "final_time": 3.0,
    "runs": 2,
    "search": {"population": 5, "generations": 3},
}
K = {"k": (15e3, 25e3)}
STEPS = [{"maximize": "count(touchdown)"}]


def found(searched, stages, **changes):
    return optimize("slip", searched, stages, **{**RUNNER, **changes})


def test_what_never_happens_is_not_found():
    search = found(K, [{"minimize": "time(touchdown, 500)"}])
    assert math.isinf(search.best.value)
    assert not search.confirmed


def test_an_infinite_value_is_no_optimum():
    """Where the runner makes three steps, the aim is 1 / 0."""
    search = found({"k": (15e3, 19e3)}, [{"maximize": "1 / (count(touchdown) - 3)"}], search={"population": 20})
    assert math.isfinite(search.best.value)
    assert math.inf in [abs(value) for value in search.table["1 / (count(touchdown) - 3)"].to_pylist()]


def test_where_all_settings_are_equal_the_first_is_the_best():
    search = found(K, [{"minimize": "0 * count(touchdown)"}])
    assert [one.row for one in search.searches] == [0, 5]
    assert search.confirmed


def test_choices_alone_are_searched():
    mmpso = {"name": "mmpso", "population": 4, "generations": 3}
    search = found(None, STEPS, structure={"hold_touchdown_angle": [0, 1]}, search=mmpso, parameters={})
    assert set(search.table["hold_touchdown_angle"].to_pylist()) == {"0", "1"}
    assert search.best.setting.keys() == {"hold_touchdown_angle"}
    assert search.config().parameters["hold_touchdown_angle"] == int(search.best.setting["hold_touchdown_angle"])


def test_settings_of_the_engine_are_choices_too():
    structure = {"hold_touchdown_angle": [0, 1], "engine.method": ["dp5", "dop853"]}
    mmpso = {"name": "mmpso", "population": 8, "generations": 2}
    search = found(K, STEPS, structure=structure, search=mmpso, parameters={})
    chosen = zip(search.table["hold_touchdown_angle"].to_pylist(), search.table["method"].to_pylist(), strict=True)
    assert len({*chosen}) == 4


@pytest.mark.members(1)
@pytest.mark.parametrize("population", [2, 3, 5])
def test_a_small_population_evolves(population):
    pytest.importorskip("cma")
    search = found({**K, "y": (0.95, 1.1)}, STEPS, search={"name": "cma", "population": population, "generations": 30})
    assert search.table.num_rows == 2 * population * 30


def test_times_and_tolerances_are_searched_like_parameters():
    search = found({"final_time": (1.0, 5.0), "rtol": "loguniform(1e-9, 1e-6)"}, [{"maximize": "final(x)"}])
    rows = search.table.to_pylist()
    assert {row["status"] for row in rows} <= {"FINAL_TIME", "LEFT_CHART"}
    assert len({row["final_time"] for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("searched", "stages", "changes", "problem"),
    [
        (K, [], {}, "optimize.stages: expected at least one aim, found none"),
        (None, STEPS, {}, "optimize: expected something to search, found nothing"),
        (K, [{"minimize": "status"}], {}, "status is a word"),
        (K, [{"minimize": "3"}], {}, "'3' is a number"),
        ({**K, "parameters.k": (1, 2)}, STEPS, {}, "parameters.k would be set twice"),
        (
            {"hold_touchdown_angle": (0, 1)},
            STEPS,
            {"structure": {"hold_touchdown_angle": [0, 1]}, "search": "mmpso"},
            "parameters.hold_touchdown_angle would be set twice",
        ),
        (K, STEPS, {"search": {"population": 4.5}}, "expected a whole number, found 4.5"),
        (K, STEPS, {"search": {"name": "cma"}}, "needs two; choose pso"),
        (K, STEPS, {"max_wall_time": 3.0}, "there is no such keyword|would depend on the machine"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(searched, stages, changes, problem):
    with pytest.raises(ConfigError, match=problem):
        found(searched, stages, **changes)
