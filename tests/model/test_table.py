"""Names that differ in a number."""

from hybridsim.model.table import families, folded


def test_names_that_differ_in_their_first_number_are_a_family():
    names = ["f0_x", "f0_y", "speed", "f1_x", "f1_y", "v_2_3", "v_4_3"]
    assert families(names) == {
        "f{}_x": ["f0_x", "f1_x"],
        "f{}_y": ["f0_y", "f1_y"],
        "speed": ["speed"],
        "v_{}_3": ["v_2_3", "v_4_3"],
    }


def test_a_long_family_is_listed_by_its_ends_and_a_short_one_in_full():
    assert folded(["rho0", "rho1", "rho2", "rho3", "speed"]) == ["rho0 ... rho3", "speed"]
    assert folded(["rho0", "rho1", "rho2"]) == ["rho0", "rho1", "rho2"]
