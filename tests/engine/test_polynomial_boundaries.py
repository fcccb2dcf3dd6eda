"""Boundaries of which nothing is declared: `series` sees in their expressions which ones are polynomials."""

import numpy as np
import pytest

import hybridsim
from hybridsim import DECLINED, Boundary, Chart, Model, Parameter, Records, State, simulate

STATES = Records(State("x"), State("v"))
COEFFICIENTS = tuple(f"c{k}" for k in range(5))
END = 8.0


def field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -x[0] + 0.1 * p[0]


def never(x_new, t, x, p, chart, crossed):
    return DECLINED


def polynomial(g, t, x, p, chart):
    g[0] = p[0] + x[0] * (p[1] - x[1] * p[2]) + p[3] * x[0] ** 3 / (2.0 + p[0] ** 2) - p[4] * (x[1] * t * 0.1) ** 2


def degree_five(g, t, x, p, chart):
    g[0] = p[0] - x[0] ** 2 * x[1] ** 3


def root(g, t, x, p, chart):
    g[0] = p[0] + 1.0 - (1.0 + x[0] ** 2) ** 0.5


def by_parameter(g, t, x, p, chart):
    g[0] = p[0] - x[0] if p[1] > 0.0 else p[0] - x[0] ** 5


def by_state(g, t, x, p, chart):
    g[0] = abs(x[0]) - p[0]


def constant(g, t, x, p, chart):
    g[0] = p[0] - p[0]


def model(boundaries, degree=None):
    return Model(
        boundaries.__name__,
        STATES,
        vector_field=field,
        boundaries=boundaries,
        transition=never,
        boundary_records=Records(Boundary("g", degree=degree, armed="when_positive")),
        parameters=Records(*map(Parameter, COEFFICIENTS)),
    )


def run_with(found, values, rtol, **settings):
    return simulate(
        found, initial={"x": 0.5, "v": 1.0}, parameters=dict(zip(COEFFICIENTS, values, strict=True)), method="series",
        final_time=END, rtol=rtol, atol=rtol, **settings,
    )  # fmt: skip


@pytest.mark.members(1)
@pytest.mark.parametrize("rtol", [1e-5, 1e-11])
def test_what_is_seen_does_as_much_as_what_is_declared(rtol):
    """A polynomial of degree 4, with and without its degree declared: the same rows and events to the last bit."""
    rng, events = np.random.default_rng(5), 0
    seen, declared = model(polynomial), model(polynomial, degree=4)
    for _ in range(20):
        values = rng.uniform(-1.0, 1.0, 5)
        one, other = run_with(seen, values, rtol), run_with(declared, values, rtol)
        for name in ("t", "x", "certificate"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        for name in ("t", "error", "certificate"):
            np.testing.assert_array_equal(getattr(one.events, name), getattr(other.events, name))
        assert {*one.events.certificate} <= {"exact"}
        events += len(one.events)
    assert events > 20
    assert hybridsim.verify(one, model=seen).ok


@pytest.mark.parametrize(
    ("boundaries", "is_exact"),
    [(polynomial, True), (degree_five, False), (root, False), (by_parameter, False), (by_state, False)],
)
def test_which_are_seen(boundaries, is_exact):
    """Not those of a higher degree, or with other functions; and none that branches, on a parameter either."""
    run = run_with(model(boundaries), [0.3, 0.5, 0.0, 0.0, 0.0], 1e-8)
    assert len(run.events)
    assert {*run.events.certificate} == {"exact" if is_exact else "sampled"}
    assert hybridsim.verify(run, model=model(boundaries)).ok


def test_other_methods_go_by_what_is_declared():
    run = simulate(model(polynomial), initial={"v": 1.0}, parameters={"c0": 0.5, "c1": 1.0}, final_time=END)
    assert {*run.events.certificate} == {"sampled"}


def test_a_boundary_that_is_always_zero_is_no_reason_to_stop():
    """A constant has the degree 0; at zero it rests as it does where nothing is known of it."""
    one, other = (
        simulate(model(constant), initial={"v": 1.0}, method=method, final_time=1.0) for method in ("series", "dop853")
    )
    assert one.status is other.status
    assert len(one.events) == len(other.events)


def two_charts(g, t, x, p, chart):
    g[chart] = x[0] + p[0] if chart == 0 else p[1] - x[1] ** 3


def exchange(x_new, t, x, p, chart, crossed):
    return 1 - chart


def test_a_degree_counts_in_the_charts_where_the_boundary_is_set():
    records = Records(*(Boundary(name, armed="when_positive") for name in ("low", "fast")))
    found = Model(
        "two_charts", STATES, vector_field=field, boundaries=two_charts, transition=exchange,
        charts=Records(Chart("a"), Chart("b")), boundary_records=records,
        parameters=Records(*map(Parameter, COEFFICIENTS)),
    )  # fmt: skip
    run = run_with(found, [0.4, 0.6, 0.0, 0.0, 0.0], 1e-9)
    assert len(run.events) == 2
    assert {*run.events.certificate} == {"exact"}
    assert hybridsim.verify(run, model=found).ok


def kinked(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -x[0] - 0.1 * x[1] * abs(x[1])


def energy(g, t, x, p, chart):
    g[0] = 0.5 * (x[0] * x[0] + x[1] * x[1]) - p[0]


@pytest.mark.parametrize("level", [10.0, 1e5])
@pytest.mark.parametrize("rtol", [1e-6, 1e-10])
def test_one_that_waits_far_below_zero_costs_no_steps(level, rtol):
    """Where the steps are those of `dop853`, rounding of its coefficients is nothing that is missing of it."""
    found = Model(
        "below",
        STATES,
        vector_field=kinked,
        boundaries=energy,
        transition=never,
        boundary_records=Records(Boundary("g", degree=2, armed="when_positive")),
        parameters=Records(Parameter("level", level)),
    )
    series, stages = (
        simulate(found, initial={"x": 1.0}, method=method, final_time=30.0, rtol=rtol, atol=0.01 * rtol, max_steps=9999)
        for method in ("series", "dop853")
    )
    assert steps_without_series(series) == series.statistics["steps"] == stages.statistics["steps"]


def steps_without_series(run):
    return sum(n for name, n in run.statistics.items() if "no power series" in name)


def of_an_array(xdot, t, x, p, chart):
    a = int(p[0])
    xdot[0], xdot[1] = x[1], -p[a] * x[0] - p[a + 1] * x[1]


def above_a_number_of_an_array(g, t, x, p, chart):
    g[0] = x[0] - p[int(p[0]) + 2]


def test_the_numbers_of_an_array_vary_from_row_to_row():
    """They are parameters of the programs; where an array lies is no branch."""
    found = Model(
        "spring",
        STATES,
        vector_field=of_an_array,
        boundaries=above_a_number_of_an_array,
        transition=never,
        boundary_records=Records(Boundary("g", armed="when_positive")),
        parameters=Records(Parameter("c", (1.0, 0.0, 0.25))),
    )
    settings = {"method": "series", "rtol": 1e-12, "atol": 1e-12, "initial": {"x": 1.0}, "final_time": 1.0}
    stiffness = np.array([1.0, 4.0, 9.0])
    table = hybridsim.sweep(found, {"c[0]": stiffness}, {"x": "final(x)"}, max_steps=999, **settings)
    np.testing.assert_allclose(table["x"], np.cos(np.sqrt(stiffness)), rtol=0.0, atol=1e-11)
    run = simulate(found, parameters={"c": [4.0, 0.0, 0.25]}, **settings)
    assert steps_without_series(run) == 0
    assert [*run.events.certificate] == ["exact"]
    np.testing.assert_allclose(run.events.t, 0.5 * np.arccos(0.25), rtol=1e-12)
