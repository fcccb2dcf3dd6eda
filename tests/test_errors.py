"""What a wrong keyword of a public function is answered."""

from dataclasses import dataclass

import pytest

from hybridsim.errors import ConfigError, explains_keywords


@explains_keywords(guess="initial")
def find(model, *, initial=None):
    return model, initial


@explains_keywords(title="name")
@dataclass(frozen=True, slots=True)
class Named:
    name: str = ""


@pytest.mark.parametrize(
    ("keyword", "answer"),
    [
        ("guess", "find: guess: there is no such keyword; it is called `initial` here"),
        ("Guess", "find: Guess: there is no such keyword; it is called `initial` here"),
        ("intial", "find: intial: there is no such keyword; did you mean `initial`?"),
        ("zz", "find: zz: there is no such keyword; the keywords are model, initial"),
    ],
)
def test_an_unknown_keyword_is_answered_by_the_nearest_one(keyword, answer):
    with pytest.raises(ConfigError) as caught:
        find("slip", **{keyword: 1})
    assert str(caught.value) == answer


def test_all_unknown_keywords_are_told_at_once_and_known_ones_pass():
    assert find("slip", initial=3) == ("slip", 3)
    with pytest.raises(ConfigError) as caught:
        find("slip", guess=1, intial=2)
    assert len(caught.value.problems) == 2


def test_classes_are_called_in_the_same_way():
    assert Named(name="y").name == "y"
    with pytest.raises(ConfigError, match="Named: title: there is no such keyword; it is called `name` here"):
        Named(title="y")
