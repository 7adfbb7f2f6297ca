"""What several files of tests need."""

import importlib.util
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def pytest_collection_modifyitems(config, items):
    """With `CUTE_SAMPLE=N` every N-th test runs, and the first one of each file."""
    step = int(os.environ.get("CUTE_SAMPLE", 1))
    firsts = {item.path: item for item in reversed(items)}
    kept = {item for place, item in enumerate(items) if place % step == 0 or firsts[item.path] is item}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.fixture
def examples():
    """The folder with kernels in cute IR."""
    return ROOT / "examples"


@pytest.fixture
def modules():
    """The folder with modules in the form of CuTe DSL."""
    return ROOT / "crates" / "cute-tools" / "tests" / "run"


def has(module):
    return importlib.util.find_spec(module) is not None


needs_compiler = pytest.mark.skipif(not has("cute_mlir_compiler"), reason="cute-mlir-compiler is not installed")


class Driver:
    """Records calls of the CUDA driver, and fails in one of them if it is told to."""

    def __init__(self, fails=None):
        self.calls = []
        self.fails = fails

    @property
    def names(self):
        return [name for name, _ in self.calls]

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append((name, arguments))
            return 1 if name == self.fails else 0

        return call


class DeviceArray:
    """An array on a device, of floats if its type is not given."""

    def __init__(self, address, shape, typestr="<f4", strides=None):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (address, False), "version": 3, "strides": strides,
        }
