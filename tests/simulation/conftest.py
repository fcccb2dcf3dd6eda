import shutil
from pathlib import Path

import pytest

from hybridsim import Simulation, simulate, verify
from hybridsim.viewer import Replay

from recorded_runs import BALL, GRAVITIES, STRANGER

COMPOSED = Path(__file__).parents[1] / "composed"
USES = {"verify": verify, "view": Replay}


@pytest.fixture(params=USES)
def use(request):
    return USES[request.param]


@pytest.fixture
def marker(tmp_path):
    return tmp_path / "stranger_was_here"


@pytest.fixture
def stranger(marker):
    """Code that shows that it was executed."""
    return STRANGER.format(marker=str(marker))


@pytest.fixture
def recorded(tmp_path):
    """The file of a run, its model's file, and that of the neighbour which this one imports."""

    def record(gravity="none"):
        folder = tmp_path / "plugin"
        neighbour = folder / ("planets/earth.py" if "planets" in GRAVITIES[gravity] else "planet.py")
        neighbour.parent.mkdir(parents=True)
        (neighbour.parent / "__init__.py").touch()
        (folder / "__init__.py").unlink(missing_ok=True)
        neighbour.write_text("GRAVITY = 9.81\n")
        plugin = folder / "ball.py"
        plugin.write_text(BALL.format(top=GRAVITIES[gravity]))
        simulate(plugin, final_time=0.6).save(tmp_path / "run.h5")
        return tmp_path / "run.h5", plugin, neighbour

    return record


@pytest.fixture
def swing(tmp_path):
    """The file of a run with a part, the model's file and the part's."""
    for name in ("pendulum", "pulses"):
        shutil.copy(COMPOSED / f"{name}.py", tmp_path)
    model, part = tmp_path / "pendulum.py", tmp_path / "pulses.py"
    simulation = Simulation(model, parameters={"drive": str(part)}, final_time=0.5)
    simulation.run().save(tmp_path / "swing.h5")
    return tmp_path / "swing.h5", model, part
