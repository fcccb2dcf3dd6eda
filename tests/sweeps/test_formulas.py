"""Metrics that are formulas: of other metrics, axes and parameters, and inside a metric of states and outputs."""

import warnings

import numpy as np
import pytest

import hybridsim
from hybridsim import Evaluator
from hybridsim.errors import ConfigError

AXES = {"k": np.linspace(12e3, 30e3, 7), "xdot": [3.0, 5.0, 5.5]}
LEAVES = {"far": "final(x)", "n": "count(touchdown)", "top": "max(y)", "first": "at(touchdown, 1, y)"}
FORMULAS = {
    "way": "final(x) - initial.x",
    "stride": "way / n",
    "speed": "(final(x) - initial.x) / final(t) - xdot",
    "power": "n ** 1.7 + exp(-far / 10) * sin(pi * top)",
    "stiff": "sqrt(k / body_mass) / (2 * pi) * atan2(top, first)",
    "pair": "max(far, n) - min(far, 3)",
}


def rows(metrics, **options):
    return hybridsim.sweep("slip", AXES, metrics, final_time=2.0, **options)


@pytest.fixture(scope="module")
def table():
    return rows({**FORMULAS, **LEAVES, "t": "final(t)"})


def test_a_formula_is_what_numpy_makes_of_the_columns(table):
    c = {name: table[name].to_numpy() for name in table.column_names}
    way = c["far"] - 0.0
    expected = {
        "way": way,
        "stride": way / c["n"],
        "speed": way / c["t"] - c["xdot"],
        "power": c["n"] ** 1.7 + np.exp(-c["far"] / 10) * np.sin(np.pi * c["top"]),
        "stiff": np.sqrt(c["k"] / 80.0) / (2 * np.pi) * np.arctan2(c["top"], c["first"]),
        "pair": np.maximum(c["far"], c["n"]) - np.minimum(c["far"], 3.0),
    }
    assert hybridsim.load_model("slip").parameters["body_mass"].default == 80.0
    for name, values in expected.items():
        np.testing.assert_allclose(c[name], values, rtol=1e-14, err_msg=name)
    units = {name: table.schema.field(name).metadata[b"unit"].decode() for name in FORMULAS}
    assert units == {
        "way": "m",
        "stride": "m",
        "speed": "m/s",
        "power": "",
        "stiff": "N^0.5/(m^0.5 kg^0.5)",
        "pair": "",
    }


def test_rows_have_the_same_bits_from_any_number_of_threads_any_block_and_one_at_a_time(table):
    for options in ({"workers": 3, "block": 2}, {"workers": 1, "block": 5}):
        other = rows({**FORMULAS, **LEAVES, "t": "final(t)"}, **options)
        assert all(other[name].equals(table[name]) for name in FORMULAS)
    one_at_a_time = Evaluator("slip", ["k", "xdot"], FORMULAS | LEAVES, final_time=2.0)
    for row in range(0, table.num_rows, 4):
        found = one_at_a_time({name: table[name][row].as_py() for name in AXES})
        for name in FORMULAS:
            assert found[name].tobytes() == np.float64(table[name][row].as_py()).tobytes(), name


def test_division_by_zero_is_as_in_numpy_and_silent():
    metrics = {
        "inf": "final(t) / rejected",
        "nan": "rejected / rejected",
        "log": "log(-final(t))",
        "root": "sqrt(-1 * n)",
    }
    with warnings.catch_warnings(action="error"):
        found = Evaluator("slip", ["k"], {**metrics, "n": "steps"}, final_time=0.05, method="rk4", first_step=0.01)(
            [2e4]
        )
    assert [float(found[name]) for name in metrics] == pytest.approx([np.inf, np.nan, np.nan, np.nan], nan_ok=True)


EXTRA = """
def clearance(t, x, p, chart):
    return x[1] - 0.5
"""


@pytest.mark.exhaustive  # formulas of metrics are in the ordinary run
def test_inside_a_metric_a_formula_has_states_outputs_parameters_and_extra_outputs(tmp_path):
    """Values at a time are products exactly; over time, sums are as exact as integrals of outputs."""
    extra = tmp_path / "extra.py"
    extra.write_text(EXTRA)
    terms = ("leg_force", "y", "clearance", "t")
    metrics = {
        **{f"{kind}({term})": f"{kind}({term})" for kind in ("mean", "integral", "final") for term in terms},
        **{f"at_{term}": f"at(touchdown, 1, {term})" for term in terms},
        **{f"after_{term}": f"after(touchdown, 1, {term})" for term in terms},
        **{f"{kind}_sum": f"{kind}(2 * leg_force - y / 4 + clearance * body_mass)" for kind in ("mean", "integral")},
        **{f"{kind}_product": f"{kind}(touchdown, 1, leg_force * y + clearance ** 2 - t)" for kind in ("at", "after")},
        "final_product": "final(leg_force * y + clearance ** 2 - t)",
        "std": "std(leg_force)",
        "variance": "mean(leg_force ** 2) - mean(leg_force) ** 2",
        "size": "max(abs(ydot))",
        "sampled": "max(sqrt(ydot ** 2))",
        "lowest": "min(max(leg_force, 1.0))",
        "highest": "-min(-leg_force)",
        "force": "max(leg_force)",
    }
    table = rows(metrics, extra_outputs=extra)
    c = {name: table[name].to_numpy() for name in table.column_names}
    for kind in ("mean", "integral"):
        total = 2 * c[f"{kind}(leg_force)"] - c[f"{kind}(y)"] / 4 + 80.0 * c[f"{kind}(clearance)"]
        np.testing.assert_allclose(c[f"{kind}_sum"], total, rtol=1e-5)
    for kind in ("at", "after"):
        force, y, clearance, t = (c[f"{kind}_{term}"] for term in terms)
        np.testing.assert_allclose(c[f"{kind}_product"], force * y + clearance**2 - t, rtol=1e-14)
    force, y, clearance, t = (c[f"final({term})"] for term in terms)
    np.testing.assert_allclose(c["final_product"], force * y + clearance**2 - t, rtol=1e-14)
    np.testing.assert_allclose(c["variance"], c["std"] ** 2, rtol=1e-4)
    np.testing.assert_allclose(c["sampled"], c["size"], rtol=1e-9)
    np.testing.assert_array_equal(c["lowest"], 1.0)
    np.testing.assert_array_equal(c["highest"], c["force"])
    assert table.schema.field("variance").metadata[b"unit"] == b"N^2"


def test_a_formula_is_part_of_the_results_that_are_resumed(tmp_path):
    rows({"a": "mean(abs(ydot)) * k"}, folder=tmp_path / "sweep")
    again = rows({"a": "mean(abs(ydot)) * k"}, folder=tmp_path / "sweep", resume=True)
    assert again.num_rows == 21
    with pytest.raises(ConfigError, match=r"made with another metrics\.a\.of"):
        rows({"a": "mean(abs(xdot)) * k"}, folder=tmp_path / "sweep", resume=True)
