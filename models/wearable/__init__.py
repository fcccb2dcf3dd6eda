"""Robots worn on a leg: planar linkages of four links, moved by two actuators."""
