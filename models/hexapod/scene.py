"""What the hexapod looks like: a hull with its motors, six legs that bend as they shorten, toes, forces, terrain.

A leg is drawn as a strip of spring steel from hip to toe, bent to the rear. It keeps its length, so it bends more the
more it is compressed. Legs of one tripod have one colour. Under a toe that stands lies a green square, under
one that slips an orange disc, and an arrow shows the force of the ground on it. The arrow of a toe that sticks ends
within the rim of its cone of friction, whose height is the push; that of a toe that creeps ends outside.
"""

import math
from functools import lru_cache
from pathlib import Path

import numpy as np

from hybridsim import Records
from hybridsim.contacts.terrain import noise
from hybridsim.multibody.vectors import Vector, length_of, times
from hybridsim.scene import (
    Arrow,
    Body,
    Box,
    Camera,
    Capsule,
    Cone,
    Cylinder,
    Ground,
    Mesh,
    Push,
    Scene,
    Sphere,
    between,
    placed,
    turn,
)

from .body import push_of, rotation_of
from .records import (
    CORNERS,
    DITCHED,
    FLAT,
    LEGS,
    N_LEGS,
    PARAMETERS,
    ROUGH,
    SINUSOID,
    SLOPED,
    STAIRS,
    P,
    S,
    Y,
    in_stance,
    is_slipping,
)
from .terrain import cubic, gradient, grid_of

TRIPODS = ("#e8923a", "#2f93b8")
STANDS, SLIPS, CONE, PUSH = "#2a9d55", "#e07b00", "#e0b020", "#8a4fa3"
"""Colours of the legs {0, 2, 4} and {1, 3, 5}, of what is under their toes, of cones of friction and of pushes."""
REST_LENGTH, REST_BOW = 0.17, 0.045
"""Length of the leg in leg.obj from hip to toe, and distance of its middle from that line [m]."""
STRIP_LENGTH = math.sqrt(REST_LENGTH**2 + 16.0 / 3.0 * REST_BOW**2)
"""Length of the leg along the bend [m]: nearly that of a parabola."""
HULL_SIZE = tuple(PARAMETERS[name].default for name in ("body_width", "body_length", "body_height"))
"""Size of the hull [m]; in a picture it is that of the body's box."""
ARROW_LENGTH = 0.3 / 9.81
"""Length of the force arrows per N of force and kg of body [m kg/N]: 0.3 m per body weight; of pushes twice that."""
BUMPER_INSET = 0.01
"""How far the middle of nose and tail lies behind the end of the hull [m]."""
DISC_THICKNESS = 0.004
"""Thickness of the discs [m]."""


LEG_NAMES = ("0 right rear", "1 right middle", "2 right front", "3 left rear", "4 left middle", "5 left front")
CORNER_NAMES = tuple(
    f"{j} {'right' if j & 1 else 'left'} {'front' if j & 2 else 'rear'} {'top' if j & 4 else 'bottom'}" for j in CORNERS
)
BIT_NAMES = {"stance": LEG_NAMES, "slip": LEG_NAMES, "corner": CORNER_NAMES}
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
    terrain, (a1, a2, a3) = p[P.terrain], (p[P.terrain_arg1], p[P.terrain_arg2], p[P.terrain_arg3])
    if terrain == FLAT:
        return 0.0
    if terrain == SINUSOID:
        return a1 * np.sin(a2 * x) * np.cos(a3 * y)
    if terrain == SLOPED:
        return a1 * x + a2 * _ramp(y, p[P.edge]) + a3
    if terrain == DITCHED:
        wall, edge = abs(a3) / p[P.wall_slope], p[P.edge]
        down = _ramp(y - a1 + wall, edge) - _ramp(y - a1, edge)
        up = _ramp(y - a1 - a2, edge) - _ramp(y - a1 - a2 - wall, edge)
        return math.copysign(p[P.wall_slope], a3) * (up - down)
    if terrain == STAIRS:
        return _stairs(y, p)
    return _field(x, y, p)


def _ramp(y, edge):
    return np.where(np.abs(y) < edge, (y + edge) ** 2 / (4.0 * edge), np.maximum(y, 0.0))


def _stairs(y, p):
    rise, edge = p[P.terrain_arg3], p[P.edge]
    wall = abs(rise) / p[P.wall_slope]
    tread = max(p[P.terrain_arg2], wall + 2.0 * edge)
    number = np.maximum(np.floor((y - p[P.terrain_arg1] + edge) / tread), 0.0)
    behind = y - p[P.terrain_arg1] - number * tread
    return rise * number + math.copysign(p[P.wall_slope], rise) * (_ramp(behind, edge) - _ramp(behind - wall, edge))


def ground_edges(begin, end, p):
    """Return where the walls of a ditch or of stairs, and their rounded edges, begin and end [m]."""
    wall, edge = abs(p[P.terrain_arg3]) / p[P.wall_slope], p[P.edge]
    walls = np.zeros(0)
    if p[P.terrain] == DITCHED:
        walls = np.array([p[P.terrain_arg1] - wall, p[P.terrain_arg1] + p[P.terrain_arg2]])
    elif p[P.terrain] == STAIRS:
        tread = max(p[P.terrain_arg2], wall + 2.0 * edge)
        first, last = (max(math.floor((y - p[P.terrain_arg1]) / tread), 0) for y in (begin, end))
        walls = p[P.terrain_arg1] + tread * np.arange(first, last + 1)
    edges = np.sort(np.add.outer(walls, [-edge, 0.0, wall, wall + edge]).ravel())
    return edges[(begin < edges) & (edges < end)]


def _field(x, y, p):
    grid = grid_of(p)
    across, along = (np.asarray(x) - grid.x) / grid.step, (np.asarray(y) - grid.y) / grid.step
    column, row = np.floor(across).astype(np.int64), np.floor(along).astype(np.int64)
    u, v = across - column, along - row
    rows = (cubic(*(_nodes(column + i, row + j, p) for i in range(-1, 3)), u) for j in range(-1, 3))
    return cubic(*rows, v)


def _nodes(column, row, p):
    if p[P.terrain] == ROUGH:
        return p[P.terrain_arg1] * noise(column, row, int(p[P.terrain_arg3]))
    first = int(p[P.height_map])
    rows, columns = int(p[first]), int(p[first + 1])
    heights = np.reshape(p[first + 2 : first + 2 + rows * columns], (rows, columns))
    return p[P.map_height] * heights[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]


SCENE = Scene(
    bodies=Records(
        Body("hull", Box(HULL_SIZE), "#4d5a67"),
        Body("deck", Box((0.16, 0.34, 0.006)), "#c3cad1"),
        Body("nose", Capsule(0.016, 0.165), "#c8453a"),
        Body("tail", Capsule(0.016, 0.165), "#7d8791"),
        Body("rail_left", Capsule(0.005, 0.36), "#aab3bb"),
        Body("rail_right", Capsule(0.005, 0.36), "#aab3bb"),
        *(Body(f"motor{i}", Cylinder(0.021), "#6b7681") for i in LEGS),
        *(Body(f"hip{i}", Cylinder(0.014), "#2c343c") for i in LEGS),
        *(Body(f"leg{i}", Mesh(Path(__file__).with_name("leg.obj")), TRIPODS[i % 2]) for i in LEGS),
        *(Body(f"toe{i}", Sphere(0.009), "#23292f") for i in LEGS),
        *(Body(f"stands{i}", Box((0.046, 0.046, 1.0)), STANDS, kind="force") for i in LEGS),
        *(Body(f"slips{i}", Cylinder(0.026), SLIPS, kind="force") for i in LEGS),
        *(Body(f"ground{i}", Arrow(0.007), "#2b7a4b", kind="force") for i in LEGS),
        *(Body(f"cone{i}", Cone(), CONE, opacity=0.3, kind="cone") for i in LEGS),
        Body("push", Arrow(0.01), PUSH, kind="force"),
        Body("focus", Sphere(0.01), opacity=0.0, kind="force"),
    ),
    ground=Ground(ground_height, checker=0.25, edges=ground_edges),
    camera=Camera("focus", along="xyz", at=(0.0, 0.0, 0.07), distance=1.4, view=(1.0, -0.4, -0.38)),
    outputs=("speed", "ground_force", "body_pitch"),
    newtons_per_metre=lambda p: p[P.body_mass] / ARROW_LENGTH,
    pushes=[Push(body, ("force_x", "force_y", "force_z"), stiffness=200.0, limit=60.0) for body in ("hull", "deck")],
)
BODIES = SCENE.bodies.indices
NOWHERE = (0.0,) * 16
"""The pose of a body that is not shown, row by row."""
LEAST_SIDEWAYS = 1e-6
"""Least part of a unit vector across a way that gives a direction."""
ALONG_X, ALONG_Y = turn((0.0, 1.0, 0.0), 0.5 * math.pi), turn((1.0, 0.0, 0.0), -0.5 * math.pi)
"""Rotations of bodies along z to the x and y axes."""
CAMERA_POINTS = np.array([(dx, dy) for dx in (-0.3, 0.0, 0.3) for dy in (-0.3, 0.0, 0.3)])
"""Places around the body [m]. The camera follows the mean height of the ground there, so that it does not shake."""


def poses(T, t, x, p, chart, y):
    rows = rotation_of(*x[S.q_w : S.q_w + 4].tolist())
    rotation, centre = np.array([[*row] for row in rows]), x[S.r_x : S.r_x + 3]
    size = tuple(p[P.body_width : P.body_width + 3].tolist())
    attached = p[P.attach0_x : P.attach0_x + 3 * N_LEGS].reshape(3, N_LEGS).T
    T[BODIES.hull : BODIES.hip0 + N_LEGS] = placed(centre, rotation) @ mounted(size, attached.tobytes())
    hips, toes = centre + attached @ rotation.T, x[S.f0_x : S.f0_x + 3 * N_LEGS].reshape(N_LEGS, 3)
    sideways, lengths, feet = rotation[:, 0].tolist(), p[P.rho0_r0 : P.rho0_r0 + N_LEGS].tolist(), toes.tolist()
    legs = [leg_pose(*leg, sideways) for leg in zip(hips.tolist(), feet, lengths, strict=True)]
    T[BODIES.leg0 : BODIES.leg0 + N_LEGS] = np.array(legs).reshape(-1, 4, 4)
    T[BODIES.toe0 : BODIES.toe0 + N_LEGS, :3, :3] = rotation
    T[BODIES.toe0 : BODIES.toe0 + N_LEGS, :3, 3] = toes
    push = times(2.0 * ARROW_LENGTH / p[P.body_mass], push_of(p))
    shown = [*contact_poses(feet, sideways, p, chart, y), along(centre.tolist(), push, rotation[:, 2].tolist())]
    T[BODIES.stands0 : BODIES.push + 1] = np.array(shown).reshape(-1, 4, 4)
    x_near, y_near = (centre[:2] + CAMERA_POINTS).T
    below = 0.0 if p[P.terrain] == FLAT else np.mean(ground_height(x_near, y_near, p))
    T[BODIES.focus] = placed((centre[0], centre[1], below))


def contact_poses(toes, sideways, p, chart, y):
    """Return the poses of squares, discs, arrows and cones at all toes, row by row; those in the air are hidden.

    An arrow is the force of the ground on a toe: what the body feels of it, and what the inertia of the toe takes.
    """
    squares, discs, arrows, cones = ([NOWHERE] * N_LEGS for _ in range(4))
    scale, friction = float(ARROW_LENGTH / p[P.body_mass]), float(p[P.friction_coeff])
    on_body, on_toe = (y[first : first + 3 * N_LEGS].tolist() for first in (Y.ground0_x, Y.inertia0_x))
    for leg in LEGS:
        if in_stance(chart, leg):
            toe, normal = toes[leg], ground_normal(toes[leg], p)
            force = [a + b for a, b in zip(on_body[leg::N_LEGS], on_toe[leg::N_LEGS], strict=True)]
            arrows[leg] = along(toe, times(scale, Vector(*force)), sideways)
            marks = discs if is_slipping(chart, leg) else squares
            marks[leg] = along(toe, times(DISC_THICKNESS, normal), sideways)
            push = times(float(y[Y.push0 + leg]) * scale, normal)
            if friction > 0.0 and push.z > 0.0:
                cones[leg] = along(toe, push, sideways, (friction * length_of(push),) * 2)
    return [*squares, *discs, *arrows, *cones]


@lru_cache(maxsize=8)
def mounted(size, attached):
    """Return the poses of the hull, which is the body's box, and of what is mounted on it, in B.

    `size` is that of the box, and `attached` the bytes of where the legs are attached, (6, 3) [m].
    """
    width, length, height = (have / drawn for have, drawn in zip(size, HULL_SIZE, strict=True))
    end, rail = 0.5 * size[1] - BUMPER_INSET, (0.5 * size[0], 0.35 * size[2])
    found = [
        placed((0.0, 0.0, 0.0), scale=(width, length, height)),
        placed((0.0, 0.0, 0.5 * size[2]), scale=(width, length, 1.0)),
        *(placed((0.0, y, 0.0), ALONG_X, (1.0, 1.0, width)) for y in (end, -end)),
        *(placed((side * rail[0], 0.0, rail[1]), ALONG_Y, (1.0, 1.0, length)) for side in (-1.0, 1.0)),
    ]
    motors, axles = [], []
    for hip in np.frombuffer(attached).reshape(-1, 3).tolist():
        outward = math.copysign(1.0, hip[0])
        inner, cap = outward * 0.4 * size[0], hip[0] - outward * 0.012
        motors.append(between((inner, *hip[1:]), (cap, *hip[1:])))
        axles.append(between((cap, *hip[1:]), (cap + outward * 0.024, *hip[1:])))
    return np.array([*found, *motors, *axles])


def leg_pose(hip, toe, rest_length, sideways):
    """Return the pose of the strip of leg.obj from hip to toe: z along the leg, x sideways, y to where it is bent."""
    size = rest_length / REST_LENGTH
    bent = bow(math.dist(hip, toe) / size) / REST_BOW * size
    return along(hip, (toe[0] - hip[0], toe[1] - hip[1], toe[2] - hip[2]), sideways, (1.0, bent), REST_LENGTH)


def bow(length):
    """Return the distance of the strip's middle from the straight line between its ends [m].

    `length` is the length of that line [m].
    """
    return math.sqrt(3.0 / 16.0 * max(STRIP_LENGTH**2 - length**2, 0.02 * STRIP_LENGTH**2))


def along(start, way, sideways, widths=(1.0, 1.0), height=1.0):
    """Return the pose, row by row, that takes the z axis up to a height to the way from start; x lies sideways.

    `widths` are the lengths of its axes x and y. Where `sideways` is the direction of the way, any other serves.
    """
    (wx, wy, wz), (sx, sy, sz) = way, sideways  # numbers, as numpy takes ten times as long for three of them
    length = math.sqrt(wx * wx + wy * wy + wz * wz)
    if not 0.0 < length < math.inf:
        return NOWHERE
    ex, ey, ez = wx / length, wy / length, wz / length
    ahead = sx * ex + sy * ey + sz * ez
    ax, ay, az = sx - ahead * ex, sy - ahead * ey, sz - ahead * ez
    size = math.sqrt(ax * ax + ay * ay + az * az)
    if size < LEAST_SIDEWAYS:
        turned = (sy, sz, sx) if abs(sx) < 0.9 * abs(sy) + abs(sz) else (sz, sx, sy)
        return along(start, way, turned, widths, height)
    ax, ay, az = ax / size, ay / size, az / size
    (u, v), (x, y, z) = widths, start
    return (
        *(u * ax, v * (ey * az - ez * ay), wx / height, x),
        *(u * ay, v * (ez * ax - ex * az), wy / height, y),
        *(u * az, v * (ex * ay - ey * ax), wz / height, z),
        *(0.0, 0.0, 0.0, 1.0),
    )


def ground_normal(place, p):
    """Return the normal of the ground at a place [m], in W."""
    slopes = gradient(place[0], place[1], p)
    return times(1.0 / math.sqrt(1.0 + slopes.x**2 + slopes.y**2), Vector(-slopes.x, -slopes.y, 1.0))
