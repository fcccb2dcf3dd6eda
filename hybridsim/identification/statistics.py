"""How well data determine parameters: standard errors, correlations, and what cannot be told apart.

Near the solution, the motion follows the parameters and the initial states through the linearised equations of motion.
With A their Jacobian and H the sum of squared derivatives of the misfits, each over its variance, the covariance of all
unknowns is the upper left block of the inverse of [[H, A^T], [A, 0]] (Bock 1987).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, csc_array, csr_array, diags_array, eye_array
from scipy.sparse.linalg import splu

from hybridsim.identification.problem import Problem
from hybridsim.identification.program import Program
from hybridsim.identification.samples import Samples, SamplesAtNodes
from hybridsim.typing import FloatArray, IntArray

NOT_DETERMINED = 1e-12
"""Added to the squares of misfits' derivatives, in units in which the largest is 1: what determines a parameter no
better than this does not determine it.
"""

ROUNDING = 1e-16
"""Added where nothing is to be added, so that the system can be solved."""

AT_LIMIT = 1e-7
"""Distance from a limit at which it counts as reached; Ipopt relaxes limits by 1e-8."""

SHARE = 0.1
"""Part that a parameter has at least in a direction that is not determined, to be named."""

STRONG_CORRELATION = 0.99
"""Correlation of two parameters beyond which data hardly tell them apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """What the data say of parameters.

    Attributes
    ----------
    standard_errors : (n,) array
        Of the free parameters, in their units; infinite where data do not determine one, not a number
        for one at a bound.
    correlation : (n, n) array
        Between them.
    undetermined : tuple of tuple of str
        Parameters that the data cannot tell apart, or do not depend on.
    residuals : (k,) array
        Root mean squares of the misfits of each measured quantity, in its unit.
    fits : (k,) array
        1 - squares of misfits / squares of differences from the mean: 1 for a perfect fit, 0 for none.
    lag_correlation : (k,) array
        Correlation of neighbouring misfits, near 0 for white noise.
    noises : (k,) array
        Root mean squares of the misfits over their standard deviations; infinite where none are given.
    """

    standard_errors: FloatArray
    correlation: FloatArray
    undetermined: tuple[tuple[str, ...], ...]
    residuals: FloatArray
    fits: FloatArray
    lag_correlation: FloatArray
    noises: FloatArray


def statistics_of(problem: Problem, program: Program, z: FloatArray, misfits: list[FloatArray]) -> Statistics:
    """Return what the data say of the parameters at a solution.

    Parameters
    ----------
    problem : Problem
        The problem.
    program : Program
        Its program.
    z : (n,) array
        The solution.
    misfits : list of (n_samples, k) array
        What was measured less what the motion is, for each trial.
    """
    residuals, fits, lags = _of_misfits(problem, misfits)
    names = [*problem.config.free]
    given = bool(problem.config.settings.data and problem.config.settings.data[0].noise)
    covariance, units = _inverse(problem, program, z, ROUNDING)
    covariance = covariance * np.outer(units, units)
    _, equations, moves = _system(problem, program, z)
    deviations = [each / path.trial.noise for each, path in zip(misfits, problem.paths, strict=True)]
    if not given:
        n_free = moves.sum() - equations.shape[0]  # initial states, too
        together = np.concatenate(deviations).ravel()
        count = np.isfinite(together).sum()
        covariance = covariance * np.nansum(together**2) / max(count - n_free, 1)
    undetermined = _undetermined(problem, program, z, names)
    squares = np.concatenate(deviations) ** 2
    noises = np.sqrt(np.nansum(squares, axis=0) / np.maximum(np.isfinite(squares).sum(axis=0), 1))
    noises = noises if given else np.full_like(noises, np.inf)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    lost = [name for group in undetermined for name in group]
    errors = np.where([name in lost for name in names], np.inf, errors) if names else errors
    errors = np.where(moves[problem.parameters], errors, np.nan)
    scale = np.sqrt(np.maximum(np.outer(np.diag(covariance), np.diag(covariance)), 1e-300))
    return Statistics(errors, covariance / scale, undetermined, residuals, fits, lags, noises)


def _of_misfits(problem: Problem, misfits: list[FloatArray]) -> tuple[FloatArray, FloatArray, FloatArray]:
    k = len(problem.config.measured)
    together, data = np.concatenate(misfits), np.concatenate([path.trial.data for path in problem.paths])
    squares, spread = np.nansum(together**2, axis=0), np.nansum((data - np.nanmean(data, axis=0)) ** 2, axis=0)
    count = np.maximum(np.isfinite(together).sum(axis=0), 1)
    lags = np.zeros(k)
    for column in range(k):
        pairs = [(each[:-1, column] * each[1:, column]) for each in misfits]
        lags[column] = np.nansum(np.concatenate(pairs)) / max(squares[column], 1e-300)
    return np.sqrt(squares / count), 1.0 - squares / np.maximum(spread, 1e-300), lags


def _system(problem: Problem, program: Program, z: FloatArray) -> tuple[csc_array, csc_array, NDArray[np.bool_]]:
    """Return squares of the misfits' derivatives over their variances, the Jacobian, and which unknowns are free.

    The Jacobian is that of the equations, and of limits that are reached, by the unknowns that are free.
    """
    moves = (program.upper > program.lower) & (z > program.lower) & (z < program.upper)
    squares = csc_array((program.n, program.n))
    for each in program.objectives:
        if not isinstance(each.terms, Samples | SamplesAtNodes):
            continue
        _, by = program.values(each.terms, z)
        n, n_rows, n_read = by.shape
        rows = np.broadcast_to(np.arange(n * n_rows).reshape(n, n_rows, 1), by.shape).ravel()
        columns = np.broadcast_to(each.terms.index[:, None], (n, n_rows, n_read)).ravel()
        matrix = csc_array((by.ravel(), (rows, columns)), (n * n_rows, program.n))
        squares = squares + (matrix.T @ matrix) / problem.spacing
    rows, (lower, upper) = program.rows(z), program.limits
    holds = (lower == upper) | (rows <= lower + AT_LIMIT) | (rows >= upper - AT_LIMIT)
    jacobian = csr_array(program.jacobian_matrix(z))[np.flatnonzero(holds)][:, np.flatnonzero(moves)]
    return csc_array(squares), csc_array(jacobian[np.flatnonzero(np.diff(jacobian.indptr))]), moves


def _units(problem: Problem, z: FloatArray, squares: csc_array, a: csc_array, kept: IntArray) -> tuple[FloatArray, ...]:
    """Return units of unknowns, of squares, and of equations, in which all are about 1, whatever those of the user are.

    That of a parameter is what changes the equations by about 1.
    """
    free, diagonal = np.isin(kept, problem.parameters), squares.diagonal()[kept]
    units = np.where(free, 0.0, problem.sizes(z)[0][kept])
    largest = float((diagonal * units**2).max(initial=0.0)) or 1.0
    rows = 1.0 / abs(a @ diags_array(units)).max(axis=1).toarray().reshape(-1, 1)
    sums = np.asarray((abs(a).multiply(rows) ** 2).sum(axis=0)) + diagonal / largest
    return np.where(free, 1.0 / np.sqrt(np.where(sums > 0.0, sums, 1.0)), units), np.array(largest), rows


def _inverse(problem: Problem, program: Program, z: FloatArray, added: float) -> tuple[FloatArray, FloatArray]:
    """Return the block of the parameters in the inverse, with something added to the squares, and their units."""
    squares, a, moves = _system(problem, program, z)
    kept = np.flatnonzero(moves)
    units, largest, rows = _units(problem, z, squares, a, kept)
    scale, n = diags_array(units), len(problem.parameters)
    h = scale @ squares[kept][:, kept] @ scale / largest + added * eye_array(len(kept))
    a = diags_array(rows[:, 0]) @ a @ scale
    system = csc_array(block_array([[h, a.T], [a, -1e-14 * eye_array(a.shape[0])]], format="csc"))
    free = np.flatnonzero(np.isin(kept, problem.parameters))
    others = np.setdiff1d(np.arange(system.shape[0]), free)
    border = system[:, free].toarray()
    inner = splu(csc_array(system[others][:, others]))  # without the parameters, which all rows read, it is a band
    columns = [inner.solve(column) for column in border[others].T]  # faster than all at once
    solved = np.array(columns).reshape(-1, len(others)).T
    found, own = np.zeros((n, n)), np.ones(n)
    which = np.searchsorted(problem.parameters, kept[free])
    information = border[free] - border[others].T @ solved
    values, vectors = np.linalg.eigh(0.5 * (information + information.T))  # `added` at least, but for rounding
    found[np.ix_(which, which)] = vectors / np.maximum(values, added) @ vectors.T
    own[which] = units[free]
    return found, own / np.sqrt(largest)


def _undetermined(problem: Problem, program: Program, z: FloatArray, names: list[str]) -> tuple[tuple[str, ...], ...]:
    """Return groups of parameters along which the squares of the misfits do not grow."""
    if not names:
        return ()
    scaled, less = (_inverse(problem, program, z, added)[0] for added in (NOT_DETERMINED, 10.0 * NOT_DETERMINED))
    values, vectors = np.linalg.eigh(0.5 * (scaled + scaled.T))
    lost = values > 3.0 * np.einsum("ik,ij,jk->k", vectors, less, vectors)  # 10, where only what is added determines it
    directions = vectors[:, lost].T
    return tuple(tuple(name for name, part in zip(names, d, strict=True) if abs(part) > SHARE) for d in directions)
