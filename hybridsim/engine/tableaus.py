"""Runge-Kutta methods as data: Butcher tableaus, error weights, continuous extensions.

A method is never code: `runge_kutta.py` knows one loop, and every method is a row of this page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from hybridsim.engine import dop853

Array = NDArray[np.float64]

THETA = Polynomial([0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Tableau:
    """An explicit Runge-Kutta method with S stages and a continuous extension of degree m.

    Attributes
    ----------
    a : (R, R), c : (R,). Rows 1 .. S-1 make the stages; row S makes the new point, and its slope is the first
        stage of the next step; the rows after it are further stages that only the extension uses.
    e : (S + 1,) error weights; e_third : (S + 1,) DOP853's second estimate, zeros elsewhere.
    extension : (R, m), x(t + theta h) = x + h sum_j sum_d extension[j, d] theta^(d+1) k_j.
    error_order : order of the error estimate's solution; the step follows err^(-1 / (error_order + 1)).
    order : order of the method.
    adaptive : False for a fixed step.
    """

    name: str
    a: Array
    c: Array
    e: Array
    e_third: Array
    extension: Array
    stages: int
    order: int
    error_order: int
    adaptive: bool = True


def _matrix(size: int, rows: dict[int, dict[int, float]] | list[list[float]]) -> Array:
    """A square matrix from its nonzero entries, or from rows that stop at the last nonzero entry."""
    a = np.zeros((size, size))
    items = rows.items() if isinstance(rows, dict) else enumerate(rows)
    for i, row in items:
        for j, value in row.items() if isinstance(row, dict) else enumerate(row):
            a[i, j] = value
    return a


def _hermite(b: Array) -> Array:
    """The cubic Hermite extension through both ends and their slopes, as weights of the stages: (S + 1, 3).

    x + theta^2 (3 - 2 theta) (x_new - x) + h theta (1 - theta)^2 k_0 - h theta^2 (1 - theta) k_S.
    """
    weights = np.zeros((len(b) + 1, 3))
    weights[:-1, 1], weights[:-1, 2] = 3.0 * b, -2.0 * b
    weights[0] += [1.0, -2.0, 1.0]
    weights[-1] += [0.0, -1.0, 1.0]
    return weights


def _powers(polynomials: list[Polynomial], degree: int) -> Array:
    """Coefficients of theta^1 .. theta^degree of each polynomial (none has a constant term)."""
    weights = np.zeros((len(polynomials), degree))
    for j, polynomial in enumerate(polynomials):
        coefficients = polynomial.coef[1:]
        weights[j, : len(coefficients)] = coefficients
    return weights


def _rk4_rows(last: float = 1.0) -> list[list[float]]:
    return [[], [last / 2], [0.0, last / 2], [0.0, 0.0, last], [last / 6, last / 3, last / 3, last / 6]]


@cache
def rk4() -> Tableau:
    """The classic method (Kutta, 1901) with a fixed step and a Hermite extension."""
    a = _matrix(5, _rk4_rows())
    return Tableau(
        name="rk4",
        a=a,
        c=a.sum(axis=1),
        e=np.zeros(5),
        e_third=np.zeros(5),
        extension=_hermite(a[4, :4]),
        stages=4,
        order=4,
        error_order=3,
        adaptive=False,
    )


@cache
def rk4_adaptive() -> Tableau:
    """Two half steps of the classic method, judged by one whole step (step doubling), as one 11-stage tableau.

    Stages 0-3 make the whole step, 0 and 4-6 the first half, 7-10 the second. The error is (x_2 - x_1) / 15
    (Richardson); the solution is x_2, not extrapolated.
    """
    half = np.array([1.0, 2.0, 2.0, 1.0]) / 12.0
    a = np.zeros((12, 12))
    for i, row in enumerate(_rk4_rows()[:4]):
        a[i, : len(row)] = row
    first, second = [0, 4, 5, 6], [7, 8, 9, 10]
    a[4, 0], a[5, 4], a[6, 5] = 0.25, 0.25, 0.5
    a[7:, first] = half
    a[8, 7], a[9, 8], a[10, 9] = 0.25, 0.25, 0.5
    a[11, second] = half
    whole = np.zeros(12)
    whole[:4] = [1 / 6, 1 / 3, 1 / 3, 1 / 6]
    return Tableau(
        name="rk4_adaptive",
        a=a,
        c=a.sum(axis=1),
        e=(a[11] - whole) / 15.0,
        e_third=np.zeros(12),
        extension=_hermite(a[11, :11]),
        stages=11,
        order=4,
        error_order=3,
    )


@cache
def dp5() -> Tableau:
    """Dormand and Prince 5(4) (1980), with Shampine's (1986) extension of degree 4."""
    a = _matrix(
        7,
        [
            [],
            [1 / 5],
            [3 / 40, 9 / 40],
            [44 / 45, -56 / 15, 32 / 9],
            [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
            [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
            [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
        ],
    )
    extension = np.array(
        [
            [1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
            [0, 0, 0, 0],
            [0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
            [0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
            [0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
            [0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
            [0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
        ]
    )
    return Tableau(
        name="dp5",
        a=a,
        c=np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]),
        e=np.array([-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40]),
        e_third=np.zeros(7),
        extension=extension,
        stages=6,
        order=5,
        error_order=4,
    )


@cache
def tsit5() -> Tableau:
    """Tsitouras 5(4) (2011, Table 1), with his extension of degree 4 (his equation 5)."""
    a = _matrix(
        7,
        [
            [],
            [0.161],
            [-0.008480655492356989, 0.335480655492357],
            [2.8971530571054935, -6.359448489975075, 4.3622954328695815],
            [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525],
            [5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383],
            [
                *(0.09646076681806523, 0.01, 0.4798896504144996),
                *(1.379008574103742, -3.290069515436081, 2.324710524099774),
            ],
        ],
    )
    s = THETA
    quartics = [
        -1.0530884977290216 * s * (s - 1.3299890189751412) * (s**2 - 1.4364028541716351 * s + 0.7139816917074209),
        0.1017 * s**2 * (s**2 - 2.1966568338249754 * s + 1.2949852507374631),
        2.490627285651252793 * s**2 * (s**2 - 2.38535645472061657 * s + 1.57803468208092486),
        -16.54810288924490272 * (s - 1.21712927295533244) * (s - 0.61620406037800089) * s**2,
        47.37952196281928122 * (s - 1.203071208372362603) * (s - 0.658047292653547382) * s**2,
        -34.87065786149660974 * (s - 1.2) * (s - 2.0 / 3.0) * s**2,
        2.5 * (s - 1.0) * (s - 0.6) * s**2,
    ]
    return Tableau(
        name="tsit5",
        a=a,
        c=np.array([0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0]),
        e=np.array(
            [
                *(-0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629),
                *(0.5823571654525552, -0.45808210592918697, 0.015151515151515152),
            ]
        ),
        e_third=np.zeros(7),
        extension=_powers(quartics, 4),
        stages=6,
        order=5,
        error_order=4,
    )


@cache
def dop853_tableau() -> Tableau:
    """Dormand and Prince 8(5,3) (Hairer, Norsett, Wanner 1993, II.5), with its extension of degree 7 (II.6).

    There the extension is x + theta (F0 + (1 - theta) (F1 + theta (F2 + (1 - theta) (F3 + ...)))); here the same
    polynomial in powers of theta.
    """
    stages, size = 12, 16
    a = _matrix(size, dop853.A)
    unit, b = np.eye(size), a[stages]
    nested = [b, unit[0] - b, 2.0 * b - unit[stages] - unit[0], *_matrix(size, dop853.D)[:4]]
    extension = []
    for j in range(size):
        polynomial = Polynomial([0.0])
        for place, row in reversed(list(enumerate(nested))):
            polynomial = (polynomial + row[j]) * (THETA if place % 2 == 0 else 1.0 - THETA)
        extension.append(polynomial)
    return Tableau(
        name="dop853",
        a=a,
        c=np.array(dop853.C),
        e=np.array([dop853.E5.get(j, 0.0) for j in range(stages + 1)]),
        e_third=np.array([dop853.E3.get(j, 0.0) for j in range(stages + 1)]),
        extension=_powers(extension, 7),
        stages=stages,
        order=8,
        error_order=7,
    )


METHODS = {"dp5": dp5, "dop853": dop853_tableau, "tsit5": tsit5, "rk4": rk4, "rk4_adaptive": rk4_adaptive}
