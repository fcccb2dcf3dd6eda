"""Metrics of sweeps over random automata are what numpy makes of the recorded runs."""

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.plan import Plan

from .automata import BOUNDARIES, MODEL, PARAMETERS, Automaton

METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive")
STATES, DURATION, FINE = "qruv", 4.0, 200
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
OF_STATE = ("final", "min", "max", "mean", "integral", "std")
OF_EVENT = ("count", "time", "at", "after")


@pytest.mark.parametrize(("seed", "n"), [(1, 4), pytest.param(2, 150, marks=pytest.mark.exhaustive)])
def test_metrics_are_what_numpy_makes_of_the_recorded_runs(seed, n, counted):
    rng = np.random.default_rng(seed)
    for number in range(n):
        automaton, method = Automaton(rng), str(rng.choice(METHODS))
        fixed = {
            "parameters": {name: getattr(automaton, name).ravel().tolist() for name in PARAMETERS.names},
            "final_time": DURATION,
            "method": method,
            "rtol": 1e-9,
            "atol": 1e-9,
            "max_transitions": 50,
        }
        axes = {name: rng.uniform(-0.7, 0.7, 2).tolist() for name in STATES}
        metrics = drawn(rng)
        plan = Plan(config := sweep_from_keywords(MODEL, axes=axes, metrics=list(metrics), **fixed))
        values = plan.values(0, plan.n_rows)
        found = BatchRunner(config).run(values, np.zeros(1, np.int64))
        for row in range(plan.n_rows):
            run = simulate(MODEL, initial={name: float(values[f"initial.{name}"][row]) for name in STATES}, **fixed)
            seen = steps_of(run)
            for text, (kind, *of) in metrics.items():
                expected, allowed = metric(kind, of, run, seen)
                off = abs(found[text][row] - expected)
                same = off <= allowed or (np.isnan(expected) and np.isnan(found[text][row]))
                assert same, (
                    f"sweep {number} of seed {seed}, {method}, row {row}: {text} {found[text][row]}, {expected}"
                )
                counted["metrics"] += 1
            counted["runs"] += 1


def drawn(rng):
    """Some metrics: text -> kind and what it is of."""
    metrics = {}
    for kind in OF_STATE:
        state = rng.choice([*STATES])
        metrics[f"{kind}({state})"] = kind, STATES.index(state)
    for kind in OF_EVENT:
        k, number, state = int(rng.integers(len(BOUNDARIES))), int(rng.integers(1, 4)), rng.choice([*STATES])
        more = {"count": "", "time": f", {number}"}.get(kind, f", {number}, {state}")
        metrics[f"{kind}({BOUNDARIES.names[k]}{more})"] = kind, k, number, STATES.index(state)
    return metrics


def steps_of(run):
    """For each step that lasts: its length, and the states at Gauss nodes and at even places (.., n_states)."""
    i = np.flatnonzero((np.diff(run.t) > 0.0) & (run.step[:-1] > 0.0))
    length = run.t[i + 1] - run.t[i]

    def states(places):
        part = length[:, None] / run.step[i, None] * places
        powers = part[..., None] ** np.arange(1, run.extension.shape[1] + 1)
        return run.x[i, None] + np.einsum("ipd,idm->ipm", powers, run.extension[i])

    return length, states(0.5 * (NODES + 1.0)), states(np.linspace(0.0, 1.0, FINE))


def metric(kind, of, run, seen):
    """A metric by numpy, and how far a sweep may be off: not at all but for integrals, and extremes between places."""
    length, at_nodes, fine = seen
    if kind in OF_EVENT:
        return metric_of_events(kind, of, run), 0.0
    (m,) = of
    if kind == "final":
        return run.x[-1, m], 0.0
    if kind in ("min", "max"):
        extreme = getattr(np, kind)
        between = abs(np.diff(fine[..., m], n=2, axis=1)).max(initial=0.0)  # a parabola's share between two places
        return extreme([extreme(run.x[:, m]), extreme(fine[..., m])]), between + 1e-9
    share = 0.5 * length[:, None] * WEIGHTS
    integral = (share * at_nodes[..., m]).sum()
    mean = integral / (run.t[-1] - run.t[0])
    if kind == "std":
        return np.sqrt((share * (at_nodes[..., m] - mean) ** 2).sum() / (run.t[-1] - run.t[0])), 1e-8
    return (integral if kind == "integral" else mean), 1e-9


def metric_of_events(kind, of, run):
    k, number, m = of
    rows = np.flatnonzero(run.events.crossed[:, k]) if len(run.events) else np.zeros(0, int)
    if kind == "count":
        return len(rows)
    if len(rows) < number:
        return np.nan
    row = rows[number - 1]
    column = {"time": run.events.t, "at": run.events.x_before[:, m], "after": run.events.x_after[:, m]}[kind]
    return column[row]
