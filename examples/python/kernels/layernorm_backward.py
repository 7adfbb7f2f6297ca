"""The backward pass of a layer norm over rows of 1024 columns, in two launches of one host function.

``dX = rstd (g - mean(g) - y mean(g y))`` with ``g = dY weight`` and ``y = (X - mean) rstd``, a warp per row. Then a thread per column sums
``dweight = sum(dY y)`` and ``dbias = sum(dY)`` in the order of the rows.
"""

import numpy as np

from cute_mlir import kernels as ck

N = 1024
Rows = ck.Tensor[ck.f32, f"(?,{N}):({N},1)"]
Columns = ck.Tensor[ck.f32, f"{N}:1"]
Stats = ck.Tensor[ck.f32, "(?,2):(2,1)"]


@ck.kernel(block=128)
def of_rows(X: ck.Value, dY: ck.Value, weight: ck.Value, dX: ck.Value, stats: ck.Value, eps: ck.Value) -> None:
    access = ck.make_tiled_copy(ck.universal_copy(ck.f32, 128), "(4,32):(32,1)", "(1,4):(4,1)")
    block, row = ck.block.x, ck.block.x * 4 + ck.warp()

    def part(of: ck.Value, tile: "ck.Value | int") -> ck.Value:
        return ck.partition_S(access, ck.local_tile(of, (4, N), (tile, 0)), ck.thread.x)

    def mean(of: ck.Value) -> ck.Value:
        return ck.warp_sum(ck.reduce(of)) * (1.0 / N)

    if row < ck.size(X, 0):
        values = ck.load(access, part(X, block))
        x, dy = values.load(), ck.load(access, part(dY, block)).load()
        center = mean(x)
        rstd = ck.rsqrt(mean((x - center) * (x - center)) + eps)
        y = (x - center) * rstd
        g = dy * ck.load(access, part(ck.make_tensor(weight.iterator, f"(4,{N}):(0,1)"), 0)).load()
        values.store((g - mean(g) - y * mean(g * y)) * rstd)
        ck.copy(access, values, part(dX, block))
        if ck.lane() == 0:
            stats[row, 0] = center
            stats[row, 1] = rstd


@ck.kernel(block=128)
def of_columns(X: ck.Value, dY: ck.Value, stats: ck.Value, dweight: ck.Value, dbias: ck.Value) -> None:
    column = ck.block.x * 128 + ck.thread.x
    weight, bias = 0.0, 0.0
    for row in ck.range(ck.size(X, 0)):
        dy = dY[row, column]
        weight += dy * (X[row, column] - stats[row, 0]) * stats[row, 1]
        bias += dy
    dweight[column] = weight
    dbias[column] = bias


@ck.host
def backward(X: Rows, dY: Rows, weight: Columns, dX: Rows, dweight: Columns, dbias: Columns, stats: Stats, eps: ck.f32) -> None:
    of_rows.launch((ck.size(X, 0) + 3) // 4, X, dY, weight, dX, stats, eps)
    of_columns.launch(N // 128, X, dY, stats, dweight, dbias)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    X, dY = (random.standard_normal((6, N)).astype(np.float32) for _ in range(2))
    weight, dX, stats = random.standard_normal(N).astype(np.float32), np.zeros_like(X), np.zeros((6, 2), np.float32)
    dweight, dbias = np.zeros((2, N), np.float32)
    backward(X, dY, weight, dX, dweight, dbias, stats, 1e-5)
    x, g = X.astype(np.float64), (dY * weight).astype(np.float64)
    rstd = 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    y = (x - x.mean(1, keepdims=True)) * rstd
    want = rstd * (g - g.mean(1, keepdims=True) - y * (g * y).mean(1, keepdims=True))
    assert np.allclose(dX, want, atol=1e-4) and np.allclose(dbias, dY.sum(0), atol=1e-4)
    assert np.allclose(dweight, (dY * y).sum(0), atol=1e-4)
    print("the gradients are right")
