"""A depthwise convolution of 3 x 3 without padding, channels last: a thread per channel of an output."""

import numpy as np

from cute_mlir import kernels as ck

Image = ck.Tensor[ck.f32, "(?,?,?):(?,?,1)"]


@ck.kernel(block=64)
def depthwise(x: Image, weights: ck.Tensor[ck.f32, "(3,3,?):(?,?,1)"], out: Image) -> None:
    channel, row, column = ck.block.x * 64 + ck.thread.x, ck.block.y, ck.block.z
    # ((3,rows),(3,columns),channels)
    windows = ck.stencil_divide(x, (3, 3, None))
    if channel < ck.size(x, 2):
        total: ck.Value = ck.f32(0.0)
        for i in range(3):
            for j in range(3):
                total = total + windows[(i, row), (j, column), channel] * weights[i, j, channel]
        out[row, column, channel] = total


if __name__ == "__main__":
    random = np.random.default_rng(1)
    x, weights = random.integers(-4, 5, (6, 7, 70)).astype(np.float32), random.integers(-4, 5, (3, 3, 70)).astype(np.float32)
    out = np.zeros((4, 5, 70), np.float32)
    depthwise(x, weights, out, grid=(2, 4, 5))
    assert (out == sum(x[i : i + 4, j : j + 5] * weights[i, j] for i in range(3) for j in range(3))).all()
    print("the convolution is right")
