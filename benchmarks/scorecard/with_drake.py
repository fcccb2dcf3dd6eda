"""Drake: a LeafSystem with a witness function for each guard, and unrestricted updates for the jumps.

The chart is a discrete state. Drake isolates witnesses to a time that follows from the accuracy of the context.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import EventStatus, LeafSystem, UnrestrictedUpdateEvent, WitnessFunctionDirection

from scorecard.case import SHORT, Case, Guard, Outcome, Timed, function, guard_function, reset_function

NAME, VERSION = "Drake", version("drake")
METHODS = ("runge_kutta3", "runge_kutta5", "runge_kutta5" + SHORT)
COMPILES = False
MAX_STEP = 0.1  # the default of SimulatorConfig


class Hybrid(LeafSystem):  # type: ignore[misc]
    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case, self.events = case, list[Timed]()
        self.names = list(case.charts)
        self.DeclareContinuousState(len(case.states))
        self.chart = self.DeclareDiscreteState(1)
        self.slopes = {name: function(case, chart.slopes) for name, chart in case.charts.items()}
        self.witnesses = {name: [self.witness(guard) for guard in chart.guards] for name, chart in case.charts.items()}
        if case.clock:
            self.DeclarePeriodicUnrestrictedUpdateEvent(case.clock.period, case.clock.period, self.tick)

    def witness(self, guard: Guard) -> Any:
        value, reset = guard_function(self.case, guard), reset_function(self.case, guard)
        crossing, fall = WitnessFunctionDirection.kCrossesZero, WitnessFunctionDirection.kPositiveThenNonPositive
        return self.MakeWitnessFunction(
            guard.name,
            crossing if guard.observed else fall,
            lambda context: float(value(context.get_time(), context.get_continuous_state_vector().CopyToVector())),
            UnrestrictedUpdateEvent(partial(self.jump, guard, reset)),
        )

    def where(self, context: Any) -> str:
        return self.names[int(context.get_discrete_state(self.chart).GetAtIndex(0))]

    def DoGetWitnessFunctions(self, context: Any) -> list[Any]:  # noqa: N802 (Drake's name)
        return self.witnesses[self.where(context)]

    def DoCalcTimeDerivatives(self, context: Any, derivatives: Any) -> None:  # noqa: N802 (Drake's name)
        x = context.get_continuous_state_vector().CopyToVector()
        derivatives.get_mutable_vector().SetFromVector(self.slopes[self.where(context)](context.get_time(), x))

    def jump(self, guard: Guard, reset: Callable[..., list[float]], context: Any, _: Any, state: Any) -> EventStatus:
        self.events.append((context.get_time(), guard.name))
        if not guard.observed:
            vector = state.get_mutable_continuous_state().get_mutable_vector()
            vector.SetFromVector(reset(context.get_time(), vector.CopyToVector()))
        if guard.to:
            state.get_mutable_discrete_state(self.chart).SetAtIndex(0, self.names.index(guard.to))
        return EventStatus.Succeeded()

    def tick(self, context: Any, state: Any) -> EventStatus:
        clock = self.case.clock
        assert clock is not None
        self.events.append((context.get_time(), clock.name))
        here = self.where(context)
        state.get_mutable_discrete_state(self.chart).SetAtIndex(0, self.names.index(clock.to.get(here, here)))
        return EventStatus.Succeeded()


def prepare(case: Case, method: str, rtol: float) -> Callable[[], Outcome]:
    def go() -> Outcome:
        system = Hybrid(case)
        simulator = Simulator(system)
        longest = case.longest_step(method, case.step or MAX_STEP)
        config = SimulatorConfig(
            integration_scheme=method.removesuffix(SHORT), accuracy=rtol, max_step_size=longest, use_error_control=True
        )
        ApplySimulatorConfig(config, simulator)
        context = simulator.get_mutable_context()
        context.SetTime(case.span[0])
        context.SetAccuracy(rtol)
        context.SetContinuousState(list(case.states.values()))
        integrator = simulator.get_mutable_integrator()
        if case.step:
            integrator.request_initial_step_size_target(case.step)

        def patience(context: Any) -> EventStatus:
            enough = len(system.events) > case.most_events
            return EventStatus.ReachedTermination(system, "given up") if enough else EventStatus.DidNothing()

        simulator.set_monitor(patience)
        simulator.Initialize()
        simulator.AdvanceTo(case.span[1])
        t, x = context.get_time(), context.get_continuous_state_vector().CopyToVector()
        calls, steps = integrator.get_num_derivative_evaluations(), integrator.get_num_steps_taken()
        return Outcome(system.events, t, x, calls, steps, stuck=len(system.events) > case.most_events)

    return go
