"""Hopf points of equilibria, and the orbits that are born there."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.diagram import Bifurcation
from hybridsim.analysis.equilibria import Equilibrium, find_equilibrium_of
from hybridsim.analysis.equilibrium_curve import EquilibriumCurve, curve_at
from hybridsim.analysis.hopf_form import SLOW, HopfForm, hopf_form
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.parameters import refuse_parameter
from hybridsim.analysis.problem import first_problem
from hybridsim.analysis.return_map import ReturnMap
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.stride import StrideError, StrideMap
from hybridsim.config import RunConfig
from hybridsim.config.orbit_settings import OrbitSettings
from hybridsim.config.run_config import with_values
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

AMPLITUDES = (0.02, 0.006, 0.06)
"""Amplitudes with which the first orbit is looked for, one after the other, in sizes of the states."""

LARGEST_EFFECT = 0.1
"""Part of the first amplitude that the nonlinear terms may change the growth in a turn by."""

LONGEST_PERIOD = 100.0
"""Time after which a stride is given up, in periods at the Hopf point."""

MAX_ITERATIONS = 12
"""Iterations of Newton's method to a Hopf point."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EquilibriumBifurcation:
    """A value of the parameter at which equilibria appear, vanish, change their stability or leave their chart.

    Parameters
    ----------
    kind : str
        "fold", "branch", "hopf" or "boundary".
    value : float
        Value of the parameter [its unit].
    curve : int
        The curve that it is on, as in `EquilibriumBranch.points`.
    equilibrium : Equilibrium
        The equilibrium there.
    boundary : str
        The boundary that is reached.
    type : str
        Of a Hopf point, "supercritical" if the orbit born there is stable, as far as this pair decides, or
        "subcritical"; of a branch point, "pitchfork" or "transcritical".
    side : int
        1 if what is born, or meets, exists for larger values of the parameter, -1 for smaller ones, 0 if not known.
    coefficient : float
        The first Lyapunov coefficient of a Hopf point, for an eigenvector of length 1 in the units of the model.
    omega : float
        The frequency of the orbit born there [rad/s].
    slope : float
        Derivative of the real part of its eigenvalues by the parameter.
    """

    kind: BifurcationKind
    value: float
    curve: int
    equilibrium: Equilibrium
    boundary: str = ""
    type: BifurcationType = ""
    side: int = 0
    coefficient: float = np.nan
    omega: float = np.nan
    slope: float = np.nan

    @property
    def x(self) -> FloatArray:
        """The states, (n_states,)."""
        return np.array([*self.equilibrium.x.values()])

    def __repr__(self) -> str:
        what = " ".join(filter(None, [self.type, self.kind, self.boundary]))
        return f"<{what} at {self.value:.12g} on curve {self.curve}>"


def hopf_near(orbit: Orbit, parameter: str) -> tuple[EquilibriumCurve, CurvePoint, HopfForm] | None:
    """Find the Hopf point at which a small orbit was born, by Newton's method for the real part of the pair.

    Returns
    -------
    curve, point, form
        The equilibrium there and its normal form; None if there is none near the orbit, whose motion is not smooth.
    """
    rows = [stride.rows for stride in orbit.found.strides]
    if any((each.chart != orbit.chart).any() or each.j[0] != each.j[-1] for each in rows):
        return None
    x = np.concatenate([each.x for each in rows])
    middle = 0.5 * (x.min(axis=0) + x.max(axis=0))
    middle = np.where(np.abs(middle) < np.ptp(x, axis=0), 0.0, middle)  # or the size of a state would be the orbit's
    at_middle = dict(zip(orbit.model.states.names, middle.tolist(), strict=True))
    try:
        equilibrium = find_equilibrium_of(orbit.config, orbit.chart, at_middle)
        curve, point = curve_at(equilibrium, parameter)
        for _ in range(MAX_ITERATIONS):
            form = hopf_form(curve, point)
            change = form.eigenvalue.real / form.slope / curve.size
            if abs(change) <= CLOSE * max(1.0, abs(point.z[-1])):
                break
            z = point.z.copy()
            z[-1] -= change
            point = curve.correct(z, np.eye(len(z))[-1])
    except (NoOrbitError, ConfigError, StrideError, ArithmeticError, np.linalg.LinAlgError):
        return None
    turns = form.omega * orbit.period / (2.0 * np.pi)
    return (curve, point, form) if abs(turns - round(turns)) < 0.01 and round(turns) >= 1 else None


CLOSE = 1e-15
"""Relative change of the parameter that is rounding."""


def orbit_born_at(bifurcation: Bifurcation | EquilibriumBifurcation, parameter: str, to: float) -> Orbit:
    """Find a small orbit near a Hopf point.

    Parameters
    ----------
    bifurcation : Bifurcation or EquilibriumBifurcation
        The Hopf point, of a curve of orbits or of equilibria.
    parameter : str
        The parameter that orbits are to be followed through.
    to : float
        The value that they are to be followed to; nan if both ways are followed.

    Raises
    ------
    ConfigError
        If the bifurcation is no Hopf point, or the orbits are on the other side of it.
    NoOrbitError
        If no orbit is found.
    """
    if bifurcation.kind != "hopf":
        raise ConfigError(f"an orbit begins at a Hopf point, and this is a {bifurcation.kind}; give one of kind 'hopf'")
    if isinstance(bifurcation, Bifurcation):
        refuse_parameter(bifurcation.orbit, parameter)
        near = hopf_near(bifurcation.orbit, parameter)
        if near is None:
            raise NoOrbitError("no solution", "near the smallest orbit there is no equilibrium with its frequency")
        curve, point, form = near
    else:
        refuse_parameter(bifurcation.equilibrium, parameter)
        curve, point = curve_at(bifurcation.equilibrium, parameter)
        form = hopf_form(curve, point)
    if (to - curve.value(point.z)) * form.side < 0.0:
        side = "larger" if form.side > 0 else "smaller"
        raise ConfigError(
            f"to: the orbits that begin at {parameter} = {curve.value(point.z):.9g} exist for {side} values; give one, "
            "or back_to= as well"
        )
    return _first_orbit(curve, point, form)


def _first_orbit(curve: EquilibriumCurve, point: CurvePoint, form: HopfForm) -> Orbit:
    """Find a small orbit: the state that swings most, in its own size, passes its value at the equilibrium."""
    field, x = curve.field, point.found.x0
    sizes = np.ones(len(x))
    sizes[field.free] = field.sizes
    i = int(np.argmax(np.abs(form.e) / sizes))
    e = form.e * (-1j * abs(form.e[i]) / form.e[i])
    section = Section(state=field.config.model.states.names[i], value=float(x[i]))
    config = _config_of_orbits(curve.equilibrium(point), section, form, float(field.sizes.min()))
    for amplitude in AMPLITUDES:
        s = (LARGEST_EFFECT * amplitude / max(abs(form.coefficient), 1e-300)) ** 0.5
        if abs(x[i]) > SLOW * sizes[i]:  # around zero an orbit has no other size than its own
            s = min(s, 0.5 * amplitude * sizes[i] / abs(e[i]))
        change = s * s * form.rise
        begin = x + 2.0 * s * e.real + change * form.shift
        try:
            return _orbit_of_amplitude(config, curve, curve.value(point.z) + change, begin, e.real)
        except (CorrectionError, NoOrbitError, StrideError, ConfigError):
            continue
    raise NoOrbitError("too far", f"no small orbit is found near {curve.parameter} = {curve.value(point.z):.9g}")


def _config_of_orbits(equilibrium: Equilibrium, section: Section, form: HopfForm, size: float) -> RunConfig:
    """Return the config of the orbits that are born, which are small, and so are the tolerances of their steps."""
    period = 2.0 * np.pi / form.omega
    place = {"state": section.state, "value": section.value}
    settings = OrbitSettings.model_validate({"section": place, "max_time": float(LONGEST_PERIOD * period)})
    config = equilibrium.config
    engine = {"engine.method": "dop853", "engine.rtol": 1e-12, "engine.atol": 1e-13 * min(1.0, size)}
    final_time = config.initial_time + settings.max_time
    return dataclasses.replace(with_values(config, engine), orbit=settings, final_time=final_time, stop=())


def _orbit_of_amplitude(
    config: RunConfig, curve: EquilibriumCurve, value: float, begin: FloatArray, swing: FloatArray
) -> Orbit:
    """Find the orbit with the amplitude of a guess, at whatever value of the parameter."""
    parameter, names = curve.parameter, config.model.states.names
    initial = {f"initial.{name}": x for name, x in zip(names, begin.tolist(), strict=True)}
    there = with_values(config, {**initial, curve.key: value})
    assert config.orbit is not None
    varied = () if parameter in names else (parameter,)
    stride_map = StrideMap(there, Section(**config.orbit.section.model_dump()), varied)
    problem = first_problem(ReturnMap(stride_map, Symmetry()), {})
    free = problem.free.free
    orbits = Curve(problem, parameter, curve.size, 0)
    across = np.append(swing[free] / problem.sizes, 0.0)
    z = np.append(problem.x[free] / problem.sizes, value / curve.size)
    found = orbits.correct(z, across / np.linalg.norm(across))
    orbits.set_value(orbits.value(found.z))
    return orbit_of(problem, found.found, 0)
