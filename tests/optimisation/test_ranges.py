"""Ranges of the entries of arrays, and metrics that begin later."""

import numpy as np
import pytest

from hybridsim import ConfigError, Optimizer, optimize

STAGES = [{"minimize": "mean(y)"}]
KEYWORDS = {"final_time": 1.0, "runs": 1, "search": {"population": 4, "generations": 2}}


def test_a_range_of_all_entries_of_an_array_searches_each_for_itself(tmp_path):
    file = tmp_path / "sum.py"
    file.write_text(
        "from hybridsim import Model, Parameter, Records, State\n"
        "PARAMETERS = Records(Parameter('k', (1.0, 2.0, 3.0)))\nP = PARAMETERS.indices\n"
        "def vector_field(xdot, t, x, p, chart):\n    xdot[0] = p[int(p[P.k]) + 1]\n"
        "MODEL = Model('sum', Records(State('y')), vector_field=vector_field, parameters=PARAMETERS)\n"
    )
    whole = Optimizer(str(file), {"k[:]": "uniform(1, 2)"}, STAGES, **KEYWORDS).ask()
    each = Optimizer(str(file), {f"k[{i}]": "uniform(1, 2)" for i in range(3)}, STAGES, **KEYWORDS).ask()
    assert whole.equals(each)
    assert len({*whole["k[0]"].to_pylist(), *whole["k[1]"].to_pylist()}) == 8


def test_a_range_of_all_entries_is_refused_for_what_is_no_array():
    with pytest.raises(ConfigError, match="expected a parameter that is an array, found 'k'"):
        Optimizer("slip", {"k[:]": "uniform(1, 2)"}, STAGES, **KEYWORDS)


def test_metrics_of_a_search_begin_when_they_are_told_to():
    found = optimize(
        "bouncing_ball", {"gravity": "uniform(5, 10)"}, [{"maximize": "count(floor)"}], from_="half", final_time=2.0,
        runs=1, search={"population": 4, "generations": 1},
    )  # fmt: skip
    whole = optimize(
        "bouncing_ball", {"gravity": "uniform(5, 10)"}, [{"maximize": "count(floor)"}], final_time=2.0,
        runs=1, search={"population": 4, "generations": 1},
    )  # fmt: skip
    late, all_of_them = (np.array(each.table["count(floor)"]) for each in (found, whole))
    assert (late < all_of_them).any()
    assert (late <= all_of_them).all()
