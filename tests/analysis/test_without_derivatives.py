"""Most strides of a branch are made without derivatives, and derivatives known beforehand are not computed."""

import dataclasses

import numpy as np
import pytest

import hybridsim
from hybridsim.analysis.branch import first_curve
from hybridsim.analysis.curve import CURVE_TOLERANCE
from hybridsim.analysis.newton import norm
from hybridsim.analysis.parameters import problem_of
from hybridsim.analysis.stride import StrideMap

WALKERS = {"compass_gait": "slope", "simplest_walker": "slope"}


def first_point(model):
    orbit = hybridsim.find_orbit(model, section="heelstrike")
    value = orbit.parameters[WALKERS[model]]
    curve, z, direction = first_curve(orbit, WALKERS[model], (value, 1.1 * value))
    return curve, curve.correct(z, direction)


@pytest.mark.parametrize("model", WALKERS)
def test_the_way_without_derivatives_ends_where_newtons_method_does(model):
    curve, point = first_point(model)
    ahead = point.z + 0.02 * point.tangent
    z, size, steps = curve.approach(ahead, point.tangent, point.jacobian)
    exact = curve.correct(ahead, point.tangent)
    assert size <= CURVE_TOLERANCE < norm(curve.evaluate(ahead)[1].residual)
    assert 1 < steps < 12
    np.testing.assert_allclose(z, exact.z, rtol=1e-9, atol=1e-10)


def test_a_step_of_many_derivatives_evaluates_them_once(monkeypatch):
    curve, point = first_point("compass_gait")
    slowly = curve.step(point, 0.02)
    curve.approaches = True
    made, stride = [], StrideMap.stride
    monkeypatch.setattr(StrideMap, "stride", lambda *given: made.append(given) or stride(*given))
    quickly = curve.step(point, 0.02)
    assert len(made) == 1
    np.testing.assert_allclose(quickly.z, slowly.z, rtol=1e-10)
    np.testing.assert_allclose(quickly.multipliers, slowly.multipliers, rtol=1e-8)
    np.testing.assert_allclose(quickly.found.x0, slowly.found.x0, rtol=1e-9, atol=1e-12)


def test_from_a_jacobian_of_elsewhere_the_way_begins_again_with_derivatives():
    curve, point = first_point("compass_gait")
    curve.approaches = True
    wrong = dataclasses.replace(point, jacobian=-point.jacobian)
    np.testing.assert_allclose(curve.step(wrong, 0.02).z, curve.step(point, 0.02).z, rtol=1e-10)


@pytest.mark.parametrize("model", WALKERS)
def test_derivatives_that_are_left_out_are_those_that_would_be_found(model):
    """Also where the state and the parameter are others."""
    orbit, name = hybridsim.find_orbit(model, section="heelstrike"), WALKERS[model]
    few, names = problem_of(orbit, (name,)).return_map, orbit.model.states.names
    all_of_them = StrideMap(orbit.config, orbit.section, (name,))
    assert len(few.stride_map.variables.computed[0]) < len(names) + 1
    x = orbit.found.x0 * 1.001
    for each in (few.stride_map, all_of_them):
        each.set_parameter(name, 1.01 * orbit.parameters[name])
    one, other = few.stride_map.stride(x, orbit.chart), all_of_them.stride(x, orbit.chart)
    for field in ("x", "by_state", "duration_by_state", "by_parameter", "duration_by_parameter", "event_times"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))
