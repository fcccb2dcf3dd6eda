"""A toy woodpecker that hammers down its pole (Glocker 1995): a sleeve with play, a spring, a bird with a beak.

The sleeve's edges jam on the pole by dry friction; angles are small. The numbers are those of Leine, van Campen and
Glocker (2003, Nonlinear dynamics and modeling of various wooden toys with impact and friction).
"""

from hybridsim.contacts import Equations, Rows, contact_model
from hybridsim.scene import Body, Camera, Cone, Cylinder, Scene, Sphere, between, placed, turn

SLEEVE_MASS, SLEEVE_INERTIA, BIRD_MASS, BIRD_INERTIA = 3e-4, 5e-9, 4.5e-3, 7e-7
STIFFNESS, POLE, SLEEVE, HALF_HEIGHT = 5.6e-3, 2.5e-3, 3.1e-3, 5.8e-3
TO_SPRING, TO_BIRD, BEAK_HEIGHT, TO_BEAK, GRAVITY = 0.010, 0.015, 0.02, 0.0201, 9.81


def terms(mass, force, rows, gaps, t, x, p):
    """Height and angle of the sleeve, angle of the bird; beak, lower and upper edge of the sleeve."""
    mass[0] = BIRD_MASS + SLEEVE_MASS
    mass[1] = mass[3] = BIRD_MASS * TO_SPRING
    mass[2] = mass[6] = BIRD_MASS * TO_BIRD
    mass[4] = SLEEVE_INERTIA + BIRD_MASS * TO_SPRING**2
    mass[5] = mass[7] = BIRD_MASS * TO_SPRING * TO_BIRD
    mass[8] = BIRD_INERTIA + BIRD_MASS * TO_BIRD**2
    spring = STIFFNESS * (x[1] - x[2])
    force[0] = -(BIRD_MASS + SLEEVE_MASS) * GRAVITY
    force[1] = -spring - BIRD_MASS * GRAVITY * TO_SPRING
    force[2] = spring - BIRD_MASS * GRAVITY * TO_BIRD
    for i in range(24):
        rows[i] = 0.0
    rows[2] = -BEAK_HEIGHT
    rows[4], rows[5], rows[6] = 1.0, TO_SPRING, TO_BIRD - TO_BEAK
    rows[9] = HALF_HEIGHT
    rows[12], rows[13] = 1.0, SLEEVE
    rows[17] = -HALF_HEIGHT
    rows[20], rows[21] = 1.0, SLEEVE
    gaps[0] = TO_SPRING + TO_BIRD - TO_BEAK - POLE - BEAK_HEIGHT * x[2]
    gaps[1] = SLEEVE - POLE + HALF_HEIGHT * x[1]
    gaps[2] = SLEEVE - POLE - HALF_HEIGHT * x[1]


SCENE = Scene(
    (
        Body("pole", Cylinder(POLE), "#a9825a"),
        Body("sleeve", Cylinder(1.6 * SLEEVE), "#59636e", 0.6),
        Body("spring", Cylinder(6e-4), "#2f3740"),
        Body("bird", Sphere(1.0), "#c8553d"),
        Body("head", Sphere(4.5e-3), "#2f3740"),
        Body("beak", Cone(1.6e-3), "#e0b040"),
    ),
    ground=None,
    camera=Camera("sleeve", along="z", at=(0.01, 0.0, 0.005), distance=0.14, view=(0.1, 1.0, -0.1)),
    outputs=("y", "sleeve", "bird"),
)
BODY = SCENE.bodies.indices


def poses(T, t, x, p, chart):
    """Sleeve and bird turn from x to z; the spring leads from one to the other."""
    sleeve, bird = (turn((0.0, -1.0, 0.0), angle) for angle in (x[1], x[2]))
    middle = (0.0, 0.0, x[0])
    spring = middle + sleeve @ (TO_SPRING, 0.0, 0.0)
    tip = spring + bird @ (TO_BIRD - TO_BEAK, 0.0, BEAK_HEIGHT)
    head = spring + bird @ (TO_BIRD - 0.4 * TO_BEAK, 0.0, BEAK_HEIGHT)
    T[BODY.pole] = between((0.0, 0.0, -1.0), (0.0, 0.0, 0.1))
    T[BODY.sleeve] = between(middle - sleeve @ (0.0, 0.0, HALF_HEIGHT), middle + sleeve @ (0.0, 0.0, HALF_HEIGHT))
    T[BODY.spring] = between(middle, spring + bird @ (TO_BIRD, 0.0, 0.0))
    T[BODY.bird] = placed(spring + bird @ (TO_BIRD, 0.0, 0.0), bird, scale=(6e-3, 6e-3, 1.8e-2))
    T[BODY.head], T[BODY.beak] = placed(head), between(tip, head)


MODEL = contact_model(
    "woodpecker",
    Equations(("y", "sleeve", "bird"), terms, length=0.01),
    [Rows("beak", friction=0.3, restitution=0.5), Rows("lower", friction=0.3), Rows("upper", friction=0.3)],
    initial={"sleeve": -(SLEEVE - POLE) / HALF_HEIGHT, "bird": -0.2788, "ydot": -0.3411, "birddot": -7.4583},
    scene=SCENE,
    poses=poses,
    doc="woodpecker toy that hammers down its pole",
)
