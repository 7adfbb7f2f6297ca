"""``Y = softmax(X)`` along rows of f16, computed in f32, a warp per row, as examples/softmax.mlir.

A row goes by twice in tiles of 1024 columns: first for its maximum and its sum, which a lane keeps for its own columns and
rescales when the maximum grows, then for the result. A lane without columns keeps -inf, which weighs 0.
"""

import numpy as np

from cute_mlir import kernels as ck

Matrix = "(?,?{div=8}):(?{i64 div=8},1)"
LOG2E = 1.44269504


@ck.kernel(block=128)
def softmax(X: ck.Tensor[ck.f16, Matrix], Y: ck.Tensor[ck.f16, Matrix]) -> None:
    access = ck.make_tiled_copy(ck.universal_copy(ck.f16, 128), "(4,32):(32,1)", "(1,8):(8,1)")

    def part(of: ck.Value) -> ck.Value:
        return ck.partition_S(access, ck.local_tile(of, (4, 1024), (ck.block.x, None)), ck.thread.x)

    x, y, at = part(X), part(Y), part(ck.identity(X))
    values = ck.fragment_like(x[:, :, :, 0])

    def load(k: ck.Value) -> ck.Value:
        values.fill(float("-inf"))
        ck.copy(access, x[:, :, :, k], values, pred=ck.inside(at[:, :, :, k], X))
        return values.load().to(ck.f32)

    tiles = ck.size(x, 3)
    top: ck.Value = ck.f32(-1.0e5)
    total: ck.Value = ck.f32(0.0)
    for k in ck.range(tiles):
        row = load(k)
        before, top = top, ck.maximum(top, ck.reduce(row, "max"))
        total = total * ck.exp2((before - top) * LOG2E, fast=True) + ck.reduce(ck.exp2((row - top) * LOG2E, fast=True))
    highest = ck.warp_max(top)
    total = ck.warp_sum(total * ck.exp2((top - highest) * LOG2E, fast=True))
    for k in ck.range(tiles):
        values.store((ck.exp2((load(k) - highest) * LOG2E, fast=True) * (1.0 / total)).to(ck.f16))
        ck.copy(access, values, y[:, :, :, k], pred=ck.inside(at[:, :, :, k], X))


if __name__ == "__main__":
    X = np.random.default_rng(1).standard_normal((7, 1040)).astype(np.float16)
    Y = np.zeros_like(X)
    softmax(X, Y, grid=2)
    exact = np.exp(X.astype(np.float64))
    assert np.allclose(Y, exact / exact.sum(1, keepdims=True), atol=1e-5)
    print("the softmax is right")
