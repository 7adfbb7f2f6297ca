"""What mypy finds in programs that use the package."""

import json
import pathlib

import pytest
from conftest import ROOT
from test_documents import BLOCK

api = pytest.importorskip("mypy.api")


def checked(folder, *files):
    """The output of mypy --strict."""
    out, errors, status = api.run(["--strict", "--cache-dir", str(folder / "cache"), *map(str, files)])
    return status, out + errors


def test_results_have_types(tmp_path):
    status, text = checked(tmp_path, pathlib.Path(__file__).parent / "typed.py")
    assert status == 0, text


def test_documented_programs_with_layouts_are_typed(tmp_path):
    files = []
    for name in ["docs/python.md", "crates/cute-python/README.md"]:
        page = (ROOT / name).read_text().split("\n## Simulation")[0]
        blocks = [text for kind, text in BLOCK.findall(page) if kind == "python"]
        files.append(tmp_path / f"{pathlib.Path(name).stem}_{len(files)}.py")
        files[-1].write_text("\n".join(blocks))
    notebook = json.loads((ROOT / "examples/python/layouts.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    files.append(tmp_path / "layouts.py")
    files[-1].write_text("\n".join(cells))
    status, text = checked(tmp_path, *files)
    assert status == 0, text


def test_kernels_in_python_are_typed(tmp_path):
    status, text = checked(tmp_path, *sorted((ROOT / "examples/python/kernels").glob("*.py")))
    assert status == 0, text
