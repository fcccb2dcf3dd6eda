"""Constants of bodies that follow from a model's parameters, written by the functions of a plug-in."""

from .tree import BODY_SIZE, CENTRE, INERTIA, MASS, PLACE
from .vectors import put


def set_constants(data, constants, size):
    """Copy the constants of a mechanism.

    Parameters
    ----------
    data : (size,) array
        Receives them: `scratch(SIZE)`.
    constants : array
        `mechanism.data`.
    size : int
        Their number, `len(mechanism.data)`.
    """
    for i in range(size):
        data[i] = constants[i]


def set_body(data, frame, mass, centre, inertia):
    """Set the mass [kg], the centre of mass [m] and the principal moments of inertia [kg m^2] of a body.

    Parameters
    ----------
    data : array
        Constants of the mechanism.
    frame : int
        The body.
    mass : float
        Its mass.
    centre : Vector
        Its centre of mass, in its frame.
    inertia : Vector
        Its moments of inertia about the centre of mass, along its axes.
    """
    first = frame * BODY_SIZE
    data[first + MASS] = mass
    put(data, first + CENTRE, centre)
    put(data, first + INERTIA, inertia)
    for i in range(3, 6):
        data[first + INERTIA + i] = 0.0


def set_place(data, frame, place):
    """Set where the joint of a body, of several the last one, lies in the frame before it [m]."""
    put(data, frame * BODY_SIZE + PLACE, place)
