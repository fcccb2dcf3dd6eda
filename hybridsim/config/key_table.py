"""All keys of a run with their uses, and the tables that follow from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.field_types import ConfigSection, KeyUse, use_of
from hybridsim.config.schema import OutputSettings, RecordSettings, Settings
from hybridsim.config.source import Address, join_address
from hybridsim.model.reserved import SIMSECT_NAMES

_SECTIONS_WITH_KEYS: Mapping[str, type[ConfigSection]] = {
    "engine": EngineSettings,
    "record": RecordSettings,
    "output": OutputSettings,
}


def _key_uses() -> Iterator[tuple[Address, KeyUse]]:
    """Yield the keys with a use; every setting of the engine has one."""
    for name, field in Settings.model_fields.items():
        use = use_of(field)
        if use is not None:
            yield (name,), use
    for section, schema in _SECTIONS_WITH_KEYS.items():
        for name, field in schema.model_fields.items():
            use = use_of(field) or (KeyUse() if schema is EngineSettings else None)
            if use is not None:
                yield (section, name), use


KEY_USES: Mapping[Address, KeyUse] = dict(_key_uses())
"""Address of a key -> how it is used outside the schema."""

PER_RUN_KEYS = tuple(".".join(map(str, address)) for address, use in KEY_USES.items() if use.per_run)
"""Keys whose values a sweep may write into the engine's settings before each run."""

KEYS_WITHOUT_EFFECT_ON_METRICS = tuple(
    str(address[0]) for address, use in KEY_USES.items() if len(address) == 1 and not use.changes_metrics
)
"""Keys that may differ when a sweep is resumed. Of the model, a hash of its functions is compared, not its path."""


def _rc_names() -> Mapping[str, tuple[Address, ...]]:
    names: dict[str, tuple[Address, ...]] = {}
    for address, use in KEY_USES.items():
        own = (str(address[-1]),) if use.own_name_in_rc else ()
        for name in (*SIMSECT_NAMES.get(join_address(address), ()), *own):
            names[name] = (*names.get(name, ()), address)
    return names


RC_NAMES: Mapping[str, tuple[Address, ...]] = _rc_names()
"""Name in an rc file -> the keys it sets: SimSect's names, and hybridsim's names of the keys."""

NAMES_WITHOUT_EFFECT: Mapping[str, str] = {
    "torque_loss": "SimSect reads the actuators' efficiency and does not use it either",
    "movie_filename": "`hybridsim view RUN.h5 --record FILE.mp4` makes a film",
}
"""Name in an rc file that sets nothing -> what its user should know."""

KEYS_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("t_end", "t_final", "t_stop", "t_max", "tend", "tfinal", "tmax", "tf", "t1"), "final_time"),
    **dict.fromkeys(("tspan", "t_span", "stop_time", "end_time", "t_bound"), "final_time"),
    **dict.fromkeys(("t0", "t_start", "tstart", "start_time"), "initial_time"),
    **dict.fromkeys(("x0", "y0", "ic", "ics", "initial_state", "initial_conditions", "u0"), "initial"),
    **dict.fromkeys(("params", "param", "args"), "parameters"),
    **dict.fromkeys(("reltol", "rel_tol", "relative_tolerance"), "rtol"),
    **dict.fromkeys(("abstol", "abs_tol", "absolute_tolerance"), "atol"),
    **dict.fromkeys(("solver", "integrator", "alg", "algorithm"), "method"),
    **dict.fromkeys(("maxstep", "hmax", "dtmax", "max_dt"), "max_step"),
    **dict.fromkeys(("initialstep", "h0", "dt", "dt0", "step", "step_size"), "first_step"),
    **dict.fromkeys(("threads", "n_threads", "n_jobs", "n_workers", "processes", "parallel"), "workers"),
    "guess": "initial",
    "max_period": "max_strides",
    "orbit.period": "orbit.strides",
    "orbit.max_period": "orbit.max_time",
    **dict.fromkeys(("orbit.guess", "orbit.initial", "orbit.at"), "initial"),
    **dict.fromkeys(("sweep.threads", "sweep.workers"), "--workers"),
}
"""What other programs, or this one once, call a key or a keyword, in small letters -> its name here."""
