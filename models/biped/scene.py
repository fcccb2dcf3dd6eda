"""What the biped looks like: limbs, trunk and feet, what the ground does to them, and where the weight is.

The right leg and arm have one colour, the left ones another, whichever of the feet is foot 1. Arrows are the forces of
the ground, from the centre of pressure of each foot on, and pushes. On the ground lie the edges of the support polygon,
a red disc at the centre of pressure and a blue one below the mass centre.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hybridsim import Records
from hybridsim.multibody import positions
from hybridsim.multibody.tree import AXES, FRAME_SIZE
from hybridsim.multibody.tree import ORIGIN as FIRST
from hybridsim.scene import (
    HIDDEN,
    Arrow,
    Body,
    Box,
    Camera,
    Capsule,
    Cone,
    Cylinder,
    Ground,
    Push,
    Scene,
    Sphere,
    between,
    placed,
    turn,
)

from .anthropometry import (
    ANKLE_HEIGHT,
    FOOT,
    FOREARM,
    HEEL_TO_ANKLE,
    HEEL_TO_TOE,
    HIP_DISTANCE,
    SHANK,
    SHOULDER_HEIGHT,
    SHOULDER_SIDE,
    SOLE_WIDTH,
    THIGH,
    UPPER_ARM,
)
from .body import DATA, MOTION, ORIGIN, TREE, Build, F, describe, heel1, heel2, toe1, toe2
from .contacts import FX, FY, FZ, N_WRENCH, TX, TY
from .dynamics import Instant, build_of, push_force, trunk_centre
from .frame import Frame, frame_of, in_world
from .limits import sole1, sole2
from .records import P, Y, foot1_of, foot2_of, mode_of, on_ground

H = 1.75
"""Stature of the body whose shapes are given here [m]; another one is this one made larger or smaller."""
COLOUR_OF_SIDE = {"right": "#c8553d", "left": "#2f7fa8"}
PELVIS_COLOUR, TRUNK_COLOUR, HEAD_COLOUR = "#6b7681", "#aab3bb", "#d8bfa4"
FORCE_COLOUR, PUSH_COLOUR, SUPPORT_COLOUR = "#2b7a4b", "#8a4fa3", "#e0a030"
PRESSURE_COLOUR, CENTRE_COLOUR = "#d02f2f", "#3a6fe0"
SOLE_THICKNESS, TOE_THICKNESS, TOES = 0.03, 0.022, FOOT.length - HEEL_TO_TOE
INSTEP = np.array([HEEL_TO_TOE * H - 0.02, 0.0, 0.032]) - (HEEL_TO_ANKLE * H, 0.0, ANKLE_HEIGHT * H)
"""From the ankle to the end of the instep, in the frame of a foot [m]."""
ARROW_LENGTH = 0.7
"""Length of the arrows of the ground's forces per body weight [m]; pushes have twice this scale."""
MIN_SHOWN_FORCE = 1e-3
"""Part of the body weight below which a foot's force is not shown: it has no certain place."""
DISC_THICKNESS, EDGE_HEIGHT = 0.012, 0.01
MAX_SUPPORT_EDGES = 8
"""Most edges of the support polygon: two soles have so many corners."""


def bodies_of_side(side, colour):
    """Return the limbs of a side."""
    return (
        Body(f"thigh_{side}", Capsule(0.06, THIGH.length * H), colour),
        Body(f"knee_{side}", Sphere(0.062), PELVIS_COLOUR),
        Body(f"shank_{side}", Capsule(0.041, SHANK.length * H), colour),
        Body(f"ankle_{side}", Sphere(0.044), PELVIS_COLOUR),
        Body(f"instep_{side}", Capsule(0.03, math.hypot(*INSTEP)), colour, 0.55),
        Body(f"sole_{side}", Box((HEEL_TO_TOE * H, SOLE_WIDTH * H, SOLE_THICKNESS)), colour, 0.55),
        Body(f"toes_{side}", Box((TOES * H, 0.96 * SOLE_WIDTH * H, TOE_THICKNESS)), colour, 0.55),
        Body(f"shoulder_{side}", Sphere(0.055), TRUNK_COLOUR),
        Body(f"upper_arm_{side}", Capsule(0.038, UPPER_ARM.length * H), colour),
        Body(f"forearm_{side}", Capsule(0.03, FOREARM.length * H), colour),
        Body(f"hand_{side}", Sphere(1.0), HEAD_COLOUR),
    )


SCENE = Scene(
    bodies=Records(
        Body("pelvis", Capsule(0.09, HIP_DISTANCE * H - 0.03), PELVIS_COLOUR),
        Body("waist", Sphere(1.0), TRUNK_COLOUR),
        Body("chest", Sphere(1.0), TRUNK_COLOUR),
        Body("neck", Capsule(0.045, 0.1), HEAD_COLOUR),
        Body("head", Sphere(1.0), HEAD_COLOUR),
        Body("nose", Sphere(0.018), HEAD_COLOUR),
        *(body for side, colour in COLOUR_OF_SIDE.items() for body in bodies_of_side(side, colour)),
        *(Body(f"ground_{side}", Arrow(0.018), FORCE_COLOUR, kind="force") for side in COLOUR_OF_SIDE),
        *(Body(f"cone_{side}", Cone(), SUPPORT_COLOUR, opacity=0.3, kind="cone") for side in COLOUR_OF_SIDE),
        Body("push", Arrow(0.018), PUSH_COLOUR, kind="force"),
        *(Body(f"support{i}", Cylinder(0.006), SUPPORT_COLOUR, kind="force") for i in range(MAX_SUPPORT_EDGES)),
        Body("pressure", Cylinder(0.028), PRESSURE_COLOUR, kind="force"),
        Body("centre", Cylinder(0.04), CENTRE_COLOUR, kind="force"),
    ),
    ground=Ground(checker=0.5),
    camera=Camera("centre", along="xy", at=(0.0, 0.0, 0.82), distance=4.2, view=(-0.62, 1.0, -0.36)),
    outputs=("com_vx", "fz_right", "fz_left"),
    newtons_per_metre=lambda p: p[P.mass] * p[P.g] / ARROW_LENGTH,
    pushes=[
        Push(body, ("force_x", "force_y", "force_z"), stiffness=400.0, limit=200.0)
        for body in ("chest", "waist", "pelvis", "head")
    ],
)
BODIES = SCENE.bodies.indices
BODIES_PER_SIDE = BODIES.thigh_left - BODIES.thigh_right
TURN_TO_SIDE = turn((1.0, 0.0, 0.0), 0.5 * math.pi)
TURN_INTO_INSTEP = turn((0.0, 1.0, 0.0), math.atan2(INSTEP[0], INSTEP[2]))
"""Rotations of bodies along z: to the side, and into the instep."""


class Picture(NamedTuple):
    """What is drawn.

    Attributes
    ----------
    instant : Instant
        When, and where in the states.
    origins, rotations : (n_frames, 3) and (n_frames, 3, 3) arrays
        Where the frames of the bodies are in the world [m], and their rotations.
    y : array
        The outputs.
    frame : Frame
        The biped's own frame.
    size : float
        Of the body, over that of the shapes.
    """

    instant: Instant
    origins: np.ndarray
    rotations: np.ndarray
    y: np.ndarray
    frame: Frame
    size: float


def poses(T, t, x, p, chart, y):
    motion, state = [0.0] * MOTION, x.tolist()  # Python computes with its own numbers in a third of the time
    positions(motion, TREE, described(tuple(map(float, build_of(p)))), state)
    frame, frames = frame_of(x, chart), np.array(motion)[: TREE.n_frames * FRAME_SIZE].reshape(-1, FRAME_SIZE)
    mirror, to_world = np.array([1.0, frame.mirror, 1.0]), turn((0.0, 0.0, 1.0), frame.heading)
    origins = (frame.x, frame.y, 0.0) + (mirror * frames[:, FIRST : FIRST + 3]) @ to_world.T
    axes = frames[:, AXES : AXES + 9].reshape(-1, 3, 3)
    rotations = to_world @ (mirror[:, None] * axes.transpose(0, 2, 1) * mirror)
    picture = Picture(Instant(t, x, p, chart, None, None), origins, rotations, y, frame, p[P.stature] / H)
    pose_trunk(T, picture)
    leg1, leg2 = BODIES_PER_SIDE * mode_of(chart), BODIES_PER_SIDE * (1 - mode_of(chart))
    pose_leg(T, leg1, picture, (F.hat, F.thigh1, F.shank1), (F.thigh1, F.shank1))
    pose_leg(T, leg2, picture, (F.thigh2, F.shank2, F.foot2), (F.thigh2, F.shank2))
    stature = p[P.stature]
    pose_foot(T, leg1, picture, F.foot1, (heel1(stature), toe1(stature)))
    pose_foot(T, leg2, picture, F.foot2, (heel2(stature), toe2(stature)))
    pose_ground(T, picture)
    pose_push(T, picture)


@lru_cache(maxsize=8)
def described(build):
    """Return the constants of the bodies of a build."""
    data = [0.0] * DATA
    describe(data, Build(*build))
    return data


def place_of(picture, frame, place=ORIGIN):
    """Return where a point of a body is, in the world (3,) [m]."""
    return picture.origins[frame] + picture.rotations[frame] @ (place[0], picture.frame.mirror * place[1], place[2])


def trunk():
    """Yield the bodies of trunk, head and arms, and their poses where the hips meet."""
    yield BODIES.pelvis, placed((0.0, 0.0, 0.03), TURN_TO_SIDE)
    yield BODIES.waist, placed((0.0, 0.0, 0.19), scale=(0.1, 0.135, 0.17))
    yield BODIES.chest, placed((0.0, 0.0, 0.39), scale=(0.115, 0.165, 0.2))
    yield BODIES.neck, placed((0.0, 0.0, 0.585))
    yield BODIES.head, placed((0.01, 0.0, 0.7), scale=(0.095, 0.078, 0.115))
    yield BODIES.nose, placed((0.105, 0.0, 0.69))
    for first, side in ((0, -1.0), (BODIES_PER_SIDE, 1.0)):
        shoulder = np.array([0.0, side * SHOULDER_SIDE * H, SHOULDER_HEIGHT * H])
        elbow = shoulder - (0.0, 0.0, UPPER_ARM.length * H)
        wrist = elbow - (0.0, 0.0, FOREARM.length * H)
        yield BODIES.shoulder_right + first, placed(shoulder - (0.0, 0.02 * side, 0.01))
        yield BODIES.upper_arm_right + first, placed(0.5 * (shoulder + elbow))
        yield BODIES.forearm_right + first, placed(0.5 * (elbow + wrist))
        yield BODIES.hand_right + first, placed(wrist - (0.0, 0.0, 0.07), scale=(0.03, 0.02, 0.075))


TRUNK, TRUNK_POSES = map(np.array, zip(*trunk(), strict=True))


def pose_trunk(T, picture):
    """Pose pelvis, trunk, head and arms."""
    middle = place_of(picture, F.hat, (0.0, 0.5 * HIP_DISTANCE * picture.instant.p[P.stature], 0.0))
    T[TRUNK] = placed(middle, picture.rotations[F.hat], picture.size) @ TRUNK_POSES


def pose_leg(T, first, picture, joints, limbs):
    """Pose thigh and shank, from the bodies that begin at hip, knee and ankle, and those that turn."""
    hip, knee, ankle = (place_of(picture, frame) for frame in joints)
    thigh, shank = (picture.rotations[frame] for frame in limbs)
    T[BODIES.thigh_right + first] = placed(0.5 * (hip + knee), thigh, picture.size)
    T[BODIES.shank_right + first] = placed(0.5 * (knee + ankle), shank, picture.size)
    T[BODIES.knee_right + first] = placed(knee, shank, picture.size)
    T[BODIES.ankle_right + first] = placed(ankle, shank, picture.size)


def pose_foot(T, first, picture, frame, ends):
    """Pose a foot between heel and toe hinge, with toes that lie flat on the ground where their foot stands on them."""
    heel, hinge = (place_of(picture, frame, end) for end in ends)
    rotation, size = picture.rotations[frame], picture.size
    up, ahead = rotation[:, 2], rotation[:, 0]
    T[BODIES.sole_right + first] = placed(0.5 * (heel + hinge) + 0.5 * size * SOLE_THICKNESS * up, rotation, size)
    ankle = heel + size * H * (HEEL_TO_ANKLE * ahead + ANKLE_HEIGHT * up)
    T[BODIES.instep_right + first] = placed(ankle + 0.5 * size * rotation @ INSTEP, rotation @ TURN_INTO_INSTEP, size)
    down = math.asin(min(max(-ahead[2], -1.0), 1.0))
    most = math.asin(min(max(hinge[2] / (TOES * H * size), 0.0), 1.0))
    toes = rotation if down <= most else rotation @ turn((0.0, 1.0, 0.0), most - down)
    middle = 0.5 * size * (TOES * H * toes[:, 0] + TOE_THICKNESS * toes[:, 2])
    T[BODIES.toes_right + first] = placed(hinge + middle, toes, size)


def pose_ground(T, picture):
    """Pose what the ground does: forces on both feet, support polygon, centre of pressure; and the mass centre."""
    p, chart, y = picture.instant.p, picture.instant.chart, picture.y
    mode = mode_of(chart)
    toe = place_of(picture, F.foot1, toe1(p[P.stature]))
    heel = place_of(picture, F.foot2, heel2(p[P.stature]))
    pressure1 = pose_force(T, mode, picture, y[Y.fx1 : Y.fx1 + N_WRENCH], toe)
    pressure2 = pose_force(T, 1 - mode, picture, y[Y.fx2 : Y.fx2 + N_WRENCH], heel)
    weighed = [found for found in (pressure1, pressure2) if found is not None]
    total = sum(fz for fz, _ in weighed)
    centre = sum(fz * place for fz, place in weighed) / total if weighed else None
    T[BODIES.pressure] = HIDDEN if centre is None else disc(centre, EDGE_HEIGHT)
    across1, across2 = (picture.rotations[frame][:2, 1] for frame in (F.foot1, F.foot2))
    corners = corners_of(toe, across1, sole1(p, chart), p) if on_ground(foot1_of(chart)) else []
    corners += corners_of(heel, across2, sole2(p, chart), p) if on_ground(foot2_of(chart)) else []
    pose_support(T, hull_of(corners))
    T[BODIES.centre] = disc((y[Y.com_x], y[Y.com_y]), 0.002)


def disc(place, height):
    return placed((place[0], place[1], height), scale=(1.0, 1.0, DISC_THICKNESS))


def pose_force(T, side, picture, wrench, place):
    """Pose the arrow of the force on a foot of a side (0: right), and its cone of friction.

    Return its vertical force and centre of pressure, or None for none.
    """
    p, fz = picture.instant.p, wrench[FZ]
    weight = p[P.mass] * p[P.g]
    if not (fz > MIN_SHOWN_FORCE * weight and np.isfinite(wrench).all()):
        T[BODIES.ground_right + side] = T[BODIES.cone_right + side] = HIDDEN
        return None
    centre = np.array([place[0] - wrench[TY] / fz, place[1] + wrench[TX] / fz, 0.0])
    force = np.array([wrench[FX], wrench[FY], fz])
    T[BODIES.ground_right + side] = between(centre, centre + force * ARROW_LENGTH / weight)
    height, radius = fz * ARROW_LENGTH / weight, p[P.friction] * fz * ARROW_LENGTH / weight
    T[BODIES.cone_right + side] = placed(centre, scale=(radius, radius, height)) if radius > 0.0 else HIDDEN
    return fz, centre


def corners_of(point, across, sole, p):
    """Return the corners of the support of a foot, whose ends lie `sole` ahead of a point: a list of (x, y) [m].

    `across` (2,) is along the ground to the left of the foot.
    """
    half, (x, y) = 0.5 * SOLE_WIDTH * p[P.stature], across / np.linalg.norm(across)
    return [
        (point[0] + ahead * y + side * x, point[1] - ahead * x + side * y) for ahead in sole for side in (-half, half)
    ]


def hull_of(points):
    """Return the corners of the convex hull of points (x, y), in order."""
    points = sorted({(float(x), float(y)) for x, y in points})
    if len(points) < 3:
        return points
    return [*chain(points), *chain(points[::-1])]


def chain(points):
    """Return one side of the hull of sorted points, without its last corner (A. M. Andrew, 1979)."""
    kept = []
    for x, y in points:
        while len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            kept.pop()
        kept.append((x, y))
    return kept[:-1]


def pose_support(T, corners):
    """Pose the edges of the support polygon."""
    for i in range(MAX_SUPPORT_EDGES):
        T[BODIES.support0 + i] = HIDDEN
        if i < len(corners) and len(corners) > 1:
            start, end = corners[i], corners[(i + 1) % len(corners)]
            T[BODIES.support0 + i] = between((*start, EDGE_HEIGHT), (*end, EDGE_HEIGHT))


def pose_push(T, picture):
    """Pose the arrow of the push, from the mass centre of the trunk on."""
    p = picture.instant.p
    push = in_world(picture.frame, push_force(picture.instant))
    way = np.array(push) * 2.0 * ARROW_LENGTH / (p[P.mass] * p[P.g])
    start = place_of(picture, F.hat, trunk_centre(p))
    T[BODIES.push] = between(start, start + way)
