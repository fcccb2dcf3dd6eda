import pytest

from hybridsim.config.optimization import load_optimization_config

SOFTEST = """
model: slip
final_time: 100
parameters: {hold_touchdown_angle: 1}
initial: {y: 1.0, xdot: 5.0, touchdown_angle: -22 deg}
stop: [{boundary: touchdown, count: 24}]
metrics: {steps: count(touchdown), distance: final(x)}
optimize:
  parameters: {k: 15e3..20e3}
  stages:
    - {maximize: steps, until: steps >= 24}
    - {minimize: k}
  method: {population: 10, generations: 12}
  runs: 2
"""
"""The softest leg with which the runner makes 24 steps: 18,484.4634 N/m by an apex map of its own."""


@pytest.fixture
def softest(tmp_path):
    """Load the config, with values that override its own."""

    def load(*overrides, text=SOFTEST):
        path = tmp_path / "softest.yaml"
        path.write_text(text)
        return load_optimization_config(path, overrides)

    return load
