"""Steps that catch a biped which stands and is pushed too hard (parameter `recovery: step`).

While the divergent component xi (the extrapolated mass centre of A. L. Hof, M. G. J. Gazendam and W. E. Sinke, "The
condition for dynamic stability", J. Biomechanics 38(1), 1-8, 2005) is inside the soles, the centre of pressure can
bring it back. Once it is outside, it runs away: xi(T) = p + (xi - p) exp(w0 T) after a time T, with p as near as the
sole of the standing foot allows. There the toe of the other foot lands. A long step forward lands on its heel, and
one beside it follows; short ones, and those back or to a side, land flat. If xi is then outside the soles again, so is
the next step.
"""

import math

from hybridsim.multibody import point_of
from hybridsim_models.biped.body import F, toe1, toe2
from hybridsim_models.biped.records import FLAT, foot1_of, foot2_of
from hybridsim_models.biped.transitions import EXCHANGE, NO_COMMAND, RELEASE

from .footholds import divergent_component
from .goals import share_load
from .plan import HOLD, STANDING, STOPPING, Place
from .records import BESIDE, FORWARD, SHORT, P, S

TOLERATED = 0.004
"""How far outside the soles the divergent component may be [m]."""
APART, CENTRED = 0.05, 1e-3
"""How far feet are apart along x, or xi is from the middle across, for this to choose the foot that steps [m]."""


def catch(x_new, sample):
    """Begin a step if the divergent component is outside the soles of a biped that stands; return the order for it."""
    stance, phase = sample.body.stance, int(x_new[S.phase])
    both_flat = foot1_of(stance) == FLAT and foot2_of(stance) == FLAT
    waiting = x_new[S.steps_left] == 0.0 and phase in (HOLD, STOPPING, STANDING)
    if not both_flat or not waiting or sample.hinged:
        return NO_COMMAND
    excess = outside(x_new, sample)
    if math.sqrt(excess.x**2 + excess.y**2) <= TOLERATED:
        return NO_COMMAND
    ahead = excess.x > abs(excess.y)
    x_new[S.recovers] = FORWARD if ahead else SHORT
    x_new[S.steps_left] = 2.0 if ahead else 1.0  # the step itself counts, too
    return EXCHANGE if foot1_steps(sample, excess) else RELEASE


def outside(x_new, sample):
    """Return how far the divergent component is from the nearest centre of pressure that the soles can give [m]."""
    xi = divergent_component(sample)
    nearest = share_load(x_new, sample, sample.body.stance, xi)
    return Place(xi.x - nearest.x, xi.y - nearest.y)


def foot1_steps(sample, excess):
    """Return whether foot 1 makes the step: to a side the outer foot, along the further one, or the less loaded one."""
    h = sample.body.stature
    one, two = point_of(sample.motion, F.foot1, toe1(h)), point_of(sample.motion, F.foot2, toe2(h))
    if abs(excess.y) > abs(excess.x):
        return excess.y < 0.0
    lead = two.x - one.x
    if abs(lead) > APART:
        return (lead > 0.0) == (excess.x > 0.0)
    return divergent_component(sample).y > 0.5 * (one.y + two.y) - CENTRED


def count_recovery(x_new, sample):
    """Count a step of a recovery that begins: one beside it follows a step forward, or another one forward."""
    first, forward = x_new[S.steps_left] == 2.0, x_new[S.recovers] == FORWARD
    again = forward and (first or outside(x_new, sample).x > sample.p[P.margin])
    x_new[S.steps_left] = 1.0 if again else 0.0
    if forward and not again:
        x_new[S.recovers] = BESIDE
