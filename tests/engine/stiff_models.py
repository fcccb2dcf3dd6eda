"""Stiff models with reference solutions."""

import math

from hybridsim import Model, Parameter, Records, State


def relaxation(xdot, t, x, p, chart):
    """Prothero, Robinson (1974): x follows cos(t) at a rate; started there, it is cos(t) whatever the rate."""
    xdot[0] = -p[0] * (x[0] - math.cos(t)) - math.sin(t)


RELAXATION = Model(
    "relaxation",
    Records(State("x", 1.0)),
    vector_field=relaxation,
    parameters=Records(Parameter("rate", 1e6)),
)


def van_der_pol(xdot, t, x, p, chart):
    """Hairer, Wanner (1996), IV.10, equation 10.2: on the slow time scale."""
    xdot[0] = x[1]
    xdot[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) / 1e-6


VAN_DER_POL = Model("van_der_pol", Records(State("x", 2.0), State("v", -0.66)), vector_field=van_der_pol)


def robertson(xdot, t, x, p, chart):
    """Hairer, Wanner (1996), IV.1, equation 1.4: three reactions whose rates differ by nine powers of ten."""
    xdot[0] = -0.04 * x[0] + 1e4 * x[1] * x[2]
    xdot[2] = 3e7 * x[1] * x[1]
    xdot[1] = -xdot[0] - xdot[2]


ROBERTSON = Model("robertson", Records(State("a", 1.0), State("b"), State("c")), vector_field=robertson)


def hires(xdot, t, x, p, chart):
    """Schaefer (1975), in Hairer, Wanner (1996), IV.10, equation 10.4: how light acts on the growth of a plant."""
    xdot[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007
    xdot[1] = 1.71 * x[0] - 8.75 * x[1]
    xdot[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4]
    xdot[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3]
    xdot[4] = -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6]
    xdot[5] = -280.0 * x[5] * x[7] + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6]
    xdot[6] = 280.0 * x[5] * x[7] - 1.81 * x[6]
    xdot[7] = -280.0 * x[5] * x[7] + 1.81 * x[6]


HIRES = Model(
    "hires",
    Records(State("x1", 1.0), *(State(f"x{k}") for k in range(2, 8)), State("x8", 0.0057)),
    vector_field=hires,
)
