"""Writes what ml_dtypes makes of narrow floats: the table that `ml_dtypes.rs` reads.

    python crates/cute-machine/tests/ml_dtypes.py > crates/cute-machine/tests/ml_dtypes.txt

A line `codes e4m3` has the number of each code, as the bits of an f32. A line `numbers e4m3` has numbers and their codes: each
number of the format, the middle to the next one and the numbers beside that, what lies beyond the largest, and both signs.
"""

import sys

# This file has the name of the package.
sys.path.pop(0)

import ml_dtypes
import numpy as np

FORMATS = {
    "e4m3": (ml_dtypes.float8_e4m3fn, 8),
    "e5m2": (ml_dtypes.float8_e5m2, 8),
    "e2m3": (ml_dtypes.float6_e2m3fn, 6),
    "e3m2": (ml_dtypes.float6_e3m2fn, 6),
    "e2m1": (ml_dtypes.float4_e2m1fn, 4),
    "ue8m0": (ml_dtypes.float8_e8m0fnu, 8),
}


def bits(values):
    return [f"{word:x}" for word in np.asarray(values, np.float32).view(np.uint32)]


def numbers(values):
    """Numbers that rounding is about."""
    positive = np.unique(values[np.isfinite(values) & (values >= 0)])
    after = np.float32(2) * positive[-1] - positive[-2]
    middles = (positive + np.append(positive[1:], after)) / np.float32(2)
    beside = [np.nextafter(middles, np.float32(0)), np.nextafter(middles, np.float32(np.inf))]
    beyond = np.array([after, 1e30, np.inf, 1e-45], np.float32)
    all_positive = np.concatenate([positive, middles, *beside, beyond])
    return np.concatenate([all_positive, -all_positive])


for name, (dtype, width) in FORMATS.items():
    values = np.arange(1 << width, dtype=np.uint8).view(dtype).astype(np.float32)
    print("codes", name, *bits(values))
    # PTX does not round to the nearest scale.
    if name != "ue8m0":
        inputs = numbers(values)
        codes = inputs.astype(dtype).view(np.uint8)
        print("numbers", name, *(f"{number}:{code:x}" for number, code in zip(bits(inputs), codes)))
