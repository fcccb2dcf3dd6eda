"""`load_sweep_config`: a config file and overrides from the command line as a SweepConfig."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hybridsim.config.building import build, fill_slots, load_named_model
from hybridsim.config.loading import read_tree, with_orbit_settings, without_end
from hybridsim.config.run_config import RunConfig
from hybridsim.config.source import Diagnostics
from hybridsim.config.sweep.building import build_sweep
from hybridsim.config.sweep.sweep_config import SweepConfig
from hybridsim.config.yaml_source import read_yaml
from hybridsim.errors import explains_keywords


@explains_keywords()
def load_sweep_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> SweepConfig:
    """Load the sweep that a config file describes.

    Parameters
    ----------
    path : str or path-like
        A YAML file, ending in `.yaml` or `.yml`, with a section `sweep`; or an rc file with the ranges of an
        experiment of RHexLib.
    overrides : sequence of str
        Assignments `key=value` that replace values of the file, such as `sweep.axes.k=[1e4, 2e4]`; see `load_config`.

    Returns
    -------
    SweepConfig
        The checked configuration; `hybridsim.sweeps.run_sweep` computes it.

    Raises
    ------
    ConfigError
        If the configuration is invalid, with all problems, one a line, as `file:line:column: key: message`.
    """
    diagnostics = Diagnostics()
    root, model = read_tree(Path(path), overrides, diagnostics)
    return build_sweep(root, model, diagnostics, source=Path(path))


def load_orbit_sweep(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> SweepConfig:
    """Load a sweep whose base run says in its section `orbit` which periodic motion to look for.

    It needs no `final_time`; see `load_sweep_config` and `load_orbit_config`.
    """
    diagnostics = Diagnostics()
    root, model = read_tree(Path(path), overrides, diagnostics)
    config = build_sweep(without_end(root), model, diagnostics, source=Path(path), open_ended=True)
    return replace(config, run=with_orbit_settings(config.run, path))


def load_written_sweep(path: Path) -> SweepConfig:
    """Load the config that a sweep has written into its folder; see `load_sweep_config`."""
    diagnostics = Diagnostics()
    root = read_yaml(path, diagnostics)
    return build_sweep(*fill_slots(root, load_named_model(root, diagnostics), diagnostics), diagnostics, source=path)


def load_run_or_sweep(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> RunConfig | SweepConfig:
    """Load the sweep that a config file describes if it has a section `sweep`, else the run; see `load_config`."""
    diagnostics = Diagnostics()
    root, model = read_tree(Path(path), overrides, diagnostics)
    sweep = root.value.get("sweep")
    described = sweep is not None and sweep.value is not None
    return (build_sweep if described else build)(root, model, diagnostics, source=Path(path))
