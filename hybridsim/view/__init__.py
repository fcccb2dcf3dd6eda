"""The viewer: where a run stands at any time, a player that goes through it, and the pictures of it."""

from __future__ import annotations

from hybridsim.view.live import Live
from hybridsim.view.player import Player
from hybridsim.view.replay import Replay
from hybridsim.view.source import Moment, Source

__all__ = ["Live", "Moment", "Player", "Replay", "Source"]
