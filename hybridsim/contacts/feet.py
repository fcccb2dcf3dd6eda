"""Feet of legs, as contacts: a point, a ball, a sole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hybridsim.contacts.description import Patch, Sphere
from hybridsim.errors import ModelError
from hybridsim.multibody.joints import number, triple


class PointFoot(Patch):
    """A foot that is a point, as at the end of a stilt.

    Parameters
    ----------
    name : str
        An identifier.
    body : str
        The leg.
    end : three floats
        Its end in the frame of the body [m].
    **contact
        friction, restitution, plane and what else a `Patch` has.
    """

    def __init__(self, name: str, body: str, end: Sequence[float], **contact: Any) -> None:
        super().__init__(name, body, [end], **contact)


class RoundFoot(Sphere):
    """A foot that rolls: a ball, or in the plane a disk, whose lowest point is the end of the upright leg.

    Parameters
    ----------
    name : str
        An identifier.
    body : str
        The leg.
    end : three floats
        Its end in the frame of the body [m]; the leg is along z.
    radius : float
        Radius of the foot [m].
    **contact
        friction, restitution, plane and what else a `Sphere` has.
    """

    def __init__(self, name: str, body: str, end: Sequence[float], radius: float, **contact: Any) -> None:
        x, y, z = triple(f"contact {name!r}: end", end)
        super().__init__(name, body, radius, (x, y, z + radius), **contact)


class FlatFoot(Patch):
    """A sole: heel and toe, in space with a width.

    Parameters
    ----------
    name : str
        An identifier.
    body : str
        The foot, or the leg.
    end : three floats
        The point of the sole below the ankle, in the frame of the body, along whose x and y axes the sole lies [m].
    heel, toe : float
        How far the sole reaches behind this point, and before it [m]; one may be negative, not their sum.
    width : float
        From one side to the other [m]; 0 for heel and toe alone.
    **contact
        friction, restitution, plane and what else a `Patch` has.

    Raises
    ------
    ModelError
        If the sole has no length, or a negative width.
    """

    def __init__(
        self,
        name: str,
        body: str,
        end: Sequence[float],
        *,
        heel: float,
        toe: float,
        width: float = 0.0,
        **contact: Any,
    ) -> None:
        where = f"contact {name!r}"
        x, y, z = triple(f"{where}: end", end)
        for key, size in (("heel", heel), ("toe", toe), ("width", width)):
            number(f"{where}: {key}", size)
        if not heel + toe > 0.0:
            raise ModelError(
                f"{where}: heel + toe must be greater than 0, not {heel!r} + {toe!r}; make the sole longer"
            )
        if width < 0.0:
            raise ModelError(f"{where}: width must be 0 or greater, not {width!r}; give 0 for heel and toe alone")
        half = 0.5 * width
        sole = [(x - heel, y - half, z), (x + toe, y - half, z), (x + toe, y + half, z), (x - heel, y + half, z)]
        super().__init__(name, body, sole if half else sole[:2], **contact)
