"""What humanoids are made of: segments, and where their feet touch the ground.

Legs are alike. Frames have their origin in the joint to the parent, x forward and z up. Angles of joints are flexions:
the thigh swings forward, the shank backward, the toes of the foot rise. CoMan's numbers are those of its makers,
projected on the sagittal plane; the human's are fractions of stature and mass.
"""

import math
from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple

from hybridsim.errors import ModelError
from hybridsim.multibody import Body, Mechanism, Planar, Revolute


class Segment(NamedTuple):
    """A rigid part.

    Attributes
    ----------
    mass : float
        [kg].
    x, z : float
        Its centre of mass, from its joint [m].
    inertia : float
        Moment of inertia about the y axis through its centre of mass [kg m^2].
    length : float
        To the next joint [m]; 0 of those that end a chain.
    """

    mass: float
    x: float
    z: float
    inertia: float
    length: float = 0.0


def refuse_no_number(where: str, value: object, unit: str) -> None:
    """Raise a ModelError if something is no finite number."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ModelError(f"{where}: expected a finite number [{unit}], found {value!r}; write it in {unit}")


def refuse_no_size(where: str, value: object, unit: str, example: float) -> None:
    """Raise a ModelError if something is no finite number greater than 0."""
    refuse_no_number(where, value, unit)
    if not value > 0.0:  # type: ignore[operator]
        raise ModelError(
            f"{where}: expected a number greater than 0 [{unit}], found {value}; give for example {example}"
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A planar body with two legs.

    Attributes
    ----------
    torso, thigh, shank, foot : Segment
        With everything above the hips in the torso.
    heel, ball : float
        Ends of the sole, from the ankle forward [m].
    sole : float
        How far the sole is below the ankle [m].
    toe : Segment or None
        A toe with a joint of its own at the ball; its length is how far its tip is ahead [m].
    toe_stiffness : float
        Of the spring in its joint, damped critically for its own moment of inertia [N m/rad].
    """

    torso: Segment
    thigh: Segment
    shank: Segment
    foot: Segment
    heel: float
    ball: float
    sole: float
    toe: Segment | None = None
    toe_stiffness: float = 0.0

    def __post_init__(self) -> None:
        for name in ("torso", "thigh", "shank", "foot", *(["toe"] if self.toe else [])):
            segment = getattr(self, name)
            if not isinstance(segment, Segment):
                raise ModelError(
                    f"{name}: expected a Segment, found {segment!r}; give Segment(mass, x, z, inertia, length)"
                )
            refuse_no_size(f"{name}: mass", segment.mass, "kg", 1.0)
            refuse_no_size(f"{name}: inertia", segment.inertia, "kg m^2", 0.01)
            for axis, value in (("x", segment.x), ("z", segment.z)):
                refuse_no_number(f"{name}: {axis} of its centre of mass", value, "m")
        lengths = {"thigh": self.thigh.length, "shank": self.shank.length, "sole": self.sole}
        lengths |= {"toe": self.toe.length} if self.toe else {}
        for name, length in lengths.items():
            refuse_no_size(f"{name}: length", length, "m", 0.1)
        for name in ("heel", "ball"):
            refuse_no_number(name, getattr(self, name), "m")
        if not self.heel < self.ball:
            raise ModelError(
                f"the heel, at {self.heel} m, must be behind the ball of the foot, at {self.ball} m; "
                "give both from the ankle forward"
            )
        refuse_no_number("toe_stiffness", self.toe_stiffness, "N m/rad")
        if self.toe_stiffness < 0.0:
            raise ModelError(f"toe_stiffness: expected 0 or more [N m/rad], found {self.toe_stiffness}; 0 is no spring")

    @property
    def mass(self) -> float:
        """The mass of all [kg]."""
        legs = (self.thigh, self.shank, self.foot, *([self.toe] if self.toe else []))
        return self.torso.mass + 2.0 * sum(each.mass for each in legs)

    def mechanism(self) -> Mechanism:
        """Return its bodies: the torso, both legs, and then the toes."""
        torso = Body("torso", Planar("base", normal="y"), **_matter(self.torso))
        legs = [body for side in ("left", "right") for body in self._leg(side)]
        return Mechanism(torso, *legs, *([self._toe("left"), self._toe("right")] if self.toe else []))

    def _leg(self, side: str) -> tuple[Body, ...]:
        knee, ankle = (0.0, 0.0, -self.thigh.length), (0.0, 0.0, -self.shank.length)
        return (
            Body(f"{side}_thigh", Revolute(f"{side}_hip", "-y"), "torso", **_matter(self.thigh)),
            Body(f"{side}_shank", Revolute(f"{side}_knee", "y", place=knee), f"{side}_thigh", **_matter(self.shank)),
            Body(f"{side}_foot", Revolute(f"{side}_ankle", "-y", place=ankle), f"{side}_shank", **_matter(self.foot)),
        )

    def _toe(self, side: str) -> Body:
        assert self.toe is not None
        damping = 2.0 * (self.toe_stiffness * self.toe.inertia) ** 0.5
        spring = {"stiffness": self.toe_stiffness, "damping": damping}
        joint = Revolute(f"{side}_toe", "-y", place=(self.ball, 0.0, -self.sole), **spring)
        return Body(f"{side}_toe", joint, f"{side}_foot", **_matter(self.toe))


def _matter(segment: Segment) -> dict[str, object]:
    """Return what a body is made of; how thick it is, a plane does not show."""
    about = (segment.inertia, segment.inertia, 0.25 * segment.inertia)
    return {"mass": segment.mass, "centre": (segment.x, 0.0, segment.z), "inertia": about}


def coman() -> Figure:
    """Return CoMan (J. van den Kieboom, thesis 6244, EPFL 2014): 27.3 kg, hips at 0.52 m."""
    return Figure(
        torso=Segment(14.4847, 0.00919962, 0.212992, 0.169801),
        thigh=Segment(3.61731, 7.39959e-4, -0.100464, 0.0265146, 0.2258),
        shank=Segment(1.40982, 0.00246127, -0.0859895, 0.00400565, 0.201),
        foot=Segment(1.39639, 0.00508618, -0.0204323, 0.00263102),
        heel=-0.03,
        ball=0.0825,
        sole=0.095,
    )


def human(height: float = 1.8, mass: float = 70.0, *, toes: bool = True, toe_inertia: float = 1e-3) -> Figure:
    """Return a human of some stature [m] and mass [kg], by the fractions of van den Kieboom (2014).

    His torso has its centre of mass at 0.030 H; here it is at 0.207 H, so that that of the body is where he has it. A
    toe of 7e-6 kg m^2, which is his, would oscillate with 4,000 rad/s: a shoe gives it `toe_inertia` [kg m^2].
    """
    refuse_no_size("human: height", height, "m", 1.8)
    refuse_no_size("human: mass", mass, "kg", 70.0)
    refuse_no_size("human: toe_inertia", toe_inertia, "kg m^2", 1e-3)
    limb, sole, front = 0.25 * height, 0.04 * height, 0.03 * height
    heel = -0.25 * 0.152 * height
    tip = heel + 0.152 * height
    foot_mass = 0.011 * mass if toes else 0.014 * mass
    return Figure(
        torso=Segment(0.678 * mass, 0.0, 0.207 * height, 0.678 * mass * (0.143 * height) ** 2),
        thigh=Segment(0.1 * mass, 0.0, -0.108 * height, 0.1 * mass * (0.32 * limb) ** 2, limb),
        shank=Segment(0.047 * mass, 0.0, -0.108 * height, 0.047 * mass * (0.3 * limb) ** 2, limb),
        foot=Segment(foot_mass, 0.004 * height, -0.002 * height, foot_mass * (0.48 * sole) ** 2),
        heel=heel,
        ball=tip - front if toes else tip,
        sole=sole,
        toe=Segment(0.003 * mass, 0.001 * height, 0.0, toe_inertia, front) if toes else None,
        toe_stiffness=122.0,
    )
