"""`simulate`: a run in one call."""

from __future__ import annotations

import os
from typing import Unpack

from hybridsim.config.keywords import RunKeywords
from hybridsim.config.signatures import shows_keywords
from hybridsim.model import Model
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.simulation import Simulation


@shows_keywords(RunKeywords)
def simulate(model: str | os.PathLike[str] | Model, **keywords: Unpack[RunKeywords]) -> Trajectory:
    """Run a model to its end.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    **keywords
        Keys of a config.

    Returns
    -------
    Trajectory
        The run.

    Raises
    ------
    ConfigError
        If a keyword, a name or a value is wrong, the initial state is outside its chart, or there is neither a final
        time nor a stop.
    ModelError
        If the model cannot be loaded.
    """
    return Simulation(model, **keywords).run()
