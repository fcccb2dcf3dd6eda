"""A slender block that rocks on its two lower corners, slides if it is pushed, and comes to rest (Housner 1963)."""

from hybridsim.contacts import Patch, contact_model
from hybridsim.multibody import Body, Mechanism, Planar

WIDTH, HEIGHT = 0.2, 0.8
BLOCK = Mechanism(
    Body(
        "block",
        Planar("block", normal="y"),
        mass=1.0,
        inertia=(HEIGHT**2 / 12, (WIDTH**2 + HEIGHT**2) / 12, WIDTH**2 / 12),
    )
)
CORNERS = ((-WIDTH / 2, 0.0, -HEIGHT / 2), (WIDTH / 2, 0.0, -HEIGHT / 2))

MODEL = contact_model(
    "rocking_block",
    BLOCK,
    [Patch("base", "block", CORNERS, friction=0.6)],
    initial={"block_z": HEIGHT / 2},
    doc="a block that rocks on its corners",
)
