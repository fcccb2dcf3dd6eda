"""What the command line does to show a run: in a window, in a browser, in files."""

from __future__ import annotations

import dataclasses
import math
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from hybridsim.cli import console
from hybridsim.cli.compute import Files, compute
from hybridsim.cli.exit_codes import code_of, exit_code
from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.viewer.display import missing_display, refuse_missing_display, surviving
from hybridsim.viewer.frames import scene_of
from hybridsim.viewer.live import Live
from hybridsim.viewer.options import ViewOptions, without_effect
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Source


class Viewer(Protocol):
    """A window or a browser page with a player in it."""

    def show(self) -> None:
        """Show the run, and return when whoever looks has closed it."""

    def close(self) -> None:
        """Make `show` return, soon; to be called from a signal."""


Opened = Callable[[Sequence[Source]], Viewer]


def run(
    settings: RunConfig,
    reload: Callable[[], RunConfig],
    view: bool | None,
    web: bool,
    record: Path | None,
    options: ViewOptions,
) -> Trajectory:
    """Compute a run and show it, in a window, in a browser or in a file.

    Parameters
    ----------
    settings :
        what to run.
    reload :
        reads the configuration again, when whoever looks wants to begin anew.
    view :
        in a window; None: if the configuration says so and there is a display.
    web :
        in a browser.
    record :
        the file to record it to, after it has been computed.
    options :
        what the pictures are like.

    Raises
    ------
    ConfigError : what is asked for cannot be shown, before anything is computed.
    """
    opened = _opened(settings, view, web, options)
    if opened is not None or record is not None:
        scene_of(settings.model)
    if record is not None:
        _refuse_unrecordable(record, options, settings)
    _note_idle(options, opened is not None, record)
    result = compute(settings) if opened is None else compute_live(settings, reload, opened)
    if record is None or result.status is Status.INTERRUPTED:
        return result
    recorded = _record(_replays([result]), record, options, "ghosts")
    return result if recorded else dataclasses.replace(result, status=Status.INTERRUPTED)


def _opened(settings: RunConfig, view: bool | None, web: bool, options: ViewOptions) -> Opened | None:
    """How to open what shows the run while it is computed, if anything does."""
    if web:
        _refuse_missing_trame()
        return lambda sources: _page(sources, options, "ghosts")
    if view:
        refuse_missing_display()
        return lambda sources: _window(sources, options, "ghosts")
    if view is False or not settings.view:
        return None
    problem = missing_display()
    if problem:
        console.show_notes(
            [
                f"{settings.origins['view']}: view: {problem}, so the run goes on without a picture; "
                "--record FILE.mp4 needs none, --view makes this an error, --no-view silences it"
            ]
        )
        return None
    return lambda sources: _window(sources, options, "ghosts")


def compute_live(settings: RunConfig, reload: Callable[[], RunConfig], opened: Opened) -> Trajectory:
    """Compute and show meanwhile, write and sum up. When nobody looks any more, the run goes on to its end.

    Parameters
    ----------
    settings :
        what to run.
    reload :
        reads the configuration again, when whoever looks wants to begin anew.
    opened :
        makes the viewer.
    """
    begun: list[Files] = []

    def began(simulation: Simulation) -> Callable[[Trajectory], None]:
        begun.append(Files(simulation))
        return begun[-1].complete

    with console.preparing():
        live = Live(settings, reload, began)
        viewer = opened([live])

    def complete() -> Trajectory:
        if not live.leave():
            console.show_notes(["nobody looks any more; the run goes on to its end (Ctrl-C ends it here and keeps it)"])
        with console.Progress(live.config) as progress:
            run = live.finish(progress)
        console.show_summary(run, begun[-1].written)
        return run

    def lost() -> int:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the window's own would interrupt nothing any more
        return exit_code(complete().status)

    with surviving(lambda: code_of(lost)):
        trouble = _shown(live, viewer)
    run = complete()
    if trouble is not None:
        raise trouble
    return run


def _shown(live: Live, viewer: Viewer) -> Exception | None:
    """Show the run until whoever looks has had enough; what goes wrong with the picture must not lose the run."""
    try:
        with _ctrl_c(live.interrupt, viewer.close):
            viewer.show()
    except Exception as trouble:
        return trouble
    return None


@contextmanager
def _ctrl_c(*ends: Callable[[], None]) -> Iterator[list[int]]:
    """Within, Ctrl-C calls all of these and raises nothing: it may strike in the window's own code.

    Yields a list that is no longer empty once it has been pressed.
    """
    pressed: list[int] = []

    def end(number: int, _: object) -> None:
        pressed.append(number)
        for each in ends:
            each()

    before = signal.signal(signal.SIGINT, end)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def show(
    files: Sequence[Path],
    model: str | None,
    record: Path | None,
    export: Path | None,
    web: bool,
    layout: str,
    options: ViewOptions,
) -> bool:
    """Show finished runs, in a window, in a browser or in files; False if Ctrl-C ended it.

    Raises
    ------
    ConfigError : a file that is no run or cannot be shown, files that cannot be written, or no display for a window.
    """
    if record is None and export is None and not web:
        refuse_missing_display("view")
    if record is not None:
        _refuse_unrecordable(record, options)
    _note_idle(options, record is None and export is None, record, export)
    sources = _replays(files, model)
    if export is not None:
        _export(sources, export, options, layout)
    if record is not None or export is not None:
        return record is None or _record(sources, record, options, layout)
    viewer = (_page if web else _window)(sources, options, layout)
    with _ctrl_c(viewer.close) as pressed:
        viewer.show()
    return not pressed


def _note_idle(options: ViewOptions, window: bool, record: Path | None, export: Path | None = None) -> None:
    """Say which options change nothing of what is asked for."""
    uses = ["a window"] if window else []
    if record is not None:
        from hybridsim.viewer.export import is_single

        uses.append("a single picture" if is_single(record) else "a film")
    if export is not None:
        uses.append("an exported scene")
    console.show_notes(without_effect(options, uses))


def _replays(runs: Sequence[Trajectory | Path], model: str | None = None) -> list[Replay]:
    sources = [Replay(run, model) for run in runs]
    for source in sources:
        console.show_notes(f"{source.name}: {note}" for note in source.notes)
    return sources


def _window(sources: Sequence[Source], options: ViewOptions, layout: str) -> Viewer:
    from hybridsim.viewer.window import Window

    return Window(sources, options.size, options.speed, options.camera, layout, options.begin, fps=options.fps)


def _refuse_missing_trame() -> None:
    from hybridsim.viewer.page import refuse_missing_trame

    refuse_missing_trame()


def _page(sources: Sequence[Source], options: ViewOptions, layout: str) -> Viewer:
    from hybridsim.viewer.web import WebPage

    return WebPage(
        sources,
        options.size,
        options.speed,
        options.camera,
        layout,
        options.begin,
        fps=options.fps,
        opened=console.show_page,
    )


def _refuse_unrecordable(file: Path, options: ViewOptions, settings: RunConfig | None = None) -> None:
    """Before anything is computed, where there are `settings` of a run to come."""
    from hybridsim.viewer.export import refuse_outside, refuse_unrecordable

    refuse_unrecordable(file, options.size, options.fps, options.at)
    if settings is not None:
        from hybridsim.viewer.render.shapes import refuse_unreadable

        final_time = math.inf if settings.final_time is None else settings.final_time
        refuse_outside((settings.initial_time, final_time), options.begin, options.end, options.at)
        refuse_unreadable(scene_of(settings.model))


def _record(sources: Sequence[Source], file: Path, options: ViewOptions, layout: str) -> bool:
    """Write pictures; False if Ctrl-C ended it, and there is no file then."""
    from hybridsim.viewer.export import record

    try:
        with console.PictureProgress(file) as progress:
            files = record(sources, file, **dataclasses.asdict(options), layout=layout, progress=progress)
    except KeyboardInterrupt:
        console.show_notes([f"interrupted; {file} is not written"])
        return False
    console.show_written(files)
    return True


def _export(sources: Sequence[Source], file: Path, options: ViewOptions, layout: str) -> None:
    from hybridsim.viewer.export import export_scene

    console.show_written([export_scene(sources, file, options.at, layout)])
