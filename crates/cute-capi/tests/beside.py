"""Compiles with libcute.so, or with the Python package cute-mlir-compiler, in a process where Triton and JAX have
already loaded their own LLVM and MLIR, by turns and at the same time:

    python3 crates/cute-capi/tests/beside.py examples/copy.mlir [LIBRARY]
"""

import concurrent.futures
import contextlib
import pathlib
import sys

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from triton._C.libtriton import llvm

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


@contextlib.contextmanager
def with_cute(path, library=None):
    """A way to compile a file; when the block ends, it is simulated too."""
    if library is None:
        import cute_mlir

        yield lambda: cute_mlir.compile(pathlib.Path(path), target="sm_90a").ptx.encode()
        args = ["f32[64x128]=random(7)", "f32[64x128]"]
        cute_mlir.simulate(pathlib.Path(path), (1, 2), args).raise_if_findings()
        return
    sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples/python"))
    import run_copy

    session = run_copy.Session(library, target="sm_90a")
    yield lambda: session.call("compile", path)[run_copy.CODE]
    session.close()
    run_copy.main(library, path)


def main(*arguments):
    llvm.init_targets()
    with with_cute(*arguments) as cute:
        ways = [with_triton, with_jax, cute]
        expected = [way() for way in ways]
        assert ".entry k" in expected[0] and "stablehlo.add" in expected[1] and b".entry copy" in expected[2]
        by_turns = [[way() for way in ways] for _ in range(TURNS)]
        with concurrent.futures.ThreadPoolExecutor(len(ways)) as threads:
            together = [list(threads.map(lambda way: way(), ways)) for _ in range(TURNS)]
    assert all(made == expected for made in by_turns + together)
    print("beside Triton and JAX: every result is the same")


if __name__ == "__main__":
    main(*sys.argv[1:])
