"""Where the foot lands that is to catch a biped (see `recovery`): where its divergent component will be."""

import math

from .plan import DOUBLE, SINGLE, Place
from .records import FORWARD, SHORT, P, S
from .references import clip

NARROWEST, LONGEST = 0.12, 0.75
"""Of a step: least distance from foot line to foot line; largest one along [m]."""
FULL_STEP_BACK = 0.2
"""A step that goes so far back has its toe at the divergent component; one to a side has its sole under it [m]."""
LONG = 0.25
"""A step forward that is longer than this lands on its heel, and one beside it follows [m]."""


def divergent_component(sample):
    """Return the divergent component of motion in the biped's own frame [m]."""
    place, velocity, rate = sample.centre.place, sample.centre.velocity, sample.gait.rate
    return Place(place.x + velocity.x / rate, place.y + velocity.y / rate)


def catches(x_new):
    """Return whether a step is made, or has just landed on its heel, that is to catch the biped."""
    steps = x_new[S.recovers] == FORWARD or x_new[S.recovers] == SHORT
    return steps and (x_new[S.phase] == SINGLE or x_new[S.phase] == DOUBLE)


def caught_at(x_new, sample, toe, load, left):
    """Return where the toe of the foot in the air shall land, in the biped's own frame [m], and decide how.

    Parameters
    ----------
    x_new : array
        The controller's states; receives that a long step forward is not the last one.
    sample : Sample
        What the controller knows.
    toe : Vector
        Toe 1.
    load : Load
        The centre of pressure until then.
    left : float
        Time until the landing [s].
    """
    xi, growth = divergent_component(sample), math.exp(sample.gait.rate * left)
    x, y = load.x + growth * (xi.x - load.x), load.y + growth * (xi.y - load.y)
    if x_new[S.recovers] == FORWARD:
        x += sample.p[P.forward_lead]
        if left > 0.5 * sample.gait.single:
            x_new[S.steps_left] = 1.0 if x > toe.x + LONG else 0.0
    else:
        back = clip((toe.x + sample.gait.rest - x) / FULL_STEP_BACK, 0.0, 1.0)
        x, y = x - (1.0 - back) * sample.gait.rest, y + sample.p[P.side_lead] * (1.0 - back)
    return Place(clip(x, toe.x - LONGEST, toe.x + LONGEST), clip(y, toe.y + NARROWEST, toe.y + LONGEST))
