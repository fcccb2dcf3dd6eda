"""Show or record runs from the command line: in a window, in a browser, or in files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from hybridsim.cli import console, interruption
from hybridsim.cli.compute import RunFiles, compute
from hybridsim.cli.exit_codes import exit_code, exit_code_of_call
from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.model import Model
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.viewer.display import missing_display, on_display_loss, refuse_missing_display
from hybridsim.viewer.export_checks import is_single, refuse_times_outside, refuse_unrecordable
from hybridsim.viewer.frames import scene_of
from hybridsim.viewer.live import Live
from hybridsim.viewer.options import ViewOptions, notes_on_unused
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Source


class Viewer(Protocol):
    """A window or a page in a browser that plays runs."""

    def show(self) -> None:
        """Show the runs, and return when the viewer has been closed."""

    def close(self) -> None:
        """Make `show` return soon; may be called by a signal handler."""


ViewerFactory = Callable[[Sequence[Source]], Viewer]


def run(
    settings: RunConfig,
    reload: Callable[[], RunConfig],
    view: bool | None,
    web: bool,
    record: Path | None,
    options: ViewOptions,
) -> Trajectory:
    """Compute a run, show it in a window, in a browser or in a file, and return it.

    Parameters
    ----------
    settings : RunConfig
        The run.
    reload : callable
        Reads the configuration again and returns it, for a restart.
    view : bool or None
        Whether to open a window; None to open one if the configuration has `view: true` and there is a display.
    web : bool
        Whether to show the run in a browser.
    record : Path or None
        File to record the run to after it has been computed.
    options : ViewOptions
        Options of pictures and windows.

    Raises
    ------
    ConfigError
        If the run cannot be shown as requested; nothing has been computed then.
    """
    factory = _viewer_factory(settings, view, web, options)
    if factory is not None or record is not None:
        scene_of(settings.model)
    if record is not None:
        _refuse_unrecordable_run(settings, record, options)
    _note_unused_options(options, factory is not None, record)
    result = compute(settings) if factory is None else compute_live(settings, reload, factory)
    if record is None or result.status is Status.INTERRUPTED:
        return result
    # A restart may have loaded the model again; without one, it is the model that has been computed.
    if _record(_replays([result], settings.model if factory is None else None), record, options):
        return result
    return dataclasses.replace(result, status=Status.INTERRUPTED)


def _viewer_factory(settings: RunConfig, view: bool | None, web: bool, options: ViewOptions) -> ViewerFactory | None:
    """Return a function that opens the viewer for a run that is being computed; None to compute it without one."""
    if web:
        from hybridsim.viewer.page import refuse_missing_trame

        refuse_missing_trame()
        return lambda sources: _page(sources, options)
    if view:
        refuse_missing_display()
        return lambda sources: _window(sources, options)
    if view is False or not settings.view:
        return None
    problem = missing_display()
    if problem:
        console.show_notes(
            [
                f"{settings.origins['view']}: view: {problem}, so the run is computed without a picture; "
                "--record FILE.mp4 needs no display, --view makes this an error, --no-view silences this note"
            ]
        )
        return None
    return lambda sources: _window(sources, options)


def compute_live(settings: RunConfig, reload: Callable[[], RunConfig], factory: ViewerFactory) -> Trajectory:
    """Compute a run while it is shown, write its files, print its summary and return it.

    When the viewer is closed, the run is computed to its end without it. After a restart, this is the last run.
    """
    files: list[RunFiles] = []

    def begin_files(simulation: Simulation) -> Callable[[Trajectory], None]:
        files.append(RunFiles(simulation))
        return files[-1].complete

    with console.busy("preparing"):
        live = Live(settings, reload, begin_files)
        viewer = factory([live])

    with interruption.calling(live.interrupt, viewer.close):
        with on_display_loss(lambda: exit_code_of_call(lambda: exit_code(_complete(live, files).status))):
            error = _show_until_closed(viewer)
        run = _complete(live, files)
    if error is not None:
        raise error
    return run


def _complete(live: Live, files: Sequence[RunFiles]) -> Trajectory:
    """Compute the rest of a run without its viewer."""
    if not live.stop():
        note = "the viewer is closed; the run continues to its end (Ctrl-C ends it now and keeps what was computed)"
        console.show_notes([note])
    with console.Progress(live.config) as progress:
        run = live.finish(progress)
    console.show_summary(run, files[-1].written, files[-1].replaced, live.config.source)
    return run


def _show_until_closed(viewer: Viewer) -> Exception | None:
    """Show a run, and return the viewer's error instead of raising it, so that it does not lose the run."""
    try:
        viewer.show()
    except Exception as error:
        return error
    return None


def show(
    files: Sequence[Path], model: str | None, record: Path | None, export: Path | None, web: bool, options: ViewOptions
) -> bool:
    """Show finished runs in a window, in a browser or in files; return False if Ctrl-C or SIGTERM ended it.

    Parameters
    ----------
    files : sequence of Path
        Files of runs.
    model : str or None
        Model to show them with, if not those that the runs name.
    record, export : Path or None
        Files for pictures or a film, and for the scene at one time.
    web : bool
        Whether to show the runs in a browser.
    options : ViewOptions
        Options of pictures and windows.

    Raises
    ------
    ConfigError
        If a file cannot be shown or written, or there is no display for a window.
    """
    if record is None and export is None and not web:
        refuse_missing_display("view")
    if record is not None:
        refuse_unrecordable(record, options)
    _note_unused_options(options, record is None and export is None, record, export)
    sources = _replays(files, model)
    if export is not None:
        from hybridsim.viewer.export import export_scene

        console.show_written([export_scene(sources, export, options.at, options.layout)])
    if record is not None or export is not None:
        return record is None or _record(sources, record, options)
    viewer = (_page if web else _window)(sources, options)
    with interruption.calling(viewer.close) as received:
        viewer.show()
    return not received


def _note_unused_options(options: ViewOptions, window: bool, record: Path | None, export: Path | None = None) -> None:
    uses = ["a window"] if window else []
    if record is not None:
        uses.append("a single picture" if is_single(record) else "a film")
    if export is not None:
        uses.append("an exported scene")
    console.show_notes(notes_on_unused(options, uses))


def _replays(runs: Sequence[Trajectory | Path], model: Model | str | None = None) -> list[Replay]:
    sources = [console.with_confirmation(partial(Replay, run, model)) for run in runs]
    for source in sources:
        console.show_notes(f"{source.name}: {note}" for note in source.notes)
    return sources


def _window(sources: Sequence[Source], options: ViewOptions) -> Viewer:
    from hybridsim.viewer.window import Window

    return Window(sources, options)


def _page(sources: Sequence[Source], options: ViewOptions) -> Viewer:
    from hybridsim.viewer.web import WebPage

    return WebPage(sources, options, on_ready=console.show_page)


def _refuse_unrecordable_run(settings: RunConfig, file: Path, options: ViewOptions) -> None:
    """Raise before a run is computed if it is certain that it could not be recorded."""
    from hybridsim.viewer.render.shapes import refuse_unreadable

    refuse_unrecordable(file, options)
    final_time = math.inf if settings.final_time is None else settings.final_time
    refuse_times_outside((settings.initial_time, final_time), options)
    refuse_unreadable(scene_of(settings.model))


def _record(sources: Sequence[Source], file: Path, options: ViewOptions) -> bool:
    """Write pictures; return False if Ctrl-C or SIGTERM ended it, in which case there is no file."""
    from hybridsim.viewer.export import record

    try:
        with interruption.raising(), console.PictureProgress(file) as progress:
            files = record(sources, file, options, progress)
    except KeyboardInterrupt:
        console.show_notes([f"interrupted; {file} is not written"])
        return False
    console.show_written(files)
    return True
