"""Compiles with libcute.so in a process where Triton and JAX have already loaded their own LLVM and MLIR,
by turns and at the same time:

    python3 crates/cute-capi/tests/beside.py LIBRARY examples/copy.mlir
"""

import concurrent.futures
import pathlib
import sys

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from triton._C.libtriton import llvm

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples/python"))
import run_copy as cute  # noqa: E402

TURNS = 8
LLVM_IR = "define ptx_kernel void @k(ptr addrspace(1) %p) { store i32 7, ptr addrspace(1) %p ret void }"
MLIR = "%a = stablehlo.constant dense<1> : tensor<4xi32> %b = stablehlo.add %a, %a : tensor<4xi32>"


def with_triton():
    triple, flags = "nvptx64-nvidia-cuda", []
    return llvm.translate_to_asm(LLVM_IR, triple, "sm_90", "+ptx80", flags, False, False, False)


def with_jax():
    with ir.Context() as context:
        stablehlo.register_dialect(context)
        return str(ir.Module.parse(MLIR))


def main(library, path):
    llvm.init_targets()
    session = cute.Session(library, target="sm_90a")
    ways = [with_triton, with_jax, lambda: session.call("compile", path)[cute.CODE]]
    expected = [way() for way in ways]
    assert ".entry k" in expected[0] and "stablehlo.add" in expected[1] and b".entry copy" in expected[2]
    by_turns = [[way() for way in ways] for _ in range(TURNS)]
    with concurrent.futures.ThreadPoolExecutor(len(ways)) as threads:
        together = [list(threads.map(lambda way: way(), ways)) for _ in range(TURNS)]
    session.close()
    cute.main(library, path)
    assert all(made == expected for made in by_turns + together)
    print("beside Triton and JAX: every result is the same")


if __name__ == "__main__":
    main(*sys.argv[1:])
