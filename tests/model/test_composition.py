"""Plants and parts: a composed model is the model that one would write by hand.

It is so to the last bit if its parts come with the plant, and to rounding if they are compiled separately.
"""

import dataclasses
import sys
from pathlib import Path

import numpy as np
import pytest

from hybridsim import (
    Model,
    ModelError,
    Part,
    compose,
    load_model,
    simulate,
    verify,
)
from hybridsim.engine.compiler import compilation, object_file
from hybridsim.engine.compiler.fingerprint import content_hash, fingerprint
from hybridsim.engine.compiler.options import JIT
from hybridsim.model.registry import load_model_or_part, load_part
from hybridsim.testing import check_model, check_part

FOLDER = Path(__file__).parents[1] / "composed"
PENDULUM, PULSES, BY_HAND = (FOLDER / f"{name}.py" for name in ("pendulum", "pulses", "by_hand"))
START = {"initial": {"speed": 2.0}, "final_time": 5.0}


@pytest.fixture(scope="module")
def pendulum():
    return load_model(PENDULUM)


@pytest.fixture(scope="module")
def driven(pendulum):
    return pendulum.with_parts({"drive": load_part(PULSES)})


@pytest.fixture(scope="module")
def bundled(pendulum):
    """The pendulum with the same drive as one of those that come with it."""
    (slot,) = pendulum.plant.slots
    slot = dataclasses.replace(slot, choices={**slot.choices, "pulses": load_part(PULSES)}, default="pulses")
    return compose(dataclasses.replace(pendulum.plant, slots=(slot,)))


# A composed model and its pieces.


def test_a_composed_run_is_that_of_the_model_written_by_hand_to_the_last_bit(bundled):
    ours, by_hand = simulate(bundled, **START), simulate(BY_HAND, **START)
    assert len(ours.events) == len(by_hand.events) > 10
    for name in ("t", "j", "chart", "x", "y", "extension"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(by_hand, name))
    assert ours.events[:] != []
    assert [event.boundaries for event in ours.events] == [event.boundaries for event in by_hand.events]


def test_a_composed_model_keeps_the_contract_and_its_run_is_a_solution(driven):
    assert "fine" in check_model(driven)
    assert verify(simulate(driven, **START), driven).ok


def test_records_follow_each_other_and_the_slot_is_a_parameter_with_a_word(driven):
    assert driven.states.names == ("angle", "speed", "knocks", "pulses", "integral")
    assert driven.parameters.names == ("g_over_l", "restitution", "friction", "gain", "profile", "period", "drive")
    assert driven.boundary_records.names == ("left_wall", "right_wall", "tick")
    assert driven.output_records.names == ("energy", "applied", "strength")
    assert driven.chart_fields == {"last_wall": 1, "pulse": 2}
    assert driven.slot_names == ("drive",)
    assert driven.parameters["drive"].choices == ("free", str(PULSES))
    assert driven.parameters["drive"].default == str(PULSES)


def test_the_default_part_fills_a_slot_for_which_no_part_is_given(pendulum):
    assert pendulum.part_words == {"drive": "free"}
    assert compose(pendulum.plant) is not None
    # Without a torque, and without friction and walls, the energy stays.
    run = simulate(pendulum, parameters={"friction": (0.0, 0.0)}, initial={"angle": 0.3}, final_time=3.0, rtol=1e-10)
    np.testing.assert_allclose(run["energy"], run["energy"][0], rtol=1e-8)


def test_the_same_pieces_give_the_same_model_and_an_equal_file(pendulum):
    plant, part = pendulum.plant, load_part(PULSES)
    first, second = compose(plant, {"drive": part}), compose(plant, {"drive": part})
    assert first is second
    copied = compose(plant, {"drive": dataclasses.replace(part)})
    files = {Path(model.functions["vector_field"].__code__.co_filename) for model in (first, copied)}
    assert len(files) == 1
    assert files.pop().is_file()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(object_file, "cache_root", lambda: tmp_path / "cache")
    compilation.compile_or_load.cache_clear()
    yield tmp_path / "cache"
    compilation.compile_or_load.cache_clear()


def compiled_into(cache, model):
    """Compile a model's functions, and return how many files that adds to the cache."""
    before = len([*cache.rglob("*.bin")])
    compilation.compile_functions(model.name, model.functions)
    return len([*cache.rglob("*.bin")]) - before


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_composed_functions_are_kept_on_disk(bundled, cache):
    assert compiled_into(cache, bundled) == len(bundled.functions)
    compilation.compile_or_load.cache_clear()
    assert compiled_into(cache, bundled) == 0


BARE = """from hybridsim import Part
def torque(t, x, p, chart, angle, speed):
    return -2.0 * angle
PART = Part("bare", couplings=(torque,), slot="pendulum.drive")
"""


def of_plant_functions(model):
    """Return what is compiled of the plant of a model with a part of the user's, by name."""
    found = vars(sys.modules[model.functions["vector_field"].__module__])
    return {name: found[f"plant_{name}_on_whole"] for name in model.functions if f"plant_{name}_on_whole" in found}


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_plant_is_compiled_once_for_all_parts_of_users(pendulum, driven, cache, tmp_path):
    """With states, boundaries, outputs and chart bits, or without."""
    compiled_into(cache, driven)
    (tmp_path / "bare.py").write_text(BARE)
    bare = pendulum.with_parts({"drive": load_part(tmp_path / "bare.py")})
    plants = of_plant_functions(driven), of_plant_functions(bare)
    assert plants[0].keys() == plants[1].keys() >= {"vector_field", "boundaries", "transition"}
    for name in plants[0]:
        assert len({fingerprint(plant[name], "", is_whole=False) for plant in plants}) == 1, name
    assert compiled_into(cache, bare) <= len(bare.functions) + 1  # callers of the plant's and the part's, and a torque
    run = simulate(bare, **START)
    assert run.status.ok


def edited(pendulum, folder, name, old, new):
    """The pendulum with the drive from a file in which something has been replaced."""
    path, text = folder / f"{name}.py", PULSES.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return pendulum.with_parts({"drive": load_part(path)})


@pytest.mark.exhaustive  # the plant is compiled once in the ordinary run
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_of_a_part_of_the_users_only_what_is_edited_is_compiled(pendulum, cache, tmp_path):
    first = edited(pendulum, tmp_path, "first", "-p[P.gain]", "-1.0 * p[P.gain]")
    of_part = ("torque", "vector_field", "boundaries", "transition", "outputs")
    of_plant = [name for name in first.functions if name in of_plant_functions(first)]
    assert compiled_into(cache, first) == len(first.functions) + len(of_part) + len(of_plant)
    stronger = edited(pendulum, tmp_path, "stronger", "-p[P.gain]", "-1.5 * p[P.gain]")
    assert compiled_into(cache, stronger) == 1
    faster = edited(pendulum, tmp_path, "faster", "return (chart + 1)", "return (chart + 3)")
    assert compiled_into(cache, faster) == 2  # with the torque, which is that of the file before any edit


def test_what_is_compiled_of_the_plant_does_not_depend_on_the_size_of_a_part(pendulum, driven, tmp_path):
    larger = edited(pendulum, tmp_path, "larger", 'State("integral", ', 'State("unused"), State("integral", ')
    more = edited(pendulum, tmp_path, "more", 'Parameter("period"', 'Parameter("unused", 1.0), Parameter("period"')
    for model in (larger, more):
        for name in ("vector_field", "boundaries", "outputs"):
            functions = model.functions[name], driven.functions[name]
            assert len({fingerprint(function, "", is_whole=False) for function in functions}) == 1
        assert content_hash(model.functions["vector_field"]) != content_hash(driven.functions["vector_field"])


def test_models_that_differ_in_a_part_do_not_disturb_each_other(pendulum, tmp_path):
    """Their machine code calls the part by the same name."""
    weak = edited(pendulum, tmp_path, "weak", "-p[P.gain]", "-0.5 * p[P.gain]")
    strong = edited(pendulum, tmp_path, "strong", "-p[P.gain]", "-2.0 * p[P.gain]")
    runs = [simulate(model, **START) for model in (weak, strong, weak, strong)]
    assert runs[0].x.tobytes() == runs[2].x.tobytes()
    assert runs[1].x.tobytes() == runs[3].x.tobytes()
    for run, factor in zip(runs, (0.5, 2.0), strict=False):
        applied = -factor * 3.0 * run["strength"] * (run["angle"] + run["integral"])
        np.testing.assert_allclose(run["applied"], applied, rtol=1e-12, atol=1e-12)


def test_a_part_of_the_users_gives_the_run_of_the_bundled_one_but_for_rounding(driven, bundled):
    """In one piece of code, multiplications and additions are fused that are rounded one by one in two.

    The steps are of one length, so that nothing but rounding differs: 1e-16 in each of 150 before the first wall.
    """
    fixed = {"method": "rk4", "first_step": 1e-3, "final_time": 0.15, "record": True}
    separate, whole = (simulate(model, **START | fixed) for model in (driven, bundled))
    assert separate.t.tobytes() == whole.t.tobytes()
    np.testing.assert_allclose(separate.x, whole.x, rtol=0.0, atol=150 * 2.0 * np.finfo(float).eps)


# Files.


def test_a_plugin_file_may_hold_a_plant_or_a_part(tmp_path):
    assert isinstance(load_model_or_part(PENDULUM), Model)
    assert isinstance(load_model_or_part(PULSES), Part)
    (tmp_path / "nothing.py").write_text("x = 1\n")
    with pytest.raises(ModelError, match=r"it defines no `PART`; a plug-in ends with `PART = Part"):
        load_part(tmp_path / "nothing.py")
    with pytest.raises(ModelError, match="there is no such plug-in file"):
        load_part(tmp_path / "nowhere.py")


def test_an_edited_part_is_read_again(tmp_path):
    file = tmp_path / "pulses.py"
    file.write_text(PULSES.read_text())
    first = load_part(file)
    assert load_part(file) is first
    file.write_text(PULSES.read_text().replace('"gain", 3.0', '"gain", 5.25'))
    assert load_part(file).parameters["gain"].default == 5.25


def test_a_part_is_checked_in_the_slot_that_it_names(tmp_path):
    with pytest.raises(ModelError, match="does not say which slot it is for"):
        check_part(PULSES)
    (tmp_path / "pendulum.py").write_text(PENDULUM.read_text())
    file = tmp_path / "pulses.py"
    file.write_text(PULSES.read_text().replace('doc="pulses', 'slot="./pendulum.py.drive", doc="pulses'))
    assert "fine" in check_part(file)
    file.write_text(file.read_text().replace("return -p[P.gain]", "return -p[P.gain + 99]"))
    with pytest.raises(ModelError, match=r"pulses\.py:\d+: in `vector_field`: IndexError"):
        check_part(file)
