"""Joint angles of walking humans at their natural cadence, and the curves through four points that are nearest to them.

D. A. Winter, The biomechanics and motor control of human gait, Waterloo 1987 and 1991: means of normal subjects.
"""

from math import radians

# fmt: off
ANGLES = {
    "hip": (
        19.33, 18.92, 18.45, 17.94, 17.3, 16.4, 15.18, 13.67, 11.97, 10.21, 8.48, 6.74, 4.94, 3.13,
        1.42, -0.13, -1.54, -2.87, -4.12, -5.3, -6.4, -7.43, -8.39, -9.27, -10.02, -10.61, -10.95,
        -10.91, -10.31, -9.0, -6.95, -4.25, -1.05, 2.42, 5.93, 9.22, 12.11, 14.55, 16.53, 18.13,
        19.45, 20.54, 21.38, 21.84, 21.87, 21.5, 20.84, 20.09, 19.5, 19.18, 19.01,
    ),
    "knee": (
        3.97, 7.0, 10.52, 14.12, 17.38, 19.84, 21.27, 21.67, 21.22, 20.2, 18.86, 17.35, 15.73,
        14.08, 12.5, 11.09, 9.91, 8.97, 8.28, 7.86, 7.72, 7.94, 8.6, 9.76, 11.5, 13.86, 16.97,
        20.96, 26.0, 32.03, 38.74, 45.6, 52.05, 57.54, 61.66, 64.12, 64.86, 63.95, 61.59, 57.97,
        53.27, 47.58, 40.94, 33.46, 25.38, 17.27, 9.94, 4.31, 1.12, 0.54, 2.21,
    ),
    "ankle": (
        0.02, -2.06, -3.88, -4.6, -3.98, -2.4, -0.45, 1.45, 3.04, 4.27, 5.13, 5.71, 6.1, 6.43, 6.76,
        7.12, 7.54, 7.99, 8.44, 8.86, 9.23, 9.51, 9.62, 9.43, 8.7, 7.2, 4.69, 1.15, -3.26, -8.17,
        -13.05, -17.13, -19.52, -19.77, -18.12, -15.29, -12.04, -8.85, -5.96, -3.51, -1.64, -0.5,
        -0.07, -0.16, -0.42, -0.52, -0.26, 0.36, 1.0, 1.2, 0.58,
    ),
}
# fmt: on
"""Flexion of hip and knee and dorsiflexion of the ankle [deg] at 0, 2 ... 100 % of the stride, from heel strike on."""

PLACES = {
    "hip": (0.1064, 0.3161, 0.5312, 0.8255),
    "knee": (0.1097, 0.4425, 0.7336, 0.9793),
    "ankle": (0.0148, 0.4668, 0.6551, 0.8218),
}
VALUES = {
    "hip": (15.69, -1.23, -10.95, 21.04),
    "knee": (20.88, 6.97, 65.28, 1.29),
    "ankle": (-1.12, 10.36, -19.20, -0.03),
}
"""Points of the nearest curves of `curve_at`: phases, and angles [deg]."""

SHARES = {
    joint: tuple(round(end - begin, 4) for begin, end in zip((0.0, *at), (*at, 1.0), strict=True))
    for joint, at in PLACES.items()
}
FIT = {joint: (SHARES[joint], tuple(round(radians(each), 4) for each in VALUES[joint])) for joint in PLACES}
"""Shares of the cycle and angles [rad] of these curves, as parameters have them."""
