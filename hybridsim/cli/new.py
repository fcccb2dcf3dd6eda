"""`hybridsim new`: begin a new model.

The bundled model `bouncing_ball` has the same equations as the plug-in, which is not made from its file: hybridsim does
not depend on the bundled models, and the plug-in explains each step to readers who are going to change it.
"""

from pathlib import Path
from typing import Annotated

import typer

from hybridsim.cli.options import examples
from hybridsim.errors import ConfigError

EXAMPLES = examples("new hopper", "new runner --from slip")

PLUGIN_TEMPLATE = '''"""NAME: a ball that bounces on a floor. Change it into your own system.

A model is an atlas of charts. In each chart a vector field gives the slopes of the states, and boundary functions
are positive. Where one of them falls to zero, the transition function gives the next chart and state.
"""

from hybridsim import Boundary, Chart, Model, Parameter, Records, State
from hybridsim.scene import Body, Camera, Scene, Sphere, placed

# Every name below can be set in a config: `parameters.gravity`, `initial.height`, ...
STATES = Records(
    State("height", 1.0, "m", "of the ball above the floor"),
    State("speed", 0.0, "m/s", "upward"),
)
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2", "downward acceleration", lower=0.0),
    Parameter("restitution", 0.8, "", "speed after a bounce / speed before", lower=0.0, upper=1.0),
)
CHARTS = Records(Chart("flight"))
# degree=1: the boundary is an affine function of the state, so the engine finds every crossing.
BOUNDARIES = Records(Boundary("floor", "the ball touches the floor", "m", degree=1))

# Bodies that the viewer shows; `poses` below gives their positions. x is forward, y left, z up [m].
RADIUS = 0.1
SCENE = Scene([Body("ball", Sphere(RADIUS), "#c8553d")], camera=Camera(at=(0.0, 0.0, 0.5)), outputs=("height",))

# Indices by name: x[S.height] is the height, p[P.gravity] gravity, C.flight the number of the chart.
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
BODY = SCENE.bodies.indices

# All functions but `poses` are compiled: they write into their first argument, index arrays by single integers
# (no slices), and use the functions of the module `math`.


def vector_field(xdot, t, x, p, chart):
    xdot[S.height] = x[S.speed]
    xdot[S.speed] = -p[P.gravity]


def boundaries(g, t, x, p, chart):
    g[B.floor] = x[S.height]


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.speed] = -p[P.restitution] * x[S.speed]
    return C.flight


def poses(T, t, x, p, chart):
    T[BODY.ball] = placed((0.0, 0.0, x[S.height] + RADIUS))  # `height` is that of the lowest point


MODEL = Model(
    "NAME",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    scene=SCENE,
    doc="A ball that bounces on a floor",
)
'''

CONFIG_TEMPLATE = """# Run it with: hybridsim run NAME.yaml
model: ./NAME.py
final_time: 3   # seconds

parameters:
  restitution: 0.8

initial:
  height: 1.0
"""


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the model: letters, digits and underscores.")],
    original: Annotated[
        str | None, typer.Option("--from", metavar="MODEL", help="Copy an installed model instead, with its configs.")
    ] = None,
) -> None:
    """Write NAME.py, a small plug-in to start from, and NAME.yaml, a config that runs it.

    With --from, write the folder NAME: the files of an installed model under its new name, and its configs.
    """
    if original is not None:
        _copy(name, original)
        return
    plugin, config = write_plugin(name, Path.cwd())
    typer.echo(f"wrote {plugin.name} and {config.name}; next: hybridsim run {config.name}")


def _copy(name: str, original: str) -> None:
    from hybridsim.cli.copying import copy_model

    here = Path.cwd()
    made = copy_model(name, original, here)
    first = made.configs[0].relative_to(here).as_posix()
    counts = f"the model in {_count(made.files, 'file')}, {name}.py first, and {_count(made.configs, 'config')}"
    typer.echo(f"wrote {name}/: {counts}; next: hybridsim run {first}")


def _count(paths: tuple[Path, ...], what: str) -> str:
    return f"{len(paths)} {what}{'s' * (len(paths) > 1)}"


def write_plugin(name: str, folder: Path) -> tuple[Path, Path]:
    """Write NAME.py and NAME.yaml into `folder`; returns both paths.

    Raises
    ------
    ConfigError
        If `name` is no identifier, or one of the files exists or cannot be written.
    """
    from hybridsim.cli.copying import refuse_invalid_name

    refuse_invalid_name(name)
    texts = {folder / f"{name}.py": PLUGIN_TEMPLATE, folder / f"{name}.yaml": CONFIG_TEMPLATE}
    for path in texts:
        if path.exists():
            raise ConfigError(f"{path.name} exists and is not overwritten; choose another name, or move it away")
    for path, text in texts.items():
        try:
            path.write_text(text.replace("NAME", name), encoding="utf-8")
        except OSError as problem:
            raise ConfigError(f"{path}: cannot be written ({problem.strerror}); go to another folder") from None
    plugin, config = texts
    return plugin, config
