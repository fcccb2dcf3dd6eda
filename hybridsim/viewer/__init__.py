"""The viewer: where a run stands at any time, a player that goes through it, and the pictures of it."""

from __future__ import annotations

from hybridsim.viewer.live import Live
from hybridsim.viewer.player import Player
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Moment, Source

__all__ = ["Live", "Moment", "Player", "Replay", "Source"]
