"""The viewer: what a run shows at any time, a player that goes through it, and windows, pages and files that show it.

`hybridsim.viewer.render` is the only package that imports the graphics toolkit.
"""

from __future__ import annotations

from hybridsim.viewer.live import Live
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.player import Player
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Frame, Source

__all__ = ["Frame", "Live", "Player", "Replay", "Source", "ViewOptions"]
