"""Derivatives of any model, from its own source: dual numbers, Jacobians, linearization, sensitivities of a run."""

from hybridsim.derivatives.jacobian import Linearization as Linearization
from hybridsim.derivatives.jacobian import jacobian as jacobian
from hybridsim.derivatives.jacobian import linearize as linearize
from hybridsim.derivatives.matrix import LabelledMatrix as LabelledMatrix
from hybridsim.derivatives.sensitivity import Sensitivity as Sensitivity
from hybridsim.derivatives.sensitivity import sensitivity as sensitivity
