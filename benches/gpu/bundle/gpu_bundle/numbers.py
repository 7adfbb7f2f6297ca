"""Inputs by seed, and numbers of the types that numpy lacks, as their bits."""

from __future__ import annotations

import numpy as np

#: The type of numpy that holds the bits of an element type.
STORAGE = {
    "float16": np.float16,
    "bfloat16": np.uint16,
    "float32": np.float32,
    "float64": np.float64,
    "float8_e4m3fn": np.uint8,
    "float8_e5m2": np.uint8,
    "float8_e8m0fnu": np.uint8,
    "int8": np.int8,
    "uint8": np.uint8,
    "int16": np.int16,
    "uint16": np.uint16,
    "int32": np.int32,
    "uint32": np.uint32,
    "int64": np.int64,
    "uint64": np.uint64,
}

#: Bits of exponent and of fraction.
_FLOATS = {"bfloat16": (8, 7), "float8_e4m3fn": (4, 3), "float8_e5m2": (5, 2)}


def mixed(count: int, seed: int) -> np.ndarray:
    """`count` words of 64 bits: splitmix64, which is the same in every version of numpy."""
    with np.errstate(over="ignore"):
        x = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x += np.uint64(seed) * np.uint64(0xD1B54A32D192ED03)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def whole(shape: tuple[int, ...], seed: int, most: int = 3) -> np.ndarray:
    """Whole numbers from -most to most as f32. Their sums of products are exact in f32."""
    count = int(np.prod(shape))
    steps = mixed(count, seed) % np.uint64(2 * most + 1)
    return (steps.astype(np.int64) - most).astype(np.float32).reshape(shape)


def spread(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Multiples of 2^-11 in [-1, 1) as f32: f16 and f32 hold them exactly."""
    count = int(np.prod(shape))
    steps = mixed(count, seed) >> np.uint64(52)
    return ((steps.astype(np.float32) - 2048) / 2048).reshape(shape)


def encode(values: np.ndarray, element: str) -> np.ndarray:
    """f32 values in the storage of an element type, rounded to nearest, ties to even."""
    storage = STORAGE[element]
    if element not in _FLOATS:
        return values.astype(storage)
    exponent, fraction = _FLOATS[element]
    bias, lowest = 2 ** (exponent - 1) - 1, 2 - 2 ** (exponent - 1)
    sign = np.signbit(values).astype(np.int64)
    size = np.abs(values.astype(np.float64))
    scale = np.maximum(np.floor(np.log2(np.where(size > 0, size, 1))), lowest)
    steps = np.rint(size / 2.0 ** (scale - fraction)).astype(np.int64)
    # A size that rounds up to the next power of two carries into the exponent by itself.
    bits = np.where(steps < 2**fraction, steps, steps + ((scale + bias - 1).astype(np.int64) << fraction))
    return ((sign << (exponent + fraction)) | bits).astype(storage)


def decode(bits: np.ndarray, element: str) -> np.ndarray:
    """The values of stored bits, as f64."""
    if element not in _FLOATS:
        return bits.astype(np.float64)
    exponent, fraction = _FLOATS[element]
    raw = bits.astype(np.int64)
    field = (raw >> fraction) & (2**exponent - 1)
    part = raw & (2**fraction - 1)
    bias = 2 ** (exponent - 1) - 1
    size = np.where(field == 0, part * 2.0 ** (1 - bias - fraction), (part + 2**fraction) * 2.0 ** (field - bias - fraction))
    top = field == 2**exponent - 1
    if element == "float8_e4m3fn":
        size = np.where(top & (part == 2**fraction - 1), np.nan, size)
    else:
        size = np.where(top, np.where(part == 0, np.inf, np.nan), size)
    return np.where(raw >> (exponent + fraction) & 1, -size, size)


def units(found: np.ndarray, wanted: np.ndarray, element: str) -> np.ndarray:
    """The distance in units in the last place of the element type: of integers, their difference."""
    if np.issubdtype(STORAGE[element], np.integer) and element not in _FLOATS:
        return np.abs(found.astype(np.float64) - wanted.astype(np.float64))
    return np.abs(_ordered(found) - _ordered(wanted))


def _ordered(stored: np.ndarray) -> np.ndarray:
    """Integers in the order of the floats, so that neighbours differ by 1."""
    size = stored.dtype.itemsize
    raw = np.ascontiguousarray(stored).view(f"u{size}").astype(np.int64 if size < 8 else object)
    top = 1 << (8 * size - 1)
    return np.where(raw >= top, top - raw, raw).astype(np.float64)
