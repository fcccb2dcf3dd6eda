"""What a mechanism is: its bodies, names, constants and sizes."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

import numpy as np

from hybridsim.errors import ModelError
from hybridsim.model.records import State
from hybridsim.model.table import Records
from hybridsim.multibody.arguments import index_of, rows_of
from hybridsim.multibody.expansion import constants_of, expand, tree_of
from hybridsim.multibody.forward import LARGEST_MECHANISM
from hybridsim.multibody.joints import WORLD, Body, triple
from hybridsim.multibody.partition import choose_partition
from hybridsim.multibody.reduced import Partition, work_size
from hybridsim.multibody.tree import Tree, end_of
from hybridsim.multibody.vectors import Vector
from hybridsim.typing import FloatArray

EARTH = (0.0, 0.0, -9.81)
"""Acceleration of gravity where none is given: z points upwards [m/s^2]."""


class Description:
    """The bodies of a mechanism, and what functions of a plug-in need to know of it.

    Parameters
    ----------
    *bodies : Body
        The bodies, in any order.
    gravity : three floats
        Acceleration of gravity in the axes of the world [m/s^2].

    Attributes
    ----------
    bodies : tuple of Body
        The bodies.
    coordinates, speeds : Records of Coordinate
        Names and units of q and u: `mechanism.coordinates.names`.
    q, u : named tuples of int
        Their indices, for functions of a plug-in: `Q = MECHANISM.q`, `x[Q.knee]`.
    frames : named tuple of int
        Numbers of the bodies' frames, for functions of a plug-in.
    tree : Tree
        The tree, as compiled functions read it.
    data : array
        Constants of the bodies and joints, as compiled functions read them.
    gravity : Vector
        Acceleration of gravity [m/s^2].
    size : int
        Size of the work space of `forward_dynamics`: `SIZE = MECHANISM.size`, and `scratch(SIZE)` in a function.
    motion_size, work_size, mass_size : int
        Sizes of the arrays `motion`, `work` and `mass` of other functions.

    Raises
    ------
    ModelError
        If the bodies do not form a tree, a name occurs twice, or a value is not physical.
    """

    def __init__(self, *bodies: Body, gravity: Sequence[float] = EARTH) -> None:
        if not bodies:
            raise ModelError("a mechanism has at least one body")
        for body in bodies:
            if not isinstance(body, Body):
                raise ModelError(f"a mechanism is made of bodies, Mechanism(Body(...), Body(...)), not of {body!r}")
        frames = expand(bodies)
        self.bodies = bodies
        self.tree: Tree = tree_of(frames)
        self.data = constants_of(frames)
        self.gravity = Vector(*triple("gravity", gravity))
        self.coordinates = Records(*(each for frame in frames for each in frame.coordinates))
        self.speeds = Records(*(each for frame in frames for each in frame.speeds))
        self.q, self.u = self.coordinates.indices, self.speeds.indices
        self._number = {WORLD: 0} | {frame.name: index for index, frame in enumerate(frames, 1)}
        names = tuple(self._number)
        self.frames: Any = namedtuple("Frames", names)(*range(len(names)))
        n = self.tree.n_speeds
        if n > LARGEST_MECHANISM:
            raise ModelError(f"a mechanism has at most {LARGEST_MECHANISM} speeds, not {n}")
        self.motion_size, self.work_size, self.mass_size = end_of(self.tree), work_size(n), n * n
        self.size = self.motion_size + self.mass_size + n + self.work_size

    def rows_size(self, count: int) -> int:
        """Return the size of an array of so many constraint rows."""
        return count * (self.tree.n_speeds + 1)

    def states(self, **defaults: float) -> Records[State]:
        """Return records of all coordinates and speeds, for the states of a model.

        Parameters
        ----------
        **defaults : float
            Initial values by name; others are at rest.

        Returns
        -------
        Records of State
            The coordinates, then the speeds, named and with units.
        """
        known = self.coordinates + self.speeds
        for name in defaults:
            index_of("coordinate or speed", known, name)
        return Records(*(State(each.name, defaults.get(each.name, each.rest), each.unit) for each in known))

    def partition(
        self, constraints: FloatArray, names: Sequence[str] = (), dependent: Sequence[str] | None = None
    ) -> Partition:
        """Choose which speeds depend on the others.

        Parameters
        ----------
        constraints : (n_rows, n_speeds + 1) array
            Rows of A u = 0; the last column is not read.
        names : sequence of str, optional
            Names of the rows, for messages.
        dependent : sequence of str, optional
            Names of the dependent speeds, one for each row; chosen by pivoting if not given.

        Returns
        -------
        Partition
            For `solve_constrained` and `complete_speeds`.

        Raises
        ------
        ModelError
            If rows depend on each other: it names them.
        """
        indices = None if dependent is None else [index_of("speed", self.speeds, name) for name in dependent]
        velocities = rows_of(constraints, self.tree.n_speeds)[:, :-1]
        return choose_partition(velocities, names, indices, self.speeds.names)

    def dependent(self, *speeds: str) -> Partition:
        """Return the partition in which these speeds depend on the others.

        Parameters
        ----------
        *speeds : str
            Their names, one for each constraint row.

        Returns
        -------
        Partition
            For `solve_constrained` and `complete_speeds`, whose result tells whether the rows determine these speeds.
        """
        chosen = np.sort(np.array([index_of("speed", self.speeds, name) for name in speeds], np.int64))
        if len(set(speeds)) < len(speeds):
            raise ModelError(f"a speed occurs twice among the dependent ones: {', '.join(speeds)}")
        independent = np.setdiff1d(np.arange(self.tree.n_speeds), chosen)
        return Partition(len(chosen), len(independent), chosen, independent)
