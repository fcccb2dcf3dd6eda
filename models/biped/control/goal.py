"""What a sample aims at, for the law that finds the torques."""

from typing import NamedTuple

from .references import Reference


class Goal(NamedTuple):
    """What the law shall do, in the biped's own frame.

    Attributes
    ----------
    cop_x, cop_y : float
        Centre of pressure [m].
    share : float
        Part of the load that foot 2 bears.
    flat1, flat2 : bool
        Whether the soles bear moments about y.
    toe_ahead : float
        Of the heel, in a foot [m].
    height : Reference
        Of the mass centre [m].
    centre_z : float
        Where the mass centre is [m].
    pitch1, pitch2 : Reference
        Of the feet [rad], as far as they are not flat on the ground.
    ankle_x, ankle_y, ankle_z : Reference
        Of the ankle of foot 2 in the air [m].
    trunk_turn, foot2_turn : float
        Yaw accelerations [rad/s^2].
    least_knee : float
        Least flexion of knees [rad].
    """

    cop_x: float
    cop_y: float
    share: float
    flat1: bool
    flat2: bool
    toe_ahead: float
    height: Reference
    centre_z: float
    pitch1: Reference
    pitch2: Reference
    ankle_x: Reference
    ankle_y: Reference
    ankle_z: Reference
    trunk_turn: float
    foot2_turn: float
    least_knee: float = 0.17
