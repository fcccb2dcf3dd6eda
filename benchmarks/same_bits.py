"""Compare the runs of all shipped configs before and after a change.

Writes the runs of every config into a folder, and compares two such folders:

    python benchmarks/same_bits.py record before/
    ... change something ...
    python benchmarks/same_bits.py record after/
    python benchmarks/same_bits.py compare before/ after/

Runs are compared column by column and bit by bit, sweeps by their tables. Where bits differ, the largest
difference of the event times is reported, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
HYBRIDSIM = Path(sys.executable).with_name("hybridsim")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run every config, and keep the files")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--configs", type=Path, default=ROOT / "configs")
    comparing = commands.add_parser("compare", help="compare two folders of recorded runs")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    asked = parser.parse_args()
    return record(asked.folder, asked.configs) if asked.command == "record" else compare(asked.before, asked.after)


def record(folder: Path, configs: Path) -> int:
    """Run every config into a folder of its own."""
    for config in sorted((*configs.rglob("*.yaml"), *configs.rglob("*.rc"))):
        name = config.relative_to(configs).as_posix().replace("/", "-").replace(".", "-")
        command = "sweep" if "sweep" in config.parts[-2] else "run"
        extra = [] if command == "sweep" else ["--no-view"]
        subprocess.run([HYBRIDSIM, command, config, f"output.folder={(folder / name).resolve()}", *extra], check=False)
    return 0


def compare(before: Path, after: Path) -> int:
    """Compare every run of one folder with its namesake in the other; the number of those that differ, at most 1."""
    names = sorted({file.parent.relative_to(before) for file in (*before.rglob("*.h5"), *before.rglob("*.parquet"))})
    different = 0
    for name in names:
        files = sorted((before / name).iterdir())
        differences = [line for file in files for line in differences_of(file, after / name)]
        different += bool(differences)
        print(f"{name}: {'; '.join(differences) or 'same bits'}")
    print(f"{len(names)} configs, {different} differ")
    return min(different, 1) if names else 1


def differences_of(file: Path, folder: Path) -> list[str]:
    other = folder / file.name
    if file.suffix not in (".h5", ".parquet"):
        return []
    if not other.is_file():
        return [f"{file.name} is missing"]
    mine, theirs = (columns_of(path) for path in (file, other))
    shared = [name for name in mine if name in theirs]
    lines = [] if mine.keys() <= theirs.keys() else [f"missing: {', '.join(sorted(mine.keys() - theirs.keys()))}"]
    unequal = [name for name in shared if not same(mine[name], theirs[name])]
    if unequal:
        lines.append(f"{', '.join(unequal[:6])} differ{event_difference(mine, theirs)}")
    return lines


def columns_of(file: Path) -> dict[str, np.ndarray]:
    """The numeric columns of a run file or of a part of a sweep."""
    if file.suffix == ".parquet":
        table = pq.read_table(file)
        return {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}
    found: dict[str, np.ndarray] = {}

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiub" and item.ndim:
            found[name] = item[()]

    with h5py.File(file) as opened:
        opened.visititems(visit)
    return found


def same(mine: np.ndarray, theirs: np.ndarray) -> bool:
    if mine.dtype == object:  # words, whose bytes are addresses
        return np.array_equal(mine, theirs)
    return mine.shape == theirs.shape and mine.tobytes() == theirs.astype(mine.dtype, copy=False).tobytes()


def event_difference(mine: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> str:
    """By how much the event times differ, if there are as many events."""
    a, b = mine.get("events/t"), theirs.get("events/t")
    if a is None or b is None:
        return ""
    if a.shape != b.shape:
        return f" ({len(a)} and {len(b)} events)"
    return f" (event times by at most {np.abs(a - b).max(initial=0.0):.3g} s)"


if __name__ == "__main__":
    sys.exit(main())
