from .description import (
    GROUND as GROUND,
    Contact as Contact,
    Equations as Equations,
    Patch as Patch,
    Plane as Plane,
    Rows as Rows,
)
from .model import contact_model as contact_model
