"""Tests of kernels without a GPU."""

import pathlib

import numpy as np
import pytest

KERNEL = pathlib.Path(__file__).parents[1] / "kernels" / "tiles.ptx"


def reversed_tiles(run, tiles):
    """The elements, the result of the kernel, and whether a block was seen."""
    source = np.arange(128 * tiles, dtype=np.float32)
    to, seen = np.zeros_like(source), np.zeros(1, np.int32)
    run(KERNEL, grid=tiles, block=128, args=[source, to, seen])
    return source, to, bool(seen[0])


@pytest.mark.parametrize("tiles", [1, 4])
def test_tiles_are_reversed(cute_simulate, tiles):
    source, to, seen = reversed_tiles(cute_simulate, tiles)
    assert (to.reshape(tiles, 128) == source.reshape(tiles, 128)[:, ::-1]).all()
    assert seen


@pytest.mark.cute(schedules=2, blocks=["first", "last", "random:6"])
def test_a_large_grid_is_sampled(cute_simulate):
    source, to, _ = reversed_tiles(cute_simulate, 10_000)
    assert (to[:128] == source[127::-1]).all() and (to[-128:] == source[:-129:-1]).all()
