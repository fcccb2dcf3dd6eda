"""Extra outputs of the biped for searches: how far its legs are from those of people who walk as fast as it is to.

At each instant of steady steps each leg is at a place of its gait cycle, from where its heel has landed; there its hip,
knee and ankle are so many standard deviations from the mean of people (hybridsim_models.biped.people). The mean over
time of these squares, of both legs, is what the root mean square over the gait cycle is the root of. The relative speed
at which people are looked up is that of the plan.
"""

import math

import numpy as np

from hybridsim import load_model
from hybridsim_models.biped import people
from hybridsim_models.biped.anthropometry import HIP_HEIGHT
from hybridsim_models.biped.control.plan import DOUBLE, SINGLE

_MODEL = load_model("biped")
_S = _MODEL.states.indices
_SINGLE_TIME, _DOUBLE_TIME, _STEP_LENGTH, _G, _STATURE = (
    _MODEL.p_indices[name] for name in ("single_time", "double_time", "step_length", "g", "stature")
)
_HIP, _KNEE, _ANKLE = range(3)
_SPEEDS = np.array([group.speed[0] for group in people.GROUPS.values()])
_CURVES = np.array([[people.angles(speed)[joint] for joint in people.JOINTS] for speed in _SPEEDS])
"""By speed, joint, mean and standard deviation, and place in the cycle [deg]."""
_LAST, _LAST_PAIR = len(people.CYCLE) - 1, len(_SPEEDS) - 2


def hip_miss(t, x, p, chart):
    """Return the mean square of both hips' deviations."""
    return _both(t, x, p, _HIP, x[_S.hip1_y], -x[_S.hip2_y])


def knee_miss(t, x, p, chart):
    """Return that of both knees."""
    return _both(t, x, p, _KNEE, -x[_S.knee1], x[_S.knee2])


def ankle_miss(t, x, p, chart):
    """Return that of both ankles."""
    return _both(t, x, p, _ANKLE, x[_S.ankle1_y], -x[_S.ankle2_y])


def _both(t, x, p, joint, angle1, angle2):
    """Return the mean square of the deviations of two angles [rad]; 0 before the first step and after the last one.

    In double support the heel of foot 2 is the one that has landed last, and in single support, when the feet have
    exchanged their names, that of foot 1; the other heel has landed half a cycle before it.
    """
    elapsed, phase = t - x[_S.phase_start], x[_S.phase]
    if phase not in (SINGLE, DOUBLE):
        return 0.0
    cycle = 2.0 * (p[_SINGLE_TIME] + p[_DOUBLE_TIME])
    speed = 2.0 * p[_STEP_LENGTH] / cycle / math.sqrt(p[_G] * HIP_HEIGHT * p[_STATURE])
    if phase == DOUBLE:
        first, second, since = angle2, angle1, elapsed / cycle
    else:
        first, second, since = angle1, angle2, (elapsed + p[_DOUBLE_TIME]) / cycle
    return 0.5 * (_square(joint, speed, since, first) + _square(joint, speed, since + 0.5, second))


def _square(joint, speed, since, angle):
    """Return the square of the deviation of an angle, at a part of the gait cycle."""
    place = since % 1.0 * _LAST
    point = min(int(place), _LAST - 1)
    group = 0
    while group < _LAST_PAIR and speed > _SPEEDS[group + 1]:
        group += 1
    weight = min(max((speed - _SPEEDS[group]) / (_SPEEDS[group + 1] - _SPEEDS[group]), 0.0), 1.0)
    low, high = _CURVES[group, joint], _CURVES[group + 1, joint]
    mean = _at(low[0], high[0], weight, point, place - point)
    return ((math.degrees(angle) - mean) / _at(low[1], high[1], weight, point, place - point)) ** 2


def _at(low, high, weight, point, part):
    """Return what lies between the curves of two groups, and between two of their points."""
    here = (1.0 - weight) * low[point] + weight * high[point]
    there = (1.0 - weight) * low[point + 1] + weight * high[point + 1]
    return here + part * (there - here)
