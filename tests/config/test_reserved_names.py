"""The names that a model may not use are those of the schema, in both directions."""

from collections import defaultdict

import pytest

from hybridsim import ModelError, Parameter, Records
from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.key_table import RC_NAMES
from hybridsim.config.schema import Settings
from hybridsim.model.reserved import RESERVED_NAMES, RUN_COLUMNS, SETTINGS, refuse_symbols


def addresses_by_symbol():
    """What each name in an rc file sets, by the table of reserved names."""
    found = defaultdict(list)
    for key, symbols in SETTINGS.items():
        for symbol in symbols:
            found[symbol].append(tuple(key.split(".")))
    return {symbol: tuple(addresses) for symbol, addresses in found.items()}


def test_the_table_has_the_keys_of_the_schema_and_no_others():
    keys = {key for key in SETTINGS if "." not in key}
    assert keys == {*Settings.model_fields, "include"}
    assert {key for key in SETTINGS if key.startswith("engine.")} == {
        f"engine.{key}" for key in EngineSettings.model_fields
    }


def test_the_table_has_the_symbols_of_simsect_and_no_others():
    own = {*EngineSettings.model_fields, *Settings.model_fields}
    assert addresses_by_symbol() == {symbol: keys for symbol, keys in RC_NAMES.items() if symbol not in own}


def test_every_key_symbol_and_column_is_reserved_and_nothing_else_is():
    expected = {*Settings.model_fields, "include", *EngineSettings.model_fields, *RC_NAMES, *RUN_COLUMNS}
    assert expected == RESERVED_NAMES


@pytest.mark.parametrize("name", sorted(RESERVED_NAMES))
def test_a_reserved_name_is_refused(name):
    with pytest.raises(ModelError, match=f"'{name}' is a name of the engine; choose another"):
        refuse_symbols("model 'm'", {"parameter": Records(Parameter(name))})
