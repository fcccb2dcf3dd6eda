"""The cache of compiled functions: one file for each function, named by its fingerprint, with a checksum.

numba's own cache is not used. Its key ignores edits of helpers and includes the path and the text of the file, and it
reads its files unchecked: a flipped bit is machine code that computes something else.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hybridsim.engine.compiler.cache_folder import cache_root, private_folder, read_private, write_private
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.target import platform_key

HEADING = b"hybridsim object 1\n"
"""The first bytes of a file; a checksum and the pickled function follow."""


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
        """Read the compiled function; None if the file is missing or damaged, or if other users can write it."""
        context.refresh()
        content = self._verified(read_private(self.path))
        if content is None:
            return None
        try:
            return CompileResult._rebuild(context, *pickle.loads(content))
        except Exception:  # a module may be missing that the file names
            return None

    def save_overload(self, _signature: Any, result: Any) -> None:
        """Write the compiled function, unless it contains addresses that are valid in this process only."""
        if result.library.has_dynamic_globals:
            return
        content = dumps(result._reduce())
        write_private(self.path, HEADING + self._checksum(content) + content)

    def _verified(self, data: bytes | None) -> bytes | None:
        """The pickled function in a file's data; None if a byte has changed, or the file has another name."""
        if data is None or not data.startswith(HEADING):
            return None
        end = len(HEADING) + hashlib.sha256().digest_size
        checksum, content = data[len(HEADING) : end], data[end:]
        return content if checksum == self._checksum(content) else None

    def _checksum(self, content: bytes) -> bytes:
        return hashlib.sha256(self.path.name.encode() + b"\0" + content).digest()


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


def file_of(key: str, kind: str = "functions") -> FunctionFile:
    """The file of the function with that fingerprint.

    Raises
    ------
    ConfigError
        If a folder on the way to the file belongs to another user, or other users can write into it.
    """
    folders = platform_key(), kind
    try:
        folder = private_folder(cache_root(), *folders)
    except OSError:  # it cannot be made: the function is compiled in each process
        folder = cache_root().joinpath(*folders)
    return FunctionFile(folder / f"{key}.bin")
