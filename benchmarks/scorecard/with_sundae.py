"""scikit-sundae: CVODE with its root function, `terminal` and `direction` set on it, restarted after each jump."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sksundae
from sksundae.cvode import CVODE

from scorecard.case import SHORT, Case, Chart, Outcome, function
from scorecard.restarts import Piece, Start, run_with_restarts

NAME, VERSION = "CVODE (scikit-sundae)", sksundae.__version__
METHODS = ("Adams", "BDF", "Adams" + SHORT)
COMPILES = False


def solver(case: Case, chart: Chart, method: str, rtol: float) -> CVODE:
    slopes, values = function(case, chart.slopes), function(case, [guard.value for guard in chart.guards])

    def right_hand_side(t: float, x: Any, xdot: Any) -> None:
        xdot[:] = slopes(t, x)

    def events(t: float, x: Any, g: Any) -> None:
        g[:] = values(t, x)

    events.terminal = [not guard.observed for guard in chart.guards]  # type: ignore[attr-defined]
    events.direction = [0 if guard.observed else -1 for guard in chart.guards]  # type: ignore[attr-defined]
    settings: dict[str, Any] = {
        "method": method.removesuffix(SHORT),
        "rtol": rtol,
        "atol": 0.01 * rtol,
        "max_num_steps": 100_000,
    }
    settings |= {"first_step": case.step or 0.0, "max_step": case.longest_step(method, 0.0)}
    if chart.guards:
        settings |= {"eventsfn": events, "num_events": len(chart.guards)}
    return CVODE(right_hand_side, **settings)


def prepare(case: Case, method: str, rtol: float) -> Callable[[], Outcome]:
    solvers = {name: solver(case, chart, method, rtol) for name, chart in case.charts.items()}
    known = dict.fromkeys(case.charts, 0)  # a solver that is used again lists the events of earlier solves as well

    def solve(start: Start) -> Piece:
        guards = case.charts[start.chart].guards
        solution = solvers[start.chart].solve([start.t, start.target], start.x)
        fired, seen = [], []
        events = [] if solution.t_events is None else list(zip(solution.t_events, solution.i_events, strict=True))
        new, known[start.chart] = events[known[start.chart] :], len(events)
        for t, signs in new:
            hit = [guard for guard, sign in zip(guards, signs, strict=True) if sign]
            seen += [(float(t), guard) for guard in hit if guard.observed]
            fired += [guard for guard in hit if not guard.observed]
        failure = "" if solution.success else str(solution.message)
        t, x = float(solution.t[-1]), solution.y[-1]
        return Piece(t, x, fired, seen, int(solution.nfev), len(solution.t) - 1, failure)

    return lambda: run_with_restarts(case, solve)
