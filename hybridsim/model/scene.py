"""What the viewer shows of a model: bodies with their shapes, a ground and a camera. No graphics toolkit is involved.

The world has x forward, y to the left and z up, right-handed, and lengths in metres; a planar model has its height on
z. A scene is described once. For each picture, the model's function `poses(T, t, x, p, chart)` then places the bodies.
It is plain Python. T has shape (n_bodies, 4, 4): for each body the homogeneous transform from its own frame to the
world, which is the identity before the call:

    T[BODY.hull] = placed((x[S.x], 0.0, x[S.y]))
    T[BODY.leg] = between(foot, body)
    T[BODY.push] = HIDDEN
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.errors import ModelError, explains_keywords, nearest, refuse_other_word
from hybridsim.model.poses import Vector, is_transform_of_a_body
from hybridsim.model.pushes import Push
from hybridsim.model.shapes import Shape, refuse_invalid_sizes
from hybridsim.model.source_location import line_of, where
from hybridsim.model.table import Records, refuse_invalid_identifier
from hybridsim.typing import BodyKind, FloatArray

Height = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""z = height(x, y, p) [m], for arrays x, y [m] of one shape and the parameters p."""

Edges = Callable[[float, float, FloatArray], FloatArray]
"""The y of edges(begin, end, p) [m] from begin to end [m]."""


SHOWN_ON_REQUEST: tuple[BodyKind, ...] = ("cone", "frame", "inertia")
"""The kinds of bodies that are hidden at first."""

GROUND_REACH = 11.0
"""Distance to which the ground is drawn, in units of the camera's distance from its target."""

GROUND_TEST_SHAPE = (9, 7)
"""Numbers of places along x and y at which the ground is evaluated before a run."""


def _refuse_other_shape(where: str, shape: Any) -> None:
    if not isinstance(shape, Shape):
        names = ", ".join(shape_type.__name__ for shape_type in Shape.__args__)
        raise ModelError(f"{where}: expected a shape ({names}), found {shape!r}")


def _refuse_invalid_colour(where: str, colour: str) -> None:
    if not (isinstance(colour, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", colour)):
        raise ModelError(f"{where}: a colour is written '#rrggbb', not {colour!r}")


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Body:
    """One body of a scene; its index among the scene's bodies is its index in T.

    Parameters
    ----------
    name : str
        An identifier, unique among the bodies of a scene.
    shape : Sphere, Box, Capsule, Cylinder, Spring, Arrow, Cone or Mesh
        Its shape.
    colour : str
        Its colour, "#rrggbb".
    opacity : float
        From 0, invisible, to 1, opaque.
    kind : {"body", "force", "cone", "contact", "joint", "frame", "inertia"}
        What the viewer can switch off: a "force", the mark of a "contact", a "joint"; and what it can switch on: a
        "cone" of friction, the axes of a "frame", an ellipsoid of "inertia".

    Raises
    ------
    ModelError
        If the name is no identifier, or one of the other values is not allowed.
    """

    name: str
    shape: Shape
    colour: str = "#8a97a6"
    opacity: float = 1.0
    kind: BodyKind = "body"

    def __post_init__(self) -> None:
        refuse_invalid_identifier("body", self.name)
        where = f"body {self.name!r}"
        _refuse_other_shape(where, self.shape)
        _refuse_invalid_colour(where, self.colour)
        if not 0.0 <= self.opacity <= 1.0:
            raise ModelError(f"{where}: opacity must be a number from 0 to 1, not {self.opacity!r}")
        refuse_other_word(f"{where}: kind", self.kind, BodyKind, ModelError)


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Ground:
    """A surface that extends everywhere, with squares in two colours.

    Parameters
    ----------
    height : float or callable
        Its height z [m], or for terrain a function `height(x, y, p)` of numpy arrays that returns z [m].
    checker : float
        The side of the squares [m].
    colours : tuple of 2 str
        The two colours, "#rrggbb".
    edges : callable, optional
        For terrain with edges along x, such as stairs: `edges(begin, end, p)` returns the y [m] of those from begin to
        end [m], in rising order. The picture has its lines there.

    Raises
    ------
    ModelError
        If one of the values is not allowed.
    """

    height: float | Height = 0.0
    checker: float = 1.0
    colours: tuple[str, str] = ("#e9e6df", "#b9c2c9")
    edges: Edges | None = None

    def __post_init__(self) -> None:
        refuse_invalid_sizes(self, checker=self.checker)
        for colour in self.colours:
            _refuse_invalid_colour("ground", colour)
        if not (callable(self.height) or math.isfinite(self.height)):
            raise ModelError(f"ground: height must be a finite number [m] or a function, not {self.height!r}")

    def at(self, x: FloatArray, y: FloatArray, p: FloatArray) -> FloatArray:
        """Evaluate the height.

        Parameters
        ----------
        x, y : array
            Places in the world [m], of one shape.
        p : array
            The parameters and inputs of the model.

        Returns
        -------
        array
            The height z at each place [m].

        Raises
        ------
        ModelError
            If the function fails, or does not return one finite number for each place or one for all.
        """
        if not callable(self.height):
            return np.full(np.shape(x), float(self.height))
        try:
            z = np.asarray(self.height(x, y, p), float)
        except Exception as problem:
            line = line_of(problem, self.height)
            raise ModelError(f"{line}: in the height of the ground: {type(problem).__name__}: {problem}") from problem
        if z.ndim and z.shape != np.shape(x):
            raise ModelError(
                f"{where(self.height)}, the height of the ground, returns an array of shape {z.shape} for places of "
                f"shape {np.shape(x)}; expected one z for each place, or one number for all"
            )
        z = np.array(np.broadcast_to(z, np.shape(x)))
        wrong = np.flatnonzero(~np.isfinite(z))
        if wrong.size:
            first = wrong[0]
            raise ModelError(
                f"{where(self.height)}, the height of the ground, is {z.flat[first]} at x = {x.flat[first]:.6g} m, "
                f"y = {y.flat[first]:.6g} m; expected finite numbers [m] everywhere"
            )
        return z


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Camera:
    """The point of view.

    Parameters
    ----------
    follow : str
        The body that the camera follows; "" for a camera that stands still.
    along : str
        The axes in which the camera follows it, some of "xyz".
    at : tuple of 3 floats
        The point in the middle of the picture [m]; in the axes of `along`, relative to the body.
    distance : float
        The distance from the eye to that point [m].
    view : tuple of 3 floats
        The direction of sight in the world, of any length; (0, 1, 0) has x to the right and z up.
    whole : bool
        Whether a camera that stands still steps back until it sees the bodies wherever they are in a finished run, and
        where they begin in one that is computed. A page of a finished run lets them fill the picture.

    Raises
    ------
    ModelError
        If one of the values is not allowed.
    """

    follow: str = ""
    along: str = "x"
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 5.0
    view: tuple[float, float, float] = (0.3, 1.0, -0.2)
    whole: bool = False

    def __post_init__(self) -> None:
        refuse_invalid_sizes(self, distance=self.distance)
        if not self.along or set(self.along) - set("xyz"):
            raise ModelError(
                f"camera: along: expected some of the axes 'xyz', found {self.along!r}; "
                "leave out `follow` for a camera that stands still"
            )
        for name in ("at", "view"):
            if not (len(getattr(self, name)) == 3 and all(map(math.isfinite, getattr(self, name)))):
                raise ModelError(f"camera: {name} must be three finite numbers, not {getattr(self, name)!r}")
        if not any(self.view):
            raise ModelError("camera: view must be a direction, not (0, 0, 0)")

    def focus(self, position: Vector) -> FloatArray:
        """The point in the middle of the picture.

        Parameters
        ----------
        position : (3,) array_like
            Where the followed body is [m].

        Returns
        -------
        (3,) array
            The point in the world [m].
        """
        follows = np.array([bool(self.follow) and axis in self.along for axis in "xyz"])
        return np.asarray(self.at, float) + np.where(follows, position, 0.0)

    def eye(self, position: Vector) -> FloatArray:
        """The position of the eye.

        Parameters
        ----------
        position : (3,) array_like
            Where the followed body is [m].

        Returns
        -------
        (3,) array
            The position in the world [m].
        """
        view = np.asarray(self.view, float)
        return self.focus(position) - self.distance / math.sqrt(view @ view) * view


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Scene:
    """All that the viewer shows of a model.

    Parameters
    ----------
    bodies : Records of Body
        The bodies, in the order of T; a list of them is accepted, too.
    ground : Ground, optional
        The ground; None for a scene without ground.
    camera : Camera
        The point of view.
    outputs : tuple of str
        The outputs (the states of a model without outputs) that are shown as numbers and curves at first.
    pushes : tuple of Push
        The bodies that the mouse can push.
    newtons_per_metre : callable, optional
        For a legend, the force for which an arrow of 1 m stands: `newtons_per_metre(p)` [N/m] of the parameters p.

    Raises
    ------
    ModelError
        If there are no bodies, two have the same name, or the camera follows none of them, or a push acts on none.
    """

    bodies: Records[Body]
    ground: Ground | None = field(default_factory=Ground)
    camera: Camera = field(default_factory=Camera)
    outputs: tuple[str, ...] = ()
    pushes: tuple[Push, ...] = ()
    newtons_per_metre: Callable[[FloatArray], float] | None = None

    def __post_init__(self) -> None:
        bodies = tuple(self.bodies)
        for body in bodies:
            if not isinstance(body, Body):
                raise ModelError(f"bodies: expected Body records, found {body!r}")
        object.__setattr__(self, "bodies", Records(*bodies))
        object.__setattr__(self, "outputs", tuple(self.outputs))
        object.__setattr__(self, "pushes", tuple(self.pushes))
        followed, names = self.camera.follow, self.bodies.names
        if not names:
            raise ModelError("scene: bodies: there are none; give at least one Body")
        if followed and followed not in names:
            raise ModelError(
                f"scene: the camera follows {followed!r}, which is no body{nearest(followed, names)}; "
                f"give one of {', '.join(names)}, or '' for a camera that stands still"
            )
        for push in self.pushes:
            if push.body not in names:
                raise ModelError(
                    f"scene: a push on {push.body!r}, which is no body{nearest(push.body, names)}; give one of "
                    f"{', '.join(names)}"
                )


def refuse_undefined_ground(scene: Scene, p: FloatArray, focus: Vector = (0.0, 0.0, 0.0)) -> None:
    """Raise a ModelError if the ground has no height somewhere within the drawn area around `focus` (3,) [m]."""
    if scene.ground is not None:
        reach = GROUND_REACH * scene.camera.distance
        lines = (focus[axis] + np.linspace(-reach, reach, GROUND_TEST_SHAPE[axis]) for axis in (0, 1))
        x, y = np.meshgrid(*lines, indexing="ij")
        scene.ground.at(x, y, p)


def check_poses(scene: Scene, poses: FloatArray) -> Iterator[str]:
    """Find poses (n_bodies, 4, 4) that are neither hidden nor transforms of a body; one message for each.

    A pose turns, moves and stretches along the body's own axes; it does not shear, mirror or flatten.
    """
    for body, pose in zip(scene.bodies, poses, strict=True):
        if not np.isfinite(pose).all():
            yield f"the pose of {body.name} is not finite; expected numbers (HIDDEN for a body that is not there)"
        elif pose.any() and not is_transform_of_a_body(pose):
            yield (
                f"the pose of {body.name} is no transform of a body: {pose.tolist()}; expected right angles between "
                "the first three columns, right-handed, and (0, 0, 0, 1) below (use `placed`, `between` or HIDDEN)"
            )
