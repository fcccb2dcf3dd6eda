"""Where what is drawn must be seen in a picture, and where a colour is seen."""

import math

import numpy as np

SIZE = (480, 320)
ANGLE = math.radians(30.0)  # from the lower edge of a picture to the upper one
N_HISTORY_SAMPLES = 200
RED, BLUE, GREEN = "#ff0000", "#0000ff", "#00ff00"


def seen(picture, colour):
    """Where this is the strongest colour by far: (rows, columns)."""
    channel = {RED: 0, GREEN: 1, BLUE: 2}[colour]
    others = np.delete(picture.astype(int), channel, axis=2).max(axis=2)
    return (picture[..., channel].astype(int) > 60 + others).nonzero()


def pinhole(point, distance=4.0, focus=(0.0, 0.0, 0.0)):
    """Row and column of a point for an eye at (0, -distance, 0) from the focus, looking along y: similar triangles."""
    x, y, z = np.asarray(point) - focus
    scale = SIZE[1] / (2.0 * math.tan(ANGLE / 2.0) * (distance + y))
    return SIZE[1] / 2.0 - scale * z, SIZE[0] / 2.0 + scale * x


def pixel_of(point, stage):
    """Column and row of the pixel at which a point of the world appears, as the renderer of the stage projects it."""
    renderer = stage.cameras[0].renderer
    renderer.SetWorldPoint(*point, 1.0)
    renderer.WorldToDisplay()
    x, y, _ = renderer.GetDisplayPoint()
    return x, SIZE[1] - 1 - y
