"""Files and data produced by a run: its rows and events, the trajectory, and how they are written and read."""
