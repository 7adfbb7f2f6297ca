#!/usr/bin/env python3
"""Random requests for cute-calc and the oracle: requests.py COUNT [SEED] prints COUNT lines of JSON, operation by operation in
turn. About half of the operands fit one another, so that strict accepts and refuses many of each operation."""
import json
import random
import re
import sys

EXTENTS = [1, 2, 2, 2, 3, 4, 4, 5, 6, 8]
# Above the number of coordinates that strict tries, and towards what overflows.
LARGE = [1 << 17, 3 << 18, 1 << 31, 5 << 40, 1 << 62]


def show(tree):
    return str(tree) if isinstance(tree, int) else "(" + ",".join(show(m) for m in tree) + ")"


def profile(rng, leaves):
    """A random tree over the list `leaves`."""
    if len(leaves) == 1:
        return leaves[0] if rng.random() < 0.8 else [leaves[0]]
    modes, rest = [], list(leaves)
    while rest:
        n = rng.randint(1, len(rest))
        modes.append(rest[0] if n == 1 else profile(rng, rest[:n]) if n < len(leaves) else list(rest))
        rest = rest[n:]
    return modes


def regroup(shape, strides):
    """The strides in the profile of the shape."""
    strides = iter(strides)
    walk = lambda t: next(strides) if isinstance(t, int) else [walk(m) for m in t]
    return walk(shape)


def pack(rng, extents, strides):
    shape = profile(rng, extents)
    return show(shape) + ":" + show(regroup(shape, strides))


def extents(rng, most=4):
    shape = [rng.choice(EXTENTS) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.02:
        shape[rng.randrange(len(shape))] = rng.choice(LARGE)
    return shape


def compact(rng, shape, gap=0.0):
    """Strides of a bijection in a random order of modes, with gaps at some probability."""
    order = list(range(len(shape)))
    if rng.random() < 0.6:
        rng.shuffle(order)
    strides, step = [0] * len(shape), 1
    for i in order:
        if rng.random() < gap:
            step *= rng.choice([2, 3, 4])
        strides[i] = step
        step *= shape[i]
    return strides


def wild(rng, shape):
    return [rng.choice([0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32]) * (-1 if rng.random() < 0.04 else 1) for _ in shape]


def strides(rng, shape):
    kind = rng.random()
    if kind < 0.5:
        return compact(rng, shape)
    if kind < 0.7:
        return compact(rng, shape, 0.4)
    if kind < 0.8:
        return [d if rng.random() < 0.7 else 0 for d in compact(rng, shape)]
    return wild(rng, shape)


def layout(rng, most=4, scattered=0.0):
    shape = extents(rng, most)
    return pack(rng, shape, wild(rng, shape) if rng.random() < scattered else strides(rng, shape))


def size(shape):
    n = 1
    for s in shape:
        n *= s
    return n


def within(rng, n, fits=0.75):
    """Extents and strides whose values mostly lie in [0, n)."""
    if rng.random() > fits:
        shape = extents(rng, 3)
        return shape, strides(rng, shape)
    # Factors of n, mode by mode, in any order.
    shape, steps, step, left = [], [], 1, n
    while left > 1 and len(shape) < 4:
        divisors = [d for d in range(2, min(left, 4096) + 1) if left % d == 0] + [left]
        d = rng.choice(divisors)
        if rng.random() < 0.7:
            shape.append(d)
            steps.append(step)
        step *= d
        left //= d
    if not shape or rng.random() < 0.1:
        shape.append(rng.choice([1, 1, 2]))
        steps.append(rng.choice([0, 1, n]))
    pairs = list(zip(shape, steps))
    rng.shuffle(pairs)
    return [s for s, _ in pairs], [d for _, d in pairs]


def tiles(rng, modes):
    """A tile for each of the first modes, as text, given the extents of their leaves."""
    parts = []
    for mode in modes[: rng.randint(1, len(modes))]:
        kind, n = rng.random(), size(mode)
        if kind < 0.2:
            parts.append("_")
        elif kind < 0.5:
            fits = [d for d in range(1, min(n, 4096) + 1) if n % d == 0]
            parts.append(str(rng.choice(fits) if rng.random() < 0.7 else rng.randint(1, n + 2)))
        elif kind < 0.6 and len(mode) > 1:
            parts.append(tiles(rng, [[s] for s in mode]))
        else:
            parts.append(pack(rng, *within(rng, n, 0.7)))
    return "[" + ";".join(parts) + "]"


def by_mode(rng):
    """A layout of several modes, and a tile."""
    groups = [extents(rng, 2) for _ in range(rng.randint(1, 3))]
    shape = sum(groups, [])
    modes = [g[0] if len(g) == 1 else list(g) for g in groups]
    text = show(modes) + ":" + show(regroup(modes, strides(rng, shape)))
    return text, tiles(rng, groups)


def coordinate(rng, shape, open_modes):
    """A coordinate of a shape, mostly in range."""
    if open_modes and rng.random() < 0.1:
        return "_"
    if isinstance(shape, int) or rng.random() < 0.4:
        n = shape if isinstance(shape, int) else size(flat(shape))
        return str(rng.randrange(n) if rng.random() < 0.55 else rng.randint(-2, 3 * n))
    if rng.random() < 0.05:
        return "(0,0)"
    return "(" + ",".join(coordinate(rng, m, open_modes) for m in shape) + ")"


def flat(tree):
    return [tree] if isinstance(tree, int) else [leaf for m in tree for leaf in flat(m)]


def composition(rng):
    if rng.random() < 0.3:
        return list(by_mode(rng))
    a = extents(rng)
    return [pack(rng, a, strides(rng, a)), pack(rng, *within(rng, size(a), 0.35))]


def dynamic(rng, text):
    """The layout with all or some integers known at run time only."""
    share = rng.choice([1, 1, 0.7, 0.3])
    return re.sub(r"-?\d+", lambda n: ("?" if rng.random() < share else "") + n[0], text)


def dynamic_extents(rng, text):
    """The layout with all or some extents known at run time only."""
    shape, steps = text.split(":")
    return dynamic(rng, shape) + ":" + steps


def ordered(rng, extents, steps):
    """A layout that has a complement: one mode, or static strides."""
    steps = [d or 1 for d in steps]
    if rng.random() < 0.4:
        return dynamic(rng, f"{extents[0]}:{steps[0]}")
    return dynamic_extents(rng, pack(rng, extents, steps))


def some_dynamic(make):
    """Requests with at least one run-time number, of which the oracle and cute-calc print the values."""

    def made(rng):
        while True:
            args = make(rng)
            if any("?" in text for text in args):
                return args

    return made


def dynamic_composition(rng):
    """A run-time stride of 0 on the right is divided by, and has no result."""
    if rng.random() < 0.2:
        a, tile = by_mode(rng)
        return [dynamic(rng, a), dynamic(rng, tile.replace("0", "1"))]
    a = extents(rng)
    shape, steps = within(rng, size(a), 0.7)
    return [dynamic(rng, pack(rng, a, strides(rng, a))), dynamic(rng, pack(rng, shape, [d or 1 for d in steps]))]


def dynamic_complement(rng):
    a = extents(rng, 3)
    text = ordered(rng, a, compact(rng, a, 0.4) if rng.random() < 0.7 else wild(rng, a))
    if rng.random() < 0.3:
        return [text]
    if rng.random() < 0.3:
        return [text, dynamic(rng, show([rng.randint(1, 40), rng.randint(1, 12)]))]
    return [text, dynamic(rng, str(size(a) * rng.randint(1, 12)))]


def dynamic_divide(rng):
    if rng.random() < 0.3:
        a, tile = by_mode(rng)
        return [dynamic(rng, a), dynamic(rng, tile.replace("0", "1"))]
    a = extents(rng)
    text = dynamic(rng, pack(rng, a, strides(rng, a)))
    if rng.random() < 0.2:
        return [text, dynamic(rng, str(rng.randint(1, size(a))))]
    return [text, ordered(rng, *within(rng, size(a), 0.75))]


def dynamic_product(rng):
    a, b = extents(rng, 3), extents(rng, 3)
    block = ordered(rng, a, compact(rng, a, 0.3) if rng.random() < 0.7 else wild(rng, a))
    return [block, dynamic(rng, pack(rng, b, [d or 1 for d in (strides if rng.random() < 0.6 else wild)(rng, b)]))]


def dynamic_right_inverse(rng):
    a = extents(rng)
    text = pack(rng, a, strides(rng, a))
    return [dynamic(rng, text) if rng.random() < 0.3 else dynamic_extents(rng, text)]


def dynamic_left_inverse(rng):
    a = extents(rng)
    return [dynamic_extents(rng, pack(rng, a, compact(rng, a, 0.3) if rng.random() < 0.7 else wild(rng, a)))]


def complement(rng):
    a = extents(rng, 3)
    own = compact(rng, a, 0.4) if rng.random() < 0.25 else wild(rng, a)
    text = pack(rng, a, own)
    if rng.random() < 0.3:
        return [text]
    if rng.random() < 0.15:
        return [text, show([rng.randint(1, 40), rng.randint(1, 12)])]
    reach = max([abs(d) * s for s, d in zip(a, own)])
    return [text, str(reach * rng.randint(1, 4) if rng.random() < 0.6 else rng.randint(1, 200))]


def divide(rng):
    if rng.random() < 0.3:
        return list(by_mode(rng))
    a = extents(rng)
    if rng.random() < 0.1:
        return [pack(rng, a, strides(rng, a)), str(rng.randint(1, size(a)))]
    return [pack(rng, a, strides(rng, a)), pack(rng, *within(rng, size(a), 0.75))]


def product(rng):
    if rng.random() < 0.2:
        return list(by_mode(rng))
    a, b = extents(rng, 3), extents(rng, 3)
    own = compact(rng, a, 0.3) if rng.random() < 0.5 else wild(rng, a)
    return [pack(rng, a, own), pack(rng, b, strides(rng, b) if rng.random() < 0.6 else wild(rng, b))]


def shaped(rng):
    shape = extents(rng)
    return profile(rng, shape), shape


def evaluated(rng):
    tree, shape = shaped(rng)
    return [show(tree) + ":" + show(regroup(tree, strides(rng, shape))), coordinate(rng, tree, True)]


def indexed(rng):
    tree, _ = shaped(rng)
    return [coordinate(rng, tree, True), show(tree)]


def split(rng):
    tree, _ = shaped(rng)
    return [coordinate(rng, tree, False), show(tree)]


def grouped(rng):
    first = rng.choice([0, 0, 0, 1, 2])
    return [layout(rng), str(first), str(first + rng.choice([0, 1, 1, 2, 2, 3]))]


def coalesced(rng):
    if rng.random() < 0.7:
        return [layout(rng, 5)]
    return [layout(rng, 5), show(profile(rng, [1] * rng.randint(1, 3)))]


def swizzled(rng):
    b, m = rng.randint(0, 4), rng.randint(0, 6)
    s = rng.choice([-1, 1]) * rng.randint(max(0, b - 1), 7)
    return [f"S<{b},{m},{s}>", str(rng.randint(-5000, 5000))]


def broken(rng):
    """A layout that may not be well formed."""
    text = layout(rng)
    if rng.random() < 0.4:
        tree, shape = shaped(rng)
        shape = [s if rng.random() < 0.9 else 0 for s in shape]
        text = show(regroup(tree, shape)) + ":" + show(profile(rng, strides(rng, shape)))
    return [text]


OPERATIONS = {
    "composition": composition,
    "composition?": some_dynamic(dynamic_composition),
    "complement": complement,
    "complement?": some_dynamic(dynamic_complement),
    "logical_divide": divide,
    "logical_divide?": some_dynamic(dynamic_divide),
    "logical_product": product,
    "logical_product?": some_dynamic(dynamic_product),
    "right_inverse": lambda rng: [layout(rng)],
    "right_inverse?": some_dynamic(dynamic_right_inverse),
    "left_inverse": lambda rng: [layout(rng, scattered=0.4)],
    "left_inverse?": some_dynamic(dynamic_left_inverse),
    "coalesce": coalesced,
    "filter": lambda rng: [layout(rng)],
    "flatten": broken,
    "group": grouped,
    "size": broken,
    "cosize": lambda rng: [layout(rng)],
    "is_compact": lambda rng: [layout(rng)],
    "is_contiguous": lambda rng: [layout(rng)],
    "layout_eval": evaluated,
    "crd2idx": indexed,
    "idx2crd": split,
    "apply": swizzled,
}


# Those that strict can refuse, which compare.py counts.
CHECKED = ["composition", "complement", "logical_divide", "logical_product", "left_inverse", "layout_eval", "crd2idx", "idx2crd"]


def requests(rng, count, names):
    """Requests of each operation in turn, as lines of JSON."""
    for i in range(count):
        op = names[i % len(names)]
        yield json.dumps({"op": op.removesuffix("?"), "args": OPERATIONS[op](rng)}, separators=(",", ":"))


def main():
    count = int(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    names = sys.argv[3].split(",") if len(sys.argv) > 3 else list(OPERATIONS)
    for line in requests(rng, count, names):
        print(line)


if __name__ == "__main__":
    main()
