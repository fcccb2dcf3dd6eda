"""What a robot is that is worn on a leg: its joints in upright stance, its actuators, and so its bodies and masses.

Bodies of the leg come first (0 is before the first joint of the limb), the links of the robot behind them. A joint's
mass belongs to its body with the larger number. In the mechanism each link hangs from one of its joints, those with
actuators first, and pins close the loops that are left.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from hybridsim.contacts import Pin
from hybridsim.errors import ModelError, nearest
from hybridsim.multibody import Body, Linkage, Look, Revolute
from hybridsim.scene import Capsule, Cylinder, between, placed
from hybridsim.typing import FloatArray
from hybridsim_models.humanoid.body import Figure, refuse_no_size

from .records import PARAMETERS
from .scene import ACTUATOR_COLOUR, BAR_COLOURS, UPRIGHT
from .topologies import DESIGNS, SHANK, THIGH, TOPOLOGIES

JOINTS, AXES, BODIES = ("hip", "knee", "ankle"), ("-y", "y", "-y"), ("torso", "thigh", "shank", "foot")
LIMBS = tuple(JOINTS[i:j] for i in range(3) for j in range(i + 1, min(i + 2, 3) + 1))
"""What a robot can move: one joint of the leg, or two in a row."""
RADIUS = 0.05
"""Of actuators and joints [m]."""
MOST_LINKS = 16
"""On a leg."""


class Hinge(NamedTuple):
    """Where a link hangs: the joint, counted from 0, the body that carries it, and the link."""

    joint: int
    parent: int
    link: int


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot of links on a limb, the same on both legs.

    Attributes
    ----------
    edges : str
        Its joints as pairs of bodies, "03 14 15 26 34 56": those of the limb first, then the links.
    places : sequence of pairs of floats
        The joints in upright stance: x forward of the leg, z above the ground [m].
    actuators : sequence of int
        The joints with actuators, counted from 1: as many as the limb has.
    limb : sequence of str
        The joints of the leg that it moves: one of hip, knee and ankle, or two in a row.
    actuator_mass, joint_mass : float
        Of a joint with and without an actuator [kg].
    bar_mass : float
        Of the bars between the joints of a link [kg/m].
    """

    edges: str
    places: Sequence[Sequence[float]]
    actuators: Sequence[int]
    limb: Sequence[str] = ("hip", "knee")
    actuator_mass: float = 2.0
    joint_mass: float = 0.5
    bar_mass: float = 0.7

    def __post_init__(self) -> None:
        if isinstance(self.limb, str) or tuple(self.limb) not in LIMBS:
            known = ", ".join("-".join(limb) for limb in LIMBS)
            found = repr(self.limb) if isinstance(self.limb, str) else list(self.limb)
            raise ModelError(
                f"robot: limb: {found} is no row of joints that it can move; choose of {known}, as ('knee',)"
            )
        for name, unit in (("actuator_mass", "kg"), ("joint_mass", "kg"), ("bar_mass", "kg/m")):
            refuse_no_size(f"robot: {name}", getattr(self, name), unit, 0.5)
        if isinstance(self.actuators, int):
            raise ModelError(
                f"robot: actuators: expected a row of joints, found {self.actuators}; write ({self.actuators},)"
            )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A robot on a figure of some size: places, masses, and the tree of its joints.

    Attributes
    ----------
    robot : Robot
        The robot.
    linkage : Linkage
        Its geometry.
    tree : tuple of Hinge
        Where each link hangs, from the limb outwards.
    pins : tuple of int
        The joints that close loops, counted from 0.
    """

    robot: Robot
    linkage: Linkage
    tree: tuple[Hinge, ...] = field(init=False)
    pins: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.linkage.refuse_actuators(self.robot.actuators)
        if len(self.links) > MOST_LINKS:
            raise ModelError(
                f"robot: {len(self.links)} links are more than {MOST_LINKS}, the most there may be on a leg"
            )
        tree, left = [], sorted(range(len(self.linkage.edges)), key=lambda joint: joint + 1 not in self.robot.actuators)
        known = {*range(self.linkage.n_limb)}
        while len(known) < self.linkage.n_bodies:
            joint = next(k for k in left if len(known & {*self.linkage.edges[k]}) == 1)
            (parent,) = known & {*self.linkage.edges[joint]}
            (link,) = {*self.linkage.edges[joint]} - known
            tree.append(Hinge(joint, parent, link))
            known.add(link)
            left.remove(joint)
        object.__setattr__(self, "tree", tuple(tree))
        object.__setattr__(self, "pins", tuple(sorted(left)))

    @property
    def links(self) -> range:
        """The numbers of its links."""
        return range(self.linkage.n_limb, self.linkage.n_bodies)

    def parts_of(self, link: int) -> Iterator[tuple[float, FloatArray, float]]:
        """Yield mass [kg], place in upright stance [m] and own moment of inertia of a link's bars and joints."""
        for one, other in self.bars_of(link):
            a, b = self.linkage.places[one], self.linkage.places[other]
            length = float(np.linalg.norm(a - b))
            mass = self.robot.bar_mass * length
            yield mass, 0.5 * (a + b), mass * length**2 / 12
        for joint, edge in enumerate(self.linkage.edges):
            if max(edge) == link:
                mass = self.robot.actuator_mass if joint + 1 in self.robot.actuators else self.robot.joint_mass
                yield mass, self.linkage.places[joint], 0.5 * mass * RADIUS**2

    def bars_of(self, link: int) -> Iterator[tuple[int, int]]:
        """Yield the joints that the bars of a link connect."""
        return itertools.combinations([k for k, edge in enumerate(self.linkage.edges) if link in edge], 2)

    @property
    def mass(self) -> float:
        """The mass of what is on one leg [kg]."""
        return sum(mass for link in self.links for mass, _, _ in self.parts_of(link))

    def bodies(self, names: Sequence[str], origins: Sequence[FloatArray], side: str = "") -> list[Body]:
        """Return its links as bodies of a mechanism.

        Parameters
        ----------
        names : sequence of str
            Those of the limb's bodies.
        origins : sequence of (2,) arrays
            Where the origins of their frames are in upright stance, x and z [m].
        side : str
            What the names of links and joints begin with.
        """
        found, at = [], [*origins, *(self._origin(link) for link in self.links)]
        called = [*names, *(f"{side}link{link}" for link in self.links)]
        for joint, parent, link in self.tree:
            parts = [*self.parts_of(link)]
            mass = sum(m for m, _, _ in parts)
            centre = sum(m * place for m, place, _ in parts) / mass
            inertia = sum(own + m * float(np.sum((place - centre) ** 2)) for m, place, own in parts)
            axis = "y" if link == self.linkage.edges[joint][1] else "-y"  # the second body turns from the first
            hinge = Revolute(f"{side}joint{joint + 1}", axis, place=in_plane(at[link] - at[parent]))
            matter = {"mass": mass, "centre": in_plane(centre - at[link]), "inertia": (inertia,) * 3}
            found.append(Body(called[link], hinge, called[parent], **matter, looks=self._looks(link, side)))
        return found

    def loops(self, names: Sequence[str], origins: Sequence[FloatArray], side: str = "") -> list[Pin]:
        """Return the pins that close its loops; arguments as of `bodies`."""
        at = [*origins, *(self._origin(link) for link in self.links)]
        called = [*names, *(f"{side}link{link}" for link in self.links)]
        found = []
        for joint in self.pins:
            first, second = self.linkage.edges[joint]
            place, to = (in_plane(self.linkage.places[joint] - at[body]) for body in (second, first))
            found.append(Pin(f"{side}joint{joint + 1}", called[second], place, on=called[first], to=to))
        return found

    def _origin(self, link: int) -> FloatArray:
        return self.linkage.places[next(hinge.joint for hinge in self.tree if hinge.link == link)]

    def _looks(self, link: int, side: str) -> list[Look]:
        origin, colour = self._origin(link), BAR_COLOURS[(link - self.links[0]) % len(BAR_COLOURS)]
        beside = 0.2 if side == "left_" else -0.2  # where it is drawn [m]

        def point(joint: int) -> FloatArray:
            x, z = self.linkage.places[joint] - origin
            return np.array([x, beside, z])

        found = [Look(Cylinder(0.012), between(*map(point, bar)), colour) for bar in self.bars_of(link)]
        for joint, edge in enumerate(self.linkage.edges):
            if max(edge) == link and joint + 1 in self.robot.actuators:
                found.append(Look(Capsule(0.035, 0.04), placed(point(joint), UPRIGHT), ACTUATOR_COLOUR))
        return found


def in_plane(place: FloatArray) -> tuple[float, float, float]:
    """Return x, y and z of a place in the plane [m]."""
    return float(place[0]), 0.0, float(place[1])


def joints_of(figure: Figure) -> dict[str, tuple[float, float, str]]:
    """Return the joints of a leg in upright stance: x, z [m] and the axis of flexion."""
    heights = (figure.sole + figure.shank.length + figure.thigh.length, figure.sole + figure.shank.length, figure.sole)
    return {name: (0.0, z, axis) for name, z, axis in zip(JOINTS, heights, AXES, strict=True)}


def fit(robot: Robot, figure: Figure) -> Fitted:
    """Put a robot on a figure.

    Raises
    ------
    ConfigError
        If its joints are no linkage that leaves the limb its freedom, or its actuators cannot move it.
    """
    limb = {name: joint for name, joint in joints_of(figure).items() if name in robot.limb}
    return Fitted(robot, Linkage(limb, robot.edges, robot.places))


def robot_of(setting: Mapping[str, Any]) -> Robot:
    """Return the robot that parameters of the model `wearable` describe, as a search leaves them in best.yaml.

    Parameters
    ----------
    setting : mapping
        Parameters by name; those that are not given have their defaults.

    Raises
    ------
    ModelError
        If there is no such parameter or design.
    """
    known = {record.name: record.default for record in PARAMETERS}
    for key in setting:
        if key not in known:
            raise ModelError(f"robot_of: there is no parameter {key!r} of the model wearable{nearest(key, known)}")
    found = {**known, **setting}
    if found["design"] not in DESIGNS:
        hint = nearest(str(found["design"]), DESIGNS)
        raise ModelError(f"robot_of: there is no design {found['design']!r}{hint}; one is t2_24")
    topology, *actuators = DESIGNS[found["design"]]
    hip = found["ankle_height"] + found["shank_length"] + found["thigh_length"]
    places, seen, free = [], [], 0
    for body in (int(word[0]) for word in TOPOLOGIES[topology].split()):
        if body > SHANK:
            free += 1
            places.append((found[f"pin{free}_x"], found[f"pin{free}_z"]))
            continue
        along = found["second" if body in seen else BODIES[body]]
        seen.append(body)
        top = hip if body <= THIGH else hip - found["thigh_length"]
        length = (found["torso_length"], -found["thigh_length"], -found["shank_length"])[body]
        places.append((0.0, top + along * length))
    masses = {name: found[name] for name in ("actuator_mass", "joint_mass", "bar_mass")}
    return Robot(TOPOLOGIES[topology], places, [k + 1 for k in actuators], **masses)


def robot_from(file: str | Path) -> Robot:
    """Return the robot of a config of the model `wearable`, such as the best.yaml of a search.

    Raises
    ------
    ModelError
        If there is no such file, or it has no parameters of this model.
    """
    path = Path(file)
    if not path.is_file():
        raise ModelError(f"robot_from: there is no file {path}; give a config of the model wearable")
    content = yaml.safe_load(path.read_text())
    if not isinstance(content, Mapping) or content.get("model") != "wearable":
        raise ModelError(
            f"robot_from: {path} is no config of the model wearable; give one that begins `model: wearable`"
        )
    return robot_of(content.get("parameters") or {})
