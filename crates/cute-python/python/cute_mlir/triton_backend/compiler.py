"""The compiler of the backend: there is none, since kernels are compiled by the backend for NVIDIA's GPUs."""

from __future__ import annotations

from typing import Any

from triton.backends.compiler import BaseBackend  # type: ignore[import-not-found, import-untyped, unused-ignore]

__all__ = ["NoCompiler"]


class NoCompiler(BaseBackend):  # type: ignore[misc, unused-ignore]
    """Compiles for no target."""

    @staticmethod
    def supports_target(target: Any) -> bool:
        return False

    def hash(self) -> str:
        return "cute_mlir"

    def parse_options(self, options: dict[str, Any]) -> object:
        raise NotImplementedError

    def add_stages(self, stages: dict[str, Any], options: Any, language: Any = None) -> None:
        raise NotImplementedError

    def load_dialects(self, context: Any) -> None:
        raise NotImplementedError

    def get_module_map(self) -> dict[str, Any]:
        return {}
