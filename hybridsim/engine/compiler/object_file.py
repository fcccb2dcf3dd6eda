"""Compiled functions as files: machine code as a linker reads it, which LLVM loads.

numba is not needed to load one, and its own cache is not used: its key ignores edits of helpers and includes the path
and the text of the file, and it reads its files unchecked: a flipped bit is machine code that computes something else.
A file has four parts: a heading; a checksum; two lines with the name of the function in the machine code and the names
of what it refers to; the machine code. Functions of the C library that LLVM puts in place of its own operations, as
`pow` and `memset`, are not among the names: every process has them.

A file is looked for in the folder of the package, `PRECOMPILED_FOLDER`, which an installation from a wheel has, and
then in the user's cache, where functions are kept that had to be compiled. In both it is named by a key of all that the
machine code depends on, so that a file of the package is never used for a function that has been edited.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from llvmlite import binding

from hybridsim.engine.compiler.announcement import compiling
from hybridsim.engine.compiler.cache_folder import cache_root, private_folder, read_private, write_private
from hybridsim.engine.compiler.options import BACKEND
from hybridsim.engine.compiler.target import platform_key

PRECOMPILED_FOLDER = Path(__file__).parents[2] / "precompiled"
"""The folder of the compiled functions that come with the package: it can be trusted as the sources beside it can."""

BITCODE_FOLDER = "bitcode"
"""The folder of the functions in intermediate code."""

SEPARATE_PREFIX = "separate."
"""How the symbols of functions begin that are compiled on their own (module `separate`): `load` asks for addresses."""

FILE_HEADING = b"hybridsim object 2\n"
"""The first bytes of a file."""

C_NAMES_OF_NUMBA_FUNCTIONS = {"numba_nextafter": "nextafter"}
"""Functions of numba's, and those of the C library that return the same bits."""


class ObjectCode(NamedTuple):
    """The machine code of a C function, and of its helpers.

    Attributes
    ----------
    symbol : str
        The name of the function.
    needed : tuple of str
        Names of the functions and variables outside to which it refers.
    machine_code : bytes
        The object file.
    is_lasting : bool
        Whether it is valid in other processes: it contains no addresses.
    bitcode : bytes
        The function in LLVM's intermediate code, if it reads the shape of a run: see `specialisation`.
    symbol_in_bitcode : str
        Its name there.
    """

    symbol: str
    needed: tuple[str, ...]
    machine_code: bytes
    is_lasting: bool = True
    bitcode: bytes = b""
    symbol_in_bitcode: str = ""


class LoadedFunction(NamedTuple):
    """A compiled function in memory.

    Attributes
    ----------
    address : int
        Its address.
    owner : object
        The object that owns the machine code, which stays in memory as long as the process.
    """

    address: int
    owner: Any


def _no_separate_function(symbol: str) -> int:
    raise KeyError(symbol)


def load_function(
    file: Path | None,
    make: Callable[[], ObjectCode],
    separate: Callable[[str], int] = _no_separate_function,
    *,
    what: str = "a part of hybridsim (once)",
) -> LoadedFunction:
    """Load a compiled function from its file; make it, and write the file, if that is not possible.

    Parameters
    ----------
    file : Path or None
        What `file_of` returns; None if the function must not be kept.
    make : callable
        Compiles the function.
    separate : callable, optional
        Returns the address of a function that is compiled separately, from its symbol.
    what : str, optional
        What is printed if compiling takes long, see `announcement`.

    Returns
    -------
    LoadedFunction
        The function in memory.
    """
    loaded = None if file is None else load_file(file, separate)
    if loaded is not None:
        return loaded
    with compiling(what):
        code = make()
    loaded = load(code, separate)
    assert loaded is not None, code.needed  # numba has just been imported, which knows all that its code refers to
    if file is not None and code.is_lasting:
        write_object(path_in_cache(file), code)
    return loaded


def file_of(key: str, kind: str = "functions") -> Path:
    """Return the file of the function with that fingerprint, as a path within a folder of compiled functions."""
    return Path(kind, f"{key}.bin")


def path_in_cache(file: Path) -> Path:
    """Return the path of a file in the user's cache; its folder is made.

    Raises
    ------
    ConfigError
        If a folder on the way to the file belongs to another user, or other users can write into it.
    """
    folders = platform_key(), *file.parent.parts
    try:
        folder = private_folder(cache_root(), *folders)
    except OSError:  # it cannot be made: the function is compiled in each process
        folder = cache_root().joinpath(*folders)
    return folder / file.name


def keep_bitcode(key: str, code: ObjectCode) -> None:
    """Write the bitcode of a function into the cache, for `bitcode_of`; nothing if it has none that lasts."""
    if code.bitcode and code.is_lasting:
        compressed = ObjectCode(code.symbol_in_bitcode, (), zlib.compress(code.bitcode))
        write_object(path_in_cache(file_of(key, BITCODE_FOLDER)), compressed)


def bitcode_of(key: str) -> tuple[str, bytes] | None:
    """Return the symbol and the bitcode of a function, from the package or from the cache; None if both lack it."""
    file = file_of(key, BITCODE_FOLDER)
    found = read_object(PRECOMPILED_FOLDER / file, read_public) or read_object(path_in_cache(file))
    return found and (found.symbol, zlib.decompress(found.machine_code))


def load_file(file: Path, separate: Callable[[str], int] = _no_separate_function) -> LoadedFunction | None:
    """Load the file of the package, or else that in the cache; None if neither can be used."""
    code = read_object(PRECOMPILED_FOLDER / file, read_public)
    loaded = None if code is None else load(code, separate)
    if loaded is None:
        code = read_object(path_in_cache(file))
        loaded = None if code is None else load(code, separate)
    return loaded


def read_public(path: Path) -> bytes | None:
    """Read a file, whoever owns it; None if it is missing."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def read_object(path: Path, read: Callable[[Path], bytes | None] = read_private) -> ObjectCode | None:
    """Read the file of a function; None where `read_verified` returns None."""
    content = read_verified(path, read)
    if content is None:
        return None
    symbol, needed, machine_code = content.split(b"\n", 2)
    return ObjectCode(symbol.decode(), tuple(needed.decode().split()), machine_code)


def write_object(path: Path, code: ObjectCode) -> None:
    """Write a file for `read_object`; if that fails, warn: each process will then compile the function."""
    write_verified(path, b"\n".join([code.symbol.encode(), " ".join(code.needed).encode(), code.machine_code]))


def read_verified(path: Path, read: Callable[[Path], bytes | None] = read_private) -> bytes | None:
    """Read what follows the checksum of a file.

    None if the file is damaged, has had another name, or is not read by `read`: if it is missing, or other users can
    write it.
    """
    data = read(path)
    if data is None or not data.startswith(FILE_HEADING):
        return None
    end = len(FILE_HEADING) + hashlib.sha256().digest_size
    checksum, content = data[len(FILE_HEADING) : end], data[end:]
    return content if checksum == _checksum(path, content) else None


def write_verified(path: Path, content: bytes) -> None:
    """Write a file with its heading and checksum for `read_verified`."""
    write_private(path, FILE_HEADING + _checksum(path, content) + content)


def _checksum(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()


def load(code: ObjectCode, separate: Callable[[str], int] = _no_separate_function) -> LoadedFunction | None:
    """Load machine code into memory; None if something that it refers to cannot be found."""
    addresses = {name: separate(name) for name in code.needed if name.startswith(SEPARATE_PREFIX)}
    with _symbols:
        for name, address in addresses.items():
            binding.add_symbol(name, address)
        return _load_code(code)


_symbols = RLock()
"""Held while names have the addresses that one file needs: functions of one name are others in another model."""


def _load_code(code: ObjectCode) -> LoadedFunction | None:
    # An engine for each file: two of them can contain different helpers of one name.
    engine = _engine()
    if not _are_known(code.needed):
        import_module(f"{BACKEND}.linking").know_symbols()
        if not _are_known(code.needed):
            return None
    engine.add_object_file(binding.ObjectFileRef.from_data(code.machine_code))
    engine.finalize_object()
    _engines.append(engine)
    return LoadedFunction(engine.get_function_address(code.symbol), engine)


_engines: list[Any] = []
"""What owns the machine code: it is kept, because addresses are numbers, and nobody knows who has them."""


def _are_known(names: tuple[str, ...]) -> bool:
    return all(binding.address_of_symbol(name) is not None for name in names)


def _engine() -> Any:
    """Make an engine of LLVM, which loads machine code; the first one finds the functions of the C library."""
    nothing = binding.parse_assembly("")
    engine = binding.create_mcjit_compiler(nothing, native_target().create_target_machine(jit=True))
    engine.remove_module(nothing)  # it would be compiled, for ten times as long as machine code is loaded
    for name, same in C_NAMES_OF_NUMBA_FUNCTIONS.items():
        address = binding.address_of_symbol(same)
        if binding.address_of_symbol(name) is None and address is not None:
            binding.add_symbol(name, address)
    return engine


@cache
def native_target() -> Any:
    """Prepare LLVM for this machine; returns the target of the machine code."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_triple(binding.get_process_triple())
