"""What importing the package takes."""

import subprocess
import sys

import cute_mlir as cm
import pytest


def fresh(code):
    """What a program prints in an interpreter of its own."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_the_import_is_quick_and_alone():
    # The time of the processor, because other processes run beside tests.
    timed = "import time; start = time.process_time(); import cute_mlir; print(time.process_time() - start)"
    seconds = min(float(fresh(timed)) for _ in range(10))
    print(f"import cute_mlir: {seconds * 1000:.1f} ms")
    assert seconds < 0.030
    imported = fresh("import sys, cute_mlir; print(*sys.modules)").split()
    assert not {"numpy", "ml_dtypes", "cute_mlir_compiler", "json", "ctypes", "inspect"} & set(imported)


def test_names_that_are_imported_later_are_there():
    assert set(cm.__all__) <= set(dir(cm))
    assert fresh("import cute_mlir as cm; print([n for n in cm.__all__ if getattr(cm, n) is None])") == "[]"
    assert fresh("from cute_mlir import *; print(simulate.__name__, Kernel.__name__)") == "simulate Kernel"
    with pytest.raises(AttributeError, match="module 'cute_mlir' has no attribute 'simulated'"):
        cm.simulated


def test_without_the_compiler_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cute_mlir_compiler", None)
    with pytest.raises(ImportError, match=r"pip install cute-mlir\[compiler\]"):
        cm.compile("module {}")
