"""Equilibria as one parameter varies: a curve, as of orbits, whose equations are those of the vector field."""

from __future__ import annotations

import dataclasses

import numpy as np

from hybridsim.analysis.chart_field import Field
from hybridsim.analysis.curve import EVERYWHERE, CorrectionError, Curve, CurvePoint
from hybridsim.analysis.equilibria import Equilibrium, equilibrium_of
from hybridsim.analysis.newton import Equations, null_directions
from hybridsim.analysis.parameters import value_of
from hybridsim.analysis.return_map import Return
from hybridsim.typing import FloatArray

LEAST_COSINE = 0.9
"""Cosine of the largest angle between the tangent at a point and the way to the next one."""


class EquilibriumCurve(Curve):
    """Equilibria as one parameter varies: the equations are those of a vector field, and no stride is made.

    Parameters
    ----------
    field : Field
        The vector field.
    parameter, size, family, limits
        As of `Curve`.
    """

    strides = 1

    def __init__(
        self, field: Field, parameter: str, size: float, family: int, limits: tuple[float, float] = EVERYWHERE
    ) -> None:
        self.field, self.parameter, self.size, self.family = field, parameter, size, family
        self.limits = min(limits), max(limits)

    def evaluate(self, z: FloatArray) -> tuple[Return, Equations]:
        """Evaluate the vector field at z; returns no strides, and the slopes with their derivatives by z."""
        field = self.field_at(z)
        x = field.state(z[:-1])
        here = field.equations(x, (self.parameter,))
        here.jacobian[:, -1] *= self.size
        n = len(x)
        nothing = Return(x, field.chart, x, field.chart, 0.0, np.eye(n), np.zeros(n), np.zeros((n, 0)), np.zeros(n), ())
        return nothing, here

    def step(self, point: CurvePoint, length: float) -> CurvePoint:
        """As of `Curve`, but for a point that is not ahead: it is on another part of the curve, or on another one."""
        there = super().step(point, length)
        way = there.z - point.z
        if way @ point.tangent < LEAST_COSINE * np.linalg.norm(way):
            raise CorrectionError("too far", "the equilibrium found is not the next one")
        return there

    def _point(
        self, z: FloatArray, tangent: FloatArray, found: Return, here: Equations, corrections: int
    ) -> CurvePoint:
        eigenvalues = self.field.eigenvalues(here.jacobian[:, :-1])
        family = self.family and min(self.family, null_directions(here.jacobian[:, :-1]))
        return CurvePoint(z, tangent, here.jacobian, found, eigenvalues, family, corrections)

    @property
    def key(self) -> str:
        """The parameter's key of a config."""
        section = "initial" if self.parameter in self.field.config.model.states.names else "parameters"
        return f"{section}.{self.parameter}"

    def field_at(self, z: FloatArray) -> Field:
        """Return the vector field with the value of the parameter at z."""
        names, value = self.field.config.model.states.names, self.value(z)
        if self.parameter not in names:
            return dataclasses.replace(self.field, values={**self.field.values, self.parameter: value})
        x = self.field.x.copy()
        x[names.index(self.parameter)] = value
        return dataclasses.replace(self.field, x=x)

    def equilibrium(self, point: CurvePoint) -> Equilibrium:
        """Return the equilibrium at a point of the curve."""
        return equilibrium_of(self.field_at(point.z), point.found.x0, point.family)


def curve_at(equilibrium: Equilibrium, parameter: str) -> tuple[EquilibriumCurve, CurvePoint]:
    """Return the curve of an equilibrium through a parameter, in its natural unit, and the point of the equilibrium."""
    field, value = equilibrium.field, value_of(equilibrium, parameter)
    v, upwards = field.x[field.free] / field.sizes, np.eye(len(field.free) + 1)[-1]
    first = EquilibriumCurve(field, parameter, 1.0, equilibrium.family)
    fastest = float(np.abs(first.evaluate(np.append(v, value))[1].jacobian[:, -1]).max(initial=0.0))
    curve = EquilibriumCurve(field, parameter, 1.0 / fastest if fastest else 1.0, equilibrium.family)
    return curve, curve.correct(np.append(v, value / curve.size), upwards)
