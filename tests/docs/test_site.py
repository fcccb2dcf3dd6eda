"""What rots in a documentation: links, names of the API, files and commands of the gallery, addresses.

`make docs` builds the whole site; these tests look at the parts that a change elsewhere breaks.
"""

import importlib
import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from reference import documented

import hybridsim
from hybridsim.viewer.browser.html import page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted((*DOCS.glob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))))
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def script(name):
    """A script of docs/site, which is in no package."""
    found = importlib.util.spec_from_file_location(f"site_{name}", DOCS / "site" / f"{name}.py")
    module = sys.modules[found.name] = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def anchors(page):
    """The names of a page's headings, as the forge makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page):
    broken = []
    for link in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if link.startswith(("http://", "https://")):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_links_of_a_page_to_markdown_lead_to_pages_of_the_site(page):
    links = [link.partition("#")[0] for link in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))]
    assert [link for link in links if link.endswith(".md") and link.startswith("..")] == []
    assert [link for link in links if "://" not in link and (page.parent / link).is_dir() and link] == []


def test_every_page_is_in_the_contents_of_the_site():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    entries = re.findall(
        r"^(?:.+<)?([\w/-]+)>?$", "".join(re.findall(r":hidden:\n\n(.*?)```", index, re.DOTALL)), re.MULTILINE
    )
    pages = [
        page.relative_to(DOCS).with_suffix("").as_posix()
        for kind in ("md", "rst", "ipynb")
        for page in DOCS.rglob(f"*.{kind}")
    ]
    assert sorted(entries) == sorted({*pages} - {"index"})


def test_the_reference_has_every_public_name_once_and_no_other():
    names = documented()
    assert len(names) == len(set(names))
    assert {f"hybridsim.{name}" for name in hybridsim.__all__} <= {*names}
    assert {name.rpartition(".")[0] for name in names} >= {
        f"hybridsim.{m}" for m in ("scene", "testing", "viewer", "multibody", "plotting")
    }
    for name in names:
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name


EXAMPLES = script("pictures").examples()


def test_the_gallery_has_at_least_twenty_examples():
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_an_example_names_its_model_and_its_config_and_uses_it(example):
    assert re.search(r"Models?\s\[", example.text)
    assert re.search(r"\(\.\./(models/|configs/[^)]+\.py\))", example.text)
    linked = re.findall(r"\]\(\.\./(configs/[^)]+)\)", example.text)
    used = {word for command in example.commands for word in command if word.startswith("configs/")}
    configs = [name for name in linked if not name.endswith(".py") or name in used]
    assert configs
    assert all((ROOT / name).exists() for name in (*configs, *used))
    found_before = any("gait.h5" in command for command in example.commands)  # the orbit of an earlier example
    assert {*configs} <= used or found_before


def test_every_command_of_the_gallery_exists():
    commands = script("commands")
    known = {name for name, _ in commands.all_commands()}
    for example in EXAMPLES:
        for program, *words in example.commands:
            assert program == "python" or {" ".join(words[:1]), " ".join(words[:2])} & known


def test_the_gallery_makes_every_picture_that_a_page_shows():
    made = {name for example in EXAMPLES for name in example.pictures}
    assert made == {path.name for path in (DOCS / "images").iterdir()}


def test_the_manual_page_is_made_of_every_help_text():
    page = script("commands").manual()
    page = page.decode() if isinstance(page, bytes) else page
    for command in ("run", "sweep", "plot", "view", "verify", "orbit continue", "schema"):
        assert f".SH hybridsim {command}\n" in page
    assert "By default 1280x720." in page


def test_the_version_and_the_addresses_are_those_of_the_package():
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == hybridsim.__version__
    assert (citation["repository-code"], citation["url"]) == (urls["Source"], urls["Documentation"])
    for path in (*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.*")):
        for address in re.findall(r"https://[\w.]*github\.\w+/[\w./-]+", path.read_text(encoding="utf-8")):
            assert address.startswith(tuple(urls.values())), (path, address)


def test_the_charts_show_what_the_tables_say():
    charts = script("charts")
    text = (DOCS / "scorecard.md").read_text(encoding="utf-8")
    (sums,) = re.findall(r"^\| cases right at its best setting (.*)\|$", text, re.MULTILINE)
    bars = charts.right_cases(text).axes[0].patches[::2]
    assert [f"{bar.get_width():.0f}" for bar in bars] == re.findall(r"(\d+) of", sums)
    panels = charts.work_precision((DOCS / "benchmarks.md").read_text(encoding="utf-8")).axes
    assert [panel.get_title() for panel in panels] == ["the runner", "the compass gait"]
    assert all(len(panel.lines) > 10 for panel in panels)


def test_pages_of_runs_share_what_is_the_same_in_all(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(DOCS / "site")
    whole = page({"title": "a < b", "live": False}, [b"a run"])
    shared = script("runs").with_shared_files(whole)
    assert len(shared) < 5_000 < len(whole)
    assert whole[whole.index('<script type="text/plain" id="data">') :].split("<")[1] in shared
    for name in ("page.css", "three.js", "page.js"):
        assert f'"{name}"' in shared


@pytest.mark.parametrize(
    ("text", "language"),
    [("hybridsim run slip", "bash"), ("$ make docs", "console"), ("model  slip\nended  at t = 1 s", "none")],
)
def test_blocks_that_begin_with_a_command_are_those_of_a_shell(text, language):
    nodes = pytest.importorskip("docutils.nodes")
    block = nodes.literal_block(text, text, language="none")
    script("shell_blocks").name_shells(None, block)
    assert block["language"] == language
