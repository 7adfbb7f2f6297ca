"""A stand-in for torch with numpy behind it: only what these tests need. It is not torch."""

import builtins
import types

import numpy as np

__version__ = "stand-in"


class dtype:  # noqa: N801 - the name is torch's
    """A type of elements."""

    def __init__(self, name):
        self.name, self.itemsize = name, np.dtype(name).itemsize
        self.is_floating_point = name.startswith("float")

    def __repr__(self):
        return f"torch.{self.name}"


float16, float32, int32 = dtype("float16"), dtype("float32"), dtype("int32")
_TYPES = {one.name: one for one in (float16, float32, int32)}


class device:  # noqa: N801 - the name is torch's
    """A device."""

    def __init__(self, type, index=None):
        self.type, _, number = str(type).partition(":")
        self.index = int(number) if number else index

    def __eq__(self, other):
        return self.type == device(other).type if isinstance(other, str) else self.type == other.type

    def __str__(self):
        return self.type


class Tensor:
    """An array of numpy with torch's names."""

    def __init__(self, array, where=None):
        self.array, self.device = np.asarray(array), where or device("cuda", 0)
        self.dtype, self.shape = _TYPES[self.array.dtype.name], self.array.shape

    def data_ptr(self):
        return self.array.__array_interface__["data"][0]

    def untyped_storage(self):
        base = self.array
        while isinstance(base.base, np.ndarray):
            base = base.base
        at = base.__array_interface__["data"][0]
        return types.SimpleNamespace(data_ptr=lambda: at, nbytes=lambda: base.nbytes)

    def stride(self, axis=None):
        strides = tuple(stride // self.dtype.itemsize for stride in self.array.strides)
        return strides if axis is None else strides[axis]

    def numel(self):
        return self.array.size

    def zero_(self):
        self.array[...] = 0
        return self

    def numpy(self):
        return self.array

    def __getitem__(self, at):
        return Tensor(self.array[at], self.device)

    def __add__(self, other):
        return Tensor(self.array + other.array, self.device)

    def __matmul__(self, other):
        return Tensor((self.array.astype("f4") @ other.array.astype("f4")).astype(self.dtype.name), self.device)


def _made(array, of, where):
    return Tensor(array.astype((of or float32).name), device(str(where)) if where is not None else None)


_RANDOM = [np.random.default_rng(0)]


def manual_seed(seed):
    _RANDOM[0] = np.random.default_rng(seed)


def rand(*shape, device=None, dtype=None):
    return _made(_RANDOM[0].random(shape), dtype, device)


def zeros(*shape, device=None, dtype=None):
    return _made(np.zeros(shape), dtype, device)


empty = zeros


def empty_like(other):
    return Tensor(np.zeros_like(other.array), other.device)


def allclose(a, b, atol=1e-8, rtol=1e-5):
    return builtins.bool(np.allclose(a.array, b.array, atol=atol, rtol=rtol))


def _nothing(*_, **__):
    raise RuntimeError("this machine has no GPU")


cuda = types.SimpleNamespace(
    **dict.fromkeys(("current_device", "device_count", "get_device_capability", "synchronize", "Stream"), _nothing),
    is_available=lambda: False,
)
