"""The cache of a plug-in's compiled functions: one file for each function, named by its fingerprint.

numba's own cache is not used, because its key ignores edits of helpers and includes the path and the text of the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.target import platform_key


class FunctionFile:
    """The file of one compiled function. numba uses it in place of its own cache.

    Parameters
    ----------
    path : Path
        The file, which need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load_overload(self, _signature: Any, context: Any) -> Any:
        """Read the compiled function; None if the file is missing or damaged."""
        context.refresh()
        try:
            return CompileResult._rebuild(context, *pickle.loads(self.path.read_bytes()))
        except Exception:  # a damaged file may raise anything; a module may be missing that the file names
            return None

    def save_overload(self, _signature: Any, result: Any) -> None:
        """Write the compiled function, unless it contains addresses that are valid in this process only."""
        if result.library.has_dynamic_globals:
            return
        # Several processes may write the same file at the same time: each renames its own.
        temporary = self.path.with_suffix(f".{os.getpid()}-{uuid.uuid4().hex[:8]}")
        with contextlib.suppress(OSError):  # without a file the function is compiled again in the next process
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(dumps(result._reduce()))
            temporary.replace(self.path)


def fingerprint(function: Callable[..., Any], signature: Any) -> str | None:
    """Hash all that decides a function's machine code: its contents, its C types, the libraries and the CPU.

    Returns
    -------
    str or None
        32 hexadecimal digits; None if the function uses a value that cannot be hashed.
    """
    content = content_hash(function)
    if content is None:
        return None
    return hashlib.sha256(repr((platform_key(), str(signature), content)).encode()).hexdigest()[:32]


def file_of(key: str) -> FunctionFile:
    """The file of the function with that fingerprint."""
    return FunctionFile(cache_root() / platform_key() / "functions" / f"{key}.bin")
