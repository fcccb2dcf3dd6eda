"""Extension of Sphinx: runs that move, drawn by the browser of the reader.

The directive `hybridsim` shows a config, which is run while the site is built, an .h5 file, or a page that `--html`
wrote:

    .. hybridsim:: ../configs/slip.yaml
       :set: final_time=4 parameters.k=21e3
       :speed: 0.5
       :alt: A runner

A picture of the gallery whose example also writes a page of its name, `hips.png` and `hips.html`, moves too. Every page
of a run is its data alone: style, script and three.js are files of the site.
"""

import html
import re
import shlex
import shutil
import tempfile
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from pictures import IMAGES, PICTURES
from sphinx.util.docutils import SphinxDirective

from hybridsim import Simulation, load_config
from hybridsim.viewer import ViewOptions, write_html
from hybridsim.viewer.browser.html import read, script

FOLDER = "_runs"
SHARED = ("page.css", "three.js", "page.js")
FRAME = """\
<figure class="run">
<a href="{page}" data-page="{page}#plain=1&amp;loop=1" title="{alt}">{picture}</a>
<figcaption><a href="{page}">{alt}: with all keys</a></figcaption>
</figure>
"""


class Run(nodes.General, nodes.Element):
    """A run in a page: `page`, the name of its file; `alt`, what it shows; `picture`, its address, or ""."""


class RunDirective(SphinxDirective):
    """Shows a run."""

    required_arguments = 1
    option_spec = dict.fromkeys(("set", "from", "to", "speed", "camera", "alt"), directives.unchanged)

    def run(self):
        """Make the page, and return what shows it."""
        file = Path(self.env.relfn2path(self.arguments[0])[1])
        self.env.note_dependency(str(file))
        name = f"{self.env.docname.replace('/', '-')}-{self.env.new_serialno('run')}.html"
        put_page(self.env.app, name, page_of(file, self.options))
        return [Run(page=name, alt=self.options.get("alt", file.stem), picture="")]


def page_of(file: Path, options: dict[str, str]) -> str:
    """Return the page of a config, a run or a page."""
    if file.suffix == ".html":
        return file.read_text(encoding="utf-8")
    numbers = {"from": "begin", "to": "end", "speed": "speed"}
    given = {numbers[name]: float(value) for name, value in options.items() if name in numbers}
    if "camera" in options:
        given["camera"] = options["camera"]
    run = file
    if file.suffix != ".h5":
        run = Simulation.from_config(load_config(file, shlex.split(options.get("set", "")))).run()
    with tempfile.TemporaryDirectory() as folder:
        return write_html(run, Path(folder) / "run.html", ViewOptions(**given)).read_text(encoding="utf-8")


def put_page(app, name: str, text: str) -> None:
    """Write the page of a run, and what all of them share."""
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    if not all((folder / name).exists() for name in SHARED):
        three = f"/* three.js:\n{read('three.LICENSE')}*/\n{read('three.js')}"
        for file, content in zip(SHARED, (read("page.css"), three, script()), strict=True):
            (folder / file).write_text(content, encoding="utf-8")
    (folder / name).write_text(with_shared_files(text), encoding="utf-8")


def with_shared_files(text: str) -> str:
    """Return a page whose style and scripts are files beside it; the policy of a page that has them itself goes."""
    scripts = "".join(f'<script src="{name}"></script>\n' for name in SHARED[1:])
    for pattern, other in (
        (r'<meta http-equiv="Content-Security-Policy".*?>\n', ""),
        (r"<style>.*?</style>", f'<link rel="stylesheet" href="{SHARED[0]}">'),
        (r"<!-- three\.js:.*(?=</body>)", scripts),
    ):
        text, count = re.subn(pattern, lambda _, other=other: other, text, count=1, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"docs/site/runs.py: the page of a run has nothing like {pattern}")
    return text


def move_pictures(app, doctree, docname):
    """Put runs in place of the pictures beside which the gallery has written a page."""
    if app.builder.format != "html":
        return
    for image in [*doctree.findall(nodes.image)]:
        name = Path(image["uri"]).name
        made = (PICTURES / name).with_suffix(".html")
        if made.exists():
            put_page(app, made.name, made.read_text(encoding="utf-8"))
            fresh = PICTURES / name
            shutil.copyfile(fresh if fresh.exists() else IMAGES / name, Path(app.outdir) / FOLDER / name)
            image.replace_self(Run(page=made.name, alt=image.get("alt", made.stem), picture=name))
    for paragraph in [*doctree.findall(nodes.paragraph)]:
        if any(isinstance(child, Run) for child in paragraph):
            paragraph.replace_self([child for child in paragraph if not isinstance(child, nodes.Text)])


def visit_run(self, node):
    """Write the frame of a run; without JavaScript it is a picture, or a name, with a link."""
    up = "../" * self.builder.current_docname.count("/")
    alt = html.escape(node["alt"], quote=True)
    picture = f'<img src="{up}{FOLDER}/{node["picture"]}" alt="{alt}">' if node["picture"] else alt
    self.body.append(FRAME.format(page=f"{up}{FOLDER}/{node['page']}", alt=alt, picture=picture))
    raise nodes.SkipNode


def skip_run(self, node):
    """Leave a run out of what does not move."""
    raise nodes.SkipNode


def setup(app):
    """Give Sphinx the directive, and the script that shows runs while they are on the screen."""
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (skip_run, None))
    app.add_node(Run, html=(visit_run, None), **others)
    app.add_directive("hybridsim", RunDirective)
    app.connect("doctree-resolved", move_pictures)
    app.add_js_file("runs.js", loading_method="defer")
    return {"parallel_read_safe": False, "parallel_write_safe": False}
