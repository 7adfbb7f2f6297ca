"""A router of a mixture of 32 experts: the two largest logits of each token, their weights, and a place in each expert's queue.

A warp has a token, and a lane an expert.
"""

import numpy as np

from cute_mlir import kernels as ck

EXPERTS = 32
LOG2E = 1.44269504
Pairs = "(?,2):(2,1)"


@ck.kernel(block=128)
def route(
    logits: ck.Tensor[ck.f32, f"(?,{EXPERTS}):({EXPERTS},1)"],
    experts: ck.Tensor[ck.i32, Pairs],
    weights: ck.Tensor[ck.f32, Pairs],
    places: ck.Tensor[ck.i32, Pairs],
    counts: ck.Tensor[ck.i32, f"{EXPERTS}:1"],
) -> None:
    token, lane = ck.block.x * 4 + ck.warp(), ck.lane()
    if token < ck.size(logits, 0):
        mine = logits[token, lane]
        first = ck.warp_max(mine)
        # Of equal logits, the lowest lane wins.
        best = ck.first_bit(ck.ballot(mine == first))
        rest = ck.f32(-1.0e30) if lane == best else mine
        second = ck.warp_max(rest)
        other = ck.first_bit(ck.ballot(rest == second))
        weight = 1.0 / (1.0 + ck.exp2((second - first) * LOG2E, fast=True))
        if lane < 2:
            chosen = best if lane == 0 else other
            experts[token, lane] = chosen
            weights[token, lane] = weight if lane == 0 else 1.0 - weight
            places[token, lane] = ck.atomic_add(counts, chosen, 1)


if __name__ == "__main__":
    tokens = 50
    logits = np.random.default_rng(1).standard_normal((tokens, EXPERTS)).astype(np.float32)
    experts, places = (np.zeros((tokens, 2), np.int32) for _ in range(2))
    weights, counts = np.zeros((tokens, 2), np.float32), np.zeros(EXPERTS, np.int32)
    route(logits, experts, weights, places, counts, grid=13)
    order = np.argsort(-logits, axis=1)[:, :2]
    assert (experts == order).all()
    assert (counts == np.bincount(order.ravel(), minlength=EXPERTS)).all()
    assert all(sorted(places[experts == e]) == list(range(counts[e])) for e in range(EXPERTS))
    two = np.exp(np.take_along_axis(logits, order, 1))
    assert np.allclose(weights, two / two.sum(1, keepdims=True), atol=1e-5)
    print("the routes are right")
