"""The commands of hybridsim from their help texts: the site's page and the manual page of Unix.

The directive `commands` stands for a section on each command, with its arguments, options and examples. Sphinx uses it
in docs/command-line.rst; docutils makes the manual page of the same file:

    python docs/site/commands.py build/man/hybridsim.1
"""

import re
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import typer
from docutils import nodes
from docutils.core import publish_string
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList

from hybridsim import __version__
from hybridsim.cli.main import app as command_line

PAGE = Path(__file__).parents[1] / "command-line.rst"
HEADING = """\
=========
hybridsim
=========
---------------------------------
simulate hybrid dynamical systems
---------------------------------

:Manual section: 1
:Version: {version}

"""


class Commands(Directive):
    """A section on every command."""

    def run(self):
        """Return the sections; the parser takes their text, which is reStructuredText."""
        text = [line for name, command in all_commands() for line in section(name, command)]
        container = nodes.Element()
        self.state.nested_parse(StringList(text, "help texts"), self.content_offset, container, match_titles=True)
        return container.children


def setup(app):
    """Give Sphinx the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def all_commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Yield the name of each command, with the group's name before it, and the command."""
    shown = {name: each for name, each in typer.main.get_command(command_line).commands.items() if not each.hidden}
    for name, command in shown.items():
        for inner, member in getattr(command, "commands", {"": command}).items():
            yield f"{name} {inner}".strip(), member


def section(name: str, command: typer.core.TyperCommand) -> Iterator[str]:
    """Yield the lines of the section on a command."""
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [each for each in command.params if each not in arguments and not getattr(each, "hidden", False)]
    yield from (f"hybridsim {name}", "-" * len(f"hybridsim {name}"), "")
    yield from ("::", "", f"    hybridsim {name} [OPTIONS] {' '.join(map(written, arguments))}".rstrip(), "")
    yield from (*literals(command.help or "").splitlines(), "")
    for parameter in (*arguments, *options):
        yield from entry(parameter, written(parameter) if parameter in arguments else spellings(parameter))
    yield from ("Examples::", "")
    yield from (f"    {line.strip()}" for line in (command.epilog or "").splitlines() if "hybridsim " in line)
    yield ""


def written(argument) -> str:
    """Return an argument as the line of usage shows it."""
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]" + ("..." if argument.nargs == -1 else "")


def spellings(option) -> str:
    """Return the spellings of an option, with the name of its value."""
    choices = type(option.default) if isinstance(option.default, Enum) else ()
    value = "" if option.is_flag else " " + (option.metavar or "|".join(choice.value for choice in choices))
    return ", ".join(f"{spelling}{value}" for spelling in (*option.opts, *option.secondary_opts))


def entry(parameter, term: str) -> Iterator[str]:
    """Yield an item of a definition list."""
    default = getattr(parameter.default, "value", parameter.default)
    shown = default not in (None, "") and not getattr(parameter, "is_flag", True)
    more = f" By default {default}." if shown else ""
    yield from (f"``{term}``", f"    {literals(parameter.help or '')}{more}", "")


def literals(text: str) -> str:
    """Return a help text with literals as reStructuredText writes them, on one line for each paragraph."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    return re.sub(r"`([^`]+)`", r"``\1``", "\n\n".join(paragraphs)).replace("*", r"\*")


def manual() -> bytes:
    """Return the manual page, in the language of `man`."""
    directives.register_directive("commands", Commands)
    _, _, body = PAGE.read_text(encoding="utf-8").partition("\n\n")
    heading = HEADING.format(version=__version__)
    return publish_string(heading + body, writer="manpage", settings_overrides={"report_level": 2, "halt_level": 2})


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(manual())
