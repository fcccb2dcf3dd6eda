"""`copy_model`: an installed model as a plug-in of one's own, with the files that it imports and its configs."""

from __future__ import annotations

import ast
import importlib.util
import keyword
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import yaml

from hybridsim.errors import ConfigError, nearest
from hybridsim.model.registry import available_models
from hybridsim.model.table import list_names

CONFIG_FOLDER = "configs"
"""Folder of configs: in the package of the models, or beside it in a clone; and in the copy."""

FOLDERS_OF_OTHER_COMMANDS = ("sweeps", "orbits", "identification", "optimisation")
"""Folders of configs that are not meant for `hybridsim run`."""

_MODEL_LINE = r"^model:[ ]*(['\"]?){name}\1(?=[ ]*(#|$))"

SIMPLE_CONFIG_TEMPLATE = """# Run it with: hybridsim run {name}.yaml
model: ./{name}.py
final_time: 10   # seconds
"""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a model.

    Attributes
    ----------
    plugin : Path
        The file with its `MODEL`.
    files : tuple of Path
        All files of the model.
    configs : tuple of Path
        Its configs, the first of which is to be run first.
    """

    plugin: Path
    files: tuple[Path, ...]
    configs: tuple[Path, ...]


def copy_model(name: str, original: str, parent: Path) -> Copy:
    """Copy an installed model and its configs into a new folder `name`, where it is a plug-in called `name`.

    Parameters
    ----------
    name : str
        Name of the copy.
    original : str
        Name of the installed model.
    parent : Path
        Folder in which the new folder is made.

    Returns
    -------
    Copy
        What was written.

    Raises
    ------
    ConfigError
        If there is no such model, a name is no identifier or taken, the model imports files outside of its folder, or
        the files cannot be written.
    """
    refuse_invalid_name(name)
    entry = _find_installed(original)
    folder = parent / name
    if folder.exists():
        raise ConfigError(f"{folder.name} exists and is not overwritten; choose another name, or move it away")
    source = _source_of(entry)
    if name != source.stem and (source.parent / f"{name}.py") in _files_imported_by(source, entry.module):
        raise ConfigError(f"{original} has a file {name}.py of its own; choose another name")
    try:
        return _write(_Original(original, source, entry.module), name, folder)
    except OSError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        raise ConfigError(f"{folder}: cannot be written ({problem.strerror}); go to another folder") from None


@dataclass(frozen=True, slots=True)
class _Original:
    """The installed model: its name, the file and the module with its `MODEL`."""

    name: str
    source: Path
    module: str


def _write(original: _Original, name: str, folder: Path) -> Copy:
    root, written = original.source.parent, []
    for file in _files_imported_by(original.source, original.module):
        path = folder / (f"{name}.py" if file == original.source else file.relative_to(root))
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".py":
            path.write_text(_adapt(file, original, name), encoding="utf-8")
        else:
            shutil.copyfile(file, path)
        written.append(path)
    plugin = folder / f"{name}.py"
    configs = [*_copy_configs(original, name, folder)]
    if not configs:
        configs = [folder / f"{name}.yaml"]
        configs[0].write_text(SIMPLE_CONFIG_TEMPLATE.format(name=name), encoding="utf-8")
    return Copy(plugin, tuple(written), tuple(configs))


def _find_installed(name: str) -> EntryPoint:
    models = available_models()
    if name not in models:
        hint = nearest(name, tuple(models)) or f"; choose from: {list_names(models, name)}"
        raise ConfigError(f"--from {name}: there is no installed model of this name{hint}")
    return models[name]


def _source_of(entry: EntryPoint) -> Path:
    spec = importlib.util.find_spec(entry.module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ConfigError(f"--from {entry.name}: its source cannot be found; is it installed as Python files?")
    return Path(spec.origin)


def _files_imported_by(source: Path, module: str) -> list[Path]:
    """Return a file, those of its folder that it imports, directly or not, and those that they name, such as meshes."""
    found, waiting = [source], [source]
    while waiting:
        file = waiting.pop()
        for path in (*_imports_of(file, source.parent, module.rpartition(".")[0]), *_files_named_in(file)):
            if not path.is_relative_to(source.parent):
                raise ConfigError(f"{file}: imports {path}, outside of its folder; copy the files by hand")
            if path not in found:
                found.append(path)
                waiting += [path] if path.suffix == ".py" else []
    return found


def _imports_of(file: Path, root: Path, package: str) -> Iterator[Path]:
    """Yield the files that a file imports from its own package, `package` in the folder `root`."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if not isinstance(node, ast.ImportFrom):
            continue
        words = (node.module or "").split(".") if node.module else []
        if node.level:
            base = file.parents[node.level - 1]
        elif words[: len(package.split("."))] == package.split("."):
            base, words = root, words[len(package.split(".")) :]
        else:
            continue
        for names in (words, *([*words, alias.name] for alias in node.names)):
            place = base.joinpath(*names)
            yield from (path for path in (place.with_suffix(".py"), place / "__init__.py") if names and path.is_file())
        folders = [base.joinpath(*words[:n]) for n in range(1, len(words))]
        yield from (path for folder in folders if (path := folder / "__init__.py").is_file())


def _files_named_in(file: Path) -> Iterator[Path]:
    """Yield the files beside a file whose names are texts in it."""
    if file.suffix != ".py":
        return
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w-]+\.\w+", node.value):
            path = file.with_name(node.value)
            if path.is_file() and path.suffix != ".py":
                yield path


def _adapt(file: Path, original: _Original, name: str) -> str:
    """Return the text of a file of the copy: the model has its new name, and imports from its package are relative."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    tree = ast.parse("".join(lines))
    package = original.module.rpartition(".")[0]
    dots = "." * (len(file.relative_to(original.source.parent).parts))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            line = lines[node.lineno - 1]
            line = line.replace(f"from {package}.", f"from {dots}", 1)
            pattern = rf"^(\s*from \.+){original.source.stem}(?= import)"
            lines[node.lineno - 1] = re.sub(pattern, rf"\g<1>{name}", line)
        elif isinstance(node, ast.Call) and node.args and file == original.source:
            first = node.args[0]
            if isinstance(first, ast.Constant) and first.value == original.name:
                quoted = ast.get_source_segment("".join(lines), first) or ""
                line = lines[first.lineno - 1]
                lines[first.lineno - 1] = line.replace(quoted, f'"{name}"', 1)
    return "".join(lines)


def _copy_configs(original: _Original, name: str, folder: Path) -> Iterator[Path]:
    """Copy the configs of the model, and the files that they name; yield the configs, the first to be run first."""
    root = _configs_of(original)
    if root is None:
        return
    pattern = re.compile(_MODEL_LINE.format(name=re.escape(original.name)), re.MULTILINE)
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.yaml"))}

    def rank(path: Path) -> tuple[bool, bool, int, Path]:
        """Configs to be run, the one named after the model, and those near its defaults come first."""
        related = bool({*path.relative_to(root).parts} & {*FOLDERS_OF_OTHER_COMMANDS})
        return related, path.stem != original.name, len([*_values(yaml.safe_load(texts[path]))]), path

    own = {path.resolve() for path, text in texts.items() if pattern.search(text)}
    for path in sorted((path for path in texts if path.resolve() in own), key=rank):
        copy = folder / CONFIG_FOLDER / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        up = "/".join([".."] * len(copy.parent.relative_to(folder).parts))
        copy.write_text(pattern.sub(f"model: {up}/{name}.py", texts[path]), encoding="utf-8")
        for local in _local_files(path, texts[path], root):
            if (path.parent / local).resolve() in own:
                continue  # a config of the model, which is adapted itself
            (copy.parent / local).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path.parent / local, copy.parent / local)
        yield copy


def _local_files(config: Path, text: str, root: Path) -> Iterator[str]:
    """Yield the files below `root` that values of a config name, relative to its folder and with forward slashes."""
    for value in (value for value in _values(yaml.safe_load(text)) if isinstance(value, str)):
        local = value.replace("\\", "/")
        file = config.parent / local
        is_name = Path(local).suffix and "\n" not in local and not Path(local).is_absolute()
        if is_name and file.resolve().is_relative_to(root.resolve()) and file.is_file():
            yield local


def _values(node: Any) -> Iterator[Any]:
    """Yield the texts, numbers and other values in a parsed config."""
    if not isinstance(node, dict | list):
        yield node
        return
    for each in node.values() if isinstance(node, dict) else node:
        yield from _values(each)


def _configs_of(original: _Original) -> Path | None:
    """Return the folder of configs that comes with the package of a model; None if there is none."""
    top = original.source.parents[original.module.count(".") - 1]
    for folder in (top / CONFIG_FOLDER, top.parent / CONFIG_FOLDER):
        if folder.is_dir():
            return folder
    return None


def refuse_invalid_name(name: str) -> None:
    """Raise a ConfigError if a model cannot have this name."""
    if not (name.isascii() and name.isidentifier()) or keyword.iskeyword(name):
        raise ConfigError(
            f"{name!r} cannot name a model; expected letters, digits and underscores, "
            "no leading digit and no keyword of Python; choose another name"
        )
    if importlib.util.find_spec(name) is not None:
        raise ConfigError(
            f"{name!r} is a module of Python's or of an installed package, "
            "which programs in this folder would no longer find; choose another name"
        )
