"""A model's functions as graphs: the same numbers as the functions, to the bit, and their derivatives."""

import importlib
import math
from itertools import chain

import numpy as np
import pytest

from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.engine.status import DECLINED
from hybridsim.errors import HybridsimError
from hybridsim.graph import ON_FLOATS, Graph, ModelGraph, Program, UntraceableError, derivatives
from hybridsim.model import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.model.model import default_values
from hybridsim.model.parameters import pack_parameters

FAMILIES = {
    "basics": (
        "bilinear_oscillator",
        "bouncing_ball",
        "dry_friction",
        "impact_oscillator",
        "projectile",
        "relay",
        "stick_slip",
        "table_ball",
        "two_walls",
        "vibrating_table",
    ),
    "walkers": ("compass_gait", "rimless_wheel", "simplest_walker", "kneed_walker"),
    "slip": ("model",),
}
ORDINARY = {"compass_gait", "impact_oscillator", "model"}
MODELS = [
    pytest.param(f"{family}.{name}", marks=() if name in ORDINARY else pytest.mark.exhaustive)
    for family, names in FAMILIES.items()
    for name in names
]


def model_of(name):
    return importlib.import_module(f"hybridsim_models.{name}").MODEL


def states_of(model, count=5):
    chance = np.random.default_rng(7)
    default = np.array([state.default for state in model.states])
    return [default + chance.uniform(0.01, 0.3, len(default)) for _ in range(count)]


def plain(model, name, x, p, *others):
    """What the function itself writes and returns."""
    size = len(x) if name != "boundaries" else len(model.boundary_records)
    written = (
        np.array(x) if name == "transition" else np.zeros(size) if name == "vector_field" else np.full(size, np.nan)
    )
    return written, model.functions[name](written, 0.0, np.array(x), p, *others)


def calls(model):
    for x in states_of(model):
        for chart in range(model.n_charts):
            yield x, "vector_field", (chart,)
            if "boundaries" in model.functions:
                yield x, "boundaries", (chart,)
                for index in range(len(model.boundary_records)):
                    crossed = np.zeros(len(model.boundary_records), int)
                    crossed[index] = 1
                    yield x, "transition", (chart, crossed)


@pytest.mark.parametrize("name", MODELS)
def test_the_graph_gives_the_numbers_of_the_functions_to_the_bit(name):
    model = model_of(name)
    p = pack_parameters(model, default_values(model))
    traced = ModelGraph(model, p)
    for x, function, others in calls(model):
        trace = traced.trace(function, 0.0, x, *others)
        values = dict(zip(model.states.names, x.tolist(), strict=True)) | traced.values | {"t": 0.0}
        found = Program(traced.graph, list(trace.nodes.values()))(values, ON_FLOATS)
        written, answer = plain(model, function, x, p, *others)
        expected = written[list(trace.nodes)]
        assert np.array_equal(found, expected)
        assert trace.answer == (answer or 0)
        assert not np.isfinite(np.delete(written, list(trace.nodes))).any()
        guards = Program(traced.graph, [guard.node for guard in trace.guards])(values, ON_FLOATS)
        holds = {"positive": lambda v: v > 0, "nonnegative": lambda v: v >= 0, "zero": lambda v: v == 0}
        assert all(holds[guard.kind](value) for guard, value in zip(trace.guards, guards, strict=True))


@pytest.mark.parametrize("name", MODELS)
def test_the_derivatives_are_those_of_dual_numbers(name):
    model = model_of(name)
    p, n = pack_parameters(model, default_values(model)), len(model.states)
    traced, field = ModelGraph(model, p), on_dual_numbers(model.functions["vector_field"])
    for x in states_of(model, 2):
        for chart in range(model.n_charts):
            nodes = traced.trace("vector_field", 0.0, x, chart).nodes
            rows = derivatives(traced.graph, list(nodes.values()), model.states.names)
            values = dict(zip(model.states.names, x.tolist(), strict=True)) | traced.values
            found = np.reshape(Program(traced.graph, [*chain(*rows)])(values, ON_FLOATS), (n, n))
            given, slopes = np.empty(n, object), np.full(n, DualNumber(0.0, np.zeros(n)), object)
            given[:] = [DualNumber(value, np.eye(n)[i]) for i, value in enumerate(x)]
            field(slopes, 0.0, given, p.astype(object), chart)
            lanes = [s.lanes if isinstance(s, DualNumber) else np.zeros(n) for s in slopes]
            assert found == pytest.approx(np.array(lanes), rel=1e-11, abs=1e-11 * np.abs(found).max())


def model_with(field, **parameters):
    return Model(
        "probe",
        Records(State("x", 0.5), State("y", 0.25)),
        vector_field=field,
        parameters=Records(*(Parameter(name, value) for name, value in parameters.items())),
        charts=Records(Chart("only")),
    )


def traced_field(field, x=(0.5, 0.25), **parameters):
    model = model_with(field, **parameters)
    traced = ModelGraph(model, pack_parameters(model, default_values(model)))
    trace = traced.trace("vector_field", 0.0, x, 0)
    values = dict(zip(("x", "y"), x, strict=True)) | traced.values
    return traced, trace, lambda nodes: Program(traced.graph, nodes)(values, ON_FLOATS)


@pytest.mark.parametrize(
    "function",
    [
        math.atan2,
        lambda x, y: math.atan2(-x, -y),
        lambda x, y: math.atan2(x, -y),
        lambda x, y: math.atan2(-x, y * 0.0),
        math.hypot,
        lambda x, y: x**y,
        lambda x, y: 3.0**x,
        lambda x, y: x ** (-3),
        lambda x, y: x**0.3,
        lambda x, y: abs(-x) * math.copysign(y, -x),
        lambda x, y: (7.0 * x) % y + math.fmod(-7.0 * x, 0.3 * y),
        lambda x, y: math.floor(9.0 * x) * math.ceil(9.0 * y) + round(7.0 * x) + int(-9.0 * y),
        lambda x, y: math.asinh(x) + math.atanh(y) + math.acosh(1.0 + x),
        lambda x, y: math.exp2(x) + math.expm1(y) + math.log1p(x) + math.log2(x) + math.log10(y),
        lambda x, y: np.cbrt(-x) + np.square(y) + np.reciprocal(x) + np.sign(-x),
        lambda x, y: math.degrees(x) + math.radians(y),
        lambda x, y: min(x, y) + max(0.1, x, y),
    ],
)
def test_functions_made_of_others_have_their_values(function):
    def field(xdot, t, x, p, chart):
        xdot[0] = function(x[0], x[1])

    _, trace, value = traced_field(field)
    assert value([trace.nodes[0]])[0] == pytest.approx(function(0.5, 0.25), rel=1e-14)


def test_a_branch_is_a_guard_that_names_its_line():
    def field(xdot, t, x, p, chart):
        if x[0] > x[1]:
            xdot[0] = 1.0
        xdot[1] = x[0] if p[0] <= 2.0 else x[1]

    traced, trace, value = traced_field(field, k=1.0)
    assert [guard.kind for guard in trace.guards] == ["positive", "nonnegative"]
    assert value([guard.node for guard in trace.guards]) == [0.25, 1.0]
    first = field.__code__.co_firstlineno
    assert [guard.where for guard in trace.guards] == [f"{__file__}:{first + 1}", f"{__file__}:{first + 3}"]
    assert traced.graph.inputs([trace.guards[1].node]) == {"p.k"}


def test_what_is_not_used_has_to_be_defined():
    def field(xdot, t, x, p, chart):
        unused = math.sqrt(x[0] - 0.1)  # noqa: F841
        xdot[0] = x[1]

    traced, trace, _ = traced_field(field)
    assert [traced.graph.nodes[a][0] for a in trace.required] == ["sqrt"]


def test_equal_expressions_are_one_and_their_differences_zero():
    graph = Graph()
    a, b, c = (graph.input(name) for name in "abc")
    assert graph.sub(a, b) == graph.neg(graph.sub(b, a))
    assert graph.mul(graph.neg(a), graph.sub(b, c)) == graph.mul(graph.sub(c, b), a)
    assert graph.constant(graph.sub(graph.mul(a, b), graph.mul(b, a))) == 0.0
    assert graph.constant(graph.add(graph.const(0.1), graph.const(0.2))) is None  # 0.1 + 0.2 is no double
    assert graph.constant(graph.add(graph.const(0.25), graph.const(-0.5))) == -0.25
    after = graph.substitute([graph.sub(a, b)], {"a": b})
    assert graph.constant(after[graph.sub(a, b)]) == 0.0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda x: np.interp(x, [0.0, 1.0], [0.0, 1.0]), "interp"),
        (lambda x: math.sqrt(x - 1.0), "math domain error"),
        (math.erf, "erf"),
        (lambda x: 1.0 / (x - 0.5), "division by zero"),
        (lambda x: sum(range(x)), "integer"),
    ],
)
def test_what_cannot_be_traced_is_refused_with_its_line(body, message):
    def field(xdot, t, x, p, chart):
        xdot[0] = body(x[0])

    with pytest.raises(UntraceableError, match=message) as refusal:
        traced_field(field)
    assert f"{__file__}:" in str(refusal.value)
    assert isinstance(refusal.value, HybridsimError)


def test_a_transition_may_decline():
    def transition(x_new, t, x, p, chart, crossed):
        return DECLINED

    def boundaries(g, t, x, p, chart):
        g[0] = x[0]

    model = Model(
        "decliner",
        Records(State("x", 0.5)),
        vector_field=lambda xdot, t, x, p, chart: None,
        boundaries=boundaries,
        transition=transition,
        charts=Records(Chart("only")),
        boundary_records=Records(Boundary("end")),
    )
    traced = ModelGraph(model, np.zeros(0))
    assert traced.trace("transition", 0.0, [0.5], 0, np.ones(1)).answer == DECLINED
