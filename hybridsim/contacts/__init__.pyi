from .description import (
    GROUND as GROUND,
    Circle as Circle,
    Contact as Contact,
    Disk as Disk,
    Equations as Equations,
    Patch as Patch,
    Plane as Plane,
    Rows as Rows,
    Sphere as Sphere,
)
from .feet import FlatFoot as FlatFoot, PointFoot as PointFoot, RoundFoot as RoundFoot
from .joints import (
    DryFriction as DryFriction,
    Motor as Motor,
    Pin as Pin,
    Rod as Rod,
    Stop as Stop,
)
from .model import contact_model as contact_model
from .terrain import (
    HeightMap as HeightMap,
    Terrain as Terrain,
    Waves as Waves,
)
