"""What is no mechanism, no position of one, or no constraint of it is refused in a sentence."""

import math
import re

import numpy as np
import pytest

from hybridsim import ModelError
from hybridsim.multibody import Body, Compound, Fixed, Free, Joint, Mechanism, Partition, Planar, Prismatic, Revolute

SOLID = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
TURNING = Revolute("q")
SKEW = np.array([[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
MIRRORED = np.diag([1.0, 1.0, -1.0])


def body(name="leg", joint=TURNING, parent="world", **more):
    return Body(name, joint, parent, **{**SOLID, **more})


def mechanism(*bodies, **more):
    return Mechanism(*(bodies or (body(),)), **more)


BODIES = {
    "a name that is no identifier": (lambda: body("left leg"), "body 'left leg': a name is an identifier"),
    "an underscore before a name": (lambda: body("_leg"), "body '_leg': its name begins with an underscore"),
    "no joint": (lambda: body(joint="revolute"), "its joint must be one of Fixed, Revolute, Prismatic, Spherical,"),
    "a class for a joint": (lambda: body(joint=Revolute), "body 'leg': its joint must be one of Fixed"),
    "a joint of no kind": (lambda: body(joint=Joint()), "body 'leg': its joint must be one of Fixed"),
    "no parent": (lambda: body(parent=None), "its parent must be the name of a body, or 'world', not None"),
    "a negative mass": (lambda: body(mass=-0.1), "body 'leg': the mass -0.1 must be a finite number, at least 0 kg"),
    "a mass in words": (lambda: body(mass="heavy"), "body 'leg': mass: expected a finite number, found 'heavy'"),
    "an infinite mass": (lambda: body(mass=math.inf), "body 'leg': mass: expected a finite number, found inf"),
    "a centre in the plane": (lambda: body(centre=(0.0, 1.0)), "body 'leg': centre: expected three finite numbers"),
    "a place in words": (lambda: body(joint=Fixed(place="hip")), "place of the joint: expected three finite numbers"),
    "a skew frame": (lambda: body(joint=Free("f", turn=SKEW)), "body 'leg': `turn` must be a rotation matrix"),
    "a mirrored frame": (lambda: body(joint=Fixed(turn=MIRRORED)), "body 'leg': `turn` must be a rotation matrix"),
    "a frame in words": (lambda: body(joint=Fixed(turn="up")), "body 'leg': `turn` must be a rotation matrix"),
    "a stiffness in words": (
        lambda: body(joint=Revolute("q", stiffness="soft")),
        "body 'leg': stiffness of the joint: expected a finite number, found 'soft'",
    ),
    "a damping that is no number": (
        lambda: body(joint=Prismatic("q", damping=math.nan)),
        "body 'leg': damping of the joint: expected a finite number, found nan",
    ),
    "a limit that is no number": (
        lambda: body(joint=Revolute("q", upper=math.nan)),
        "body 'leg': upper limit of the joint: expected a number, found nan",
    ),
    "limits in the wrong order": (
        lambda: body(joint=Revolute("q", lower=1.0, upper=-1.0)),
        "body 'leg': the lower limit of the joint, 1, is above the upper one, -1",
    ),
    "four moments of inertia": (lambda: body(inertia=(1.0, 1.0, 1.0, 0.0)), "the inertia must be (xx, yy, zz), (xx,"),
    "an inertia in words": (
        lambda: body(inertia="round"),
        "the inertia must be (xx, yy, zz), (xx, yy, zz, xy, xz, yz)",
    ),
    "an inertia that is not symmetric": (lambda: body(inertia=SKEW), "or a symmetric 3 x 3 matrix, not"),
    "an infinite inertia": (lambda: body(inertia=(1.0, 1.0, math.inf)), "moments of inertia must be finite numbers"),
    "a negative inertia": (lambda: body(inertia=(1.0, 1.0, -0.5)), "moments of inertia -0.5, 1, 1 kg m^2: none may be"),
    "a compound joint of one joint": (lambda: Compound(TURNING), "a compound joint is made of Revolute, Prismatic and"),
    "a compound joint of none": (lambda: Compound(()), "a compound joint is made of Revolute, Prismatic and Spherical"),
    "a compound joint with a fixed one": (lambda: Compound((TURNING, Fixed())), "Spherical joints, not of (Revolute("),
    "an inertia beyond the triangle": (
        lambda: body(inertia=(1.0, 1.0, 2.1)),
        "no body has the principal moments of inertia 1, 1, 2.1 kg m^2: none may be negative, and none larger than",
    ),
}

MECHANISMS = {
    "no bodies": (Mechanism, "a mechanism has at least one body"),
    "a list": (lambda: Mechanism([body()]), "a mechanism is made of bodies, Mechanism(Body(...), Body(...)), not of ["),
    "a body called world": (lambda: mechanism(body("world")), "a body cannot be called 'world', which is the ground"),
    "a loop": (
        lambda: mechanism(body("a", Revolute("p"), "b"), body("b", Revolute("q"), "a"), body("c", Revolute("r"))),
        "bodies 'a', 'b' form a loop: none of them has 'world' as an ancestor. Cut the loop at one joint",
    ),
    "a parent that does not exist": (
        lambda: mechanism(body("thigh"), body("shank", Revolute("knee"), "thig")),
        "body 'shank': its parent 'thig' is not a body of this mechanism; did you mean `thigh`?",
    ),
    "a body twice": (lambda: mechanism(body(), body(joint=Revolute("p"))), "body 'leg' occurs twice; names must be"),
    "a body called as a massless one": (
        lambda: mechanism(body("hip", Free("f")), body("hip_1")),
        "body 'hip_1' occurs twice; names must be unique (a joint of several parts adds massless bodies",
    ),
    "a coordinate twice": (lambda: mechanism(body(), body("arm")), "coordinate 'q' occurs twice; names must be unique"),
    "a coordinate of a free joint twice": (
        lambda: mechanism(body("a", Free("f")), body("b", Prismatic("f_x"))),
        "coordinate 'f_x' occurs twice",
    ),
    "a name of a joint": (lambda: mechanism(body(joint=Revolute("a b"))), "coordinate 'a b': a name is an identifier"),
    "an unknown axis": (
        lambda: mechanism(body(joint=Revolute("q", "up"))),
        "body 'leg': the axis 'up' is unknown; give",
    ),
    "an axis of length 0": (
        lambda: mechanism(body(joint=Prismatic("q", (0.0, 0.0, 0.0)))),
        "body 'leg': the axis is a vector of length 0",
    ),
    "an axis in the plane": (
        lambda: mechanism(body(joint=Revolute("q", (1, 0)))),
        "axis: expected three finite numbers",
    ),
    "an unknown normal": (
        lambda: mechanism(body(joint=Planar("q", "-z"))),
        "the normal of a planar joint is 'x', 'y' or",
    ),
    "a scalar for gravity": (lambda: mechanism(gravity=9.81), "gravity: expected three finite numbers, found 9.81"),
}

ROW = np.array([[1.0, 0.0]])
ONE, NONE = Partition(1, 0, np.array([0]), np.zeros(0, int)), Partition(0, 1, np.zeros(0, int), np.array([0]))
TWO_LEGS = mechanism(body(), body("arm", Revolute("p"), "leg"))

USES = {
    "too many coordinates": (
        lambda: mechanism().mass_matrix([0.0, 1.0]),
        "expected a finite number for each of the 1 coordinates (q), found [0.0, 1.0]",
    ),
    "coordinates that are no numbers": (lambda: mechanism().mass_matrix("up"), "coordinates (q), found 'up'"),
    "a coordinate that is nan": (lambda: mechanism().mass_matrix([math.nan]), "coordinates (q), found [nan]"),
    "a scalar for speeds": (lambda: mechanism().inertia_forces([0.0], 1.0), "each of the 1 speeds (qdot), found 1.0"),
    "an unknown coordinate": (
        lambda: TWO_LEGS.mass_matrix({"r": 1.0}),
        "there is no coordinate 'r'",
    ),
    "an unknown speed": (lambda: mechanism().momentum([0.0], {"qdt": 1.0}), "no speed 'qdt'; did you mean `qdot`?"),
    "a value by name in words": (
        lambda: mechanism().mass_matrix({"q": "up"}),
        "coordinate 'q': expected a finite number",
    ),
    "an unknown body": (lambda: mechanism().position([0.0], "log"), "there is no body 'log'; did you mean `leg`?"),
    "a point in the plane": (
        lambda: mechanism().position([0.0], "leg", (0, 1)),
        "point: expected three finite numbers",
    ),
    "a massless body": (
        lambda: Mechanism(Body("leg", TURNING)).forward_dynamics([0.0]),
        "the mass matrix is singular: a speed moves no mass, and no row restrains it",
    ),
    "rows without a drift": (
        lambda: mechanism().partition([[1.0]]),
        "constraint rows are an array of finite numbers with 2 columns, one for each speed and one for the drift",
    ),
    "one row alone": (
        lambda: mechanism().partition([1.0, 0.0]),
        "constraint rows are an array of finite numbers with 2",
    ),
    "a row that is nan": (lambda: mechanism().partition([[1.0, math.nan]]), "constraint rows are an array of finite"),
    "names for other rows": (
        lambda: mechanism().partition(ROW, ["a", "b"]),
        "1 constraint rows have as many names, not 2",
    ),
    "a row of zeros": (
        lambda: mechanism().partition(0.0 * ROW, ["toe"]),
        "constraint rows toe are zero or follow from",
    ),
    "a row that is rounding": (lambda: mechanism().partition(1e-16 * ROW, ["toe"]), "constraint rows toe are zero or"),
    "more rows than speeds": (
        lambda: mechanism().partition([[1.0, 0.0], [2.0, 0.0]]),
        "are zero or follow from the others",
    ),
    "too few dependent speeds": (
        lambda: TWO_LEGS.partition(np.eye(2, 3), dependent=["qdot"]),
        "2 constraint rows make as many speeds dependent, not 1",
    ),
    "a speed twice": (
        lambda: TWO_LEGS.partition(np.eye(2, 3), dependent=["qdot", "qdot"]),
        "the dependent speeds qdot, qdot",
    ),
    "a dependent speed that is unknown": (
        lambda: TWO_LEGS.partition(np.eye(1, 3), dependent=["rdot"]),
        "there is no speed 'rdot'",
    ),
    "a dependent speed that the row does not hold": (
        lambda: TWO_LEGS.partition(np.eye(1, 3), dependent=["pdot"]),
        "the constraint rows do not determine the speeds pdot in this position; choose others",
    ),
    "a partition of other rows": (
        lambda: mechanism().constrained_dynamics([0.0], [0.0], (), ROW, NONE),
        "the partition is of 0 rows for 1 speeds, and not of 1 rows for 1 speeds",
    ),
    "a partition that has lost its rows": (
        lambda: mechanism().constrained_dynamics([0.0], [0.0], (), 0.0 * ROW, ONE),
        "the constraint rows do not determine the speeds qdot in this position: choose others",
    ),
    "a restitution above 1": (
        lambda: mechanism().impact([0.0], [1.0], ROW, ONE, 1.5),
        "restitution must be between 0 (plastic) and 1 (elastic), not 1.5",
    ),
}
CASES = {**BODIES, **MECHANISMS, **USES}


@pytest.mark.parametrize("case", CASES)
def test_it_is_refused_in_a_sentence(case):
    attempt, message = CASES[case]
    with pytest.raises(ModelError, match=re.escape(message)):
        attempt()


@pytest.mark.parametrize(
    "inertia",
    [
        (1.0, 1.0, 2.0),  # a flat body
        (0.0, 1.0, 1.0),  # a rod
        (0.0, 0.0, 0.0),  # a point
        np.diag([1.0, 1.0, 2.0]) + 1e-17 * SKEW,  # as rounding leaves it
        (0.1, 0.1, 0.1 + 0.1 + 1e-17),
    ],
)
def test_an_inertia_at_the_limits_is_physical(inertia):
    assert body(inertia=inertia).inertia_matrix().shape == (3, 3)


def test_no_dependent_speeds_for_no_rows():
    chosen = mechanism().partition(np.zeros((0, 2)), dependent=[])
    assert (chosen.n_rows, chosen.n_free) == (0, 1)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: Compound(Revolute("a"), Revolute("b")), "Compound takes joints, found 2 values"),
        (lambda: Revolute("a", axes="x"), "did you mean `axis`?"),
        (lambda: Body("a", Revolute("q"), mas=1.0), "did you mean `mass`?"),
        (Free, "Free needs an argument `name`"),
    ],
)
def test_arguments_that_joints_and_bodies_do_not_take_are_named(attempt, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        attempt()
