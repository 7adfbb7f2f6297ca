"""What mypy finds in programs that use the package."""

import json
import pathlib

import pytest
from conftest import ROOT
from test_documents import BLOCK

api = pytest.importorskip("mypy.api")


def results(_):
    return [pathlib.Path(__file__).parent / "typed.py"]


def documented_programs_with_layouts(folder):
    files = []
    for name in ["docs/python.md", "crates/cute-python/README.md"]:
        page = (ROOT / name).read_text().split("\n## Simulation")[0]
        blocks = [text for kind, text in BLOCK.findall(page) if kind == "python"]
        files.append(folder / f"{pathlib.Path(name).stem}_{len(files)}.py")
        files[-1].write_text("\n".join(blocks))
    notebook = json.loads((ROOT / "examples/python/layouts.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    files.append(folder / "layouts.py")
    files[-1].write_text("\n".join(cells))
    return files


def kernels_in_python(_):
    return sorted((ROOT / "examples/python/kernels").glob("*.py"))


def test_programs_are_typed(tmp_path):
    # One after another, so that mypy reads numpy and the package once.
    for files in (results, documented_programs_with_layouts, kernels_in_python):
        out, errors, status = api.run(["--strict", "--cache-dir", str(tmp_path / "cache"), *map(str, files(tmp_path))])
        assert status == 0, f"{files.__name__}: {out}{errors}"
