"""The driver of the backend, which is active if the environment has ``CUTE_MLIR_TRITON=simulate``."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from typing import Any

from triton.backends.driver import DriverBase  # type: ignore[import-not-found, import-untyped, unused-ignore]

__all__ = ["EnvironmentDriver"]

_ASKED = bool(os.environ.get("CUTE_MLIR_TRITON"))
if _ASKED:
    # Triton refuses to choose among several drivers; before version 3.7 it knows no variable.
    os.environ["TRITON_DEFAULT_BACKEND"] = "cute_mlir"
    for _module, _driver in (("nvidia", "CudaDriver"), ("amd", "HIPDriver")):
        with suppress(ImportError, AttributeError):
            getattr(import_module(f"triton.backends.{_module}.driver"), _driver).is_active = staticmethod(lambda: False)
    from .._triton_interpose import environment

    environment()


class EnvironmentDriver(DriverBase):  # type: ignore[misc, unused-ignore]
    """Becomes the simulator's driver when Triton makes it."""

    def __new__(cls) -> Any:
        from .._triton_interpose import environment

        return environment().driver()

    @staticmethod
    def is_active() -> bool:
        return _ASKED

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError

    def get_current_target(self) -> Any:
        raise NotImplementedError

    def get_active_torch_device(self) -> Any:
        raise NotImplementedError

    def get_benchmarker(self) -> Any:
        raise NotImplementedError
