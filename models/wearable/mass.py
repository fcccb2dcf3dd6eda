"""What the robot weighs: bars of aluminium between the joints of each link, actuators, and joints without one.

A joint belongs to its body with the larger number. Links of three joints have three bars.
"""

from .linkage import actuator_of, distance_of, on_link
from .records import P
from .topologies import N_BODIES, N_JOINTS, N_LINKS


def is_actuated(p, joint):
    """Return whether a joint has an actuator."""
    return joint == actuator_of(p, 0) or joint == actuator_of(p, 1)


def joint_mass(p, joint):
    """Return the mass of a joint [kg]."""
    return p[P.actuator_mass] if is_actuated(p, joint) else p[P.joint_mass]


def write_bars(found, places, p):
    """Write the longest bar, the shortest [m], the mass of the robot of a leg [kg], and mass times height [kg m]."""
    longest, shortest, mass, moment = 0.0, 1e9, 0.0, 0.0
    for joint in range(N_JOINTS):
        mass += joint_mass(p, joint)
        moment += joint_mass(p, joint) * places[2 * joint + 1]
    for link in range(N_BODIES, N_BODIES + N_LINKS):
        for one in range(N_JOINTS):
            for other in range(one):
                if on_link(p, one, link) and on_link(p, other, link):
                    length = distance_of(places, one, other)
                    longest, shortest = max(longest, length), min(shortest, length)
                    mass += p[P.bar_mass] * length
                    moment += 0.5 * p[P.bar_mass] * length * (places[2 * one + 1] + places[2 * other + 1])
    found[0], found[1], found[2], found[3] = longest, shortest, mass, moment
