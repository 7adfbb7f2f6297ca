"""Copies a matrix of f32 by 128 bits a thread, whatever its shape, as examples/copy.mlir: a predicate leaves out what is outside."""

import numpy as np

from cute_mlir import kernels as ck

Matrix = ck.Tensor[ck.f32, "(?,?{div=4}):(?{i64 div=4},1)"]


@ck.kernel(block=256)
def copy(A: Matrix, B: Matrix) -> None:
    access = ck.make_tiled_copy(ck.universal_copy(ck.f32, 128), "(8,32):(32,1)", "(1,4):(4,1)")

    def part(of: ck.Value) -> ck.Value:
        return ck.partition_S(access, ck.local_tile(of, (32, 128), (ck.block.x, ck.block.y)), ck.thread.x)

    inside = ck.inside(part(ck.identity(A)), A)
    ck.copy(access, ck.load(access, part(A), inside), part(B), pred=inside)


if __name__ == "__main__":
    A = np.random.default_rng(1).standard_normal((40, 132)).astype(np.float32)
    B = np.zeros_like(A)
    copy(A, B, grid=(2, 2))
    assert (A == B).all()
    print("the copy is right")
