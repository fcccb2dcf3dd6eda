"""`hybridsim run`: simulate, write the files, and optionally show or record the run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybridsim.cli.exit_codes import exit_code
from hybridsim.cli.options import (
    ConfigOption,
    HtmlOption,
    RecordOption,
    WebOption,
    config_and_overrides,
    config_argument,
    examples,
    picture_option,
    with_picture_options,
)

if TYPE_CHECKING:
    from hybridsim.config import RunConfig
    from hybridsim.viewer.options import ViewOptions

EXAMPLES = examples(
    "run slip final_time=3",
    "run configs/slip.yaml",
    "run configs/slip.yaml parameters.k=25e3 engine.rtol=1e-9 output.folder=runs",
    "run -c SimSect.rc g=9.81",
    "run configs/slip.yaml --dry-run",
    "run configs/slip.yaml --events",
    "run configs/slip.yaml --view --speed 0.25",
    "run configs/slip.yaml --record strides.mp4",
    "run configs/slip.yaml --html slip.html",
    "run gait.h5 strides=30 --view",
)
DEFAULT_CONFIG_FILE = "SimSect.rc"

Arguments = Annotated[
    list[str] | None,
    config_argument(
        "A YAML or SimSect rc file (by default SimSect.rc in this folder), a model (its name or .py file) with its "
        "defaults, or the file of an orbit, and values that override the file's; for an orbit also strides=N."
    ),
]
PrintConfigOption = Annotated[
    bool, typer.Option("--dry-run", help="Print the resolved config with the origin of every value, and stop.")
]
PrintEventsOption = Annotated[bool, typer.Option("--events", help="Print each event while the run is computed.")]
ViewOption = Annotated[
    bool | None,
    picture_option("--view/--no-view", help="Show the run in 3-D while it is computed.", show_default=False),
]


@with_picture_options
def run(
    options: "ViewOptions",
    arguments: Arguments = None,
    config: ConfigOption = None,
    *,
    dry_run: PrintConfigOption = False,
    events: PrintEventsOption = False,
    view: ViewOption = None,
    web: WebOption = False,
    record: RecordOption = None,
    html: HtmlOption = None,
) -> None:
    """Run a simulation, write its files and print how it ended.

    Exit code: 0 final time or a stop reached, 1 ended otherwise, 130 Ctrl-C, 143 SIGTERM (data kept); 2 bad input.
    """
    from hybridsim.cli import console
    from hybridsim.config import load_config
    from hybridsim.errors import ConfigError

    path, overrides = config_and_overrides(arguments or [], config, "run", DEFAULT_CONFIG_FILE)

    def reload() -> "RunConfig":
        if Path(path).suffix == ".h5":
            from hybridsim.analysis.files import load_strides

            return console.with_confirmation(lambda: load_strides(Path(path), overrides))
        return load_config(path, overrides)

    settings = reload()
    console.show_notes(settings.notes)
    if dry_run:
        console.show_config(settings)
        return

    if view or web or record or html or (settings.view and view is None and not events):
        if events:
            raise ConfigError(
                "command line: --events: only for a run that is not shown; leave out --view, --web, --record and --html"
            )
        from hybridsim.cli import show

        result = show.run(settings, reload, view, web, show.Files(record, html), options)
    else:
        from hybridsim.cli.compute import compute
        from hybridsim.viewer.options import notes_on_unused

        console.show_notes(notes_on_unused(options, ()))
        result = compute(settings, trace_events=events)
    raise typer.Exit(exit_code(result.status))
