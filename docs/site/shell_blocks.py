"""Extension of Sphinx: blocks without a language that begin with a command are highlighted as those of a shell."""

import re

from docutils import nodes

PROGRAMS = r"hybridsim|python3?|pip|make|ssh|git|man|pytest|cd|\."
COMMAND = re.compile(rf"(?:\$ )?(?:\S+=\S+ )*(?:\.venv/bin/)?(?:{PROGRAMS}) ")


def name_shells(app, doctree):
    """Give the blocks a language."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if block.get("language", "none") in ("none", "default", "") and COMMAND.match(text):
            block["language"] = "console" if text.startswith("$ ") else "bash"


def setup(app):
    """Connect to the end of reading a page."""
    app.connect("doctree-read", name_shells)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
