"""Sweeps of the plug-in leg.py, which tests/config/conftest.py writes."""

from hybridsim.config import resolve
from hybridsim.config.sweep import Axis, SweepConfig

BASE = "model: leg.py\nfinal_time: 10\n"
EXAMPLE = (
    BASE
    + """parameters: {k: 1000}
sweep:
  axes:
    k: linspace(0, 50e3, 5)
    angle: linspace(-50 deg, -10 deg, 3)
    terrain: [flat, sloped]
  zip:
    engine.rtol: [1e-6, 1e-8]
    engine.atol: [1e-8, 1e-10]
  random: {samples: 7, seed: 1, axes: {y: 'uniform(1, 2)'}}
  latin_hypercube: {samples: 4, seed: 2, axes: {ydot: 'normal(0, 1)', slope: 'loguniform(1, 100)'}}
  rows: runs.csv
  extra_outputs: ./clearance.py
  block: 500
metrics:
  steps: count(touchdown)
  nearest: min(clearance)
"""
)


def values_by_key(config: SweepConfig) -> dict:
    """The values of each axis of a sweep."""
    return {axis.key: axis.values.tolist() for axis in config.axes}


def same_sweeps(one: SweepConfig, other: SweepConfig) -> bool:
    """Whether all axes, metrics, data and settings of two sweeps are equal."""

    def facts(axis: Axis) -> tuple:
        return axis.key, axis.name, axis.unit, axis.degrees, axis.values.dtype, axis.values.tobytes()

    return (
        [[facts(axis) for axis in factor] for factor in one.factors]
        == [[facts(axis) for axis in factor] for factor in other.factors]
        and one.metrics == other.metrics
        and one.extra_outputs_file == other.extra_outputs_file
        and one.block == other.block
        and one.data == other.data
        and resolve(one.run) == resolve(other.run)
    )
