"""What has no derivative is refused: with the place and advice, compiled and in plain Python."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim.contacts import Patch, contact_model
from hybridsim.duals.functions import differentiable_functions
from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.engine.compiler.options import JIT
from hybridsim.multibody import Body, Mechanism, Prismatic

PLUGIN = """import math
import numpy as np
from hybridsim import Model, State
TABLE = {{0: 1.0}}
def helper(x):
    return {helper}
def vector_field(xdot, t, x, p, chart):
    y = 2.0 * x[0]
    xdot[0] = {slope}
MODEL = Model("refused", [State("x", 0.5)], vector_field=vector_field)
"""
REFUSED = [
    ("math.gamma(y)", "x", "gamma"),
    ("np.sinc(y)", "x", "sinc"),
    ("helper(y)", "math.lgamma(x)", "lgamma"),
]


def plugin(folder, slope, helper):
    file = folder / "refused.py"
    file.write_text(PLUGIN.format(slope=slope, helper=helper))
    return file


@pytest.mark.parametrize(("slope", "helper", "name"), REFUSED)
def test_a_function_without_a_rule_is_refused_with_its_place_and_advice(tmp_path, slope, helper, name):
    file = plugin(tmp_path, slope, helper)
    assert np.isfinite(hybridsim.simulate(file, final_time=0.1).x).all()  # it can be simulated
    with pytest.raises(hybridsim.ModelError) as refusal:
        hybridsim.jacobian(file)
    text = str(refusal.value)
    # the compiler knows the line of the call, plain Python that in the helper
    assert f"{file}:9: in `vector_field`" in text or f"{file}:6: in `helper`" in text
    assert f"`{name}` has no derivative; write it with functions" in text


@pytest.mark.parametrize(("slope", "helper", "name"), REFUSED)
def test_it_is_refused_in_plain_python_too(tmp_path, slope, helper, name):
    file = plugin(tmp_path, slope, helper)
    function = on_dual_numbers(hybridsim.load_model(file).functions["vector_field"])
    state = np.array([DualNumber(0.5, np.ones(1))], object)
    with pytest.raises(hybridsim.ModelError) as refusal:
        function(np.zeros(1, object), 0.0, state, np.zeros(1), 0)
    line = 6 if helper != "x" else 9
    function_name = "helper" if helper != "x" else "vector_field"
    assert f"{file}:{line}: in `{function_name}`: `{name}` has no derivative; write it with" in str(refusal.value)


def test_a_helper_that_the_derivatives_do_not_pass_may_use_anything(tmp_path):
    """The derivative of a constant is zero, whatever has computed it."""
    file = plugin(tmp_path, "helper(3.0) * y", "math.gamma(x)")
    assert hybridsim.jacobian(file)["x", "x"] == 4.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"function": "fields"}, "function: expected one of vector_field"),
        ({"wrt": "q"}, "wrt: there is no 'q'"),
        ({"wrt": "angle", "model": "slip"}, "wrt: there is no 'angle'"),
        ({"chart": "flying", "model": "slip"}, "chart: there is no chart 'flying'"),
        ({"chart": 7}, "the charts are numbered 0 to 0, found 7"),
        ({"x": [1.0]}, r"expected 2 numbers, y, v, found shape \(1,\)"),
        ({"x": {"z": 1.0}}, "no such state"),
        ({"function": "transition", "crossed": ["flor"]}, "there is no boundary 'flor'; did you mean `floor`"),
        ({"function": "transition", "crossed": None}, "bouncing_ball: transition: crossed is missing; give it"),
        ({"at": {"y": 1.0}}, "jacobian: at: there is no such keyword; it is called `x` here"),
        ({"function": "sliding_field"}, "it has no function `sliding_field`; it has vector_field"),
    ],
)
def test_mistakes_in_a_call_are_explained(arguments, message):
    with pytest.raises(hybridsim.ConfigError, match=message):
        hybridsim.jacobian(**{"model": "bouncing_ball", **arguments})


def test_a_choice_is_no_variable():
    with pytest.raises(hybridsim.ConfigError, match="the parameter 'spri' is no real number"):
        hybridsim.jacobian("slip", wrt="spri")


def test_matrices_are_read_by_names():
    found = hybridsim.jacobian("bouncing_ball", wrt=["v", "gravity", "t"])
    assert found.columns == ("v", "gravity", "t")
    assert found["y", "v"] == 1.0
    assert found["v"].tolist() == found[1].tolist() == [0.0, -1.0, 0.0]
    assert found[:, "gravity"].tolist() == [0.0, -1.0]
    assert np.array_equal(np.asarray(found), found.values)
    assert found.to_frame().loc["v", "gravity"] == -1.0
    assert [line.split()[0] for line in repr(found).splitlines()] == ["v", "y", "v"]
    with pytest.raises(hybridsim.ConfigError, match="there is no row 'w'; it has y, v"):
        found["w", "v"]


def test_a_run_by_a_rosenbrock_method_is_not_replayed():
    run = hybridsim.simulate("bouncing_ball", final_time=1.0, method="rodas5p")
    with pytest.raises(hybridsim.SimulationError, match=r"rodas5p cannot be replayed .* explicit method"):
        hybridsim.sensitivity(run)
    with pytest.raises(hybridsim.SimulationError, match=r"rodas5p cannot be replayed .* explicit method"):
        hybridsim.find_orbit("impact_oscillator", section="period", method="rodas5p")


def blow(force, t, x, p):
    force[0] += math.gamma(2.0 + x[0])


def lift(force, t, x, p):
    force[0] += math.exp(-x[0])


COMPILED = pytest.mark.skipif(not JIT, reason="a model is tried by compiling it")


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("forces", "problem"), [(lift, ""), pytest.param(blow, "`gamma` has no derivative", marks=COMPILED)]
)
def test_a_force_on_a_body_with_contacts_is_tried_without_the_contacts(forces, problem):
    """Of a model with contacts, `check` compiles what is the model's own."""
    ball = Mechanism(Body("ball", Prismatic("z", "z"), mass=1.0))
    model = contact_model("tossed", ball, [Patch("foot", "ball")], forces=forces)
    functions, problems = differentiable_functions(model)
    assert functions == (() if problem else ("vector_field", "boundaries", "transition", "outputs", "initial_chart"))
    assert len(problems) == 5 - len(functions)
    assert all(problem in text for text in problems)
