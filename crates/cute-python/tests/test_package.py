"""What is in the wheels, and what importing them takes."""

import subprocess
import sys
import sysconfig
from importlib import metadata

import cute_mlir as cm
import pytest
from conftest import needs_compiler

PACKAGES = ["cute-mlir", pytest.param("cute-mlir-compiler", marks=needs_compiler)]


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


def test_an_interpreter_without_the_gil_keeps_it_off():
    enabled = fresh("import sys, cute_mlir; print(getattr(sys, '_is_gil_enabled', lambda: True)())")
    assert enabled == str(not sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_wheel_has_types_and_licenses(package):
    assert metadata.version(package) == cm.__version__
    files = {path.name: path for path in metadata.files(package)}
    native = "_native" if package == "cute-mlir" else "_compiler"
    assert {"py.typed", f"{native}.pyi", "LICENSE"} <= set(files)
    assert "LLVM Exceptions" in files["LICENSE"].read_text()
    crates = files["LICENSE.crates"].read_text()
    assert "pyo3 0." in crates and "serde_json 1." in crates and "Permission is hereby granted" in crates
    # The licenses of LLVM and others are there when they are in the library.
    others = {"LICENSE.LLVM", "LICENSE.libstdc++", "LICENSE.zlib", "LICENSE.zstd"} & set(files)
    tag = files["WHEEL"].read_text()
    assert len(others) == (4 if package == "cute-mlir-compiler" and "manylinux" in tag else 0)


def test_the_extras_are_of_this_version():
    needs = metadata.requires("cute-mlir")
    for extra in ("compiler", "cubin"):
        of_extra = [need for need in needs if need.endswith((f"extra == '{extra}'", f'extra == "{extra}"'))]
        assert any(need.startswith(f"cute-mlir-compiler=={cm.__version__}") for need in of_extra), needs
    # A range, so that other packages may need nvcc, too.
    assert any(need.startswith("nvidia-cuda-nvcc") and "==" not in need.split(";")[0] for need in needs), needs


def test_without_the_compiler_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cute_mlir_compiler", None)
    with pytest.raises(ImportError, match=r"pip install cute-mlir\[compiler\]"):
        cm.compile("module {}")
