"""The published rule for the bits of the tensor cores of compute capability 9.0, in exact integers.

A window adds products and C at one exponent: each is cut toward zero to a multiple of the same power of two, the
integers are added, and the sum is rounded once.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Float(NamedTuple):
    """The parts of a float: its significand times 2^(raw - fraction), or what is not finite."""

    sign: int
    significand: int
    raw: int
    fraction: int
    special: str = ""


#: Bits of exponent and fraction.
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "f32": (8, 23), "e4m3": (4, 3), "e5m2": (5, 2)}

_NAN = {"f32": 0x7FFF_FFFF, "f16": 0x7FFF}
_INFINITY = {"f32": 0x7F80_0000, "f16": 0x7C00}


def parts(value: int, element: str) -> Float:
    """A float by its bits. A subnormal keeps the exponent of the least normal number."""
    if element == "tf32":
        value >>= 13
    exponent, fraction = FORMATS[element]
    bias, top = 2 ** (exponent - 1) - 1, 2**exponent - 1
    sign, field, low = value >> (exponent + fraction), value >> fraction & top, value & (2**fraction - 1)
    if field == top and element != "e4m3":
        return Float(sign, 0, 0, fraction, "nan" if low else "inf")
    if element == "e4m3" and field == top and low == 7:
        return Float(sign, 0, 0, fraction, "nan")
    return Float(sign, low if field == 0 else low | 1 << fraction, max(field, 1) - bias, fraction)


def as_f16(value: Float) -> Float:
    """A float of 8 bits as a float of 16 bits, of which fewer are subnormal."""
    if value.special or value.significand == 0:
        return value
    shift = min(value.fraction + 1 - value.significand.bit_length(), value.raw + 14)
    return value._replace(significand=value.significand << shift, raw=value.raw - shift)


class Rule(NamedTuple):
    """A window's bits below the largest exponent, the bits of a result in f32, and the least exponent."""

    below: int
    kept: int
    least: int


def window(pairs: list[tuple[Float, Float]], c: int, out: str, rule: Rule) -> int:
    """The sum of products and C, cut to a common exponent and rounded once, as bits of `out`."""
    added = parts(c, out)
    infinities = {added.sign} if added.special == "inf" else set()
    is_nan = added.special == "nan"
    terms = [(added.sign, added.significand, added.raw, added.raw - added.fraction)]
    for a, b in pairs:
        sign = a.sign ^ b.sign
        if a.special or b.special:
            zero = (not a.special and a.significand == 0) or (not b.special and b.significand == 0)
            is_nan |= zero or "nan" in (a.special, b.special)
            infinities |= {sign}
            continue
        raw = a.raw + b.raw
        terms.append((sign, a.significand * b.significand, raw, raw - a.fraction - b.fraction))
    top = _INFINITY[out]
    sign_bit = 0x8000_0000 if out == "f32" else 0x8000
    if is_nan or len(infinities) == 2:
        return _NAN[out]
    if infinities:
        return top | sign_bit * infinities.pop()
    exponents = [raw for _, significand, raw, _ in terms if significand]
    if not exponents:
        return 0
    last = max(max(exponents), rule.least) - rule.below
    units = 0
    for sign, significand, _, low in terms:
        cut = significand << (low - last) if low >= last else significand >> (last - low)
        units += -cut if sign else cut
    if units == 0:
        return 0
    if out == "f32":
        found = cut_f32(abs(units), last, rule.kept)
    else:
        found = nearest(abs(units) * Fraction(2) ** last, out)
    return found | sign_bit if units < 0 and found else found


def cut_f32(units: int, last: int, kept: int) -> int:
    """units * 2^last toward zero, with `kept` bits of fraction."""
    exponent = max(units.bit_length() - 1 + last, -126)
    step = exponent - kept
    kept_units = units << (last - step) if last >= step else units >> (step - last)
    # In units of the last bit of an f32 with this exponent.
    kept_units <<= 23 - kept
    if exponent > 127:
        return _INFINITY["f32"]
    return kept_units + ((exponent + 126) << 23) if kept_units >> 23 else kept_units


def nearest(value: Fraction, element: str) -> int:
    """A positive number rounded to nearest, ties to even, as bits."""
    exponent, fraction = FORMATS[element]
    bias = 2 ** (exponent - 1) - 1
    scale = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** scale:
        scale -= 1
    scale = max(scale, 1 - bias)
    units = round(value / Fraction(2) ** (scale - fraction))
    found = units + ((scale + bias - 1) << fraction)
    return min(found, (2**exponent - 1) << fraction)


def value_of(bits: int, element: str) -> Fraction:
    """A finite number by its bits."""
    part = parts(bits, element)
    return (-1) ** part.sign * part.significand * Fraction(2) ** (part.raw - part.fraction)


def rounded(value: Fraction, element: str) -> int:
    """A number rounded to nearest, ties to even, as bits."""
    return nearest(abs(value), element) | (value < 0) << sum(FORMATS[element]) if value else 0


def by_fma(out: str, a: list[int], b: list[int], c: int) -> int:
    """D of mma.m8n8k4 with finite f16, which devices since 8.0 compute by FFMA, as ptxas shows. Zeros are +0."""
    pairs = [value_of(x, "f16") * value_of(y, "f16") for x, y in zip(a, b)]
    runs = [pairs] if out == "f32" else [pairs[:2], pairs[2:]]
    total = value_of(c, out)
    for run in runs:
        found = Fraction(0)
        for product in run:
            found = value_of(rounded(found + product, "f32"), "f32")
        total = value_of(rounded(total + found, "f32"), "f32")
    return rounded(total, out)


def added(c: int, t: int, out: str) -> int:
    """C + t as FADD or HADD2 adds them."""
    terms = [parts(c, out), parts(t, out)]
    specials = [term for term in terms if term.special]
    if not specials:
        both_negative = terms[0].sign and terms[1].sign
        return rounded(value_of(c, out) + value_of(t, out), out) or both_negative << sum(FORMATS[out])
    if any(term.special == "nan" for term in specials) or len({term.sign for term in specials}) == 2:
        return _NAN[out]
    return _INFINITY[out] | specials[0].sign << sum(FORMATS[out])


def multiplied(instruction: str, types: tuple[str, str, str], a: list[int], b: list[int], c: int) -> int:
    """D of a device of compute capability 9.0 for one dot product of floats; `types` are those of A, B and D."""
    of_a, of_b, out = types
    pairs = [(parts(x, of_a), parts(y, of_b)) for x, y in zip(a, b)]
    fine = Rule(25, 23, -133 if out == "f32" else -21)
    if not of_a.startswith("e"):
        return window(pairs, c, out, fine)
    if instruction == "wgmma":
        return window(pairs, c, out, Rule(13, 13, -133 if out == "f32" else -21))
    # mma converts them to f16, and multiplies in two steps: C is added at the end.
    pairs = [(as_f16(x), as_f16(y)) for x, y in pairs]
    half = window([pair for k, pair in enumerate(pairs) if k % 4 < 2], 0, out, fine)
    return added(c, window([pair for k, pair in enumerate(pairs) if k % 4 >= 2], half, out, fine), out)
