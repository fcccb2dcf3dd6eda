"""Planar linkages: mobility, all that fit a limb, closure and transmission, against closed forms and known numbers."""

import itertools

import numpy as np
import pytest

from hybridsim.errors import ConfigError, ModelError
from hybridsim.multibody import (
    Linkage,
    actuator_pairs,
    enumerate_linkages,
    generic_mobility,
    mobility,
    null_space,
)

LIMB = {"hip": (0.0, 0.972, "-y"), "knee": (0.0, 0.522, "y")}
TWO = "03 04 15 26 35 46", [(0.0, 1.25), (0.0, 1.05), (0.0, 0.7), (0.0, 0.3), (0.12, 0.9), (-0.12, 0.65)]
TEN = "03 14 25 36 46 56", [(0.0, 1.2), (0.0, 0.75), (0.0, 0.3), (-0.12, 0.95), (-0.1, 0.6), (-0.14, 0.5)]
POSTURE = np.radians([20.0, 40.0])
PAIRS = {
    "03 14 15 26 34 56": 9,
    "03 04 15 26 35 46": 12,
    "03 14 25 26 35 46": 12,
    "03 14 25 34 36 56": 12,
    "03 14 25 34 46 56": 12,
    "03 14 25 36 45 46": 12,
    "03 14 25 36 45 56": 12,
    "03 14 25 35 36 46": 15,
    "03 14 25 35 46 56": 15,
    "03 14 25 36 46 56": 15,
}
DEPENDENT = {
    "03 14 15 26 34 56": ({1, 2, 5}, {3, 4, 6}),
    "03 04 15 26 35 46": ({1, 3, 5},),
    "03 14 25 26 35 46": ({2, 4, 6},),
    "03 14 25 34 36 56": ({1, 2, 4},),
    "03 14 25 34 46 56": ({1, 2, 4},),
    "03 14 25 36 45 46": ({2, 3, 5},),
    "03 14 25 36 45 56": ({2, 3, 5},),
}


@pytest.fixture(scope="module")
def all_of_four_links():
    return enumerate_linkages(("hip", "knee"), links=4, joints=6)


def text_of(edges):
    return " ".join(f"{first}{second}" for first, second in edges)


def test_four_links_and_six_joints_fit_a_leg_in_ten_ways(all_of_four_links):
    assert [*all_of_four_links.counts.values()] == [18_564, 957, 138, 137, 130, 88, 13, 10]
    assert {*map(text_of, all_of_four_links.edges)} == {*PAIRS}


def test_of_the_graphs_that_differ_by_names_there_are_as_many_as_burnside_counts():
    # orbits of the 24 orders of the links: the mean number of sets of six pairs that an order keeps
    pairs = [pair for pair in itertools.combinations(range(7), 2) if pair[1] >= 3]
    kept = 0
    for order in itertools.permutations(range(3, 7)):
        renamed = [0, 1, 2, *order]
        image = {(i, j): tuple(sorted((renamed[i], renamed[j]))) for i, j in pairs}
        ways, left = np.array([1, 0, 0, 0, 0, 0, 0]), {*pairs}
        while left:
            cycle, pair = set(), next(iter(left))
            while pair not in cycle:
                cycle.add(pair)
                pair = image[pair]
            left -= cycle
            more = np.zeros(7, int)
            if len(cycle) <= 6:
                more[len(cycle) :] = ways[: 7 - len(cycle)]
            ways = ways + more
        kept += ways[6]
    assert kept / 24 == 957


def test_pairs_of_actuators_are_all_but_those_within_one_small_loop():
    assert {edges: len(actuator_pairs(edges)) for edges in PAIRS} == PAIRS
    assert sum(PAIRS.values()) == 126
    for edges in PAIRS:
        within = [pair for triple in DEPENDENT.get(edges, ()) for pair in itertools.combinations(sorted(triple), 2)]
        assert {*actuator_pairs(edges)} == {*itertools.combinations(range(1, 7), 2)} - {*within}


def test_a_limb_of_one_joint_has_the_four_bar_linkage_alone():
    found = enumerate_linkages(("elbow",), links=2, joints=3)
    assert found.edges == (((0, 2), (1, 3), (2, 3)),)
    assert generic_mobility("01 02 13 23") == mobility(4, 4) == 1
    assert actuator_pairs(found.edges[0], 1) == ((1,), (2,), (3,))


def test_mobility_sees_what_counting_does_not():
    assert mobility(7, 8) == generic_mobility("01 12 03 04 15 26 35 46") == 2
    # triangles of bars lock hip and knee, and two links hang loose instead
    assert generic_mobility("01 12 03 13 14 24 35 46") == mobility(7, 8)
    with pytest.raises(ConfigError, match="these joints lock hip or knee"):
        Linkage(LIMB, "03 13 14 24 35 46", TWO[1])
    assert generic_mobility("01 12 34 35 36 45 46 56") == 5 > mobility(7, 8)


def test_the_transmission_has_the_known_numbers():
    two, ten = (Linkage(LIMB, *each).close(POSTURE) for each in (TWO, TEN))
    expected = [
        (-0.6279475204, 0.0),
        (-0.8676123089, 0.5528729074),
        (0.7437071364, 0.0),
        (0.0810931748, -1.0386020881),
        (0.3716546568, 0.0),
        (-0.0512945163, -0.5914749955),
    ]
    assert two.transmission[0] == pytest.approx(np.array(expected), abs=1e-9)
    angles = [-0.1969207887, 0.0082153756, 0.2193859757, -0.5939095124, 0.0672409140, -0.2530590376]
    assert two.relative[0] == pytest.approx(angles, abs=1e-9)
    expected = [
        (-0.8463450291, 0.8071881058),
        (-0.2124345073, 1.1017781373),
        (-0.1421077675, -0.5419331295),
        (0.3475211411, -0.9467806807),
        (0.7136106193, -1.2413707122),
        (0.6432838795, -0.5976594455),
    ]
    assert ten.transmission[0] == pytest.approx(np.array(expected), abs=1e-9)
    least, _ = Linkage(LIMB, *TEN).singular_values(POSTURE, (1, 6))
    assert least == pytest.approx([0.0092], abs=5e-5)


@pytest.mark.parametrize("design", [TWO, TEN])
def test_the_transmission_is_the_derivative_of_the_relative_angles(design):
    linkage, step = Linkage(LIMB, *design), 1e-3
    found = linkage.close(POSTURE).transmission[0]
    for joint in range(2):
        postures = POSTURE + step * np.array([-2.0, -1.0, 1.0, 2.0])[:, None] * np.eye(2)[joint]
        slope = np.array([1.0, -8.0, 8.0, -1.0]) @ linkage.close(postures).relative / (12.0 * step)
        assert found[:, joint] == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize("design", [TWO, TEN])
def test_every_bar_keeps_its_length_and_every_joint_its_bodies_together(design):
    linkage = Linkage(LIMB, *design)
    postures = linkage.close(np.radians([(20.0, 5.0), (-11.0, 15.0), (10.0, 65.0)]))
    where = np.zeros((2, 3, 6, 2))
    for joint, (edge, place) in enumerate(zip(linkage.edges, linkage.places, strict=True)):
        for end, body in enumerate(edge):
            x, z, turn = postures.bodies[:, body].T
            turned = np.exp(-1j * turn) * complex(*place)  # from z to x is clockwise in the plane of x and z
            where[end, :, joint] = np.stack([x + turned.real, z + turned.imag], axis=-1)
    assert where[0] == pytest.approx(where[1], abs=1e-12)
    for one, other in itertools.combinations(range(6), 2):
        shared = {*linkage.edges[one]} & {*linkage.edges[other]}
        if shared:
            length = np.linalg.norm(where[0, :, one] - where[0, :, other], axis=-1)
            assert length == pytest.approx(np.linalg.norm(linkage.places[one] - linkage.places[other]), abs=1e-12)


def test_a_four_bar_on_a_knee_follows_the_law_of_cosines():
    knee, thigh, shank, free = (0.0, 0.5), (0.0, 0.7), (0.0, 0.3), (0.2, 0.55)
    linkage = Linkage({"knee": (*knee, "y")}, "02 13 23", [thigh, shank, free])
    bend = np.linspace(0.0, 1.2, 7)
    found = linkage.close(bend[:, None])
    # the shank's joint turns about the knee; the free joint is where two circles meet, on the side of the drawing
    ends = np.array(knee) + 0.2 * np.stack([-np.sin(bend), -np.cos(bend)], axis=-1)
    a, b = np.hypot(0.2, 0.15), np.hypot(0.2, 0.25)
    way = ends - thigh
    d = np.linalg.norm(way, axis=-1)
    inner = np.arccos((a**2 + d**2 - b**2) / (2 * a * d))
    direction = np.arctan2(way[:, 1], way[:, 0]) + inner
    assert -(direction - direction[0]) == pytest.approx(found.relative[:, 0], abs=1e-12)


def test_a_parallelogram_turns_as_its_limb_does():
    linkage = Linkage({"knee": (0.0, 0.5, "y")}, "02 13 23", [(0.1, 0.5), (0.0, 0.2), (0.1, 0.2)])
    found = linkage.close([[0.7]])
    assert found.transmission[0, :, 0] == pytest.approx([1.0, -1.0, -1.0], abs=1e-12)


def test_a_null_space_is_orthogonal_to_its_rows():
    rows = np.random.default_rng(3).normal(size=(4, 7))
    rows = np.vstack([rows, rows[0] + rows[1]])
    basis = null_space(rows)
    assert basis.shape == (7, 3)
    assert rows @ basis == pytest.approx(np.zeros((5, 3)), abs=1e-12)
    assert basis @ basis.T == pytest.approx(np.eye(7) - np.linalg.pinv(rows) @ rows, abs=1e-12)


def test_loops_that_do_not_close_are_named_with_the_posture_in_which_they_lock():
    # in front of the knee the joints move apart as it bends, and two bars of together 0.402 m join them
    linkage = Linkage({"knee": (0.0, 0.5, "y")}, "02 13 23", [(0.1, 0.7), (0.1, 0.3), (0.12, 0.5)])
    with pytest.raises(ModelError, match=r"at knee 60 deg the loops do not close; .*they lock at knee 5 deg"):
        linkage.close([[np.radians(60)]])
    postures = linkage.close(np.radians([[60.0], [-60.0]]), strict=False)
    assert postures.closed.tolist() == [False, True]
    assert np.isnan(postures.transmission[0]).all()


def test_actuators_that_cannot_move_a_joint_are_named_with_the_joint():
    with pytest.raises(ConfigError, match=r"1 \(03\), 3 \(15\) cannot move knee, .*choose one of \(1, 2\)"):
        Linkage(LIMB, *TWO).refuse_actuators((1, 3))
    with pytest.raises(ConfigError, match=r"2 \(14\), 4 \(26\) cannot move hip"):
        Linkage(LIMB, "03 14 25 26 35 46", TWO[1]).refuse_actuators((2, 4))


@pytest.mark.parametrize("actuators", [(1, 99), (0, 1), (1, 2, 3), (2, 2), (1, 2.0)])
def test_what_are_not_as_many_joints_as_the_limb_has_are_no_actuators(actuators):
    with pytest.raises(ConfigError, match=r"expected 2 different joints of 1 to 6, found \[.*; choose as many .*hip"):
        Linkage(LIMB, *TWO).singular_values(POSTURE, actuators)


@pytest.mark.parametrize("design", [TWO, TEN])
@pytest.mark.parametrize(("scale", "shift"), [(1e-3, 0.0), (1e3, 0.0), (1.0, 1000.0)])
def test_the_unit_of_lengths_and_the_origin_of_the_drawing_change_nothing(design, scale, shift):
    edges, places = design
    moved = [(scale * x + shift, scale * z) for x, z in places]
    limb = {name: (scale * x + shift, scale * z, axis) for name, (x, z, axis) in LIMB.items()}
    one, other = (each.close(POSTURE) for each in (Linkage(LIMB, *design), Linkage(limb, edges, moved)))
    assert other.relative == pytest.approx(one.relative, abs=1e-12 * (1.0 + shift))
    assert other.transmission == pytest.approx(one.transmission, abs=1e-11 * (1.0 + shift))


def test_a_drawing_whose_bars_are_in_line_is_singular_in_every_unit():
    for scale in (1e-3, 1.0, 1e3):
        places = [(scale * x, scale * z) for x, z in [(0.0, 0.7), (0.0, 0.3), (0.0, 0.5)]]
        with pytest.raises(ConfigError, match="the drawing itself is singular"):
            Linkage({"knee": (0.1 * scale, 0.5 * scale, "y")}, "02 13 23", places)


def test_a_singular_posture_of_a_gait_is_named_with_its_instant():
    linkage, times = Linkage(LIMB, *TEN), np.array([0.0, 0.1, 0.2])
    gait = np.radians([(5.0, 10.0), (20.0, 40.0), (10.0, 60.0)])
    linkage.refuse_singular(times, gait, (3, 4))
    with pytest.raises(ModelError, match=r"at t = 0 s, hip 5 deg, knee 10 deg, the posture is singular: .*1 \(03\) a"):
        linkage.refuse_singular(times, gait, (1, 6))


@pytest.mark.parametrize(
    ("limb", "edges", "places", "message"),
    [
        ({"hip": (0, 0.5, "-y"), "knee": (0, 0.5, "y")}, *TWO, "hip and knee are at the same place.*move one"),
        ({"hip": (0, 0.9, "x"), "knee": (0, 0.5, "y")}, *TWO, "hip: expected x, z .* and the axis"),
        ({}, *TWO, "it has no joint; give"),
        (LIMB, "03 14 25", TWO[1][:3], "3 joints of 3 links do not leave the limb its freedom"),
        (LIMB, "03 04 15 26 35 55", TWO[1], "55 is not between two bodies; give"),
        (LIMB, "0-3 14", TWO[1], "expected pairs of bodies, found '0-3 14'; give"),
        (LIMB, "03 04 15 27 35 47 57 38 18", [*TWO[1], *TWO[1][:3]], "the link 6 has no joint; number"),
        (LIMB, TWO[0], TWO[1][:5], "expected x and z .* of 6 joints"),
    ],
)
def test_what_is_no_linkage_is_refused(limb, edges, places, message):
    with pytest.raises(ConfigError, match=message):
        Linkage(limb, edges, places)


def test_numbers_of_links_that_take_the_limb_its_freedom_are_refused():
    with pytest.raises(ConfigError, match="have the mobility 1; the limb keeps its own with 3"):
        enumerate_linkages(("hip", "knee"), links=3, joints=5)
    with pytest.raises(ConfigError, match="38,567,100 graphs of 6 links"):
        enumerate_linkages(("hip", "knee"), links=6, joints=9)
