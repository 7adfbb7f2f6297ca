"""Programs with kernels of Triton as their users write them, where its package is installed."""

import os
import pathlib
import subprocess
import sys

import cute_mlir as cm
import pytest

triton = pytest.importorskip("triton")
np = pytest.importorskip("numpy")
tl = triton.language
STAND_IN = pathlib.Path(__file__).parent / "stand_in"


@triton.autotune(
    [triton.Config({"BLOCK": 64}, num_warps=64), triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128}, num_stages=2)],
    key=["n"],
)
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def increased(x_ptr, seen_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(x_ptr + at, tl.load(x_ptr + at, mask=inside) + 1, mask=inside)
    tl.store(seen_ptr, BLOCK)


@triton.jit
def rows(x_ptr, out_ptr, n, BLOCK: tl.constexpr, num_stages: tl.constexpr, num_warps: tl.constexpr):
    for row in tl.range(tl.program_id(0), n, tl.num_programs(0), num_stages=num_stages):
        at = row * BLOCK + tl.arange(0, BLOCK)
        tl.store(out_ptr + at, tl.load(x_ptr + at) * num_warps)


@triton.jit
def tile(x_map, out_map, M: tl.constexpr, N: tl.constexpr):
    at = [tl.program_id(0) * M, 0]
    out_map.store(at, x_map.load(at) * 2)


@triton.jit
def fused(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, x * x + x)


def grid(meta):
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


@pytest.mark.parametrize(("config", "block"), [(None, 64), (1, 64), (2, 128), (triton.Config({"BLOCK": 32}), 32), ("all", 128)])
def test_an_autotuned_kernel_runs_one_configuration_or_each(config, block):
    x, seen = np.zeros(200, np.float32), np.zeros(1, np.int32)
    cm.triton_check(increased, grid, x, seen, 200, config=config).raise_if_findings()
    # Each configuration begins with the arrays as they were; the first of the three has too many threads.
    assert (x == 1).all() and seen[0] == block


def test_constants_with_names_of_options_are_both():
    x, out = np.ones((6, 64), np.float32), np.zeros((6, 64), np.float32)
    report = cm.triton_check(rows, 2, x, out, 6, BLOCK=64, num_stages=2, num_warps=8)
    assert report.ok and (out == 8).all()
    assert report.json["stats"]["threads"] == 2 * 8 * 32


def test_options_of_the_compiler_reach_it():
    x, texts = np.ones(64, np.float32), []
    for fusion in (False, True):
        kept = {}
        cm.triton_check(
            fused, 1, x, np.zeros_like(x), BLOCK=64, enable_fp_fusion=fusion, simulate_options={"html": True}
        ).raise_if_findings()
        for kernels in fused.device_caches.values():
            kept.update(kernels[0])
        texts.append(list(kept.values())[-1].asm["ptx"])
    assert "fma.rn.f32" not in texts[0] and "fma.rn.f32" in texts[1]


@pytest.mark.parametrize("target", ["sm_90a", 120, "sm_80"])
def test_tensor_descriptors_become_tensor_maps(target):
    from triton.tools.tensor_descriptor import TensorDescriptor

    x, out = np.arange(64 * 40, dtype=np.float32).reshape(64, 40), np.zeros((64, 40), np.float32)
    maps = [TensorDescriptor.from_tensor(cm.triton_array(array), [32, 64]) for array in (x, out)]
    cm.triton_check(tile, 2, *maps, 32, 64, target=target).raise_if_findings()
    assert (out == 2 * x).all()


def test_mistakes_in_a_call_are_named():
    x, seen = np.zeros(200, np.float32), np.zeros(1, np.int32)
    for target in ("hopper", "sm_91"):
        with pytest.raises(ValueError, match=f"target '{target}' is not known; targets are sm_80, "):
            cm.triton_check(increased, grid, x, seen, 200, target=target)
    for wrong in ((), (1, 2, 3, 4), "one", (-1,), lambda meta: ()):
        with pytest.raises(ValueError, match="must be one to three positive integers"):
            cm.triton_check(fused, wrong, x, x, BLOCK=64)
    with pytest.raises(TypeError, match=r"pass triton_check\(kernel, grid, ..\)"):
        cm.triton_check(fused[(1,)], 1, x, x, BLOCK=64)
    with pytest.raises(TypeError, match="fused has no parameter 'enable_fusion'; .* Options of Triton are .*enable_fp_fusion"):
        cm.triton_check(fused, 1, x, x, BLOCK=64, enable_fusion=True)
    with pytest.raises(TypeError, match="config is given, but fused is not autotuned"):
        cm.triton_check(fused, 1, x, x, BLOCK=64, config=0)
    with pytest.raises(ValueError, match="config is 3, but increased has 3 configurations"):
        cm.triton_check(increased, grid, x, seen, 200, config=3)
    with pytest.raises(ValueError, match="the grid has no block"):
        cm.triton_check(fused, 0, x, x, BLOCK=64)


def run(*words, how="simulate"):
    environment = {**os.environ, "CUTE_MLIR_TRITON": how, "PYTHONPATH": os.pathsep.join([*sys.path, str(STAND_IN)])}
    words = [sys.executable, STAND_IN / "program.py", *words]
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=200, check=False)


def test_a_program_that_knows_nothing_is_simulated():
    ran = run()
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "best: 256\ncute_mlir: speeds runs at size=512 alone, without times\n"
    every = run(how="simulate,target=sm_80,configs=all,benchmarks=none")
    assert every.stdout == "best: 256\ncute_mlir: benchmarks are not run\n", every.stderr


def test_a_mistake_is_raised_by_the_launch_that_has_it():
    ran = run("broken")
    line = 1 + next(n for n, text in enumerate((STAND_IN / "program.py").read_text().splitlines()) if "# lost updates" in text)
    assert ran.returncode == 1 and f"program.py:{line}" in ran.stderr, ran.stderr
    assert "FindingsError" in ran.stderr and "buffer out_ptr" in ran.stderr and 'program.py", line' in ran.stderr


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("interpret", "CUTE_MLIR_TRITON is 'interpret', but must begin with 'simulate'"),
        ("simulate,config=all", "CUTE_MLIR_TRITON has no option 'config'"),
        ("simulate,configs=most", "configs is 'most', but must be one of first, all"),
        ("simulate,target=sm_91", "target 'sm_91' is not known"),
    ],
)
def test_mistakes_in_the_environment_are_named(how, why):
    ran = run(how=how)
    assert ran.returncode != 0 and why in ran.stderr, ran.stderr


@triton.jit
def one_place(out_ptr, BLOCK: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.program_id(0))


def test_a_block_simulates_launches_and_restores_what_it_replaced(monkeypatch):
    monkeypatch.syspath_prepend(str(STAND_IN))
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    import torch

    before = (triton.testing.do_bench, torch.cuda.is_available)
    with cm.triton_interpose("sm_80", findings="collect", schedules=2) as seen:
        assert torch.cuda.get_device_capability() == (8, 0)
        out = torch.zeros(64, device="cuda", dtype=torch.int32)
        out.array[...] = 7
        one_place[(2,)](out, BLOCK=64)
        assert (out.array < 2).all()
        assert np.isnan(triton.testing.do_bench(lambda: one_place[(1,)](out[:32], BLOCK=32)))
    assert [(name, report.ok) for name, report in seen.reports] == [("one_place", False), ("one_place", True)]
    with pytest.raises(cm.FindingsError, match="writes byte 0 of buffer out_ptr"):
        seen.raise_if_findings()
    assert (triton.testing.do_bench, torch.cuda.is_available) == before
    with pytest.raises(ValueError, match="findings is 'ignore', but must be one of raise, collect"):
        with cm.triton_interpose(findings="ignore"):
            pass
    sys.modules.pop("torch")
