"""Tables of records: their named indices, and names that differ in a number."""

import pickle

import pytest

from hybridsim import Input, Model, ModelError, Parameter, Records, State, simulate
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.model.table import families, fold_families, list_names
from hybridsim.testing import check_model


def test_indices_are_named_and_made_once():
    states = Records(State("y"), State("v"))
    indices = states.indices
    assert (indices.y, indices.v) == (0, 1)
    assert tuple(indices) == (0, 1)
    assert states.indices is indices
    assert Records().indices == ()
    assert pickle.loads(pickle.dumps(states)) == states
    with pytest.raises(AttributeError, match="height"):
        _ = indices.height


def test_the_inputs_follow_the_parameters_in_the_sum_of_both():
    parameters, inputs = Records(Parameter("k"), Parameter("m")), Records(Input("push"))
    assert (parameters + inputs).names == ("k", "m", "push")
    assert (parameters + inputs).indices.push == 2
    with pytest.raises(ModelError, match="'k' is declared twice"):
        parameters + Records(Input("k"))


def test_a_name_with_a_leading_underscore_cannot_be_a_named_index():
    states = Records(State("_y"), State("v"))
    assert states.index("_y") == 0
    with pytest.raises(ModelError, match="'_y' begins with an underscore and cannot be a named index; rename it"):
        _ = states.indices


# `count` and `index` are methods of every tuple; as names of records they are indices.
STATES = Records(State("count", 1.0), State("index", 2.0), State("y"))
S = STATES.indices


def adds(xdot, t, x, p, chart):
    xdot[S.y] = x[S.count] + 10.0 * x[S.index]


def test_named_indices_compile_to_constants():
    model = Model("sum", STATES, vector_field=adds)
    assert "fine" in check_model(model)
    assert simulate(model, final_time=1.0)["y"][-1] == pytest.approx(21.0)


def test_swapped_records_make_another_compiled_function():
    def field_with(records):
        scope = {"S": records.indices}
        exec("def field(xdot, t, x, p, chart):\n    xdot[S.a] = x[S.b]\n", scope)
        return content_hash(scope["field"])

    hashes = [field_with(Records(*map(State, names))) for names in ("ab", "ba", "ab", "abc")]
    assert hashes[0] == hashes[2]
    assert len(set(hashes)) == 3


def test_names_that_differ_in_their_first_number_are_a_family():
    names = ["f0_x", "f0_y", "speed", "f1_x", "f1_y", "v_2_3", "v_4_3"]
    assert families(names) == {
        "f{}_x": ["f0_x", "f1_x"],
        "f{}_y": ["f0_y", "f1_y"],
        "speed": ["speed"],
        "v_{}_3": ["v_2_3", "v_4_3"],
    }


def test_a_long_family_is_listed_by_its_ends_and_a_short_one_in_full():
    assert fold_families(["rho0", "rho1", "rho2", "rho3", "speed"]) == ["rho0 ... rho3", "speed"]
    assert fold_families(["rho0", "rho1", "rho2"]) == ["rho0", "rho1", "rho2"]


def test_all_names_that_occur_twice_are_named_at_once():
    with pytest.raises(ModelError, match=r"^'k', 'm' are declared twice; names must be unique$"):
        Records(*(State(name) for name in ("k", "m", "k", "m", "k")))


def test_of_many_names_the_nearest_are_listed_and_the_others_counted():
    names = [f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst"]
    text = list_names(names, "jx")
    assert text.startswith("jk, jl, jm, jn, jo, jp, jq, jr, js, jt, ")
    assert text.endswith(" and 76 others")
    assert list_names(names[:3], "jx") == "ak, al, am"
    assert list_names([]) == "(none)"
    assert list_names(["y", "v", "y"]) == "y, v"
    assert list_names([f"rho{i}" for i in range(300)]) == "rho0 ... rho299"
