"""The tutorial runs from its first cell to its last, in a kernel as Jupyter starts it."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial.ipynb"


@pytest.fixture(scope="module")
def notebook():
    return nbformat.read(NOTEBOOK, as_version=4)


def test_it_is_kept_without_results(notebook):
    """They are made when the site is built, and would be old here."""
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


@pytest.mark.slow
def test_it_runs_and_shows_pictures_a_table_and_a_player(notebook, tmp_path):
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    done = client.execute()  # raises what a cell raises
    outputs = [output for cell in done.cells for output in cell.get("outputs", ())]
    shown = [kind for output in outputs for kind in output.get("data", ())]
    assert shown.count("image/png") == 3
    pages = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", ())]
    assert sum("data:image/png" in page for page in pages) == 2  # two runs
    assert sum(page.startswith("<iframe srcdoc") for page in pages) == 1
    assert any("<table" in page for page in pages)
    said = "".join(output["text"] for output in outputs if output.get("name") == "stderr")
    # What is compiled is said the first time; but no warning, with a path of this machine.
    assert all(line.startswith("compiling ") for line in said.splitlines() if line.strip())
