"""PathSim: an ODE block, and a zero-crossing event for each guard that sets the block's state.

As in its examples of a bouncing ball and of stick and slip: events are switched on and off with the chart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pathsim
from pathsim import Simulation, solvers
from pathsim.blocks import ODE
from pathsim.events import Schedule, ZeroCrossing, ZeroCrossingDown

from scorecard.case import SHORT, Automaton, Case, Guard, Outcome

NAME, VERSION = "PathSim", pathsim.__version__
METHODS = ("RKDP54", "RKDP87", "RKDP54" + SHORT)
COMPILES = False
FIRST_STEP = 0.01  # the default of Simulation


class Hybrid:
    """The block, and the events around it."""

    def __init__(self, case: Case, rtol: float) -> None:
        self.automaton, self.calls = Automaton(case), 0
        self.simulation: Simulation | None = None
        self.block = ODE(self.slopes, np.array(list(case.states.values()), dtype=float))
        self.by_chart = {
            name: [self.event(guard, value, rtol) for guard, value in pairs]
            for name, pairs in self.automaton.guards.items()
        }
        self.events: list[Any] = [event for events in self.by_chart.values() for event in events]
        if case.clock:
            self.events.append(Schedule(t_start=case.clock.period, t_period=case.clock.period, func_act=self.tick))

    def slopes(self, x: Any, _: Any, t: float) -> Any:
        self.calls += 1
        return np.array(self.automaton.slopes[self.automaton.chart](t, x), dtype=float)

    @property
    def x(self) -> Any:
        return self.block.engine.state

    def event(self, guard: Guard, value: Callable[..., Any], rtol: float) -> Any:
        kind = ZeroCrossing if guard.observed else ZeroCrossingDown
        return kind(func_evt=lambda t: float(value(t, self.x)), func_act=lambda t: self.act(guard, t), tolerance=rtol)

    def act(self, guard: Guard, t: float) -> None:
        if guard.observed:
            self.automaton.record(t, guard)
        else:
            self.block.engine.state = np.array(self.automaton.jump(t, self.x, [guard]))
            self.switch()
        if self.automaton.too_many and self.simulation:
            self.simulation.stop()

    def tick(self, _: float) -> None:
        self.automaton.tick()
        self.switch()

    def switch(self) -> None:
        for name, events in self.by_chart.items():
            for event in events:
                event.on() if name == self.automaton.chart else event.off()


def prepare(case: Case, method: str, rtol: float) -> Callable[[], Outcome]:
    def go() -> Outcome:
        hybrid, longest = Hybrid(case, rtol), case.longest_step(method)
        simulation = Simulation(
            [hybrid.block],
            events=hybrid.events,
            dt=case.step or FIRST_STEP,
            dt_max=longest if math.isfinite(longest) else None,
            Solver=getattr(solvers, method.removesuffix(SHORT)),
            tolerance_lte_rel=rtol,
            tolerance_lte_abs=0.01 * rtol,
            log=False,
        )
        simulation.reset(time=case.span[0])
        hybrid.simulation = simulation
        hybrid.switch()
        statistics = simulation.run(case.span[1] - case.span[0])
        x, steps = np.array(hybrid.block.engine.state), int(statistics["total_steps"])
        automaton = hybrid.automaton
        return Outcome(automaton.events, simulation.time, x, hybrid.calls, steps, stuck=automaton.too_many)

    return go
