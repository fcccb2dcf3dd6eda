"""Rigid bodies and joints: Kane's equations of any tree, constraints, impacts, and reactions.

A `Mechanism` is described once. Its methods compute from Python; the functions below compute in the functions of a
plug-in, compiled with them, and on dual numbers when derivatives are asked for.
"""

from hybridsim.multibody.constants import set_body, set_constants, set_place
from hybridsim.multibody.description import EARTH
from hybridsim.multibody.dynamics import (
    add_force,
    add_masses,
    angular_momentum,
    body_angular_momentum,
    centre_of_mass,
    centre_of_mass_jacobian,
    inertia_forces,
    kinetic_energy,
    mass_matrix,
    momentum,
    potential_energy,
)
from hybridsim.multibody.equal_bodies import AddedMass, EqualBodies, PlanarBody, equalize
from hybridsim.multibody.external import external_wrench
from hybridsim.multibody.forward import forward_dynamics
from hybridsim.multibody.held import solve_held
from hybridsim.multibody.joint_forces import add_joint_forces, lower_margin, spring_energy, upper_margin
from hybridsim.multibody.joints import Body, Compound, Fixed, Free, Joint, Planar, Prismatic, Revolute, Spherical
from hybridsim.multibody.linear import solve_linear
from hybridsim.multibody.mechanism import ConstrainedMotion, Mechanism
from hybridsim.multibody.motion import (
    arm_of,
    coordinate_rates,
    kinematics,
    point_of,
    rotation_of,
    spin_of,
    velocity_of,
)
from hybridsim.multibody.reduced import Partition, complete_speeds, impact, solve_constrained
from hybridsim.multibody.robot_files import load_mechanism
from hybridsim.multibody.rows import (
    Contact,
    Point,
    Wheel,
    Wrench,
    add_wrench,
    bounce_row,
    clear_row,
    contact_of,
    direction_row,
    distance_row,
    joining_rows,
    lock_row,
    point_rows,
    rolling_arm,
    rolling_row,
    rolling_rows,
    spin_row,
    velocity_rows,
)
from hybridsim.multibody.vectors import Rotation, Vector

__all__ = [
    "EARTH",
    "AddedMass",
    "Body",
    "Compound",
    "ConstrainedMotion",
    "Contact",
    "EqualBodies",
    "Fixed",
    "Free",
    "Joint",
    "Mechanism",
    "Partition",
    "Planar",
    "PlanarBody",
    "Point",
    "Prismatic",
    "Revolute",
    "Rotation",
    "Spherical",
    "Vector",
    "Wheel",
    "Wrench",
    "add_force",
    "add_joint_forces",
    "add_masses",
    "add_wrench",
    "angular_momentum",
    "arm_of",
    "body_angular_momentum",
    "bounce_row",
    "centre_of_mass",
    "centre_of_mass_jacobian",
    "clear_row",
    "complete_speeds",
    "contact_of",
    "coordinate_rates",
    "direction_row",
    "distance_row",
    "equalize",
    "external_wrench",
    "forward_dynamics",
    "impact",
    "inertia_forces",
    "joining_rows",
    "kinematics",
    "kinetic_energy",
    "load_mechanism",
    "lock_row",
    "lower_margin",
    "mass_matrix",
    "momentum",
    "point_of",
    "point_rows",
    "potential_energy",
    "rolling_arm",
    "rolling_row",
    "rolling_rows",
    "rotation_of",
    "set_body",
    "set_constants",
    "set_place",
    "solve_constrained",
    "solve_held",
    "solve_linear",
    "spin_of",
    "spin_row",
    "spring_energy",
    "upper_margin",
    "velocity_of",
    "velocity_rows",
]
