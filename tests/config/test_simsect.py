from pathlib import Path

import pytest

from hybridsim.config import load_config, resolve, resolve_to_yaml
from hybridsim.config.key_table import RC_NAMES
from hybridsim.config.simsect import DEFAULTS
from hybridsim.model import RESERVED_NAMES

LEG = 'systemName = "./leg.py";\n'

FULL = """
# The shape of a real file: initial state, parameters, recording, engine.
systemName = "./leg.py";
y = 0.9;                    # height (m)
angle = "10 deg";
k = 1200; k = 1600;         # the later one counts
terrain = "sloped";
heights = { 1.0 2.0 3.0 };
grid_xsteps = 50;           # for another model
recordPeriod = 0.001;
measurePeriod = 0.1;
dataBaseName = "leg";
useGeomview = 1;
maxChartCount = 1280000;
stopPrecision = 1e-9;
maxStopIterations = 64;
tolerance = 1e-5;
maxTimeStep = 1e-3;
minTimeStep = 1e-13;
rkPower = 0.25;
finalTime = 5;
"""


def rc(load, text: str, *overrides: str):
    return load(text, *overrides, name="run.rc")


def test_a_silent_file_has_the_defaults_of_simsect(load):
    config = rc(load, LEG)
    assert config.final_time == 1.0
    assert (config.engine.rtol, config.engine.atol) == (1e-4, 1e-4)
    assert (config.engine.max_step, config.engine.min_step) == (1e-2, 1e-15)
    assert (config.engine.stop_precision, config.engine.max_stop_iterations) == (1e-10, 128)
    assert (config.engine.power, config.engine.max_transitions) == (0.33, 128)
    assert (config.record.steps, config.record.period, config.progress_period) == (True, None, 0.0)
    assert (config.output.base, config.view) == ("SimSect", False)
    assert config.engine.method == "dp5"
    assert config.origins["engine.atol"] == "SimSect default"
    assert config.origins["engine.method"] == config.origins["parameters.k"] == "default"


def test_every_symbol_of_simsect_has_its_meaning(load):
    config = rc(load, FULL)
    assert config.initial == {"y": 0.9, "ydot": 0.0, "angle": pytest.approx(10 * 3.141592653589793 / 180, rel=1e-15)}
    assert config.parameters["k"] == 1600.0
    assert config.parameters["terrain"] == "sloped"
    assert config.parameters["heights"] == (1.0, 2.0, 3.0)
    assert (config.record.period, config.progress_period, config.output.base) == (0.001, 0.1, "leg")
    assert (config.engine.max_transitions, config.engine.max_stop_iterations) == (1280000, 64)
    assert (config.engine.stop_precision, config.engine.rtol, config.engine.atol) == (1e-9, 1e-5, 1e-5)
    assert (config.engine.max_step, config.engine.min_step, config.engine.power) == (1e-3, 1e-13, 0.25)
    assert config.final_time == 5.0
    assert config.origins["engine.rtol"] == "run.rc:17:1"


def test_symbols_of_simsect_that_set_nothing_say_what_to_do_instead(load):
    config = rc(load, LEG + 'torque_loss = 0.1;\nmovie_filename = "walk.mpg";', "torque_loss=0.2")
    assert [note.partition("; ")[0] for note in config.notes] == [
        "run.rc:2:1: torque_loss: not used",
        "run.rc:3:1: movie_filename: not used",
        "command line: torque_loss: not used",
    ]
    assert "--record FILE.mp4" in config.notes[1]


def test_an_unknown_symbol_is_a_note(load):
    notes = rc(load, FULL).notes
    assert [note.split(": ")[:2] for note in notes] == [["run.rc:9:1", "grid_xsteps"]]


def test_many_symbols_of_another_program_share_a_note_and_misspelt_ones_do_not(load):
    foreign = "".join(f"qz{n}_gain = {n};\n" for n in range(50))
    misspelt, shared = rc(load, f"{LEG}{foreign}maxTimestep = 1e-3;\nqz7_gain = 1;\n").notes
    assert misspelt.startswith("run.rc:52:1: maxTimestep: ")
    assert shared.startswith("run.rc:2:1: these symbols are not used, because neither the engine nor the model leg has")
    assert shared.count("qz7_gain") == 1
    assert shared.endswith("qz48_gain, qz49_gain")


def test_geomview_becomes_the_view(load):
    config = rc(load, FULL)
    assert (config.view, config.origins["view"]) == (True, "run.rc:13:1")


def test_a_misspelt_symbol_is_a_note_with_the_right_one(load):
    notes = rc(load, f"{LEG}maxTimestep = 1e-3;\ntouchdwn = 3;\nterain = 1\n").notes
    assert "did you mean `maxTimeStep`?" in notes[0]
    assert "did you mean" not in notes[1]
    assert "did you mean `terrain`?" in notes[2]


@pytest.mark.parametrize("symbol", ["maxStopIter", "maxStopIterations", "max_stop_iterations"])
def test_both_spellings_and_our_own_name_are_accepted(load, symbol):
    assert rc(load, f"{LEG}{symbol} = 99;\n").engine.max_stop_iterations == 99


def test_the_other_names_of_a_parameter_are_read_in_rc_files_only(load, problems):
    assert rc(load, f'{LEG}terrain_type = "sloped";\n').parameters["terrain"] == "sloped"
    assert rc(load, f'{LEG}terrain = "flat"; terrain_type = "sloped";\n').parameters["terrain"] == "sloped"
    assert rc(load, f'{LEG}terrain = "flat";\n', "terrain_type=sloped").parameters["terrain"] == "sloped"
    (problem,) = problems("model: ./leg.py\nfinal_time: 1\nparameters: {terrain_type: sloped}\n")
    assert "did you mean `terrain`?" in problem


def test_keys_of_the_engine_stand_under_their_own_names(load):
    config = rc(load, f'{LEG}method = "rk4_adaptive"; rtol = 1e-9; first_step = 1e-3; max_wall_time = 60;\n')
    assert (config.engine.method, config.engine.rtol, config.engine.atol) == ("rk4_adaptive", 1e-9, 1e-4)
    assert (config.engine.first_step, config.engine.max_wall_time) == (1e-3, 60.0)


def test_of_tolerance_and_rtol_the_later_one_counts(load):
    assert rc(load, f"{LEG}rtol = 1e-9; tolerance = 1e-6;\n").engine.rtol == 1e-6
    assert rc(load, f"{LEG}tolerance = 1e-6; rtol = 1e-9;\n").engine.rtol == 1e-9


def test_a_record_period_of_zero_records_every_step(load):
    assert rc(load, f"{LEG}recordPeriod = 0.0;\n").record.period is None


def test_a_problem_is_named_by_the_symbol_and_reported_once(problems):
    assert problems(f"{LEG}tolerance = -1;\nuseGeomview = 5;\nk = -3;\nfinalTime = {{ 1 }};\n", name="run.rc") == (
        "run.rc:5:1: finalTime: expected a number, found a list; give for example 10.0",
        "run.rc:2:1: tolerance: expected a number of at least 0, found -1; give for example 1e-08",
        "run.rc:2:1: tolerance: expected a number above 0, found -1; give for example 1e-10",
        "run.rc:3:1: useGeomview: expected true or false (1 or 0 in an rc file), found 5; give for example false",
        "run.rc:4:1: k: expected a number from 0 to inf [N/m], found -3; choose one within these bounds",
    )


def test_a_file_that_names_no_model_means_the_hexapod_and_the_message_lists_what_is_installed(problems, monkeypatch):
    monkeypatch.setattr("hybridsim.config.simsect.available_models", lambda: {"slip": None, "relay": None})
    (problem,) = problems("finalTime = 1;\n", name="run.rc")
    assert problem.startswith("run.rc: systemName: the file names no model")
    assert "'hexapod' is not installed" in problem
    assert "slip, relay" in problem


def test_overrides_reach_symbols_and_dotted_keys_and_win_over_the_file(load):
    config = rc(load, FULL, "k=5", "finalTime=7", "engine.rtol=1e-9", "parameters.spring=3", "terrain=flat", "y=0.5")
    assert (config.parameters["k"], config.parameters["spring"], config.parameters["terrain"]) == (5.0, 3, "flat")
    assert (config.final_time, config.engine.rtol, config.engine.atol) == (7.0, 1e-9, 1e-5)
    assert config.initial["y"] == 0.5
    assert config.origins["final_time"] == config.origins["parameters.k"] == "command line"


def test_a_dotted_override_wins_over_the_symbol_in_the_file(load):
    assert rc(load, FULL, "parameters.k=5").parameters["k"] == 5.0


def test_the_model_itself_can_be_overridden(load):
    Path("other").mkdir()
    Path("other/leg.py").write_text(Path("leg.py").read_text().replace('"leg",', '"other",'))
    assert rc(load, LEG, "systemName=other/leg.py").model.name == "other"


def test_an_unknown_override_is_a_problem(problems):
    (problem,) = problems(LEG, "finalTme=3", name="run.rc")
    assert problem.startswith("command line: finalTme: ")
    assert "did you mean `finalTime`?" in problem


def test_the_resolved_config_of_an_rc_file_is_a_yaml_config_of_the_same_run(load):
    config = rc(load, FULL)
    Path("again.yaml").write_text(resolve_to_yaml(config))
    assert resolve(load_config("again.yaml")) == resolve(config)


def test_no_model_can_take_a_name_that_an_rc_file_gives_to_the_engine():
    assert {*RC_NAMES} <= RESERVED_NAMES
    assert {*DEFAULTS} <= {*RC_NAMES}
