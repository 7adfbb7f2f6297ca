"""A driver of Triton whose device is the simulator."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from triton.backends.compiler import GPUTarget  # type: ignore[import-not-found, import-untyped, unused-ignore]
from triton.backends.driver import DriverBase  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ._native import limits
from ._simulate import Report
from ._triton_launch import Code, encoded, launch, not_encoded

__all__ = ["SimulatedDriver"]

#: The multiprocessors that a program is told of.
SMS = 132


class _Index(int):
    """The number of the device. Triton keeps kernels by it, so that its hash tells targets apart."""

    tag: str

    def __new__(cls, tag: str) -> _Index:
        made = super().__new__(cls, 0)
        made.tag = tag
        return made

    def __hash__(self) -> int:
        return hash(("cute_mlir", self.tag))

    def __eq__(self, other: object) -> bool:
        return self.tag == other.tag if isinstance(other, _Index) else int(self) == other


class _Launcher:
    """What Triton makes of each kernel, and calls for each launch."""

    def __init__(self, source: Any, metadata: Any) -> None:
        self.code = Code(_ptx(source, metadata), source, metadata)

    def __call__(
        self, x: int, y: int, z: int, stream: Any, function: Any, packed: Any, launch_metadata: Any, enter: Any,
        leave: Any, *values: Any,
    ) -> None:  # fmt: skip
        from triton.runtime import driver  # type: ignore[import-not-found, import-untyped, unused-ignore]

        if enter is not None:
            enter(launch_metadata)
        driver.active.simulate(self.code, (x, y, z), values)
        if leave is not None:
            leave(launch_metadata)


def _ptx(source: Any, metadata: Any) -> str:
    """The PTX of a kernel, from Triton's cache: a driver is given the cubin alone."""
    from triton.runtime.cache import get_cache_manager  # type: ignore[import-not-found, import-untyped, unused-ignore]

    name = source.name[:150]
    files = get_cache_manager(metadata.hash).get_group(f"{name}.json") or {}
    if f"{name}.ptx" not in files:
        raise RuntimeError(f"Triton kept no PTX of {name}: unset TRITON_STORE_BINARY_ONLY")
    with open(files[f"{name}.ptx"], encoding="utf-8") as file:
        return file.read()


def registers(cubin: bytes) -> int:
    """The registers of a thread of the only kernel in a cubin, or 255.

    The section ``.nv.info`` has attributes; 0x2f is the number of registers of a function.
    """
    if cubin[:4] != b"\x7fELF":
        return 255
    table, = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + size * n) for n in range(count)]
    for name, _, _, _, at, length in sections:
        begin = sections[names][4] + name
        if cubin[begin : cubin.index(b"\0", begin)] != b".nv.info":
            continue
        end = at + length
        while at + 4 <= end:
            form, attribute, value = struct.unpack_from("<BBH", cubin, at)
            at += 4
            if form == 4:
                if attribute == 0x2F and value == 8:
                    return int(struct.unpack_from("<II", cubin, at)[1])
                at += value
    return 255


def tuner_of(function: Any) -> Any:
    """The autotuner that wants to know how long a function takes, if it is one."""
    cells = getattr(function, "__closure__", None) or ()
    return next((cell.cell_contents for cell in cells if hasattr(cell.cell_contents, "prune_configs")), None)


class _Utils:
    """What Triton asks of its driver's library."""

    fill_tma_descriptor = staticmethod(encoded)
    fill_tma_descriptor_tiled = staticmethod(encoded)
    fill_tma_descriptor_im2col = staticmethod(not_encoded)

    def __init__(self, target: str, sms: int) -> None:
        own = limits(target)
        self._properties = {
            "max_shared_mem": own["shared_memory"],
            "max_num_regs": own["registers"],
            "max_threads_per_sm": own["threads"],
            "multiprocessor_count": sms,
            "warpSize": own["warp"],
            "sm_clock_rate": 1_000_000,
            "mem_clock_rate": 1_000_000,
            "mem_bus_width": 1024,
        }

    def get_device_properties(self, _: Any) -> dict[str, int]:
        return dict(self._properties)

    def load_binary(self, name: str, cubin: Any, shared: int, device: Any) -> tuple[Any, Any, int, int, int]:
        return object(), name, registers(bytes(cubin)) if isinstance(cubin, bytes) else 255, 0, 1024

    def unload_module(self, module: Any) -> None:
        """There is nothing to unload."""

    def set_printf_fifo_size(self, size: int) -> None:
        """What kernels print has no limit."""

    def cuOccupancyMaxActiveClusters(self, *_: Any) -> int:  # noqa: N802 - the name is Triton's
        return int(self._properties["multiprocessor_count"])


class SimulatedDriver(DriverBase):  # type: ignore[misc, unused-ignore]
    """The driver. Reports are kept; findings are raised by the launch that has them, if that is wanted."""

    launcher_cls = _Launcher

    def __init__(
        self,
        target: str = "sm_90a",
        *,
        sms: int = SMS,
        raises: bool = True,
        configs: str = "first",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.limits = limits(target)
        self.target, self.sms, self.raises, self.configs = target, sms, raises, configs
        self.options = dict(options or {})
        self.utils = _Utils(target, sms)
        self.reports: list[Report] = []
        #: Called for each report, with the name of the kernel.
        self.listener: Callable[[str, Report], None] | None = None
        #: Memory of a launch is Triton's to allocate, as on a device.
        self.allocates = False
        self._index = _Index(f"{target} {sms}")
        self._only_compiles = False
        #: The arguments of the launch whose configuration was chosen last.
        self._chosen: Any = None

    @staticmethod
    def is_active() -> bool:
        return True

    def simulate(self, code: Code, grid: tuple[int, int, int], values: tuple[Any, ...]) -> None:
        """Runs one launch."""
        if self._only_compiles or 0 in grid:
            return
        sizes = {}
        for what in ("global_scratch", "profile_scratch"):
            each = getattr(code.metadata, f"{what}_size", None)
            if each is not None:
                blocks = grid[0] * grid[1] * grid[2] * getattr(code.metadata, "num_ctas", 1)
                sizes[what] = self._scratch(what, each * blocks, getattr(code.metadata, f"{what}_align", 128))
        report = launch(code, grid, values, sizes, self.options)
        self.reports.append(report)
        if self.listener is not None:
            self.listener(code.source.name, report)
        if self.raises:
            report.raise_if_findings()

    def _scratch(self, what: str, size: int, align: int) -> Any:
        if not size:
            return None
        if what == "global_scratch" and not self.allocates:
            from triton.runtime import _allocation  # type: ignore[import-not-found, import-untyped, unused-ignore]

            # Without an allocator it raises what a launch on a device raises.
            _allocation._allocator.get()(size, align, 0)
        return f"{what}:u8[{size}]"

    @contextmanager
    def only_compiling(self) -> Iterator[None]:
        """Launches in the block compile their kernels, and do not run."""
        before, self._only_compiles = self._only_compiles, True
        try:
            yield
        finally:
            self._only_compiles = before

    def get_benchmarker(self) -> Callable[..., list[float]]:
        """Decides among the configurations of an autotuned kernel without measuring time.

        They are tried in order. The first one that compiles and fits into the device wins. With ``configs="all"``,
        each one is simulated.
        """

        def bench(kernel_call: Callable[[], Any], *, quantiles: Any = None, **_: Any) -> list[float]:
            tuner = tuner_of(kernel_call)
            count = len(quantiles or (0.5,))
            # A launch of an autotuned kernel has a dictionary of its own, in which it tries all configurations.
            arguments = getattr(tuner, "nargs", None)
            is_chosen = arguments is not None and arguments is self._chosen
            if self.configs == "first" and tuner is not None:
                if is_chosen:
                    return [2.0] * count
                with self.only_compiling():
                    kernel_call()
            else:
                kernel_call()
            self._chosen = arguments
            return [2.0 if is_chosen else 1.0] * count

        return bench

    def get_current_device(self) -> int:
        return self._index

    def set_current_device(self, device: Any) -> None:
        """There is one device."""

    def get_current_stream(self, device: Any = None) -> int:
        return 0

    def get_device_capability(self, device: Any = None) -> tuple[int, int]:
        major, minor = self.limits["capability"]
        return major, minor

    def get_current_target(self) -> Any:
        major, minor = self.limits["capability"]
        return GPUTarget("cuda", major * 10 + minor, self.limits["warp"])

    def get_active_torch_device(self) -> Any:
        import torch  # type: ignore[import-not-found, unused-ignore]

        return torch.device("cuda", 0)

    def get_device_interface(self) -> Any:
        import torch

        return torch.cuda

    def map_python_to_cpp_type(self, ty: str) -> str:
        from triton.backends.nvidia.driver import ty_to_cpp  # type: ignore[import-not-found, import-untyped, unused-ignore]

        return str(ty_to_cpp(ty))

    def get_empty_cache_for_benchmark(self) -> Any:
        return None

    def clear_cache(self, cache: Any) -> None:
        """A simulation has no cache to clear."""

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: Any) -> Any:
        return None
