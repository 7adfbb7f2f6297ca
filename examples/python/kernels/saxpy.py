"""``y = a x + y`` for vectors of any length that is a multiple of 4, 128 bits a thread, as examples/saxpy.rs."""

import numpy as np

from cute_mlir import kernels as ck

Vector = "?{div=4}:1"


@ck.kernel(block=256)
def saxpy(a: ck.f32, x: ck.Tensor[ck.f32, Vector], y: ck.Tensor[ck.f32, Vector]) -> None:
    access = ck.make_tiled_copy(ck.universal_copy(ck.f32, 128), "256:1", "4:1")

    def part(of: ck.Value) -> ck.Value:
        return ck.partition_S(access, ck.local_tile(of, 1024, ck.block.x), ck.thread.x)

    inside = ck.inside(part(ck.identity(x)), x)
    xs, ys = ck.load(access, part(x), inside), ck.load(access, part(y), inside)
    ys.store(a * xs.load() + ys.load())
    ck.copy(access, ys, part(y), pred=inside)


if __name__ == "__main__":
    x = np.arange(1000, dtype=np.float32)
    y = np.ones(1000, dtype=np.float32)
    saxpy(2.0, x, y, grid=1)
    assert (y == 2 * x + 1).all()
    print("saxpy is right")
