"""The keys of compiled functions: what their machine code depends on, hashed.

To take apart the sources of the engine takes a third of a second. What has been found is kept in the cache, by the hash
of the sources: as long as these are the same, they are hashed and nothing else.

With HYBRIDSIM_CACHE_KEY=sources, every edit of a source compiles again what its package or the engine contains. It is
for those who suspect that an edit has compiled too little.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from hybridsim.engine.compiler.bytecode import digest
from hybridsim.engine.compiler.object_file import (
    PRECOMPILED_FOLDER,
    file_of,
    path_in_cache,
    read_public,
    read_verified,
    write_verified,
)
from hybridsim.engine.compiler.target import machine
from hybridsim.errors import ConfigError

VARIABLE = "HYBRIDSIM_CACHE_KEY"
"""The environment variable that says what keys are made from."""

CONTENTS, SOURCES = "contents", "sources"
"""Its values: what is compiled; whole source files."""

FOLDER = "keys"
"""The folder of the cache with what has been found in sources."""

PACKAGE, ENGINE, COMPILER = (Path(__file__).parents[n] for n in (2, 1, 0))
"""Folders of sources."""

NOT_TRANSLATING = frozenset({"announcement", "cache_folder", "processes", "records", "together"})
"""Modules of the compiler that decide nothing of what it makes."""

Sources = tuple[tuple[str, Path], ...]
"""Source files with the names of their modules."""

Texts = Mapping[str, tuple[bool, bytes]]
"""What is in them, by the names of the modules, and whether each is the `__init__` of a package."""


@cache
def is_by_sources() -> bool:
    """Return whether keys are made from whole source files.

    Raises
    ------
    ConfigError
        If the environment variable has another value than these two.
    """
    chosen = os.environ.get(VARIABLE) or CONTENTS
    if chosen not in (CONTENTS, SOURCES):
        raise ConfigError(f"{VARIABLE}: expected `{CONTENTS}` or `{SOURCES}`, found {chosen!r}")
    return chosen == SOURCES


@cache
def machine_key() -> str:
    """Hash what decides the machine code of a function besides the function itself and the compiler's version.

    It is the code of the compiler, and the kind of processor with the settings of `target`.
    """
    every = ENGINE.rglob("*.py") if is_by_sources() else COMPILER.rglob("*.py")
    code = code_of(*(file for file in every if is_by_sources() or file.stem not in NOT_TRANSLATING))
    return hashlib.sha256(repr((code, machine())).encode()).hexdigest()[:16]


def code_of(*files: Path) -> str:
    """Hash the code of source files of this package: all but comments, docstrings and annotations."""

    def find(texts: Texts) -> list[str]:
        from hybridsim.engine.compiler.source_contents import code_digest

        return [digest(*(piece for name, (_, text) in texts.items() for piece in (name, code_digest(text))))]

    return _found_in(_named(PACKAGE, files), "code", find)[0]


@cache
def contents_of(source: str) -> str:
    """Hash what the function `module:name` is made of, see `source_contents`."""
    module, _, name = source.partition(":")

    def find(texts: Texts) -> list[str]:
        from hybridsim.engine.compiler.source_contents import Contents

        return [Contents(texts).digest(module, name)]

    sources = _engine() if module.startswith("hybridsim.engine.") else _everything() + _others(module)
    return _found_in(sources, source, find)[0]


@cache
def contents_of_routines(modules: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Hash what each of the engine's routines is made of. Some modules and what they import contain all of them."""

    def find(texts: Texts) -> list[str]:
        from hybridsim.engine.compiler.source_contents import Contents

        contents = Contents(texts)
        places = contents.routines(modules)
        return [contents.digest(places[name], name) for name in names]

    found = _found_in(_engine(), repr((modules, names)), find)
    return tuple(found * len(names) if is_by_sources() else found)


@cache
def _engine() -> Sources:
    """The sources of the engine, and what it imports from above its folder."""
    return _named(PACKAGE, [*PACKAGE.glob("*.py"), *ENGINE.rglob("*.py")])


@cache
def _everything() -> Sources:
    return _named(PACKAGE, PACKAGE.rglob("*.py"))


def _others(module: str) -> Sources:
    """The sources of the package of a module, if it is another one than this."""
    top = module.partition(".")[0]
    found = None if top == PACKAGE.name else find_spec(top)
    if found is None or found.origin is None:
        return ()
    origin = Path(found.origin)
    return _named(origin.parent, origin.parent.rglob("*.py")) if found.submodule_search_locations else ((top, origin),)


def _named(package: Path, files: Iterable[Path]) -> Sources:
    """Files of a package with the names of their modules, in a fixed order."""
    beginning = len(str(package.parent)) + 1
    names = ((str(file)[beginning:-3].replace(os.sep, ".").removesuffix(".__init__"), file) for file in files)
    return tuple(sorted(names))


def _found_in(sources: Sources, what: str, find: Callable[[Texts], list[str]]) -> list[str]:
    """Return what `find` finds in sources, from the cache if it has been kept; their hash, if keys are made of that."""
    found_before = digest(what, _hash_of(sources))
    if is_by_sources():
        return [found_before]
    file = file_of(found_before, FOLDER)
    kept = read_verified(PRECOMPILED_FOLDER / file, read_public) or read_verified(path_in_cache(file))
    if kept is not None:
        return kept.decode().split()
    texts = {name: path.read_bytes() for name, path in sources}  # what is hashed now is what is taken apart
    found = find({name: (path.name == "__init__.py", texts[name]) for name, path in sources})
    now = digest(what, _hash(texts))
    write_verified(path_in_cache(file_of(now, FOLDER)), "\n".join(found).encode())
    return found


@cache
def _hash_of(sources: Sources) -> str:
    return _hash({name: path.read_bytes() for name, path in sources})


def _hash(texts: Mapping[str, bytes]) -> str:
    return digest(*(piece for pair in texts.items() for piece in pair))
