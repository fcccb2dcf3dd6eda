"""The part of a config that is about sweeps: axes, their values, metrics."""
