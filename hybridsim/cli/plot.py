"""`hybridsim plot`: draw a run or the results of a sweep."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from hybridsim.cli.options import examples
from hybridsim.errors import ConfigError, HybridsimError

EXAMPLES = examples(
    "plot runs/slip.h5",
    "plot runs/slip.h5 y leg_force -o runs/slip.pdf",
    "plot runs/slip.h5 y chart --from 2 --to 4",
    "plot runs/walk.h5 speed stance+slip",
    "plot slip-steps-to-fall steps",
    "plot slip-steps-to-fall distance touchdown_angle=-22",
)

TargetArgument = Annotated[
    Path,
    typer.Argument(metavar="RUN.h5|SWEEP", help="The file of a run, or the folder of a sweep."),
]
NamesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME | AXIS=VALUE",
        help="Of a run: outputs, states and inputs; drawn as bars over time: chart, the bits of a chart field "
        "(stance), or the bits of several fields above each other (stance+slip). Of a sweep: metrics, and axes that "
        "are fixed at the value nearest to VALUE. By default: what the model suggests, or all.",
    ),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="A .png, .pdf or .svg; by default a .png next to the run or folder."
    ),
]
AcrossOption = Annotated[
    str, typer.Option("-x", metavar="AXIS", help="Of a sweep: the horizontal axis; by default the last one.")
]
BeginOption = Annotated[
    float | None, typer.Option("--from", metavar="T", help="Of a run: the time at which the picture begins, in s.")
]
EndOption = Annotated[
    float | None, typer.Option("--to", metavar="T", help="Of a run: the time at which it ends, in s.")
]


def plot(
    target: TargetArgument,
    names: NamesArgument = None,
    picture: PictureOption = None,
    across: AcrossOption = "",
    begin: BeginOption = None,
    end: EndOption = None,
) -> None:
    """Draw a run (outputs over time, charts as bars) or a sweep.

    A sweep is drawn as curves over one axis, maps over two, or points for samples.
    """
    if target.is_dir():
        if (begin, end) != (None, None):
            raise ConfigError(
                f"command line: --from, --to: for runs, and {target} is the folder of a sweep; leave them out"
            )
        _plot_sweep(target, names or [], picture, across)
        return
    _refuse_wrong_file(target, across)
    from hybridsim.plotting import plot_run
    from hybridsim.results.reading import load_run

    picture = picture or target.with_suffix(".png")
    plot_run(load_run(target), names or [], picture, begin, end)
    typer.echo(f"wrote {picture}")


def _refuse_wrong_file(target: Path, across: str) -> None:
    if across:
        raise ConfigError(f"command line: -x: for sweeps, and {target} is not the folder of a sweep; leave it out")
    if not target.exists():
        raise ConfigError(f"{target}: there is no such file or folder; give the .h5 of a run, or the folder of a sweep")
    if target.suffix in (".yaml", ".yml", ".parquet"):
        raise ConfigError(f"{target}: expected the .h5 of a run, or the folder of a sweep; give the results to draw")


def _plot_sweep(folder: Path, names: list[str], picture: Path | None, across: str) -> None:
    from hybridsim.plotting import plot_sweep
    from hybridsim.sweeps import read_sweep

    sweep = read_sweep(folder)
    pairs = [word.partition("=") for word in names if "=" in word]
    fixed = {name.strip(): value.strip() for name, _, value in pairs}
    picture = picture or _default_picture(folder, fixed)
    metrics = [word for word in names if "=" not in word]
    planned = _planned_values(folder) if sweep.table.num_rows < sweep.n_rows else {}
    for line in plot_sweep(sweep, metrics, fixed, picture, across=across, planned=planned):
        typer.echo(line)
    typer.echo(f"wrote {picture}")


def _default_picture(folder: Path, fixed: dict[str, str]) -> Path:
    """Return FOLDER.png next to the folder, with the fixed values of axes in its name."""
    folder = folder if folder.name not in ("", "..") else folder.resolve()
    section = "".join(f"-{name}={value}" for name, value in fixed.items())
    name = folder.name + re.sub(r"[^-+.=\w]", "", section)
    return folder.with_name(f"{name}.png")


def _planned_values(folder: Path) -> dict[str, Any]:
    """Return all values of the axes of an unfinished sweep; an empty dict and a note if its config cannot be read."""
    from hybridsim.cli import console
    from hybridsim.config.sweep import load_written_sweep
    from hybridsim.sweeps.manifest import CONFIG

    try:
        return {axis.name: axis.values for axis in load_written_sweep(folder / CONFIG).axes}
    except HybridsimError as problem:
        console.show_notes([f"the axes end with the finished rows, because the config cannot be read here: {problem}"])
        return {}
