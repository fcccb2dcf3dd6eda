"""The docstrings of the reference are valid reStructuredText, as Sphinx reads them, in seconds instead of minutes."""

import importlib
import inspect
import io

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from numpydoc.docscrape_sphinx import get_doc_object
from reference import documented

SETTINGS = {"numpydoc_show_class_members": False, "show_class_members": False, "attributes_as_param_list": True}


class Ignored(Directive):
    """A directive of Sphinx, of which only the content is read."""

    has_content, optional_arguments, final_argument_whitespace = True, 1, True

    def run(self):
        found = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, found)
        return [found]


def found(name):
    """The object of a documented name."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def members(name):
    """The names of what the reference says of a name: itself, and the public members of a class."""
    thing = found(name)
    own = vars(thing) if inspect.isclass(thing) else {}
    return [name, *(f"{name}.{member}" for member in own if not member.startswith("_"))]


NAMES = sorted({each for name in documented() for each in members(name)})


def object_of(name):
    parent, _, attribute = name.rpartition(".")
    return inspect.getattr_static(found(parent), attribute) if parent in NAMES else found(name)


@pytest.fixture
def parsed(monkeypatch):
    """A function: what is wrong with a text, and the names between its single quotes."""
    for directive in ("seealso", "only", "autosummary", "versionadded", "deprecated"):
        monkeypatch.setitem(directives._directives, directive, Ignored)
    quoted = []

    def role(role, rawtext, text, lineno, inliner, options=None, content=None):
        quoted.append(text)
        return [nodes.literal(rawtext, text)], []

    for kind in ("", "obj", "class", "func", "meth", "ref", "py:obj"):
        monkeypatch.setitem(roles._roles, kind, role)

    def parse(text):
        problems = io.StringIO()
        publish_doctree(text, settings_overrides={"report_level": 2, "halt_level": 5, "warning_stream": problems})
        return problems.getvalue(), quoted

    return parse


def text_of(thing):
    """The docstring of a class, function or property as numpydoc hands it to Sphinx; "" of data."""
    if isinstance(thing, property):
        return inspect.getdoc(thing) or ""
    if isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    is_documented = (inspect.isclass(thing) or inspect.isroutine(thing)) and inspect.getdoc(thing)
    return str(get_doc_object(thing, config=SETTINGS)) if is_documented else ""


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_is_read_without_a_warning_and_its_names_are_not_ambiguous(name, parsed):
    problems, quoted = parsed(text_of(object_of(name)))
    assert problems == ""
    for text in quoted:  # a name that begins with a dot is any name that ends so
        ending = text.removesuffix("()")
        assert not ending.startswith(".") or len([each for each in NAMES if each.endswith(ending)]) <= 1, text


def test_what_sphinx_has_warned_of_is_seen(parsed):
    problems, quoted = parsed("The default is (rows, *numbers row by row). `.to_pandas()` makes a table of it.")
    assert "Inline emphasis start-string without end-string" in problems
    assert quoted == [".to_pandas()"]
    assert len([name for name in NAMES if name.endswith(".to_pandas")]) > 1
