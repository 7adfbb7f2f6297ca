"""The native half of ``cute_mlir_compiler``."""

__all__ = ["Failed", "__version__", "build", "compile", "declared", "program"]

__version__: str

class Failed(Exception): ...

def compile(
    name: str, module: str, gpu: str | None, emit: str, options: list[tuple[str, str]]
) -> tuple[bytes, str]: ...
def program(
    name: str, module: str, gpu: str | None, options: list[tuple[str, str]]
) -> tuple[bytes, str, str, list[tuple[bytes, str]]]: ...
def build(
    builder: str, gpu: str | None, options: list[tuple[str, str]]
) -> tuple[str, str | None, list[tuple[str, str]]]: ...
def declared() -> str: ...
