"""What a model is made of, as arrays: the layout of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hybridsim.contacts.description import Circle, Disk, Equations, Patch, Plane, Rows, Sphere, point_names
from hybridsim.contacts.generated import Constants
from hybridsim.contacts.joints import DryFriction, Motor, Pin, Rod, Stop
from hybridsim.contacts.layout import N_SCALARS, Layout, work_sizes
from hybridsim.contacts.rows import Bodies, Joints, Loops
from hybridsim.contacts.terrain import Terrain
from hybridsim.errors import ModelError, nearest
from hybridsim.multibody.joints import WORLD
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.multibody.motion import kinematics
from hybridsim.multibody.planar import is_planar
from hybridsim.multibody.rows import Point, direction_row
from hybridsim.multibody.tree import speeds_of
from hybridsim.multibody.vectors import Vector
from hybridsim.typing import FloatArray


@dataclass(frozen=True)
class Assembly:
    """What a model is made of; joints are known by the names of their coordinates."""

    system: Mechanism | Equations
    contacts: tuple[Any, ...]
    dry: Mapping[str, DryFriction]
    stops: Mapping[str, Stop]
    motors: Mapping[str, Motor]
    loops: tuple[Pin | Rod, ...]
    in_turn: bool
    soft: tuple[Any, ...] = ()
    """Soft contacts; `contacts` are the hard ones."""
    soft_stops: Mapping[str, Stop] = field(default_factory=dict)
    """Soft stops; `stops` are the hard ones."""

    @property
    def all_contacts(self) -> tuple[Any, ...]:
        """Hard and soft contacts."""
        return (*self.contacts, *self.soft)

    @cached_property
    def soft_part(self) -> Assembly:
        """The soft contacts and stops alone, in the place of the hard ones."""
        return Assembly(self.system, self.soft, {}, self.soft_stops, {}, (), self.in_turn, self.contacts, self.stops)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(self.system.coordinates.names if self.is_mechanism else self.system.coordinates)  # type: ignore

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """Names of the speeds."""
        if isinstance(self.system, Mechanism):
            return tuple(self.system.speeds.names)
        return tuple(f"{each}dot" for each in self.coordinates)

    @property
    def is_mechanism(self) -> bool:
        """Whether it has bodies."""
        return isinstance(self.system, Mechanism)

    @cached_property
    def planes(self) -> list[tuple[Plane, str]]:
        """The planes, each with its body."""
        return list(dict.fromkeys((each.plane, each.on) for each in self.all_contacts if not isinstance(each, Rows)))

    @property
    def has_terrain(self) -> bool:
        """Whether a contact meets a terrain."""
        return any(isinstance(plane, Terrain) for plane, _ in self.planes)

    @cached_property
    def points(self) -> list[str]:
        """Names of what may open: points of contacts, stops."""
        found = [name for each in self.contacts for name in point_names(each)]
        return found + [f"{joint}_{side}" for joint, stop in self.stops.items() for side in stop.limits]

    def grounds(self, planes: Sequence[int]) -> list[tuple[int, Terrain, int]]:
        """Return the points that touch a terrain, with it and its place among the parameters, of those of contacts."""
        first = np.cumsum([0, *self.counts])
        return [
            (int(first[j]) + k, each.plane, planes[j])
            for j, each in enumerate(self.contacts)
            for k in range(each.n_points if self.is_mechanism and isinstance(each.plane, Terrain) else 0)
        ]

    @cached_property
    def counts(self) -> list[int]:
        """Points of each patch."""
        counts = [each.n_points for each in self.contacts] + [0] * len(self.dry)
        return counts + [len(each.limits) for each in self.stops.values()]

    @cached_property
    def tangents(self) -> int:
        """Tangents of the contacts: 2 if a body with a contact can leave the x-z plane."""
        system: Any = self.system
        for each in self.all_contacts if self.is_mechanism else ():
            for body, places in ((each.body, each.points), (each.on, [(0.1, 0.0, 0.2)])):
                if body in system.frames._fields and any(leaves(system, body, place) for place in places):
                    return 2
        return 1

    def is_turning(self, contact: Any) -> bool:
        """Return whether friction resists that a contact turns about its normal."""
        return self.tangents == 2 and contact.n_points > 1 and not contact.is_soft

    def unit(self, joint: str) -> str:
        """Return the unit of a joint's coordinate."""
        return self.system.coordinates[self.coordinates.index(joint)].unit if self.is_mechanism else ""  # type: ignore

    def force_unit(self, joint: str) -> str:
        """Return the unit of a joint's force or torque."""
        return {"rad": "N m", "m": "N"}.get(self.unit(joint), "")


@dataclass(frozen=True)
class Places:
    """Indices in p: of all contacts, of each patch, of each plane, of radii, of stops, motors and loops."""

    general: int
    patches: list[int]
    planes: list[int]
    radii: list[int]
    stops: list[int]
    motors: list[int]
    loops: list[int]
    soft: Places | None = None
    """Those of soft contacts."""


def lever_of(contact: Patch) -> float:
    """Return the lever of friction about the normal: half the mean distance of the points from their middle [m]."""
    corners = np.array(contact.points, float)
    half = 0.5 * np.linalg.norm(corners - corners.mean(axis=0), axis=1).mean()
    return float(half) if contact.lever is None else contact.lever


def layout_of(made: Assembly, constants: Constants, places: Places) -> tuple[FloatArray, int]:
    """Return the layout as the work space begins with it, and the size of the work space."""
    counts, contacts = made.counts, len(made.contacts)
    slipping, patches, points = contacts + len(made.dry), len(counts), sum(counts)
    touching = sum(each.n_points for each in made.contacts)
    loop_rows = [] if constants.loops is None else [max(int(n), 1) for n in constants.loops.loops[3::7]]
    arrays = {
        "patch": np.repeat(np.arange(patches), counts),
        "first": np.cumsum([0, *counts]),
        "friction": places.patches,
        "plane": places.planes,
        **_row_places(made, touching, points, loop_rows),
    }
    arrays["chains"] = _chains(made, arrays["holder"], N_SCALARS + sum(map(len, arrays.values())))
    sizes, n_rows = {key: len(each) for key, each in arrays.items()}, len(arrays["holder"])
    space = contacts if made.tangents == 2 else 0
    sizes |= work_sizes(len(made.speeds), points, patches, slipping, sum(loop_rows), n_rows, space)
    starts = (N_SCALARS + np.cumsum([0, *sizes.values()])).tolist()
    layout = Layout(
        n_coordinates=len(made.coordinates),
        n_speeds=len(made.speeds),
        n_points=points,
        n_rows=n_rows,
        n_contacts=contacts,
        n_slipping=slipping,
        n_patches=patches,
        n_loops=len(loop_rows),
        n_loop_rows=sum(loop_rows),
        in_turn=int(made.in_turn),
        tangents=made.tangents,
        general=places.general,
        **dict(zip(sizes, starts[:-1], strict=True)),
    )
    return np.concatenate([layout, *arrays.values()]).astype(float), starts[-1]


def _row_places(made: Assembly, touching: int, points: int, loop_rows: Sequence[int]) -> dict[str, Any]:
    """Return which rows belong to which points and loops: those of contacts come first, then those that turn."""
    turning = [each for each in made.contacts if made.is_turning(each)]
    wide = 1 + made.tangents
    others = wide * touching + len(turning)
    n_rows = others + points - touching + len(made.dry) + sum(loop_rows)
    normal = [wide * i if i < touching else others + i - touching for i in range(points)]
    holder, gap = np.full(n_rows, -1), np.full(n_rows, -1)
    for i, row in enumerate(normal):
        gap[row] = i
        holder[row : row + (wide if i < touching else 1)] = i
    for k, each in enumerate(turning):
        holder[wide * touching + k] = -2 - made.contacts.index(each)
    first_loop, names = n_rows - sum(loop_rows), [each.name for each in made.contacts]
    gap[first_loop:] = points + np.arange(sum(loop_rows))
    return {
        "normal": normal,
        "holder": holder,
        "gap": gap,
        "loop": first_loop + np.cumsum([0, *loop_rows]),
        "passed": [names.index(each.passes) if each.passes else -1 for each in made.contacts],
        "spin": [wide * touching + turning.index(each) if each in turning else -1 for each in made.contacts],
    }


def _chains(made: Assembly, holder: Sequence[int], start: int) -> list[int]:
    """Return where the list of each speed and each row begins, counted from `start`, and the lists: see `Layout`."""
    n, system, of_points = len(made.speeds), made.system, []
    everything = range(n - 1, -1, -1)
    lists: list[Sequence[int]] = [everything[n - k :] for k in range(n)]
    if isinstance(system, Mechanism):
        for frame in range(1, system.tree.n_frames):
            moving = speeds_that_move(system.tree, frame)
            for k in moving[: speeds_of(system.tree, frame)]:
                lists[k] = [m for m in moving if m < k]
        for each in made.contacts:
            ends = [speeds_that_move(system.tree, getattr(system.frames, body, 0)) for body in (each.body, each.on)]
            of_points += each.n_points * [sorted({*ends[0], *ends[1]}, reverse=True)]
    for i in holder:
        point = sum(each.n_points for each in made.contacts[: -2 - i]) if i < -1 else i
        lists.append(of_points[point] if 0 <= point < len(of_points) else everything)
    first = start + len(lists) + 1
    return [*(first + np.cumsum([0, *map(len, lists)])).tolist(), *(k for each in lists for k in each)]


def speeds_that_move(tree: Any, frame: int) -> list[int]:
    """Return the speeds of joints between a frame and the world, the last first."""
    found: list[int] = []
    while frame > 0:
        found += range(tree.speed[frame] + speeds_of(tree, frame) - 1, tree.speed[frame] - 1, -1)
        frame = tree.parent[frame]
    return found


def constants_of(where: str, made: Assembly, places: Places) -> Constants:
    """Return what the functions of a model know of its mechanism, its joints and its loops."""
    bodies = bodies_of(where, made.system, made, places) if isinstance(made.system, Mechanism) else None
    length = bodies.length if bodies else made.system.length  # type: ignore[union-attr]
    joints = joints_of(made, places, length) if made.dry or made.stops or made.motors else None
    return Constants(bodies, joints, _loops(where, made, places, length) if made.loops else None)


def bodies_of(where: str, system: Mechanism, made: Assembly, places: Places) -> Bodies:
    """Return frames and places of the points, and the mechanism's size: the largest distance within a body."""
    frames, points, others, circles, radii, axes = [], [], [], [], [], []
    for each, radius in zip(made.contacts, places.radii, strict=True):
        other = _frame(f"{where}: {each.name}", system, each.on)
        for point in each.points:
            frames.append(_frame(f"{where}: {each.name}", system, each.body))
            points.append(point)
            others.append(other)
            circles.append((-1 if each.plane.hollow else 1) if isinstance(each.plane, Circle) else 0)
            radii.append(radius)
            axes.append(axis_of(made, each))
    ends = [place for each in made.loops for place in (each.point, each.to)]
    within = [*points, *ends, *(body.centre for body in system.bodies), *(body.joint.place for body in system.bodies)]
    length = float(max(np.linalg.norm(each) for each in within)) or 1.0
    whole = [np.array(each, np.int64) for each in (frames, others, circles, radii)]
    at, directions = (np.ravel(np.array(each, float)) for each in (points, axes))
    known, planar = (system.tree, system.data, system.gravity, len(frames)), int(is_planar(system.tree, system.data))
    return Bodies(*known, whole[0], at, whole[1], whole[2], whole[3], directions, length, planar)


def is_wheel(made: Assembly, contact: Any) -> bool:
    """Return whether a contact has an axis in space."""
    return made.tangents == 2 and isinstance(contact, Disk) and not isinstance(contact, Sphere)


def axis_of(made: Assembly, contact: Any) -> FloatArray:
    """Return the axis of a wheel in space, in the frame of its body, of length 1; 0 of any other contact."""
    axis: FloatArray = np.array(contact.axis, float) if is_wheel(made, contact) else np.zeros(3)
    return axis / (np.linalg.norm(axis) or 1.0)


def _frame(where: str, system: Mechanism, body: str) -> int:
    if body not in system.frames._fields:
        known = [WORLD, *(each.name for each in system.bodies)]
        raise ModelError(f"{where}: body {body!r} is unknown{nearest(body, known)}")
    return int(getattr(system.frames, body))


def leaves(system: Mechanism, body: str, place: Sequence[float]) -> bool:
    """Return whether a point can leave the x-z plane."""
    rows = _reach(system, np.random.default_rng(0).uniform(-1.0, 1.0, system.tree.n_coordinates), body, place)
    return bool(rows[1] > 1e-12 * max(1.0, rows.max()))


def _reach(system: Mechanism, q: FloatArray, body: str, place: Sequence[float]) -> FloatArray:
    """Return how fast a point moves at most along each axis of the world for a speed of 1, (3,)."""
    tree, n, motion = system.tree, system.tree.n_speeds, np.zeros(system.motion_size)
    kinematics(motion, tree, system.data, q, np.zeros(n))  # in Python: calls of compiled functions import the compiler
    rows, point = np.zeros(3 * (n + 1)), Point(getattr(system.frames, body), Vector(*place))
    for k, direction in enumerate(np.eye(3)):
        direction_row(rows, motion, tree, k, point, Vector(*direction))
    reach: FloatArray = np.abs(rows.reshape(3, n + 1)[:, :n]).max(axis=1)
    return reach


def joints_of(made: Assembly, places: Places, length: float) -> Joints:
    """Return what acts in joints."""

    def at(joint: str) -> tuple[int, int]:
        return made.coordinates.index(joint), made.speeds.index(f"{joint}dot")

    sides = [(joint, 1 if side == "lower" else -1) for joint, stop in made.stops.items() for side in stop.limits]
    stops = [(*at(joint), place, sign) for (joint, sign), place in zip(sides, places.stops, strict=True)]
    motors = [(*at(joint), place) for joint, place in zip(made.motors, places.motors, strict=True)]
    dry = [at(joint)[1] for joint in made.dry]
    whole = [np.array(each, np.int64).ravel() for each in (stops, dry, motors)]
    sizes = np.array([1.0 if made.unit(joint) == "rad" else length for joint, _ in sides], float)
    return Joints(len(stops), len(dry), len(motors), whole[0], sizes, whole[1], whole[2])


def _loops(where: str, made: Assembly, places: Places, length: float) -> Loops:
    system: Any = made.system
    loops, ends = [], []
    for each, place in zip(made.loops, places.loops, strict=True):
        frames = (_frame(f"{where}: {each.name}", system, body) for body in (each.body, each.on))
        axes = loop_axes(made, each)
        loops.append((*frames, place, len(axes), *(*axes, 0, 0, 0)[:3]))
        ends += [each.point, each.to]
    return Loops(np.array(loops, np.int64).ravel(), np.ravel(np.array(ends, float)), length)


def loop_axes(made: Assembly, loop: Pin | Rod) -> tuple[int, ...]:
    """Return the axes of the world along which a pin holds: those along which its points can part; none of a rod."""
    system: Any = made.system
    if isinstance(loop, Rod) or not {loop.body, loop.on} <= set(system.frames._fields):
        return ()
    q = np.random.default_rng(0).uniform(-1.0, 1.0, system.tree.n_coordinates)
    rows = np.maximum(_reach(system, q, loop.body, loop.point), _reach(system, q, loop.on, loop.to))
    return tuple(i for i in range(3) if rows[i] > 1e-12 * max(1.0, rows.max()))
