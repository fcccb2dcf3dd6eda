"""The cache folder: what other users can write is not executed, and a damaged file is made again."""

import contextlib
import ctypes
import os
import pickle
import resource
import signal
import stat
import subprocess
import sys

import numpy as np
import pytest

from hybridsim import ConfigError, load_model
from hybridsim.engine.compiler import cache_folder, compilation, object_file
from hybridsim.engine.compiler.backend import dispatchers
from hybridsim.engine.compiler.cache_folder import cache_root, private_folder, read_private, write_private
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX
from hybridsim.engine.compiler.target import platform_key
from hybridsim.errors import CacheWarning

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no POSIX permissions")
compiled_only = pytest.mark.skipif(not JIT, reason="interpreted functions are not compiled")
NOBODY = 65534
PLUGIN = """
from hybridsim import Model

def vector_field(xdot, t, x, p, chart):
    xdot[0] = 2.0 * x[0] + 0.5

MODEL = Model("growth", ["y"], vector_field=vector_field)
"""


def give_away(path):
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to another user")
    os.chown(path, NOBODY, -1)


CONTROL = {
    "of another user": (give_away, "belongs to another user"),
    "writable by the group": (lambda path: path.chmod(0o770), "can be written by other users"),
    "writable by all": (lambda path: path.chmod(0o777), "can be written by other users"),
    "writable by all, sticky": (lambda path: path.chmod(0o1777), "can be written by other users"),
    "writable by others alone": (lambda path: path.chmod(0o702), "can be written by other users"),
}


class Bomb:
    """Executes a command when it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The cache folder of this process for one test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("HYBRIDSIM_CACHE_DIR", str(folder))
    cache_root.cache_clear()
    compilation.compile_or_load.cache_clear()
    yield folder
    cache_root.cache_clear()
    compilation.compile_or_load.cache_clear()


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "growth.py"
    path.write_text(PLUGIN)
    return path


def compiled(plugin):
    """Compile the plug-in's function as in a new process, and return its file."""
    compilation.compile_or_load.cache_clear()
    model = load_model(plugin)
    compilation.compile_functions(model.name, model.functions)
    (file,) = (cache_root() / platform_key() / "functions").glob("*.bin")
    return file


def test_folders_that_are_made_belong_to_the_user_alone_whatever_the_umask(root):
    before = os.umask(0)
    try:
        folder = private_folder(cache_root(), "a", "b")
        write_private(folder / "c.bin", b"content")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (root, root / "a", root / "a" / "b", folder / "c.bin")]
    assert modes == [0o700, 0o700, 0o700, 0o600]
    assert read_private(folder / "c.bin") == b"content"


@pytest.mark.parametrize("kind", CONTROL)
def test_a_cache_folder_that_others_control_is_refused_in_one_sentence(kind, root):
    change, problem = CONTROL[kind]
    root.mkdir()
    change(root)
    with pytest.raises(ConfigError) as caught:
        cache_root()
    (sentence,) = caught.value.problems
    assert sentence.startswith(f"{root}: this cache folder {problem}")
    assert "set HYBRIDSIM_CACHE_DIR to a folder" in sentence
    assert list(root.iterdir()) == []


@pytest.mark.members
@pytest.mark.parametrize("kind", CONTROL)
@pytest.mark.parametrize("inner", ["", "functions"])
@compiled_only
def test_folders_within_it_are_checked_too(inner, kind, root, plugin):
    change, problem = CONTROL[kind]
    file = compiled(plugin)
    folder = root / platform_key() / inner
    change(folder)
    file.write_bytes(pickle.dumps(Bomb(root / "bomb")))
    with pytest.raises(ConfigError, match=problem):
        compiled(plugin)
    assert not (root / "bomb").exists()


def test_a_folder_that_others_may_only_read_is_used(root):
    root.mkdir()
    root.chmod(0o755)
    assert cache_root() == root


@pytest.mark.parametrize("kind", CONTROL)
@compiled_only
def test_a_file_that_others_control_is_not_read_and_made_again(kind, root, plugin):
    change, _ = CONTROL[kind]
    file = compiled(plugin)
    whole = file.read_bytes()
    change(file)
    assert read_private(file) is None
    compiled(plugin)
    assert (file.stat().st_uid, stat.S_IMODE(file.stat().st_mode)) == (os.geteuid(), 0o600)
    assert len(file.read_bytes()) == len(whole)


# Damage.


def damages(data):
    """Single flipped bits from the first byte to the last, and other damage."""
    for position in {*range(0, 60, 3), *range(0, len(data), max(1, len(data) // 40)), len(data) - 1}:
        yield f"byte {position}", data[:position] + bytes([data[position] ^ (1 << position % 8)]) + data[position + 1 :]
    for n in (0, 1, 19, 51, 52, len(data) // 2, len(data) - 1):
        yield f"{n} bytes", data[:n]
    yield "a longer file", data + b"\0"
    yield "another program's file", b"x" * len(data)


@compiled_only
def test_no_damaged_file_is_loaded(root, plugin):
    file = compiled(plugin)
    whole = file.read_bytes()
    for name, data in damages(whole):
        file.write_bytes(data)
        assert object_file.read_object(file) is None, name
    file.write_bytes(whole)
    assert object_file.read_object(file) is not None


@compiled_only
@pytest.mark.parametrize("damage", ["byte 30", "1 bytes", "a longer file", "a pickle", "the file of another function"])
def test_a_damaged_file_is_compiled_anew_and_replaced(damage, root, plugin):
    file = compiled(plugin)
    whole = file.read_bytes()
    if damage == "a pickle":
        file.write_bytes(pickle.dumps(Bomb(root / "bomb")))
    elif damage == "the file of another function":
        other = file.with_name("0" * 32 + ".bin")
        object_file.write_object(other, object_file.read_object(file))
        other.rename(file)
    else:
        file.write_bytes(dict(damages(whole))[damage])
    assert compiled(plugin) == file
    assert object_file.read_object(file) is not None
    assert not (root / "bomb").exists()


@pytest.mark.members(3)
@compiled_only
@pytest.mark.parametrize("damage", ["byte 30", "1 bytes", "a longer file", "a pickle", "the file of another function"])
def test_a_damaged_file_of_a_dispatcher_is_not_unpickled(damage, root, monkeypatch):
    def add(a, b):
        return a + b

    assert dispatchers.dispatcher(add, "1")(2.0, 3.0) == 5.0
    (file,) = root.rglob("dispatchers/*.bin")
    whole = file.read_bytes()
    if damage == "a pickle":
        file.write_bytes(pickle.dumps(Bomb(root / "bomb")))
    elif damage == "the file of another function":
        other = file.with_name("another.bin")
        object_file.write_verified(other, object_file.read_verified(file))
        other.rename(file)
    else:
        file.write_bytes(dict(damages(whole))[damage])
    unpickled = []
    monkeypatch.setattr(dispatchers.pickle, "loads", unpickled.append)
    assert dispatchers.dispatcher(add, "1")(2.0, 3.0) == 5.0
    assert unpickled == []
    assert not (root / "bomb").exists()
    assert file.read_bytes() != b""
    assert object_file.read_verified(file) is not None


def test_a_folder_that_cannot_be_written_is_replaced_by_a_temporary_one(root, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError("read-only")

    removals = []
    monkeypatch.setattr(cache_folder.tempfile, "TemporaryFile", refuse)
    monkeypatch.setattr(cache_folder.atexit, "register", lambda *call: removals.append(call))
    with pytest.warns(CacheWarning, match=rf"{root}: .* \(read-only\).* set HYBRIDSIM_CACHE_DIR to another folder"):
        folder = cache_root()
    assert folder.name.startswith("hybridsim-cache-")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (folder / "of_this_process.bin").touch()
    ((remove, *arguments),) = removals
    monkeypatch.setattr(cache_folder.os, "getpid", lambda: -1)  # in a fork
    remove(*arguments)
    assert folder.exists()
    monkeypatch.undo()
    remove(*arguments)
    assert not folder.exists()


@contextlib.contextmanager
def largest_file(folder, size):
    """A disk that is full, as far as files go: none may be larger."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def small_disk(folder, size):
    """A disk that is full for real."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", folder]
    if subprocess.run(command, capture_output=True, check=False, timeout=60).returncode:
        pytest.skip("mounting needs root")
    try:
        (folder / "others").write_bytes(bytes(size))
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True, timeout=60)


@pytest.mark.parametrize("disk", [largest_file, small_disk])
@compiled_only
def test_on_a_full_disk_functions_are_compiled_and_not_kept(disk, root, plugin):
    with disk(root, 16384 if disk is small_disk else 1000):
        for _ in range(2):  # as in two processes
            compilation.compile_or_load.cache_clear()
            model = load_model(plugin)
            with pytest.warns(CacheWarning, match=rf"{root}: this cache folder cannot be written \("):
                functions = compilation.compile_functions(model.name, model.functions)
            slope = np.zeros(1)
            call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p, ctypes.c_double] + [ctypes.c_void_p] * 2, ctypes.c_int64)
            x = np.array([3.0])
            call(int(functions.addresses[FUNCTION_INDEX["vector_field"]]))(
                slope.ctypes.data, 0.0, x.ctypes.data, None, 0
            )
            assert slope.tolist() == [6.5]
            assert [*(root / platform_key() / "functions").iterdir()] == []
    if disk is largest_file:
        assert compiled(plugin).exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from hybridsim.engine.compiler import cache_folder, compilation, keys
from hybridsim import load_model

keys.machine_key()  # which writes what it has found in sources

class HalfWritten:
    def __init__(self, number, mode): self.number = number
    def __enter__(self): return self
    def __exit__(self, *problem): raise AssertionError("killed")
    def write(self, content):
        os.write(self.number, content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

cache_folder.os.fdopen = HalfWritten
model = load_model(sys.argv[1])
compilation.compile_functions(model.name, model.functions)
"""


@pytest.mark.exhaustive  # damaged files are made anew in the ordinary run
@pytest.mark.slow
@compiled_only
def test_a_process_killed_while_it_writes_a_compiled_function_does_not_disturb_the_next_one(root, plugin):
    died = subprocess.run([sys.executable, "-c", KILLED, plugin], capture_output=True, check=False, timeout=120)
    assert died.returncode == -signal.SIGKILL
    (half,) = (root / platform_key() / "functions").iterdir()
    assert half.stat().st_size > 0
    file = compiled(plugin)
    assert object_file.read_object(file) is not None
    assert half.exists()  # never read, whatever is in it: its name is no function's


def test_the_command_line_ends_with_the_sentence_and_code_2(tmp_path, plugin):
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    (tmp_path / "run.yaml").write_text("model: ./growth.py\nfinal_time: 0.1\n")
    process = subprocess.run(
        [sys.executable, "-m", "hybridsim", "run", "run.yaml"],
        cwd=tmp_path,
        env=os.environ | {"HYBRIDSIM_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert process.returncode == 2
    assert process.stderr.startswith(f"{folder}: this cache folder can be written by other users")
    assert len(process.stderr.splitlines()) == 1
    assert list(folder.iterdir()) == []


@compiled_only
def test_a_file_that_names_what_this_machine_does_not_have_is_made_anew(root, plugin):
    file = compiled(plugin)
    kept = object_file.read_object(file)
    object_file.write_object(file, kept._replace(needed=("a_function_of_another_library",)))
    assert object_file.load(object_file.read_object(file)) is None
    compiled(plugin)
    assert object_file.read_object(file).needed == kept.needed
