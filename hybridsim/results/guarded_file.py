"""Access to an HDF5 file that may be damaged: what is read is what was expected, or a ConfigError names the place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Never, TypeVar

import h5py
import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.results.schema import INTEGERS, NUMBERS, TEXTS, Entry

KINDS_OF_NUMPY = {NUMBERS: "f", INTEGERS: "iu", TEXTS: "OS"}
TYPES = {NUMBERS: np.float64, INTEGERS: np.int64}

LARGEST_RATIO = 2000
"""No compression makes a dataset smaller than its size by more than this factor."""

SHOWN_CHARACTERS = 80
"""Most characters of a found value that a message contains."""

Result = TypeVar("Result")


class GuardedFile:
    """An open HDF5 file whose contents are checked when they are read.

    Parameters
    ----------
    path : Path
        The file, for messages.
    file : h5py.File
        The same file, open.

    Attributes
    ----------
    sizes : dict of str to int
        The sizes that the entries read so far have determined.
    """

    def __init__(self, path: Path, file: Any) -> None:
        self._path, self._file = path, file
        self._n_bytes = path.stat().st_size
        self.sizes: dict[str, int] = {}

    def refuse(self, place: str, problem: object) -> Never:
        """Raise a ConfigError about a place in the file."""
        text = " ".join(str(problem).split()).encode("utf-8", "replace").decode()
        raise ConfigError(f"{self._path}: {place}: {text}; run the simulation again") from None

    def guarded(self, place: str, function: Callable[[], Result]) -> Result:
        """Call a function that reads this place; whatever it raises becomes a ConfigError."""
        try:
            return function()
        except ConfigError as error:
            if str(error).startswith(f"{self._path}: "):
                raise
            self.refuse(place, error)
        except Exception as error:  # h5py and the HDF5 library raise anything
            self.refuse(place, f"cannot be read ({error or type(error).__name__})")

    def has(self, name: str) -> bool:
        """Find out whether there is a dataset or group of this name."""
        return self.guarded(f"/{name}", lambda: name in self._file)

    def refuse_missing(self, datasets: Iterable[str], attributes: Iterable[tuple[str, str]]) -> None:
        """Raise one error with all of these datasets, groups and attributes that are missing."""
        missing = [f"/{name}" for name in datasets if not self.has(name)]
        for name, attribute in attributes:
            if (name == "/" or self.has(name)) and not self.has_attribute(name, attribute):
                missing.append(_place(name, attribute))
        if missing:
            raise ConfigError(
                f"{self._path}: the file is damaged: {', '.join(missing)} missing in the file; run the simulation again"
            )

    def has_attribute(self, name: str, attribute: str) -> bool:
        """Find out whether a dataset or group has this attribute."""
        return self.guarded(_place(name, attribute), lambda: attribute in self._file[name].attrs)

    def names_in(self, group: str) -> list[str]:
        """Return the names of the datasets in a group."""
        return [_printable(name) for name in self.guarded(f"/{group}", lambda: [*self._group(group)])]

    def attributes_of(self, group: str) -> list[str]:
        """Return the names of the attributes of a group."""
        return [_printable(name) for name in self.guarded(f"/{group}", lambda: [*self._group(group).attrs])]

    def _group(self, name: str) -> Any:
        group = self._file[name]
        if not isinstance(group, h5py.Group):
            self.refuse(f"/{name}", "expected a group, found something else")
        return group

    def dataset(self, name: str, entry: Entry) -> Any:
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
                self.refuse(f"/{name}", f"expected {self._expected(entry)}, found nothing")
            return None
        return self.guarded(f"/{name}", lambda: self._read_dataset(name, entry))

    def _read_dataset(self, name: str, entry: Entry) -> Any:
        data = self.open_dataset(name, self._expected(entry))
        self._check_type(f"/{name}", entry, data.dtype, data.shape)
        values = data.asstr()[()] if entry.kind == TEXTS else data[()]
        return self._checked(f"/{name}", entry, values)

    def open_dataset(self, name: str, expected: str) -> Any:
        """Return a dataset whose size fits the file, not yet read; `expected` is for messages."""
        for part in (name.rpartition("/")[0], name):
            if part and isinstance(self._file.get(part, getlink=True), h5py.ExternalLink):
                self.refuse(f"/{part}", f"expected {expected}, found a link to another file")
        data = self._file[name]
        if not isinstance(data, h5py.Dataset):
            self.refuse(f"/{name}", f"expected {expected}, found a {type(data).__name__.lower()}")
        if data.shape is None:
            self.refuse(f"/{name}", f"expected {expected}, found nothing")
        if data.is_virtual or data.external:
            self.refuse(f"/{name}", f"expected {expected}, found data of another file")
        self._check_room(f"/{name}", data.dtype, data.shape, 1 if data.chunks is None else LARGEST_RATIO)
        return data

    def attribute(self, name: str, attribute: str, entry: Entry) -> Any:
        """Read an attribute of a dataset or group, "/" for the file itself; otherwise as `dataset`."""
        place = _place(name, attribute)
        if not self.has_attribute(name, attribute):
            if entry.required:
                self.refuse(place, f"expected {self._expected(entry)}, found nothing")
            return None
        return self.guarded(place, lambda: self._read_attribute(name, attribute, entry))

    def _read_attribute(self, name: str, attribute: str, entry: Entry) -> Any:
        place, attributes = _place(name, attribute), self._file[name].attrs
        identifier = attributes.get_id(attribute)
        if identifier.get_space().get_simple_extent_type() == h5py.h5s.NULL:
            self.refuse(place, f"expected {self._expected(entry)}, found nothing")
        self._check_room(place, identifier.dtype, identifier.shape, 1)
        self._check_type(place, entry, identifier.dtype, identifier.shape)
        values = attributes[attribute]
        if entry.kind == TEXTS:
            values = np.array([_text(value) for value in np.ravel(values)], dtype=object).reshape(identifier.shape)
        return self._checked(place, entry, values)

    def attribute_number(self, name: str, attribute: str) -> float:
        """Read an attribute that is one number: an int if it is stored as an integer."""
        place = _place(name, attribute)
        kind = self.guarded(place, lambda: self._file[name].attrs.get_id(attribute).dtype.kind)
        entry = Entry(INTEGERS if kind in KINDS_OF_NUMPY[INTEGERS] else NUMBERS)
        value: float = self.attribute(name, attribute, entry).item()
        return value

    def _check_room(self, place: str, dtype: Any, shape: tuple[int, ...], ratio: int) -> None:
        n_bytes = math.prod(shape) * dtype.itemsize
        if n_bytes > ratio * self._n_bytes:
            self.refuse(place, f"expected data that fit in the file, found shape {shape}")

    def _check_type(self, place: str, entry: Entry, dtype: Any, shape: tuple[int, ...]) -> None:
        right = dtype.kind in KINDS_OF_NUMPY[entry.kind]
        if entry.kind == TEXTS:
            right = h5py.check_string_dtype(dtype) is not None
        sizes = zip(shape, entry.shape, strict=False)
        right_shape = len(shape) == len(entry.shape) and all(self.sizes.get(name, n) == n for n, name in sizes)
        if not (right and right_shape):
            found = "texts" if h5py.check_string_dtype(dtype) is not None else str(dtype)
            self.refuse(place, f"expected {self._expected(entry)}, found {found}{_of_shape(shape)}")

    def _checked(self, place: str, entry: Entry, values: Any) -> Any:
        """Check the values, note the sizes that they determine, and return them in the types of a run."""
        if entry.kind == TEXTS:
            self._check_texts(place, entry, values)
        else:
            values = np.asarray(values).astype(TYPES[entry.kind])
            self._check_numbers(place, entry, values)
        self.sizes |= dict(zip(entry.shape, np.shape(values), strict=True))
        return values if entry.shape or entry.kind != TEXTS else str(np.asarray(values).item())

    def _check_texts(self, place: str, entry: Entry, values: Any) -> None:
        for value in np.ravel(np.asarray(values, dtype=object)):
            if _printable(value) != value or "\0" in value:
                self.refuse(place, f"expected UTF-8 text, found {value!a:.{SHOWN_CHARACTERS}}")
            if entry.words and value not in entry.words:
                self.refuse(place, f"expected {', '.join(entry.words)}, found {value!r:.{SHOWN_CHARACTERS}}")

    def _check_numbers(self, place: str, entry: Entry, values: Any) -> None:
        if entry.finite and not np.isfinite(values).all():
            wrong = values[~np.isfinite(values)].flat[0]
            self.refuse(place, f"expected finite numbers, found {wrong}")
        if entry.limits is not None:
            least, above = entry.limits
            above = self.sizes[above] if isinstance(above, str) else above
            if (outside := (values < least) | (values >= above)).any():
                self.refuse(place, f"expected integers from {least} to {above - 1}, found {values[outside].flat[0]}")

    def _expected(self, entry: Entry) -> str:
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
