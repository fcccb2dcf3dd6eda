"""Records with a shape: one stands for many entries, which have names, defaults and places in an array."""

import pickle

import numpy as np
import pytest

from hybridsim import ConfigError, Input, Model, ModelError, Output, Parameter, Records, State, simulate
from hybridsim.model.table import list_names

STATES = Records(State("h.phi", unit="rad", shape=3), State("z", 2.0), State("h.r", [1, 2, 3, 4], shape=(2, 2)))


def test_a_table_speaks_of_entries():
    assert len(STATES) == 8
    assert STATES.names[2:6] == ("h.phi[2]", "z", "h.r[0,0]", "h.r[0,1]")
    assert [state.name for state in STATES] == [*STATES.names]
    assert [STATES.index(name) for name in STATES.names] == [*range(8)]
    assert [STATES[name] for name in STATES.names] == [*STATES]
    assert STATES[-1].name == "h.r[1,1]"
    assert [state.name for state in STATES[3:5]] == ["z", "h.r[0,0]"]
    np.testing.assert_array_equal(STATES.column("default"), [state.default for state in STATES])


def test_a_block_is_found_as_one_record():
    assert [state.name for state in STATES.blocks] == ["h.phi", "z", "h.r"]
    assert STATES["h.phi"].shape == (3,)
    assert STATES["h.phi[1]"].unit == "rad"
    assert tuple(STATES.indices) == (0, 3, 4)
    assert STATES.indices.h_r == 4
    assert (STATES.place("h.phi"), STATES.place("h.phi[1:3]"), STATES.place("z")) == (slice(0, 3), slice(1, 3), 3)
    assert ["h.phi" in STATES, "h.phi[2]" in STATES, "h.phi[3]" in STATES, "z[0]" in STATES] == [
        True,
        True,
        False,
        False,
    ]
    assert "h.phi" not in STATES.names


def test_sums_and_copies_keep_the_blocks():
    assert (STATES + Records(State("w"))).blocks == (*STATES.blocks, State("w"))
    assert pickle.loads(pickle.dumps(STATES)) == STATES
    assert Model("a", STATES, vector_field=lambda xdot, t, x, p, chart: None).states == STATES


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("h.phi[3]", r"there is no 'h.phi\[3\]' here; the entries of `h.phi` are h.phi\[0\] to h.phi\[2\]"),
        ("h.phii", "did you mean `h.phi`"),
        ("h.r[1]", r"h.r\[0,0\] to h.r\[1,1\]"),
    ],
)
def test_a_wrong_name_gets_the_entries_that_there_are(name, message):
    with pytest.raises(ModelError, match=message):
        STATES.index(name)


def test_a_message_lists_blocks_and_not_their_entries():
    many = Records(State("h1.phi", shape=100_000), State("h2.phi", shape=100_000))
    assert list_names(many.names) == "h1.phi[0] ... h1.phi[99999], h2.phi[0] ... h2.phi[99999]"
    assert repr(many) == "Records(h1.phi[100000], h2.phi[100000])"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: State("phi", [1.0, 2.0], shape=3), "expected one number, or 3 of them, found 2"),
        (lambda: State("phi", shape=0), "expected a whole number above 0"),
        (lambda: State("phi", [1.0, 9.0], shape=2, upper=5.0), "the default 9.0 lies outside"),
        (lambda: State("a.b.c"), "a name is an identifier"),
        (lambda: Records(State("a.b"), State("a_b")).indices, "cannot be indices"),
    ],
)
def test_records_that_are_wrong_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def ring(n=5, blocks=True):
    """Phases that pull their neighbours, with one record for all or with one for each."""
    if blocks:
        states, outputs = Records(State("h.phi", 0.1, "rad", shape=n)), Records(Output("mean"), Output("h.s", shape=n))
    else:
        states = Records(*(State(f"phi{i}", 0.1) for i in range(n)))
        outputs = Records(Output("mean"), *(Output(f"s{i}") for i in range(n)))

    def vector_field(xdot, t, x, p, chart):
        first = int(p[0])
        for i in range(n):
            xdot[i] = p[first + i] + p[1] * (x[(i + 1) % n] - x[i])

    def outputs_of(y, t, x, p, chart):
        y[0] = 0.0
        for i in range(n):
            y[0] += x[i] / n
            y[1 + i] = p[2] * x[i]

    return Model(
        "ring",
        states,
        parameters=Records(Parameter("h.f", (1.0,) * n), Parameter("pull", 0.5, upper=10.0)),
        inputs=Records(Input("gain", 2.0)),
        output_records=outputs,
        vector_field=vector_field,
        outputs=outputs_of,
    )


@pytest.mark.parametrize("method", ["dp5", "dop853", "rodas5p", "series", "rk4"])
def test_blocks_run_as_the_same_model_with_scalar_states_does(method):
    more = {"final_time": 2.0, "method": method, "first_step": 0.01}
    initial = {f"phi{i}": 0.5 if i == 2 else 0.3 for i in range(5)}
    parameters = {"h.f": [1.0, 1.0, 1.0, 1.0, 2.0]}
    plain = simulate(ring(blocks=False), initial=initial, parameters=parameters, **more)
    run = simulate(ring(), initial={"h.phi": 0.3, "h.phi[2]": 0.5}, parameters={"h.f": 1.0, "h.f[4]": 2.0}, **more)
    for name in ("t", "x", "y", "extension"):
        np.testing.assert_array_equal(getattr(run, name), getattr(plain, name))
    np.testing.assert_array_equal(run["h.phi"], run.x)
    np.testing.assert_array_equal(run["h.s[2]"], plain["s2"])
    np.testing.assert_array_equal(run["h.phi[1:3]"], run.x[:, 1:3])


@pytest.mark.parametrize(
    ("initial", "phases"),
    [
        ({"h.phi": 0.5}, [0.5] * 5),
        ({"h.phi": [1, 2, 3, 4, 5]}, [1, 2, 3, 4, 5]),
        ({"h": {"phi": 0.5, "phi[1]": 2}}, [0.5, 2, 0.5, 0.5, 0.5]),
        ({"h.phi[1]": 2}, [0.1, 2, 0.1, 0.1, 0.1]),
        ({"h.phi[1]": 2, "h.phi": 1}, [1] * 5),
        ({"h.phi": "10 deg"}, [np.deg2rad(10)] * 5),
    ],
)
def test_later_values_of_a_block_win(initial, phases):
    assert simulate(ring(), initial=initial, final_time=0.1).x[0].tolist() == phases


@pytest.mark.parametrize(
    ("section", "values", "message"),
    [
        ("initial", {"h.phi[7]": 1}, r"h.phi has 5 entries, h.phi\[0\] to h.phi\[4\]"),
        ("initial", {"h.phi": [1, 2]}, "expected 5 numbers, as in the model's default, found 2"),
        ("initial", {"h": {"q": 1}}, r"initial.h.q: the model has no such state"),
        ("initial", {"h.phi[2]": "x"}, "expected a number"),
        ("parameters", {"h.f[7]": 1}, r"h.f has 5 entries, h.f\[0\] to h.f\[4\]"),
        ("parameters", {"pull[2]": 1}, "pull is one number; write pull"),
        ("parameters", {"h.phi": 1}, "did you mean `initial.h.phi`"),
    ],
)
def test_wrong_values_of_blocks_are_refused(section, values, message):
    with pytest.raises(ConfigError, match=message):
        simulate(ring(), final_time=0.1, **{section: values})
