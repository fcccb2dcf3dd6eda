"""Whatever stands in a description of a network, it is a network or an error of the config, and nothing else."""

import copy
import random

import pytest
import yaml

import hybridsim
from hybridsim import ConfigError

GOOD = {
    "nodes": {
        "h": {"type": "hopf", "count": 3, "phi": [1.0, 2.0, 3.0], "f": 1.0},
        "v": {"type": "van_der_pol"},
        "p": {"type": "pogo", "count": 2},
    },
    "edges": [
        {
            "type": "phase",
            "from": "h",
            "to": "h",
            "pattern": "chain",
            "bias": 0.3,
            "name": "a",
            "states": {"phi": "phi"},
        },
        {"type": "projection", "from": "v", "to": "v", "weight": {"input": "w", "default": 1}, "pattern": [[0, 0]]},
        {"type": "sine", "from": "h", "to": "h", "pattern": {"random": {"degree": 1}}, "inflows": {"pull": "pull"}},
    ],
}
WORDS = [None, "x", "10 deg", "all", "ring", "types.py:X"]
NUMBERS = [3, -1, 2.5, True, float("nan"), float("inf")]
LISTS = [[], [1], [[1]], [["a", "b"]], [1, "x", 3], [[0, 1], [0]]]
MAPPINGS = [
    {},
    {"a": 1},
    {"input": 3},
    {"input": "a b"},
    {"random": 3},
    {"random": {"degree": 99}},
    {"matrix": "no.csv"},
]


def places(value, within=()):
    """Yield the keys of all that a description contains."""
    yield within
    for key, each in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield from places(each, (*within, key))


def changes():
    return [(place, wrong) for place in places(GOOD) if place for wrong in (*WORDS, *NUMBERS, *LISTS, *MAPPINGS)]


def check(given, file):
    (*within, last), wrong = given
    network = copy.deepcopy(GOOD)
    inner = network
    for key in within:
        inner = inner[key]
    inner[last] = wrong
    file.write_text(yaml.safe_dump({"model": {"network": network}, "final_time": 1}))
    problems = problems_of(file)
    assert all(problem.startswith(f"{file}:") for problem in problems), (given, problems)
    return not problems


def problems_of(file):
    try:
        hybridsim.load_config(file)
    except ConfigError as failure:
        return failure.problems
    return ()


def test_some_changes_of_a_description(tmp_path):
    accepted = sum(check(given, tmp_path / "net.yaml") for given in random.Random(1).sample(changes(), 150))
    assert accepted < 40


@pytest.mark.exhaustive
def test_all_changes_of_a_description(tmp_path):
    assert sum(check(given, tmp_path / "net.yaml") for given in changes()) < len(changes()) / 4
