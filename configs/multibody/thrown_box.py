"""A box of 1 kg with a ball on its side, thrown on a slope that rises sideways: it tips and slides."""

from hybridsim.contacts import Patch, Plane, Sphere, contact_model
from hybridsim.multibody import Body, Free, Mechanism

WIDTH, DEPTH, HEIGHT, RADIUS = 0.3, 0.4, 0.2, 0.06
SLOPE = Plane(slope=0.12, heading=0.8)
CORNERS = [(x * WIDTH / 2, y * DEPTH / 2, -HEIGHT / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
INERTIA = [(a**2 + b**2) / 12 for a, b in ((DEPTH, HEIGHT), (WIDTH, HEIGHT), (WIDTH, DEPTH))]

MODEL = contact_model(
    "thrown_box",
    Mechanism(Body("box", Free("box"), mass=1.0, inertia=INERTIA)),
    [
        Patch("sole", "box", CORNERS, friction={"static": 0.5, "kinetic": 0.4}, restitution=0.3, plane=SLOPE),
        Sphere("ball", "box", RADIUS, (WIDTH / 2 + RADIUS, 0.0, 0.0), friction=0.2, restitution=0.5, plane=SLOPE),
    ],
    initial={"box_z": 0.7, "box_qw": 0.95, "box_qx": 0.1, "box_qy": 0.5, "box_xdot": 0.8, "box_wz": 3.0},
    doc="a box with a ball on its side, thrown on a slope",
)
