#!/usr/bin/env python3
"""Times the package cute_mlir, beside pycute (of nvidia-cutlass 4.2) and tensor-layouts 0.3.2 where they are installed.

    python benches/python.py [--check]

With --check, a time or a ratio beyond its goal is an error. All times are those of the processor, the best of several runs.
"""

import argparse
import random
import sys
import time

import cute_mlir as cm

EMPTY = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry empty() { ret; }"""


def best(call, count, runs=7):
    """The seconds of one of `count` calls."""
    times = []
    for _ in range(runs):
        began = time.process_time()
        for _ in range(count):
            call()
        times.append((time.process_time() - began) / count)
    return min(times)


def pairs(count):
    """Operands that all three packages compose and divide."""
    generator, left, right = random.Random(1), [], []
    for _ in range(count):
        shape = tuple(generator.choice([4, 8, 16]) for _ in range(3))
        order = generator.sample(range(3), 3)
        stride, step = [0] * 3, 1
        for mode in order:
            stride[mode], step = step, step * shape[mode]
        left.append((shape, tuple(stride)))
        right.append(generator.choice([((2, 2), (1, 4)), ((2, 2, 2), (1, 2, 4)), ((4, 2), (2, 1)), ((4, (2, 2)), (1, (4, 8)))]))
    return left, right


def ratios(name, module, make, compose, divide, goals):
    """Rows with the time of lists, beside another package that computes one pair after the other."""
    left, right = pairs(500)
    own = [cm.Layout(*a) for a in left], [cm.Layout(*b) for b in right]
    theirs = [make(*a) for a in left], [make(*b) for b in right]
    rows = []
    for what, mine, other, goal in [
        ("composition", lambda: cm.compositions(*own), compose, goals[0]),
        ("logical_divide", lambda: cm.divides("logical_divide", *own), divide, goals[1]),
    ]:
        fast = best(mine, 20) / len(left)
        slow = best(lambda other=other: [other(a, b) for a, b in zip(*theirs)], 1, 3) / len(left)
        rows.append((f"{what}: {name}'s time / ours ({1e6 * slow:.1f} us / {1e6 * fast:.3f} us)", slow / fast, goal, ">="))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail where a goal is missed")
    options = parser.parse_args()

    a, b = cm.Layout((4, 8, 16), (128, 16, 1)), cm.Layout((2, 2, 8), (2, 4, 64))
    rows = [
        (f"{what}, in us", 1e6 * best(call, 20_000), goal, "<")
        for what, call, goal in [
            ("A @ B of rank 3", lambda: a @ b, 1.0),
            ("composition(A, B)", lambda: cm.composition(a, b), 1.0),
            ("logical_divide(A, B)", lambda: cm.logical_divide(a, b), 3.0),
            ("complement(B, 512)", lambda: cm.complement(b, 512), 1.5),
            ("size(A)", lambda: cm.size(a), 0.5),
            ("Layout(shape, stride) of rank 3", lambda: cm.Layout((4, 8, 16), (128, 16, 1)), 1.0),
            ("A(2, 3, 1)", lambda: a(2, 3, 1), 1.0),
            ("A(14)", lambda: a(14), 1.0),
            ("A(2, None, 1)", lambda: a(2, None, 1), 1.5),
        ]
    ]
    with cm.domain("strict"):
        rows.append(("A @ B in domain(\"strict\"), in us", 1e6 * best(lambda: a @ b, 20_000), 3.0, "<"))
    try:
        large = cm.Layout((8, 16, 64), (64, 512, 1))
        rows.append(("offsets() of 8192 elements, in ms", 1e3 * best(large.offsets, 100), 0.1, "<"))
    except ImportError:
        print("numpy is not installed: offsets() was not timed")
    empty = cm.Program.from_ptx(EMPTY)
    rows.append(("simulation of an empty kernel, in ms", 1e3 * best(lambda: cm.simulate(empty, 1, block=32), 50), 2.0, "<"))
    try:
        import pycute

        rows += ratios("pycute", pycute, pycute.Layout, pycute.composition, pycute.logical_divide, (30, 8))
    except ImportError:
        print("pycute is not installed: pip install --no-deps nvidia-cutlass==4.2.0.0")
    try:
        import tensor_layouts as other

        rows += ratios("tensor-layouts", other, other.Layout, other.compose, other.logical_divide, (100, 30))
    except ImportError:
        print("tensor-layouts is not installed: pip install --no-deps tensor-layouts==0.3.2")
    missed = 0
    for what, value, goal, sign in rows:
        is_met = value < goal if sign == "<" else value >= goal
        missed += not is_met
        print(f"{value:10.2f}  goal {sign:>2} {goal:<5}  {'met   ' if is_met else 'MISSED'}  {what}")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
