"""What robot files can describe and a mechanism cannot: found and named, never dropped in silence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np

from hybridsim.errors import ModelError, nearest
from hybridsim.multibody.joints import refuse_unphysical
from hybridsim.multibody.robot_bodies import Inertial

Gap = tuple[str, str]
"""A key of `ADVICE_BY_GAP`, and where in the file it occurs."""

ADVICE_BY_GAP = {
    "mimic": "Couple the speeds with a constraint row of your own",
    "equality": "Close loops and couple joints with constraint rows (`joining_rows`, `lock_row`)",
    "tendon": "Add the forces of tendons to the generalised forces (`add_force`)",
    "flex": "Bodies are rigid",
    "plugin": "Add the forces to the generalised forces (`add_force`)",
    "mocap": "Give the body a joint, or none",
    "gravcomp": "Add the forces to the generalised forces (`add_force`)",
    "armature": "Rotors belong to hinges and slides: give the inertia to the joint, times its gear ratio squared",
    "frictionloss": "Dry friction belongs into charts of a model, for sticking and slipping",
    "stiffness": "Springs are linear, and belong to hinges and slides; add others to the generalised forces",
    "damping": "Dampers are linear, and belong to hinges, slides and ball joints; add others to the generalised forces",
    "range": "Limits belong to hinges and slides, a lower and a larger upper one; others are boundaries of a model",
    "fluid": "Add the forces of the medium to the generalised forces (`add_force`)",
    "inertia": "Correct it in the file; where it is left out, the body is a point mass",
    "compiler": "Write masses and inertias into the file as they shall be",
    "warning": "MuJoCo warns of this; correct the file",
    "flag": "Set the stiffness or damping of the joints to 0 in the file instead",
}
"""What a mechanism does not have, and what to do instead."""


def refuse_unknown(ignore: Collection[str]) -> None:
    """Raise a ModelError if a word is not a key of `ADVICE_BY_GAP`."""
    for word in ignore:
        if word not in ADVICE_BY_GAP:
            raise ModelError(
                f"ignore: {word!r} is unknown{nearest(word, ADVICE_BY_GAP)}; known are {', '.join(ADVICE_BY_GAP)}"
            )


def refuse_gaps(file: Path, gaps: Iterable[Gap], ignore: Collection[str]) -> None:
    """Raise a ModelError that names all gaps but those to be ignored."""
    found: dict[str, list[str]] = {}
    for word, where in gaps:
        if word not in ignore:
            found.setdefault(word, []).append(where)
    if found:
        lines = [f"  {word}: {'; '.join(places)}. {ADVICE_BY_GAP[word]}." for word, places in found.items()]
        raise ModelError(
            f"{file}: a mechanism has no place for the following, which changes the motion; ignore={tuple(found)!r} "
            "leaves it out\n" + "\n".join(lines)
        )


def gaps_of_urdf(root: ElementTree.Element, spec: Any) -> Iterator[Gap]:
    """Yield what a URDF file says beside its links and joints.

    Parameters
    ----------
    root : Element
        The file.
    spec : MjSpec
        What MuJoCo has read.
    """
    for joint in root.iter("joint"):
        where, limit = f"joint {joint.get('name')!r}", joint.find("limit")
        if joint.find("mimic") is not None:
            yield "mimic", where
        if limit is not None and joint.get("type") in ("revolute", "prismatic"):
            lower, upper = limit.get("lower"), limit.get("upper")
            if lower is None or upper is None or float(lower) > float(upper):  # MuJoCo then drops both
                yield "range", f"{where} from {lower} to {upper}"
    usual = type(spec)().compiler
    for name in ("balanceinertia", "boundinertia", "boundmass", "inertiafromgeom", "settotalmass"):
        if getattr(spec.compiler, name) != getattr(usual, name):
            yield "compiler", name


def gaps_of_mjcf(spec: Any) -> Iterator[Gap]:
    """Yield what an MJCF file describes beside its bodies.

    Parameters
    ----------
    spec : MjSpec
        What MuJoCo has read.
    """
    for kind, elements in (
        ("equality", spec.equalities),
        ("tendon", spec.tendons),
        ("flex", spec.flexes),
        ("plugin", spec.plugins),
    ):
        for index, element in enumerate(elements, 1):
            yield kind, repr(element.name) if element.name else f"number {index}"
    for index, actuator in enumerate(spec.actuators, 1):
        where = f"actuator {actuator.name or index!r}"
        if np.any(actuator.armature):
            yield "armature", where
        if np.any(actuator.damping):
            yield "damping", where


def gaps_of_inertials(inertials: Iterable[Inertial]) -> Iterator[Gap]:
    """Yield the inertias that no distribution of mass has; files often contain some."""
    for inertial in inertials:
        try:
            refuse_unphysical(f"body {inertial.body!r}", inertial.inertia)
        except ModelError as error:
            yield "inertia", str(error)


def as_points(inertials: Iterable[Inertial]) -> list[Inertial]:
    """Return the inertials with inertia 0 where it is not physical."""
    return [each._replace(inertia=np.zeros((3, 3))) if [*gaps_of_inertials([each])] else each for each in inertials]


def gaps_of_model(model: Any) -> Iterator[Gap]:
    """Yield what bodies, joints and options have beyond those of a mechanism."""
    for index in range(model.njnt):
        for kind in _gaps_of_joint(model, index):
            yield kind, f"joint {model.joint(index).name or index!r}"
    for index in range(model.nbody):
        where = f"body {model.body(index).name or index!r}"
        if model.body_gravcomp[index]:
            yield "gravcomp", where
        if model.body_mocapid[index] >= 0:
            yield "mocap", where
    for name in ("density", "viscosity"):
        if getattr(model.opt, name):
            yield "fluid", f"option {name}"
    for name in ("spring", "damper"):
        if model.opt.disableflags & getattr(mujoco.mjtDisableBit, f"mjDSBL_{name.upper()}"):
            yield "flag", f"{name} disabled"


def _gaps_of_joint(model: Any, index: int) -> Iterator[str]:
    kinds = mujoco.mjtJoint
    kind = kinds(model.jnt_type[index])
    straight = kind in (kinds.mjJNT_HINGE, kinds.mjJNT_SLIDE)
    first = model.jnt_dofadr[index]
    speeds = slice(first, first + {kinds.mjJNT_FREE: 6, kinds.mjJNT_BALL: 3}.get(kind, 1))
    if np.any(model.dof_armature[speeds]) and not straight:
        yield "armature"
    if np.any(model.dof_frictionloss[speeds]):
        yield "frictionloss"
    yields = np.any(model.jnt_stiffnesspoly[index]) or model.jnt_springyield[index]
    if yields or (model.jnt_stiffness[index] and not straight):
        yield "stiffness"
    moves_freely = kind == kinds.mjJNT_FREE
    if np.any(model.dof_dampingpoly[speeds]) or (moves_freely and np.any(model.dof_damping[speeds])):
        yield "damping"
    if model.jnt_limited[index] and not straight:
        yield "range"
