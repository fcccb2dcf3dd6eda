"""The form of a method: Butcher tableau, error weights, continuous extension; the matrices of a Rosenbrock method.

A method is data and never code: one loop in `runge_kutta.py` evaluates the explicit ones, one in `rosenbrock.py` the
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import ArrayLike

from hybridsim.engine.methods.tableau_checks import array_of, largest_defects, refuse_wrong_shapes
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.typing import FloatArray

TOLERANCE = 1e-12
"""Largest defect of a condition, relative to the sum of its terms' sizes: coefficients have all their digits."""

THETA = Polynomial([0.0, 1.0])
"""The polynomial theta; extensions are written with it as in their sources."""


@explains_keywords(error="e", b_hat="e", rows="a", weights="b", nodes="c", title="name")
@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Tableau:
    r"""An integration method: `method=Tableau(...)` makes runs with it.

    Of an explicit Runge-Kutta method with S stages, k_i is the slope at stage i, x_new the new point and x_error the
    estimate of its error,

        k_i = f(t + c_i h, x + h sum_j a_ij k_j),  x_new = x + h sum_j b_j k_j,  x_error = h sum_j e_j k_j

    k_S is the slope at the new point. It costs nothing, because it is the first stage of the next step.

    Of a Rosenbrock method, k_0 is the slope at the start, k_S that at the new point, and the k_i between them are the
    increments u_i / h of Hairer, Wanner: Solving ODEs II (1996), IV.7, equation 7.25, with the Jacobian J = df/dx:

        (1 / gamma - h J) k_i = f(t + c_i h, x + h sum_j a_ij k_j) + sum_j coupling_ij k_j + time_weights_i h df/dt

    Parameters
    ----------
    name : str
        Name of the method, in messages and in files. Those of the bundled methods belong to them.
    a : sequence of array_like
        Coefficients of the S stages, strictly lower triangular: each row up to its last entry that is not zero, or a
        square matrix. Further rows are stages that only the extension uses; in them the column S belongs to the slope
        at the new point.
    b : (S,) array_like
        Weights of the new point.
    order : int
        Order of the method. The order conditions are checked up to it.
    e : (S,) or (S + 1,) array_like, optional
        Weights of the error estimate: the difference of `b` and the weights of the lower order, the last one that of
        k_S. Without them the method takes fixed steps, of `first_step` or `max_step`.
    error_order : int, optional
        Order of the error estimate; the step size is proportional to error^(-1 / (error_order + 1)). By default one
        less than `order`.
    c : array_like, optional
        Nodes of the rows of `a`: times of the stages as fractions of the step. By default the sums of the rows.
    extension : (R, m) array_like, optional
        Continuous extension of degree m, on which events are located:
        x(t + theta h) = x + h sum_j sum_d extension[j, d] theta^(d+1) k_j for theta in [0, 1], with rows as the k_j.
        Rows of zeros at its end may be left out. By default the cubic Hermite interpolation between both ends of the
        step, which is of order 3: for steps that it limits, give an extension of a higher order.
    e_third : (S + 1,) array_like, optional
        Weights of the second, third-order error estimate of DOP853.
    gamma : float
        Diagonal coefficient of a Rosenbrock method; 0 for an explicit method.
    coupling : (R, R) array_like, optional
        Weights of the increments before it in the equation of each, strictly lower triangular.
    time_weights : (R,) array_like, optional
        Weights of df/dt there.
    series_order : int
        Order of Taylor's method; 0 for a method with stages.

    Attributes
    ----------
    a : (R, R) array
        The coefficients, R = S + 1 or more: rows 0 to S - 1 make the stages, row S, which is b, the new point. The rows
        after it are the stages that only the extension uses.
    c : (R,) array
        The nodes of these rows.
    e : (S + 1,) array
        Zeros where there is no error estimate.
    stages : int
        Number of stages S.
    adaptive : bool
        False for a fixed step size.

    Raises
    ------
    ConfigError
        If shapes do not fit, a stage uses one that comes after it, an order condition up to the declared order does not
        hold, or the extension does not begin and end with the step.

    Notes
    -----
    Order conditions are those of Butcher's trees (Hairer, Norsett, Wanner: Solving ODEs I, 1993, theorem II.2.13). Of
    Rosenbrock methods only shapes are checked.

    Examples
    --------
    The method of Heun with the step size controlled by that of Euler:

    >>> from hybridsim import Tableau
    >>> Tableau("heun", a=[[], [1]], b=[1 / 2, 1 / 2], e=[-1 / 2, 1 / 2], order=2)
    Tableau('heun', stages=2, order=2)
    """

    name: str
    a: FloatArray
    c: FloatArray
    e: FloatArray
    e_third: FloatArray
    extension: FloatArray
    stages: int
    order: int
    error_order: int
    adaptive: bool
    gamma: float
    coupling: FloatArray
    time_weights: FloatArray
    series_order: int

    def __init__(
        self,
        name: str,
        *,
        a: Sequence[ArrayLike] | FloatArray,
        b: ArrayLike,
        order: int,
        e: ArrayLike | None = None,
        error_order: int | None = None,
        c: ArrayLike | None = None,
        extension: ArrayLike | None = None,
        e_third: ArrayLike | None = None,
        gamma: float = 0.0,
        coupling: ArrayLike | None = None,
        time_weights: ArrayLike | None = None,
        series_order: int = 0,
    ) -> None:
        given = {"b": b, "e": e, "c": c, "extension": extension, "e_third": e_third}
        given |= {"coupling": coupling, "time_weights": time_weights}
        arrays = {key: array_of(name, key, value) for key, value in given.items() if value is not None}
        rows = [array_of(name, "a", row) for row in a]
        refuse_wrong_shapes(name, rows, arrays, (order, error_order))
        stages, size = len(arrays["b"]), len(rows) + 1
        rows.insert(stages, arrays["b"])
        matrix = np.array([filled(row, size) for row in rows])
        nodes = matrix.sum(axis=1) if c is None else np.insert(arrays["c"], stages, 1.0)
        values = {
            "name": name,
            "a": matrix,
            "c": nodes,
            **{key: filled(arrays.get(key, ()), stages + 1) for key in ("e", "e_third")},
            "extension": filled(arrays.get("extension", hermite_extension(arrays["b"])), size),
            "stages": stages,
            "order": order,
            "error_order": order - 1 if error_order is None else error_order,
            "adaptive": e is not None,
            "gamma": gamma,
            "coupling": arrays.get("coupling", np.zeros((1, 1))),
            "time_weights": arrays.get("time_weights", np.zeros(1)),
            "series_order": series_order,
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        if not gamma:
            check_method(self)

    def __repr__(self) -> str:
        return f"Tableau({self.name!r}, stages={self.stages}, order={self.order})"

    def keywords(self) -> dict[str, Any]:
        """Return the keywords that make this method again.

        Returns
        -------
        dict of str
            Texts, numbers and lists of numbers, as in a config under `engine.method`.
        """
        rows = [row[: min(i, self.stages)] for i, row in enumerate(self.a[: self.stages])]
        found: dict[str, Any] = {
            "name": self.name,
            "a": [row.tolist() for row in (*rows, *self.a[self.stages + 1 :])],
            "b": self.a[self.stages, : self.stages].tolist(),
            "order": self.order,
            "error_order": self.error_order,
            "extension": self.extension.tolist(),
        }
        sums = np.array_equal(self.c, self.a.sum(axis=1))
        found |= {} if sums else {"c": np.delete(self.c, self.stages).tolist()}
        found |= {"e": self.e.tolist()} if self.adaptive else {}
        found |= {"e_third": self.e_third.tolist()} if self.e_third.any() else {}
        if self.gamma:
            found |= {"gamma": self.gamma, "coupling": self.coupling.tolist()}
            found["time_weights"] = self.time_weights.tolist()
        return found | ({"series_order": self.series_order} if self.series_order else {})


def filled(values: ArrayLike, size: int) -> FloatArray:
    """Return an array with zeros, or rows of zeros, at its end up to a length."""
    array = np.asarray(values, float)
    return np.concatenate([array, np.zeros((size - len(array), *array.shape[1:]))])


def dense(entries: Mapping[int, float], size: int) -> FloatArray:
    """Return an array of its entries that are not zero, as {index: value}."""
    return np.array([entries.get(j, 0.0) for j in range(size)])


def hermite_extension(b: FloatArray) -> FloatArray:
    """Cubic Hermite interpolation between both ends of a step with their slopes.

    x + theta^2 (3 - 2 theta) (x_new - x) + h theta (1 - theta)^2 k_0 - h theta^2 (1 - theta) k_S
    (Hairer, Norsett, Wanner: Solving ODEs I, 1993, section II.6).

    Parameters
    ----------
    b : (S,) array
        Weights of the new point.

    Returns
    -------
    (S + 1, 3) array
        The extension, as in `Tableau`.
    """
    weights = np.zeros((len(b) + 1, 3))
    weights[:-1, 1], weights[:-1, 2] = 3.0 * b, -2.0 * b
    weights[0] += [1.0, -2.0, 1.0]
    weights[-1] += [0.0, -1.0, 1.0]
    return weights


def power_coefficients(polynomials: list[Polynomial], degree: int) -> FloatArray:
    """Coefficients of theta^1 to theta^degree.

    Parameters
    ----------
    polynomials : list of Polynomial
        R polynomials without constant terms, one for each stage.
    degree : int
        The highest degree m.

    Returns
    -------
    (R, m) array
        The extension, as in `Tableau`.
    """
    weights = np.zeros((len(polynomials), degree))
    for j, polynomial in enumerate(polynomials):
        coefficients = polynomial.coef[1:]
        weights[j, : len(coefficients)] = coefficients
    return weights


def check_method(method: Tableau) -> None:
    """Raise a ConfigError if an explicit method is not what it declares to be, with all that is wrong.

    Parameters
    ----------
    method : Tableau
        The method.

    Raises
    ------
    ConfigError
        If nodes are not the sums of their rows, an order condition up to the order does not hold, the error estimate is
        of another order, or the extension does not begin and end with the step.
    """
    problems = [*_wrong_nodes(method), *_wrong_order(method), *_wrong_estimate(method), *_wrong_extension(method)]
    if problems:
        raise ConfigError(f"the method {method.name}: {problem}" for problem in problems)


def _wrong_nodes(method: Tableau) -> Iterator[str]:
    sums, scale = method.a.sum(axis=1), abs(method.a).sum(axis=1)
    for i in np.flatnonzero(abs(sums - method.c) > TOLERANCE * np.maximum(scale, 1.0))[:1]:
        found = f"found {float(method.c[i])!r} for row {i}, whose sum is {float(sums[i])!r}"
        yield f"c: expected the sums of the rows of a, {found}; leave c out"


def _wrong_order(method: Tableau) -> Iterator[str]:
    b = method.a[method.stages]
    defects = largest_defects(b, method.a, method.order, 1.0)
    reached = next((p for p, defect in enumerate(defects) if defect > TOLERANCE), method.order)
    if reached == 0:
        yield f"b: the weights must add up to 1, found {float(b.sum())!r}; correct them, or give them with all digits"
    elif reached < method.order:
        yield (
            f"order: {method.order} is declared, but a condition of order {reached + 1} is missed by "
            f"{defects[reached]:.2g}; correct a and b, give their numbers with all digits, or declare order={reached}"
        )


def _wrong_estimate(method: Tableau) -> Iterator[str]:
    if not method.adaptive or method.e_third.any():  # DOP853 combines two estimates, and neither has the order of both
        return
    if not method.e.any():
        yield "e: expected weights that are not all zero; for fixed steps leave e out"
        return
    e = np.concatenate([method.e, np.zeros(len(method.a) - len(method.e))])
    defects = largest_defects(e, method.a, method.error_order, 0.0)
    reached = next((p for p, defect in enumerate(defects) if defect > TOLERANCE), method.error_order)
    if reached < method.error_order:
        yield (
            f"e: the estimate should vanish up to order {method.error_order}, but misses it at order {reached + 1} by "
            f"{defects[reached]:.2g}; e is the difference of both weights, b - b_hat; correct it, or give error_order"
        )


def _wrong_extension(method: Tableau) -> Iterator[str]:
    size = np.maximum(abs(method.extension).sum(axis=1), 1.0)
    start = abs(method.extension[:, 0] - np.eye(len(size))[0]) / size
    end = abs(method.extension.sum(axis=1) - method.a[method.stages]) / size
    if start.max() > TOLERANCE:
        yield (
            "extension: at theta = 0 its slope must be k_0, but the weights of theta are "
            f"{_row(method.extension[:, 0])}; correct its first column, or leave the extension out"
        )
    if end.max() > TOLERANCE:
        yield (
            f"extension: at theta = 1 it must reach the new point, but its rows add up to "
            f"{_row(method.extension.sum(axis=1))} instead of b; correct it, or leave it out"
        )


def _row(values: FloatArray) -> str:
    return ", ".join(f"{value:.6g}" for value in values)
