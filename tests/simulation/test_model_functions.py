"""`hybridsim.functions`: values and Jacobians at one point and at n rows."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Input, Message, Model, Output, Parameter, Records, State

PARAMETERS = Records(
    Parameter("k", 4.0),
    Parameter("gains", (1.0, 2.0, 3.0)),
    Parameter("table", (2.0, 2.0, 5.0, 6.0, 7.0, 8.0), is_matrix=True),
    Parameter("kind", "soft", choices=("soft", "hard")),
)
INPUTS = Records(Input("push", 0.5))
P = (PARAMETERS + INPUTS).indices


def vector_field(xdot, t, x, p, chart):
    gains, table = int(p[P.gains]), int(p[P.table])
    xdot[0] = x[1]
    if chart == 0:
        xdot[1] = p[P.push] - p[P.k] * math.sin(x[0]) + p[gains + 2] * t
    else:
        xdot[1] = -p[gains] * x[1] * x[1] + p[table + 2 + 2] * x[0]


def boundaries(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] * x[1]
    else:
        g[1] = x[1] - p[P.k]


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = p[P.k] * x[1] + t
    if crossed[1]:
        x_new[1] = x[0] * x[0]
    return 1 - chart


def outputs(y, t, x, p, chart):
    y[0] = p[P.k] * x[0] * x[0] + p[P.push]


def initial_chart(x_new, t, x, p):
    x_new[1] = p[P.k] * x[0]
    return 0 if x[0] < 1.0 else 1


def validate(t, x, p, chart):
    return 1 if x[0] > 2.0 else 0


def sliding_field(xdot, t, x, p, chart, adjacent_chart):
    xdot[0] = x[1] * (1.0 + adjacent_chart)


MODEL = Model(
    "swing",
    [State("angle", 0.2), State("rate", 0.1)],
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    validate=validate,
    sliding_field=sliding_field,
    parameters=PARAMETERS,
    inputs=INPUTS,
    charts=("near", "far"),
    boundary_records=[Boundary("product"), Boundary("speed")],
    output_records=[Output("energy")],
    messages=[Message("too far")],
)
N = 12
DICE = np.random.default_rng(1)
T, X, CHART = DICE.normal(size=N), DICE.normal(size=(N, 2)), np.arange(N) % 2
CALLS = {
    "vector_field": {},
    "boundaries": {},
    "outputs": {},
    "transition": {"crossed": DICE.integers(0, 2, (N, 2))},
    "sliding_field": {"adjacent_chart": 1 - CHART},
    "initial_chart": {},
}


@pytest.fixture(scope="module")
def f():
    return hybridsim.functions(MODEL)


def arguments(name, rows):
    """Return what a function takes at some rows."""
    chart = () if name == "initial_chart" else (CHART[rows],)
    return (T[rows], X[rows], *chart), {word: value[rows] for word, value in CALLS[name].items()}


def in_plain_python(name, row):
    """Return what the function of the model itself writes, and what it returns."""
    function, p = MODEL.functions[name], hybridsim.functions(MODEL).p
    y = {"boundaries": np.full(2, np.inf), "outputs": np.zeros(1)}.get(name, np.zeros(2))
    y = X[row].copy() if name in ("transition", "initial_chart") else y
    chart = () if name == "initial_chart" else (int(CHART[row]),)
    return y, function(y, T[row], X[row].copy(), p, *chart, *(value[row] for value in CALLS[name].values()))


@pytest.mark.parametrize("name", CALLS)
def test_rows_in_any_order_are_the_same_bits_as_one_point_and_as_the_functions_of_the_model(f, name):
    call = getattr(f, name)
    order = DICE.permutation(N)
    points, keywords = arguments(name, order)
    rows = call(*points, **keywords)
    for place, row in enumerate(order):
        points, keywords = arguments(name, row)
        one, expected = call(*points, **keywords), in_plain_python(name, row)
        if isinstance(rows, tuple):
            assert (one[0] == rows[0][place]).all()
            assert one[1] == rows[1][place] == expected[1]
            one = one[0]
        else:
            assert (one == rows[place]).all()
        assert one == pytest.approx(expected[0], rel=1e-15)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wrt", ["x", "p", "u", "t", ("rate", "gains[2]", "k", "table[1,0]", "push", "t")])
def test_jacobians_of_rows_are_the_bits_of_one_point_and_agree_with_differences(f, name, wrt):
    keywords = CALLS[name]
    value, rows = f.value_and_jacobian(name, T, X, CHART, wrt=wrt, **keywords)
    assert (f.jacobian(name, T, X, CHART, wrt=wrt, **keywords) == rows).all()
    for row in range(N):
        others = {word: values[row] for word, values in keywords.items()}
        assert (f.jacobian(name, T[row], X[row], CHART[row], wrt=wrt, **others) == rows[row]).all()
    values = getattr(f, name)(*arguments(name, slice(None))[0], **keywords)
    np.testing.assert_allclose(value, values[0] if isinstance(values, tuple) else values, rtol=1e-14)
    for column, variable in enumerate(f.variables(wrt)):
        assert rows[..., column] == pytest.approx(differences(f, name, variable), rel=1e-8, abs=1e-8)


def differences(f, name, variable):
    """Return central differences of fourth order at all rows."""

    def moved(step):
        points, keywords = arguments(name, slice(None))
        t, x, *chart = points
        if variable == "t":
            t = t + step
        elif variable in MODEL.states.names:
            x = x + step * (np.arange(2) == MODEL.states.names.index(variable))
        else:
            word = "inputs" if variable == "push" else "parameters"
            known = {"k": 4.0, "push": 0.5, "gains[2]": 3.0, "table[1,0]": 7.0}
            keywords = {**keywords, word: {variable: known[variable] + step}}
        values = getattr(f, name)(t, x, *chart, **keywords)
        values = values[0] if isinstance(values, tuple) else values
        return np.where(np.isinf(values), 0.0, values)

    h = 1e-3
    return (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h)


def test_values_are_those_of_a_run_to_the_bit():
    run = hybridsim.simulate("slip", final_time=3.0, record=False)
    f = hybridsim.functions("slip")
    assert len({*run.chart}) == 4
    assert (f.vector_field(run.t, run.x, run.chart) == run.xdot).all()
    assert (f.outputs(run.t, run.x, run.chart) == run.y).all()


def test_charts_are_names_or_numbers_and_one_point_holds_for_all_rows(f):
    names = [MODEL.charts.names[number] for number in CHART]
    assert (f.vector_field(T, X, names) == f.vector_field(T, X, CHART)).all()
    assert (f.vector_field(T, X, "far") == f.vector_field(T, X, 1)).all()
    assert (f.vector_field(0.5, X[0], CHART) == f.vector_field(np.full(N, 0.5), np.tile(X[0], (N, 1)), CHART)).all()
    crossed = np.tile([0, 1], (N, 1))
    assert (f.transition(T, X, 0, crossed=["speed"])[0] == f.transition(T, X, 0, crossed=crossed)[0]).all()


def test_parameters_and_inputs_vary_from_row_to_row(f):
    push, k = DICE.normal(size=N), DICE.normal(size=N)
    varied = {"parameters": {"k": k, "gains[2]": 0.3}, "inputs": {"push": push}}
    xdot = f.vector_field(T, X, 0, **varied)
    assert xdot[:, 1] == pytest.approx(push - k * np.sin(X[:, 0]) + 0.3 * T, rel=1e-14)
    jacobian = f.jacobian("vector_field", T, X, 0, wrt=["angle", "k", "push"], **varied)
    assert jacobian[:, 1] == pytest.approx(np.stack([-k * np.cos(X[:, 0]), -np.sin(X[:, 0]), np.ones(N)], 1), rel=1e-14)
    assert (f.vector_field(T[0], X[0], 0, inputs={"push": push})[:, 1] - push).std() < 1e-15
    # a call leaves nothing behind
    assert (f.vector_field(T, X, 0) == hybridsim.functions(MODEL).vector_field(T, X, 0)).all()
    assert f.vector_field(T, X, 0)[:, 1] == pytest.approx(0.5 - 4.0 * np.sin(X[:, 0]) + 3.0 * T, rel=1e-14)


def test_parameters_given_to_functions_are_checked_as_those_of_a_run():
    f = hybridsim.functions(MODEL, parameters={"k": 9.0, "gains": [1.0, 2.0, 5.0]}, inputs={"push": 1.5})
    assert f.vector_field(2.0, [0.0, 0.0], 0)[1] == 1.5 + 5.0 * 2.0
    assert f.jacobian("vector_field", 2.0, [0.0, 0.0], 0, wrt="gains[2]") == pytest.approx(np.array([[0.0], [2.0]]))
    with pytest.raises(hybridsim.ConfigError, match="kk"):
        hybridsim.functions(MODEL, parameters={"kk": 9.0})
    with pytest.raises(hybridsim.ConfigError, match="gains has 3 numbers, counted from 0"):
        f.jacobian("vector_field", 2.0, [0.0, 0.0], 0, wrt="gains[3]")


def test_messages_are_numbers_counted_from_one(f):
    assert f.validate(0.0, [[0.0, 0.0], [3.0, 0.0]], 0).tolist() == [0, 1]
    assert f.validate(0.0, [3.0, 0.0], 0) == 1


def test_a_model_without_outputs_has_its_states():
    f = hybridsim.functions(Model("plain", ["u", "v"], vector_field=adding_field))
    assert f.outputs(0.0, X).tolist() == X.tolist()
    assert f.names("outputs") == ("u", "v")
    assert f.jacobian("outputs", 0.0, X, wrt=["v", "t"]).tolist() == [[[0.0, 0.0], [1.0, 0.0]]] * N


def adding_field(xdot, t, x, p, chart):
    for i in range(2):
        xdot[i] += x[i] * x[i]


def test_a_function_may_add_to_its_results_at_each_row():
    f, out = hybridsim.functions(Model("adding", ["u", "v"], vector_field=adding_field)), np.ones((N, 2))
    assert f.vector_field(0.0, X, out=out) is out
    assert (out == X * X).all()
    assert (f.jacobian("vector_field", 0.0, X) == 2.0 * X[:, :, None] * np.eye(2)).all()


def many_states(xdot, t, x, p, chart):
    for i in range(19):
        xdot[i] = x[i] * x[(i + 7) % 19]


def test_more_than_eight_variables_take_several_passes_at_each_row():
    f, x = hybridsim.functions(Model("many", [f"x{i}" for i in range(19)], vector_field=many_states)), np.ones((3, 19))
    x *= np.arange(1.0, 4.0)[:, None]
    expected = np.eye(19) + np.roll(np.eye(19), 7, axis=1)
    assert (f.jacobian("vector_field", 0.0, x) == expected * np.arange(1.0, 4.0)[:, None, None]).all()


def test_results_are_written_where_the_caller_wants_them(f):
    value, jacobian = np.full((N, 2), 7.0), np.full((N, 2, 3), 7.0)
    found = f.value_and_jacobian("vector_field", T, X, CHART, wrt=["rate", "k", "t"], out=(value, jacobian))
    assert found[0] is value
    assert found[1] is jacobian
    assert (jacobian == f.jacobian("vector_field", T, X, CHART, wrt=["rate", "k", "t"])).all()


def test_no_rows_are_no_rows(f):
    assert f.vector_field(np.zeros(0), np.zeros((0, 2)), 0).shape == (0, 2)
    assert f.jacobian("outputs", 0.0, np.zeros((0, 2)), 0, wrt="u").shape == (0, 1, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f.vector_field(0.0, X), "the model has 2 charts; give one of near, far"),
        (lambda f: f.vector_field(0.0, X, "neer"), "there is no chart 'neer'; did you mean `near`"),
        (lambda f: f.vector_field(0.0, X, [0] * 11 + [2]), "the charts are numbered 0 to 1, found 2"),
        (lambda f: f.vector_field(0.0, X, np.zeros(N)), "chart: expected names or whole numbers, found float64"),
        (lambda f: f.vector_field(0.0, X.T, 0), r"x: expected 2 numbers, angle, rate, or rows of them; found shape"),
        (lambda f: f.vector_field(T[:5], X, 0), "expected the same number of rows.*; t has 5, x has 12"),
        (lambda f: f.vector_field(X, X, 0), "t: expected a number, or one for each row; found shape"),
        (lambda f: f.vector_field("now", X, 0), "t: expected numbers, found 'now'"),
        (
            lambda f: f.vector_field(0.0, X, 0, inputs={"pusch": 1.0}),
            "inputs: there is no 'pusch'; did you mean `push`",
        ),
        (lambda f: f.vector_field(0.0, X, 0, parameters={"kind": 1.0}), "'kind' is no real number"),
        (lambda f: f.vector_field(0.0, X, 0, parameters={"gains": 1.0}), r"give entries of it, `gains\[0\]`"),
        (lambda f: f.vector_field(0.0, X, 0, inputs={"push": T[:3]}), "x has 12, push has 3"),
        (
            lambda f: f.vector_field(0.0, X, 0, inputs={"push": X}),
            "push: expected a number, or one for each row; found shape",
        ),
        (lambda f: f.vector_field(0.0, X, 0, out=np.zeros((N, 3))), r"out: expected .* with shape \(12, 2\)"),
        (lambda f: f.vector_field(0.0, X, 0, output=X), "vector_field: output: there is no such keyword"),
        (lambda f: f.jacobian("fields", 0.0, X, 0), "function: expected one of vector_field"),
        (lambda f: f.jacobian("validate", 0.0, X, 0), "function: expected one of vector_field"),
        (lambda f: f.jacobian("outputs", 0.0, X, 0, wrt="angel"), "wrt: there is no 'angel'; did you mean `angle`"),
        (lambda f: f.jacobian("outputs", 0.0, X, 0, wrt="table[1]"), r"table has 2 x 2 numbers, counted from 0"),
        (lambda f: f.transition(0.0, X, 0, crossed=["sped"]), "there is no boundary 'sped'; did you mean `speed`"),
        (lambda f: f.jacobian("transition", 0.0, X, 0), "transition: crossed is missing"),
        (lambda f: f.jacobian("sliding_field", 0.0, X, 0), "sliding_field: adjacent_chart is missing"),
        (lambda f: hybridsim.functions(MODEL, guess={}), "functions: guess: there is no such keyword"),
    ],
)
def test_mistakes_are_explained(f, call, message):
    with pytest.raises(hybridsim.ConfigError, match=message):
        call(f)


def test_what_a_model_does_not_have_is_said():
    f = hybridsim.functions(Model("plain", ["u", "v"], vector_field=adding_field))
    with pytest.raises(hybridsim.ConfigError, match="plain: it has no function `boundaries`; it has vector_field"):
        f.boundaries(0.0, X)


def test_four_threads_get_what_one_gets(f):
    """Each with inputs of its own, and with calls for one row and for many in turns."""

    def work(number):
        found = []
        for repetition in range(40):
            inputs = {"push": np.linspace(number, repetition, N)}
            found.append(f.vector_field(T, X, CHART, inputs=inputs))
            found.append(f.jacobian("vector_field", T, X, CHART, wrt=["angle", "k"], inputs=inputs))
            found.append(f.vector_field(T[0], X[0], 0, parameters={"k": float(number)}))
        return found

    alone = [work(number) for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(work, range(4)))
    for expected, found in zip(alone, together, strict=True):
        assert all((a == b).all() for a, b in zip(expected, found, strict=True))
