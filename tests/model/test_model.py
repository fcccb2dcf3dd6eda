"""Models check themselves: each mistake is reported where it was made, with what to do."""

import math

import pytest

from hybridsim import Boundary, Chart, Message, Model, ModelError, Output, Parameter, Records, State

from gallery import first_state, floor, unit_slope


def model(**changes):
    return Model(**{"name": "drift", "states": ["s"], "vector_field": unit_slope, **changes})


def test_the_smallest_model_has_one_state_one_chart_and_a_vector_field():
    drift = model()
    assert drift.states.names == ("s",)
    assert drift.charts.names == ("flow",)
    assert drift.n_charts == 1
    assert drift.functions == {"vector_field": unit_slope}
    assert (len(drift.parameters), len(drift.boundary_records), len(drift.output_records), drift.messages) == (
        0,
        0,
        0,
        (),
    )


def test_a_model_cannot_be_changed():
    with pytest.raises(AttributeError):
        model().name = "adjacent_chart"


BAD_RECORDS = {
    "a name with a blank": (lambda: State("leg length"), "state 'leg length': a name is an identifier"),
    "a number for a unit": (lambda: Parameter("k", 1.0, 5, "spring"), "parameter 'k': unit: expected a text, found 5"),  # type: ignore[arg-type]
    "no description": (lambda: State("x", 0.0, "m", None), "state 'x': doc: expected a text, found None"),  # type: ignore[arg-type]
    "a name of Python": (lambda: Parameter("lambda"), "parameter 'lambda': a name is an identifier"),
    "another name with a blank": (
        lambda: Parameter("k", aliases=("the k",)),
        "parameter 'the k': a name is an identifier",
    ),
    "bounds the wrong way": (lambda: State("s", lower=1.0, upper=0.0), "lower bound 1.0 lies above the upper bound"),
    "a default outside": (
        lambda: Parameter("k", -1.0, lower=0.0),
        r"default -1.0 lies outside its bounds \[0.0, inf\]",
    ),
    "a default that is no number": (lambda: State("s", math.nan), "default must be a finite number"),
    "an array outside": (lambda: Parameter("k", (1.0, -1.0), lower=0.0), "default -1.0 lies outside"),
    "a default that is no choice": (lambda: Parameter("k", "c", choices=("a", "b")), "'c' is not one of a, b"),
    "a degree too high": (lambda: Boundary("b", degree=5), "degree must be 1, 2, 3 or 4"),
    "a bound below zero": (lambda: Boundary("b", second_derivative_bound=-1.0), "must be a finite number >= 0"),
    "another arming": (
        lambda: Boundary("b", armed="never"),
        "armed: expected one of always, when_positive, found 'never'",
    ),
    "two declarations": (lambda: Boundary("b", degree=1, time=True), "declare one of degree"),
    "another severity": (lambda: Message("fell", "fatal"), "severity: expected one of error, warning, found 'fatal'"),
    "a name twice": (lambda: Records(State("a"), State("a")), "'a' is declared twice"),
}


@pytest.mark.parametrize("mistake", BAD_RECORDS)
def test_a_record_refuses(mistake):
    build, message = BAD_RECORDS[mistake]
    with pytest.raises(ModelError, match=message):
        build()


BAD_MODELS = {
    "no state": ({"states": []}, "needs at least one state"),
    "no vector field": ({"vector_field": None}, r"`vector_field\(xdot, t, x, p, chart\)` is missing"),
    "an unknown function": ({"vector_fields": unit_slope}, "did you mean `vector_field`"),
    "a symbol twice": ({"parameters": ["s"]}, "'s' names a state and a parameter"),
    "another name that is taken": (
        {"parameters": [Parameter("k", aliases=("s",))]},
        "'s' names a state and a parameter",
    ),
    "an input and an output": (
        {"inputs": ["o"], "output_records": ["o"], "outputs": first_state},
        "'o' names an input and an output",
    ),
    "a name of the engine": ({"states": ["rtol"]}, "'rtol' is a name of the engine"),
    "charts and fields": ({"charts": ["a"], "chart_fields": {"f": 1}}, "either charts or chart_fields"),
    "fields too wide": ({"chart_fields": {"f": 40, "g": 40}}, "at most 62 bits"),
    "boundaries without a function": (
        {"boundary_records": ["b"]},
        "declares boundaries but has no function `boundaries`",
    ),
    "outputs without a record": ({"outputs": first_state}, "function `outputs` but declares no outputs"),
    "boundaries without a transition": (
        {"boundary_records": ["b"], "boundaries": floor},
        "boundaries but no function `transition`",
    ),
    "records in the place of a function": (
        {"boundaries": Records(Boundary("b"))},
        r"the function `boundaries\(g, t, x, p, chart\)`, found Records; give the records as `boundary_records`",
    ),
    "records of another kind": ({"states": [Parameter("k")]}, "model 'drift': states: expected State records"),
    "a name of two words": ({"name": "two words"}, "model 'two words'"),
}


@pytest.mark.parametrize("mistake", BAD_MODELS)
def test_a_model_refuses(mistake):
    changes, message = BAD_MODELS[mistake]
    with pytest.raises(ModelError, match=message):
        model(**changes)


def test_records_are_a_table_by_place_and_by_name():
    rows = Records(State("y", 1.0, "m", "height"), State("v", 0.0, "m/s"))
    assert rows["y"] is rows[0]
    assert (rows["y"].unit, rows["y"].default, rows["y"].doc) == ("m", 1.0, "height")
    assert rows.index("v") == 1
    assert list(rows) == [rows[0], rows[1]]
    assert rows[1:] == (rows[1],)
    assert "y" in rows
    assert "z" not in rows
    assert rows == Records(*rows)
    assert repr(rows) == "Records(y, v)"
    with pytest.raises(ModelError, match="there is no 'yy' here"):
        rows.index("yy")
    with pytest.raises(ModelError, match="did you mean `height`"):
        Records(Output("height")).index("heigth")


def test_bit_fields_name_every_chart_from_the_lowest_bits_up():
    hexapod = model(chart_fields={"stance": 6, "phase": 12})
    assert hexapod.n_charts == 2**18
    assert hexapod.chart_name(5 + (3 << 6)) == "stance=5 phase=3"
    assert model(charts=[Chart("a"), Chart("b")]).chart_name(1) == "b"
    assert model(charts=["a", "b"]).chart_name(7) == "chart 7"
