"""A run from the command line: computed, saved, and summed up on the console."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from hybridsim.cli import console
from hybridsim.config import RunConfig
from hybridsim.results.saving import save_results, save_start
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation


class Files:
    """What a run leaves on disk: `.initial` and `.param` are written here, before it is computed.

    Raises
    ------
    ConfigError : something cannot be written.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._config = config = simulation.config
        x = simulation.start.x[0]
        initial = dict(zip(config.model.states.names, x.tolist(), strict=True))
        output = config.output
        self.written = save_start(
            output.folder, base_of(config), output.formats, initial, {**config.parameters, **config.inputs}
        )

    def complete(self, run: Trajectory) -> None:
        """Write `.data` and `.h5`.

        Raises
        ------
        ConfigError : something cannot be written.
        """
        output = self._config.output
        with undisturbed():
            self.written += save_results(run, output.folder, base_of(self._config), output.formats)


def base_of(config: RunConfig) -> str:
    """How the files of the run are called."""
    return config.output.base or (config.source.stem if config.source else config.model.name)


def compute(settings: RunConfig) -> Trajectory:
    """Compute, write and sum up; what fails on the user's side does so before the integration."""
    with console.preparing():
        simulation = Simulation.from_config(settings)
    files = Files(simulation)
    with console.Progress(settings) as progress:
        run = simulation.run(progress)
    files.complete(run)
    console.show_summary(run, files.written)
    return run


@contextmanager
def undisturbed() -> Iterator[None]:
    """Within, another Ctrl-C does not lose what the first one kept; threads never see it."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
