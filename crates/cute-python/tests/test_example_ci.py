"""The project of examples/python/ci: its tests pass, and a mistake in its kernel is reported."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

pytest.importorskip("numpy")
WORKERS = ["-n", "2"] if importlib.util.find_spec("xdist") else []


def run(project):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *WORKERS, "--cute-reports", "reports"]
    environment = {**os.environ, "GITHUB_ACTIONS": "true", "COLUMNS": "300"}
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path):
    return shutil.copytree(ROOT / "examples/python/ci", tmp_path / "ci", ignore=shutil.ignore_patterns("reports", "__pycache__"))


def results(project):
    log = json.loads((project / "reports" / "cute.sarif").read_text())
    for result in log["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        yield result["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"], "suppressions" in result


def test_the_project_passes(project):
    done = run(project)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout
    # What the file accepts is in the report as such.
    # Which side comes second depends on the host, whose threads run blocks at the same time.
    found = set(results(project))
    assert found and found <= {("race", "kernels/tiles.cu", line, True) for line in (8, 9)}
    assert not list((project / "reports").glob("*.html")) and "::error" not in done.stdout


def test_a_mistake_is_reported_at_its_line(project):
    ptx = project / "kernels" / "tiles.ptx"
    text = ptx.read_text()
    assert text.count("bar.sync") == 1
    ptx.write_text(text.replace("bar.sync \t0;", "").replace("bar.sync 0;", ""))
    done = run(project)
    assert done.returncode == 1 and "3 failed" in done.stdout, done.stdout
    assert ("race", "kernels/tiles.cu", 7, False) in set(results(project))
    assert "test_tiles_are_reversed[1]: race: kernels/tiles.cu:7:3" in done.stdout
    assert "::error file=kernels/tiles.cu,line=7," in done.stdout
    pages = [page.read_text() for page in (project / "reports").glob("*.html")]
    assert len(pages) == 3 and all("ld.shared" in page for page in pages)


def test_the_readme_names_what_is_there(project):
    text = (project / "README.md").read_text()
    for name in ("cute-allow.toml", "tests/test_tiles.py", "kernels/tiles.cu", "build.py"):
        assert f"`{name}`" in text and (project / name).exists()
    assert "--cute-reports reports" in text and "sarif_file: reports/cute.sarif" in text
