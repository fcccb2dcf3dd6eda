"""Three masses side by side that move up and down, for contacts that are springs: `pogo.yaml`."""

from hybridsim.multibody import Body, Mechanism, Prismatic

MASSES, INERTIA = (0.6, 0.3, 0.4), (1e-3, 1e-3, 1e-3)
MECHANISM = Mechanism(
    *(
        Body(f"mass{i}", Prismatic(f"y{i}", "z", place=(0.4 * (i - 1), 0.0, 0.0)), mass=mass, inertia=INERTIA)
        for i, mass in enumerate(MASSES)
    )
)
