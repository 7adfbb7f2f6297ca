"""What the public kernels of CuTe DSL compute: shapes to run each with, and the same by plain loops.

`run(cutec, path)` runs the host function of a module in the simulator for each case that is known for a file of that name, and prints
how far the results are from the loops. `python3 dsl_reference.py CUTEC FILE..` does that too.
"""

import ast
import itertools
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

# The codes of `struct` and of NumPy for an element type. bf16 and floats of 8 bits are kept by their bits.
CODES = {"f32": ("f", "<f4"), "f16": ("e", "<f2"), "bf16": ("H", "<V2"), "f8E4M3FN": ("B", "<V1"),
         "i32": ("i", "<i4"), "i8": ("b", "|i1"), "u8": ("B", "|u1")}


def bf16_of(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def from_bf16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def small_floats(exponent_bits, mantissa_bits, bias, last):
    """The positive values of a small float up to code `last`, by their codes."""
    values = []
    for code in range(last + 1):
        exponent, mantissa = code >> mantissa_bits, code & (1 << mantissa_bits) - 1
        scale = 2.0 ** (max(exponent, 1) - bias - mantissa_bits)
        values.append((mantissa + (1 << mantissa_bits if exponent else 0)) * scale)
    return values


E4M3 = small_floats(4, 3, 7, 0x7E)
E2M1 = small_floats(2, 1, 1, 7)


def nearest(values, x):
    """The code of the value that is nearest to |x|, ties to the even code."""
    x = min(abs(x), values[-1])
    low = max(i for i, v in enumerate(values) if v <= x)
    if low + 1 == len(values):
        return low
    below, above = x - values[low], values[low + 1] - x
    return low if below < above or (below == above and low % 2 == 0) else low + 1


def rounded(element, x):
    """A number as an element type holds it."""
    if element == "f32":
        return struct.unpack("<f", struct.pack("<f", x))[0]
    if element == "f16":
        return struct.unpack("<e", struct.pack("<e", x))[0]
    if element == "bf16":
        return from_bf16(bf16_of(x))
    if element == "f8E4M3FN":
        return math.copysign(E4M3[nearest(E4M3, x)], x)
    return x


class Array:
    """An array in row-major order. `values` is a list of numbers, or what `--arg` takes behind `=`."""

    def __init__(self, element, shape, values="0"):
        self.element, self.shape, self.values = element, tuple(shape), values

    def size(self):
        return math.prod(self.shape)

    def argument(self, name, folder):
        text = f"{name}:{self.element}[{'x'.join(map(str, self.shape))}]"
        if isinstance(self.values, str):
            return f"{text}={self.values}"
        file = os.path.join(folder, f"{name}.in.npy")
        save(file, self)
        return f"{text}={file}"


def save(file, array):
    code, name = CODES[array.element]
    values = [bf16_of(v) for v in array.values] if array.element == "bf16" else array.values
    header = repr({"descr": name, "fortran_order": False, "shape": array.shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(file, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack(f"<{len(values)}{code}", *values))


def load(file, element):
    with open(file, "rb") as given:
        data = given.read()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    ast.literal_eval(data[10:begin].decode())
    code = CODES[element][0]
    values = struct.unpack(f"<{(len(data) - begin) // struct.calcsize(code)}{code}", data[begin:])
    if element == "bf16":
        return [from_bf16(v) for v in values]
    if element == "f8E4M3FN":
        return [math.copysign(E4M3[v & 127], 1 - (v >> 7) * 2) if v & 127 < 127 else math.nan for v in values]
    return values


def sample(element, shape, seed, scale=1.0):
    """Numbers that the type holds, with few enough bits that sums of products are exact or nearly so."""
    source = random.Random(seed)
    steps = [i / 8 * scale for i in range(-8, 9)]
    return Array(element, shape, [rounded(element, source.choice(steps)) for _ in range(math.prod(shape))])


class Case:
    """A run: arguments in order (arrays, numbers), what the arrays must hold, and how far off they may be (relative to the
    larger of 1 and the number)."""

    def __init__(self, text, arguments, expected, tolerance=0.0):
        self.text, self.arguments, self.expected, self.tolerance = text, arguments, expected, tolerance


# Elementwise


def add(rows, columns):
    a, b = sample("f32", (rows, columns), 1), sample("f32", (rows, columns), 2)
    c = [x + y for x, y in zip(a.values, b.values)]
    return Case(f"{rows}x{columns}", {"a": a, "b": b, "c": Array("f32", (rows, columns))}, {"c": c})


def apply_add():
    """The extents of its inputs are part of the type."""
    shape = (4096, 4096)
    arrays = {"a": Array("f32", shape, "range"), "b": Array("f32", shape, "0.5"), "c": Array("f32", shape)}
    exact = [rounded("f32", rounded("f32", i) + 0.5) for i in range(math.prod(shape))]
    return Case("4096x4096", arrays, {"c": exact})


# Matrices


def product(a, b, c, transposed=""):
    """C(m, n, l) = sum over k of A(m, k, l) B(n, k, l), with shapes that may lack l."""
    (m, k), n = a.shape[:2], b.shape[0]
    batches = math.prod(a.shape[2:])
    out = [0.0] * (m * n * batches)
    rows = lambda x, count, l: [[x.values[(i * k + j) * batches + l] for j in range(k)] for i in range(count)]
    for l in range(batches):
        left, right = rows(a, m, l), rows(b, n, l)
        for i in range(m):
            for j in range(n):
                out[(i * n + j) * batches + l] = rounded(c, sum(map(float.__mul__, left[i], right[j])))
    return out


def gemm(m, n, k, batches):
    a, b = sample("f16", (m, k, batches), 1), sample("f16", (n, k, batches), 2)
    arguments = {"a": a, "b": b, "c": Array("f16", (m, n, batches))}
    return Case(f"{m}x{n}x{k}x{batches}", arguments, {"c": product(a, b, "f16")}, 1e-3)


def permuted(array, order):
    """The values of an array with its modes from the slowest to the fastest in this order."""
    strides = [math.prod(array.shape[i + 1:]) for i in range(len(array.shape))]
    walk = itertools.product(*(range(array.shape[i]) for i in order))
    return [array.values[sum(x * strides[i] for x, i in zip(at, order))] for at in walk]


def gemm_of_pointers(m, n, k, batches, orders, sizes):
    a, b = sample("f16", (m, k, batches), 1), sample("f16", (n, k, batches), 2)
    c = Array("f16", (m, n, batches), product(a, b, "f16"))
    flat = lambda x, order: Array("f16", (x.size(),), permuted(x, order))
    out = Array("f16", (c.size(),))
    arguments = {"a": flat(a, orders[0]), "b": flat(b, orders[1]), "c": out, **sizes}
    return Case(f"{m}x{n}x{k}x{batches}", arguments, {"c": permuted(c, orders[2])}, 1e-3)


def sgemm(n):
    a, b = sample("f32", (256, 64), 1), sample("f32", (n, 64), 2)
    return Case(f"256x{n}x64", {"a": a, "b": b, "c": Array("f32", (256, n))}, {"c": product(a, b, "f32")}, 1e-6)


# Attention and normalisation


def attention(q, k, v, weights):
    """O(b, s, h, d) of Q, K and V in the same order of modes; `weights` turns the scores of a row into factors of the values."""
    (batches, queries, heads, size), keys = q.shape, k.shape[1]
    at = lambda x, b, s, h: x.values[((b * x.shape[1] + s) * heads + h) * size:][:size]
    out = [0.0] * q.size()
    for b, h in itertools.product(range(batches), range(heads)):
        ks, vs = [at(k, b, s, h) for s in range(keys)], [at(v, b, s, h) for s in range(keys)]
        columns = list(zip(*vs))
        for i in range(queries):
            row = at(q, b, i, h)
            factors = weights([sum(map(float.__mul__, row, key)) for key in ks], b, h, i)
            begin = ((b * queries + i) * heads + h) * size
            out[begin:begin + size] = [sum(map(float.__mul__, factors, column)) for column in columns]
    return out


def softmax_attention(batches, queries, keys, heads, causal):
    scale = 0.09
    q = sample("bf16", (batches, queries, heads, 128), 1)
    k, v = (sample("bf16", (batches, keys, heads, 128), seed) for seed in (2, 3))

    def weights(scores, b, h, i):
        seen = [s * scale if not causal or j <= i else -math.inf for j, s in enumerate(scores)]
        top = max(seen)
        powers = [math.exp(s - top) for s in seen]
        return [p / sum(powers) for p in powers]

    arguments = {"q": q, "k": k, "v": v, "o": Array("bf16", q.shape), "scale": scale}
    return Case(f"{batches}x{queries}x{keys}x{heads}", arguments, {"o": attention(q, k, v, weights)}, 0.02)


def tiled_attention(queries, keys, heads, batches):
    """With (sequence, size of a head, heads of Q for a head of K, heads of K, batch). Scores are multiplied by `scale` before the softmax,
    whose powers are of 2; the sums of the powers of e go to `lse`."""
    scale = 0.09
    q = sample("f16", (batches, queries, heads, 128), 1)
    k, v = (sample("f16", (batches, keys, heads, 128), seed) for seed in (2, 3))
    sums = [0.0] * (queries * heads * batches)

    def weights(scores, b, h, i):
        seen = [s * scale for s in scores]
        top = max(seen)
        powers = [math.exp(s - top) for s in seen]
        sums[(i * heads + h) * batches + b] = top + math.log(sum(powers))
        return [p / sum(powers) for p in powers]

    out = Array("f16", q.shape, attention(q, k, v, weights))
    by_sequence = lambda x, length: Array("f16", (length, 128, 1, heads, batches), permuted(x, (1, 3, 2, 0)))
    arrays = {"q": by_sequence(q, queries), "k": by_sequence(k, keys), "v": by_sequence(v, keys)}
    empty = {"o": Array("f16", arrays["q"].shape), "lse": Array("f32", (queries, 1, 1, heads, batches))}
    numbers = {"log2": scale * math.log2(math.e), "scale": scale, "out": 1.0}
    expected = {"o": permuted(out, (1, 3, 2, 0)), "lse": sums}
    return Case(f"{queries}x{keys}x{heads}x{batches}", {**arrays, **empty, **numbers}, expected, 0.01)


def silu_attention(length):
    """HSTU: the scores plus a bias go through x * sigmoid(x), and are not normalised. There are as many queries as keys, whole tiles of
    64: the kernel bounds the rows of the bias by its last extent and its columns not at all, so that it would read behind it."""
    queries = keys = length
    q = sample("bf16", (4, queries, 4, 128), 1, 0.25)
    k, v = (sample("bf16", (4, keys, 4, 128), seed, 0.25) for seed in (2, 3))
    width = -(-keys // 8) * 8
    bias = sample("bf16", (4, 4, queries, width), 4)

    def weights(scores, b, h, i):
        row = bias.values[((b * 4 + h) * queries + i) * width:][:keys]
        biased = [s + x for s, x in zip(scores, row)]
        return [x / (1 + math.exp(-x)) for x in biased]

    arguments = {"q": q, "k": k, "v": v, "o": Array("bf16", q.shape), "bias": bias}
    return Case(f"4x{queries}x{keys}x4", arguments, {"o": attention(q, k, v, weights)}, 0.03)


def rmsnorm(rows):
    x, w, eps = sample("bf16", (rows, 4096), 1), sample("bf16", (4096,), 2), 1e-5
    out = []
    for i in range(rows):
        row = x.values[i * 4096:][:4096]
        factor = 1 / math.sqrt(sum(v * v for v in row) / 4096 + eps)
        out += [rounded("bf16", v * factor * g) for v, g in zip(row, w.values)]
    flat = lambda a: Array("bf16", (a.size(),), a.values)
    arguments = {"x": flat(x), "w": w, "y": Array("bf16", (rows * 4096,)), "rows": rows, "eps": eps}
    return Case(f"{rows}x4096", arguments, {"y": out}, 0.01)


# Conversions


def convert(source, target, shape):
    x = sample(source, shape, 1, 4.0)
    out = [rounded(target, v) for v in x.values]
    return Case("x".join(map(str, shape)), {"x": x, "y": Array(target, shape)}, {"y": out})


def pack(shape, along, code):
    """Floats to codes of 4 bits, two to a byte along one mode, the first in the lower half."""
    x = sample("f32", shape, 1, 7.0)
    bytes_shape = tuple(n // 2 if i == along else n for i, n in enumerate(shape))
    strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
    out = []
    for at in itertools.product(*map(range, bytes_shape)):
        first = sum(strides[i] * (2 * n if i == along else n) for i, n in enumerate(at))
        low, high = code(x.values[first]), code(x.values[first + strides[along]])
        out.append(low | high << 4)
    return Case("x".join(map(str, shape)), {"x": x, "y": Array("u8", bytes_shape)}, {"y": out})


def e2m1(x):
    return nearest(E2M1, x) | (8 if math.copysign(1, x) < 0 else 0)


def int4(x):
    return int(x) & 15


# Small ones


def votes():
    """Which of 32 threads are among the first ten: the mask, any, all, and whether they agree."""
    arguments = {"mask": Array("i32", (32,)), **{name: Array("i8", (32,), "7") for name in ("any", "all", "uniform")}}
    return Case("32", arguments, {"mask": [1023] * 32, "any": [1] * 32, "all": [0] * 32, "uniform": [0] * 32})


def allocator():
    arrays = {"a": Array("f32", (8, 4)), "b": Array("f32", (8, 2)), "c": Array("f32", (16, 2))}
    return Case("fixed", arrays, {"a": [0.5] * 32, "b": [1.0] * 16, "c": [2.0] * 32})


def greeting():
    return Case("nothing", {}, {"stdout": "Hello world\n"})


MN = [(2, 1, 0), (2, 1, 0), (2, 0, 1)]
KK = [(2, 0, 1), (2, 0, 1), (2, 0, 1)]


def sizes(m, n, k, l):
    return {"m": m, "n": n, "k": k, "l": l}


# The cases of each module, by the name of its file without `.mlir`.
CASES = {
    "ampere.elementwise_add": lambda: [add(16, 128), add(37, 130), add(1, 1)],
    "ampere.elementwise_apply": lambda: [apply_add()],
    "ampere.sgemm": lambda: [sgemm(256), sgemm(512)],
    "ampere.tensorop_gemm": lambda: [gemm(128, 128, 32, 1), gemm(200, 136, 40, 2), gemm(8, 8, 8, 1)],
    "ampere.call_bypass_dlpack": lambda: [
        gemm_of_pointers(*shape, MN, sizes(*shape)) for shape in [(128, 128, 32, 1), (200, 136, 40, 2)]],
    "ampere.call_from_jit": lambda: [gemm_of_pointers(512, 256, 128, 16, KK, {})],
    "ampere.flash_attention_v2": lambda: [
        softmax_attention(1, 128, 64, 1, False), softmax_attention(2, 130, 70, 1, False)],
    "ampere.hstu_attention": lambda: [silu_attention(64), silu_attention(128)],
    "ampere.inline_ptx": lambda: [votes()],
    "ampere.smem_allocator": lambda: [allocator()],
    "ampere.dynamic_smem_size": lambda: [greeting()],
    # Each block makes several tiles. Where K has few tiles, the next tile's first values overwrite those that the TMA still stores: only
    # the ring of K tiles makes the other warps wait for the one that stores.
    "blackwell_geforce.dense_gemm": lambda: [
        gemm(64, 64, 64, 1), gemm(40, 24, 33, 1), gemm(128, 72, 384, 1), gemm(136, 64, 321, 2)],
    "blackwell.programmatic_dependent_launch": lambda: [add(16, 128), add(37, 130)],
    # A block normalises two rows. Where the last has one, the kernel reads shared memory for the other, which nobody wrote.
    "blackwell.rmsnorm": lambda: [rmsnorm(2), rmsnorm(6)],
    "blackwell.blockwise_gemm": lambda: [convert("f32", "f8E4M3FN", s) for s in [(4, 512, 1), (3, 700, 2)]],
    "blackwell.mla": lambda: [convert("f32", "f8E4M3FN", s) for s in [(4, 512, 1), (3, 704, 2)]],
    "blackwell.dense_blockscaled_gemm_persistent": lambda: [pack(s, 1, e2m1) for s in [(4, 1024, 1), (3, 1400, 2)]],
    "blackwell.grouped_mixed_input_gemm": lambda: [pack(s, 0, int4) for s in [(1024, 4, 1), (1400, 3, 2)]],
    "hopper.dense_gemm": lambda: [gemm(128, 128, 64, 1), gemm(200, 136, 328, 2), gemm(8, 8, 8, 1)],
    "hopper.dense_gemm_persistent": lambda: [gemm(128, 128, 64, 1), gemm(200, 136, 328, 2), gemm(8, 8, 8, 1)],
    # This one has no mask: keys beyond the end would count as zeros, so that there are whole tiles of 128.
    "hopper.fmha.0.dsl44": lambda: [tiled_attention(64, 128, 1, 1), tiled_attention(200, 256, 2, 2)],
    "hopper.fmha": lambda: [convert("f16", "f32", s) for s in [(4, 256, 1, 1, 1), (3, 300, 2, 2, 1)]],
}

# What a target must have that the default has not.
TARGETS = {"blackwell.dense_blockscaled_gemm_persistent": "sm_100a", "blackwell_geforce.dense_gemm": "sm_120a"}

# Kernels whose copies take their own time run in several orders.
ORDERS = ["lazy", "eager", "reverse", "1", "2"]
SCHEDULES = {name: ORDERS for name in
             ["blackwell_geforce.dense_gemm", "hopper.dense_gemm", "hopper.dense_gemm_persistent", "hopper.fmha.0.dsl44"]}


def difference(found, expected):
    """The largest difference, relative to the larger of 1 and the expected number."""
    if len(found) != len(expected):
        return math.inf
    worst = 0.0
    for x, y in zip(found, expected):
        if x != y:
            off = abs(x - y) / max(1.0, abs(y))
            worst = max(worst, math.inf if math.isnan(off) else off)
    return worst


def check(cutec, path, case, target, schedule):
    """Runs a case: whether it is right, and why not."""
    with tempfile.TemporaryDirectory() as folder:
        command = [cutec, "run", path, "--host", "--domain", "extend", "--target", target, "--schedule", schedule]
        for name, value in case.arguments.items():
            text = value.argument(name, folder) if isinstance(value, Array) else f"{name}:{value}"
            command += ["--arg", text]
        files = {name: os.path.join(folder, f"{name}.npy") for name in case.expected if name != "stdout"}
        for name, file in files.items():
            command += ["--out", f"{name}={file}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if not line.startswith("note:")]
            return False, (lines or ["no message"])[-1]
        if "stdout" in case.expected and case.expected["stdout"] not in done.stdout:
            return False, "another output"
        worst = 0.0
        for name, file in files.items():
            worst = max(worst, difference(load(file, case.arguments[name].element), case.expected[name]))
        text = "exact" if worst == 0 else f"off by {worst:.2g}"
        return worst <= case.tolerance, text


def run(cutec, path):
    """Runs the cases of a module and prints a row for each; whether all are right. A module without a reference has a row that says so."""
    name = os.path.basename(path).removesuffix(".mlir")
    target = TARGETS.get(name, "sm_90a")
    cases = CASES.get(name)
    if cases is None:
        print(f"{name}: no reference", flush=True)
        return True
    all_right = True
    for case, schedule in itertools.product(cases(), SCHEDULES.get(name, ["lazy"])):
        right, text = check(cutec, path, case, target, schedule)
        all_right &= right
        order = f" {schedule}" if name in SCHEDULES else ""
        print(f"{name} {case.text}{order}: {'right' if right else 'WRONG'}, {text}", flush=True)
    return all_right


if __name__ == "__main__":
    sys.exit(not all([run(sys.argv[1], path) for path in sys.argv[2:]]))
