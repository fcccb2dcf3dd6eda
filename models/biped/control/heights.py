"""How high the mass centre shall be: above the ground, and on stairs as the ground goes on."""

import math

from .plan import DOUBLE, SHIFT, SINGLE, STANDING, STOPPING
from .records import P, S
from .references import Reference, quintic, resting


def height_reference(x_new, sample):
    """Return the reference of the mass centre's height: that above the ground, and the ground's."""
    above, ground = height_above_ground(x_new, sample), ground_reference(x_new, sample)
    return Reference(above.value + ground.value, above.rate + ground.rate, above.rate2 + ground.rate2)


def ground_reference(x_new, sample):
    """Return the height of the ground that the mass centre follows: stairs, without their steps.

    It rises from where foot 2 lands on a higher step until the next landing, and sinks to a lower one before it.
    """
    body, gait, phase = sample.body, sample.gait, int(x_new[S.phase])
    elapsed, left = sample.t - x_new[S.phase_start], x_new[S.ground_left]
    ahead = 0.0 if x_new[S.steps_left] == 0.0 and phase == SINGLE else body.ground2 - body.ground1
    if phase == SINGLE:
        up, down, done, begun = body.ground1 - left, ahead, elapsed + gait.double, elapsed
        start = body.ground1 - max(up, 0.0)
    elif phase == DOUBLE:
        up, down, done, begun, start = ahead, ahead, elapsed, elapsed + gait.single, body.ground1
    else:
        return resting(0.5 * (body.ground1 + body.ground2) if phase == STANDING else body.ground1)
    whole, one = gait.single + gait.double, resting(1.0)
    rise, sink = quintic(resting(0.0), one, whole, done), quintic(resting(0.0), one, whole, begun)
    up, down = max(up, 0.0), min(down, 0.0)
    return Reference(
        start + up * rise.value + down * sink.value,
        up * rise.rate + down * sink.rate,
        up * rise.rate2 + down * sink.rate2,
    )


def height_above_ground(x_new, sample):
    """Return the reference of the mass centre's height above level ground: lowest in the middle of double support."""
    p, gait, phase = sample.p, sample.gait, int(x_new[S.phase])
    elapsed = sample.t - x_new[S.phase_start]
    angle, rate = 2.0 * math.pi / (gait.single + gait.double), 0.0
    at_step = math.cos(0.5 * angle * gait.double)
    if phase in (SINGLE, DOUBLE):
        whole = gait.single if phase == SINGLE else gait.double
        rate = angle if elapsed < whole else 0.0
        turned = angle * (min(elapsed, whole) + (0.5 if phase == SINGLE else -0.5) * gait.double)
        bounce = p[P.bounce]
        return Reference(
            p[P.walk_height] - bounce * math.cos(turned),
            bounce * rate * math.sin(turned),
            bounce * rate * rate * math.cos(turned),
        )
    down = resting(p[P.walk_height] - p[P.bounce] * at_step)
    if phase == SHIFT:
        return quintic(resting(p[P.walk_height]), down, p[P.shift_time], elapsed)
    if phase == STOPPING:
        return quintic(down, resting(p[P.walk_height]), p[P.stop_time], elapsed)
    return resting(p[P.walk_height])
