"""What tables of an identification have to agree with: the units of the model, and the times of the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hybridsim.config.identification_data import Columns, read_columns
from hybridsim.config.source import Diagnostics, Node
from hybridsim.errors import ConfigError
from hybridsim.model import Model


def refuse_other_units(
    root: Node, diagnostics: Diagnostics, measured: Mapping[str, str], model: Model, tables: Sequence[Columns]
) -> None:
    """Refuse columns whose header has another unit than the record of what was measured, or times not in s."""
    records = {record.name: record for each in (model.states, model.output_records) for record in each}
    for number, table in enumerate(tables):
        if (other := table.units.get(table.time, "s")) != "s":
            text = f"{table.path}: expected {table.time} in s, found [{other}]; convert it"
            diagnostics.error(root, ("data", number), text)
        for name, column in measured.items():
            unit = table.units.get(column)
            if unit is not None and name in records and unit != records[name].unit:
                expected = records[name].unit or "no unit"
                text = f"{table.path}: expected {column} in {expected}, found [{unit}]; convert it"
                diagnostics.error(root, ("measured", name), text)


def refuse_short_input(root: Node, diagnostics: Diagnostics, name: str, node: Node, span: tuple[float, float]) -> None:
    """Refuse a table of an input that ends before the motion; what else is wrong with it is said elsewhere."""
    file, time = node.value.get("file"), node.value.get("time")
    try:
        path = file.origin.folder / Path(file.value).expanduser()
        t = read_columns(path, time.value if time else "t", []).t
    except (AttributeError, ConfigError, TypeError):
        return
    if t[0] > span[0] or t[-1] < span[1]:
        found = f"{t[0]:g} to {t[-1]:g} s"
        text = f"{path}: expected times from {span[0]:g} to {span[1]:g} s, found {found}; give a longer input"
        diagnostics.error(root, ("inputs", name), text)
