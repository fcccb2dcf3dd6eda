"""What follows from the table of settings, and what becomes of former names."""

import pytest

from hybridsim.config.engine_settings import COPIED_SETTINGS, EngineSettings
from hybridsim.config.key_table import KEY_USES, PER_RUN_KEYS, RENAMED_KEYS
from hybridsim.engine.settings import SETTINGS_DTYPE


def test_every_setting_has_a_use_and_the_engine_has_those_that_are_copied_or_set_per_run():
    assert {("engine", name) for name in EngineSettings.model_fields} <= {*KEY_USES}
    per_run = {key.rpartition(".")[2] for key in PER_RUN_KEYS}
    assert {*COPIED_SETTINGS, *per_run} <= {*SETTINGS_DTYPE.names}
    assert per_run - {"final_time"} <= {*COPIED_SETTINGS}  # else something is computed from them before a run


@pytest.mark.parametrize(("former", "now"), RENAMED_KEYS.items())
@pytest.mark.parametrize("name", ["run.yaml", "run.rc"])
def test_a_former_key_in_a_file_gets_the_name_that_it_has_now(problems, name, former, now):
    text = f"model: leg.py\nfinal_time: 1\n{former}: 0.1\n"
    if name.endswith("rc"):
        text = f'systemName = "leg.py";\nfinalTime = 1;\n{former} = 0.1;\n'
    assert problems(text, name=name) == (f"{name}:3:1: {former}: this key is now called `{now}`; rename it",)


@pytest.mark.parametrize(("former", "now"), RENAMED_KEYS.items())
def test_a_former_key_as_override_gets_the_name_that_it_has_now(problems, former, now):
    advice = f"{former}: this key is now called `{now}`; rename it"
    assert problems("model: leg.py\nfinal_time: 1\n", f"{former}=0.1") == (f"command line: {advice}",)
