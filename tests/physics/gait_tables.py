"""The tables of docs/walkers.md, which the tests of walkers read."""

import math
from pathlib import Path

import numpy as np

PAGE = (Path(__file__).parents[2] / "docs" / "walkers.md").read_text(encoding="utf-8")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(heading):
    """The tables below a heading, each as a list of rows; a row is a dict by the names of the columns."""
    found, header = [], None
    for line in PAGE.split(f"## {heading}\n")[1].split("\n## ")[0].splitlines():
        if not line.startswith("|"):
            header = None
        elif header is None:
            header = cells(line)
            found.append([])
        elif not line.startswith("|---"):
            found[-1].append(dict(zip(header, cells(line), strict=True)))
    return found


def table(heading):
    """The cells of the rows below a heading that begin with a number."""
    rows = [list(row.values()) for each in tables(heading) for row in each]
    return [row for row in rows if row[0][0].isdigit()]


def slope_of(cell):
    return math.radians(float(cell[:-1])) if cell.endswith("°") else float(cell.removesuffix(" rad"))


def multipliers_of(cell):
    """The numbers of "a ± b i, c", sorted."""
    found = []
    for term in cell.split(", "):
        real, _, imaginary = term.removesuffix(" i").partition(" ± ")
        found += [complex(float(real), sign * float(imaginary)) for sign in (-1, 1)] if imaginary else [float(real)]
    return np.sort_complex(found)
