"""Kernels of numba.cuda, in a file of their own: the recorded PTX names its lines."""

from numba import cuda, float32


@cuda.jit
def add(x, y, out, scale):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i] * scale


@cuda.jit
def reverse(x):
    tile = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]
    x[i] = tile[63 - i]  # no barrier


@cuda.jit
def shift(x, pair):
    i = cuda.grid(1)
    x[i + 1] = pair[0][i] * pair[1]  # past the end


@cuda.jit
def transpose(x, out):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[j, i] = x[i, j]


@cuda.jit
def histogram(x, bins):
    i = cuda.grid(1)
    bins[x[i]] += 1  # not atomic
