"""Extension of Sphinx: the site shows the pictures that `pictures.py` has just made, not those of docs/images.

The pages name the pictures of docs/images, because the forge shows these; they are as old as the last `make gallery`.
"""

import shutil
from pathlib import Path

from pictures import PICTURES


def setup(app):
    """Connect to the end of a build."""
    app.connect("build-finished", replace_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def replace_pictures(app, exception):
    """Copy every picture that was made over the one of its name in the site."""
    if exception is None and app.builder.format == "html":
        for shown in (Path(app.outdir) / "_images").iterdir():
            made = PICTURES / shown.name
            if made.exists():
                shutil.copyfile(made, shown)
