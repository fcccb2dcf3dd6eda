"""Metrics of sweeps over random automata are what numpy makes of the recorded runs."""

import re

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
        axes, fixed = drawn_runs(rng)
        metrics = drawn(rng)
        for row, (run, found) in enumerate(both(axes, fixed, list(metrics))):
            seen = steps_of(run)
            for text, (kind, *of) in metrics.items():
                expected, allowed = metric(kind, of, run, seen)
                off = abs(found[text] - expected)
                same = off <= allowed or (np.isnan(expected) and np.isnan(found[text]))
                assert same, (
                    f"sweep {number} of seed {seed}, {fixed['method']}, row {row}: {text} {found[text]}, {expected}"
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


# Formulas: numpy computes them, by Python, from the recorded runs.
FUNCTIONS = {
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "atan": np.arctan,
    "log": np.log,
}
NUMPY = {**FUNCTIONS, "min": np.minimum, "max": np.maximum, "pi": np.pi}
SMOOTH = ("sin", "cos", "atan")
EXACT = ("final", "count", "time", "at", "after")
OVER_TIME = ("mean", "integral", "std", "min", "max")


def drawn_formula(rng, leaves, functions, depth=3):
    """A random formula, as its text."""
    kind = rng.integers(6) if depth else 0
    if kind == 0:
        return str(rng.choice(leaves)) if rng.random() < 0.8 else f"{rng.uniform(0.2, 2.0):.3f}"
    inside = [drawn_formula(rng, leaves, functions, depth - 1) for _ in range(2)]
    if kind == 1:
        return f"{rng.choice([*functions])}({inside[0]})"
    if kind == 2:
        return f"({inside[0]}) ** 2" if rng.random() < 0.5 else f"-{inside[0]}"
    return f"({inside[0]} {rng.choice(['+', '-', '*'] if functions is SMOOTH else [*'+-*/'])} {inside[1]})"


def computed(text, names):
    with np.errstate(all="ignore"):
        return eval(text, dict(names))


@pytest.mark.exhaustive  # metrics of formulas are in the ordinary run
@pytest.mark.parametrize(("seed", "n"), [(3, 4), pytest.param(4, 100, marks=pytest.mark.exhaustive)])
def test_formulas_of_metrics_are_what_numpy_makes_of_the_recorded_runs(seed, n, counted):
    rng = np.random.default_rng(seed)
    for number in range(n):
        axes, fixed = drawn_runs(rng)
        leaves = {text: (kind, of) for text, (kind, *of) in (drawn(rng) | drawn(rng)).items() if kind in EXACT}
        names = {f"leaf{place}": text for place, text in enumerate(leaves)} | {f"m_{s}": f"initial.{s}" for s in STATES}
        templates = [drawn_formula(rng, [*names], (*FUNCTIONS,)) for _ in range(12)]
        metrics = {}
        for place, template in enumerate(templates):
            text = template
            for name, meant in names.items():
                text = re.sub(rf"\b{name}\b", meant, text)
            metrics[f"formula{place}"] = f"{text} + 0 * final(t)"
        for run, row in both(axes, fixed, metrics):
            seen, measured = steps_of(run), enumerate(leaves.values())
            env = {f"leaf{k}": np.float64(metric(kind, of, run, seen)[0]) for k, (kind, of) in measured}
            env |= {f"m_{s}": run.x[0, STATES.index(s)] for s in STATES} | NUMPY
            for place, template in enumerate(templates):
                expected = computed(template, env) + 0.0
                same = np.isclose(row[f"formula{place}"], expected, rtol=1e-11, atol=1e-11, equal_nan=True)
                assert same, f"sweep {number} of seed {seed}: {template} {row[f'formula{place}']}, {expected}"
                counted["formulas"] += 1
                counted["finite formulas"] += int(np.isfinite(expected))


@pytest.mark.parametrize(("seed", "n"), [(5, 2), pytest.param(6, 60, marks=pytest.mark.exhaustive)])
def test_metrics_of_formulas_are_what_numpy_makes_of_the_recorded_steps(seed, n, counted):
    rng = np.random.default_rng(seed)
    for number in range(n):
        axes, fixed = drawn_runs(rng)
        quantities = [drawn_formula(rng, [*STATES], SMOOTH) for _ in range(3)]
        metrics = {
            f"{kind}_{k}": f"{kind}({text})" for kind in (*OVER_TIME, "final") for k, text in enumerate(quantities)
        }
        for run, row in both(axes, fixed, metrics):
            length, at_nodes, fine = steps_of(run)
            for k, text in enumerate(quantities):
                found = {kind: row[f"{kind}_{k}"] for kind in (*OVER_TIME, "final")}
                ends, nodes, places = (
                    np.broadcast_to(computed(text, {s: x[..., m] for m, s in enumerate(STATES)} | NUMPY), x.shape[:-1])
                    for x in (run.x, at_nodes, fine)
                )
                duration, share = run.t[-1] - run.t[0], 0.5 * length[:, None] * WEIGHTS
                mean, size = (share * nodes).sum() / duration, 1.0 + abs(places).max()
                std = np.sqrt((share * (nodes - mean) ** 2).sum() / duration)
                between = abs(np.diff(places, n=2, axis=1)).max(initial=0.0) + 1e-8 * size
                low, high = (f([f(ends), f(places)]) for f in (np.min, np.max))
                expected = {"mean": (mean, 1e-7 * size), "integral": (mean * duration, 1e-7 * size * duration)}
                expected |= {"std": (std, 1e-6 * size), "final": (ends[-1], 1e-14 * size)}
                expected |= {"min": (low, between), "max": (high, between)}
                for kind, (value, allowed) in expected.items():
                    off = abs(found[kind] - value)
                    assert off <= allowed, f"sweep {number} of seed {seed}: {kind}({text}) {found[kind]}, {value}"
                    counted["metrics of formulas"] += 1


def drawn_runs(rng):
    """The initial values of some runs of an automaton, and what they share."""
    automaton = Automaton(rng)
    fixed = {
        "parameters": {name: getattr(automaton, name).ravel().tolist() for name in PARAMETERS.names},
        "final_time": DURATION,
        "method": str(rng.choice(METHODS)),
        "rtol": 1e-9,
        "atol": 1e-9,
        "max_transitions": 50,
    }
    return {name: rng.uniform(-0.7, 0.7, 2).tolist() for name in STATES}, fixed


def both(axes, fixed, metrics):
    """Each run, recorded, and its row of the sweep."""
    plan = Plan(config := sweep_from_keywords(MODEL, axes=axes, metrics=metrics, **fixed))
    values = plan.values(0, plan.n_rows)
    found = BatchRunner(config).run(values, np.zeros(1, np.int64))
    for row in range(plan.n_rows):
        initial = {name: float(values[f"initial.{name}"][row]) for name in STATES}
        yield simulate(MODEL, initial=initial, **fixed), {name: column[row] for name, column in found.items()}
