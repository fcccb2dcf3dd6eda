"""Parts in a config: YAML, rc, the command line and keywords, and the messages for those that do not fit."""

from pathlib import Path

import pytest

from hybridsim import ConfigError, load_config, simulate
from hybridsim.config import resolve, resolve_to_yaml
from hybridsim.config.sweep import load_sweep_config

FOLDER = Path(__file__).parents[1] / "composed"


@pytest.fixture
def folder(tmp_path):
    for name in ("pendulum", "pulses"):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text())
    return tmp_path


def yaml(folder, text="", name="run.yaml"):
    path = folder / name
    path.write_text(f"model: ./pendulum.py\nfinal_time: 2\n{text}")
    return path


def test_a_part_is_found_from_the_folder_of_the_config_and_its_parameters_can_be_set(folder):
    config = load_config(yaml(folder, "parameters: {drive: ./pulses.py, gain: 4}\ninitial: {pulses: 1}"))
    assert config.parameters["drive"] == str(folder / "pulses.py")
    assert (config.parameters["gain"], config.initial["pulses"]) == (4.0, 1.0)
    assert config.origins["parameters.drive"].endswith("run.yaml:3:14")


def test_without_a_word_the_default_part_fills_the_slot(folder):
    config = load_config(yaml(folder))
    assert config.parameters["drive"] == "free"
    assert config.origins["parameters.drive"] == "default"


def test_the_resolved_config_makes_the_same_run_from_anywhere(folder, tmp_path_factory, monkeypatch):
    config = load_config(yaml(folder, "parameters: {drive: ./pulses.py}"))
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    (elsewhere / "again.yaml").write_text(resolve_to_yaml(config))
    again = load_config("again.yaml")
    assert resolve(again) | {"output": None} == resolve(config) | {"output": None}
    assert again.model.functions == config.model.functions


def test_an_override_wins_and_its_path_starts_from_the_current_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    path = yaml(folder, "parameters: {drive: free}")
    assert load_config(path, ["parameters.drive=./pulses.py"]).initial["integral"] == 0.0
    assert load_config(
        yaml(folder, "parameters: {drive: ./pulses.py}"), ["parameters.drive=free"]
    ).model.output_records.names == (
        "energy",
        "applied",
    )


def test_an_rc_file_names_a_part_anywhere_and_its_symbols_count(folder):
    path = folder / "run.rc"
    path.write_text('gain = 5; systemName = "./pendulum.py";\ndrive = "./pulses.py"; integral = 0.25;\n')
    config = load_config(path)
    assert (config.parameters["gain"], config.initial["integral"]) == (5.0, 0.25)
    assert config.notes == ()


def test_symbols_of_a_part_that_is_not_there_are_noted_and_not_used(folder):
    path = folder / "run.rc"
    path.write_text('systemName = "./pendulum.py"; gain = 5;\n')
    (note,) = load_config(path).notes
    assert "gain: neither the engine nor the model pendulum has it" in note


def test_keywords_fill_slots_too(folder):
    run = simulate(folder / "pendulum.py", parameters={"drive": folder / "pulses.py"}, final_time=1.0)
    assert run.parameters["drive"] == str(folder / "pulses.py")
    assert run.events.count("tick") == 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "fre",
            r"run\.yaml:3:14: parameters\.drive: expected one of free, or the path of a part's file, found 'fre'; did",
        ),
        ("./none.py", r"run\.yaml:3:14: parameters\.drive: .*none\.py: there is no such plug-in file"),
        ("./pendulum.py", r"parameters\.drive: .*pendulum\.py: it defines no `PART`"),
        ("3", "expected the name of a part or the path of its file, found 3"),
        ("[free]", "expected the name of a part or the path of its file, found a list"),
    ],
)
def test_a_value_that_is_no_part_is_reported_with_its_place(folder, value, message):
    with pytest.raises(ConfigError, match=message):
        load_config(yaml(folder, f"parameters: {{drive: {value}}}"))


def test_a_slot_cannot_vary_in_a_sweep_but_what_its_part_brings_can(folder):
    part = "parameters: {drive: ./pulses.py}\n"
    sweep = load_sweep_config(yaml(folder, part + "sweep: {axes: {gain: [1, 2]}}\nmetrics: [final(integral)]"))
    assert [axis.key for axis in sweep.axes] == ["parameters.gain"]
    with pytest.raises(ConfigError, match="a slot cannot vary in a sweep"):
        load_sweep_config(yaml(folder, part + "sweep: {axes: {drive: [free]}}\nmetrics: [final(angle)]"))


def test_a_key_of_another_part_of_the_slot_is_reported_with_that_part(tmp_path):
    text = (FOLDER / "pendulum.py").read_text().replace('{"free": FREE}', '{"free": FREE, "pulses": PULSES}')
    (tmp_path / "pendulum.py").write_text(
        text.replace("\nSTATES =", "\nfrom pulses import PART as PULSES\n\nSTATES =", 1)
    )
    (tmp_path / "pulses.py").write_text((FOLDER / "pulses.py").read_text())
    with pytest.raises(
        ConfigError, match=r"no such parameter; the part pulses has it, so set parameters\.drive to pulses"
    ):
        load_config(yaml(tmp_path, "parameters: {gain: 4}"))
    assert load_config(yaml(tmp_path, "parameters: {gain: 4, drive: pulses}")).parameters["gain"] == 4.0
    (tmp_path / "run.rc").write_text('systemName = "./pendulum.py"; gain = 4;')
    assert "the part pulses has it" in load_config(tmp_path / "run.rc").notes[0]
