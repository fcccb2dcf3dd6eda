"""`optimize_orbit`."""


def optimize_orbit(): ...
