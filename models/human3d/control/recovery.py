"""Steps that catch a person who stands and is pushed too hard (parameter `recovery: step`).

While the extrapolated mass centre (A. L. Hof, M. G. J. Gazendam and W. E. Sinke, "The condition for dynamic stability",
J. Biomechanics 38(1), 1-8, 2005) is inside the soles, the centre of pressure can bring it back. Once it is outside, a
foot goes to where it will be; if it is then outside again, so is the next step.
"""

import math

from hybridsim_models.biped.control.plan import HOLD, STANDING, STOPPING

from .goals import extrapolated, print_of, share_load
from .records import STEP, P, S

SETTLING, FLAT = 0.08, 3
"""After a landing no other step begins for so long [s], nor from a foot with fewer corners down."""
APART = 0.05
"""How far feet are apart along x for this to choose the foot that steps [m]."""


def must_step(x_new, sample):
    """Return the foot that is to stand while the other one steps, 0 left, 1 right; or -1: no step is needed."""
    phase = int(x_new[S.phase])
    if sample.p[P.recovery] != STEP or phase not in (HOLD, STOPPING, STANDING) or x_new[S.steps_left] > 0.0:
        return -1
    xi = extrapolated(sample)
    nearest = share_load(x_new, sample, xi)
    out_x, out_y = xi.x - nearest.x, xi.y - nearest.y
    if math.sqrt(out_x**2 + out_y**2) <= sample.p[P.tolerated]:
        return -1
    stands = standing_foot(sample, xi, out_x, out_y)
    down = sample.left if stands == 0 else sample.right
    early = phase == STOPPING and sample.t - x_new[S.phase_start] < SETTLING
    return -1 if down < FLAT or early else stands


def standing_foot(sample, xi, out_x, out_y):
    """Return the foot that stands: to a side the inner one, along the foremost one, or the more loaded one."""
    left, right = print_of(sample, 0), print_of(sample, 1)
    if abs(out_y) > abs(out_x):
        return 1 if out_y > 0.0 else 0
    lead = left.x - right.x
    if abs(lead) > APART:
        return 0 if (lead > 0.0) == (out_x > 0.0) else 1
    return 0 if xi.y > 0.5 * (left.y + right.y) else 1
