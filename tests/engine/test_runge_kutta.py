"""Step for step the same as scipy: the steps, the rejected attempts, the calls, the states. And no allocation."""

from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from scipy.integrate import solve_ivp

import hybridsim
from hybridsim.engine.entry import run as run_engine

FOLDER = Path(__file__).parent
ORBIT = hybridsim.load_model(FOLDER / "orbit.py")
OSCILLATOR = hybridsim.load_model(FOLDER / "van_der_pol.py")

PROBLEMS = pytest.mark.parametrize(("model", "final_time"), [(ORBIT, 20.0), (OSCILLATOR, 15.0)], ids=["orbit", "vdp"])
METHODS = pytest.mark.parametrize(("method", "theirs", "stages"), [("dp5", "RK45", 6), ("dop853", "DOP853", 12)])


def both(model, final_time, method, theirs, tolerance, max_step=np.inf, record=True):
    """A run of hybridsim, and scipy's solution of the same problem."""
    settings = {"rtol": tolerance, "atol": 0.1 * tolerance, "max_step": max_step}
    run = hybridsim.simulate(model, final_time=final_time, method=method, record=record, **settings)
    p = list(run.parameters.values())

    def slope(t, x):
        xdot = np.zeros(len(x))
        model.functions["vector_field"](xdot, t, x, p, 0)
        return xdot

    return run, solve_ivp(slope, (0.0, final_time), run.x[0], method=theirs, **settings)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
@METHODS
@PROBLEMS
def test_steps_rejections_and_calls_are_those_of_scipy(model, final_time, method, theirs, stages, tolerance):
    run, solution = both(model, final_time, method, theirs, tolerance, record=False)
    steps = len(solution.t) - 1
    assert run.statistics["steps"] == steps
    assert run.statistics["vector_field_calls"] == solution.nfev
    assert run.statistics["rejected"] == (solution.nfev - 2) // stages - steps  # 2 calls choose the first step


@pytest.mark.members
@METHODS
@PROBLEMS
def test_states_after_steps_of_the_same_size_are_those_of_scipy(model, final_time, method, theirs, stages):
    # With the size given, no step depends on the last digits of an error estimate.
    run, solution = both(model, final_time, method, theirs, 1e-2, max_step=0.01)
    assert len(run.t) == len(solution.t)
    np.testing.assert_allclose(run.t, solution.t, rtol=1e-13)
    rounding = len(run.t) * np.finfo(float).eps * np.max(np.abs(run.x))  # each step adds a few last digits
    np.testing.assert_allclose(run.x, solution.y.T, rtol=0.0, atol=4.0 * rounding)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="counts the allocations of compiled code")
@pytest.mark.parametrize("model", [ORBIT, "slip"], ids=["smooth", "with events"])
def test_the_stepping_loop_allocates_nothing(model):
    def allocations(budget):
        simulation = hybridsim.Simulation(model, record=False)
        packed = simulation._packed
        before = rtsys.get_allocation_stats()
        run_engine(simulation._drive.machine, budget)
        after = rtsys.get_allocation_stats()
        assert packed.state["steps"][0] + packed.state["transitions"][0] == budget
        return after.alloc - before.alloc, after.mi_alloc - before.mi_alloc

    _nrt_python.memsys_enable_stats()
    try:
        assert allocations(20) == allocations(2000)  # what is there are the handles of the arguments
    finally:
        _nrt_python.memsys_disable_stats()
