"""What a boundary declares is tried along lines and solutions, by `check` and before the first run."""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Model, ModelError, Parameter, Records, State, simulate
from hybridsim.model.declarations import refuted_declarations
from hybridsim.model.trials import trials

from gallery import free_fall, keep_chart, stand_still

UNITS = (1e-9, 1.0, 1e6)
LATE = (0.0, 1e9, 1.7e9)


def waves(g, t, x, p, chart):
    """Falls below zero now and then; no polynomial."""
    g[0] = 1.5 + math.sin(3.0 * x[0]) + math.sin(7.0 * x[0])


def random_polynomial(seed, degree, unit, late):
    """Make a boundary of this degree in t and two states, in units of `unit`, about the instant `late`."""
    rng = np.random.default_rng(seed)
    powers = [
        (i, j, k) for i in range(degree + 1) for j in range(degree + 1) for k in range(degree + 1 - min(i + j, degree))
    ]
    terms = [(power, rng.standard_normal()) for power in powers if sum(power) <= degree]

    def boundaries(g, t, x, p, chart):
        arguments = (t + 1.0 - (x[2] - p[0]), x[0] / unit, x[1] / unit)
        g[0] = sum(c * math.prod(a**n for a, n in zip(arguments, power, strict=True)) for power, c in terms)

    return boundaries


def declaring(boundaries, vector_field=stand_still, states=1, default=0.0, late=0.0, **declared):
    """Make a model whose only boundary is declared so; the last of three states is a clock."""
    named = [State("a", default), State("b", default), State("clock", late)][:states]
    return Model(
        "declaring",
        Records(*named),
        parameters=Records(Parameter("late", late)),
        vector_field=vector_field,
        boundaries=boundaries,
        boundary_records=Records(Boundary("curved", **declared)),
        transition=keep_chart,
    )


def refutations(model, **given):
    return [*refuted_declarations(trials(model, **given))]


@pytest.mark.members(1)
@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_a_polynomial_is_refuted_as_one_of_lower_degree_only(degree, unit, late):
    for seed in range(10):
        boundaries = random_polynomial(seed, degree, unit, late)
        given = {"states": 3, "default": unit, "late": late}
        for declared in range(degree, 5):
            assert refutations(declaring(boundaries, degree=declared, **given)) == []
        if degree > 1:
            assert len(refutations(declaring(boundaries, degree=degree - 1, **given))) == 1


def test_the_sentence_names_boundary_chart_line_and_remedy():
    model = declaring(waves, degree=1, default=0.3)
    (sentence,) = refutations(model)
    for part in (
        "test_declarations.py:",
        "boundary curved in chart",
        "`degree=1`",
        "from (t = 0, a = 0.3) to (t = ",
        "leave",
    ):
        assert part in sentence
    with pytest.raises(ModelError, match="is declared `degree=1`"):
        simulate(model, final_time=1.0)


def test_a_declaration_that_was_refuted_is_tried_again_when_it_is_mended():
    for _ in range(2):
        with pytest.raises(ModelError, match="`degree=4`"):
            simulate(declaring(waves, degree=4), final_time=1.0)
        assert simulate(declaring(waves), final_time=1.0).status.name == "FINAL_TIME"


def test_lines_stay_within_the_limits_of_the_states():
    def distance(g, t, x, p, chart):
        g[0] = 5.0 - abs(x[0])

    half = Records(State("a", 0.0, lower=0.0))
    model = Model(
        "half",
        half,
        vector_field=stand_still,
        boundaries=distance,
        transition=keep_chart,
        boundary_records=Records(Boundary("end", degree=1)),
    )
    assert refutations(model) == []
    assert len(refutations(declaring(distance, degree=1))) == 1


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("unit", UNITS)
def test_a_bound_is_refuted_if_it_is_less_than_the_second_derivative(unit, late):
    def height(g, t, x, p, chart):
        g[0] = unit * (x[0] + 1e-6 * (x[2] - p[0]))  # its second derivative is -9.81 unit

    for share, found in ((1.0, 0), (1.001, 0), (0.999, 1)):
        bound = 9.81 * unit * share
        model = declaring(height, free_fall, states=3, default=2.0, late=late, second_derivative_bound=bound)
        sentences = refutations(model)
        assert len(sentences) == found
        assert all("second_derivative_bound" in text and "within" in text for text in sentences)


def test_no_bound_is_refuted_where_no_run_of_the_chart_can_be():
    def outside(g, t, x, p, chart):
        g[0] = -1.0 - x[0] ** 2 - t**2

    assert refutations(declaring(outside, second_derivative_bound=0.0)) == []
