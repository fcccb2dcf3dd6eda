"""What a run leaves behind: rows and events, the trajectory, and its files."""

from __future__ import annotations

from hybridsim.results.trajectory import Event, Events, Trajectory

__all__ = ["Event", "Events", "Trajectory"]
