"""What the hexapod looks like: a hull with its motors, six legs that bend as they shorten, toes, forces, terrain.

A leg is drawn as a strip of spring steel from hip to toe, bent to the rear. It keeps its length, so it bends more the
more it is compressed. Legs of one tripod have one colour. Under a toe that stands lies a green disc, under one that
slips a red one, and an arrow shows the force of the ground on it.
"""

import math
from pathlib import Path

import numpy as np

from hybridsim import Records, scratch
from hybridsim.scene import (
    HIDDEN,
    Arrow,
    Body,
    Box,
    Camera,
    Capsule,
    Cylinder,
    Ground,
    Mesh,
    Scene,
    Sphere,
    placed,
    turn,
)

from .body import POSE, find_pose
from .legs import FORCE, LEG, find_leg
from .plant import stand
from .records import (
    ATTACH_X,
    ATTACH_Y,
    ATTACH_Z,
    BODY_MASS,
    DITCHED,
    EDGE,
    FLAT,
    HEIGHT_MAP,
    LEGS,
    MAP_SIZE,
    MAP_STEP,
    MAP_X,
    MAP_Y,
    R_X,
    RHO_R0,
    SINUSOID,
    SLOPED,
    TERRAIN,
    TERRAIN_ARG1,
    TERRAIN_ARG2,
    TERRAIN_ARG3,
    WALL_SLOPE,
    F,
    in_stance,
    is_slipping,
)
from .terrain import gradient

TRIPODS = ("#e8923a", "#2f93b8")
STANDS, SLIPS = "#3c9a5f", "#cf3f34"
"""Colours of the legs {0, 2, 4} and {1, 3, 5}, and of the discs under their toes."""
REST_LENGTH, REST_BOW = 0.17, 0.045
"""Of the leg in leg.obj, from hip to toe, and how far its middle lies beside that line [m]."""
STRIP = math.sqrt(REST_LENGTH**2 + 16.0 / 3.0 * REST_BOW**2)
"""Its length along the bend [m]: nearly that of a parabola."""
HULL, SPREAD, REACH = (0.15, 0.5, 0.085), 0.1, 0.4
"""Of a hull for hips SPREAD [m] beside its middle, and REACH from the rear to the front ones."""
ARROW_LENGTH = 0.3 / 9.81
"""Per N of force and kg of body [m kg/N]: 0.3 m per body weight."""
DISC = 0.004
"""Thickness of the discs [m]."""


LEG_NAMES = ("0 right rear", "1 right middle", "2 right front", "3 left rear", "4 left middle", "5 left front")
BITS = {"stance": LEG_NAMES, "slip": LEG_NAMES}
PLOTS = (
    "speed",
    "body_pitch",
    "body_roll",
    "ground_force",
    "hip_power",
    "specific_resistance",
    "stance+slip",
)


def ground_height(x, y, p):
    """`terrain.height` at many places at once: z [m] for arrays x, y [m]."""
    kind, (a1, a2, a3) = p[TERRAIN], (p[TERRAIN_ARG1], p[TERRAIN_ARG2], p[TERRAIN_ARG3])
    if kind == FLAT:
        return 0.0
    if kind == SINUSOID:
        return a1 * np.sin(a2 * x) * np.cos(a3 * y)
    if kind == SLOPED:
        return a1 * x + a2 * _ramp(y, p[EDGE]) + a3
    if kind == DITCHED:
        wall, edge = abs(a3) / p[WALL_SLOPE], p[EDGE]
        down = _ramp(y - a1 + wall, edge) - _ramp(y - a1, edge)
        up = _ramp(y - a1 - a2, edge) - _ramp(y - a1 - a2 - wall, edge)
        return math.copysign(p[WALL_SLOPE], a3) * (up - down)
    return _map_height(x, y, p)


def _ramp(y, edge):
    return np.where(np.abs(y) < edge, (y + edge) ** 2 / (4.0 * edge), np.maximum(y, 0.0))


def _map_height(x, y, p):
    heights = np.reshape(p[int(p[HEIGHT_MAP]) :][: MAP_SIZE**2], (MAP_SIZE, MAP_SIZE))
    column, u = _cell(x, p[MAP_X], p[MAP_STEP])
    row, v = _cell(y, p[MAP_Y], p[MAP_STEP])
    near = (1.0 - u) * heights[row, column] + u * heights[row, column + 1]
    far = (1.0 - u) * heights[row + 1, column] + u * heights[row + 1, column + 1]
    return (1.0 - v) * near + v * far


def _cell(x, first, step):
    """The column or row of the map, and the weight of the next one."""
    place = np.clip((x - first) / step, 0.0, MAP_SIZE - 1.0)
    cell = np.minimum(place, MAP_SIZE - 2.0).astype(int)
    u = place - cell
    return cell, u * u * (3.0 - 2.0 * u)


SCENE = Scene(
    bodies=Records(
        Body("hull", Box(HULL), "#4d5a67"),
        Body("deck", Box((0.12, 0.42, 0.012)), "#c3cad1"),
        Body("nose", Capsule(0.016, 0.115), "#c8453a"),
        Body("tail", Capsule(0.016, 0.115), "#7d8791"),
        Body("rail_left", Capsule(0.007, 0.46), "#aab3bb"),
        Body("rail_right", Capsule(0.007, 0.46), "#aab3bb"),
        *(Body(f"motor{i}", Cylinder(0.021), "#6b7681") for i in LEGS),
        *(Body(f"hip{i}", Cylinder(0.014), "#2c343c") for i in LEGS),
        *(Body(f"leg{i}", Mesh(Path(__file__).with_name("leg.obj")), TRIPODS[i % 2]) for i in LEGS),
        *(Body(f"toe{i}", Sphere(0.009), "#23292f") for i in LEGS),
        *(Body(f"stands{i}", Cylinder(0.026), STANDS, kind="force") for i in LEGS),
        *(Body(f"slips{i}", Cylinder(0.026), SLIPS, kind="force") for i in LEGS),
        *(Body(f"ground{i}", Arrow(0.007), "#2b7a4b", kind="force") for i in LEGS),
        Body("focus", Sphere(0.01), opacity=0.0, kind="force"),
    ),
    ground=Ground(ground_height, checker=0.25),
    camera=Camera("focus", along="xyz", at=(0.0, -0.06, 0.07), distance=1.4, view=(1.0, -0.4, -0.38)),
    outputs=("speed", "ground_force", "body_pitch"),
)
HULL_BODY, DECK, NOSE, TAIL, RAIL_LEFT, RAIL_RIGHT = range(6)
MOTOR, HIP, LEG_BODY, TOE, STANDS_DISC, SLIPS_DISC, GROUND_ARROW, FOCUS = (
    SCENE.bodies.index(name) for name in ("motor0", "hip0", "leg0", "toe0", "stands0", "slips0", "ground0", "focus")
)
ALONG_X, ALONG_Y = turn((0.0, 1.0, 0.0), 0.5 * math.pi), turn((1.0, 0.0, 0.0), -0.5 * math.pi)
"""Turn what lies along z."""
AROUND = np.array([(dx, dy) for dx in (-0.3, 0.0, 0.3) for dy in (-0.3, 0.0, 0.3)])
"""The camera goes with the mean height of the ground here [m], so that neither trot nor ditches shake it."""


def poses(T, t, x, p, chart, torque):
    pose, c = scratch(POSE), scratch(LEG)
    find_pose(pose, x)
    rotation, centre = np.reshape(pose[:9], (3, 3)), np.array(x[R_X : R_X + 3])
    pose_body(T, p, rotation, centre)
    for leg in LEGS:
        toe = np.array(x[F + 3 * leg : F + 3 * leg + 3])
        pose_leg(T, p, rotation, centre, toe, leg)
        for body in (STANDS_DISC, SLIPS_DISC, GROUND_ARROW):
            T[body + leg] = HIDDEN
        if in_stance(chart, leg):
            find_leg(c, x, p, chart, pose, leg)
            with np.errstate(divide="ignore", invalid="ignore"):  # the clock of a run that has not begun stands still
                stand(c, t, x, p, chart, pose, leg, torque)
            force = -rotation @ c[FORCE : FORCE + 3]
            T[GROUND_ARROW + leg] = along(toe, force * ARROW_LENGTH / p[BODY_MASS], rotation[:, 0])
            disc = SLIPS_DISC if is_slipping(chart, leg) else STANDS_DISC
            T[disc + leg] = along(toe, DISC * ground_normal(toe, p), rotation[:, 0])
    x_near, y_near = (centre[:2] + AROUND).T
    T[FOCUS] = placed((centre[0], centre[1], np.mean(ground_height(x_near, y_near, p))))


def pose_body(T, p, rotation, centre):
    """The hull is as wide and as long as the hips ask for."""
    width = max(min(abs(p[ATTACH_X + leg]) for leg in LEGS) / SPREAD, 0.3)
    ahead = [p[ATTACH_Y + leg] for leg in LEGS]
    length = max((max(ahead) - min(ahead)) / REACH, 0.3)
    middle = 0.5 * (max(ahead) + min(ahead))

    def put(body, place, scale, turned=None):
        offset = rotation @ (place[0], place[1] + middle, place[2])
        T[body] = placed(centre + offset, rotation if turned is None else rotation @ turned, scale)

    put(HULL_BODY, (0.0, 0.0, 0.0), (width, length, 1.0))
    put(DECK, (0.0, 0.0, 0.5 * HULL[2] + 0.004), (width, length, 1.0))
    for body, side in ((NOSE, 1.0), (TAIL, -1.0)):
        put(body, (0.0, side * 0.5 * HULL[1] * length, 0.0), (1.0, 1.0, width), ALONG_X)
    for body, side in ((RAIL_LEFT, -1.0), (RAIL_RIGHT, 1.0)):
        put(body, (side * 0.5 * HULL[0] * width, 0.0, 0.4 * HULL[2]), (1.0, 1.0, length), ALONG_Y)
    for leg in LEGS:
        hip = np.array([p[ATTACH_X + leg], p[ATTACH_Y + leg], p[ATTACH_Z + leg]])
        outward = math.copysign(1.0, hip[0])
        inner = np.array([outward * 0.4 * HULL[0] * width, hip[1], hip[2]])
        half = np.array([outward * 0.012, 0.0, 0.0])
        cap, end = hip - half, hip + half
        T[MOTOR + leg] = along(centre + rotation @ inner, rotation @ (cap - inner), rotation[:, 1])
        T[HIP + leg] = along(centre + rotation @ cap, rotation @ (end - cap), rotation[:, 1])


def pose_leg(T, p, rotation, centre, toe, leg):
    """The strip of leg.obj from hip to toe: z along the leg, x sideways, y to where it is bent."""
    hip = centre + rotation @ (p[ATTACH_X + leg], p[ATTACH_Y + leg], p[ATTACH_Z + leg])
    length = math.dist(hip, toe)
    T[TOE + leg] = placed(toe, rotation)
    T[LEG_BODY + leg] = along(hip, toe - hip, rotation[:, 0])
    size = p[RHO_R0 + leg] / REST_LENGTH
    T[LEG_BODY + leg, :3, 1] *= bow(length / size) / REST_BOW * size
    T[LEG_BODY + leg, :3, 2] /= REST_LENGTH


def bow(length):
    """How far the middle of the strip lies beside the line from end to end [m], which has this length [m]."""
    return math.sqrt(3.0 / 16.0 * max(STRIP**2 - length**2, 0.02 * STRIP**2))


def along(start, way, sideways):
    """The pose that takes the unit segment of z to the one from start along a way [m]; x lies sideways."""
    length = math.sqrt(way @ way)
    if not 0.0 < length < math.inf:
        return HIDDEN
    ahead = way / length
    across = sideways - (sideways @ ahead) * ahead
    across /= math.sqrt(across @ across)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = across, np.cross(ahead, across), way, start
    return pose


def ground_normal(place, p):
    slopes = scratch(2)
    gradient(slopes, place[0], place[1], p)
    return np.array([-slopes[0], -slopes[1], 1.0]) / math.sqrt(1.0 + slopes[0] ** 2 + slopes[1] ** 2)
