"""`simulate`: a run in one call."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, Never

from hybridsim.model import Model
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.keywords import config_of_call, document_keywords
from hybridsim.simulation.simulation import Simulation


# The keywords are written out as in `Simulation`, because help(), editors and type checkers read them here; a test
# compares both signatures with each other and with the schema of a config.
@document_keywords
def simulate(
    model: str | os.PathLike[str] | Model,
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    initial_chart: int | str | None = None,
    initial_time: float = 0.0,
    final_time: float | None = None,
    stop: Sequence[Any] = (),
    method: str = "dp5",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    first_step: float | None = None,
    max_step: float = math.inf,
    min_step: float = 0.0,
    power: float = 0.33,
    stop_precision: float = 1e-10,
    touch_precision: float | None = None,
    zeno_precision: float = 1e-9,
    max_stop_iterations: int = 128,
    max_transitions: int = 100_000,
    max_steps: int | None = None,
    max_wall_time: float | None = None,
    record: bool | float | Mapping[str, Any] = True,
    output: Mapping[str, Any] | None = None,
    progress_period: float = 0.0,
    view: bool = False,
    **unknown: Never,
) -> Trajectory:
    """Run a model to its end.

    Returns
    -------
    Trajectory
        The run.
    """
    return Simulation.from_config(config_of_call(simulate, locals())).run()
