"""Compilation, with the package cute-mlir-compiler."""

import cute_mlir as cm
import pytest
from conftest import DeviceArray, Driver, needs_compiler

np = pytest.importorskip("numpy")
pytestmark = needs_compiler


def test_a_kernel_is_compiled_and_runs(examples):
    kernel = cm.compile(examples / "transpose.mlir", target="sm_90a")
    assert ".entry transpose" in kernel.ptx and kernel.manifest["kernels"][0]["name"] == "transpose"
    ml_dtypes = pytest.importorskip("ml_dtypes")
    element = kernel.manifest["kernels"][0]["arguments"][0]["element"]
    dtype = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16}[element]
    x = np.arange(72 * 96).reshape(72, 96).astype(dtype)
    y = np.zeros((96, 72), dtype)
    report = cm.simulate(kernel, grid=(4, 4), args=[x, y])
    assert report.ok, report
    assert (y == x.T).all()
    with pytest.raises(ValueError, match="has elements of type"):
        cm.simulate(kernel, grid=(4, 4), args=[x.astype(np.float64), y])


def test_extents_come_from_the_arrays(examples):
    kernel = cm.compile(examples / "copy.mlir", target="sm_90a")
    with pytest.raises(ValueError, match="argument"):
        cm.simulate(kernel, grid=1, args=[np.zeros((3, 3, 3), np.float32)] * 2)


def test_builders_make_gemms():
    rng = np.random.default_rng(1)
    a = rng.integers(-3, 4, (40, 24)).astype(np.float32)
    b = rng.integers(-3, 4, (33, 24)).astype(np.float32)
    c, d = np.ones((40, 33), np.float32), np.zeros((40, 33), np.float32)
    gemm = cm.build_kernel("gemm_simt", m_tile=64, n_tile=64, target="sm_80")
    assert "universal_copy" in gemm.text
    cm.simulate(gemm, (1, 1), {"A": a, "B": b, "C": c, "D": d, "alpha": 2.0, "beta": -1.0}).raise_if_findings()
    assert (d == 2 * a @ b.T - c).all()
    gemm = cm.build_kernel("gemm_sm90", types="f16", m_tile=64, n_tile=64, target="sm_90a")
    d = np.zeros((40, 40), np.float16)
    a, b = (np.ascontiguousarray(np.resize(x, (40, 24))).astype(np.float16) for x in (a, b))
    cm.simulate_host(gemm, [a, b, d, 1]).raise_if_findings()
    assert (d == (a.astype(np.float32) @ b.astype(np.float32).T)).all()


def half(*shape):
    return np.zeros(shape, np.float16)


def test_extents_of_arguments_are_tied():
    gemm = cm.build_kernel("gemm_sm80", target="sm_90a")
    c = np.zeros((128, 200), np.float32)
    with pytest.raises(ValueError, match=r"A\[1\] is 64, but B\[1\] is 32: these extents must be equal, A\[1\] = B\[1\]"):
        cm.simulate(gemm, (1, 2), [half(128, 64), half(200, 32), c, c.copy(), 1.0, 0.0])
    with pytest.raises(ValueError, match=r"B\[0\] is 192, but C\[1\] is 200"):
        cm.simulate(gemm, (1, 2), [half(128, 64), half(192, 64), c, c.copy(), 1.0, 0.0])
    gemm = cm.build_kernel("gemm_sm90", types="f16", bias=True, batch=True, m_tile=64, n_tile=64, target="sm_90a")
    a, b, d, bias = half(2, 128, 64), half(2, 136, 64), half(2, 128, 136), np.zeros((2, 136), np.float32)
    order = [(1, 2, 0), (1, 2, 0), (1, 2, 0), (1, 0)]
    given = [one.transpose(modes) for one, modes in zip((a, b, d, bias), order)]
    cm.simulate_host(gemm, [*given, 4]).raise_if_findings()
    for wrong, why in (
        ([given[0][:, :32], *given[1:]], r"A\[1\] is 32, but B\[1\] is 64"),
        ([*given[:3], given[3][:128]], r"B\[0\] is 136, but bias\[0\] is 128: .*B\[0\] = D\[1\] = bias\[0\]"),
        ([*given[:3], given[3][:, :1]], r"A\[2\] is 2, but bias\[1\] is 1"),
    ):
        with pytest.raises(ValueError, match=why):
            cm.simulate_host(gemm, [*wrong, 4])


def test_a_kernel_computes_its_grid_and_refuses_a_smaller_one():
    x, q, s = np.ones((130, 128), np.float32), np.zeros((130, 128), np.uint8), np.zeros(2 * 512, np.uint8)
    ml_dtypes = pytest.importorskip("ml_dtypes")
    q, s = q.view(ml_dtypes.float8_e4m3fn), s.view(ml_dtypes.float8_e8m0fnu)
    quantize = cm.build_kernel("quantize", target="sm_100a")
    grid = quantize.grid([x, q, s])
    assert grid == quantize.grid({"X": x, "Q": q, "S": s}) == (8, 1, 1)
    cm.simulate(quantize, grid, [x, q, s]).raise_if_findings()
    assert (q.astype(np.float32) != 0).all()
    with pytest.raises(ValueError, match=r"its grid is \(1, 1, 1\), but its arguments need \(8, 1, 1\): .*give grid=\(8,1,1\)"):
        cm.simulate(quantize, 1, [x, q, s])
    layernorm = cm.build_kernel("layernorm", warps=2, target="sm_90a")
    gamma, eps = np.ones(1024, np.float32), 1e-5
    rows = np.zeros((5, 1024), np.float32)
    assert layernorm.grid([rows, gamma, gamma.copy(), rows.copy(), eps]) == (3, 1, 1)
    # More blocks than needed find nothing to do.
    cm.simulate(layernorm, 5, [rows, gamma, gamma.copy(), rows.copy(), eps]).raise_if_findings()
    on_device = [DeviceArray(0x7000, (5, 1024)), *(DeviceArray(0x9000, (1024,)) for _ in range(2)), DeviceArray(0xB000, (5, 1024)), eps]
    assert layernorm.grid(on_device) == (3, 1, 1)
    with pytest.raises(ValueError, match="the host function launch_gemm_sm90 computes it"):
        cm.build_kernel("gemm_sm90", target="sm_90a").grid([])


def test_a_kernel_without_a_grid_says_so(examples):
    with pytest.raises(ValueError, match="copy.mlir does not state its grid: it has no attribute cute.grid"):
        cm.compile(examples / "copy.mlir", target="sm_90a").grid([])
    text = (examples / "layernorm.mlir").read_text()
    for change, why in (
        ("ceil(arg0[0] | 4)", "is not a number of blocks, such as ceil"),
        ("ceil(arg0[7] / 4)", r"no argument has the extent arg0\[7\]"),
    ):
        with pytest.raises(cm.CompileError, match=why):
            cm.compile(text.replace("ceil(arg0[0] / 4)", change), target="sm_90a")


def test_builders_have_functions_with_their_options():
    import inspect
    import json

    import cute_mlir_compiler
    from cute_mlir import builders

    declared = json.loads(cute_mlir_compiler.declared())
    assert sorted(builder["name"] for builder in declared["builders"]) == sorted(builders.__all__)
    for builder in declared["builders"]:
        function = getattr(builders, builder["name"])
        names = {option["name"] for option in builder["options"] + declared["options"]}
        names = {f"{name}_" if name == "from" else name for name in names}
        assert set(inspect.signature(function).parameters) == {"target", *names}
        assert all(f"``{name}`` - " in function.__doc__ for name in names) and "--" not in function.__doc__
    assert "%X: !gmem_f16" in cm.builders.quantize("sm_100a", from_="f16").text
    kernel = cm.builders.gemm_simt("sm_80", m_tile=64, n_tile=64)
    assert kernel.text == cm.build_kernel("gemm_simt", m_tile=64, n_tile=64, target="sm_80").text
    with pytest.raises(TypeError, match="unexpected keyword argument 'm_tiel'"):
        cm.builders.gemm_simt(m_tiel=64)


def test_errors_have_their_places():
    with pytest.raises(cm.CompileError, match="custom op 'bad'") as caught:
        cm.compile("func.func @f() {\n  bad\n}")
    assert caught.value.place == ("<text>", 2, 3) and caught.value.diagnostics[0].severity == "error"
    assert caught.value.rule is None
    add = "cute.tuple_add(%a, %b) : (!cute.int_tuple<\"(1,2)\">, !cute.shape<\"(1,2)\">) -> !cute.int_tuple<\"(2,4)\">"
    with pytest.raises(cm.CompileError, match="must be of one kind") as caught:
        cm.compile(
            "func.func @f(%a: !cute.int_tuple<\"(1,2)\">, %b: !cute.shape<\"(1,2)\">) {\n" f"  %c = {add}\n  return\n}}"
        )
    assert caught.value.rule == caught.value.diagnostics[0].rule == "tuple-add.both-operands-one-kind"
    with pytest.raises(cm.CompileError, match="unknown target 'sm_1'"):
        cm.compile("module {}", target="sm_1")
    with pytest.raises(cm.CompileError, match="there is no option 'fast'"):
        cm.compile("module {}", fast=True)
    with pytest.raises(cm.CompileError, match="there is no builder 'gemm'; there are gemm_sm80"):
        cm.build_kernel("gemm")
    with pytest.raises(cm.CompileError, match="possible values"):
        cm.build_kernel("gemm_sm90", types="f17")
    with pytest.raises(ValueError, match="is PTX, which is compiled already"):
        cm.compile(".version 9.0\n")
    with pytest.raises(TypeError, match="a text or a path"):
        cm.compile(3)
    with pytest.raises(FileNotFoundError):
        cm.compile("no such file.mlir")


def test_another_version_of_the_compiler_is_an_error(monkeypatch):
    import cute_mlir_compiler

    monkeypatch.setattr(cute_mlir_compiler, "__version__", "9.9.9")
    with pytest.raises(ImportError, match=rf"cute-mlir has version {cm.__version__}, but cute-mlir-compiler 9.9.9"):
        cm.compile("module {}")


def test_a_cubin_needs_ptxas(examples, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CUTE_PTXAS", raising=False)
    kernel = cm.compile(examples / "copy.mlir", target="sm_90a")
    with pytest.raises(cm.CompileError, match=r"pip install cute-mlir\[cubin\]"):
        kernel.cubin


def test_a_launch_passes_what_the_driver_needs(examples, monkeypatch):
    import ctypes

    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CUTE_PTXAS", raising=False)
    kernel = cm.compile(examples / "copy.mlir", target="sm_90a")
    driver = Driver()
    arrays = [DeviceArray(address, (64, 128)) for address in (0x7000, 0x9000)]
    launched = cm.launch(kernel, (2, 3), arrays, stream=5, driver=driver)
    names = driver.names
    assert names[:2] == ["cuInit", "cuCtxGetCurrent"] and names[-1] == "cuLaunchKernelEx"
    config, _, pointers, _ = driver.calls[-1][1]
    config = ctypes.cast(config, ctypes.POINTER(ctypes.c_uint * 6)).contents
    assert list(config) == [2, 3, 1, 256, 1, 1]
    first = ctypes.cast(pointers[0], ctypes.POINTER(ctypes.c_uint64)).contents.value
    assert first == 0x7000
    launched.synchronize()
    launched.synchronize()
    after = driver.names[len(names) :]
    assert after == ["cuStreamSynchronize", "cuModuleUnload", "cuStreamSynchronize"]
    with pytest.raises(TypeError, match="is not on a CUDA device"):
        cm.launch(kernel, 1, [np.zeros((64, 128), np.float32)] * 2, driver=driver)
