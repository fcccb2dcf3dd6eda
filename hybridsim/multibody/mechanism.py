"""A mechanism: described once, computed with from Python and from the functions of a plug-in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.multibody import dynamics, joint_forces, rows
from hybridsim.multibody import motion as motions
from hybridsim.multibody.arguments import Values, array_of, rows_of
from hybridsim.multibody.description import Description
from hybridsim.multibody.joints import number, triple
from hybridsim.multibody.partition import MIN_PIVOT_OF_PARTITION
from hybridsim.multibody.reduced import Partition, solve_constrained
from hybridsim.multibody.tree import AXES, FRAME_SIZE, REACH
from hybridsim.multibody.vectors import Vector
from hybridsim.typing import FloatArray


class ConstrainedMotion(NamedTuple):
    """Rates of the speeds, or speeds after an impact, and the reactions of the rows."""

    x: FloatArray
    reactions: FloatArray


@explains_keywords()
class Mechanism(Description):
    """A tree of rigid bodies, computed with.

    Every body has a joint that connects it to its parent. Generalised coordinates q and speeds u are those of the
    joints, in the order of the bodies. Positions and vectors are in the axes of the world. Parameters and attributes
    are those of `Description`.
    """

    def motion(self, q: Values, u: Values = ()) -> FloatArray:
        """Find where all bodies are and how they move.

        Parameters
        ----------
        q, u : array or mapping of str to float
            Coordinates and speeds; speeds that are not given are 0.

        Returns
        -------
        (motion_size,) array
            What the functions of this package call `motion`.
        """
        motion = np.zeros(self.motion_size)
        coordinates, speeds = self._coordinates(q), self._speeds(u)
        _compile(motions.kinematics)(motion, self.tree, self.data, coordinates, speeds)
        return motion

    def coordinate_rates(self, q: Values, u: Values) -> FloatArray:
        """Return the rates of the coordinates, shape (n_coordinates,): the speeds, but for quaternions."""
        rates = np.zeros(self.tree.n_coordinates)
        _compile(motions.coordinate_rates)(rates, self.tree, self._coordinates(q), self._speeds(u))
        return rates

    def mass_matrix(self, q: Values) -> FloatArray:
        """Return the mass matrix M of the speeds, shape (n_speeds, n_speeds)."""
        n = self.tree.n_speeds
        mass = np.zeros(n * n)
        _compile(dynamics.mass_matrix)(mass, self.motion(q), self.tree, self.data)
        return mass.reshape(n, n)

    def inertia_forces(self, q: Values, u: Values = ()) -> FloatArray:
        """Return h, shape (n_speeds,): M udot + h is the generalised force of all but gravity [N or N m]."""
        forces = np.zeros(self.tree.n_speeds)
        _compile(dynamics.inertia_forces)(forces, self.motion(q, u), self.tree, self.data, self.gravity)
        return forces

    def joint_forces(self, q: Values, u: Values = ()) -> FloatArray:
        """Return what springs and dampers drive the speeds with, shape (n_speeds,) [N or N m]."""
        forces = np.zeros(self.tree.n_speeds)
        coordinates, speeds = self._coordinates(q), self._speeds(u)
        _compile(joint_forces.add_joint_forces)(forces, self.tree, self.data, coordinates, speeds)
        return forces

    def forward_dynamics(self, q: Values, u: Values = (), forces: Values = ()) -> FloatArray:
        """Return the rates of the speeds, shape (n_speeds,).

        Parameters
        ----------
        q, u : array or mapping of str to float
            Coordinates and speeds.
        forces : array or mapping of str to float
            Generalised forces beside gravity, springs and dampers, by the names of the speeds [N or N m].
        """
        no_rows = np.zeros((0, self.tree.n_speeds + 1))
        return self.constrained_dynamics(q, u, forces, no_rows, self.partition(no_rows)).x

    def inverse_dynamics(self, q: Values, u: Values, udot: Values) -> FloatArray:
        """Return the generalised forces, shape (n_speeds,), that gravity, springs and dampers leave to be applied."""
        return self.mass_matrix(q) @ self._speeds(udot) + self.inertia_forces(q, u) - self.joint_forces(q, u)

    def constrained_dynamics(
        self, q: Values, u: Values, forces: Values, constraints: FloatArray, partition: Partition
    ) -> ConstrainedMotion:
        """Return rates of the speeds and reactions under constraints.

        Parameters
        ----------
        q, u, forces : array or mapping of str to float
            As of `forward_dynamics`.
        constraints : (n_rows, n_speeds + 1) array
            Rows with their drifts in the last column: A udot + drift = 0.
        partition : Partition
            Which speeds are independent.

        Raises
        ------
        ModelError
            If the rows do not determine the dependent speeds, or the mass matrix is singular.
        """
        applied = self._speeds(forces) + self.joint_forces(q, u)
        return self._solve(self.mass_matrix(q), applied - self.inertia_forces(q, u), constraints, partition)

    def impact(
        self, q: Values, u: Values, constraints: FloatArray, partition: Partition, restitution: float = 0.0
    ) -> ConstrainedMotion:
        """Return speeds and impulses after an impact with A u+ = -restitution A u-.

        Parameters
        ----------
        q, u : array or mapping of str to float
            Coordinates, and speeds before the impact.
        constraints : (n_rows, n_speeds + 1) array
            The rows; their last column is not read.
        partition : Partition
            Which speeds are independent.
        restitution : float
            0: plastic; 1: elastic. Of all rows: the rows of a point bounce sideways, too, and nothing keeps a row from
            pulling.

        Raises
        ------
        ModelError
            As of `constrained_dynamics`, and if restitution is not between 0 and 1.
        """
        if not 0.0 <= number("restitution", restitution) <= 1.0:
            raise ModelError(f"restitution must be between 0 (plastic) and 1 (elastic), not {restitution!r}")
        before, mass = self._speeds(u), self.mass_matrix(q)
        velocities = rows_of(constraints, self.tree.n_speeds)[:, :-1]
        bouncing = np.column_stack((velocities, restitution * (velocities @ before)))
        return self._solve(mass, mass @ before, bouncing, partition)

    def kinetic_energy(self, q: Values, u: Values) -> float:
        """Return the kinetic energy [J]."""
        return float(_compile(dynamics.kinetic_energy)(self.motion(q, u), self.tree, self.data))

    def potential_energy(self, q: Values) -> float:
        """Return the energy of all weights, zero at the origin of the world, and of the springs [J]."""
        weights = _compile(dynamics.potential_energy)(self.motion(q), self.tree, self.data, self.gravity)
        return float(weights + _compile(joint_forces.spring_energy)(self.tree, self.data, self._coordinates(q)))

    def momentum(self, q: Values, u: Values) -> FloatArray:
        """Return the momentum of all bodies, shape (3,) [kg m/s]."""
        return np.array(_compile(dynamics.momentum)(self.motion(q, u), self.tree, self.data))

    def angular_momentum(self, q: Values, u: Values, about: Sequence[float] = (0.0, 0.0, 0.0)) -> FloatArray:
        """Return the angular momentum of all bodies about a point of the world, shape (3,) [kg m^2/s]."""
        point = Vector(*triple("about", about))
        return np.array(_compile(dynamics.angular_momentum)(self.motion(q, u), self.tree, self.data, point))

    def centre_of_mass(self, q: Values) -> FloatArray:
        """Return the position of the centre of mass, shape (3,) [m]."""
        return np.array(_compile(dynamics.centre_of_mass)(self.motion(q), self.tree, self.data))

    def centre_of_mass_jacobian(self, q: Values) -> FloatArray:
        """Return the partial velocities of the centre of mass, shape (3, n_speeds)."""
        motion, jacobian = self.motion(q), np.zeros(3 * self.tree.n_speeds)
        _compile(dynamics.add_masses)(motion, self.tree, self.data)
        _compile(dynamics.centre_of_mass_jacobian)(jacobian, motion, self.tree)
        return jacobian.reshape(3, -1)

    def position(self, q: Values, body: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> FloatArray:
        """Return where a point, given in the frame of a body, is in the world, shape (3,) [m]."""
        frame = self._frame(body)
        return np.array(_compile(motions.point_of)(self.motion(q), frame, Vector(*triple("point", point))))

    def rotation(self, q: Values, body: str) -> FloatArray:
        """Return the axes of a body, as columns in the axes of the world, shape (3, 3)."""
        first = self._frame(body) * FRAME_SIZE + AXES
        return self.motion(q)[first : first + 9].reshape(3, 3).T

    def centre(self, q: Values, body: str) -> FloatArray:
        """Return where the centre of mass of a body is in the world, shape (3,) [m]."""
        first = self._frame(body) * FRAME_SIZE
        motion = self.motion(q)
        return motion[first : first + 3] + motion[first + REACH : first + REACH + 3]

    def point_rows(self, q: Values, body: str, point: Sequence[float] = (0.0, 0.0, 0.0), u: Values = ()) -> FloatArray:
        """Return the rows of a point of a body: its partial velocities, and its acceleration at constant speeds.

        Parameters
        ----------
        q, u : array or mapping of str to float
            Coordinates and speeds.
        body : str
            Name of the body.
        point : three floats
            The point in the frame of the body [m].

        Returns
        -------
        (3, n_speeds + 1) array
            With A the first columns and drift the last one, the velocity of the point is A u and its acceleration
            A udot + drift, in the axes of the world.
        """
        constraints = np.zeros(3 * (self.tree.n_speeds + 1))
        place = rows.Point(self._frame(body), Vector(*triple("point", point)))
        _compile(rows.point_rows)(constraints, self.motion(q, u), self.tree, 0, place)
        return constraints.reshape(3, -1)

    def _solve(
        self, mass: FloatArray, force: FloatArray, constraints: FloatArray, partition: Partition
    ) -> ConstrainedMotion:
        x, reactions, work = np.zeros(len(force)), np.zeros(partition.n_rows), np.zeros(self.work_size)
        flat = rows_of(constraints, len(force), partition).ravel()
        smallest = _compile(solve_constrained)(x, reactions, mass.ravel(), force, flat, partition, work)
        if smallest <= MIN_PIVOT_OF_PARTITION:
            names = ", ".join(self.speeds.names[i] for i in partition.dependent)
            raise ModelError(f"the constraint rows do not determine the speeds {names} in this position: choose others")
        if not np.isfinite(x).all():
            raise ModelError("the mass matrix is singular: a speed moves no mass, and no row restrains it")
        return ConstrainedMotion(x, reactions)

    def _coordinates(self, q: Values) -> FloatArray:
        return array_of("coordinate", q, self.coordinates, np.array([each.rest for each in self.coordinates]))

    def _speeds(self, u: Values) -> FloatArray:
        zeros = np.zeros(self.tree.n_speeds)
        given: Any = u
        return array_of("speed", u, self.speeds, zeros) if np.size(given) else zeros

    def _frame(self, body: str) -> int:
        if body not in self._number:
            raise ModelError(f"there is no body {body!r}{nearest(body, self._number)}")
        return self._number[body]


def _compile(function: Any) -> Any:
    """Return the compiled function; the compiler is loaded only when a mechanism is computed with."""
    from hybridsim.multibody.entries import compile_function

    return compile_function(function)
