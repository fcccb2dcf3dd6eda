"""A disk, and a wheel of spokes without a rim: both move in the x-z plane."""

from hybridsim.multibody import Body, Mechanism, Planar

DISK = Mechanism(Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=(0.01125, 0.02, 0.01125)))
SPOKES = Mechanism(Body("hub", Planar("hub", normal="y"), mass=1.0, inertia=(0.125, 0.25, 0.125)))
