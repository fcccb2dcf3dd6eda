"""What machine code is valid for is what numba compiles for, by the same settings."""

import pytest
from llvmlite import binding

from hybridsim.engine.compiler import keys, options, target

SETTINGS = ("CPU_NAME", "CPU_FEATURES", "ENABLE_AVX", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")


@pytest.fixture
def settings(monkeypatch):
    """Make these settings of numba's, and no others."""

    def make(**values):
        for name in SETTINGS:
            monkeypatch.delenv(f"NUMBA_{name}", raising=False)
        for name, value in values.items():
            monkeypatch.setenv(f"NUMBA_{name}", value)
        forget()

    yield make
    monkeypatch.undo()
    forget()


def forget():
    for function in (options.numba_setting, target.machine, target.platform_key, keys.machine_key):
        function.cache_clear()


@pytest.fixture
def on_processor(monkeypatch):
    """Stand on a machine with this processor."""

    def stand(triple, *features):
        every = dict.fromkeys([*target.FEATURES_OF_PORTABLE_CPU, "avx512f"], False)
        found = binding.FeatureMap({**every, **dict.fromkeys(features, True)})
        monkeypatch.setattr(target.binding, "get_host_cpu_name", lambda: "this one")
        monkeypatch.setattr(target.binding, "get_host_cpu_features", lambda: found)
        monkeypatch.setattr(target.binding, "get_process_triple", lambda: triple)
        forget()

    yield stand
    monkeypatch.undo()
    forget()


def test_without_settings_numba_compiles_for_this_cpu(settings):
    settings()
    features = dict(binding.get_host_cpu_features())
    assert target.numba_target() == (binding.get_host_cpu_name(), target._features_of_host())
    assert all(f"+{name}" in target._features_of_host() for name, has in features.items() if has)


@pytest.mark.skipif(not binding.get_process_triple().startswith("x86_64"), reason="LLVM compiles for this machine only")
def test_the_features_are_those_that_llvm_knows_the_cpu_by():
    """Code for an x86-64-v3 uses no instruction that a processor with these features lacks: LLVM says what they are."""
    made = binding.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine(cpu=target.PORTABLE_CPU)
    named = ",".join(f"+{name}" for name in sorted(target.FEATURES_OF_PORTABLE_CPU))
    same = binding.Target.from_triple(made.triple).create_target_machine(cpu="x86-64", features=named)
    source = "".join(
        f"define i64 @{name}(i64 %a) {{\n %b = call i64 @llvm.{name}.i64(i64 %a{more})\n ret i64 %b\n}}\n"
        f"declare i64 @llvm.{name}.i64(i64{', i1' if more else ''})\n"
        for name, more in (("ctlz", ", i1 false"), ("cttz", ", i1 false"), ("ctpop", ""), ("bswap", ""))
    )
    source += (
        "define <4 x double> @fma(<4 x double> %a) {\n %b = call <4 x double> @llvm.fma.v4f64"
        "(<4 x double> %a, <4 x double> %a, <4 x double> %a)\n ret <4 x double> %b\n}\n"
        "declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)\n"
    )
    compiled = [machine.emit_assembly(binding.parse_assembly(source)) for machine in (made, same)]
    assert compiled[0] == compiled[1]
    assert all(name in compiled[0] for name in ("vfmadd", "lzcnt", "tzcnt", "popcnt"))


def test_functions_are_compiled_for_what_all_processors_with_avx2_have_in_common(settings, on_processor):
    settings()
    linux = "x86_64-unknown-linux-gnu"
    found = []
    for more in ((), ("avx512f",)):
        on_processor(linux, *target.FEATURES_OF_PORTABLE_CPU, *more)
        assert target.compiler_target() == ("x86-64-v3", "")
        found.append((keys.machine_key(), target.platform_key()))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]  # the cache may lie on a disk that machines share


@pytest.mark.parametrize("lacking", sorted(target.FEATURES_OF_PORTABLE_CPU))
def test_a_processor_that_lacks_a_feature_is_compiled_for_as_it_is(lacking, settings, on_processor):
    settings()
    on_processor("x86_64-unknown-linux-gnu", *target.FEATURES_OF_PORTABLE_CPU - {lacking})
    name, features = target.compiler_target()
    assert name == "this one"
    assert f"-{lacking}" in features.split(",")


def test_so_is_one_of_another_kind(settings, on_processor):
    settings()
    on_processor("aarch64-unknown-linux-gnu", *target.FEATURES_OF_PORTABLE_CPU)
    assert target.compiler_target()[0] == "this one"


def test_systems_have_keys_of_their_own_and_their_versions_have_not(settings, on_processor):
    settings()
    found = []
    for triple in ("x86_64-unknown-linux-gnu", "x86_64-apple-darwin23.1.0", "x86_64-apple-darwin24.0.0"):
        on_processor(triple, *target.FEATURES_OF_PORTABLE_CPU)
        found.append(keys.machine_key())
    assert found[0] != found[1] == found[2]


def test_versions_of_the_compiler_are_told_apart_in_the_cache_and_not_in_the_package(monkeypatch):
    machine, platform = keys.machine_key(), target.platform_key()
    forget()
    monkeypatch.setattr(target, "numba_version", lambda: "another")
    assert keys.machine_key() == machine
    assert target.platform_key() != platform
    monkeypatch.undo()
    forget()


def test_a_cpu_that_all_machines_of_a_cluster_have_is_the_same_on_each(settings):
    settings(CPU_NAME="x86-64-v3", CPU_FEATURES="")
    assert target.compiler_target() == ("x86-64-v3", "")
    settings(CPU_NAME="generic")
    assert target.compiler_target() == ("generic", "")


def test_without_avx_no_feature_is_of_avx(settings):
    settings(ENABLE_AVX="0")
    assert "+avx" not in target.compiler_target()[1]


def test_each_setting_that_changes_machine_code_changes_the_key(settings):
    found = []
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
        found.append(target.platform_key())
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(("value", "on"), [("1", True), ("0", False), ("false", False), ("", False), ("2", True)])
def test_a_switch_is_a_number_as_for_numba(value, on, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
    options.numba_setting.cache_clear()
    assert options.is_switched_on("DISABLE_JIT", default=False) == on
    monkeypatch.undo()
    options.numba_setting.cache_clear()
