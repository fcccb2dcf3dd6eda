"""Optimization: the table of a search and the best settings in it, and the files in which they are kept."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from hybridsim.config.optimization import load_optimization_config
from hybridsim.config.run_config import RunConfig, resolve
from hybridsim.config.search_start import BEST_FILE
from hybridsim.config.yaml_source import write_yaml
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.optimisation.confirmation import Check, Found, run_with
from hybridsim.optimisation.optimizer import Search
from hybridsim.optimisation.table import SearchLayout
from hybridsim.results.files import replacing
from hybridsim.sweeps.manifest import (
    CONFIG_FILE,
    OPTIMIZATION_FORMAT,
    part_files,
    read_description,
    read_plain,
    to_bytes,
)
from hybridsim.sweeps.part_file import read_parts
from hybridsim.sweeps.results import folder_of
from hybridsim.sweeps.store import write_whole
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOUND_FILE = "_found.yaml"
"""In the folder of an optimisation: the best settings, and how they were confirmed."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class Optimization:
    """What an optimisation has found, finished or not.

    Attributes
    ----------
    table : pyarrow.Table
        A row for each run: `row`, `generation`, `run` (the search, from 1), `particle`, what was set [in the model's
        units], the metrics, `stage` (the one that counts, from 1) and `value` (of its objective). The metadata of each
        field has its unit under `unit`.
    searches : tuple of Found
        The best confirmed setting of each search.
    stages : tuple of str
        The aims.
    layout : SearchLayout
        The columns of the table.
    computed : int
        Number of rows computed now.
    wall_time : float
        Computing time [s], now.
    finished : bool
        Whether the search came to its end.
    interrupted : bool
        Whether Ctrl-C ended it early; what was computed is kept.
    folder : Path or None
        Folder of the results.
    """

    table: pa.Table
    searches: tuple[Found, ...]
    stages: tuple[str, ...]
    layout: SearchLayout
    computed: int = 0
    wall_time: float = 0.0
    finished: bool = True
    interrupted: bool = False
    folder: Path | None = None

    @property
    def ordered(self) -> list[Found]:
        """The best setting of each search: confirmed ones first, then from the best to the worst."""
        sign = [stage.sign for stage in self.layout.config.stages]
        return sorted(
            self.searches, key=lambda one: (not one.confirmed, -one.stage, sign[one.stage - 1] * one.value, one.run)
        )

    @property
    def judged(self) -> pa.Table:
        """The row by which each setting is judged: of repeated runs one, otherwise all rows."""
        problem = self.layout.problem
        chosen = problem.judged(self.layout.ranks(self.table)) if problem.repeats > 1 else None
        return self.table if chosen is None else self.table.take(pa.array(chosen))

    def places(self) -> FloatArray:
        """Return the place of each setting among all.

        Returns
        -------
        (n_settings,) array
            From 0 for the best to 1 for the worst, in the order of `judged`.
        """
        order = self.layout.ranks(self.judged).order()
        places = np.empty(len(order))
        places[order] = np.linspace(0.0, 1.0, len(order))
        return places

    @property
    def best(self) -> Found:
        """The best setting of all, among the confirmed ones if there are any."""
        return self.ordered[0]

    @property
    def reached(self) -> bool:
        """Whether the best setting satisfies all stages but the last."""
        return self.best.stage == len(self.stages)

    @property
    def confirmed(self) -> bool:
        """Whether the best setting is confirmed."""
        return self.best.confirmed

    def config(self, found: Found | None = None) -> RunConfig:
        """Return the run with the best setting, or with another one that was found.

        Parameters
        ----------
        found : Found, optional
            The setting, one of `searches`.

        Returns
        -------
        RunConfig
            The run; `Simulation.from_config` computes it.
        """
        return run_with(self.layout, found or self.best)

    def save(self, path: str | os.PathLike[str], found: Found | None = None) -> Path:
        """Write the config of the run with the best setting, or with another one that was found.

        Parameters
        ----------
        path : str or path-like
            The file, ending in `.yaml`; an older one is replaced.
        found : Found, optional
            The setting, one of `searches`.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If it cannot be written.
        """
        found, path = found or self.best, Path(path)
        data = resolve(self.config(found))
        output = {name: value for name, value in data["output"].items() if name not in ("folder", "base")}
        text = write_yaml({**data, "output": output})
        with replacing(path) as temporary:
            temporary.write_text(self._heading(found) + text, encoding="utf-8")
        return path

    def _heading(self, found: Found) -> str:
        """Return what a config says of where it comes from."""
        seed = self.layout.problem.seeds[found.run - 1]
        place = f"row {found.row}, generation {found.row // self.layout.plan.block}, seed {seed}"
        checks = [
            f"{check.how}: {check.value!r}" + ("" if check.agrees else ", not confirmed") for check in found.checks
        ]
        repeats = self.layout.config.settings.repeats
        judged = (
            f", the {repeats.take} of {repeats.samples} runs whose conditions are not in this config" if repeats else ""
        )
        stage = f"stage {found.stage} of {len(self.stages)}, {self.stages[found.stage - 1]}: {found.value!r}{judged}"
        return "".join(f"# {line}\n" for line in (f"found by an optimisation: {place}", stage, *checks))

    def plot(self, path: str | os.PathLike[str] | None = None, names: Sequence[str] = (), *, ax: Any = None) -> Figure:
        """Draw the search: its convergence, or with names every run as a point.

        Parameters
        ----------
        path : str or path-like, optional
            File of the picture, ending in `.png`, `.pdf` or `.svg`.
        names : sequence of str
            Names of columns: of two, one over the other; of more, parallel coordinates.
        ax : Axes, or sequence of Axes, optional
            Where to draw, of the convergence a panel for each stage; by default a new figure.

        Returns
        -------
        Figure
            The figure, of matplotlib; notebooks show it.

        Raises
        ------
        ConfigError
            If there is no such column, or the file cannot be written.
        """
        from hybridsim.plotting.optimizations import plot_optimization  # noqa: PLC0415  (matplotlib takes its time)

        return plot_optimization(self, path, names, ax=ax)


def write_found(folder: Path, found: Optimization) -> list[Path]:
    """Write the configs of the best settings into the folder of an optimisation, and the list of them."""
    files = [found.save(folder / BEST_FILE)]
    digits = max(2, len(str(len(found.searches))))
    files += [found.save(folder / f"best-{one.run:0{digits}}.yaml", one) for one in found.searches]
    data: dict[str, Any] = {"finished": found.finished}
    data |= {str(one.run): {**asdict(one), "checks": [asdict(check) for check in one.checks]} for one in found.searches}
    write_whole(folder / FOUND_FILE, to_bytes(data))
    return files


@explains_keywords()
def load_optimization(folder: str | os.PathLike[str]) -> Optimization:
    """Read what an optimisation has found, finished or not, from its folder.

    Parameters
    ----------
    folder : str or path-like
        The folder that the optimisation wrote.

    Returns
    -------
    Optimization
        The finished rows, and the best settings.

    Raises
    ------
    ConfigError
        If the folder holds no optimisation, nothing is finished yet, or a part is damaged.
    """
    folder = folder_of(folder)
    if read_description(folder, OPTIMIZATION_FORMAT) is None:
        raise ConfigError(
            f"{folder}: holds no results of an optimisation; give the folder that `hybridsim optimize` wrote"
        )
    parts = dict(part_files(folder))
    table, found = read_parts(parts, parts.values()), read_plain(folder / FOUND_FILE)
    if table is None or found is None:
        raise ConfigError(f"{folder}: nothing is found yet; go on with `hybridsim optimize CONFIG --resume`")
    layout = Search(load_optimization_config(folder / CONFIG_FILE, ["optimize.start=null"])).layout
    stages = tuple(map(str, layout.config.stages))
    finished = bool(found.pop("finished"))
    searches = tuple(map(_found_of, found.values()))
    return Optimization(table, searches, stages, layout, finished=finished, folder=folder)


def _found_of(data: Mapping[str, Any]) -> Found:
    return Found(**{**data, "checks": tuple(Check(**check) for check in data["checks"])})
