"""`load_config`: a config file and overrides from the command line -> a RunConfig."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from hybridsim.config.building import build, named_model
from hybridsim.config.rc_source import Assignment
from hybridsim.config.run_config import RunConfig
from hybridsim.config.simsect import rc_tree
from hybridsim.config.slots import fill_slots
from hybridsim.config.source import Address, Diagnostics, Node, Place
from hybridsim.config.sweep.sweeping import SweepConfig, build_sweep
from hybridsim.config.yaml_source import parse_value, read_yaml
from hybridsim.errors import ConfigError
from hybridsim.model import Model

_YAML_ENDINGS = (".yaml", ".yml")
_GROUPS = (
    *(("sweep", group) for group in ("axes", "zip")),
    *(("sweep", group, "axes") for group in ("random", "latin_hypercube")),
)


def load_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> RunConfig:
    """The run that a config file describes.

    Parameters
    ----------
    path :
        a YAML file, ending in `.yaml` or `.yml`; any other file is read as a SimSect rc file.
    overrides :
        `key=value`, which win over the file: dotted keys (`engine.rtol=1e-9`) and for an rc file also its
        symbols (`g=9.81`); the value is written as in YAML.

    Raises
    ------
    ConfigError : with everything that is wrong, one problem a line, as `file:line:column: key: message`.
    """
    diagnostics = Diagnostics()
    root, model = _tree(Path(path), overrides, diagnostics)
    return build(root, model, diagnostics, source=Path(path))


def load_sweep(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> SweepConfig:
    """The sweep that a config file describes; arguments and errors are those of `load_config`."""
    diagnostics = Diagnostics()
    root, model = _tree(Path(path), overrides, diagnostics)
    return build_sweep(root, model, diagnostics, source=Path(path))


def load_run_or_sweep(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> RunConfig | SweepConfig:
    """The sweep that a config file describes, if it has a key `sweep`, else the run; see `load_config`."""
    diagnostics = Diagnostics()
    root, model = _tree(Path(path), overrides, diagnostics)
    sweep = root.value.get("sweep")
    described = sweep is not None and sweep.value is not None
    return (build_sweep if described else build)(root, model, diagnostics, source=Path(path))


def _tree(source: Path, overrides: Sequence[str], diagnostics: Diagnostics) -> tuple[Node, Model | None]:
    """What the file and the overrides say together, and the model they name."""
    assignments = list(_assignments(overrides, diagnostics))
    if source.suffix.lower() not in _YAML_ENDINGS:
        return rc_tree(source, assignments, diagnostics)
    root = read_yaml(source, diagnostics)
    for assignment in assignments:
        root = root.with_value(_address(assignment.name), assignment.node)
    return fill_slots(root, named_model(root, diagnostics), diagnostics)


def _assignments(overrides: Sequence[str], diagnostics: Diagnostics) -> Iterator[Assignment]:
    for override in overrides:
        name, equals, text = override.partition("=")
        address = _address(name.strip())
        if not (equals and name.isprintable() and all(address)):
            diagnostics.problems.append(
                f"command line: {override!r}: expected key=value; write for example final_time=5"
            )
        elif address[0] == "include":
            diagnostics.problems.append(
                "command line: include: only a file can include another; write it into the config"
            )
        else:
            try:
                node = parse_value(text, Place("command line"), address, diagnostics)
            except ConfigError as failure:
                diagnostics.problems.extend(failure.problems)
            else:
                yield Assignment(name.strip(), Node(node.value, Place("command line", name=name.strip())))


def _address(name: str) -> Address:
    """The way to a dotted key; below the axes of a sweep a name keeps its dots, `sweep.axes.engine.rtol`."""
    steps = tuple(name.split("."))
    depth = next((len(group) for group in _GROUPS if steps[: len(group)] == group), len(steps))
    return (*steps[:depth], ".".join(steps[depth:])) if len(steps) > depth else steps
