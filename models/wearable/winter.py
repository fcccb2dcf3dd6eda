"""How a leg moves and what its joints do when a human walks: the normative curves of Winter.

D. A. Winter, The biomechanics and motor control of human gait, University of Waterloo Press, 1987 (second edition
1991), natural cadence: means of many adults, every 2 % of a stride from heel contact on. A stride takes 1.14 s, at 1.3
m/s. Angles are positive in flexion [deg]; the moments of force are positive in extension, as printed [N m per kg of the
body].
"""

import numpy as np

CYCLE = 1.1396
"""Duration of a stride [s]."""

HIP_ANGLE = (
    *(19.33, 18.92, 18.45, 17.94, 17.30, 16.40, 15.18, 13.67, 11.97, 10.21, 8.48, 6.74, 4.94, 3.13, 1.42, -0.13, -1.54),
    *(-2.87, -4.12, -5.30, -6.40, -7.43, -8.39, -9.27, -10.02, -10.61, -10.95, -10.91, -10.31, -9.00, -6.95, -4.25),
    *(-1.05, 2.42, 5.93, 9.22, 12.11, 14.55, 16.53, 18.13, 19.45, 20.54, 21.38, 21.84, 21.87, 21.50, 20.84, 20.09),
    *(19.50, 19.18, 19.01),
)
KNEE_ANGLE = (
    *(3.97, 7.00, 10.52, 14.12, 17.38, 19.84, 21.27, 21.67, 21.22, 20.20, 18.86, 17.35, 15.73, 14.08, 12.50, 11.09),
    *(9.91, 8.97, 8.28, 7.86, 7.72, 7.94, 8.60, 9.76, 11.50, 13.86, 16.97, 20.96, 26.00, 32.03, 38.74, 45.60, 52.05),
    *(57.54, 61.66, 64.12, 64.86, 63.95, 61.59, 57.97, 53.27, 47.58, 40.94, 33.46, 25.38, 17.27, 9.94, 4.31, 1.12),
    *(0.54, 2.21),
)
HIP_MOMENT = (
    *(0.249, 0.600, 0.556, 0.416, 0.359, 0.305, 0.245, 0.159, 0.084, 0.000, -0.064, -0.092, -0.099, -0.092, -0.085),
    *(-0.088, -0.100, -0.130, -0.168, -0.199, -0.231, -0.269, -0.312, -0.364, -0.401, -0.404, -0.356, -0.262, -0.251),
    *(-0.310, -0.344, -0.295, -0.228, -0.169, -0.126, -0.089, -0.069, -0.057, -0.044, -0.026, -0.009, 0.008, 0.029),
    *(0.060, 0.106, 0.170, 0.242, 0.296, 0.301, 0.237, 0.118),
)
KNEE_MOMENT = (
    *(-0.196, -0.281, -0.090, 0.173, 0.362, 0.508, 0.593, 0.615, 0.556, 0.469, 0.362, 0.244, 0.141, 0.052, -0.019),
    *(-0.070, -0.114, -0.149, -0.181, -0.217, -0.247, -0.269, -0.270, -0.237, -0.171, -0.087, -0.004, 0.054, 0.116),
    *(0.157, 0.156, 0.114, 0.080, 0.066, 0.064, 0.053, 0.037, 0.020, 0.004, -0.009, -0.023, -0.040, -0.059, -0.082),
    *(-0.114, -0.158, -0.211, -0.253, -0.263, -0.224, -0.147),
)

HARMONICS = 10
"""Of a stride, with which a curve is written."""


def harmonics_of(samples):
    """Return a periodic curve as the numbers that the model takes: the mean, then cosine and sine of each harmonic.

    Parameters
    ----------
    samples : (n,) array
        The curve at n instants of a stride, evenly from its beginning to its end; the last is one stride after the
        first, and the two are averaged.

    Returns
    -------
    (2 HARMONICS + 1,) array
        The numbers, in the unit of the samples.
    """
    curve = np.array(samples, float)
    curve[0] = 0.5 * (curve[0] + curve[-1])
    terms = np.fft.rfft(curve[:-1])[: HARMONICS + 1] / (len(curve) - 1)
    pairs = 2.0 * np.stack([terms.real, -terms.imag], axis=-1).ravel()
    return np.array([terms[0].real, *pairs[2:]])
