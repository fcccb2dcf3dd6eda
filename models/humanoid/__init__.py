"""Planar humanoids with two legs, whose joints are driven by impedance: the robot CoMan, and a human."""
