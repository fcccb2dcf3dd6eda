"""The method of Tsitouras, order 5(4)."""

from __future__ import annotations

from functools import cache

from hybridsim.engine.methods.tableau import THETA, Tableau, power_coefficients

TABLEAU_ROWS = [
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
]
"""Rows of the tableau up to the last entry that is not zero, and the weights of the new point."""


@cache
def tsit5() -> Tableau:
    """The method of Tsitouras with his continuous extension of degree 4.

    Tsitouras: Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying assumption, Comput. Math.
    Appl. 62 (2011), table 1 and equation 5.

    Returns
    -------
    Tableau
        Six stages; the slope at the new point is the first stage of the next step.
    """
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
        "tsit5",
        a=TABLEAU_ROWS[:6],
        b=TABLEAU_ROWS[6],
        c=[0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0],
        e=[
            *(-0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629),
            *(0.5823571654525552, -0.45808210592918697, 0.015151515151515152),
        ],
        extension=power_coefficients(quartics, 4),
        order=5,
    )
