"""One file with runs and the page that plays them; it needs no server, no network and no other file."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.files import replacing
from hybridsim.results.trajectory import Trajectory
from hybridsim.viewer.browser.header import header, reaches
from hybridsim.viewer.browser.packing import RunPacker, shown_outputs
from hybridsim.viewer.browser.sampling import Progress, Sampler
from hybridsim.viewer.export_checks import refuse_other_ending, time_range
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.source import Source

PAGE = Path(__file__).with_name("page")
"""The folder with what the browser executes."""
MODULES = (
    *("format", "data", "shapes", "ground", "camera", "stage", "strips", "player", "timeline", "panels", "legend"),
    *("actions", "mouse", "live", "view", "main"),
)
"""The modules of the page, each after those that it imports."""


@explains_keywords()
def write_html(
    runs: Source | Trajectory | str | os.PathLike[str] | Sequence[Source | Trajectory | str | os.PathLike[str]],
    path: str | os.PathLike[str],
    options: ViewOptions | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write one file that shows runs in a browser, without a server or a network.

    Parameters
    ----------
    runs : Trajectory, path or Source, or a sequence of them
        Finished runs; the first one has the camera, the ground and the events.
    path : path
        A file ending in .html.
    options : ViewOptions, optional
        Speed, camera, layout, outputs, and the times between which the runs are shown.
    progress : callable, optional
        Called as `progress(share)` with the part that is done, from 0 to 1.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ConfigError
        If there is no run, the file does not end in .html, a time is outside the runs, or a model has no scene.
    """
    path = Path(path)
    refuse_other_ending(path)
    text = _text_of(runs, options or ViewOptions(), progress)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


class Shown:
    """A page within a cell of a notebook, which stays alive in an exported notebook; it needs no server."""

    def __init__(self, text: str, height: int) -> None:
        self._text, self._height = text, height

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self._height}px; border: 0"
        return f'<iframe srcdoc="{escape(self._text)}" style="{style}"></iframe>'


@explains_keywords()
def show(*runs: Source | Trajectory | str | os.PathLike[str], height: int = 600, **options: Any) -> Shown:
    """Show runs in a cell of a notebook, in whose last line it is called; the cell contains the runs and their player.

    Parameters
    ----------
    *runs : Trajectory, path or Source
        Finished runs; the first one has the camera, the ground and the events.
    height : int
        Height of the cell [pixels].
    **options : object
        Options of `ViewOptions`, such as `speed=0.25`.

    Returns
    -------
    Shown
        What the notebook shows.

    Raises
    ------
    ConfigError
        If an option is not allowed, a time is outside the runs, or the model of a run has no scene.
    """
    return Shown(_text_of(runs, ViewOptions(**options), None), height)


def _text_of(runs: Any, options: ViewOptions, progress: Progress | None) -> str:
    """Return the page with runs."""
    given = [runs] if isinstance(runs, (Trajectory, str, os.PathLike)) or not isinstance(runs, Sequence) else runs
    sources = [Replay(run) if isinstance(run, (Trajectory, str, os.PathLike)) else run for run in given]
    if wrong := [repr(source) for source in sources if not hasattr(source, "scene")] or ["none"] * (not sources):
        raise ConfigError(f"runs: expected a run, the name of its file, or a list of these; found {wrong[0]}")
    packers = [packer_of(number, source, options) for number, source in enumerate(sources)]
    pieces = []
    for number, packer in enumerate(packers):
        begin, end = time_range((packer.source.begin, packer.source.end), options.begin, options.end)

        def report(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(packers))

        pieces.append(packer.piece(begin, end, progress=report))
    return page(header(packers, options), pieces)


def packer_of(number: int, source: Source, options: ViewOptions) -> RunPacker:
    """Return what packs a run."""
    outputs = shown_outputs(source, options.outputs)
    return RunPacker(number, Sampler(source, outputs, reaches(source.scene), options.speed))


def page(head: dict[str, Any], pieces: Sequence[bytes] = ()) -> str:
    """Return the page as one text, with what it must know of the runs, and their pieces."""
    joined = b"".join(len(piece).to_bytes(4, "little") + piece for piece in pieces)
    data = base64.b64encode(gzip.compress(joined, 9, mtime=0)).decode() if pieces else ""
    style, three = read("page.css"), read("three.js")
    digests = (hashlib.sha256(text.encode()).digest() for text in (style, three, script()))
    hashes = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    connections = "'self'" if head["live"] else "'none'"
    policy = (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]} {hashes[2]}; img-src data: blob:; "
        f"connect-src {connections}; base-uri 'none'; form-action 'none'"
    )
    values = {
        "title": head["title"].replace("&", "&amp;").replace("<", "&lt;"),
        "header": json.dumps(head, ensure_ascii=False).replace("<", "\\u003c"),
        "policy": policy,
        "style": style,
        "data": data,
        "licence": read("three.LICENSE"),
        "three": three,
        "script": script(),
    }
    template = read("page.html")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)


@cache
def read(name: str) -> str:
    """Return the text of a file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """Return the modules of the page as one script: files opened from a disk cannot import modules."""
    texts = [re.sub(r"^ *// .*\n", "", read(f"{name}.js"), flags=re.MULTILINE) for name in MODULES]
    joined = "\n".join(re.sub(r"^import .*?;\n", "", text, flags=re.MULTILINE | re.DOTALL) for text in texts)
    return f'(() => {{\n"use strict";\n{re.sub(r"^export ", "", joined, flags=re.MULTILINE)}}})();\n'
