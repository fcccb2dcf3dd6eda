"""Names of the cameras and layouts among which a user chooses; does not import the graphics toolkit."""

from __future__ import annotations

from hybridsim.errors import ConfigError
from hybridsim.model import nearest

CAMERAS = ("follow", "side", "top", "free")
LAYOUTS = ("ghosts", "side-by-side")


def refuse_unknown_camera(name: str) -> None:
    """Raise a ConfigError if there is no camera of this name."""
    if name not in CAMERAS:
        raise ConfigError(f"--camera: there is no {name!r}{nearest(name, CAMERAS)}; choose among {', '.join(CAMERAS)}")


def refuse_unknown_layout(name: str) -> None:
    """Raise a ConfigError if there is no layout of this name."""
    if name not in LAYOUTS:
        raise ConfigError(f"layout: there is no {name!r}{nearest(name, LAYOUTS)}; choose among {', '.join(LAYOUTS)}")
