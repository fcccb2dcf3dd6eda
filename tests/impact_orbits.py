"""The impact oscillator without damping: its orbits of one impact in n periods, in closed form."""

import math

import numpy as np

ORBITS = [  # omega, n, e, gap, amplitude; the third is unstable
    (2.2, 1, 0.8, 0.1, 0.6),
    (2.6, 2, 0.5, 0.1, 0.22),
    (2.4, 2, 0.7, 0.1, 0.16),
    (2.6, 1, 0.7, 0.0, 1.0),
    (0.8, 1, 0.5, 0.1, 0.057),
    (2.4, 1, 0.6, -0.2, 0.9),
]
PERIOD_DOUBLINGS = [(0.8, 1, 0.5, 0.1), (2.4, 1, 0.5, 0.1), (2.8, 2, 0.5, 0.1), (2.4, 2, 0.7, 0.1)]  # omega, n, e, gap


class Orbit:
    """The closed form of one impact in n periods: speed and phase of the impact, and the trace of the map."""

    def __init__(self, omega, n, e, gap, amplitude):
        self.duration = 2 * math.pi * n / omega
        k, h = half_stiffness(omega, n, e), (1 - e) / (2 * omega)
        a = amplitude / (1 - omega**2)
        root = np.roots([k**2 + h**2, 2 * gap * k, gap**2 - a**2])
        self.speed = root.real.max()
        self.phase = math.atan2(-h * self.speed / a, (gap + k * self.speed) / a) % (2 * math.pi)
        pull = amplitude * math.cos(self.phase) - gap
        turn = math.sin(self.duration), math.cos(self.duration)
        self.trace = (1 + e) / self.speed * pull * turn[0] - 2 * e * turn[1]
        self.parameters = {"omega": omega, "restitution": e, "gap": gap, "amplitude": amplitude}
        self.after_impact = {"x": gap, "v": -e * self.speed, "phase": self.phase}


def half_stiffness(omega, n, e):
    return (1 + e) / (2 * math.tan(math.pi * n / omega))


def doubling_amplitude(omega, n, e, gap):
    """Where the orbit doubles its period."""
    sine, cosine, k = math.sin(2 * math.pi * n / omega), math.cos(2 * math.pi * n / omega), half_stiffness(omega, n, e)
    speed = omega**2 * gap / ((1 - omega**2) * k + (1 + e**2 - 2 * e * cosine) / ((1 + e) * sine))
    return abs(1 - omega**2) * math.hypot(gap + k * speed, (1 - e) * speed / (2 * omega))
