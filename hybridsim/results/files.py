"""Folders and files: checked before a run starts, written under a temporary name and then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hybridsim.errors import ConfigError
from hybridsim.model import nearest

FORMATS: Mapping[str, tuple[str, ...]] = {"simsect": (".initial", ".param", ".data"), "hdf5": (".h5",)}
"""The formats of `output.formats` and how the files of each end."""

SWEEP_PLAN = "_plan.yaml"
"""What tells the folder of a sweep."""


def prepare_folder(folder: str | os.PathLike[str], base: str, formats: Collection[str] = FORMATS.keys()) -> Path:
    """Create `folder` at need and make sure that the files of these formats can be written into it.

    Call it before a run: what cannot be saved should not be computed.

    Parameters
    ----------
    folder :
        where the files of a run go.
    base :
        how their names begin.
    formats :
        some of `FORMATS`.

    Raises
    ------
    ConfigError : an unknown format, a `base` that is no plain name, a folder or file that cannot be written, or
        the folder of a sweep for the files of a run.
    """
    for name in formats:
        if name not in FORMATS:
            raise ConfigError(
                f"output.formats: there is no {name!r}{nearest(name, FORMATS)}; choose among {', '.join(FORMATS)}"
            )
    folder = Path(folder)
    if not base or base in (".", "..") or Path(base).name != base or "\0" in base:
        raise ConfigError(f"output.base: {base!r} is not a plain file name; give one without folders, like `slip`")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise ConfigError(
            f"output.folder: {str(folder)!r} cannot be written ({problem.strerror}); "
            "choose another with output.folder=FOLDER"
        ) from None
    if formats and (folder / SWEEP_PLAN).exists():
        raise ConfigError(
            f"output.folder: {str(folder)!r} holds the results of a sweep, and the files of a run would be read as "
            "parts of it; choose another with output.folder=FOLDER"
        )
    for ending in (ending for name in formats for ending in FORMATS[name]):
        path = folder / f"{base}{ending}"
        if path.is_dir():
            raise ConfigError(
                f"output.base: {str(path)!r} is a folder, where a file has to go; "
                "move it away or choose another output.base"
            )
    return folder


@contextmanager
def replacing(
    path: Path, prefix: str = ".", remedy: str = "make room or choose another output.folder"
) -> Iterator[Path]:
    """A temporary path beside `path`, which takes its place when the block succeeds and vanishes when it does not.

    Parameters
    ----------
    path :
        of the file.
    prefix :
        how the temporary name begins.
    remedy :
        what to do when the file cannot be written.

    Raises
    ------
    ConfigError : the file cannot be written; what stood at `path` before is untouched.
    """
    temporary = path.with_name(f"{prefix}{path.name}.{os.getpid()}.tmp")
    try:
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be written ({problem.strerror or problem}); {remedy}") from None
