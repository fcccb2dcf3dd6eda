"""Standing: springs and dampers hold the joints near the posture in which a run begins.

They act all the time, without samples. As an inverted pendulum a body of mass m, whose mass centre is at the height h,
needs m g h / 2 = 340 N m/rad at each ankle; these have more, as knees and hips give way, too. It does not step: where a
push moves the mass centre beyond the soles, it tips over their edges and falls.
"""

from hybridsim import Parameter, Part, Records

PARAMETERS = Records(
    Parameter("stiffness", 1.0, "", "factor of all springs", lower=0.0),
    Parameter("damping", 1.0, "", "factor of all dampers", lower=0.0),
)
P = PARAMETERS.indices
STIFFNESS = (1500.0, 1500.0, 300.0, 1500.0, 1200.0, 400.0)
DAMPING = (120.0, 120.0, 10.0, 100.0, 80.0, 10.0)
"""In the order of a leg's joints [N m/rad, N m s/rad]: of what a motor gives within its limits."""


def torque(t, x, p, chart, side, joint, away, turning):
    """Return what is asked of a motor [N m]."""
    spring = -p[P.stiffness] * STIFFNESS[joint] * away(t, side, joint)
    return spring - p[P.damping] * DAMPING[joint] * turning(t, side, joint)


STANDING = Part("standing", couplings=(torque,), parameters=PARAMETERS, doc="springs and dampers hold the posture")
