"""What the kernels are timed beside: cuBLASLt and SDPA through PyTorch, or recorded times."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from . import cuda


class _Bytes:
    """The bytes of an array, for PyTorch, which then views them as its own type."""

    def __init__(self, array: cuda.Array) -> None:
        self._array = array
        self.__cuda_array_interface__ = {
            "shape": (array.size,),
            "typestr": "|u1",
            "data": (array.address, False),
            "version": 3,
            "strides": None,
        }


class Absent:
    """No baseline, and the reason."""

    def __init__(self, why: str) -> None:
        self.why = why

    def facts(self) -> dict[str, Any]:
        """Facts of the part."""
        return {}

    def recorded(self, _row: str) -> float | None:
        """The recorded milliseconds of a row."""
        return None

    def gemm(self, *_: Any) -> tuple[str, Callable[[], Any]] | None:
        return None

    def attention(self, *_: Any) -> tuple[str, Callable[[], Any]] | None:
        return None


class Torch(Absent):
    """PyTorch, whose tensors are views of our arrays."""

    def __init__(self, torch: Any) -> None:
        super().__init__("")
        self._torch = torch
        torch.cuda.init()
        self._one = torch.ones((), dtype=torch.float32, device="cuda")
        # Otherwise some shapes are given to another library.
        if hasattr(torch.backends.cuda, "preferred_blas_library"):
            torch.backends.cuda.preferred_blas_library("cublaslt")

    def facts(self) -> dict[str, Any]:
        return {"torch": self._torch.__version__, "torch_cuda": self._torch.version.cuda}

    def _tensor(self, array: cuda.Array, shape: tuple[int, ...]) -> Any:
        kind = {
            "float16": self._torch.float16,
            "bfloat16": self._torch.bfloat16,
            "float32": self._torch.float32,
            "float8_e4m3fn": self._torch.float8_e4m3fn,
        }[array.element]
        return self._torch.as_tensor(_Bytes(array), device="cuda").view(kind).view(shape)

    def gemm(self, types: str, a: cuda.Array, b: cuda.Array, promote: bool) -> tuple[str, Callable[[], Any]] | None:
        """The product of A (M,K) and B (N,K) transposed, in bf16."""
        torch = self._torch
        left, right = self._tensor(a, a.shape), self._tensor(b, b.shape).t()
        if types == "bf16":
            out = torch.empty((a.shape[0], b.shape[0]), dtype=torch.bfloat16, device="cuda")
            return "torch.matmul", lambda: torch.matmul(left, right, out=out)
        one, bf16, fast = self._one, torch.bfloat16, not promote

        def scaled() -> Any:
            return torch._scaled_mm(left, right, scale_a=one, scale_b=one, out_dtype=bf16, use_fast_accum=fast)

        return f"torch._scaled_mm, use_fast_accum={fast}", scaled

    def attention(
        self, q: cuda.Array, k: cuda.Array, v: cuda.Array, heads: int
    ) -> tuple[str, Callable[[], Any]] | None:
        """Attention of (heads, rows, 64) with the default scale, 1/8."""
        tensors = [self._tensor(array, (1, heads, -1, 64)) for array in (q, k, v)]
        attend = self._torch.nn.functional.scaled_dot_product_attention
        return "torch scaled_dot_product_attention", lambda: attend(*tensors)


class Recorded(Absent):
    """Recorded times, by row."""

    def __init__(self, text: str) -> None:
        super().__init__("")
        self._times: dict[str, float] = json.loads(text)

    def recorded(self, row: str) -> float | None:
        return self._times.get(row)

    def facts(self) -> dict[str, Any]:
        return {"torch": "recorded"}


def found() -> Absent:
    """PyTorch if it is installed and finds the GPU."""
    try:
        import torch
    except Exception as error:  # an installation may fail in any way
        return Absent(f"PyTorch is not there: {type(error).__name__}: {error}"[:300])
    if not torch.cuda.is_available():
        return Absent(f"PyTorch {torch.__version__} finds no GPU")
    try:
        return Torch(torch)
    except Exception as error:  # it fails in ways of its own
        return Absent(f"PyTorch {torch.__version__} fails: {type(error).__name__}: {error}"[:300])
