"""`load_config`: a config file, or a model alone, and overrides from the command line as a RunConfig."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hybridsim.config.building import build, fill_slots, load_named_model
from hybridsim.config.described_model import with_described_model
from hybridsim.config.driven_inputs import with_driven_inputs
from hybridsim.config.rc_source import Assignment
from hybridsim.config.run_config import RunConfig, with_values
from hybridsim.config.simsect import rc_tree
from hybridsim.config.source import CONFIG_ENDINGS, Address, Diagnostics, Node, Origin
from hybridsim.config.values import NOUN_OF_SECTION, split_key
from hybridsim.config.yaml_source import parse_value, read_yaml
from hybridsim.errors import ConfigError, explains_keywords, nearest
from hybridsim.model import Model
from hybridsim.model.registry import available_models

_YAML_SUFFIXES = (".yaml", ".yml")
_AXIS_GROUPS = (
    *(("sweep", group) for group in ("axes", "zip")),
    *(("sweep", group, "axes") for group in ("random", "latin_hypercube")),
    ("optimize", "parameters"),
)


@explains_keywords()
def load_config(path: str | os.PathLike[str], overrides: Sequence[str] = (), *, open_ended: bool = False) -> RunConfig:
    """Load the run that a config file describes, or that of a model with all its defaults.

    Parameters
    ----------
    path : str or path-like
        A YAML file, ending in `.yaml` or `.yml`; any other file is read as a SimSect rc file. Or a plug-in file, ending
        in `.py`, or the name of an installed model: without `final_time`, its run lasts `DEFAULT_DURATION` at most.
    overrides : sequence of str
        Assignments `key=value` that replace values of the file. Keys are dotted (`engine.rtol=1e-9`); for an rc file,
        its symbols may be used as well (`g=9.81`). Values are written as in YAML.
    open_ended : bool
        Whether it needs no `final_time`.

    Returns
    -------
    RunConfig
        The checked configuration; `Simulation.from_config` runs it.

    Raises
    ------
    ConfigError
        If the configuration is invalid, with all problems, one a line, as `file:line:column: key: message`.
    """
    diagnostics = Diagnostics()
    root, model = read_tree(Path(path), overrides, diagnostics)
    if is_model(Path(path)) and not open_ended:
        root = with_usual_end(root, diagnostics)
    return build(
        without_end(root) if open_ended else root, model, diagnostics, source=Path(path), open_ended=open_ended
    )


def without_end(root: Node) -> Node:
    """Return values in which the missing `final_time` is null."""
    return root if "final_time" in root.value else root.with_value(("final_time",), Node(None, Origin("default")))


DEFAULT_DURATION = 10.0
"""How long a run lasts that is given as a model alone [s]."""


def with_usual_end(root: Node, diagnostics: Diagnostics) -> Node:
    """Return values with a `final_time`, which is noted, unless they have one."""
    if "final_time" in root.value:
        return root
    begin = root.value["initial_time"].value if "initial_time" in root.value else 0.0
    if isinstance(begin, bool) or not isinstance(begin, int | float):
        return root  # the schema says what is wrong with it
    end = begin + DEFAULT_DURATION
    diagnostics.notes.append(
        f"final_time: none is given, so the run ends at {end:g} s; write for example final_time=30"
    )
    return root.with_value(("final_time",), Node(end, Origin("default")))


def is_model(path: Path) -> bool:
    """Return whether this is no config but a model: a plug-in file, or the name of an installed one."""
    return path.suffix == ".py" if path.exists() else str(path) in available_models()


def _refuse_misspelt_model(path: Path) -> None:
    """Raise a ConfigError for what is no file, with or without an ending, but much like the name of a model."""
    if (
        path.suffix
        or path.exists()
        or any(path.with_name(f"{path.name}{ending}").is_file() for ending in CONFIG_ENDINGS)
    ):
        return
    if not is_model(path) and (hint := nearest(str(path), available_models())):
        raise ConfigError(f"{path}: there is no such file, and no such model is installed{hint}")


def read_tree(source: Path, overrides: Sequence[str], diagnostics: Diagnostics) -> tuple[Node, Model | None]:
    """Return the values of a file with those of the overrides merged in, and the model that they name.

    Parameters
    ----------
    source : Path
        The config file, or a model.
    overrides : sequence of str
        As of `load_config`.
    diagnostics : Diagnostics
        Gets the errors.

    Returns
    -------
    Node
        The values, unchecked.
    Model or None
        The model with its parts; None if it could not be loaded.

    Raises
    ------
    ConfigError
        If the file cannot be read at all.
    """
    if source.suffix == ".h5" and source.is_file():
        raise ConfigError(
            f"{source}: this is the file of a run, not a config; give it to `hybridsim view`, `plot` or `verify`"
        )
    assignments = list(_assignments(overrides, diagnostics))
    _refuse_misspelt_model(source)
    if is_model(source):
        tree = Node({"model": Node(str(source), Origin("command line"))}, Origin("command line"))
    elif source.suffix.lower() in _YAML_SUFFIXES:
        tree = read_yaml(source, diagnostics)
        if asks_to_identify(tree):
            raise ConfigError(f"{source}: this config says what is unknown of a model; give it to `hybridsim identify`")
    else:
        return rc_tree(source, assignments, diagnostics)
    root = with_described_model(_with_assignments(tree, assignments), diagnostics)
    root = with_driven_inputs(root, diagnostics)
    return fill_slots(root, load_named_model(root, diagnostics), diagnostics)


def asks_to_identify(root: Node) -> bool:
    """Return whether values have a key that only configs of `hybridsim identify` have."""
    return not ASKS_TO_IDENTIFY.isdisjoint(root.value)


ASKS_TO_IDENTIFY = {"measured", "minimize", "data", "free", "cyclic", "collocation"}
"""Keys that only configs of `hybridsim identify` have; one that is misspelt leaves others."""


def with_overrides(root: Node, overrides: Sequence[str], diagnostics: Diagnostics) -> Node:
    """Return values with those of the overrides `key=value` merged in.

    Parameters
    ----------
    root : Node
        The values.
    overrides : sequence of str
        As of `load_config`.
    diagnostics : Diagnostics
        Gets the errors.

    Returns
    -------
    Node
        The values, unchecked.
    """
    return _with_assignments(root, _assignments(overrides, diagnostics))


def _with_assignments(root: Node, assignments: Iterable[Assignment]) -> Node:
    for assignment in assignments:
        address = _same_axis(root, _address(assignment.name))
        if address in REPLACED_SECTIONS:
            root = root.with_value(address, Node(None, assignment.node.origin))
        root = root.with_value(address, assignment.node)
    return root


def _same_axis(root: Node, address: Address) -> Address:
    """Return the address of the axis that a sweep has for this key: `k` of the file is `parameters.k` here."""
    if address[:-1] != ("sweep", "axes"):
        return address
    node, depth = root.at(address[:-1])
    last = _name_in(str(address[-1]))
    names = node.value if depth == 2 and isinstance(node.value, dict) else {}
    return (*address[:-1], next((name for name in names if _name_in(name) == last), address[-1]))


def _name_in(key: str) -> str:
    """Return a key without its section: `h.f` of `parameters.h.f`, and of `h.f`."""
    section, name = split_key(key)
    return name if section in (*NOUN_OF_SECTION, "engine") else key


REPLACED_SECTIONS = (("orbit", "section"),)
"""Mappings that replace those of a file, as they say which of several kinds is meant; others are merged."""


def load_orbit_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> RunConfig:
    """Load a config that says in its section `orbit` which periodic motion to look for; it needs no `final_time`.

    Parameters
    ----------
    path, overrides
        As of `load_config`.

    Returns
    -------
    RunConfig
        The checked configuration; its initial state is the guess.

    Raises
    ------
    ConfigError
        If the configuration is invalid, or has no section `orbit`.
    """
    return with_orbit_settings(load_config(path, overrides, open_ended=True), path)


def with_orbit_settings(config: RunConfig, path: str | os.PathLike[str]) -> RunConfig:
    """Return a config with the engine's settings for orbits, unless it gives others.

    Raises
    ------
    ConfigError
        If it has no section `orbit`; the message names the file at `path`.
    """
    if config.orbit is None:
        names = ", ".join(config.model.boundary_records.names)
        raise ConfigError(
            f"{path}: orbit: expected where a stride begins and ends, found nothing; write "
            f"`orbit: {{section: BOUNDARY}}` into it, or orbit.section=BOUNDARY behind it; the boundaries are {names}"
        )
    given = {name: value for name, value in ORBIT_ENGINE.items() if config.origins.get(f"engine.{name}") == "default"}
    return with_values(config, {f"engine.{name}": value for name, value in given.items()})


ORBIT_ENGINE = {"method": "dop853", "rtol": 1e-12, "atol": 1e-13}
"""Settings of the engine for orbits, where a config does not give them: a gait is found as exactly as it is solved."""


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
                node = parse_value(text, Origin("command line"), address, diagnostics)
            except ConfigError as failure:
                diagnostics.problems.extend(failure.problems)
            else:
                yield Assignment(name.strip(), Node(node.value, Origin("command line", name=name.strip())))


def _address(name: str) -> Address:
    """Return the address of a dotted key; in an axis of a sweep the key itself is dotted, `sweep.axes.engine.rtol`."""
    steps = tuple(name.split("."))
    depth = next((len(group) for group in _AXIS_GROUPS if steps[: len(group)] == group), len(steps))
    return (*steps[:depth], ".".join(steps[depth:])) if len(steps) > depth else steps
