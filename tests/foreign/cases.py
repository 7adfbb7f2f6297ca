"""Cases: a kernel, its launch, its arrays and what they hold afterwards. They are written as JSON for the test in Rust.

It must not know which compiler makes the PTX.
"""

import inspect
import json
import re
import types

import ml_dtypes
import numpy as np

TYPES = {
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
}


# The binary digits of a float, and the exponent of the smallest normal number, as `frexp` gives it.
DIGITS = {"bf16": (8, -125), "f8E4M3FN": (4, -5), "f8E5M2": (3, -13)}


def split_mix(seed, count):
    """The numbers that `random(SEED)` of `cutec run` begins with."""
    state = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class Array:
    """An argument that is an array: its type, its values, and how `cutec run` writes it."""

    def __init__(self, element, values, initial):
        self.element = element
        self.values = values
        # `=random(7)`, nothing for zeros, or None for a file.
        self.initial = initial

    @property
    def shape(self):
        return "x".join(map(str, self.values.shape))


def extents(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def zeros(element, *shape):
    return Array(element, np.zeros(shape, TYPES[element]), "")


def random(element, *shape, seed):
    bits = split_mix(seed, int(np.prod(shape)))
    if element.startswith(("i", "u")):
        numbers = (bits >> np.uint64(60)).astype(np.int64) - 8
    else:
        numbers = (bits >> np.uint64(11)).astype(np.float64) / 2.0**52 - 1.0
    if element == "f16":
        # The instruction that makes an f16 takes an f32.
        numbers = numbers.astype(np.float32)
    if element in DIGITS:
        # A conversion by way of f32 would round twice.
        kept, least = DIGITS[element]
        exponent = np.maximum(np.frexp(numbers)[1], least)
        numbers = np.ldexp(np.rint(np.ldexp(numbers, kept - exponent)), exponent - kept)
    return Array(element, numbers.reshape(shape).astype(TYPES[element]), f"=random({seed})")


def stored(element, values):
    return Array(element, np.asarray(values).astype(TYPES[element]), None)


class Map:
    """An argument that is a tensor map of an array."""

    def __init__(self, array, box, swizzle=None):
        self.array = array
        self.box = box
        self.swizzle = swizzle


class Case:
    """A kernel with a launch. `expected` computes arrays from those before the launch."""

    def __init__(self, kernel, arguments, grid, expected, tolerance, options):
        self.kernel = kernel
        # The kind of the finding in a broken kernel, and what marks its line.
        self.finds = None
        self.arguments = arguments
        self.grid = extents(grid)
        self.tolerance = tolerance
        self.options = options
        self.arrays = {}
        for name, value in arguments.items():
            if isinstance(value, Map):
                value = value.array
            if isinstance(value, Array):
                self.arrays[name] = value
        before = {name: array.values.copy() for name, array in self.arrays.items()}
        self.results = {} if expected is None else expected(types.SimpleNamespace(**before))

    def data(self, name, what):
        return f"data/{self.kernel}.{name}.{what}.npy"

    def text(self, name):
        """How `cutec run` gets an array."""
        array = self.arrays[name]
        if array.initial is None:
            return f"{name}:{array.element}[{array.shape}]={self.data(name, 'in')}"
        return f"{name}:{array.element}[{array.shape}]{array.initial}"

    def write_data(self, out):
        """Writes the arrays that are files: some before the launch, and what is expected after it."""
        (out / "data").mkdir(parents=True, exist_ok=True)
        for name, array in self.arrays.items():
            if array.initial is None:
                save(out / self.data(name, "in"), array.values)
        for name, values in self.results.items():
            array = self.arrays[name]
            values = np.asarray(values)
            assert values.shape == array.values.shape, (self.kernel, name, values.shape, array.values.shape)
            save(out / self.data(name, "out"), values.astype(TYPES[array.element]))

    def found(self, source):
        """Where a broken kernel has its finding: at the line of a file that ends in a comment about it."""
        if self.finds is None:
            return {}
        lines = source.read_text().splitlines()
        marks = [number for number, line in enumerate(lines, 1) if line.endswith(f" broken: {self.kernel}")]
        assert len(marks) == 1, (self.kernel, marks)
        return {"finds": {"kind": self.finds, "at": f"{source.parent.name}/{source.name}:{marks[0]}:"}}

    def described(self, file, arguments, arrays, **more):
        """What the test reads, of one file. The tolerance of an element is relative to the larger of 1 and its value."""
        return {
            "file": file,
            "grid": ",".join(map(str, self.grid)),
            **more,
            "arguments": arguments,
            "arrays": arrays,
            "expected": {name: self.data(name, "out") for name in self.results},
            "tolerance": self.tolerance,
        }


def save(path, values):
    """Writes a file; bf16 and 8-bit floats as integers of their width, which `cutec run` reads too."""
    values = np.ascontiguousarray(values)
    if values.dtype.kind == "V" or values.dtype.name.startswith(("bfloat", "float8")):
        values = values.view({1: np.uint8, 2: np.uint16}[values.dtype.itemsize])
    np.save(path, values)


def shortened(ptx, relative):
    """PTX without debug sections and comments, except for those that the reader heeds, and with other names of sources."""
    ptx = re.sub(r"\n\s*\.section\s+\S+\s*\{[^}]*\}", "\n", ptx)
    ptx = re.sub(r'(\.file\s+\d+ )"([^"]*)"[^\n]*', lambda m: f'{m[1]}"{relative(m[2])}"', ptx)
    ptx = re.sub(r"[ \t]*//(?! (?:begin|end) inline asm).*", "", ptx)
    return "\n".join(line.rstrip() for line in ptx.splitlines() if line.strip()) + "\n"


def write_json(path, described):
    lines = ",\n".join("  " + json.dumps(one) for one in described)
    path.write_text(f"[\n{lines}\n]\n")


def parameters(function):
    return list(inspect.signature(function).parameters)
