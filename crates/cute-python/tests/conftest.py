"""What several files of tests need."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def examples():
    """The folder with kernels in cute IR."""
    return ROOT / "examples"


def has(module):
    return importlib.util.find_spec(module) is not None


needs_compiler = pytest.mark.skipif(not has("cute_mlir_compiler"), reason="cute-mlir-compiler is not installed")
