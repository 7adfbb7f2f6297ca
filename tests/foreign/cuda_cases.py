"""The kernels in CUDA C++ with their launches and references."""

import numpy as np

from cases import Case, Map, random, stored, zeros

CASES = []

EVERYWHERE = ("nvcc.sm_80", "nvcc.sm_90", "clang.sm_80", "debug.sm_80")
NVCC = ("nvcc.sm_80", "nvcc.sm_90", "debug.sm_80")
HOPPER = ("nvcc.sm_90a", "debug.sm_90a")

# Without optimisation, functions of CUDA's headers are functions of the PTX.
CALLS_HEADERS = {"kept": ("nvcc.sm_80", "nvcc.sm_90", "clang.sm_80")}


def case(
    kernel, *, grid=1, block, expected=None, finds=None, source=None, tolerance=0.0, made=EVERYWHERE, prints=None, kept=True, **launch
):
    """Adds a kernel; `arguments` has its arrays, maps and numbers by name, in order.

    `kept`: those of `made` whose PTX is checked in, or whether all are. Files with code of a library are compiled anew in
    each full test.
    """
    arguments = launch.pop("arguments")
    one = Case(kernel, arguments, grid, expected, tolerance, {})
    one.source = source or kernel
    one.made = made
    one.kept = [file for file in made if kept is True or kept and file in kept]
    one.finds = finds
    one.launch = {"block": str(block), **launch}
    if prints is not None:
        one.launch["prints"] = prints
    CASES.append(one)


def wrapped(values, bits=32):
    """Integers in two's complement."""
    values = [int(v) for v in np.ravel(np.array(values, object))]
    return np.array([(v + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1) for v in values], f"int{bits}")


case(
    "saxpy",
    grid=2,
    block=64,
    arguments={"a": 1.5, "x": random("f32", 1000, seed=60), "y": random("f32", 1000, seed=61), "n": 250},
    expected=lambda a: {"y": a.x.astype(np.float64) * 1.5 + a.y},
    tolerance=1e-6,
)

FIVE, THREE = [0.5, -1.0, 0.25, 2.0, -0.75], [1.0, 3.0, -2.0]


def polynomials(a):
    x = a.x.astype(np.float64)
    p, q = (np.polynomial.polynomial.polyval(x, c) for c in (FIVE, THREE))
    return {"y": p[2:34] + 2 * q[1:33]}


case(
    "polynomials",
    block=32,
    arguments={
        "p": stored("u8", np.frombuffer(np.array(FIVE, "f4").tobytes() + np.array([2], "i4").tobytes(), np.uint8)),
        "q": stored("u8", np.frombuffer(np.array(THREE, "f4").tobytes() + np.array([1], "i4").tobytes(), np.uint8)),
        "x": random("f32", 40, seed=62),
        "y": zeros("f32", 32),
    },
    expected=polynomials,
    tolerance=1e-6,
)


def recursion(_):
    def ackermann(m, n):
        return n + 1 if m == 0 else ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))

    fibonacci = [0, 1]
    while len(fibonacci) < 13:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    return {
        "ack": [ackermann(i % 3, i // 3) for i in range(13)],
        "even": [i % 2 == 0 for i in range(13)],
        "fib": fibonacci,
    }


case(
    "recursion",
    block=13,
    arguments={"ack": zeros("i32", 13), "even": zeros("i32", 13), "fib": zeros("i64", 13)},
    expected=recursion,
)


def callbacks(a):
    x = [int(v) for v in a.x]
    steps = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, max]
    folded = []
    for i in range(32):
        total = x[i]
        for j in range(1, 5):
            total = steps[i % 4](total, x[i + j])
        folded.append(total)
    return {"folded": folded, "chosen": [[x[i] + i, x[i] * i, max(x[i], i)][i % 3] for i in range(32)]}


case(
    "callbacks",
    block=32,
    arguments={"x": random("i32", 36, seed=63), "folded": zeros("i32", 32), "chosen": zeros("i32", 32)},
    expected=callbacks,
)

case(
    "shapes",
    block=32,
    arguments={"y": zeros("i32", 32)},
    expected=lambda a: {"y": [(i + 1) ** 2 // 2 * 10 + 3 if i % 2 else i * i * 10 + 4 for i in range(32)]},
)

PROGRAM = [0, 2, 3, 9, 1, 4, 10, 7, 6, 5, 8, 0, 42, 3, 2, 9, 6, 0, 10, 1]


def machine(a):
    y = []
    for i, start in enumerate(a.x):
        x, b, at = int(start), i, 0
        while at < len(PROGRAM):
            op = PROGRAM[at]
            if op == 0: x += b
            elif op == 1: x -= b * 3
            elif op == 2: x *= 5
            elif op == 3: x ^= b << 2
            elif op == 4: b = x & 15
            elif op == 5: x = x - 7 if x > b else b + 9
            elif op == 6: b += at
            elif op == 7: x = ~x
            elif op == 8: b = -b
            elif op == 9: at += x & 1
            elif op == 10: x = (x >> 3) | (x << 29)
            else: x = -1
            x, b, at = int(wrapped(x)[0]), int(wrapped(b)[0]), at + 1
        y.append(x ^ b)
    return {"y": y}


case(
    "machine",
    block=64,
    arguments={
        "program": stored("i32", PROGRAM),
        "length": len(PROGRAM),
        "x": random("i32", 64, seed=64),
        "y": zeros("i32", 64),
    },
    expected=machine,
)


def variables(_):
    i = np.arange(24)
    primes = np.array([2, 3, 5, 7, 11, 13])
    weights = np.array([0.5, -1.0, 2.0, 0.25, 8.0, -0.125, 1.0, 3.0])
    text = np.frombuffer(b"cute kernel", np.uint8)
    return {
        "y": weights[i % 8] + np.array([3, -2, 1, 0])[i % 4] + text[i % 11],
        "z": 1.5 * primes[i % 6] + primes[3 + i % 3 - 1],
        "counts": np.where(i % 2, 7 + 11, 2 + 3 + 5),
    }


case(
    "variables",
    block=24,
    arguments={"y": zeros("f32", 24), "z": zeros("f64", 24), "counts": zeros("i32", 24)},
    expected=variables,
    source="variables",
)

case(
    "reversed",
    grid=2,
    block=48,
    shared=48 * 6,
    arguments={
        "x": random("i32", 2, 48, seed=65),
        "y": random("i16", 2, 48, seed=66),
        "xr": zeros("i32", 2, 48),
        "yr": zeros("i16", 2, 48),
    },
    expected=lambda a: {"xr": a.x[:, ::-1], "yr": a.y[:, ::-1]},
)


def warp_sums(a):
    warps = a.x.reshape(4, 32)
    odd = ((warps & 1).astype(np.uint32) << np.arange(32, dtype=np.uint32)).sum(axis=1).astype(np.uint32)
    return {
        "sums": np.repeat(2 * warps.sum(axis=1), 32),
        "prefixes": warps.cumsum(axis=1).ravel(),
        "odd": np.repeat(odd, 32),
    }


case(
    "warp_sums",
    grid=2,
    block=64,
    arguments={
        "x": random("i32", 128, seed=67),
        "sums": zeros("i32", 128),
        "prefixes": zeros("i32", 128),
        "odd": zeros("u32", 128),
    },
    expected=warp_sums,
    **CALLS_HEADERS,
)

case(
    "block_sum",
    grid=3,
    block=256,
    arguments={"x": random("i32", 3, 700, seed=68), "sums": zeros("i32", 3), "n": 700},
    expected=lambda a: {"sums": a.x.sum(axis=1)},
    **CALLS_HEADERS,
)

case(
    "tiled_product",
    source="tiles",
    grid=(2, 3),
    block="16,16",
    arguments={
        "a": random("f32", 40, 24, seed=69),
        "b": random("f32", 24, 30, seed=70),
        "c": zeros("f32", 40, 30),
        "m": 40,
        "n": 30,
        "k": 24,
    },
    expected=lambda a: {"c": a.a.astype(np.float64) @ a.b.astype(np.float64)},
    tolerance=1e-5,
    made=("nvcc.sm_80", "clang.sm_80", "debug.sm_80"),
)

case(
    "padded_transpose",
    source="tiles",
    grid=(2, 3),
    block="16,16",
    arguments={"x": random("i16", 40, 20, seed=71), "y": zeros("i16", 20, 40), "m": 40, "n": 20},
    expected=lambda a: {"y": a.x.T},
    made=("nvcc.sm_80", "clang.sm_80", "debug.sm_80"),
)

case(
    "bitonic",
    source="sorting",
    grid=2,
    block=128,
    arguments={"x": stored("i32", np.arange(256).reshape(2, 128) * 7919 % 1009)},
    expected=lambda a: {"x": np.sort(a.x, axis=1)},
    made=("nvcc.sm_80", "clang.sm_80"),
)

case(
    "prefix_sum",
    source="sorting",
    block=128,
    arguments={"x": random("i32", 128, seed=72), "y": zeros("i32", 128)},
    expected=lambda a: {"y": a.x.cumsum()},
    made=("nvcc.sm_80", "clang.sm_80"),
)

case(
    "counting",
    grid=3,
    block=64,
    arguments={"x": stored("u8", np.arange(500) ** 2 % 251), "counts": zeros("i32", 16), "n": 500},
    expected=lambda a: {"counts": np.bincount(a.x % 16, minlength=16)},
    **CALLS_HEADERS,
)

case(
    "last_block",
    grid=4,
    block=64,
    arguments={"x": random("i32", 256, seed=73), "parts": zeros("i32", 4), "total": zeros("i32", 1)},
    expected=lambda a: {"total": [a.x.sum()], "parts": a.x.reshape(4, 64).sum(axis=1)},
    **CALLS_HEADERS,
)


def local_arrays(a):
    y, sums, bits = [], [], []
    for i in range(32):
        own = [0] * 12
        for at in range(12):
            own[(at * 5 + i) % 12] = int(a.x[at]) * (i + 1)
        y.append(max(own) - min(own) + own[i % 12])
        sums.append(sum(own))
        number = np.array([i + 0.5], np.float32).view(np.uint8)
        number[i % 4] ^= 0x81
        bits.append(number.view(np.uint32)[0])
    return {"y": y, "sums": sums, "bits": bits}


case(
    "local_arrays",
    block=32,
    arguments={
        "x": random("i32", 12, seed=74),
        "y": zeros("i32", 32),
        "sums": zeros("i64", 32),
        "bits": zeros("u32", 32),
    },
    expected=local_arrays,
)

MASK = (1 << 64) - 1


def integers(a):
    def quotient(a, b):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    def narrowed(v, bits):
        return int(wrapped(v, bits)[0])

    quotients, mixed, narrow = [], [], []
    for i, (x, y) in enumerate(zip(a.x.tolist(), a.y.tolist())):
        u, v = x & MASK, y & MASK
        quotients.append(quotient(x, y) * 3 + x - quotient(x, y) * y + u // v - u % 12345678901)
        mixed.append(((u << i % 64) ^ (u >> 63 - i % 64) ^ (x >> i % 17) ^ u * v) & MASK)
        c, s, t = narrowed(x, 8), narrowed(x >> 8, 16), y & 0xFFFF
        leading = 32 - (y & 0xFFFFFFFF).bit_length()
        narrow.append(c * 7 + quotient(s, 3) - t % 11 + (x & 0xFFFFFFFF).bit_count() * 100 + leading + (x < y) - (u < v))
    return {"quotients": wrapped(quotients, 64), "mixed": wrapped(mixed, 64), "narrow": narrow}


case(
    "integers",
    block=64,
    arguments={
        "x": stored("i64", [(i * 0x9E3779B97F4A7C15 + 12345 & MASK) - (1 << 63) for i in range(64)]),
        "y": stored("i64", [(i - 31) * 1000003**(i % 3) or 5 for i in range(64)]),
        "quotients": zeros("i64", 64),
        "mixed": zeros("i64", 64),
        "narrow": zeros("i32", 64),
    },
    expected=integers,
)


def floats(a):
    f, d, n, u = [], [], [], []
    for i in range(64):
        x, y = a.x[i], a.y[i]
        one = np.float32
        # Each step rounds to 32 bits, except for the product, which is part of a fused addition.
        total = one(float(x) * float(x) - 0.5)
        total = one(total + one(y))
        total = one(total + one(i * 1000003))
        f.append(one(total + abs(x)))
        d.append(y * y / 3.0 + float(x) + float(int(y * 1e12)) - max(y, float(x)))
        n.append(int(one(x * one(1000))) + int(y * -1000) + int(one(x * one(30000))) + (x >= 0.25) * 7)
        u.append(int(one(one(x * x) * one(4e9))) ^ int(y * y * 1e9))
    return {"f": f, "d": d, "n": n, "u": u}


case(
    "floats",
    block=64,
    arguments={
        "x": random("f32", 64, seed=75),
        "y": random("f64", 64, seed=76),
        "f": zeros("f32", 64),
        "d": zeros("f64", 64),
        "n": zeros("i32", 64),
        "u": zeros("u32", 64),
    },
    expected=floats,
    tolerance=1e-12,
)


def collatz(n):
    steps = 0
    while n > 1:
        n, steps = n * 3 + 1 if n % 2 else n // 2, steps + 1
    return steps


case(
    "loops_in_asm",
    grid=2,
    block=40,
    arguments={"y": zeros("u32", 80)},
    expected=lambda a: {"y": [collatz(i + 1) * 100 + collatz(i + 27) + i % 40 % 32 for i in range(80)]},
)

case(
    "hand_over",
    block=64,
    arguments={"x": random("i32", 5, 32, seed=77), "y": zeros("i32", 5, 32), "rounds": 5},
    expected=lambda a: {"y": a.x[:, ::-1] * 2},
)

case(
    "neighbours",
    grid=4,
    block=64,
    cluster="2,1,1",
    arguments={"x": random("i32", 4, 64, seed=78), "y": zeros("i32", 4, 64)},
    expected=lambda a: {"y": a.x[[1, 0, 3, 2], ::-1]},
    made=HOPPER + ("clang.sm_90a",),
)

case(
    "boxes",
    grid=(2, 2),
    block=64,
    arguments={
        "from": Map(random("i32", 30, 60, seed=79), (16, 32)),
        "to": Map(zeros("i32", 30, 60), (16, 32)),
    },
    expected=lambda a: {"to": vars(a)["from"] * 3 + 1},
    made=HOPPER + ("clang.sm_90a",),
)

case(
    "messages",
    grid=1,
    block=8,
    arguments={"x": stored("i32", np.arange(8) * 5), "y": zeros("i32", 8)},
    expected=lambda a: {"y": a.x + 1},
    made=NVCC,
    prints="thread 3 of block 0: value 3.75 1099511627776 z%\n",
)


def atomics(a):
    i, u, w = a.i.astype(object), a.u.astype(object), a.w.astype(object)
    for t in range(96):
        i[0] += t
        i[1] -= t
        i[2], i[3] = min(i[2], -t), max(i[3], t)
        i[4] &= ~(1 << t % 32)
        i[5] |= 1 << t % 20
        i[6] ^= t
        u[0] = 0 if u[0] >= 9 else u[0] + 1
        u[1] = 9 if u[1] == 0 or u[1] > 9 else u[1] - 1
        u[2], u[3] = min(u[2], 1000 - t), max(u[3], 5 * t)
        w[0] += 1 << 33
        w[1] = max(w[1], t << 35)
        u[4] += 3
        u[5 + t % 2] += 1
    i[7] = i[8] = 1
    return {"i": wrapped(i), "u": u, "w": w, "f": [48.0], "d": [24.0]}


case(
    "atomics",
    grid=3,
    block=32,
    arguments={
        "i": stored("i32", [0, 0, 0, 0, -1, 0, 0, 0, 0]),
        "u": stored("u32", [3, 4, 5000, 0, 0, 0, 0]),
        "w": zeros("i64", 2),
        "f": zeros("f32", 1),
        "d": zeros("f64", 1),
    },
    expected=atomics,
    made=NVCC,
    **CALLS_HEADERS,
)


def collectives(a):
    x = a.x.tolist()
    u = [v & 0xFFFFFFFF for v in x]
    total, largest = sum(u) & 0xFFFFFFFF, max(x) & 0xFFFFFFFF
    xor = int(np.bitwise_xor.reduce(np.array(u, np.uint32)))
    base = []
    for i in range(32):
        matched = sum(1 << j for j in range(32) if x[j] & 3 == x[i] & 3)
        result = matched ^ (total << 1) ^ (largest << 2) ^ xor
        result += any(v == 7 for v in x) * 3 + all(v > -100 for v in x) * 5
        pool = list(u[i].to_bytes(4, "little")) + list((i * 0x01010101 & 0xFFFFFFFF).to_bytes(4, "little"))
        result = (result & 0xFFFFFFFF) ^ int.from_bytes(bytes(pool[int(c, 16)] for c in "0415"), "little")
        funnel = (i << 32 | u[i]) << 7 >> 32
        reverse = int(f"{u[i]:032b}"[::-1], 2)
        first = (u[i] & -u[i]).bit_length()
        signed = np.frombuffer(u[i].to_bytes(4, "little"), np.int8).astype(int)
        other = np.frombuffer((i * 0x01020304 & 0xFFFFFFFF).to_bytes(4, "little"), np.int8).astype(int)
        result += funnel + reverse + first + int((signed * other).sum()) + 9
        base.append(result & 0xFFFFFFFF)
    for i in range(1, 32, 2):
        base[i] = (base[i] + u[i + 2 if i + 2 < 32 else i] + 16) & 0xFFFFFFFF
    return {"y": base}


case(
    "collectives",
    block=32,
    arguments={"x": stored("i32", np.arange(32) * 48271 % 211 - 90), "y": zeros("u32", 32)},
    expected=collectives,
    made=NVCC,
    **CALLS_HEADERS,
)

LIBRARY = {"made": ("nvcc.sm_80", "nvcc.sm_90"), "kept": False}


def doubles(a):
    from math import erf

    x = a.x
    columns = [np.sin(x * 20), (x + 2) ** 3.7, np.vectorize(erf)(x), np.exp(x * 3) - np.log(x + 1.5)]
    columns += [np.arctan2(x, 0.3) + np.cbrt(x), np.sqrt(x + 1) / (x + 3) + np.fmod(x * 100, 7.0)]
    return {"y": np.stack(columns, 1)}


case(
    "doubles",
    block=64,
    arguments={"x": random("f64", 64, seed=90), "y": zeros("f64", 64, 6)},
    expected=doubles,
    tolerance=1e-13,
    **LIBRARY,
)


def halves(a):
    x, b = a.x.astype(np.float64), a.b.astype(np.float64)
    half = np.float16
    sums = (x * 0.5 + 1.0).astype(half).astype(np.float64)
    added = (sums + x).astype(half).astype(np.float64)
    return {
        "y": added * np.abs(x),
        "c": b * b - 0.25,
        "f": x[:, 0] + b[:, 1] + np.where(x[:, 0] > x[:, 1], 8, 0),
    }


case(
    "halves",
    block=32,
    arguments={
        "x": random("f16", 32, 2, seed=91),
        "b": random("bf16", 32, 2, seed=92),
        "y": zeros("f16", 32, 2),
        "c": zeros("bf16", 32, 2),
        "f": zeros("f32", 32),
    },
    expected=halves,
    tolerance=1e-6,
    **LIBRARY,
)


def cub_sums(a):
    x = a.x.astype(np.int64)
    keys = np.stack([x * 2654435761, np.arange(128) * 40503], 1) & 0xFFFFFFFF
    return {"sums": [x.sum()], "prefixes": x.cumsum() - x, "sorted": np.sort(keys.ravel())}


case(
    "cub_sums",
    block=128,
    arguments={
        "x": random("i32", 128, seed=93),
        "sums": zeros("i32", 1),
        "prefixes": zeros("i32", 128),
        "sorted": zeros("u32", 256),
    },
    expected=cub_sums,
    **LIBRARY,
)

case(
    "stages",
    block=64,
    arguments={"x": random("i32", 3, 64, seed=94), "y": zeros("i32", 3, 64), "rounds": 3},
    expected=lambda a: {"y": a.x[:, ::-1]},
    **LIBRARY,
)

case(
    "pipelined",
    block=64,
    arguments={"x": random("i32", 5, 64, seed=97), "y": zeros("i32", 5, 64), "rows": 5},
    expected=lambda a: {"y": a.x[:, ::-1]},
    **LIBRARY,
)


def scaled_product(a):
    return {"d": 1.5 * (a.a.astype(np.float64) @ a.b.astype(np.float64).T) - 0.5 * a.c}


# Whole tiles: CUTLASS does not write the rows of a tile that lie outside of the matrix, but reads them.
case(
    "device_gemm",
    grid=(2, 1),
    block=128,
    shared=3 * (64 + 64) * 32 * 2,
    arguments={
        "a": random("f16", 128, 72, seed=98),
        "b": random("f16", 64, 72, seed=99),
        "c": random("f32", 128, 64, seed=100),
        "d": zeros("f32", 128, 64),
        "m": 128,
        "n": 64,
        "k": 72,
        "alpha": 1.5,
        "beta": -0.5,
    },
    expected=scaled_product,
    tolerance=1e-5,
    **LIBRARY,
)


def by_columns(a):
    """b has the columns of the second matrix as rows."""
    return {"c": a.a.astype(np.float64) @ a.b.astype(np.float64).T}


for name, size, k, block, made in [
    ("fragments", 16, 48, 32, ("nvcc.sm_80", "nvcc.sm_90")),
    ("tiled_mma", 32, 64, 128, ("nvcc.sm_80", "nvcc.sm_90")),
    ("tiled_wgmma", 64, 64, 128, ("nvcc.sm_90a",)),
]:
    arrays = {"a": random("f16", size, k, seed=95), "b": random("f16", size, k, seed=96), "c": zeros("f32", size, size)}
    arrays |= {"k": k} if name == "fragments" else {}
    case(name, block=block, arguments=arrays, expected=by_columns, tolerance=1e-5, made=made, kept=False)

# Broken kernels, whose findings name their lines. Clang makes the recursion without end a loop.
for name, finds, arguments in [
    ("no_barrier", "race", {"x": random("f32", 64, seed=80), "y": zeros("f32", 64)}),
    ("past_the_end", "out_of_bounds", {"x": random("i32", 64, seed=82), "y": zeros("i32", 64)}),
    ("not_filled", "uninitialised", {"x": random("i32", 64, seed=83), "y": zeros("i32", 64)}),
    ("lost_updates", "race", {"x": random("i32", 64, seed=84), "y": zeros("i32", 4)}),
    ("without_end", "call_depth", {"x": random("i32", 64, seed=85), "y": zeros("i32", 64)}),
]:
    compilers = ("nvcc.sm_80", "nvcc.sm_90") + (("clang.sm_80",) if name != "without_end" else ())
    case(name, source="broken", block=64, finds=finds, arguments=arguments, made=compilers)

# A barrier in a branch, behind which the other threads return: `bar.sync` waits for threads that have not exited.
case(
    "half_barrier",
    source="broken",
    block=64,
    arguments={"x": random("i32", 64, seed=81), "y": zeros("i32", 64)},
    expected=lambda a: {"y": a.x},
    made=("nvcc.sm_80", "nvcc.sm_90", "clang.sm_80"),
)
