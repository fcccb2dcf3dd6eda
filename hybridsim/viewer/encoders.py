"""Pictures one after the other as files: .gif with Pillow, .mp4 with FFmpeg. Single ones as .png."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

from hybridsim.errors import ConfigError

Picture = NDArray[np.uint8]
"""(height, width, 3)."""

COLOURS = 256
FASTEST_GIF = 50.0
"""Pictures per second that browsers still show at their pace."""
SLOWEST_GIF = 0.01
"""Pictures per second: a .gif counts how long one is shown in hundredths of a second, up to 655 s."""
QUALITY = 17
"""Of an .mp4, from 0 (all there is) to 51."""


def write_png(path: Path, picture: Picture) -> None:
    """Write one picture.

    Raises
    ------
    OSError : the file cannot be written.
    """
    Image.fromarray(picture).save(path, format="PNG")


def write_gif(path: Path, pictures: Iterable[Picture], fps: float, samples: Sequence[Picture]) -> None:
    """Write a film that begins again for ever.

    Parameters
    ----------
    path :
        where to.
    pictures, fps :
        all of one size, so many per second.
    samples :
        pictures from all over the film, from which its 256 colours are chosen.

    Raises
    ------
    OSError : the file cannot be written.
    """
    palette = _palette(samples)
    with path.open("wb") as file:
        last: Picture | None = None
        for number, picture in enumerate(pictures):
            image = Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
            if number == 0:
                file.write(_gif_header(image))
            box = _changed(last, np.asarray(image))
            # A GIF counts hundredths of a second: rounded in turn, so that the film as a whole keeps its pace.
            hundredths = round(100 * (number + 1) / fps) - round(100 * number / fps)
            for part in GifImagePlugin.getdata(image.crop(box), offset=box[:2], duration=10 * hundredths, disposal=1):
                file.write(part)
            last = np.asarray(image)
        file.write(b";")


def _palette(samples: Sequence[Picture]) -> Any:
    """A palette image. Colours that are rare, as those of small bodies are, count as much as the wide sky's."""
    pixels = np.concatenate([sample.reshape(-1, 3) for sample in samples])
    colours, counts = np.unique(pixels >> 2, axis=0, return_counts=True)
    repeated = np.repeat(colours << 2 | 2, np.ceil(np.sqrt(counts)).astype(int), axis=0)
    return Image.fromarray(repeated[None].astype(np.uint8)).quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=2)


def _gif_header(image: Any) -> bytes:
    """Size, palette, and the wish to begin again for ever."""
    width, height = image.size
    colours = bytes(image.getpalette()).ljust(3 * COLOURS, b"\0")
    screen = width.to_bytes(2, "little") + height.to_bytes(2, "little") + b"\xf7\0\0"
    return b"".join((b"GIF89a", screen, colours, b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"))


def _changed(last: Picture | None, now: Picture) -> tuple[int, int, int, int]:
    """The box around what differs: left, upper, right, lower [pixels]; never empty."""
    height, width = now.shape
    if last is None:
        return 0, 0, width, height
    rows, columns = (np.flatnonzero((last != now).any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return 0, 0, 1, 1
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def ffmpeg() -> str:
    """The program that makes .mp4 files.

    Raises
    ------
    ConfigError : it is not installed.
    """
    try:
        program: str = import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        raise ConfigError(
            ".mp4 needs FFmpeg, which is not installed; `pip install 'hybridsim[video]'` brings it, "
            "or name the file .gif or f%04d.png"
        ) from None
    return program


def write_mp4(path: Path, pictures: Iterable[Picture], fps: float, size: tuple[int, int]) -> None:
    """Write a film (H.264).

    Raises
    ------
    OSError : the file cannot be written. ConfigError : FFmpeg is not installed, or refuses.
    """
    with _encoder(path, fps, size) as pixels:
        for picture in pictures:
            pixels.write(np.ascontiguousarray(picture).data)


@contextmanager
def _encoder(path: Path, fps: float, size: tuple[int, int]) -> Iterator[IO[bytes]]:
    """FFmpeg, writing to `path` what is written into it; ended in any case."""
    given = f"-f rawvideo -pix_fmt rgb24 -s {size[0]}x{size[1]} -r {fps:.9g} -i -"
    wanted = f"-c:v libx264 -preset medium -crf {QUALITY} -pix_fmt yuv420p -movflags +faststart -f mp4"
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            [ffmpeg(), "-y", "-loglevel", "error", *given.split(), *wanted.split(), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=words,
            start_new_session=True,  # Ctrl-C is for us
        )
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # why, its words tell
                yield process.stdin
                process.stdin.close()
            process.wait()
        finally:
            process.kill()
            process.wait()
            with suppress(BrokenPipeError):
                process.stdin.close()
        if process.returncode:
            words.seek(0)
            lines = words.read().decode(errors="replace").split("\n")
            raise OSError(
                next((line for line in lines[::-1] if line.strip()), f"FFmpeg ended with {process.returncode}")
            )
