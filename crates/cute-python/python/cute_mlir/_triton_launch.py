"""A launch of a kernel that Triton compiled, in the simulator."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ._algebra import tensor_map
from ._arguments import address
from ._native import Program
from ._simulate import Report, simulate

__all__ = ["Code", "encoded", "launch", "not_encoded"]

#: ``CUtensorMapDataType`` in CUDA's cuda.h, by number.
_ELEMENTS = ("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32", "tf32")
#: ``CUtensorMapSwizzle`` there.
_SWIZZLES = ("none", "32B", "64B", "128B")


class Code:
    """A kernel that Triton has compiled: its PTX, and what Triton writes down about it."""

    def __init__(self, ptx: str, source: Any, metadata: Any) -> None:
        self.ptx, self.source, self.metadata = ptx, source, metadata
        self._program: tuple[list[str], Program] | None = None

    def program(self, parameters: list[str]) -> Program:
        """The program, whose parameters have these names."""
        if self._program is None or self._program[0] != parameters:
            name = f"{self.source.name}.ptx"
            own = Program.from_ptx(self.ptx, name=name, parameters=(self.metadata.name, parameters))
            self._program = (parameters, own)
        return self._program[1]


class _Bytes:
    """Memory at an address, as arrays of numpy show theirs."""

    def __init__(self, owner: Any, address: int, size: int, element: str, itemsize: int) -> None:
        if size % itemsize:
            element, itemsize = "uint8", 1
        self.owner, self.dtype = owner, types.SimpleNamespace(name=element)
        self.__array_interface__ = {
            "shape": (size // itemsize,), "typestr": "|u1", "data": (address, False), "strides": None, "version": 3,
        }  # fmt: skip


class _Tensor:
    """An argument that has an address, and the memory that it lies in."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value, self.address = name, value, value.data_ptr()
        base = value
        # triton.reinterpret wraps a tensor.
        while not hasattr(base, "untyped_storage") and hasattr(base, "base") and hasattr(base.base, "data_ptr"):
            base = base.base
        self.base = base
        if hasattr(base, "untyped_storage"):
            storage = base.untyped_storage()
            self.start, self.size = storage.data_ptr(), storage.nbytes()
        else:
            self.start, self.size = self.address, 0

    def element(self) -> tuple[str, int]:
        """The type of its elements, and their size; bytes if the simulator has no such type."""
        name = str(self.base.dtype).rsplit(".", 1)[-1]
        size = int(self.base.dtype.itemsize)
        return (name, size) if name in _KNOWN else ("uint8", 1)


_KNOWN = frozenset(
    "float16 bfloat16 float32 float64 float8_e4m3fn float8_e5m2 float8_e8m0fnu int8 int16 int32 int64 uint8 uint16 "
    "uint32 uint64".split()
)


class _Memory:
    """The arrays of a launch. Tensors that lie in one allocation are addresses in it."""

    def __init__(self, tensors: Iterable[_Tensor]) -> None:
        self.arrays: dict[str, Any] = {}
        self._whole: dict[int, Any] = {}
        self._within: dict[int, str] = {}
        groups: dict[int, list[_Tensor]] = {}
        for tensor in tensors:
            if tensor.size:
                groups.setdefault(tensor.start, []).append(tensor)
        for start, group in groups.items():
            first = group[0]
            own = _Bytes(first.base, start, first.size, *first.element())
            if all(tensor.address == start for tensor in group):
                self._whole[start] = own
            else:
                name = first.name if len(group) == 1 else f"the memory of {', '.join(t.name for t in group)}"
                self._within[start] = name
                self.arrays[name] = own

    def pointer(self, tensor: _Tensor) -> Any:
        """What stands for a pointer in a launch."""
        if hasattr(tensor.value, "simulated"):
            return tensor.value.simulated()
        if not tensor.size:
            return None
        if tensor.start in self._whole:
            return self._whole[tensor.start]
        return address(self._within[tensor.start], tensor.address - tensor.start)

    def map_of(self, tensor: _Tensor, description: _Map) -> Any:
        """A tensor map; its array begins where the descriptor says."""
        if hasattr(tensor.value, "simulated"):
            array = tensor.value.simulated()
        elif tensor.address == tensor.start:
            array = self._whole.get(tensor.start) or self.arrays[self._within[tensor.start]]
        else:
            size = tensor.start + tensor.size - tensor.address
            array = _Bytes(tensor.base, tensor.address, size, *tensor.element())
        return description.of(array)


class _Map:
    """What Triton gives to ``cuTensorMapEncodeTiled``."""

    def __init__(
        self, swizzle: int, size: int, element: int, box: list[int], shape: list[int], strides: list[int], padding: int
    ) -> None:
        if element >= len(_ELEMENTS):
            raise TypeError(f"a tensor descriptor with elements of type {element} of CUDA is not supported")
        self.element, self.swizzle, self.fill = _ELEMENTS[element], _SWIZZLES[swizzle], "nan" if padding else "zero"
        self.box = [int(extent) for extent in reversed(box)]
        self.shape = [int(extent) for extent in reversed(shape)]
        self.strides = [int(stride) * size for stride in reversed(strides)][1:]

    def of(self, array: Any) -> Any:
        """The map of an array."""
        return tensor_map(
            array, self.box, swizzle=self.swizzle, element=self.element, fill=self.fill, shape=self.shape,
            strides=self.strides,
        )  # fmt: skip


def encoded(
    _: int, swizzle: int, size: int, element: int, box: list[int], shape: list[int], strides: list[int], padding: int
) -> _Map:
    """Stands for the function of Triton's driver that encodes a tensor map."""
    return _Map(swizzle, size, element, box, shape, strides, padding)


def not_encoded(*_: Any) -> _Map:
    """Stands for the function of Triton's driver that encodes a map of images."""
    raise TypeError("tensor descriptors of images (im2col) are not supported")


def _descriptor(value: Any, meta: Any) -> list[Any]:
    """The arguments that a tensor descriptor becomes, by the function of this version of Triton."""
    from triton.backends.nvidia import driver  # type: ignore[import-not-found, import-untyped, unused-ignore]

    made = driver.make_tensordesc_arg
    parameters = len(inspect.signature(made).parameters)
    return list(made(value, meta, None) if parameters == 3 else made(value, meta))


def _flat(signature: Mapping[str, Any], values: Iterable[Any], metas: Iterator[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Names, types and values of the parameters that PTX has: tuples and descriptors have several each."""

    def visit(name: str, kind: Any, value: Any) -> Iterator[tuple[str, Any, Any]]:
        if isinstance(kind, (tuple, list)):
            for number, (own, item) in enumerate(zip(kind, value)):
                yield from visit(f"{name}[{number}]", own, item)
        elif kind.startswith("tensordesc"):
            first, *others = _descriptor(value, next(metas, None))
            rank = len(value.shape)
            if isinstance(first, _Map):
                yield name, "map", (first, value.base)
                words = [("shape", n, "i32") for n in range(rank)] + [("strides", n, "i64") for n in range(rank)]
            else:
                yield f"{name}.base", "*", first
                plain = [(what, n, "i64") for what in ("shape", "strides") for n in range(rank)]
                flags = [("flag", n, "i1") for n in range(len(others) - 4 * rank)]
                words = plain + flags + [("shape", n, "i32") for n in range(rank)] + plain[rank:]
            yield from ((f"{name}.{what}[{n}]", own, item) for (what, n, own), item in zip(words, others))
        elif kind != "constexpr":
            yield name, kind, value

    for (name, kind), value in zip(signature.items(), values):
        yield from visit(name, kind, value)


def launch(
    code: Code, grid: tuple[int, int, int], values: Iterable[Any], scratch: Mapping[str, Any], options: Mapping[str, Any]
) -> Report:
    """Simulates one launch. ``scratch`` has memory that a launch allocates, by its name in the metadata."""
    metadata = code.metadata
    metas = iter(getattr(metadata, "tensordesc_meta", None) or ())
    flat = list(_flat(code.source.signature, values, metas))
    tensors = {}
    for name, kind, value in flat:
        base = value[1] if kind == "map" else value if kind.startswith("*") else None
        if base is not None and hasattr(base, "data_ptr"):
            tensors[name] = _Tensor(name, base)
    known = _Memory(tensors.values())
    passed: list[Any] = []
    for name, kind, value in flat:
        if kind == "map":
            passed.append(known.map_of(tensors[name], value[0]))
        elif name in tensors:
            passed.append(known.pointer(tensors[name]))
        else:
            passed.append(bool(value) if kind == "i1" else value)
    passed += scratch.values()
    ctas = getattr(metadata, "num_ctas", 1)
    return simulate(
        code.program([name for name, _, _ in flat]),
        [grid[0] * ctas, *grid[1:]],
        passed,
        name=metadata.name,
        block=32 * metadata.num_warps,
        cluster=ctas if ctas > 1 else None,
        shared=metadata.shared,
        cooperative=bool(getattr(metadata, "launch_cooperative_grid", False)),
        **{"arrays": known.arrays, **options},
    )
