"""The names that a model may not use are those of the schema, in both directions."""

import pytest

from hybridsim import ModelError, Parameter, Records
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.key_table import KEY_USES, RC_NAMES
from hybridsim.config.schema import Settings
from hybridsim.config.source import join_address
from hybridsim.model.reserved import (
    CONFIG_KEYS,
    ENGINE_KEYS,
    RESERVED_NAMES,
    RUN_COLUMNS,
    SIMSECT_NAMES,
    refuse_symbols,
)


def test_the_listed_keys_are_those_of_the_schema():
    assert {*CONFIG_KEYS} == {*Settings.model_fields, "include"}
    assert {*ENGINE_KEYS} == {*EngineSettings.model_fields}


def test_every_name_of_simsect_sets_keys_that_exist():
    assert {*SIMSECT_NAMES} <= {join_address(address) for address in KEY_USES}


def test_every_key_symbol_and_column_is_reserved_and_nothing_else_is():
    """An rc file is one flat table: a parameter called `rtol` could not be distinguished from the engine's setting."""
    expected = {*Settings.model_fields, "include", *EngineSettings.model_fields, *RC_NAMES, *RUN_COLUMNS}
    assert expected == RESERVED_NAMES


@pytest.mark.parametrize("name", sorted(RESERVED_NAMES))
def test_a_reserved_name_is_refused(name):
    with pytest.raises(ModelError, match=f"'{name}' is a name of the engine; choose another"):
        refuse_symbols("model 'm'", {"parameter": Records(Parameter(name))})
