"""`hybridsim view`: show finished runs in 3-D."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli import interruption
from hybridsim.cli.options import (
    HtmlOption,
    ModelOption,
    RecordOption,
    WebOption,
    examples,
    picture_option,
    with_picture_options,
)

if TYPE_CHECKING:
    from hybridsim.viewer.options import ViewOptions

EXAMPLES = examples(
    "view runs/slip.h5",
    "view runs/soft.h5 runs/stiff.h5 --ghosts",
    "view runs/slip.h5 --record strides.mp4 --speed 0.5 --from 2 --to 4",
    "view runs/slip.h5 --record stance.png --at 0.3 --size 1920x1080",
    "view runs/slip.h5 --html slip.html",
    "view runs/slip.h5 --web",
)

FilesArgument = Annotated[
    list[Path], typer.Argument(metavar="RUN.h5...", help="The file of a run, or of several runs to compare.")
]
ExportOption = Annotated[
    Path | None,
    picture_option(
        "--export", metavar="FILE.gltf", help="Write the scene at the time --at, for Blender and other programs."
    ),
]
GhostsOption = Annotated[
    bool,
    typer.Option(
        "--ghosts/--side-by-side", help="Show several runs in one picture, or each in its own part of the picture."
    ),
]


@with_picture_options
def view(
    options: "ViewOptions",
    files: FilesArgument,
    record: RecordOption = None,
    html: HtmlOption = None,
    export: ExportOption = None,
    web: WebOption = False,
    *,
    ghosts: GhostsOption = False,
    model: ModelOption = None,
) -> None:
    """Show runs in 3-D, in a window, in a browser, or as files (--html, --record, --export), which need no display.

    Keys: space pauses, arrows step and scrub, + and - change the speed, c changes the camera, h lists all keys.
    """
    from hybridsim.cli import show

    options = dataclasses.replace(options, layout="ghosts" if ghosts else "side-by-side")
    if not show.show(files, model, show.Files(record, html, export), web, options):
        raise typer.Exit(interruption.exit_code())
