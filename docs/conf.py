"""The site of the documentation: `make docs` builds it with Sphinx from the pages of this folder."""

import inspect
import re
import sys
import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS / "site"))

project = "hybridsim"
author = "The hybridsim developers"
project_copyright = f"2026, {author}"
release = re.search(r'__version__ = "(.+)"', (ROOT / "hybridsim" / "__init__.py").read_text())[1]
ADDRESSES = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "charts",
    "commands",
    "fresh_pictures",
    "runs",
    "shell_blocks",
]
exclude_patterns = ["site", "images"]

# Pages are Markdown that the forge shows, too: links are paths of files, headings are linked to as the forge does.
myst_heading_anchors = 4
myst_links_external_new_tab = False
lexers["csv"] = TextLexer()

# The tutorial runs while the site is built, as its pictures must not be stale; an error in a cell ends the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_in_temp = True  # what it writes is no page

# In docstrings, single quotes mark names: of the API, which become links, and of parameters, which do not.
default_role = "py:obj"
autodoc_typehints = "none"  # the docstrings say what the types mean
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_attributes_as_param_list = True

highlight_language = "none"  # a block without a language is what a program prints, or what one types (shell_blocks)
copybutton_exclude = ".linenos, .gp"

html_theme = "furo"
html_static_path = ["site/static"]
html_css_files = ["wide.css"]
html_title = f"hybridsim {release}"
html_baseurl = ADDRESSES["Documentation"]
html_favicon = "site/static/favicon.svg"
DESCRIPTION = (
    "Simulate hybrid dynamical systems in Python: compiled, every event found, robots that walk in your browser"
)
myst_html_meta = {
    "description lang=en": DESCRIPTION,
    "property=og:description": DESCRIPTION,
    "property=og:title": "hybridsim",
}
html_copy_source = False
html_theme_options = {
    "source_repository": ADDRESSES["Source"],
    "source_branch": "main",
    "source_directory": "docs/",
}


def setup(app):
    """Leave out what Python itself says about the fields of named tuples: their class describes them."""
    app.connect("autodoc-skip-member", is_field_of_a_named_tuple)


def is_field_of_a_named_tuple(app, what, name, member, skip, options):
    """Return True to leave a member out, None for the usual decision."""
    return str(inspect.getdoc(member)).startswith("Alias for field number") or None
