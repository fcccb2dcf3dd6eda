"""A run in a cell of a notebook: `embed` in a kernel, as Jupyter starts it."""

import re

import pytest

pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

CELLS = (
    """
import hybridsim
from hybridsim.viewer.web import embed
run = hybridsim.simulate("slip", final_time=0.5)
page = await embed(run, height=321)
page
""",
    """
import asyncio, re, urllib.request
address = re.search('src="([^"]+)"', page._repr_html_())[1]
with await asyncio.to_thread(urllib.request.urlopen, address, timeout=60) as answer:
    print(answer.status, "html" in answer.headers["Content-Type"])
""",
    """
page.close()
await asyncio.wait_for(page.closed(), 60)
""",
)


@pytest.mark.exhaustive  # slow: a kernel is started; `test_web` has pages
@pytest.mark.slow
def test_a_kernel_shows_a_page_that_answers_until_it_is_closed(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    first, second, _ = client.execute().cells
    (frame,) = (output.data["text/html"] for output in first.outputs if "data" in output)
    assert re.match(r'<iframe src="http://127\.0\.0\.1:\d+/[\w-]{20,}/?[^"]*" style="[^"]*height: 321px', frame)
    assert [output.text for output in second.outputs if output.get("name") == "stdout"] == ["200 True\n"]
