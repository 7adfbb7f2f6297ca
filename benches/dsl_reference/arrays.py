"""Element types, arrays of them and their files, and the cases that are run with them."""

import ast
import math
import os
import random
import struct

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
    """An array. `values` is a list of numbers in row-major order, or what `--arg` takes after `=`. `order` has the modes from the slowest
    in memory to the fastest, if this is not their order in the shape."""

    def __init__(self, element, shape, values="0", order=None):
        self.element, self.shape, self.values, self.order = element, tuple(shape), values, order

    def size(self):
        return math.prod(self.shape)

    def argument(self, name, folder):
        extents = "x".join(map(str, self.shape))
        if self.order:
            strides = {mode: math.prod(self.shape[i] for i in self.order[at + 1:]) for at, mode in enumerate(self.order)}
            extents += ",strides=" + "x".join(str(strides[mode]) for mode in range(len(self.shape)))
        text = f"{name}:{self.element}[{extents}]"
        if isinstance(self.values, str):
            return f"{text}={self.values}"
        file = os.path.join(folder, f"{name}.in.npy")
        save(file, self)
        return f"{text}={file}"


class Repeated:
    """The values of a block of numbers again and again: an array too large for a list."""

    def __init__(self, block, size):
        self.block, self.size = block, size

    def __getitem__(self, i):
        return self.block[i % len(self.block)]

    def pack(self, code):
        one = struct.pack(f"<{len(self.block)}{code}", *self.block)
        return (one * (self.size // len(self.block) + 1))[:self.size * struct.calcsize(code)]


def save(file, array):
    code, name = CODES[array.element]
    values = [bf16_of(v) for v in array.values] if array.element == "bf16" else array.values
    header = repr({"descr": name, "fortran_order": False, "shape": array.shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(file, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        is_list = isinstance(values, list)
        out.write(struct.pack(f"<{len(values)}{code}", *values) if is_list else values.pack(code))


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
    """A run: arguments in order (arrays, numbers), what the arrays must hold, how far off they may be (relative to the
    larger of 1 and the number), and arrays that only addresses lead to."""

    def __init__(self, text, arguments, expected, tolerance=0.0, memory=()):
        self.text, self.arguments, self.expected, self.tolerance = text, arguments, expected, tolerance
        self.memory = dict(memory)
