"""Runs of models with blocks: what is recorded of them, their files, and sweeps over their entries."""

import numpy as np
import pytest

from hybridsim import ConfigError, Simulation, load_config, load_run, simulate, sweep, verify
from hybridsim.plotting import plot_run
from hybridsim.plotting.columns import entries_called

PLUGIN = '''
"""Phases that pull their neighbours."""
from hybridsim.model import Boundary, Model, Output, Parameter, Records, State

N = 4
STATES = Records(State("h.phi", [0.1, 0.2, 0.3, 0.4], "rad", shape=N), State("z"))
PARAMETERS = Records(Parameter("h.f", (1.0,) * N), Parameter("pull", 0.5))
S, P = STATES.indices, PARAMETERS.indices

def vector_field(xdot, t, x, p, chart):
    f = int(p[P.h_f])
    for i in range(N):
        xdot[S.h_phi + i] = p[f + i] + p[P.pull] * (x[S.h_phi + (i + 1) % N] - x[S.h_phi + i])
    xdot[S.z] = 1.0

def outputs(y, t, x, p, chart):
    y[0] = x[S.z]
    for i in range(N):
        y[1 + i] = 2.0 * x[S.h_phi + i]

def boundaries(g, t, x, p, chart):
    for i in range(N):
        g[i] = 2.0 - x[S.h_phi + i]

def transition(x_new, t, x, p, chart, crossed):
    for i in range(N):
        if crossed[i]:
            x_new[S.h_phi + i] = 0.0
    return 0

MODEL = Model(
    "ring", STATES, vector_field=vector_field, parameters=PARAMETERS, boundaries=boundaries, transition=transition,
    boundary_records=[Boundary("h.turn", shape=N)], outputs=outputs, output_records=[Output("w"), Output("s", shape=N)],
)
'''


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    path = tmp_path_factory.mktemp("blocks") / "ring.py"
    path.write_text(PLUGIN)
    return path


def test_a_file_gives_the_run_back_and_it_is_verified(plugin, tmp_path):
    run = simulate(plugin, final_time=4.0, initial={"h.phi[1]": 0.9}, parameters={"h.f": [1, 2, 3, 4]})
    assert run.events.count("h.turn[3]") > 2
    run.save(tmp_path / "ring.h5")
    again = load_run(tmp_path / "ring.h5")
    assert (again.states, again.outputs, again.boundaries) == (run.states, run.outputs, run.boundaries)
    assert again.provenance["config"] == run.provenance["config"]
    for name in ("x", "y", "t"):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))
    assert verify(again).ok


def test_some_entries_are_recorded_by_name(plugin, tmp_path):
    run = simulate(plugin, final_time=2.0, record={"outputs": ["s[1:3]", "w"], "period": 0.5})
    assert run.outputs.names == ("s[1]", "s[2]", "w")
    np.testing.assert_array_equal(run["s[2]"], 2.0 * run["h.phi[2]"])
    run.save(tmp_path / "some.h5")
    assert load_run(tmp_path / "some.h5").outputs == run.outputs
    with pytest.raises(ConfigError, match=r"has no output 's\[4\]'"):
        simulate(plugin, final_time=2.0, record={"outputs": ["s[4]"]})


def test_a_config_names_entries(plugin, tmp_path):
    path = tmp_path / "run.yaml"
    path.write_text(
        f"model: {plugin}\nfinal_time: 9\ninitial: {{h.phi: 0.5, 'h.phi[2]': 10 deg}}\n"
        "parameters: {h: {f: 1.5}}\nstop: [{state: 'h.phi[2]', value: 1.0}]\n"
    )
    config = load_config(path, ["initial.h.phi[0]=0.25", "parameters.h.f[1]=2"])
    assert config.initial["h.phi"] == (0.25, 0.5, np.deg2rad(10), 0.5)
    assert config.parameters["h.f"] == (1.5, 2.0, 1.5, 1.5)
    run = Simulation.from_config(config).run()
    assert run["h.phi[2]"][-1] == pytest.approx(1.0)
    assert load_config(path, ["initial.h.phi=0.75"]).initial["h.phi"] == (0.75,) * 4
    path.write_text(f"model: {plugin}\nfinal_time: 9\ninitial:\n  z: 1\n  h.phi[7]: 1\n")
    with pytest.raises(ConfigError, match=r"run.yaml:5:3: initial.h.phi\[7\]: .*h.phi has 4 entries"):
        load_config(path)


@pytest.mark.parametrize("axis", ["h.f[1]", "parameters.h.f[1]", "initial.h.phi[1]", "parameters.h.f", "h.phi"])
def test_a_sweep_varies_entries_and_whole_blocks(plugin, axis):
    metrics = ["final(h.phi[1])", "max(s[2] * h.phi[2])", "count(h.turn[1])"]
    table = sweep(plugin, axes={axis: [0.7, 1.9]}, final_time=1.5, metrics=metrics, folder=None)
    section, name = ("initial", "h.phi") if "phi" in axis else ("parameters", "h.f")
    name += "[1]" if "[" in axis else ""
    for row, value in enumerate((0.7, 1.9)):
        run = simulate(plugin, final_time=1.5, **{section: {name: value}})
        assert table["final(h.phi[1])"][row].as_py() == run["h.phi[1]"][-1]
        assert table["count(h.turn[1])"][row].as_py() == run.events.count("h.turn[1]")


def test_the_text_files_of_a_run_are_read_again(plugin, tmp_path):
    run = simulate(plugin, final_time=1.0, initial={"h.phi[1]": 0.9}, parameters={"h.f[2]": 1.5})
    files = run.save(tmp_path / "ring", ["simsect"])
    text = "".join(path.read_text() for path in files if path.suffix != ".data")
    (tmp_path / "again.rc").write_text(f'model = "{plugin}";\nfinal_time = 1.0;\n{text}h.phi[0] = 0.7;\n')
    config = load_config(tmp_path / "again.rc")
    assert config.initial["h.phi"] == (0.7, 0.9, 0.3, 0.4)
    assert config.parameters["h.f"] == (1.0, 1.0, 1.5, 1.0)
    assert files[2].read_text().splitlines()[0] == "# time w s[0] s[1] s[2] s[3]"


def test_pictures_draw_entries_of_blocks(plugin, tmp_path):
    run = simulate(plugin, final_time=1.0)
    plot_run(run, ["h.phi[0:3]", "s[1]", "w"], tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 10_000
    assert entries_called(run, "h.phi[0:3]") == ["h.phi[0]", "h.phi[1]", "h.phi[2]"]
    assert entries_called(run, "s") == ["s[0]", "s[1]", "s[2]", "s[3]"]
    with pytest.raises(ConfigError, match=r"h.phi\[9\]: the run has nothing of this name"):
        plot_run(run, ["h.phi[9]"], tmp_path / "run.png")
