"""A program with kernels of Triton, in the manner of its tutorials. It knows nothing of a simulator."""

import sys

import torch
import triton
import triton.language as tl

assert torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 8
DEVICE = triton.runtime.driver.active.get_active_torch_device()


# The first configuration has more threads than a block may have.
@triton.autotune([triton.Config({"BLOCK": 4096}, num_warps=64), triton.Config({"BLOCK": 256}, num_warps=2)], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=inside) + tl.load(y_ptr + at, mask=inside), mask=inside)


def added(x, y):
    out = torch.empty_like(x)
    add[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel())
    return out


torch.manual_seed(0)
x, y = torch.rand(1000, device=DEVICE), torch.rand(1000, device="cuda")
assert x.device == DEVICE and torch.allclose(added(x, y), x + y)
# Views of one tensor.
assert torch.allclose(added(x[100:200], x[600:700]), x[100:200] + x[600:700])
print("best:", add.best_config.kwargs["BLOCK"])


@triton.testing.perf_report(triton.testing.Benchmark(["size"], [512, 1 << 30], "what", ["ours"], ["ours"], "speeds", {}))
def benchmark(size, what):
    x = torch.rand(size, device=DEVICE)
    return triton.testing.do_bench(lambda: added(x, x), quantiles=[0.5, 0.2, 0.8])


benchmark.run(show_plots=True, print_data=True)


@triton.jit
def total(x_ptr, out_ptr, BLOCK: tl.constexpr):
    part = tl.sum(tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)))
    tl.store(out_ptr, tl.load(out_ptr) + part)  # lost updates


if "broken" in sys.argv:
    total[(4,)](x, torch.zeros(1, device=DEVICE), BLOCK=128)
