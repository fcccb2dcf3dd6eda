"""What follows from the table of settings."""

from hybridsim.config.engine_settings import COPIED_SETTINGS, EngineSettings
from hybridsim.config.key_table import KEY_USES, PER_RUN_KEYS
from hybridsim.engine.settings import SETTINGS_DTYPE


def test_every_setting_has_a_use_and_the_engine_has_those_that_are_copied_or_set_per_run():
    assert {("engine", name) for name in EngineSettings.model_fields} <= {*KEY_USES}
    per_run = {key.rpartition(".")[2] for key in PER_RUN_KEYS}
    assert {*COPIED_SETTINGS, *per_run} <= {*SETTINGS_DTYPE.names}
    assert per_run - {"final_time"} <= {*COPIED_SETTINGS}  # else something is computed from them before a run
