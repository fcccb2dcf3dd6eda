"""Options and arguments that several commands share, and the examples at the end of a help page.

Typer reads a command's options from the annotations of its parameters while `--help` runs: the annotations here and in
the modules of the commands are real objects, and only names that are not imported for `--help` are quoted.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand

from hybridsim.cli.completion import complete_config, complete_model
from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.typing import Camera
    from hybridsim.viewer.options import ViewOptions

UsageError: Any = typer.BadParameter.__mro__[1]
"""The error of a command line that cannot be parsed; click's, or that of typer where it does without click."""

PICTURES = "Pictures"
"""Heading of the options about pictures in a help page."""

picture_option: Any = partial(typer.Option, rich_help_panel=PICTURES)
"""`typer.Option` of an option below this heading."""

CONFIGS_SHOWN = 3
"""Most configs that a message lists."""


def config_argument(help_text: str) -> Any:
    """Return the argument CONFIG with overrides KEY=VALUE, which `config_and_overrides` takes apart."""
    return typer.Argument(
        metavar="CONFIG | KEY=VALUE", help=help_text, show_default=False, autocompletion=complete_config
    )


ConfigOption = Annotated[
    str | None, typer.Option("--config", "-c", metavar="FILE", help="The config file, as an option (as in SimSect).")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        autocompletion=complete_model,
        help="Use this model, an installed name or a plug-in file, instead of the one that the run names.",
    ),
]
WebOption = Annotated[bool, picture_option("--web", help="Show the run in a browser (needs the extra `notebook`).")]
HtmlOption = Annotated[
    Path | None,
    picture_option(
        "--html", metavar="FILE.html", help="Write one file that plays the run in a browser, without a network."
    ),
]
RecordOption = Annotated[
    Path | None,
    picture_option(
        "--record",
        metavar="FILE",
        help="Write a film (.mp4, .gif), a picture (.png), or numbered pictures (f%04d.png); needs no display.",
    ),
]
SizeOption = Annotated[str, picture_option("--size", metavar="WxH", help="Width and height of a picture in pixels.")]
FpsOption = Annotated[float, picture_option("--fps", metavar="N", help="Pictures per second.")]
SpeedOption = Annotated[float, picture_option("--speed", metavar="S", help="Simulated seconds per second shown.")]
CameraOption = Annotated[str, picture_option("--camera", metavar="NAME", help="follow, side, top or free.")]
BeginOption = Annotated[
    float | None, picture_option("--from", metavar="T", help="Simulated time of the first picture, in s.")
]
EndOption = Annotated[
    float | None, picture_option("--to", metavar="T", help="Simulated time of the last picture, in s.")
]
AtOption = Annotated[
    float | None,
    picture_option(
        "--at", metavar="T", help="Simulated time of a single picture, in s; by default the middle of the run."
    ),
]
ConesOption = Annotated[bool, picture_option("--cones", help="Show the cones of friction, where the scene has them.")]


def picture_options(
    size: SizeOption = "1280x720",
    fps: FpsOption = 30.0,
    speed: SpeedOption = 1.0,
    camera: CameraOption = "follow",
    begin: BeginOption = None,
    end: EndOption = None,
    at: AtOption = None,
    *,
    cones: ConesOption = False,
) -> "ViewOptions":
    """Return the options about pictures that `run` and `view` share, as one record.

    Raises
    ------
    ConfigError
        If a value is not allowed.
    """
    from hybridsim.viewer.options import ViewOptions, parse_size

    return ViewOptions(parse_size(size), fps, speed, cast("Camera", camera), begin, end, at, cones=cones)


def with_picture_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `picture_options`; it receives their values as its parameter `options`."""
    own = [parameter for parameter in inspect.signature(command).parameters.values() if parameter.name != "options"]
    shared = [*inspect.signature(picture_options).parameters.values()]

    @wraps(command)
    def call(**values: Any) -> None:
        options = picture_options(**{parameter.name: values.pop(parameter.name) for parameter in shared})
        command(**values, options=options)

    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own, *shared)]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


class CommandWithKeys(TyperCommand):
    """A command that takes KEY=VALUE: for an option that it does not have, it names what is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; the error for an unknown option says what is meant."""
        try:
            return super().parse_args(ctx, args)
        except UsageError as problem:
            option = getattr(problem, "option_name", None)
            if option is not None:
                from hybridsim.config.key_table import KEYS_ELSEWHERE
                from hybridsim.config.messages import find_key

                word = option.strip("-").replace("-", "_")
                here = KEYS_ELSEWHERE.get(word, word)
                if here in [parameter.name for parameter in self.params]:
                    problem.message += f"; it is called --{here.replace('_', '-')} here"
                else:
                    here = KEYS_ELSEWHERE.get(f"{ctx.parent.info_name}.{word}", here)  # of the group: `orbit.period`
                    key = find_key(here) or "KEY"
                    problem.message += f"; a value of the config is given without dashes, {key}=VALUE"
            raise


def examples(*commands: str) -> str:
    """Return the end of a help page; blank lines keep each example on its own line."""
    return "\n\n".join(("Examples:", *(f"  hybridsim {command}" for command in commands)))


def words_of(options: Mapping[str, object]) -> list[str]:
    """Return the options that are given as words of a command line."""
    return [word for name, value in options.items() if value is not None for word in (name, str(value))]


def config_and_overrides(
    arguments: list[str], option: str | None, command: str, default: str = ""
) -> tuple[str, list[str]]:
    """Return the path of the config and the overrides `key=value`.

    Parameters
    ----------
    arguments : list of str
        Arguments of the command line, without options.
    option : str or None
        Value of `--config`.
    command : str
        Name of the command, for messages.
    default : str
        Config to use if none is given; "" if one has to be given.

    Raises
    ------
    ConfigError
        If two configs are given, or none and the default does not exist.
    """
    configs = [argument for argument in arguments if "=" not in argument]
    configs += [] if option is None else [option]
    if len(configs) > 1:
        more = f" and {len(configs) - CONFIGS_SHOWN:,} others" if len(configs) > CONFIGS_SHOWN else ""
        raise ConfigError(
            f"command line: {', '.join(map(repr, configs[:CONFIGS_SHOWN]))}{more}: expected one config; give one, and "
            "overrides as key=value; for many runs write a sweep"
        )
    if not configs and not default:
        raise ConfigError(f"command line: expected a config; write hybridsim {command} CONFIG")
    if not configs and not Path(default).is_file():
        raise ConfigError(
            f"command line: expected a config, and there is no {default} in this folder; "
            f"write hybridsim {command} CONFIG"
        )
    return (configs or [default])[0], [argument for argument in arguments if "=" in argument]
