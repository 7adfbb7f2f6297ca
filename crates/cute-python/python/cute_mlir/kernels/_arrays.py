"""Arguments of kernels in Python: what is wrong with one is said by its parameter, in the words of its annotation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ._values import Dtype

#: numpy's names of types.
_NUMPY = {
    "f64": "np.float64", "f32": "np.float32", "f16": "np.float16", "bf16": "ml_dtypes.bfloat16", "i64": "np.int64", "i32": "np.int32",
    "i16": "np.int16", "i8": "np.int8", "i1": "np.bool_", "f8E4M3FN": "ml_dtypes.float8_e4m3fn", "f8E5M2": "ml_dtypes.float8_e5m2",
}
_TYPES = r"argument (?P<array>\S+): parameter '(?P<name>\w+)' has elements of type (?P<wanted>\w+), but the array has (?P<found>\w+)$"
_MODES = r"argument \S+: (?=parameter ')"
_STRIDE = "has the stride"


def is_array(given: Any) -> bool:
    """Whether an object is an array, on the host or on a device."""
    return any(hasattr(given, name) for name in ("__array_interface__", "__dlpack__", "__cuda_array_interface__"))


def _is_number(given: Any) -> bool:
    if isinstance(given, (bool, int, float)):
        return True
    # A scalar of numpy has an interface of arrays without extents.
    return getattr(given, "shape", None) == () or (hasattr(given, "__index__") or hasattr(given, "__float__")) and not is_array(given)


class Arguments:
    """The parameters of a kernel or host function, by their annotations."""

    def __init__(self, function: str, declared: Sequence[tuple[Any, ...]]) -> None:
        self.function = function
        #: The names, and the words for each type.
        self.names = [str(one[0]) for one in declared]
        self.words = {str(one[0]): _words(one) for one in declared}
        self.tensors = {str(one[0]): one for one in declared if len(one) == 4}
        self.numbers = {str(one[0]): str(one[1]) for one in declared if len(one) == 2}

    def check(self, args: Sequence[Any]) -> None:
        """Refuses a number for an array, and the reverse."""
        for name, given in zip(self.names, args):
            if isinstance(given, str):
                # A text such as "f32[32]=random(1)" is an array or a number.
                continue
            if name in self.tensors and not is_array(given):
                hint = f"; make it one, as in np.array(.., {_NUMPY.get(self.tensors[name][1], 'dtype')})" if isinstance(given, (list, tuple)) else ""
                raise TypeError(f"parameter '{name}' of '{self.function}' is an array, {self.words[name]}, but got {_shown(given)}{hint}")
            if name in self.numbers and not self.numbers[name].startswith("!") and not _is_number(given):
                raise TypeError(f"parameter '{name}' of '{self.function}' is a number, {self.words[name]}, but got {_shown(given)}")

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Errors about arguments name parameters as the kernel does."""
        try:
            yield
        except (TypeError, ValueError) as error:
            text = str(error)
            said = self._said(text)
            if said == text:
                raise
            again = type(error)(said)
            if (rule := getattr(error, "rule", None)) is not None:
                setattr(again, "rule", rule)  # noqa: B010
        else:
            return
        raise again from None

    def _said(self, text: str) -> str:
        types = re.match(_TYPES, text)
        if types:
            array, name, wanted, found = types.groups()
            to = _NUMPY.get(self.tensors[name][1], wanted) if name in self.tensors else wanted
            what = f"has elements of {wanted}, but the array {array} has {found}"
            return f"parameter '{name}' of '{self.function}' {what}: convert it, as in {name}.astype({to})"
        # Of several names, the longest text of a type first: one may begin another.
        text = re.sub(f"^{_MODES}", "", text)
        text = re.sub(r"!cute\.memref<(?:[^<>]|<[^<>]*>)*>", lambda found: self._tensor(text, found.group()), text)
        if _STRIDE in text:
            text += "; pass a contiguous copy, as in np.ascontiguousarray(x), or let the annotation have this stride"
        return re.sub(r"\bargument (\d+)\b", self._parameter, text)

    def _tensor(self, text: str, of_mlir: str) -> str:
        named = re.search(r"parameter '(\w+)' is", text)
        return self.words[named.group(1)] if named and named.group(1) in self.tensors else of_mlir

    def _parameter(self, number: re.Match[str]) -> str:
        at = int(number.group(1)) - 1
        return f"parameter '{self.names[at]}'" if at < len(self.names) else number.group()


def _words(declared: tuple[Any, ...]) -> str:
    """The annotation of a parameter."""
    if len(declared) == 4:
        _, element, align, layout = declared
        return f'ck.Tensor[ck.{_short(element)}, "{layout}"{"" if align == 16 else f", {align}"}]'
    return f"ck.{_short(declared[1])}"


def _short(mlir: str) -> str:
    return {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}.get(Dtype.of(mlir).mlir, mlir)


def _shown(given: Any) -> str:
    """An object in a message."""
    if is_array(given):
        kind = getattr(getattr(given, "dtype", None), "name", None) or type(given).__name__
        shape = getattr(given, "shape", ())
        return f"an array of {kind} with the shape {tuple(shape)}"
    text = repr(given)
    return f"{text if len(text) <= 40 else text[:37] + '...'} of type {type(given).__name__}"
