"""Runs that tests of several files look at."""

import pytest

from .hexapod_runs import walk


@pytest.fixture(scope="session")
def gait():
    """The hexapod's default gait under Coulomb's law, recorded each 2 ms."""
    return walk(8.0, period=0.002, friction="coulomb")
