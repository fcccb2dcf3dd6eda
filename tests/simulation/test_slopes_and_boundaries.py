"""`slopes_and_boundaries` writes what the two functions write: a run with it is the run without, to the last bit."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Boundary, Model, ModelError, Part, Plant, Slot, State, compose, load_config, load_model, simulate
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, SIGNATURES, for_python
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import written_by
from hybridsim.model.trials import trials
from hybridsim.testing import check_model

CONFIGS = Path(__file__).parents[2] / "configs"
NAMES = ("slopes_and_boundaries", "vector_field", "boundaries")
TRIED = ("quadruped", "pogo", "thrown_box")
"""Of the mechanisms in the plane, soft ones and those in space, one each."""
OTHERS = ("coin", "compass", "hills", "hopper", "rocking_block", "rolling_wheel", "spoked_wheel", "woodpecker")

TROT, WALK = (0.3, 0.2) if JIT else (0.05, 0.02)
"""How long the runs last [s]: as plain Python, the engine is hundreds of times slower."""

BOTH = """
def slopes_and_boundaries(xdot, g, t, x, p, chart):
    field(xdot, t, x, p, chart)
    bounds(g, t, x, p, chart)
"""


def with_both(model):
    """Return a model with a function that calls its two functions."""
    module = load_generated(f"{model.name}_at_once", BOTH, {"field": model.vector_field, "bounds": model.boundaries})
    return dataclasses.replace(model, slopes_and_boundaries=module.slopes_and_boundaries)


def compiled(tried):
    """Return what calls a compiled function, and returns all that it writes."""
    found = compile_functions(tried.model.name, tried.model.functions)

    def call(name, *case):
        given = tried.arguments(name, *case)
        for_python(SIGNATURES[name], int(found.addresses[FUNCTION_INDEX[name]]))(*given.values())
        return np.concatenate([given[each] for each in written_by(name)])

    return call


def interpreted(tried):
    """Return the same of a plain function."""
    return lambda name, *case: tried.call(name, *case).values


@pytest.mark.members(2)
@pytest.mark.parametrize("name", [*TRIED, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in OTHERS)])
@pytest.mark.parametrize("kind", [compiled, interpreted] if JIT else [interpreted])
def test_a_mechanism_writes_what_the_two_functions_write_in_all_charts(name, kind):
    """To the last bit: the three call the same kernels."""
    tried = trials(load_config(CONFIGS / "multibody" / f"{name}.yaml").model, n_random=3, n_charts=24)
    assert_agreement(tried, kind(tried), 0.0)


@pytest.mark.parametrize("kind", [compiled, interpreted] if JIT else [interpreted])
def test_the_biped_writes_what_the_two_functions_write_in_all_charts(kind):
    """Compiled, but for rounding: which multiplications are fused with additions depends on what else is computed."""
    tried = trials(load_model("biped"), n_random=3, n_charts=24)
    assert_agreement(tried, kind(tried), 1e-13 if kind is compiled else 0.0)


def assert_agreement(tried, call, tolerance):
    """Assert that the three functions agree at all states that are tried, relative to the largest that each writes."""
    seen = 0
    for case in tried.cases("slopes_and_boundaries"):
        both, slopes, boundaries = (call(each, *case) for each in NAMES)
        for found, alone in ((both[: len(slopes)], slopes), (both[len(slopes) :], boundaries)):
            np.testing.assert_allclose(
                found, alone, rtol=0.0, atol=tolerance * np.abs(alone[np.isfinite(alone)]).max(initial=0.0)
            )
        seen += bool(np.isfinite(both).all() and boundaries.any())
    assert seen


def same_runs(model, other, **keywords):
    """Assert that two models have the same run, and return it."""
    run, expected = simulate(model, **keywords), simulate(other, **keywords)
    for name in ("t", "j", "chart", "x", "y", "extension"):
        assert getattr(run, name).tobytes() == getattr(expected, name).tobytes(), name
    for name in ("t", "chart_before", "chart_after", "x_before", "x_after", "value", "depth", "error"):
        assert getattr(run.events, name).tobytes() == getattr(expected.events, name).tobytes(), name
    assert run.statistics["boundary_calls"] == expected.statistics["boundary_calls"]
    return run


@pytest.mark.exhaustive  # limits and slides are the same, and mechanisms in all charts
@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["dp5", "dop853", "rodas5p"])
def test_a_trot_is_the_same(method):
    model = load_model(CONFIGS / "multibody" / "quadruped.py")
    plain = dataclasses.replace(model, slopes_and_boundaries=None)
    run = same_runs(model, plain, final_time=TROT, rtol=1e-6, method=method)
    assert len(run.events) > 0


@pytest.mark.exhaustive  # a trot is the same, and the biped's functions are in all charts
def test_a_walk_is_the_same():
    """Whose events end its steps: three in ten of its boundaries are those where a step ends or a chart begins."""
    model = load_model("biped")
    run = same_runs(model, dataclasses.replace(model, slopes_and_boundaries=None), final_time=WALK)
    assert len(run.events) > 5


@pytest.mark.members
@pytest.mark.parametrize("method", ["dp5", "rk4", "rodas5p", "series"] if JIT else ["dp5", "rodas5p"])
@pytest.mark.parametrize(
    ("name", "kind"), [("bouncing_ball", "zeno"), ("dry_friction", "entry"), ("vibrating_table", "crossing")]
)
def test_runs_with_limits_and_slides_are_the_same(name, kind, method):
    """Where both call the same two functions, nothing differs but who calls them."""
    model = load_model(name)
    steps = {"max_step": 1e-2} if method == "rk4" else {}
    run = same_runs(with_both(model), model, final_time=10.0, method=method, **steps)
    assert kind in {event.kind for event in run.events}


def fall(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -9.81


def land(g, t, x, p, chart):
    g[0] = x[0]


def bounce(x_new, t, x, p, chart, crossed):
    x_new[0], x_new[1] = 0.0, -0.8 * x[1]
    return 0


def wrong_slope(xdot, g, t, x, p, chart):
    xdot[0], xdot[1], g[0] = x[1], -9.8, x[0]


def wrong_boundary(xdot, g, t, x, p, chart):
    xdot[0], xdot[1], g[0] = x[1], -9.81, x[0] + 1e-3


def without_boundary(xdot, g, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -9.81


def at_once(xdot, g, t, x, p, chart):
    xdot[0], xdot[1], g[0] = x[1], -9.81, x[0]


STATES, CEILING = [State("y", 1.0), State("v", 0.0)], Boundary("lands")
BALL = Model("ball", STATES, vector_field=fall, boundaries=land, transition=bounce, boundary_records=[CEILING])


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (wrong_slope, "v as `vector_field`"),
        (wrong_boundary, "lands as `boundaries`"),
        (without_boundary, "lands as `boundaries`"),
    ],
)
def test_a_function_that_writes_something_else_is_refused_before_a_run(function, name):
    model = dataclasses.replace(BALL, slopes_and_boundaries=function)
    with pytest.raises(ModelError, match=f"does not write {name} does, in chart flow; let both write the same"):
        simulate(model, final_time=1.0)


def test_it_needs_boundaries():
    with pytest.raises(ModelError, match="`slopes_and_boundaries` but no boundaries; leave it out"):
        Model("ball", STATES, vector_field=fall, slopes_and_boundaries=at_once)


def turn(xdot, t, x, p, chart):
    xdot[0] = 2.0


def limit(g, t, x, p, chart):
    g[0] = 1.0 - x[0]


def turn_back(x_new, t, x, p, chart, crossed):
    x_new[0] = -1.0
    return 0


def test_a_plant_with_it_has_parts_with_slopes_and_boundaries_of_their_own():
    own = {"vector_field": turn, "boundaries": limit, "transition": turn_back}
    part = Part("wheel", [State("angle")], boundary_records=[Boundary("turned")], **own)
    functions = {"vector_field": fall, "boundaries": land, "transition": bounce, "boundary_records": [CEILING]}
    slot = Slot("wheel", couplings=(), choices={"wheel": part}, default="wheel")
    plant = Plant("ball", STATES, slots=(slot,), **functions)
    alone, both = compose(plant), compose(dataclasses.replace(plant, slopes_and_boundaries=at_once))
    assert "slopes_and_boundaries" in both.functions
    assert "slopes_and_boundaries" not in alone.functions
    run = same_runs(both, alone, final_time=3.0)
    assert {name for event in run.events for name in event.boundaries} == {"lands", "turned"}
    assert "slopes_and_boundaries" in check_model(both)
