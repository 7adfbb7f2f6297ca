"""The blocks of Python in the documents print what the blocks of text after them say."""

import contextlib
import io
import json
import linecache
import re

import pytest
from conftest import ROOT, needs_compiler

pytest.importorskip("numpy")
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


PAGES = ["docs/python.md", "docs/mutants.md", "crates/cute-python/README.md", "README.md"]


@pytest.mark.parametrize("name", [*PAGES, pytest.param("docs/python_kernels.md", marks=needs_compiler)])
def test_documents_run(name):
    names, printed, found = {}, "", 0
    for kind, text in BLOCK.findall((ROOT / name).read_text()):
        if kind == "text":
            # Blocks of text of other languages follow no block of Python.
            if printed:
                assert printed == text
            printed = ""
            continue
        out = io.StringIO()
        # A kernel reads its own source.
        block = f"{name}, block {found}"
        linecache.cache[block] = (len(text), None, text.splitlines(keepends=True), block)
        with contextlib.redirect_stdout(out):
            exec(compile(text, block, "exec"), names)
        printed, found = printed + out.getvalue(), found + 1
    assert found > 0


def test_comments_say_what_is_printed():
    text = (ROOT / "crates/cute-python/README.md").read_text()
    wanted = re.findall(r"^print\(.*\) +# (.*)$", text, re.MULTILINE)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(BLOCK.search(text).group(2), {})
    assert out.getvalue().splitlines() == wanted


def shown(cell):
    """What a cell prints, and the kinds of what it shows."""
    printed = "".join("".join(output.get("text", "")) for output in cell["outputs"])
    return printed, sorted(kind for output in cell["outputs"] for kind in output.get("data", {}))


def test_the_notebook_shows_what_is_stored_in_it():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    path = ROOT / "examples/python/layouts.ipynb"
    stored = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    made = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [shown(cell) for cell in made] == [shown(cell) for cell in stored]
    assert sum("image/svg+xml" in kinds for _, kinds in map(shown, made)) == 2
