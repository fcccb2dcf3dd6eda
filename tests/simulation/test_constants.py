"""Constants of a model, and work space beyond the stack: the same numbers as without them, in every arithmetic."""

import math

import numpy as np
import pytest

from hybridsim import (
    Buffer,
    Constant,
    Model,
    ModelError,
    Parameter,
    Part,
    Plant,
    Records,
    Slot,
    State,
    buffer,
    compose,
    functions,
    integers,
    linearize,
    load_run,
    reals,
    sensitivity,
    simulate,
    sweep,
    verify,
)

N, DEGREE = 12, 3
M = N * DEGREE
SOURCES = np.random.default_rng(0).integers(N, size=M)
WEIGHTS = np.random.default_rng(1).normal(size=M)
PARAMETERS = Records(Parameter("k", 0.3), Parameter("f", tuple(np.linspace(0.5, 1.5, N))))
STATES = Records(State("phi", np.linspace(-2.0, 2.0, N), shape=N))


def network(sources=SOURCES):
    constants = Records(Constant("sources", sources), Constant("weights", WEIGHTS), Buffer("pulls", M))
    p_of = (PARAMETERS + constants).indices

    def vector_field(xdot, t, x, p, chart):
        source, weight = integers(p, p_of.sources, M), reals(p, p_of.weights, M)
        pull, f = buffer(p, p_of.pulls, M), int(p[p_of.f])
        for e in range(M):
            pull[e] = weight[e] * math.sin(x[source[e]] - x[e // DEGREE])
        for i in range(N):
            total = 0.0 * x[i]
            for e in range(DEGREE * i, DEGREE * (i + 1)):
                total += pull[e]
            xdot[i] = p[f + i] + p[p_of.k] * total

    return Model("net", STATES, vector_field=vector_field, parameters=PARAMETERS, constants=constants)


def compiled_in():
    """The same with the numbers among the globals."""

    def vector_field(xdot, t, x, p, chart):
        f = int(p[1])
        for i in range(N):
            total = 0.0 * x[i]
            for e in range(DEGREE * i, DEGREE * (i + 1)):
                total += WEIGHTS[e] * math.sin(x[SOURCES[e]] - x[i])
            xdot[i] = p[f + i] + p[0] * total

    return Model("net", STATES, vector_field=vector_field, parameters=PARAMETERS)


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["dp5", "dop853", "rodas5p", "series"])
def test_constants_give_the_run_of_numbers_that_are_compiled_in(method):
    both = network(), compiled_in()
    run, plain = (simulate(model, final_time=2.0, method=method, rtol=1e-9, atol=1e-11) for model in both)
    np.testing.assert_allclose(run.x[-1], plain.x[-1], rtol=1e-8)


def test_derivatives_pass_through_work_space():
    expected = np.zeros((N, N))
    x = np.linspace(-2.0, 2.0, N)
    for e in range(M):
        slope = 0.3 * WEIGHTS[e] * math.cos(x[SOURCES[e]] - x[e // DEGREE])
        expected[e // DEGREE, SOURCES[e]] += slope
        expected[e // DEGREE, e // DEGREE] -= slope
    np.testing.assert_allclose(linearize(network()).A, expected, atol=1e-14)
    both = network(), compiled_in()
    ends = [sensitivity(simulate(model, final_time=1.0, rtol=1e-10), "k", model=model).state[-1] for model in both]
    np.testing.assert_allclose(*ends, rtol=1e-8)


def test_no_config_and_no_file_has_constants(tmp_path):
    run = simulate(network(), final_time=1.0)
    assert set(run.parameters) == {"k", "f"}
    assert "sources" not in str(run.provenance["config"])
    run.save(tmp_path / "net.h5")
    assert verify(load_run(tmp_path / "net.h5"), model=network()).ok
    assert not verify(load_run(tmp_path / "net.h5"), model=network(SOURCES[::-1].copy())).ok


def test_runs_side_by_side_have_work_space_of_their_own():
    ks = np.linspace(0.1, 1.0, 24)
    table = sweep(network(), axes={"k": ks}, final_time=1.0, metrics=["final(phi[3])"], folder=None, workers=2)
    alone = [simulate(network(), final_time=1.0, parameters={"k": k}).x[-1, 3] for k in ks]
    assert table["final(phi[3])"].to_pylist() == alone


def test_a_part_has_constants_of_its_own():
    table = Records(Constant("table", [1.0, 2.5]), Constant("order", [1, 0]))

    def force(t, x, p, chart):
        return reals(p, 1, 2)[integers(p, 2, 2)[0]] * p[0]

    def vector_field(xdot, t, x, p, chart, force):
        xdot[0] = force(t) + reals(p, 1, 1)[0]

    part = Part("gain", couplings=[force], parameters=[Parameter("g", 2.0)], constants=table)
    plant = Plant(
        "mass",
        Records(State("v")),
        vector_field=vector_field,
        parameters=[Parameter("m")],
        constants=[Constant("offset", [0.25])],
        slots=(Slot("drive", couplings=("force",), choices={"gain": part}, default="gain"),),
    )
    assert simulate(compose(plant), final_time=1.0).x[-1, 0] == pytest.approx(5.25)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Constant("c", ["a"]), "expected an array of numbers"),
        (lambda: Constant("c", [2**40]), "expected whole numbers of 32 bits"),
        (lambda: Buffer("b", 0), "expected a number of entries above 0"),
        (
            lambda: Model("m", STATES, vector_field=max, constants=[Constant("phi", [1])]),
            "names a state and a constant",
        ),
    ],
)
def test_wrong_constants_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_wrong_length_or_index_is_found_before_a_run():
    def too_long(xdot, t, x, p, chart):
        xdot[0] = integers(p, 0, 3)[0]

    def outside(xdot, t, x, p, chart):
        xdot[0] = integers(p, 0, 2)[2]

    def other_type(xdot, t, x, p, chart):
        xdot[0] = reals(p, 0, 2)[1]

    for field, message in ((too_long, "has 2 numbers"), (outside, "lies outside the array"), (other_type, "int32")):
        model = Model("m", [State("a")], vector_field=field, constants=[Constant("c", [1, 2])])
        with pytest.raises(ModelError, match=message):
            simulate(model, final_time=1.0)
    assert functions(network()).model.name == "net"
