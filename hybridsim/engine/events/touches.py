"""Grazing: minima of a boundary just above zero (touches), and how far below zero a crossing goes.

A dip of boundary g begins where g falls below its clearance, `engine.touch_precision`, and ends where g rises above it
again. If it has not crossed zero in between, its minimum is a touch, which is reported once.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import (
    kernel,
    void,
)
from hybridsim.engine.events.isolation import next_fall, value_at
from hybridsim.engine.events.latching import evaluate
from hybridsim.engine.log import log_event
from hybridsim.engine.memory import ARMED, EXACT, NOWHERE, REPORT, SAMPLED, TIME, TOUCH
from hybridsim.engine.runge_kutta import error_estimate, extension_at

MAX_TOUCHES = 64
"""Touches that are reported in one step."""

HALF_PROBE = 2.0**-17
"""Slopes at a minimum are central differences over twice this part of a step."""


@kernel
def first_touch(problem, now, work, i, n, start, end):
    """Where boundary i has its first minimum in (0, clearance] between theta = start and end; or -1."""
    floor, clearance = work.floor[i], problem.clearance[i]
    work.floor[i] = clearance
    found = -1.0
    height = work.g_start[i] - clearance if start == 0.0 else value_at(problem, now, work, i, 1.0, start)
    dipping, bottom_from, inside = height <= 0.0, start, start
    if start == 0.0 and not dipping:
        work.touched[i] = 0
    reported = dipping and work.touched[i] != 0
    while True:
        if not dipping:
            above, inside = next_fall(problem, now, work, i, n, start, 1.0, False)
            if inside < 0.0 or (inside >= end and end < 1.0):
                break
            reported = False
            bottom_from = narrowed(problem, now, work, i, above, inside)
        rise, top = -1.0, 1.0
        if inside < 1.0:
            below, rise = next_fall(problem, now, work, i, n, inside, -1.0, True)
            if rise >= 0.0:
                top = narrowed(problem, now, work, i, below, rise)
        if not reported:
            found = bottom(problem, now, work, i, bottom_from, min(top, end))
        if found >= 0.0 or not 0.0 <= rise < end:
            break
        start, dipping, reported = rise, False, False
    work.floor[i] = floor
    return found


@kernel
def narrowed(problem, now, work, i, lo, hi):
    """Of two places between which G changes its sign the second, moved close to the change."""
    positive = value_at(problem, now, work, i, 1.0, hi) > 0.0
    for _ in range(48):
        middle = 0.5 * (lo + hi)
        if (value_at(problem, now, work, i, 1.0, middle) > 0.0) == positive:
            hi = middle
        else:
            lo = middle
    return hi


@kernel
def bottom(problem, now, work, i, lo, hi):
    """Where between lo and hi boundary i stops falling; lo if it rises from there on, -1 if it falls to the end."""
    if central_rate(problem, now, work, i, lo) >= 0.0:
        return lo
    if central_rate(problem, now, work, i, hi) < 0.0:
        return -1.0
    while hi - lo > 2.0**-52:
        middle = 0.5 * (lo + hi)
        if not lo < middle < hi:
            break
        if central_rate(problem, now, work, i, middle) < 0.0:
            lo = middle
        else:
            hi = middle
    return hi


@kernel
def central_rate(problem, now, work, i, theta):
    """Proportional to dg/dtheta."""
    after = value_at(problem, now, work, i, 1.0, theta + HALF_PROBE)
    return after - value_at(problem, now, work, i, 1.0, theta - HALF_PROBE)


@routine(void)
def report_touches(problem, now, work, log):
    """Record the touches in this step, in order, up to the first crossing. Nothing else comes of them."""
    problem, work, log = loaded(problem), loaded(work), loaded(log)
    end = 1.0
    for a in range(now.n_active):
        root = work.root[work.active[a]]
        if root < np.inf:
            end = min(end, (root - now.t_start) / now.step)
    start = 0.0
    for _ in range(MAX_TOUCHES):
        first, i = np.inf, NOWHERE
        for a in range(now.n_active):
            b = work.active[a]
            if problem.touch[b] == REPORT and work.latch[b] == ARMED and problem.kind[b] != TIME:
                theta = first_touch(problem, now, work, b, problem.degree[b] * problem.settings.degree, start, end)
                if 0.0 <= theta < first:
                    first, i = theta, b
        if i == NOWHERE:
            return
        work.touched[i] = 1
        log_touch(problem, now, work, log, i, first)
        start = first


@kernel
def log_touch(problem, now, work, log, i, theta):
    """An event of boundary i at theta that changes nothing."""
    now.value = value_at(problem, now, work, i, 1.0, theta) + work.floor[i]
    now.depth, now.certificate = np.nan, problem.kind[i]
    estimate_error(problem, now, work)
    now.error = error_of(problem, work, i)
    extension_at(problem, work, theta, work.x_event)
    work.crossed[i] = 1
    t = now.t_start + theta * now.step
    log_event(problem, now, work, log, t, TOUCH, now.chart, now.chart, now.adjacent_chart, work.x_event, True)
    work.crossed[i] = 0
    now.budget -= 1


@kernel
def estimate_error(problem, now, work):
    """Boundaries where the step's error estimate would have it end instead, into g_shift."""
    settings = problem.settings
    size = now.step * error_estimate(problem, work)
    for m in range(settings.n_states):
        work.x_trial[m] = work.x_new[m] + size * work.error[m] * problem.continuous[m]
    evaluate(problem, now, work, work.g_shift, now.t_new, work.x_trial)


@kernel
def error_of(problem, work, i):
    """The step's error estimate in the unit of boundary i."""
    return abs(work.g_shift[i] - work.g_end[i]) if problem.settings.adaptive else np.nan


@routine(void)
def judge(problem, now, work):
    """How near zero the boundary is at now.t_event, how deep it goes on, and how well the step knows that.

    Of several that cross together, the one that goes least deep.
    """
    problem, work = loaded(problem), loaded(work)
    settings = problem.settings
    now.value, now.depth, now.error = np.nan, np.nan, np.nan
    theta = (now.t_event - now.t_start) / now.step
    shallowest = NOWHERE
    for a in range(now.n_active):
        i = work.active[a]
        if work.crossed[i] and i < settings.n_boundaries and problem.kind[i] != TIME and not work.by_touch[i]:
            deep = depth(problem, now, work, i, theta)
            if shallowest == NOWHERE or deep < now.depth:
                shallowest, now.depth = i, deep
    for i in range(settings.n_boundaries):
        if work.crossed[i] and shallowest == NOWHERE:
            shallowest = i
    if shallowest != NOWHERE:
        evaluate(problem, now, work, work.g_trial, now.t_event, work.x_event)
        now.value = work.g_trial[shallowest]
        if problem.kind[shallowest] != TIME:
            estimate_error(problem, now, work)
            now.error = error_of(problem, work, shallowest)


@kernel
def judge_start(now, work, n):
    """Of what crosses where a chart begins nothing more than its value is known."""
    now.value, now.depth, now.error = np.nan, np.nan, np.nan
    for i in range(n):
        if work.crossed[i]:
            now.value = work.g_start[i]


@kernel
def falls_at_end(problem, work, i):
    """Does boundary i fall where the step ends, as far as the samples of the search tell?"""
    if problem.kind[i] == SAMPLED:
        return work.slope_end[i] < 0.0
    last = problem.degree[i] * problem.settings.degree - 1
    return problem.kind[i] == EXACT and work.g_end[i] < work.g_nodes[i + last * problem.settings.n_watched]


@kernel
def depth(problem, now, work, i, theta):
    """How far below zero boundary i goes between theta and the end of the step."""
    floor = work.floor[i]
    work.floor[i] = 0.0
    end, lowest = 1.0, work.g_end[i]
    if work.g_end[i] > 0.0:
        n = problem.degree[i] * problem.settings.degree
        _, end = next_fall(problem, now, work, i, n, theta, -1.0, True)
        lowest = 0.0
    if end >= theta and not (end == 1.0 and falls_at_end(problem, work, i)):
        place = bottom(problem, now, work, i, theta, end)
        if place >= 0.0:
            lowest = min(value_at(problem, now, work, i, 1.0, place), lowest)
    work.floor[i] = floor
    return abs(min(lowest, 0.0)) if math.isfinite(lowest) else np.nan
