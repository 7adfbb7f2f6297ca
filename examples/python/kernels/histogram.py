"""How often each byte occurs: atomics in shared memory, then one per bin and block in global memory, as examples/atomics.mlir."""

import numpy as np

from cute_mlir import kernels as ck


@ck.kernel(block=256)
def histogram(x: ck.Tensor[ck.i8, "?:1"], counts: ck.Tensor[ck.i32, "256:1"]) -> None:
    thread, bins = ck.thread.x, ck.shared(ck.i32, "256:1")
    bins[thread] = 0
    ck.sync()
    first = ck.block.x * 4096
    for i in ck.range(first + thread, min(first + 4096, ck.size(x)), 256):
        ck.atomic_add(bins, x[i].to(ck.i32) & 255, 1, scope="block")
    ck.sync()
    ck.atomic_add(counts, thread, bins[thread])


if __name__ == "__main__":
    x = np.random.default_rng(1).integers(-128, 128, 5000).astype(np.int8)
    counts = np.zeros(256, np.int32)
    histogram(x, counts, grid=2)
    assert (counts == np.bincount(x.view(np.uint8), minlength=256)).all()
    print("the counts are right")
