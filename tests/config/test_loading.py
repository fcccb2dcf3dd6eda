from pathlib import Path

import pytest

from hybridsim.config import load_config
from hybridsim.errors import ConfigError

RUN = "model: leg.py\nfinal_time: 1\n"


def test_all_problems_of_all_kinds_are_reported_at_once(problems):
    found = problems(
        "model: leg.py\nfinal_time: 1e-6x\nenginee: {}\nparameters: {k: -1}\ninitial: {y: off}\nengine: {rtol: -1}\n"
        "stop: [{boundary: landing}]\nparameters: {}\n",
        "engine.atol=-1",
        "nonsense",
    )
    assert sorted(problem.split(": ")[1] for problem in found) == [
        *("'nonsense'", "engine.atol", "engine.rtol", "enginee", "final_time", "initial.y"),
        *("parameters", "parameters.k", "stop[0].boundary"),
    ]


@pytest.mark.parametrize(("name", "meant"), [("slp", "slip"), ("hexapode", "hexapod"), ("compas_gait", "compass_gait")])
def test_a_misspelt_model_in_place_of_a_config_is_corrected(name, meant):
    with pytest.raises(ConfigError, match=f"no such model is installed; did you mean `{meant}`"):
        load_config(name)


def test_a_model_that_does_not_load_is_reported_together_with_the_rest(problems):
    Path("broken.py").write_text("def vector_field(:\n")
    model, key = problems("model: broken.py\nfinal_time: 1\nkey: 1\n")
    assert model.startswith("run.yaml:1:1: model: ")
    assert "broken.py:1:18" in model
    assert key.startswith("run.yaml:3:1: key: ")


@pytest.mark.parametrize(
    "model", ["slipp", "./nowhere.py", ".", "~nobody/leg.py", "3", "''", f"{'a' * 5000}.py", '"a\\tb/"']
)
def test_a_model_that_does_not_exist_is_a_config_error(problems, model):
    (problem,) = problems(f"model: {model}\nfinal_time: 1\n")
    assert problem.startswith("run.yaml:1:1: model: ")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("nowhere.yaml", "no such file"),
        (".", "a folder"),
        ("a\0b", "cannot be read"),
        ("walker.py", "MODEL"),  # it is run as a model, which it is not
        ("walker.h5", "the file of a run.*`hybridsim view`"),
    ],
)
def test_what_cannot_be_read_as_a_config_is_a_config_error(folder, path, expected):
    for file in ("walker.py", "walker.h5"):
        (folder / file).write_text("MODEL = None")
    with pytest.raises(ConfigError, match=expected):
        load_config(path)


@pytest.mark.parametrize("model", ["bouncing_ball", "ball.py"])
def test_a_model_alone_is_a_config_with_all_its_defaults(folder, model):
    (folder / "ball.py").write_text("from hybridsim import load_model\nMODEL = load_model('bouncing_ball')\n")
    (folder / "ball.yaml").write_text(f"model: {model}\nfinal_time: 12\ninitial_time: 2\n")
    alone, described = load_config(model, ["initial_time=2"]), load_config("ball.yaml")
    assert (alone.final_time, alone.initial, alone.parameters) == (12.0, described.initial, described.parameters)
    (note,) = alone.notes
    assert "final_time" in note
    assert "12 s" in note


def test_a_model_alone_ends_where_it_is_told_to():
    config = load_config("bouncing_ball", ["final_time=3"])
    assert config.final_time == 3.0
    assert not config.notes


@pytest.mark.parametrize("override", ["initial_time=soon", "final_time=soon", "parameters.gravty=1", "model=nothing"])
def test_mistakes_beside_a_model_alone_are_config_errors(override):
    with pytest.raises(ConfigError, match=override.partition("=")[0]):
        load_config("bouncing_ball", [override])


def test_a_file_goes_before_a_model_of_its_name(folder):
    (folder / "slip").write_text("final_time = -1;\n")
    with pytest.raises(ConfigError, match="slip:1"):
        load_config("slip")


def test_overrides_are_written_as_in_yaml_and_the_last_one_wins(load):
    config = load(
        RUN,
        "engine.rtol=1e-9",
        "parameters.k=1",
        "parameters.k=2e4",
        "initial.angle=22 deg",
        "stop=[{boundary: touchdown, count: 24}]",
        "record=false",
        "output={base: other}",
        "parameters.heights=[1, 2, 3]",
    )
    assert (config.engine.rtol, config.parameters["k"]) == (1e-9, 2e4)
    assert config.initial["angle"] == pytest.approx(22 * 3.141592653589793 / 180, rel=1e-15)
    assert config.stop[0].count == 24
    assert not config.record.steps
    assert (config.output.base, config.output.folder) == ("other", ".")
    assert config.parameters["heights"] == (1.0, 2.0, 3.0)
    assert config.origins["stop"] == "command line"


def test_an_override_below_a_shorthand_replaces_it(load):
    assert load(f"{RUN}record: false\n", "record.period=0.5").record.period == 0.5
    assert load(f"{RUN}record: false\n", "record=0.5").record.period == 0.5
    assert load(f"{RUN}record: 0.5\n").record.period == 0.5


def test_a_path_in_an_override_starts_from_the_current_folder(load):
    Path("configs").mkdir()
    config = load("model: nowhere.py\nfinal_time: 1\n", "model=./leg.py", name="configs/run.yaml")
    assert Path(config.model.source) == Path("leg.py").resolve()


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("k=2e4", "command line: k: there is no such key; did you mean `parameters.k`?"),
        ("t_end=3", "command line: t_end: there is no such key; it is called `final_time` here"),
        ("AbsTol=1e-3", "command line: AbsTol: there is no such key; it is called `engine.atol` here"),
        ("parameters.kk=1", "command line: parameters.kk: the model has no such parameter; did you mean"),
        ("engine.rtol=fast", "command line: engine.rtol: expected a number, found 'fast'"),
        ("engine.rtol=", "command line: engine.rtol: expected a number, found nothing"),
        ("engine.rtol=[1", "command line: engine.rtol: this is not valid YAML"),
        ("parameters={k: 1, k: 2}", "command line: parameters.k: already given"),
        ("engine.rtol.x=1", "command line: engine.rtol: expected a number, found a mapping"),
        ("=3", "command line: '=3': expected key=value"),
        ("engine..rtol=3", "command line: 'engine..rtol=3': expected key=value"),
        ("rtol", "command line: 'rtol': expected key=value"),
        ("\udcff=1", r"command line: '\udcff=1': expected key=value"),
        ("output.base=\udcff", "command line: output.base: this is not valid YAML"),
        ("include=a.yaml", "command line: include: only a file can include another"),
    ],
)
def test_a_bad_override_is_reported_as_one(problems, override, expected):
    (problem,) = problems(RUN, override)
    assert problem.startswith(expected)


def test_the_base_name_of_the_files_is_that_of_the_config(load):
    assert load(RUN, name="hop.yaml").output.base == "hop"
    assert load(f"{RUN}output: {{base: run1}}\n").output.base == "run1"


def test_a_view_is_no_matter_of_the_config(load):
    assert (load(f"{RUN}view: true\n").view, load(f"{RUN}view: true\n").notes) == (True, ())
    assert (load(RUN).view, load(RUN).notes) == (False, ())
