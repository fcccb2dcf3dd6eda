"""What an honest run may be off by: from its tolerances and its method, and from nothing that is recorded in it.

A step is accepted when its error estimate, in the root mean square over the n continuous states, is below
atol + rtol |x|. One state may have all of it, sqrt(n) times the tolerance. The estimate is no bound, and it is made for
the end of the step, not for its inside: over many models, methods and tolerances the true error of a step is up to
thirty times the tolerance, that of the continuous extension sixty times, so `SAFETY` is a hundred.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.methods import METHODS, Tableau
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import EPSILON, SLIDE, Replay

SAFETY = 100.0
REFERENCE = 0.01
"""Share of the tolerance to which the flow is integrated again."""

CUBIC = ("rk4", "rk4_adaptive")
"""Methods with a cubic extension, whose error no step control looks at."""

TRIES = 6

LENGTHS, BEGINS = 2.0 ** np.arange(6, -9, -1), np.linspace(0.0, 1.0, 25)
"""Steps that are tried through a state, in units of one that is about as long as it may be."""


def step_scale(replay: Replay, *states: FloatArray) -> FloatArray:
    """The tolerance atol + rtol |x|, with the largest of these states: (n, width)."""
    engine = replay.config.engine
    largest = np.maximum.reduce([abs(x) for x in states])
    return np.asarray(engine.atol + engine.rtol * largest)


def reference_scale(replay: Replay, x: FloatArray) -> FloatArray:
    """To what the flow is integrated again; rounding is the limit."""
    return np.asarray(np.maximum(REFERENCE * step_scale(replay, x), 16.0 * EPSILON * abs(x)) + 1e-300)


def step_error(replay: Replay, *states: FloatArray) -> FloatArray:
    """What one adaptive step may be off by, at its end and in between: (n, width)."""
    n = max(sum(state.continuous for state in replay.model.states), 1)
    if replay.config.engine.method == "rk4":
        return np.zeros_like(states[0])
    return np.asarray(SAFETY * np.sqrt(n) * step_scale(replay, *states))


def slide_error(replay: Replay, x: FloatArray, chart: IntArray) -> FloatArray:
    """What a slide may be off its surface by, whatever the method: it is pulled back there, to the tolerance."""
    return np.asarray((chart <= SLIDE)[:, None] * SAFETY * step_scale(replay, x))


def hermite_error(
    x0: FloatArray, f0: FloatArray, x1: FloatArray, f1: FloatArray, inside: FloatArray, theta: FloatArray, h: FloatArray
) -> FloatArray:
    """How far the cubic through both ends strays from the flow in between, twice over: (n, k, width).

    x0, x1, f0, f1 : (n, width) the flow and its slopes at the ends of steps of length h, (n,).
    inside : (n, k, width) the flow at the places theta, (k,).
    """
    s, width = theta[None, :, None], h[:, None, None]
    rise = (x1 - x0)[:, None]
    bend_0, bend_1 = width * f0[:, None] - rise, width * f1[:, None] - rise
    cubic = x0[:, None] + s * (rise + (1.0 - s) * ((1.0 - s) * bend_0 - s * bend_1))
    return np.asarray(2.0 * abs(cubic - inside))


def classic_step_error(
    replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, h: FloatArray, end: FloatArray
) -> FloatArray:
    """What a step of fixed length may be off by: twice what the classic Runge-Kutta step of that length is.

    Fixed steps know no tolerance; their error is whatever the method makes it.
    """
    half, step = 0.5 * h[:, None], h[:, None]
    k1 = replay.slopes(t, x, chart)
    k2 = replay.slopes(t + 0.5 * h, x + half * k1, chart)
    k3 = replay.slopes(t + 0.5 * h, x + half * k2, chart)
    k4 = replay.slopes(t + h, x + step * k3, chart)
    return np.asarray(2.0 * abs(x + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4) - end))


def longest_steps(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, limit: FloatArray) -> FloatArray:
    """About the longest step that the run's tolerances allow from each of n rows, at most `limit`: (n,) [s].

    Its length is found from the error estimate of the run's own method, which grows with a power of it.
    """
    engine, method = replay.config.engine, METHODS[replay.config.engine.method]()
    if not method.adaptive:
        return np.minimum(limit, engine.first_step or engine.max_step)
    h = np.minimum(limit, engine.max_step)
    for _ in range(TRIES):
        with np.errstate(all="ignore"):
            error = _estimate(replay, t, x, chart, h)
            factor = np.clip(0.95 * error ** (-1.0 / (method.error_order + 1)), 0.05, 10.0)
        h = np.minimum(h * np.where(np.isfinite(error), factor, 0.05), np.minimum(limit, engine.max_step))
    return h


def error_vector(
    replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, h: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The end of a step of the run's method from each of n rows, and its error estimate there: both (n, width)."""
    method = METHODS[replay.config.engine.method]()
    k, step, n = _stages(replay, method, t, x, chart, h), h[:, None], replay.n_states
    end = x + step * sum(weight * slope for weight, slope in zip(method.a[method.stages], k, strict=False))
    moving = replay.packed.problem.continuous[:n] / step_scale(replay, x, end)[:, :n]

    def estimate(weights: FloatArray) -> FloatArray:
        return np.asarray(step * sum(weight * slope for weight, slope in zip(weights, k, strict=True)))

    def squares(error: FloatArray) -> FloatArray:
        return np.asarray(((error[:, :n] * moving) ** 2).sum(axis=1, keepdims=True))

    error = estimate(method.e)
    if method.e_third.any():  # Hairer, Norsett, Wanner (1993), II.10.17
        total = squares(error)
        with np.errstate(invalid="ignore"):
            weight = np.sqrt(total / (total + 0.01 * squares(estimate(method.e_third))))
        error = np.where(total > 0.0, weight, 1.0) * error
    return np.asarray(end), error


def accepted_step(
    replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, h: FloatArray, most: float = 1.0
) -> FloatArray:
    """The extension of a step of the run's method from each of n rows, without its start: (n, degree, width).

    Where the field has a kink the estimate of a step misses more of its error than elsewhere. A step of an honest run
    is accepted by its estimate all the same; nan where this one is above `most`, in units of the tolerance.
    """
    method = METHODS[replay.config.engine.method]()
    with np.errstate(all="ignore"):
        k = np.array(_stages(replay, method, t, x, chart, h, extension=True))
        accepted = _estimate(replay, t, x, chart, h) <= most + 1e-6
    extension = h[:, None, None] * np.einsum("sd,snw->ndw", method.extension, k)
    return np.asarray(np.where(accepted[:, None, None], extension, np.nan))


def slopes_at_kinks(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, h: FloatArray) -> FloatArray:
    """How far the slope of an accepted step that goes through these states may be from the field there: (n, width).

    Where the step began and how long it was is not known: many are tried, of about the length h, (n,) [s]. None of
    them is quite the run's own, whose estimate may be small by chance.
    """
    field, worst = replay.slopes(t, x, chart), np.zeros_like(x)
    for length in (np.minimum(share * h, replay.config.engine.max_step) for share in LENGTHS):
        for theta in BEGINS:
            back = theta * length
            with np.errstate(all="ignore"):
                begin = error_vector(replay, t, x, chart, -back)[0]
                extension = accepted_step(replay, t - back, begin, chart, length, SAFETY)
                powers = np.arange(1, extension.shape[1] + 1)
                slope = np.einsum("d,ndw->nw", powers * theta ** (powers - 1), extension) / length[:, None]
                off = abs(slope - field)
            worst = np.fmax(worst, np.where(np.isfinite(off), off, 0.0))
    return worst


def _stages(
    replay: Replay,
    method: Tableau,
    t: FloatArray,
    x: FloatArray,
    chart: IntArray,
    h: FloatArray,
    extension: bool = False,
) -> list[FloatArray]:
    """The slopes of the stages of one step, that at its end included, and those that only its extension uses."""
    step, k = h[:, None], [replay.slopes(t, x, chart)]
    for i in range(1, len(method.c) if extension else method.stages + 1):
        stage = x + step * sum(method.a[i, j] * k[j] for j in range(i))
        k.append(replay.slopes(t + method.c[i] * h, stage, chart))
    return k


def _estimate(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, h: FloatArray) -> FloatArray:
    """The error estimate of one step of the run's method, in units of its tolerance: (n,)."""
    end, error = error_vector(replay, t, x, chart, h)
    n = replay.n_states
    moving = replay.packed.problem.continuous[:n] / step_scale(replay, x, end)[:, :n]
    return np.asarray(np.sqrt(((error[:, :n] * moving) ** 2).sum(axis=1) / max(n, 1)))
