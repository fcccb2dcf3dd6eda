"""Drake and its error-controlled integrators.

The runner is a LeafSystem with witness functions in Python, for the wheel brings no headers; the compass gait is
Drake's own model in C++.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

import gait
from pydrake.examples import CompassGait
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import EventStatus, LeafSystem, UnrestrictedUpdateEvent, WitnessFunctionDirection
from slip import AHEAD, START, STRIDE, Contender, State


class Runner(LeafSystem):  # type: ignore[misc]
    """Continuous state x, discrete state (chart of the stride, footx, touchdowns)."""

    def __init__(self) -> None:
        super().__init__()
        self.touchdown: Any = None
        self.DeclareContinuousState(4)
        self.discrete = self.DeclareDiscreteState(3)
        self.witnesses = [
            self.MakeWitnessFunction(
                boundary.__name__,
                WitnessFunctionDirection.kPositiveThenNonPositive,
                partial(self.value, boundary),
                UnrestrictedUpdateEvent(self.next_chart),
            )
            for _, boundary in STRIDE
        ]

    def parts(self, context: Any) -> tuple[Any, int, float]:
        chart, footx, _ = context.get_discrete_state(self.discrete).value()
        return context.get_continuous_state_vector().CopyToVector(), int(chart), footx

    def value(self, boundary: Callable[..., float], context: Any) -> float:
        x, _, footx = self.parts(context)
        return boundary(0.0, x, footx)

    def DoGetWitnessFunctions(self, context: Any) -> list[Any]:  # noqa: N802 (Drake's name)
        return [self.witnesses[self.parts(context)[1]]]

    def DoCalcTimeDerivatives(self, context: Any, derivatives: Any) -> None:  # noqa: N802 (Drake's name)
        x, chart, footx = self.parts(context)
        derivatives.get_mutable_vector().SetFromVector(STRIDE[chart][0](0.0, x, footx))

    def next_chart(self, context: Any, _: Any, state: Any) -> EventStatus:
        x, chart, footx = self.parts(context)
        discrete = state.get_mutable_discrete_state(self.discrete)
        touched_down = chart == 0
        if touched_down:
            self.touchdown = x  # a monitor sees the state only after another step
        discrete.SetAtIndex(0, (chart + 1) % len(STRIDE))
        discrete.SetAtIndex(1, x[0] + AHEAD if touched_down else footx)
        discrete.SetAtIndex(2, discrete.GetAtIndex(2) + touched_down)
        return EventStatus.Succeeded()


def prepare(scheme: str, tolerance: float, strides: int) -> Callable[[], State]:
    runner = Runner()
    simulator = Simulator(runner)
    ApplySimulatorConfig(
        SimulatorConfig(integration_scheme=scheme, accuracy=tolerance, max_step_size=0.1, use_error_control=True),
        simulator,
    )
    context = simulator.get_mutable_context()
    context.SetAccuracy(tolerance)  # Drake isolates witnesses to a time that follows from it
    context.SetContinuousState(START)

    def touchdowns(context: Any) -> EventStatus:
        done = context.get_discrete_state(runner.discrete).GetAtIndex(2) >= strides
        return EventStatus.ReachedTermination(runner, "enough") if done else EventStatus.DidNothing()

    def go() -> State:
        simulator.set_monitor(touchdowns)
        simulator.AdvanceTo(10.0 * strides)
        x = runner.touchdown
        return float(x[0]), float(x[1]), float(x[2]), float(x[3])

    return go


def prepare_walker(scheme: str, tolerance: float, strides: int) -> Callable[[], State]:
    simulator = Simulator(CompassGait())
    ApplySimulatorConfig(
        SimulatorConfig(integration_scheme=scheme, accuracy=tolerance, max_step_size=0.1, use_error_control=True),
        simulator,
    )
    context = simulator.get_mutable_context()
    context.SetAccuracy(tolerance)
    m, m_hip, a, b, gravity, slope = gait.PARAMETERS
    context.get_mutable_numeric_parameter(0).SetFromVector([m_hip, m, a + b, b, gravity, slope])
    stance, swing, *rates = gait.START
    walker_state = context.get_mutable_continuous_state_vector()
    walker_state.SetFromVector([stance + slope, swing + slope, *rates])  # Drake's angles are from the vertical
    simulator.Initialize()

    def go() -> State:
        simulator.AdvanceTo(gait.end(strides))
        x = walker_state.CopyToVector() - [slope, slope, 0.0, 0.0]
        return float(x[0]), float(x[1]), float(x[2]), float(x[3])

    return go


SCHEMES = "runge_kutta3", "runge_kutta5"
CONTENDERS, WALKERS = (
    [
        Contender(f"Drake {scheme}{where}", partial(prepared, scheme), strides=10, version=version("drake"))
        for scheme in SCHEMES
    ]
    for prepared, where in ((prepare, ", Python"), (prepare_walker, ", C++"))
)
