"""What machine code is valid for is what numba compiles for, by the same settings."""

import pytest
from llvmlite import binding

from hybridsim.engine.compiler import options, target

SETTINGS = ("CPU_NAME", "CPU_FEATURES", "ENABLE_AVX", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")


@pytest.fixture
def settings(monkeypatch):
    """Make these settings of numba's, and no others."""

    def make(**values):
        for name in SETTINGS:
            monkeypatch.delenv(f"NUMBA_{name}", raising=False)
        for name, value in values.items():
            monkeypatch.setenv(f"NUMBA_{name}", value)
        options.numba_setting.cache_clear()
        target.platform_key.cache_clear()

    yield make
    monkeypatch.undo()
    options.numba_setting.cache_clear()
    target.platform_key.cache_clear()


def test_without_settings_it_is_this_cpu(settings):
    settings()
    features = dict(binding.get_host_cpu_features())
    assert target.compiler_target() == (binding.get_host_cpu_name(), target._features_of_host())
    assert all(f"+{name}" in target._features_of_host() for name, has in features.items() if has)


def test_a_cpu_that_all_machines_of_a_cluster_have_is_the_same_on_each(settings):
    settings(CPU_NAME="x86-64-v3", CPU_FEATURES="")
    assert target.compiler_target() == ("x86-64-v3", "")
    settings(CPU_NAME="generic")
    assert target.compiler_target() == ("generic", "")


def test_without_avx_no_feature_is_of_avx(settings):
    settings(ENABLE_AVX="0")
    assert "+avx" not in target.compiler_target()[1]


def test_each_setting_that_changes_machine_code_changes_the_key(settings):
    keys = []
    for values in (
        {},
        {"CPU_NAME": "x86-64-v3"},
        {"CPU_NAME": "x86-64-v3", "CPU_FEATURES": ""},
        {"ENABLE_AVX": "0"},
        {"OPT": "1"},
        {"LOOP_VECTORIZE": "0"},
        {"SLP_VECTORIZE": "1"},
    ):
        settings(**values)
        keys.append(target.platform_key())
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("value", "on"), [("1", True), ("0", False), ("false", False), ("", False), ("2", True)])
def test_a_switch_is_a_number_as_for_numba(value, on, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    options.numba_setting.cache_clear()
    assert options.is_switched_on("DISABLE_JIT", default=False) == on
    monkeypatch.undo()
    options.numba_setting.cache_clear()
