"""Folders and files: they are checked before a run starts, and written under a temporary name and then renamed."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.typing import Format

FORMATS: Mapping[Format, tuple[str, ...]] = {
    "simsect": (".initial", ".param", ".data"),
    "hdf5": (".h5",),
    "csv": (".csv",),
}
"""The formats of `output.formats`, and the endings of their files."""

USUAL_FORMATS: tuple[Format, ...] = ("simsect", "hdf5")
"""Those that are written by default."""

SWEEP_PLAN = "_plan.yaml"
"""The file by which the folder of a sweep is recognised."""


def prepare_folder(folder: str | os.PathLike[str], base: str, formats: Collection[Format] = USUAL_FORMATS) -> Path:
    """Create the folder if it does not exist, and check that the files of a run can be written into it.

    It is called before the run, so that nothing is computed that cannot be saved.

    Parameters
    ----------
    folder : path
        Folder of the files.
    base : str
        First part of the files' names.
    formats : collection of str
        Some of `FORMATS`.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ConfigError
        If a format is unknown, `base` is not a plain name, the folder or a file cannot be written, or the folder is
        that of a sweep.
    """
    _refuse_unknown(formats)
    if not base or base in (".", "..") or Path(base).name != base or "\0" in base:
        raise ConfigError(f"{base!r} is not a plain file name; give one without folders, like `slip`")
    folder = Path(folder)
    _make(folder)
    if formats and (folder / SWEEP_PLAN).exists():
        raise ConfigError(
            f"the folder {str(folder)!r} holds the results of a sweep, and the files of a run would be read as parts "
            "of it; choose another, in a config with output.folder=FOLDER"
        )
    for path in (folder / f"{base}{ending}" for name in formats for ending in FORMATS[name]):
        refuse_unusable(path)
    return folder


def refuse_unusable(path: Path, choice: str = "name") -> None:
    """Refuse a path at which there can be no file: there is a folder, or the file system refuses the name.

    Parameters
    ----------
    path : Path
        The file that will be written.
    choice : str
        What the user can change.

    Raises
    ------
    ConfigError
        If there can be no such file.
    """
    try:
        folder = stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as problem:
        raise ConfigError(f"{str(path)!r} cannot be written ({problem.strerror}); choose another {choice}") from None
    if folder:
        raise ConfigError(f"{str(path)!r} is a folder, where a file has to go; move it away or choose another {choice}")


def _refuse_unknown(formats: Collection[Format]) -> None:
    for name in formats:
        if name not in FORMATS:
            raise ConfigError(
                f"formats: there is no {name!r}{nearest(name, FORMATS)}; choose among {', '.join(FORMATS)}"
            )


def _make(folder: Path) -> None:
    """Create the folder, and write a temporary file into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise ConfigError(
            f"the folder {str(folder)!r} cannot be written ({problem.strerror}); choose another, in a config with "
            "output.folder=FOLDER"
        ) from None


N_LETTERS_OF_NAME = 40
"""Letters of a file's name in its temporary name, which is not too long where the file's name is not."""

unfinished: set[Path] = set()
"""The temporary files that are being written now; a process that ends itself removes them first."""


@contextmanager
def replacing(path: Path, prefix: str = ".", remedy: str = "make room or choose another folder") -> Iterator[Path]:
    """Give a temporary path in the folder of `path`, and rename that file to `path` if the block succeeds.

    If the block fails the temporary file is removed, and an older file at `path` is left as it was.

    Parameters
    ----------
    path : Path
        The file.
    prefix : str
        First part of the temporary name.
    remedy : str
        What the error recommends if the file cannot be written.

    Yields
    ------
    Path
        The temporary path.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    temporary = path.with_name(f"{prefix}{path.name[:N_LETTERS_OF_NAME]}.{os.getpid()}.tmp")
    unfinished.add(temporary)
    try:
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
            unfinished.discard(temporary)
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be written ({problem.strerror or problem}); {remedy}") from None
