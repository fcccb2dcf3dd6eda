"""Robots from files: URDF and MJCF, read by MuJoCo."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.multibody.joints import Planar
from hybridsim.multibody.mechanism import Mechanism
from hybridsim.typing import Base


@explains_keywords(floating="base")
def load_mechanism(
    path: str | os.PathLike[str],
    *,
    base: Base = "fixed",
    gravity: Sequence[float] | None = None,
    ignore: Collection[str] = (),
) -> Mechanism:
    """Read a robot from a URDF or MJCF file.

    Needs MuJoCo, which reads the file: ``pip install 'hybridsim[robots]'``. Coordinates and speeds are MuJoCo's
    `qpos` and `qvel` of the same file, in the same order and with the file's names; bodies have the frames of the
    file, and look as the file says. Contacts, sensors, actuators and keyframes are not read.

    In names, every character but letters, digits and underscores of ASCII becomes an underscore; a name that then does
    not begin with a letter, or is a keyword of Python, gets ``body_`` or ``joint_`` in front. A joint without a name
    has that of its body, with "_1", "_2" ... if the body has several.

    Parameters
    ----------
    path : path
        The file, .urdf or .xml; its root element is <robot> (URDF) or <mujoco> (MJCF).
    base : {"fixed", "planar", "floating"}, optional
        How the root of a URDF moves: not at all; in the x-z plane, with coordinates base_x, base_z and base_angle; or
        freely. MJCF files say it themselves.
    gravity : three floats, optional
        Acceleration of gravity [m/s^2]; if not given, that of the file, or (0, 0, -9.81).
    ignore : collection of str, optional
        What to leave out although it changes the motion, by the words of the error message: "armature", "equality",
        "tendon", "mimic" ...

    Returns
    -------
    Mechanism
        The bodies and joints.

    Raises
    ------
    ModelError
        If the file cannot be read, or contains what a mechanism does not have; the message names all of it.
    """
    file = Path(path)
    if base not in get_args(Base):
        words = get_args(Base)
        raise ModelError(f"{file}: base is one of {', '.join(words)}, not {base!r}{nearest(str(base), words)}")
    try:
        import mujoco  # noqa: F401
    except ImportError as error:
        raise ModelError(
            f"{file}: reading a robot needs MuJoCo ({error}); install it with pip install 'hybridsim[robots]'"
        ) from None
    from hybridsim.multibody import robot_gaps
    from hybridsim.multibody.robot_bodies import bodies_of
    from hybridsim.multibody.robot_looks import looks_in
    from hybridsim.multibody.robot_reading import gravity_of, read_robot

    robot_gaps.refuse_unknown(ignore)
    robot = read_robot(file, base)
    robot_gaps.refuse_gaps(file, robot.gaps, ignore)
    try:
        looks, read = looks_in(file), bodies_of(robot.model, robot_gaps.as_points(robot.inertials))
        bodies = [replace(body, looks=looks.get(body.name, ())) for body in read]
        if base == "planar":
            bodies[0] = replace(bodies[0], joint=Planar("base", normal="y"))
        return Mechanism(*bodies, gravity=gravity_of(robot.model) if gravity is None else gravity)
    except ModelError as error:
        raise ModelError(f"{file}: {error}") from None
