"""Kernels of CUDA C++: by nvrtc where it is installed, and by a library with recorded answers."""

import ctypes
import importlib.util
import pathlib

import cute_mlir as cm
import pytest
from cute_mlir import _nvrtc

np = pytest.importorskip("numpy")
SOURCE = """#include "scaled.h"
template <typename T, int N> __global__ void scale(T* x, Scaled p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) x[i] = p.a * p.from[i] + N;
}
extern "C" __global__ void reverse(float* x) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = tile[63 - threadIdx.x];  // no barrier
}
namespace own { __global__ void count(int* x) { atomicAdd(x, TIMES); } }
"""
HEADERS = {"scaled.h": "struct Scaled { int n; float a; float* from; };"}
OPTIONS = ["-DTIMES=2"]


@pytest.fixture(scope="module")
def nvrtc():
    try:
        return _nvrtc._library()
    except (ImportError, OSError):
        pytest.skip("nvrtc is not installed")


def line(what):
    return next(number for number, each in enumerate(SOURCE.splitlines(), 1) if what in each)


def name(place):
    return pathlib.Path(place.file).name


def arrays():
    return np.arange(64, dtype=np.float32), np.zeros(64, np.float32)


def check(kernel, grid, block, args, **options):
    return cm.nvrtc_check(SOURCE, kernel, grid, block, args, options=OPTIONS, headers=HEADERS, **options)


def test_instances_of_templates_and_structs(nvrtc):
    x, out = arrays()
    args = [out, cm.struct("ifP", 64, 2.0, x)]
    check("scale<float, 3>", 2, 32, args).raise_if_findings()
    assert (out == 2 * x + 3).all()
    count = np.zeros(1, np.int32)
    check("own::count", 4, 32, [count], target="sm_80").raise_if_findings()
    assert count[0] == 4 * 32 * 2
    report = check("scale<float, 0>", 2, 64, [out, cm.struct("ifP", 65, 2.0, x)])
    assert {(f.kind, f.place.line, name(f.place)) for f in report.findings} == {
        ("out_of_bounds", line("x[i] ="), "kernel.cu")
    }


def test_mistakes_are_at_the_lines_of_the_source(nvrtc, tmp_path):
    x, _ = arrays()
    report = check("reverse", 1, 64, [x], schedules=2, file="mine.cu")
    race = report.findings[0]
    assert (race.kind, name(race.place), race.place.line, race.other.place.line) == ("race", "mine.cu", 9, 8)
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)
    report = cm.nvrtc_check(file, "reverse", 1, 64, [x], options=OPTIONS, headers=HEADERS)
    assert report.findings[0].place.file == str(file)


def test_messages_of_nvrtc_have_their_places(nvrtc):
    with pytest.raises(cm.CompileError, match='identifier "nobody" is undefined') as caught:
        cm.nvrtc_check("__global__ void k() {\n  nobody = 1;\n}", "k", 1, 1)
    assert caught.value.place == ("kernel.cu", 2, 1) and caught.value.diagnostics[0].severity == "error"
    with pytest.raises(cm.CompileError, match="unrecognized option -frob"):
        cm.nvrtc_check("", "k", 1, 1, options=["-frob"])
    with pytest.raises(cm.CompileError, match="nobody"):
        cm.nvrtc_check("__global__ void k() {}", "nobody<3>", 1, 1)


def test_several_kernels_in_streams(nvrtc):
    program = cm.nvrtc_program(SOURCE, ["scale<float, 1>"], options=OPTIONS, headers=HEADERS)
    x, host = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    with cm.Device(program) as device:
        a, b = device.array(x), device.array(host)
        one, two, done = device.stream(), device.stream(), device.event()
        device.launch("scale<float, 1>", 2, [b, cm.struct("ifP", 64, 2.0, a)], block=32, stream=one)
        one.record(done)
        two.wait(done)
        device.launch("scale<float, 1>", 2, [a, cm.struct("ifP", 64, 1.0, b)], block=32, stream=two)
        two.synchronize()
    device.report.raise_if_findings()
    assert (x == 2 * np.arange(64) + 2).all()
    with cm.Device(program) as device:
        a, b = device.array(x), device.array(host)
        one, two = device.stream(), device.stream()
        device.launch("scale<float, 1>", 2, [b, cm.struct("ifP", 64, 2.0, a)], block=32, stream=one)
        device.launch("scale<float, 1>", 2, [a, cm.struct("ifP", 64, 1.0, b)], block=32, stream=two)
    found = device.report.findings
    assert found and {(f.kind, name(f.place), f.place.line) for f in found} == {("race", "kernel.cu", line("x[i] ="))}


class Library:
    """Answers calls of nvrtc, for a source that it has compiled before."""

    PTX = b""".version 9.0
.target sm_90a
.address_size 64
.visible .entry _Z5scaleIfEvPT_(.param .u64 p) { .reg .b64 %rd<3>; .reg .b32 %r<2>; ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret; }
\0"""
    LOG = b"k.cu(3): error: identifier \"i\" is undefined\n"

    def __init__(self, code=0):
        self.code, self.options, self.names = code, [], []
        # It is assigned an attribute, as functions of ctypes are.
        self.nvrtcGetErrorString = type("", (), {"__call__": lambda self, code: b"NVRTC_ERROR_COMPILATION"})()

    def nvrtcAddNameExpression(self, program, name):
        self.names.append(name)
        return 0

    def nvrtcCompileProgram(self, program, count, options):
        self.options = [options[i].decode() for i in range(count)]
        return self.code

    def nvrtcGetLoweredName(self, program, name, lowered):
        lowered._obj.value = b"_Z5scaleIfEvPT_"
        return 0

    def _fill(self, text, size=None, buffer=None):
        if size is not None:
            size._obj.value = len(text)
        else:
            ctypes.memmove(buffer, text, len(text))
        return 0

    def __getattr__(self, name):
        text = self.PTX if "PTX" in name else self.LOG
        if name.endswith("Size"):
            return lambda program, size: self._fill(text, size=size)
        if name.startswith("nvrtcGet"):
            return lambda program, buffer: self._fill(text, buffer=buffer)
        return lambda *arguments: 0


def test_a_recorded_library_is_asked_for_names_and_lines(monkeypatch):
    library = Library()
    monkeypatch.setattr(_nvrtc, "_loaded", _nvrtc._Nvrtc(library))
    out = np.zeros(32, np.int32)
    cm.nvrtc_check("// the source\n", "scale<float>", 1, 32, [out], options=["-DN=4"]).raise_if_findings()
    assert list(out) == list(range(32)) and library.names == [b"scale<float>"]
    assert library.options == ["-arch=compute_90a", "-lineinfo", "-DN=4"]
    cm.nvrtc_program("// the source\n", options=["--gpu-architecture=compute_80", "-G"])
    assert library.options == ["--gpu-architecture=compute_80", "-G"]
    with pytest.raises(TypeError, match=r"options must be a list of options of nvrtc, such as \['-DN=4'\], not the text"):
        cm.nvrtc_program("// the source\n", options="-DN=4")
    monkeypatch.setattr(_nvrtc, "_loaded", _nvrtc._Nvrtc(Library(code=6)))
    with pytest.raises(cm.CompileError, match="nvrtc does not compile the kernel") as caught:
        cm.nvrtc_check("// the source\n", "scale<float>", 1, 32, [out])
    assert caught.value.place == ("k.cu", 3, 1) and caught.value.diagnostics[0].message == 'identifier "i" is undefined'


def test_without_nvrtc_it_is_named(monkeypatch):
    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(_nvrtc, "_loaded", None)
    monkeypatch.delenv("CUTE_NVRTC", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(ctypes, "CDLL", missing)
    with pytest.raises(ImportError, match="nvrtc is not found: pip install nvidia-cuda-nvrtc, or set CUTE_NVRTC"):
        cm.nvrtc_check("__global__ void k() {}", "k", 1, 1)


def test_sources_are_texts_or_paths():
    with pytest.raises(TypeError, match="source is a text of CUDA C.. or a pathlib.Path, not 'int'"):
        cm.nvrtc_program(3)
    with pytest.raises(FileNotFoundError):
        cm.nvrtc_program("no such file.cu")
