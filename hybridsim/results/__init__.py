"""Files and data produced by a run: its rows and events, the trajectory, and how they are written and read."""

from __future__ import annotations

from hybridsim.results.events import Event, Events
from hybridsim.results.trajectory import Trajectory

__all__ = ["Event", "Events", "Trajectory"]
