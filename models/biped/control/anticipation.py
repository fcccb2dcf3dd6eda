"""Switching before impact: torques of double support while foot 2 is still about to land (parameter `anticipation`)."""

from hybridsim.multibody import point_of, velocity_of
from hybridsim_models.biped.body import F, heel2, toe2
from hybridsim_models.biped.records import (
    HEEL,
    HOLDS,
    TOE,
    Feet,
    Foot,
    chart_of,
    foot1_of,
    foot2_of,
    is_turned,
    mode_of,
    on_ground,
)

from .plan import SINGLE
from .records import P, S


def expect_stance(x_new, sample):
    """Return the stance for which torques are found: foot 2 is on the ground if it is about to reach it.

    Its lowest point, heel or toe, is then on its way down and not further from the ground than the way that it makes in
    the time `anticipation`. The heel of foot 1 counts as risen, unless this is the last step.
    """
    stance, h, gait = sample.body.stance, sample.body.stature, sample.gait
    late = sample.t - x_new[S.phase_start] > sample.p[P.apex_part] * gait.single
    if on_ground(foot2_of(stance)) or not on_ground(foot1_of(stance)) or x_new[S.phase] != SINGLE or not late:
        return stance
    heel, toe = point_of(sample.motion, F.foot2, heel2(h)), point_of(sample.motion, F.foot2, toe2(h))
    lowest, contact = (heel2(h), HEEL) if heel.z < toe.z else (toe2(h), TOE)
    way = -velocity_of(sample.motion, F.foot2, lowest).z * sample.p[P.anticipation]
    if max(min(heel.z, toe.z) - sample.body.ground2, 0.0) >= way:
        return stance
    foot1 = TOE if x_new[S.steps_left] > 0.0 else foot1_of(stance)
    feet = Feet(mode_of(stance), Foot(foot1, 0, HOLDS), Foot(contact, 0, HOLDS), is_turned(stance))
    return chart_of(feet, 0)
