"""Planar linkages on a limb: closed for angles of the limb, they say how it and their joints move together.

A `Linkage` is drawn in one posture, in which all joints of the limb are at 0. Its joints are pins at places of that
drawing; nothing else has a length. For other angles the links follow by Newton's method, step by step from the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hybridsim.errors import ConfigError, ModelError, explains_keywords
from hybridsim.multibody.linkage_closure import closure_rows, determinants, limb_bodies, limb_rates, solved
from hybridsim.multibody.linkage_graphs import TOLERANCE, actuator_pairs, edges_of, moves_freely
from hybridsim.typing import FloatArray

LARGEST_STEP = math.radians(5.0)
"""Largest step [rad] of an angle of the limb on the way from the drawing."""

MAX_NEWTON_STEPS, CLOSED, ROUNDING = 12, 1e-13, 32 * 2.0**-52
"""How often an equation is solved, and the gap of joints that is none: the sum of these shares of how far the joints
are apart, and of how far they are from the origin of the drawing."""

LOWER, UPPER = 0.2, 5.0
"""Least and largest singular value of the rates of actuators per rates of the limb; beyond, a posture is singular."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class Postures:
    """A linkage closed for angles of its limb.

    Attributes
    ----------
    angles : (n, n_limb_joints) array
        Of the limb [rad].
    bodies : (n, n_bodies, 3) array
        Pose of each body: where the origin of the drawing is on it, x and z [m], and how far it is turned, from z to x
        [rad]; nan where the loops do not close.
    relative : (n, n_joints) array
        Relative angles of the joints [rad], the second body from the first, 0 in the drawing.
    transmission : (n, n_joints, n_limb_joints) array
        Rates of the joints per rates of the limb's joints.
    determinant : (n,) array
        Of the equations of the links, 1 in the drawing. Where it is 0, the linkage is locked, or its links are loose.
    """

    angles: FloatArray
    bodies: FloatArray
    relative: FloatArray
    transmission: FloatArray
    determinant: FloatArray

    @property
    def closed(self) -> NDArray[np.bool_]:
        """Whether the loops close in each posture, on the branch of the drawing, (n,)."""
        return np.asarray(np.isfinite(self.bodies).all(axis=(1, 2)))


@explains_keywords()
class Linkage:
    """A planar linkage on a limb.

    Parameters
    ----------
    limb : mapping
        The joints of the limb in a row, name -> (x, z, axis): the place [m] in the drawing, and the axis about which
        its angle is positive, "y" (from z to x) or "-y". Body 0 is before the first joint, body 1 behind it.
    edges : str or iterable of pairs
        Joints of the links, as pairs of bodies: "03 14 15"; the links have the numbers behind the limb's bodies.
    places : (n_joints, 2) array
        Their places in the drawing, x and z [m].

    Raises
    ------
    ConfigError
        If the limb or the joints are none that fit together.

    Examples
    --------
    >>> limb = {"hip": (0.0, 0.97, "-y"), "knee": (0.0, 0.52, "y")}
    >>> four_bar = Linkage({"knee": limb["knee"]}, "02 13 23", [(0.0, 0.7), (0.0, 0.3), (0.12, 0.5)])
    >>> four_bar.close([0.5]).transmission
    """

    def __init__(
        self, limb: Mapping[str, tuple[float, float, str]], edges: str | Iterable[Sequence[int]], places: ArrayLike
    ) -> None:
        self.limb = dict(limb)
        self.edges = edges_of(edges)
        self.places = np.asarray(places, float)
        _refuse_impossible_limb(self.limb)
        self.n_limb = len(self.limb) + 1
        self.n_bodies = 1 + max((*map(max, self.edges), self.n_limb - 1))
        self._refuse_other_numbers()
        self._limb_places = np.array([place[:2] for place in self.limb.values()])
        self._signs = np.array([-1.0 if place[2] == "-y" else 1.0 for place in self.limb.values()])
        self._upright = float(
            determinants(
                closure_rows(self.edges, self.places, np.zeros((1, self.n_bodies, 3)))[0][..., 3 * self.n_limb :]
            )[0]
        )
        extent = float(np.ptp(self.places, axis=0).max())
        self._closed_gap = CLOSED * extent + ROUNDING * np.abs([*self.places, *self._limb_places]).max()
        if not abs(self._upright) > TOLERANCE * extent ** (self.n_bodies - self.n_limb):
            raise ConfigError("places: the drawing itself is singular, links are locked or loose in it; move a joint")

    def _refuse_other_numbers(self) -> None:
        links = self.n_bodies - self.n_limb
        if 3 * links != 2 * len(self.edges):
            raise ConfigError(
                f"edges: {len(self.edges)} joints of {links} links do not leave the limb its freedom; "
                "give 3 joints for every 2 links"
            )
        if self.places.shape != (len(self.edges), 2) or not np.isfinite(self.places).all():
            raise ConfigError(f"places: expected x and z [m] of {len(self.edges)} joints, found {self.places.tolist()}")
        joined = {body for edge in self.edges for body in edge}
        missing = [body for body in range(self.n_limb, self.n_bodies) if body not in joined]
        if missing:
            raise ConfigError(f"edges: the link {missing[0]} has no joint; number the links from {self.n_limb} on")
        if not moves_freely(self.edges, len(self.limb)):
            raise ConfigError(
                f"edges: these joints lock {' or '.join(self.limb)}, wherever they are, or leave links loose; "
                "choose edges of `enumerate_linkages`"
            )

    def close(self, angles: ArrayLike, *, strict: bool = True) -> Postures:
        """Find where the links are.

        Parameters
        ----------
        angles : (n, n_limb_joints) or (n_limb_joints,) array
            Angles of the limb [rad]; each posture is reached from the drawing in a straight line.
        strict : bool, optional
            Whether a posture in which the loops do not close is an error; otherwise it is nan.

        Returns
        -------
        Postures
            The postures, with the transmission in each.

        Raises
        ------
        ConfigError
            If the angles have another shape.
        ModelError
            If the loops do not close, with the first posture in which they do not.
        """
        wanted = np.atleast_2d(np.asarray(angles, float))
        if wanted.ndim != 2 or wanted.shape[1] != len(self.limb) or not np.isfinite(wanted).all():
            raise ConfigError(f"angles: expected {len(self.limb)} for each posture ({', '.join(self.limb)}), [rad]")
        bodies, lost_at = self._followed(wanted)
        lost = np.isfinite(lost_at)
        if strict and lost.any():
            first = int(np.argmax(lost))
            raise ModelError(
                f"linkage: at {self._named(wanted[first])} the loops do not close; on the way from the drawing they "
                f"lock at {self._named(lost_at[first] * wanted[first])}; move joints, or make bars longer"
            )
        rows = closure_rows(self.edges, self.places, bodies)[0]
        rates, determinant = self._link_rates(rows, bodies)
        turning = np.where(lost[:, None, None], np.nan, rates)
        ends, others = (np.array([edge[k] for edge in self.edges]) for k in (0, 1))
        found = np.where(lost[:, None, None], np.nan, bodies)
        turned = found[:, :, 2]
        return Postures(
            wanted,
            found,
            turned[:, others] - turned[:, ends],
            turning[:, others] - turning[:, ends],
            determinant / self._upright,
        )

    def singular_values(self, angles: ArrayLike, actuators: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest singular value of the rates of actuators per rates of the limb.

        Parameters
        ----------
        angles : (n, n_limb_joints) array
            Angles of the limb [rad].
        actuators : sequence of int
            The joints with actuators, counted from 1.

        Returns
        -------
        least, largest : (n,) array
            The torques of the actuators are the limb's divided by something between the two; nan where the loops do not
            close.

        Raises
        ------
        ConfigError
            If these actuators cannot move the limb, whatever the places are.
        """
        self.refuse_actuators(actuators)
        own = self.close(angles, strict=False).transmission[:, [k - 1 for k in actuators]]
        values = np.full(own.shape[:1] + own.shape[2:], np.nan)
        closed = np.isfinite(own).all(axis=(1, 2))
        values[closed] = np.linalg.svd(own[closed], compute_uv=False)
        return values[:, -1], values[:, 0]

    def refuse_actuators(self, actuators: Sequence[int]) -> None:
        """Raise an error if actuators of some joints cannot move the limb, whatever the places are.

        Parameters
        ----------
        actuators : sequence of int
            The joints, counted from 1.

        Raises
        ------
        ConfigError
            If they are not as many different joints as the limb has, or with the joints of the limb that still move
            where the actuators are locked.
        """
        found, n, numbers = [*actuators], len(self.limb), range(1, len(self.edges) + 1)
        whole = all(isinstance(k, int | np.integer) and k in numbers for k in found)
        if not whole or not len({*found}) == len(found) == n:
            raise ConfigError(
                f"actuators: expected {n} different joints of 1 to {len(numbers)}, found {found}; choose as many as "
                f"the limb has ({', '.join(self.limb)})"
            )
        possible = actuator_pairs(self.edges, len(self.limb))
        if tuple(sorted(actuators)) in possible:
            return
        named = ", ".join(f"{k} ({self._joint(k)})" for k in actuators)
        moving = self._moving_with(actuators)
        raise ConfigError(
            f"actuators: {named} cannot move {' and '.join(moving) or 'the limb'}, which still moves where they are "
            f"locked; choose one of {', '.join(map(str, possible)) or 'another linkage'}"
        )

    def refuse_singular(self, times: ArrayLike, angles: ArrayLike, actuators: Sequence[int]) -> None:
        """Raise an error if a motion of the limb has a singular posture.

        Parameters
        ----------
        times : (n,) array
            Instants [s].
        angles : (n, n_limb_joints) array
            Angles of the limb there [rad].
        actuators : sequence of int
            The joints with actuators, counted from 1.

        Raises
        ------
        ConfigError
            If these actuators cannot move the limb in any posture.
        ModelError
            With the first instant at which the linkage is locked, or the actuators hardly move it in one of its ways.
        """
        least, largest = self.singular_values(angles, actuators)
        good = (least >= LOWER) & (largest <= UPPER)
        if good.all():
            return
        first = int(np.argmin(good))
        at = f"at t = {float(np.asarray(times)[first]):.6g} s, {self._named(np.atleast_2d(angles)[first])},"
        if not np.isfinite(least[first]):
            raise ModelError(f"linkage: {at} the loops do not close; move joints, or make bars longer")
        named = " and ".join(f"{k} ({self._joint(k)})" for k in actuators)
        raise ModelError(
            f"linkage: {at} the posture is singular: the rates of actuators {named} have the singular values "
            f"{least[first]:.3g} and {largest[first]:.3g}, expected {LOWER} to {UPPER}; choose others, or move joints"
        )

    def _moving_with(self, actuators: Sequence[int]) -> list[str]:
        """Return the joints of the limb that move where actuators are locked, at places drawn at random."""
        numbers = np.random.default_rng(1)
        other = Linkage(self.limb, self.edges, numbers.uniform(-1.0, 1.0, self.places.shape))
        rates = other.close(np.zeros((1, len(self.limb)))).transmission[0]
        _, values, right = np.linalg.svd(rates[[k - 1 for k in actuators]])
        free = right[int(np.sum(values > 1e-9)) :]
        return [name for name, column in zip(self.limb, free.T, strict=True) if np.abs(column).max(initial=0.0) > 1e-9]

    def _joint(self, number: int) -> str:
        return "".join(map(str, self.edges[number - 1]))

    def _named(self, angles: FloatArray) -> str:
        return ", ".join(f"{name} {math.degrees(angle):.4g} deg" for name, angle in zip(self.limb, angles, strict=True))

    def _followed(self, wanted: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the bodies in each posture, and how far on its way each was lost; nan where it was not."""
        bodies = np.zeros((len(wanted), self.n_bodies, 3))
        lost_at = np.full(len(wanted), np.nan)
        n_steps = max(1, math.ceil(np.abs(wanted).max(initial=0.0) / LARGEST_STEP))
        for step in range(1, n_steps + 1):
            going = np.flatnonzero(np.isnan(lost_at))
            if not going.size:
                break
            here, determinant, gap = self._closed(bodies[going], step / n_steps * wanted[going])
            good = (gap < self._closed_gap) & (determinant / self._upright > 0.0)
            bodies[going[good]] = here[good]
            lost_at[going[~good]] = step / n_steps
        return bodies, lost_at

    def _closed(self, bodies: FloatArray, angles: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Move the limb to its angles and the links after it; return bodies, determinants and gaps that are left."""
        found = bodies.copy()
        links = found[:, self.n_limb :].reshape(
            len(found), 3 * (self.n_bodies - self.n_limb)
        )  # a copy: the links are put back below
        predicted = angles - self._signs * np.diff(found[:, : self.n_limb, 2], axis=1)
        rates, _ = self._link_rates(closure_rows(self.edges, self.places, found)[0], found, full=True)
        links = links + np.einsum("nij,nj->ni", rates, predicted)
        found[:, : self.n_limb] = limb_bodies(angles, self._limb_places, self._signs)
        for _ in range(MAX_NEWTON_STEPS):
            found[:, self.n_limb :] = links.reshape(len(found), self.n_bodies - self.n_limb, 3)
            rows, gaps = closure_rows(self.edges, self.places, found)
            own = rows[..., 3 * self.n_limb :]
            if np.abs(gaps).max(initial=0.0) < self._closed_gap:
                break
            links = links - solved(own, gaps[..., None])[..., 0]
        return found, determinants(own), np.abs(np.nan_to_num(gaps, nan=np.inf)).max(axis=1)

    def _link_rates(self, rows: FloatArray, bodies: FloatArray, full: bool = False) -> tuple[FloatArray, FloatArray]:
        """Return the turning rates of all bodies per rates of the limb's joints, and the determinants."""
        limb = limb_rates(bodies[:, : self.n_limb], self._limb_places, self._signs)
        own = rows[..., 3 * self.n_limb :]
        links = -solved(own, rows[..., : 3 * self.n_limb] @ limb)
        return links if full else np.concatenate([limb, links], axis=1)[:, 2::3], determinants(own)


def _refuse_impossible_limb(limb: Mapping[str, tuple[float, float, str]]) -> None:
    problems = [
        f"limb: {name}: expected x, z [m] and the axis 'y' or '-y', found {place!r}; a knee is (0.0, 0.52, 'y')"
        for name, place in limb.items()
        if len(place) != 3 or place[2] not in ("y", "-y") or not np.isfinite(np.array(place[:2], float)).all()
    ]
    names, places = [*limb], [tuple(place[:2]) for place in limb.values()]
    problems += [
        f"limb: {names[k]} and {names[k + 1]} are at the same place, so the body between them has no length; "
        "move one of them"
        for k in range(len(places) - 1)
        if places[k] == places[k + 1]
    ]
    if problems or not limb:
        raise ConfigError(problems or "limb: it has no joint; give for example {'knee': (0.0, 0.52, 'y')}")
