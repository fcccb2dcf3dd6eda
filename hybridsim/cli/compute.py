"""Run a simulation from the command line: compute it, save its files and print a summary."""

from __future__ import annotations

import os
from pathlib import Path

from hybridsim.cli import console, interruption
from hybridsim.config import RunConfig
from hybridsim.results.files import FORMATS
from hybridsim.results.saving import save_results, save_start, values_of
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation


class RunFiles:
    """Write the files of a run: `.initial` and `.param` before it is computed, the others by `complete`.

    Parameters
    ----------
    simulation : Simulation
        A simulation that has not begun.

    Attributes
    ----------
    written : list of Path
        The files written so far.
    replaced : frozenset of Path
        Those of them that existed before.

    Raises
    ------
    ConfigError
        If a file cannot be written.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._config = config = simulation.config
        x = simulation.start.x[0]
        initial = values_of(config.model.states, x)
        output = config.output
        names = (f"{file_base(config)}{ending}" for name in output.formats for ending in FORMATS[name])
        paths = [Path(output.folder, name) for name in names]
        self.replaced = frozenset(path for path in paths if os.path.lexists(path))
        self.written = save_start(
            output.folder, file_base(config), output.formats, initial, {**config.parameters, **config.inputs}
        )

    def complete(self, run: Trajectory) -> None:
        """Write `.data` and `.h5`.

        Parameters
        ----------
        run : Trajectory
            The finished run.

        Raises
        ------
        ConfigError
            If a file cannot be written.
        """
        output = self._config.output
        self.written += save_results(run, output.folder, file_base(self._config), output.formats)


def file_base(config: RunConfig) -> str:
    """Return the name of the run's files, without folder and ending."""
    return config.output.base or (config.source.stem if config.source else config.model.name)


def compute(settings: RunConfig, trace_events: bool = False) -> Trajectory:
    """Compute a run, write its files and print its summary; errors in the input are raised before the integration.

    With `trace_events`, each event is printed in the meantime. Ctrl-C and SIGTERM end the computation, and nothing
    after it: what has been computed is written and summarised.
    """
    with console.busy("preparing"):
        simulation = Simulation.from_config(settings)
    with interruption.calling(simulation.interrupt):
        files = RunFiles(simulation)
        on_events = console.EventTrace(settings.model) if trace_events else None
        with console.Progress(settings, bar=not trace_events) as progress:
            run = simulation.run(progress, on_events)
        files.complete(run)
        console.show_summary(run, files.written, files.replaced, settings.source)
    return run
