"""Arrays and matrices as values of a configuration: lists of numbers, or files with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hybridsim.config.source import Node, number_from, read_text, show
from hybridsim.errors import ConfigError
from hybridsim.model import Parameter, State
from hybridsim.model.table import is_matrix

PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".pgm")
"""Endings of files that a matrix is read from as a picture."""

TABLE_ENDINGS = (".csv", ".npy", ".txt")
"""Endings of files with numbers, where a file may stand for a word; elsewhere a text file has any ending."""

WHITE_LEVELS = (255.0, 65535.0)
"""The level of white in pictures of 8 and of 16 bits."""

_NUMBER_SEPARATORS = re.compile(r"[\s,;]+")


def is_file_name(value: Any) -> bool:
    """Return whether a value is the name of a file that a matrix can be read from."""
    return isinstance(value, str) and value.lower().endswith(PICTURE_ENDINGS + TABLE_ENDINGS)


def array_items(parameter: Parameter | State, node: Node) -> list[Any]:
    """Return the items that a node gives for an array, unchecked; a matrix begins with its rows and columns.

    Parameters
    ----------
    parameter : Parameter or State
        The parameter, an array or a matrix; or a block of states.
    node : Node
        Its value: a list, or the path of a file.

    Returns
    -------
    list
        As many items as the default has, because compiled functions cannot find out the length of an array; of a
        matrix rows, columns, and the items row by row.

    Raises
    ------
    ConfigError
        If the node is no list, the file cannot be read, or there are too few or too many items.
    """
    if isinstance(parameter, Parameter) and parameter.is_matrix:
        return matrix_items(node)
    if isinstance(node.value, str):
        items: list[Any] = file_numbers(node.origin.folder / node.value)
    elif isinstance(node.value, list | tuple):
        items = [*node.plain()]
        if isinstance(parameter, State) and items and all(isinstance(item, list | tuple) for item in items):
            items = [item for row in items for item in row]
    else:
        raise ConfigError(
            f"expected a list of numbers or the path of a CSV or NPY file, found {show(node.value)}; write [1.0, 2.0]"
        )
    expected = parameter.n_entries if isinstance(parameter, State) else len(parameter.default)  # type: ignore[arg-type]
    if len(items) != expected:
        raise ConfigError(f"expected {expected} numbers, as in the model's default, found {len(items)}; give them all")
    return items


def matrix_items(node: Node) -> list[Any]:
    """Return rows, columns and items of a matrix that is given as a file, as a list of rows, or flat as returned."""
    if isinstance(node.value, str):
        path = node.origin.folder / node.value
        return _flat(_picture(path) if path.suffix.lower() in PICTURE_ENDINGS else _table(path), f"{path}: ")
    if not isinstance(node.value, list | tuple):
        raise ConfigError(
            "expected a list of rows, or the path of a picture, a CSV or an NPY file, "
            f"found {show(node.value)}; write [[1.0, 2.0], [3.0, 4.0]]"
        )
    items = [*node.plain()]
    if items and all(isinstance(item, list | tuple) for item in items):
        return _flat(items)
    if not is_matrix(items):
        raise ConfigError(
            "expected a list of rows with equally many numbers each; write [[1.0, 2.0], [3.0, 4.0]], or flat, behind "
            "the numbers of rows and columns, [2, 2, 1.0, 2.0, 3.0, 4.0]"
        )
    return items


def _flat(rows: Sequence[Sequence[Any]], where: str = "") -> list[Any]:
    """Return rows, columns and the items row by row."""
    lengths = {len(row) for row in rows}
    if len(lengths) != 1 or lengths == {0}:
        found = " and ".join(map(str, sorted(lengths))) or "no"
        raise ConfigError(f"{where}expected rows with equally many numbers each, found {found} in a row; complete them")
    return [len(rows), *lengths, *(item for row in rows for item in row)]


def file_numbers(path: Path) -> list[float]:
    """Return the numbers in an NPY file, or in a text file separated by commas, semicolons or white space.

    Raises
    ------
    ConfigError
        If the file cannot be read, or holds anything but numbers.
    """
    if path.suffix.lower() == ".npy":
        return [float(number) for number in _npy(path).ravel()]
    return [number for row in _text_rows(path) for number in row]


def _table(path: Path) -> list[list[float]]:
    """Return the rows of an NPY file, or the lines of a text file that are not empty."""
    if path.suffix.lower() != ".npy":
        return _text_rows(path)
    array = _npy(path)
    if array.ndim != 2:
        raise ConfigError(f"{path}: expected an array with rows and columns, found the shape {array.shape}; reshape it")
    rows: list[list[float]] = array.astype(float).tolist()
    return rows


def _text_rows(path: Path) -> list[list[float]]:
    rows = []
    for line_number, line in enumerate(read_text(path).splitlines(), 1):
        numbers = []
        for text in filter(None, _NUMBER_SEPARATORS.split(line.partition("#")[0])):
            number = number_from(text)
            if number is None:
                raise ConfigError(f"{path}:{line_number}: expected a number, found {show(text)}; correct the file")
            numbers.append(float(number))
        rows += [numbers] if numbers else []
    return rows


def _npy(path: Path) -> Any:
    import numpy as np  # noqa: PLC0415  (only this rare case needs it)

    try:
        with path.open("rb") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as failure:
        raise ConfigError(f"{str(path)!r}: the NPY file cannot be read: {failure}; check its path") from None
    if array.dtype.kind not in "iuf":
        raise ConfigError(f"{path}: expected an array of real numbers, found one of {array.dtype}; convert it")
    return array


def _picture(path: Path) -> list[list[float]]:
    """Return the grey levels of a picture, 0 for black to 1 for white; the first row is the lowest of the picture."""
    import numpy as np  # noqa: PLC0415
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415

    try:
        with Image.open(path) as picture:
            deep = picture.mode.startswith("I")
            levels = np.asarray(picture if deep else picture.convert("L"), float)
            if picture.mode == "F" or levels.max(initial=0.0) > WHITE_LEVELS[deep]:
                raise ConfigError(
                    f"{path}: expected a picture of 8 or 16 bits; save its numbers as an NPY file instead"
                )
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as failure:
        raise ConfigError(
            f"{str(path)!r}: the picture cannot be read: {failure}; give the path of a PNG file, for instance"
        ) from None
    rows: list[list[float]] = (levels[::-1] / WHITE_LEVELS[deep]).tolist()
    return rows
