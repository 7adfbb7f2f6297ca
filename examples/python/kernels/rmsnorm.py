"""``R += X; Y = R / sqrt(mean(R^2) + eps) * weight`` for rows of 1024 columns, a warp per row."""

import numpy as np

from cute_mlir import kernels as ck

N = 1024
Rows = ck.Tensor[ck.f32, f"(?,{N}):({N},1)"]


@ck.kernel(block=128)
def rmsnorm(X: Rows, R: Rows, weight: ck.Tensor[ck.f32, f"{N}:1"], Y: Rows, eps: ck.f32) -> None:
    access = ck.make_tiled_copy(ck.universal_copy(ck.f32, 128), "(4,32):(32,1)", "(1,4):(4,1)")

    def part(of: ck.Value, row: "ck.Value | int") -> ck.Value:
        return ck.partition_S(access, ck.local_tile(of, (4, N), (row, 0)), ck.thread.x)

    block = ck.block.x
    if block * 4 + ck.warp() < ck.size(X, 0):
        row, scale = ck.load(access, part(R, block)), ck.load(access, part(ck.make_tensor(weight.iterator, f"(4,{N}):(0,1)"), 0))
        sums = row.load() + ck.load(access, part(X, block)).load()
        row.store(sums)
        ck.copy(access, row, part(R, block))
        row.store(sums * ck.rsqrt(ck.warp_sum(ck.reduce(sums * sums)) * (1.0 / N) + eps) * scale.load())
        ck.copy(access, row, part(Y, block))


if __name__ == "__main__":
    random = np.random.default_rng(1)
    X, R = (random.standard_normal((6, N)).astype(np.float32) for _ in range(2))
    weight, Y = random.standard_normal(N).astype(np.float32), np.zeros((6, N), np.float32)
    want = X + R
    rmsnorm(X, R, weight, Y, 1e-5, grid=2)
    assert (want == R).all()
    assert np.allclose(Y, R / np.sqrt((R.astype(np.float64) ** 2).mean(1, keepdims=True) + 1e-5) * weight, atol=1e-4)
    print("the norm is right")
