"""Show or record runs from the command line: in a window, in a browser, or in files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from hybridsim.cli import console, interruption
from hybridsim.cli.compute import RunFiles, compute
from hybridsim.cli.exit_codes import exit_code, exit_code_of_call
from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.viewer.display import missing_display, on_display_loss, refuse_missing_display
from hybridsim.viewer.export_checks import (
    is_single,
    refuse_times_outside,
    refuse_unrecordable,
    refuse_unwritable_page,
)
from hybridsim.viewer.frames import scene_of
from hybridsim.viewer.live import Live
from hybridsim.viewer.options import ViewOptions, notes_on_unused
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class Files:
    """The files into which runs are shown: pictures or a film, a page, and the scene at one time."""

    record: Path | None = None
    html: Path | None = None
    export: Path | None = None

    def __bool__(self) -> bool:
        """Whether any of them is asked for."""
        return any((self.record, self.html, self.export))

    def uses(self) -> list[str]:
        """Return how the runs are shown, as keys of `OPTIONS_OF_USES`."""
        film = "a single picture" if self.record is not None and is_single(self.record) else "a film"
        given = {film: self.record, "a page": self.html, "an exported scene": self.export}
        return [use for use, file in given.items() if file is not None]


class Viewer(Protocol):
    """A window or a page in a browser that plays runs."""

    def show(self) -> None:
        """Show the runs, and return when the viewer has been closed."""

    def close(self) -> None:
        """Make `show` return soon; may be called by a signal handler."""


Bar = Any
"""A progress bar, which is the callback of what writes."""

ViewerFactory = Callable[[Sequence[Source]], Viewer]


def run(
    settings: RunConfig,
    reload: Callable[[], RunConfig],
    view: bool | None,
    web: bool,
    files: Files,
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
    files : Files
        Files to show the run in after it has been computed.
    options : ViewOptions
        Options of pictures and windows.

    Raises
    ------
    ConfigError
        If the run cannot be shown as requested; nothing has been computed then.
    """
    factory = _viewer_factory(settings, view, web, options)
    if factory is not None or files:
        scene_of(settings.model)
    if files:
        _refuse_unwritable_run(settings, files, options)
    _note_unused_options(options, factory is not None, files)
    result = compute(settings) if factory is None else compute_live(settings, reload, factory)
    if not files or result.status is Status.INTERRUPTED:
        return result
    # A restart may have loaded the model again; without one, it is the model that has been computed.
    if _write(_replays([result], settings.model if factory is None else None), files, options):
        return result
    return dataclasses.replace(result, status=Status.INTERRUPTED)


def _viewer_factory(settings: RunConfig, view: bool | None, web: bool, options: ViewOptions) -> ViewerFactory | None:
    """Return a function that opens the viewer for a run that is being computed; None to compute it without one."""
    if web:
        from hybridsim.viewer.browser.server import refuse_missing_aiohttp

        refuse_missing_aiohttp()
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


def show(runs: Sequence[Path], model: str | None, files: Files, web: bool, options: ViewOptions) -> bool:
    """Show finished runs in a window, in a browser or in files; return False if Ctrl-C or SIGTERM ended it.

    Parameters
    ----------
    runs : sequence of Path
        Files of runs.
    model : str or None
        Model to show them with, if not those that the runs name.
    files : Files
        Files to show them in.
    web : bool
        Whether to show the runs in a browser.
    options : ViewOptions
        Options of pictures and windows.

    Raises
    ------
    ConfigError
        If a file cannot be shown or written, or there is no display for a window.
    """
    if files and web:
        raise ConfigError("command line: --web serves a page, and the other options write files; give one of them")
    if not files and not web:
        refuse_missing_display("view")
    _refuse_unwritable(files, options)
    _note_unused_options(options, not files, files)
    sources = _replays(runs, model)
    if files:
        return _write(sources, files, options)
    viewer = (_page if web else _window)(sources, options)
    with interruption.calling(viewer.close) as received:
        viewer.show()
    return not received


def _note_unused_options(options: ViewOptions, window: bool, files: Files) -> None:
    console.show_notes(notes_on_unused(options, ["a window"] * window + files.uses()))


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


def _refuse_unwritable(files: Files, options: ViewOptions) -> None:
    if files.record is not None:
        refuse_unrecordable(files.record, options)
    if files.html is not None:
        refuse_unwritable_page(files.html)


def _refuse_unwritable_run(settings: RunConfig, files: Files, options: ViewOptions) -> None:
    """Raise before a run is computed if it is certain that it could not be shown in these files."""
    from hybridsim.viewer.render.shapes import refuse_unreadable

    _refuse_unwritable(files, options)
    final_time = math.inf if settings.final_time is None else settings.final_time
    refuse_times_outside((settings.initial_time, final_time), options)
    refuse_unreadable(scene_of(settings.model))


def _write(sources: Sequence[Source], files: Files, options: ViewOptions) -> bool:
    """Write runs into files; return False if Ctrl-C or SIGTERM ended it, in which case that file is not written."""
    if files.export is not None:
        from hybridsim.viewer.export import export_scene

        console.show_written([export_scene(sources, files.export, options.at, options.layout)])
    writers = {files.html: _write_page, files.record: _record}
    return all(write(sources, file, options) for file, write in writers.items() if file is not None)


def _write_page(sources: Sequence[Source], file: Path, options: ViewOptions) -> bool:
    from hybridsim.viewer.browser.html import write_html

    return _interruptible(file, console.PageProgress(file), lambda report: [write_html(sources, file, options, report)])


def _record(sources: Sequence[Source], file: Path, options: ViewOptions) -> bool:
    from hybridsim.viewer.export import record

    return _interruptible(file, console.PictureProgress(file), lambda report: record(sources, file, options, report))


def _interruptible(file: Path, bar: Bar, write: Callable[[Bar], list[Path]]) -> bool:
    """Write a file with a progress bar; return False if Ctrl-C or SIGTERM ended it, in which case there is no file."""
    try:
        with interruption.raising(), bar as progress:
            written = write(progress)
    except KeyboardInterrupt:
        console.show_notes([f"interrupted; {file} is not written"])
        return False
    console.show_written(written)
    return True
