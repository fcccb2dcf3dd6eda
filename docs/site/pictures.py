"""Make the pictures of the documentation by running the commands that docs/gallery.md shows.

    python docs/site/pictures.py                    # into build/pictures, for the site
    python docs/site/pictures.py --update           # into docs/images as well, for the pages on the forge
    python docs/site/pictures.py --update hexapod   # only the examples with this word in their titles

The commands run one after another in build/pictures, beside a copy of configs/. Examples that use each other's files
have one title.
"""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
PICTURES = ROOT / "build" / "pictures"
PROGRAMS = {"hybridsim": (sys.executable, "-m", "hybridsim"), "python": (sys.executable,)}
SECONDS = 1200
"""Longest time that one command may take."""


class Example(NamedTuple):
    """A section of the gallery: its title, its text, its commands, and the pictures that they write."""

    title: str
    text: str
    commands: list[list[str]]
    pictures: list[str]


def examples() -> list[Example]:
    """Return the examples of the gallery, in the order of the page: all sections but the table that `proven` writes."""
    _, *sections = re.split(r"^## ", (DOCS / "gallery.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [example_of(section) for section in sections if "<!-- written by docs/site/proven.py -->" not in section]


def example_of(section: str) -> Example:
    """Return the example of one section; pictures are those that its commands, their comments and its text name."""
    title, _, text = section.partition("\n")
    block = "".join(re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    return Example(title, text, commands, sorted({*re.findall(r"[\w-]+\.(?:png|gif)", text)}))


def run(example: Example) -> None:
    """Run the commands of an example, and exit with what it printed if one fails or a picture is missing."""
    for command in example.commands:
        ended = subprocess.run(
            [*PROGRAMS[command[0]], *command[1:]],
            cwd=PICTURES,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )
        if ended.returncode != 0:
            sys.exit(f"{example.title}: {shlex.join(command)} ended with code {ended.returncode}\n{ended.stdout}")
    missing = [name for name in example.pictures if not (PICTURES / name).exists()]
    if missing:
        sys.exit(f"docs/gallery.md: {example.title}: no command has written {', '.join(missing)}")


def main() -> None:
    """Run the examples that were asked for, and print how long each took."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("word", nargs="?", default="", help="only the examples with this word in their titles")
    parser.add_argument("--update", action="store_true", help="copy the pictures to docs/images")
    options = parser.parse_args()
    if not options.word:
        shutil.rmtree(PICTURES, ignore_errors=True)
    shutil.copytree(ROOT / "configs", PICTURES / "configs", dirs_exist_ok=True)
    for example in examples():
        if options.word.lower() in example.title.lower():
            begin = time.perf_counter()
            run(example)
            print(f"{time.perf_counter() - begin:6.1f} s  {example.title}", flush=True)
            for name in example.pictures if options.update else []:
                shutil.copyfile(PICTURES / name, IMAGES / name)


if __name__ == "__main__":
    main()
