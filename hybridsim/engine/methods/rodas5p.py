"""The Rosenbrock method of Steinebach, order 5(4), for stiff models."""

from __future__ import annotations

from functools import cache

import numpy as np

from hybridsim.engine.methods.tableau import THETA, Tableau, power_coefficients
from hybridsim.typing import FloatArray

STAGES = 8
"""Stages as the source counts them: linear equations to solve in a step."""


def argument_rows() -> list[list[float]]:
    """Weights of the increments in the argument of each stage, and in the new point.

    Each of the last three is the argument before it and the increment found there: the method is stiffly accurate.
    """
    rows = [
        [],
        [3.0],
        [2.849394379747939, 0.45842242204463923],
        [-6.954028509809101, 2.489845061869568, -10.358996098473584],
        [2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641],
        [-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946],
    ]
    while len(rows) <= STAGES:
        rows.append([*rows[-1], 1.0])
    return rows


COUPLING: list[list[float]] = [
    [],
    [-14.155112264123755],
    [-17.97296035885952, -2.859693295451294],
    [147.12150275711716, -1.41221402718213, 71.68940251302358],
    [165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306],
    [24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471],
    [
        *(30.91273214028599, -3.1208243349937974, 77.79954646070892),
        *(34.28646028294783, -19.097331116725623, -28.087943162872662),
    ],
    [
        *(37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047),
        *(-40.06618937091002, -54.66780262877968, -9.48861652309627),
    ],
]

INTERIOR = [
    [
        *(25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204),
        *(0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493),
    ],
    [
        *(-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796),
        *(20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372),
    ],
    [
        *(11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643),
        *(-52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722),
    ],
]
"""Weights of theta (1 - theta), theta^2 (1 - theta) and theta^3 (1 - theta) in the extension."""


@cache
def rodas5p() -> Tableau:
    """The stiffly accurate method Rodas5P, L-stable, with a continuous extension of degree 4.

    Steinebach: Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks within the Julia Differential
    Equations package, BIT Numer. Math. 63 (2023), 27. The increments are those of the form without matrix-vector
    products: Hairer, Wanner: Solving ODEs II (1996), IV.7, equation 7.25.

    Returns
    -------
    Tableau
        Row 0 is the slope at the start, rows 1 to 8 are the increments, row 9 is the slope at the new point.
    """
    rows, size = argument_rows(), STAGES + 2
    a = of_increments(rows, size)
    return Tableau(
        "rodas5p",
        a=a[:-1],
        b=a[-1, :-1],
        c=[0, 0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1],
        e=np.eye(size)[STAGES],  # the last increment: the new point less the argument where it was found
        extension=power_coefficients(
            [
                0.0 * THETA,
                *(
                    weight * THETA + THETA * (1 - THETA) * (first + THETA * second + THETA**2 * third)
                    for weight, first, second, third in zip(rows[STAGES], *INTERIOR, strict=True)
                ),
            ],
            4,
        ),
        order=5,
        gamma=0.21193756319429014,
        coupling=of_increments(COUPLING, size),
        time_weights=[
            *(0, 0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734),
            *(2.325825639765069, 0, 0, 0, 0),
        ],
    )


def of_increments(rows: list[list[float]], size: int) -> FloatArray:
    """Make a square matrix of rows about the increments: row and column i belong to increment i + 1."""
    matrix = np.zeros((size, size))
    for i, row in enumerate(rows):
        matrix[i + 1, 1 : len(row) + 1] = row
    return matrix
