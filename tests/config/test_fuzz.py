"""For any file and any override, the result is a RunConfig or a ConfigError, and nothing else."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hybridsim.config import RunConfig, config_from_keywords, load_config
from hybridsim.config.key_table import RC_NAMES
from hybridsim.config.keywords import KEYWORDS
from hybridsim.config.sweep import SweepConfig, load_sweep_config, sweep_from_keywords
from hybridsim.errors import ConfigError

QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

scalars = st.one_of(
    st.sampled_from(
        ["1e-6", "1e-6x", "off", "true", "null", "22 deg", ".inf", "-1", "0", "touchdown", "k", "dp5", "''"]
    ),
    st.sampled_from(["&a", "*a", "!!int x", "[1, 2, 3]", "{a: b}", "[", "}", '"', "leg.py", "run.yaml", "#", "\\"]),
    st.floats().map(repr),
    st.integers().map(str),
    st.text(max_size=8),
)
keys = st.one_of(
    st.sampled_from([*RC_NAMES, *KEYWORDS, "include", "model", "k", "y", "spring", "terrain", "heights", "boundary"]),
    st.text(max_size=5),
)
indents = st.sampled_from(["", "  ", "    ", "- ", "  - "])
yaml_lines = st.tuples(indents, keys, st.sampled_from([": ", ":\n  ", ":"]), scalars).map("".join)
rc_lines = st.tuples(keys, st.sampled_from([" = ", "=", " "]), scalars, st.sampled_from([";", "", "; "])).map("".join)


def accept(text: str, name: str, overrides: tuple[str, ...] = ()) -> None:
    Path(name).write_text(text, encoding="utf-8", errors="surrogatepass")
    with contextlib.suppress(ConfigError):
        assert isinstance(load_config(name, overrides), RunConfig)


@pytest.mark.exhaustive  # what looks like a config is, and any bytes
@pytest.mark.members(1)
@pytest.mark.parametrize("name", ["run.yaml", "run.rc"])
@QUICK
@given(text=st.text(alphabet=st.characters(codec=None)))
def test_any_text(folder, name, text):
    accept(text, name)


@pytest.mark.parametrize("name", ["run.yaml", "run.rc"])
@QUICK
@given(content=st.binary())
def test_any_bytes(folder, name, content):
    Path(name).write_bytes(content)
    with contextlib.suppress(ConfigError):
        assert isinstance(load_config(name), RunConfig)


@QUICK
@given(lines=st.lists(yaml_lines, max_size=8), overrides=st.lists(yaml_lines | rc_lines, max_size=2))
def test_anything_that_looks_like_a_yaml_config(folder, lines, overrides):
    accept("model: leg.py\nfinal_time: 1\n" + "\n".join(lines), "run.yaml", tuple(overrides))


axis_values = st.one_of(
    scalars,
    st.sampled_from(["linspace(0, 1, 3)", "logspace(1, 2, 3)", "uniform(0, 1)", "normal(0, 1)", "arange(0, 9, 1)"]),
    st.sampled_from(["linspace(1 deg, 2 deg, 3)", "linspace(", "(,)", "a(b, c)", "[1, 2]", "[flat]", "[5 deg, x]"]),
    st.text(alphabet="linspace(0,1)deg .e-", max_size=20),
)
sweep_keys = st.sampled_from(
    ["k", "y", "angle", "spring", "terrain", "heights", "rtol", "engine.method", "max_step", "final_time", "?"]
)
sweep_lines = st.tuples(
    st.sampled_from(
        ["  axes:\n    ", "  zip:\n    ", "  random:\n    samples: 3\n    axes:\n      ", "  rows:\n    ", "  "]
    ),
    sweep_keys | st.sampled_from(["rows", "block", "extra_outputs"]),
    axis_values,
).map(lambda parts: f"{parts[0]}{parts[1]}: {parts[2]}")


@QUICK
@given(lines=st.lists(sweep_lines, max_size=5), metrics=axis_values, overrides=st.lists(yaml_lines, max_size=1))
def test_anything_that_looks_like_a_sweep(folder, lines, metrics, overrides):
    text = f"model: leg.py\nfinal_time: 1\nmetrics: {metrics}\nsweep:\n" + "\n".join(lines)
    Path("run.yaml").write_text(text, encoding="utf-8", errors="surrogatepass")
    with contextlib.suppress(ConfigError):
        assert isinstance(load_sweep_config("run.yaml", tuple(overrides)), SweepConfig)


@QUICK
@given(lines=st.lists(rc_lines, max_size=8), overrides=st.lists(rc_lines, max_size=2))
def test_anything_that_looks_like_an_rc_file(folder, lines, overrides):
    accept('systemName = "leg.py"\n' + "\n".join(lines), "run.rc", tuple(overrides))


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.just("touchdown"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.exhaustive  # any keywords of a run are in the ordinary run
@QUICK
@given(axes=values, rows=values, random=values, metrics=values)
def test_any_keywords_of_a_sweep(folder, axes, rows, random, metrics):
    with contextlib.suppress(ConfigError):
        sweep = sweep_from_keywords("leg.py", axes, metrics, rows=rows, random=random, final_time=1)
        assert isinstance(sweep, SweepConfig)


@QUICK
@given(keywords=st.dictionaries(st.sampled_from(sorted(KEYWORDS)), values, max_size=5))
def test_any_keywords(folder, keywords):
    with contextlib.suppress(ConfigError):
        assert isinstance(config_from_keywords("leg.py", **keywords), RunConfig)
