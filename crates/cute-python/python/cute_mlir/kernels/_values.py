"""Values of the IR as Python knows them: numbers, vectors, views, layouts. Their types are the dialect's."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Union

from .._algebra import ComposedLayout, Layout, Swizzle, Tile
from ._trace import Item, KernelError, Trace, Unbound, current, fail

if TYPE_CHECKING:
    from typing import Annotated as Tensor

_INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
#: Kinds of views.
VIEWS = ("memref", "coord_tensor", "smem_desc_view")


def _ops() -> Any:
    """The ops of the dialect, whose module needs this one."""
    from . import _ops as ops

    return ops


class Value:
    """A value that is known at run time only."""

    # A numpy array on the left leaves operators to this class.
    __array_ufunc__ = None

    def __init__(self, trace: Trace, item: Item) -> None:
        self._trace = trace
        self._number, self.kind, self._fixed = item
        self._named = False

    # Python must not decide on a run-time value.

    def __bool__(self) -> bool:
        fail(
            f"a run-time value ({self.kind}) decides here where Python needs true or false. `if`, `while`, `and`, `or`, `not` and "
            "`x if c else y` in a kernel or a helper take run-time values; `assert`, `any` and functions of other modules do not"
        )

    def _static(self, what: str) -> NoReturn:
        fail(f"a run-time value ({self.kind}) is in a static place: {what}")

    def __index__(self) -> int:
        self._static("Python needs the integer while it traces; use ck.range for a loop, or pass a constant")

    def __int__(self) -> int:
        self._static("int() needs a number; to convert, write ck.i32(x)")

    def __float__(self) -> float:
        self._static("float() needs a number; to convert, write ck.f32(x)")

    def __hash__(self) -> int:
        return id(self)

    def __iter__(self) -> NoReturn:
        self._static("Python cannot iterate over it; use ck.range")

    def __len__(self) -> int:
        self._static("len() needs a number; use ck.size(x)")

    def __call__(self, *_: Any) -> NoReturn:
        fail("a view is indexed with brackets: A[i, j], and A[None, j] for a part")

    # Arithmetic.

    def __add__(self, other: Any) -> Value:
        return binary("add", self, other)

    def __radd__(self, other: Any) -> Value:
        return binary("add", other, self)

    def __sub__(self, other: Any) -> Value:
        return binary("sub", self, other)

    def __rsub__(self, other: Any) -> Value:
        return binary("sub", other, self)

    def __mul__(self, other: Any) -> Value:
        return binary("mul", self, other)

    def __rmul__(self, other: Any) -> Value:
        return binary("mul", other, self)

    def __truediv__(self, other: Any) -> Value:
        if is_integer(self):
            fail("`/` divides floats; write `//` for integers, which rounds towards zero as in C++")
        return binary("div", self, other)

    def __rtruediv__(self, other: Any) -> Value:
        if is_integer(self):
            fail("`/` divides floats; write `//` for integers, which rounds towards zero as in C++")
        return binary("div", other, self)

    def __floordiv__(self, other: Any) -> Value:
        return integer_division("div", self, other)

    def __rfloordiv__(self, other: Any) -> Value:
        return integer_division("div", other, self)

    def __mod__(self, other: Any) -> Value:
        return integer_division("rem", self, other)

    def __rmod__(self, other: Any) -> Value:
        return integer_division("rem", other, self)

    def __and__(self, other: Any) -> Value:
        return binary("and", self, other)

    def __rand__(self, other: Any) -> Value:
        return binary("and", other, self)

    def __or__(self, other: Any) -> Value:
        return binary("or", self, other)

    def __ror__(self, other: Any) -> Value:
        return binary("or", other, self)

    def __xor__(self, other: Any) -> Value:
        return binary("xor", self, other)

    def __rxor__(self, other: Any) -> Value:
        return binary("xor", other, self)

    def __lshift__(self, other: Any) -> Value:
        return binary("shift_left", self, other)

    def __rshift__(self, other: Any) -> Value:
        return binary("shift_right", self, other)

    def __invert__(self) -> Value:
        return binary("xor", self, -1) if self.kind != "i1" else binary("xor", self, True)

    def __neg__(self) -> Value:
        return binary("sub", 0, self) if is_integer(self) else self._trace.op("arith.negf", [self])

    def __pos__(self) -> Value:
        return self

    def __pow__(self, _: Any) -> NoReturn:
        fail("`**` is not supported for run-time values; multiply, or use ck.exp2")

    def __eq__(self, other: object) -> Any:
        return compare("==", self, other)

    def __ne__(self, other: object) -> Any:
        return compare("!=", self, other)

    def __lt__(self, other: Any) -> Value:
        return compare("<", self, other)  # type: ignore[no-any-return]

    def __le__(self, other: Any) -> Value:
        return compare("<=", self, other)  # type: ignore[no-any-return]

    def __gt__(self, other: Any) -> Value:
        return compare(">", self, other)  # type: ignore[no-any-return]

    def __ge__(self, other: Any) -> Value:
        return compare(">=", self, other)  # type: ignore[no-any-return]

    # Views.

    def __getitem__(self, at: Any) -> Any:
        """An element of a view, or a part of it where an index is None or ``:``."""
        from ._words import element_or_part

        return element_or_part(self, at)

    def __setitem__(self, at: Any, value: Any) -> None:
        from ._words import set_element

        set_element(self, at, value)

    @property
    def layout(self) -> Any:
        """The layout of a view: a ``cm.Layout`` if it is static."""
        return algebra(_ops().get_layout(self))

    @property
    def shape(self) -> Any:
        """The shape of a view or layout: integers if it is static."""
        of = self if self.kind in ("layout", "composed_layout") else _ops().get_layout(self)
        return algebra(_ops().get_shape(of))

    @property
    def stride(self) -> Any:
        """The strides of a view or layout: integers if they are static."""
        of = self if self.kind in ("layout", "composed_layout") else _ops().get_layout(self)
        return algebra(_ops().get_stride(of))

    @property
    def iterator(self) -> Any:
        """The pointer, or the coordinate, that a view begins at."""
        return _ops().get_iter(self)

    @property
    def dtype(self) -> Dtype:
        """The type of the elements."""
        return Dtype(self._trace.session.element_of(self._number))

    @property
    def type(self) -> str:
        """The type in the IR, as text."""
        return str(self._trace.session.type_of(self._number))

    def load(self) -> Value:
        """All elements of a fragment as a vector."""
        return _ops().memref_load_vec(self)  # type: ignore[no-any-return]

    def store(self, vector: Any) -> None:
        """Stores a vector to all elements of a fragment."""
        if not isinstance(vector, Value):
            return self.fill(vector)
        _ops().memref_store_vec(vector, self)

    def fill(self, number: Any) -> None:
        """Stores a number to all elements of a fragment."""
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, int):
            self._trace.word("fill", [self], number)
        else:
            like = self.load()
            value = number if isinstance(number, Value) else constant_like(like, number)
            self.store(value if is_vector(value) else self._trace.word("broadcast", [value, like]))

    def to(self, dtype: Any) -> Value:
        """The number, or each element of the vector, as another type."""
        if not is_number(self):
            fail(f"a {self.kind} is no number: load an element, A[i, j], or a fragment, A.load()")
        return self._trace.word("convert", [self], Dtype.of(dtype).mlir)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<{self.kind} at run time>"


class Constant(Value):
    """A constant of a type, which goes with the op that has it as an operand."""

    def __init__(self, trace: Trace, kind: str, text: str) -> None:
        self._trace, self.kind, self._fixed, self._named = trace, kind, None, False
        self.text = text
        self._made: int | None = None

    @property
    def operand(self) -> int | tuple[str, str]:
        return (self.kind, self.text) if self._made is None else self._made

    @property
    def _number(self) -> int:  # type: ignore[override]
        """The number of the value, which is made where it is first needed as such."""
        if self._made is None:
            word = "float" if is_float_kind(self.kind) else "integer"
            self._made = self._trace.ask("word", word, [], [self.kind, self.text])[0][0]
        return self._made


class Atom:
    """A copy atom: how one call copies."""

    def __init__(self, *parts: object) -> None:
        self.parts = parts

    def __repr__(self) -> str:
        return f"<copy atom {' '.join(map(str, self.parts))}>"


class Dtype:
    """A type of elements. Called, it converts a number to itself."""

    def __init__(self, mlir: str) -> None:
        self.mlir = mlir

    @staticmethod
    def of(given: Any) -> Dtype:
        if isinstance(given, Dtype):
            return given
        if isinstance(given, str):
            return Dtype(_NAMES.get(given, given))
        fail(f"a type is needed, such as ck.f32 or \"f32\", not {given!r}")

    @property
    def bits(self) -> int:
        """Bits of an element."""
        digits = "".join(c for c in self.mlir.lstrip("bfi") if c.isdigit() or c == "E").split("E")[0]
        return int(digits)

    @property
    def is_float(self) -> bool:
        return not self.mlir.startswith("i")

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Value):
            return value.to(self)
        kind = "float" if self.is_float else "integer"
        if kind == "integer" and not isinstance(value, int):
            fail(f"{value!r} is not an integer, which {self.mlir} is")
        return current().word(kind, [], self.mlir, repr(float(value)) if self.is_float else int(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Dtype, str)) and Dtype.of(other).mlir == self.mlir

    def __hash__(self) -> int:
        return hash(self.mlir)

    def __repr__(self) -> str:
        return self.mlir


#: CUTLASS's and numpy's names of types.
_NAMES = {
    "e4m3": "f8E4M3FN",
    "e5m2": "f8E5M2",
    "ue8m0": "f8E8M0FNU",
    "e2m1": "f4E2M1FN",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float4_e2m1fn": "f4E2M1FN",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "int32": "i32",
    "int64": "i64",
    "int8": "i8",
    "bool": "i1",
}

if TYPE_CHECKING:

    class _Number(Value):
        mlir: str
        bits: int

        def __init__(self, value: Any) -> None: ...

    class f64(_Number): ...  # noqa: N801
    class f32(_Number): ...  # noqa: N801
    class f16(_Number): ...  # noqa: N801
    class bf16(_Number): ...  # noqa: N801
    class e4m3(_Number): ...  # noqa: N801
    class e5m2(_Number): ...  # noqa: N801
    class e2m1(_Number): ...  # noqa: N801
    class ue8m0(_Number): ...  # noqa: N801
    class i64(_Number): ...  # noqa: N801
    class i32(_Number): ...  # noqa: N801
    class i16(_Number): ...  # noqa: N801
    class i8(_Number): ...  # noqa: N801
    class i1(_Number): ...  # noqa: N801

else:
    f64, f32, f16, bf16 = Dtype("f64"), Dtype("f32"), Dtype("f16"), Dtype("bf16")
    e4m3, e5m2, e2m1, ue8m0 = Dtype("f8E4M3FN"), Dtype("f8E5M2"), Dtype("f4E2M1FN"), Dtype("f8E8M0FNU")
    i64, i32, i16, i8, i1 = Dtype("i64"), Dtype("i32"), Dtype("i16"), Dtype("i8"), Dtype("i1")

    class Tensor:
        """A parameter: a view of global memory, ``ck.Tensor[ck.f32, "(?,?):(?,1)"]``.

        It begins at a multiple of 16 bytes, or of another number, which is the third argument.
        """

        def __init__(self, dtype, layout, align):
            self.dtype, self.layout, self.align = dtype, layout, align

        def __class_getitem__(cls, given):
            if not isinstance(given, tuple) or len(given) not in (2, 3):
                raise KernelError('a tensor has a type and a layout: ck.Tensor[ck.f32, "(?,?):(?,1)"]')
            align = given[2] if len(given) == 3 else 16
            return cls(Dtype.of(given[0]), str(given[1]), align)


Static = Union[int, float, bool]


def is_integer(value: Any) -> bool:
    """Whether a value is an integer, or a vector of integers."""
    if isinstance(value, Value):
        return value.kind in _INTEGERS or (is_vector(value) and "xi" in value.kind)
    return isinstance(value, int)


def is_float_kind(kind: str) -> bool:
    """Whether a kind is a float, or a vector of floats."""
    return _shorter(kind)[:1] in "fbe"


def is_vector(value: Any) -> bool:
    return isinstance(value, Value) and value.kind.startswith("vector<")


def is_number(value: Any) -> bool:
    """Whether a value is a number or a vector at run time."""
    return isinstance(value, Value) and (value.kind in _INTEGERS or is_vector(value) or value.kind[:1] in "fb")


def wrapped(trace: Trace, made: list[Item]) -> Any:
    if not made:
        return None
    values = tuple(Value(trace, item) for item in made)
    return values[0] if len(values) == 1 else values


def operands(trace: Trace, values: Sequence[Any]) -> list[Any]:
    """Values as operands, of which Python's become constants."""
    made = [value(trace, given) for given in values]
    return [one.operand if isinstance(one, Constant) else one._number for one in made]


def value(trace: Trace, given: Any) -> Value:
    """A value of this trace."""
    if isinstance(given, Value):
        if given._trace is not trace:
            fail("a value of another kernel is used; a kernel gets values as parameters")
        return given
    if isinstance(given, Unbound):
        given.refuse()
    if isinstance(given, bool):
        return trace.word("truth", [], int(given))  # type: ignore[no-any-return]
    if isinstance(given, int):
        if not -(2**31) <= given < 2**31:
            fail(f"{given} does not fit 32 bits; write ck.i64({given})")
        return trace.word("i32", [], given)  # type: ignore[no-any-return]
    if isinstance(given, float):
        return trace.word("float", [], "f32", repr(given))  # type: ignore[no-any-return]
    if isinstance(given, (Layout, ComposedLayout, Swizzle, Tile)):
        return trace.word(_WORDS[builtins.type(given).__name__], [], given)  # type: ignore[no-any-return]
    if isinstance(given, Atom):
        return trace.word("copy_atom", [], *given.parts)  # type: ignore[no-any-return]
    if hasattr(given, "__array_interface__") or hasattr(given, "__dlpack__"):
        fail("an array is captured: a kernel gets arrays as parameters, so write one with ck.Tensor[..] and pass the array to the call")
    fail(f"a value of a kernel is needed, not {given!r} of type {builtins.type(given).__name__}")


_WORDS = {"Layout": "layout", "ComposedLayout": "composed_layout", "Swizzle": "swizzle", "Tile": "tile"}


def constant_like(like: Value, number: Any) -> Any:
    """A constant of a value's type."""
    if isinstance(number, Unbound):
        number.refuse()
    if not isinstance(number, (bool, int, float)):
        return value(like._trace, number)
    if is_integer(like):
        element = like.kind.removesuffix(">").split("x")[-1].split("<")[-1]
        bits = int(element[1:]) if element[1:].isdigit() else 64
        if not isinstance(number, float) and not -(1 << (bits - 1)) <= number < (1 << bits):
            fail(f"{number} does not fit {like.kind}")
        if isinstance(number, float):
            fail(f"{number} and an integer ({like.kind}) do not go together: convert one, as in x.to(ck.f32)")
        return Constant(like._trace, like.kind, str(int(number)))
    return Constant(like._trace, like.kind, repr(float(number)))


def _both(x: Any, y: Any, what: str) -> tuple[Value, Value]:
    """Two operands of one type."""
    for operand in (x, y):
        if isinstance(operand, Value) and not is_number(operand):
            fail(f"`{what}` is for numbers and vectors, not for a {operand.kind}: load an element, A[i, j], or a fragment, A.load()")
    if isinstance(x, Value) and not isinstance(y, Value):
        y = constant_like(x, y)
    elif isinstance(y, Value) and not isinstance(x, Value):
        x = constant_like(y, x)
    if is_vector(x) and not is_vector(y) and is_number(y):
        y = x._trace.word("broadcast", [y, x]) if x.kind.endswith(f"x{y.kind}>") else y
    elif is_vector(y) and not is_vector(x) and is_number(x):
        x = y._trace.word("broadcast", [x, y]) if y.kind.endswith(f"x{x.kind}>") else x
    if x.kind != y.kind:
        fail(f"`{what}` of {x.kind} and {y.kind}: convert one of them, as in x.to(ck.{_shorter(y.kind)})")
    return x, y


def _shorter(kind: str) -> str:
    element = kind.removeprefix("vector<").removesuffix(">").split("x")[-1]
    return {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}.get(element, element)


_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "and": "&", "or": "|", "xor": "^",
    "shift_left": "<<", "shift_right": ">>", "min": "min", "max": "max", "div_unsigned": "//", "rem_unsigned": "%",
}


def binary(word: str, x: Any, y: Any) -> Value:
    x, y = _both(x, y, _SIGNS[word])
    return x._trace.word(word, [x, y])  # type: ignore[no-any-return]


def integer_division(word: str, x: Any, y: Any) -> Value:
    if not (is_integer(x) and is_integer(y)):
        fail("`//` and `%` are for integers; `/` divides floats")
    return binary(word, x, y)


def compare(sign: str, x: Any, y: Any) -> Any:
    if y is None or isinstance(y, (str, tuple, list)):
        return sign == "!="
    if not is_number(x) and isinstance(x, Value):
        fail(f"`{sign}` compares numbers, not a {x.kind}")
    x, y = _both(x, y, sign)
    return x._trace.word("compare", [x, y], sign)


def algebra(made: Value) -> Any:
    """A layout, shape or integer of Python if the value is static, and a number for one integer."""
    if made._fixed is None:
        return made
    if made.kind == "layout":
        return Layout(made._fixed)
    return _tuple(made._fixed)


def _tuple(text: str) -> Any:
    return eval(text.replace(")", ",)").replace("(,)", "()"), {"__builtins__": {}})


def spelled(given: Any, leaves: list[Any]) -> str:
    """The text of a tuple, whose run-time integers are ``?`` and are appended to ``leaves``."""
    if isinstance(given, bool):
        fail(f"{given} is not an index")
    if isinstance(given, int):
        return str(given)
    if given is None or (isinstance(given, slice) and given == slice(None)):
        return "_"
    if isinstance(given, (tuple, list)):
        return "(" + ",".join(spelled(mode, leaves) for mode in given) + ")"
    if isinstance(given, Unbound):
        given.refuse()
    if isinstance(given, Value):
        if given.kind == "index":
            given = given.to(i32)
        if given.kind not in ("i32", "i64", "i1", "i8", "i16") and not given.kind.startswith("int_tuple"):
            fail(f"an index is an integer, None or a tuple of them, not a {given.kind}")
        leaves.append(given)
        return "?{i64}" if given.kind == "i64" else "?"
    if isinstance(given, slice):
        fail("a part of a view is a whole mode, `:` or None; for a part of a mode, use ck.local_tile")
    fail(f"an index is an integer, None or a tuple of them, not {given!r}")
