"""Runs whose model's files change after they were recorded, and the refusal to execute these."""

import h5py
import pytest

from hybridsim import ConfigError
from hybridsim.model.plugin_import import UnrecordedFileError

BALL = """
import math
from hybridsim import Boundary, Model, State
from hybridsim.scene import Body, Scene, Sphere, placed
{top}

STATES = (State("y", 1.0), State("v"))


def vector_field(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -GRAVITY


def boundaries(g, t, x, p, chart):
    g[0] = x[0]


def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -0.5 * x[1]
    return 0


def poses(T, t, x, p, chart):
    T[0] = placed((0.0, 0.0, x[0]))


MODEL = Model(
    "ball",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    boundary_records=[Boundary("floor", degree=1)],
    scene=Scene([Body("ball", Sphere(0.1))]),
)
"""
STRANGER = "\nimport pathlib\npathlib.Path({marker!r}).write_text('executed')\n"
GRAVITIES = {
    "none": "GRAVITY = 9.81",
    "by name": "from planet import GRAVITY",
    "relative": "from .planet import GRAVITY",
    "a package": "from planets.earth import GRAVITY",
    "within a package": "from .planets.earth import GRAVITY",
}


def without_record(path, of=None):
    """Remove from a run file the record of the model's files, or of one of them."""
    with h5py.File(path, "a") as file:
        record = {name: data.asstr()[()] for name, data in file["model_files"].items()}
        del file["model_files"]
        if of is not None:
            kept = record["path"] != str(of)
            assert not kept.all()
            for name, values in record.items():
                file[f"model_files/{name}"] = values[kept].tolist()


def rename_model(path, new):
    with h5py.File(path, "a") as file:
        lines = file["config"].asstr()[()].splitlines()
        del file["config"]
        file["config"] = "\n".join(f"model: {new}" if line.startswith("model:") else line for line in lines)


def refusal(use, path, marker, *arguments):
    with pytest.raises(UnrecordedFileError) as caught:
        use(path, *arguments)
    assert isinstance(caught.value, ConfigError)
    (sentence,) = caught.value.problems
    assert str(path) in sentence
    assert not marker.exists()
    return sentence
