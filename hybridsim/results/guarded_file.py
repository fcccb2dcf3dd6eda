"""Access to an HDF5 file that may be damaged: what is read is what was expected, or a ConfigError names the place."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never, TypeVar

import h5py
import numpy as np
from h5py import h5a, h5d, h5l, h5o, h5s

from hybridsim.errors import ConfigError
from hybridsim.results.schema import INTEGERS, NUMBERS, TEXTS, FileEntry
from hybridsim.results.text_heaps import find_damaged_heap

ENTRY_KINDS = {"f": NUMBERS, "i": INTEGERS, "u": INTEGERS}
"""Kinds of entries by those of NumPy."""

ENTRY_TYPES = {NUMBERS: np.float64, INTEGERS: np.int64}

LARGEST_RATIO = 2000
"""No compression makes a dataset smaller than its size by more than this factor."""

SHOWN_CHARACTERS = 80
"""Most characters of a found value that a message contains."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Stored:
    """A dataset or an attribute that fits in the file, not yet read.

    Attributes
    ----------
    place : str
        Where it is, for messages.
    shape : tuple of int
        Its shape, () for one value.
    dtype : numpy.dtype
        Its type.
    read : callable
        read(values) fills an array of this shape and type.
    """

    place: str
    shape: tuple[int, ...]
    dtype: Any
    read: Callable[[Any], object]

    @property
    def kind(self) -> str | None:
        """The kind of entry that it can be; None if it can be none."""
        if self.dtype.kind in "OS":
            return TEXTS if h5py.check_string_dtype(self.dtype) is not None else None
        return ENTRY_KINDS.get(self.dtype.kind)


def read_guarded(path: Path, what: str, remedy: str, read: Callable[[GuardedFile], Result]) -> Result:
    """Open a file that may be damaged, and read it.

    Parameters
    ----------
    path : Path
        The file.
    what : str
        Whose file it is, for messages: "a run".
    remedy : str
        What to do if it is damaged.
    read : callable
        Reads the open file.

    Returns
    -------
    object
        What `read` returns.

    Raises
    ------
    ConfigError
        If there is no such file, or it is damaged.
    """
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file; give the .h5 file of {what}")
    try:
        if (position := find_damaged_heap(path)) is not None:
            raise ConfigError(f"{path}: the file is damaged: the texts at byte {position}; {remedy}")
        with h5py.File(path, "r") as file:
            return read(GuardedFile(path, file, remedy))
    except ConfigError:
        raise
    except Exception as problem:  # a damaged file makes h5py raise anything
        if not h5py.is_hdf5(path):
            raise ConfigError(f"{path}: not an HDF5 file; give the .h5 file of {what}") from None
        raise ConfigError(f"{path}: the file is damaged or incomplete ({problem}); {remedy}") from None


class GuardedFile:
    """An open HDF5 file whose contents are checked when they are read.

    Parameters
    ----------
    path : Path
        The file, for messages.
    file : h5py.File
        The same file, open.
    remedy : str
        What messages about damage recommend.

    Attributes
    ----------
    path : Path
        The file.
    sizes : dict of str to int
        The sizes that the entries read so far have determined.
    """

    def __init__(self, path: Path, file: Any, remedy: str = "run the simulation again") -> None:
        self.path, self._remedy = path, remedy
        self._n_bytes = path.stat().st_size
        self._opened: dict[str, Any] = {"": h5o.open(file.id, b"/")}
        self._datasets: dict[str, Stored] = {}
        self.sizes: dict[str, int] = {}

    def refuse(self, place: str, problem: object) -> Never:
        """Raise a ConfigError about a place in the file."""
        text = " ".join(str(problem).split()).encode("utf-8", "replace").decode()
        raise ConfigError(f"{self.path}: {place}: {text}; {self._remedy}") from None

    def guard(self, place: str, function: Callable[[], Result]) -> Result:
        """Call a function that reads this place; whatever it raises becomes a ConfigError."""
        try:
            return function()
        except ConfigError as error:
            if str(error).startswith(f"{self.path}: "):
                raise
            self.refuse(place, error)
        except Exception as error:  # h5py and the HDF5 library raise anything
            self.refuse(place, f"cannot be read ({error or type(error).__name__})")

    def has(self, name: str) -> bool:
        """Find out whether there is a dataset or group of this name."""
        return self.guard(f"/{name}", lambda: self._has(name))

    def _has(self, name: str) -> bool:
        if name in self._opened:
            return True
        group, _, link = name.rpartition("/")
        return self._has(group) and self._is_group(group) and self._object(group).links.exists(link.encode())

    def _is_group(self, name: str) -> bool:
        return isinstance(self._object(name), h5py.h5g.GroupID)

    def _object(self, name: str) -> Any:
        """Return a dataset or group, "" for the file itself. It is opened once, and only if it is in this file."""
        if name not in self._opened:
            group, _, link = name.rpartition("/")
            parent = self._object(group)
            if parent.links.get_info(link.encode()).type == h5l.TYPE_EXTERNAL:
                self.refuse(f"/{name}", "expected data in this file, found a link to another file")
            self._opened[name] = h5o.open(parent, link.encode())
        return self._opened[name]

    def refuse_missing(self, datasets: Iterable[str], attributes: Iterable[tuple[str, str]]) -> None:
        """Raise one error with all of these datasets, groups and attributes that are missing."""
        missing = [f"/{name}" for name in datasets if not self.has(name)]
        for name, attribute in attributes:
            if (name == "/" or self.has(name)) and not self.has_attribute(name, attribute):
                missing.append(_place(name, attribute))
        if missing:
            raise ConfigError(
                f"{self.path}: the file is damaged: {', '.join(missing)} missing in the file; {self._remedy}"
            )

    def refuse_other_format(self, version: int) -> None:
        """Raise an error if the file is not in this format: which version wrote it, and what to do."""
        found = self.attribute("/", "format_version", FileEntry(INTEGERS)).item()
        if found != version:
            named = self.has("versions") and self.has_attribute("versions", "hybridsim")
            writer = f" {self.attribute('versions', 'hybridsim', FileEntry(TEXTS))}" if named else ""
            raise ConfigError(
                f"{self.path}: written in format {found} by hybridsim{writer or ' of another version'}, and this one "
                f"reads format {version}; use that version, or {self._remedy}"
            )

    def has_attribute(self, name: str, attribute: str) -> bool:
        """Find out whether a dataset or group, "/" for the file itself, has this attribute."""
        key = attribute.encode()
        return self.guard(_place(name, attribute), lambda: bool(h5a.exists(self._object(name.strip("/")), key)))

    def names_in(self, group: str) -> list[str]:
        """Return the names of the datasets in a group."""
        return [_printable(name) for name in self.guard(f"/{group}", lambda: [*self._group(group)])]

    def attributes_of(self, group: str) -> list[str]:
        """Return the names of the attributes of a group."""
        return [_printable(name) for name in self.guard(f"/{group}", lambda: [*self._group(group).attrs])]

    def _group(self, name: str) -> Any:
        if not self._is_group(name):
            self.refuse(f"/{name}", "expected a group, found something else")
        return h5py.Group(self._object(name))

    def dataset(self, name: str, entry: FileEntry) -> Any:
        """Read a dataset.

        Parameters
        ----------
        name : str
            Its name, with the groups that it is in.
        entry : Entry
            What is expected.

        Returns
        -------
        array, str or None
            Numbers as float64 or int64, texts as an array of str; None if it is missing and not required.

        Raises
        ------
        ConfigError
            If it is not what is expected, or cannot be read.
        """
        if not self.has(name):
            if entry.required:
                self.refuse(f"/{name}", f"expected {self._describe_entry(entry)}, found nothing")
            return None
        expected = self._describe_entry(entry)
        return self.guard(f"/{name}", lambda: self._read(self.open_dataset(name, expected), entry))

    def open_dataset(self, name: str, expected: str) -> Stored:
        """Return a dataset whose size fits the file, not yet read; `expected` is for messages."""
        if name not in self._datasets:
            place, data = f"/{name}", self._object(name)
            if not isinstance(data, h5d.DatasetID):
                self.refuse(place, f"expected {expected}, found a {'group' if self._is_group(name) else 'datatype'}")
            properties = data.get_create_plist()
            layout = properties.get_layout()
            if layout == h5d.VIRTUAL or properties.get_external_count():
                self.refuse(place, f"expected {expected}, found data of another file")
            read = functools.partial(data.read, h5s.ALL, h5s.ALL)
            ratio = LARGEST_RATIO if layout == h5d.CHUNKED else 1
            self._datasets[name] = self._make_stored(place, data, read, expected, ratio)
        return self._datasets[name]

    def _make_stored(self, place: str, data: Any, read: Callable[[Any], object], expected: str, ratio: int) -> Stored:
        space, dtype = data.get_space(), data.dtype
        if space.get_simple_extent_type() == h5s.NULL:
            self.refuse(place, f"expected {expected}, found nothing")
        shape = space.get_simple_extent_dims()
        if math.prod(shape) * dtype.itemsize > ratio * self._n_bytes:
            self.refuse(place, f"expected data that fit in the file, found shape {shape}")
        return Stored(place, shape, dtype, read)

    def attribute(self, name: str, attribute: str, entry: FileEntry) -> Any:
        """Read an attribute of a dataset or group, "/" for the file itself; otherwise as `dataset`."""
        place = _place(name, attribute)
        if not self.has_attribute(name, attribute):
            if entry.required:
                self.refuse(place, f"expected {self._describe_entry(entry)}, found nothing")
            return None
        return self.guard(place, lambda: self._read(self._open_attribute(name, attribute, entry), entry))

    def attribute_number(self, name: str, attribute: str) -> float:
        """Read an attribute that is one number: an int if it is stored as an integer."""
        place, number = _place(name, attribute), FileEntry(NUMBERS)
        stored = self.guard(place, lambda: self._open_attribute(name, attribute, number))
        entry = FileEntry(INTEGERS if stored.kind == INTEGERS else NUMBERS)
        value: float = self.guard(place, lambda: self._read(stored, entry)).item()
        return value

    def _open_attribute(self, name: str, attribute: str, entry: FileEntry) -> Stored:
        data = h5a.open(self._object(name.strip("/")), attribute.encode())
        return self._make_stored(_place(name, attribute), data, data.read, self._describe_entry(entry), 1)

    def _read(self, stored: Stored, entry: FileEntry) -> Any:
        self._check_type(stored, entry)
        values = np.zeros(stored.shape, stored.dtype)
        if values.size:
            stored.read(values)
        if entry.kind == TEXTS:
            values = np.array([_text(value) for value in values.flat], dtype=object).reshape(stored.shape)
        return self._check_values(stored.place, entry, values)

    def _check_type(self, stored: Stored, entry: FileEntry) -> None:
        shape = stored.shape
        sizes = zip(shape, entry.shape, strict=False)
        right_shape = len(shape) == len(entry.shape) and all(self.sizes.get(name, n) == n for n, name in sizes)
        if stored.kind != entry.kind or not right_shape:
            found = TEXTS if stored.kind == TEXTS else str(stored.dtype)
            self.refuse(stored.place, f"expected {self._describe_entry(entry)}, found {found}{_of_shape(shape)}")

    def _check_values(self, place: str, entry: FileEntry, values: Any) -> Any:
        """Check the values, note the sizes that they determine, and return them in the types of a run."""
        if entry.kind == TEXTS:
            self._check_texts(place, entry, values)
        else:
            values = values.astype(ENTRY_TYPES[entry.kind])
            self._check_numbers(place, entry, values)
        self.sizes |= zip(entry.shape, values.shape, strict=True)
        return values if entry.shape or entry.kind != TEXTS else values.item()

    def _check_texts(self, place: str, entry: FileEntry, values: Any) -> None:
        for value in dict.fromkeys(values.flat):
            if _printable(value) != value or "\0" in value:
                self.refuse(place, f"expected UTF-8 text, found {value!a:.{SHOWN_CHARACTERS}}")
            if entry.words and value not in entry.words:
                self.refuse(place, f"expected {', '.join(entry.words)}, found {value!r:.{SHOWN_CHARACTERS}}")

    def _check_numbers(self, place: str, entry: FileEntry, values: Any) -> None:
        if entry.finite and not np.isfinite(values).all():
            wrong = values[~np.isfinite(values)].flat[0]
            self.refuse(place, f"expected finite numbers, found {wrong}")
        if entry.limits is not None:
            least, above = entry.limits
            above = self.sizes[above] if isinstance(above, str) else above
            if (outside := (values < least) | (values >= above)).any():
                self.refuse(place, f"expected integers from {least} to {above - 1}, found {values[outside].flat[0]}")

    def _describe_entry(self, entry: FileEntry) -> str:
        if not entry.shape:
            return {NUMBERS: "a number", INTEGERS: "an integer", TEXTS: "a text"}[entry.kind]
        known = [str(self.sizes.get(name, name)) for name in entry.shape]
        return f"{entry.kind} of shape ({', '.join(known)})"


def _place(name: str, attribute: str) -> str:
    where = "the file" if name == "/" else f"/{name}"
    return f"the attribute {attribute} of {where}"


def _of_shape(shape: tuple[int, ...]) -> str:
    return f" of shape ({', '.join(map(str, shape))})" if shape else ", one value"


def _text(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def _printable(text: str) -> str:
    """Return a text with a question mark for every character that is not UTF-8."""
    return text.encode("utf-8", "replace").decode()
