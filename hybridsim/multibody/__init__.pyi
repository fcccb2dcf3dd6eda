from .constants import set_body as set_body, set_constants as set_constants, set_place as set_place
from .description import EARTH as EARTH
from .dynamics import (
    add_force as add_force,
    add_masses as add_masses,
    angular_momentum as angular_momentum,
    body_angular_momentum as body_angular_momentum,
    centre_of_mass as centre_of_mass,
    centre_of_mass_jacobian as centre_of_mass_jacobian,
    inertia_forces as inertia_forces,
    kinetic_energy as kinetic_energy,
    mass_matrix as mass_matrix,
    momentum as momentum,
    potential_energy as potential_energy,
)
from .equal_bodies import (
    AddedMass as AddedMass,
    EqualBodies as EqualBodies,
    PlanarBody as PlanarBody,
    equalize as equalize,
)
from .external import external_wrench as external_wrench
from .forward import forward_dynamics as forward_dynamics
from .held import solve_held as solve_held
from .joint_forces import (
    add_joint_forces as add_joint_forces,
    lower_margin as lower_margin,
    spring_energy as spring_energy,
    upper_margin as upper_margin,
)
from .joints import (
    Body as Body,
    Compound as Compound,
    Fixed as Fixed,
    Free as Free,
    Joint as Joint,
    Planar as Planar,
    Prismatic as Prismatic,
    Revolute as Revolute,
    Spherical as Spherical,
)
from .linkage import Linkage as Linkage, Postures as Postures
from .linkage_graphs import (
    Enumeration as Enumeration,
    actuator_pairs as actuator_pairs,
    enumerate_linkages as enumerate_linkages,
    generic_mobility as generic_mobility,
    mobility as mobility,
    null_space as null_space,
)
from .linear import solve_linear as solve_linear
from .mechanism import ConstrainedMotion as ConstrainedMotion, Mechanism as Mechanism
from .looks import Look as Look
from .motion import (
    arm_of as arm_of,
    coordinate_rates as coordinate_rates,
    kinematics as kinematics,
    point_of as point_of,
    positions as positions,
    rotation_of as rotation_of,
    spin_of as spin_of,
    velocity_of as velocity_of,
)
from .reduced import (
    Partition as Partition,
    complete_speeds as complete_speeds,
    impact as impact,
    solve_constrained as solve_constrained,
)
from .robot_files import load_mechanism as load_mechanism
from .scene import scene_of as scene_of
from .rows import (
    Contact as Contact,
    Point as Point,
    Wheel as Wheel,
    Wrench as Wrench,
    add_wrench as add_wrench,
    bounce_row as bounce_row,
    clear_row as clear_row,
    contact_of as contact_of,
    direction_row as direction_row,
    distance_row as distance_row,
    joining_rows as joining_rows,
    lock_row as lock_row,
    point_rows as point_rows,
    rolling_arm as rolling_arm,
    rolling_row as rolling_row,
    rolling_rows as rolling_rows,
    spin_row as spin_row,
    velocity_rows as velocity_rows,
)
from .vectors import Rotation as Rotation, Vector as Vector
