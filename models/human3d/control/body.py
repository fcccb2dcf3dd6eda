"""What the controller knows of the body: frames, soles, and what they weigh."""

from hybridsim.multibody import Point, Vector
from hybridsim_models.biped.anthropometry import SOLE_WIDTH
from hybridsim_models.human3d.person import BUILD, MECHANISM

F = MECHANISM.frames
DATA, MOTION = MECHANISM.data, MECHANISM.motion_size
G, MASS = 9.81, BUILD.mass
LENGTH = BUILD.heel + BUILD.toe
MIDDLE = Vector(0.5 * (BUILD.toe - BUILD.heel), 0.0, -BUILD.ankle)
SOLES = (Point(F.left_foot, MIDDLE), Point(F.right_foot, MIDDLE))
"""The middles of both soles."""
TIPS = Vector(BUILD.toe, 0.0, -BUILD.ankle)
"""The tip of a sole, in the frame of its foot."""
HIPS = (Vector(0.0, BUILD.half_hips, 0.0), Vector(0.0, -BUILD.half_hips, 0.0))
"""Both hips, in the frame of the trunk."""
WIDTH = SOLE_WIDTH * BUILD.stature
FRICTION, LEVER = 0.6, 0.053
"""What the controller believes of the soles: coefficient, and lever of friction about the vertical [m]."""
