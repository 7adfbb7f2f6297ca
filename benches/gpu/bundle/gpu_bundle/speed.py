"""Part (e): the speed of the kernels beside cuBLASLt, SDPA and a copy between arrays of the GPU.

Each row has the median time of a kernel and of its baseline. The two are timed in turns, each launch with an
empty L2 cache, and samples of the kernel's result are compared with sums in f64.
"""

from __future__ import annotations

import ctypes
import pathlib
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

import cute_mlir

from . import cuda, rows, speed_baseline, speed_inputs
from . import device as machine
from . import speed_variants as asked

#: Launches of a kernel, and of its baseline.
COUNT = 20

#: The row that says why there is no PyTorch.
TORCH_ROW = "PyTorch"

#: The seed of recorded answers.
RECORDED_SEED = 1


def run(context: Any) -> None:
    """All rows."""
    Work(context).run()


class Work:
    """The rows, by worth. A row that an earlier process of the part has written is not asked again."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.folder: pathlib.Path = context.folder
        self.seed: int = RECORDED_SEED if context.is_fake else context.seed
        path = context.options.rows
        self.done = {row["row"]: row for row in rows.read(path)[0]} if path else {}
        # The driver's context comes first: PyTorch takes the same one.
        self.device: cuda.Device = context.device
        self.multiprocessors: int = self.device.facts()["multiprocessors"]
        self.baseline: speed_baseline.Absent = speed_baseline.Absent("not looked for")
        self._temporary: list[cuda.Array] = []

    def run(self) -> None:
        recorded = self.context.is_fake
        if recorded:
            self.baseline = speed_baseline.Recorded(self.context.recorded("baseline.json"))
        else:
            self.baseline = speed_baseline.found()
        facts = self.baseline.facts() | {"launches": COUNT, "inputs": speed_inputs.ABOUT}
        self.context.rows.facts(**facts | ({} if recorded else {"before": machine.clocks()}))
        if self.baseline.why and TORCH_ROW not in self.done:
            self.context.rows.add(TORCH_ROW, "skipped", reason=self.baseline.why)
        self.gemms("bf16")
        self.attentions()
        self.gemms("e4m3")
        self.copies()
        if not recorded:
            self.context.rows.facts(after=machine.clocks())

    def keep(self, array: cuda.Array) -> cuda.Array:
        """An array that is freed with the shape."""
        self._temporary.append(array)
        return array

    def free(self) -> None:
        """Frees the arrays of a shape."""
        for array in self._temporary:
            array.free()
        self._temporary.clear()

    # Kinds of rows.

    def gemms(self, types: str) -> None:
        """All variants at the first shape, then the fastest of them at the others."""
        listed = [v for v in asked.variants(types) if (self.folder / f"{v.stem}.kernel").exists()]
        self.gemm_shape(types, asked.FIRST, listed)
        found = {variant: self.done.get(gemm_row(variant, asked.FIRST), {}) for variant in listed}
        right = [variant for variant in listed if found[variant].get("state") == "measured"]
        fastest = sorted(right, key=lambda variant: found[variant]["ms"])[: asked.FASTEST]
        for shape in asked.OTHERS:
            self.gemm_shape(types, shape, fastest)

    def gemm_shape(self, types: str, shape: asked.Shape, listed: list[asked.Variant]) -> None:
        """Variants at one shape, whose arrays they share."""
        if all(gemm_row(variant, shape) in self.done for variant in listed):
            return
        element = {"bf16": "bfloat16", "e4m3": "float8_e4m3fn"}[types]
        try:
            a = self.keep(speed_inputs.filled(self.device, (shape.m, shape.k), element, self.seed))
            b = self.keep(speed_inputs.filled(self.device, (shape.n, shape.k), element, self.seed + 1))
            d = self.keep(self.device.empty((shape.m, shape.n), "bfloat16"))
            for variant in listed:
                self.row(gemm_row(variant, shape), lambda variant=variant: self.gemm(variant, shape, a, b, d))
        finally:
            self.free()

    def gemm(
        self, variant: asked.Variant, shape: asked.Shape, a: cuda.Array, b: cuda.Array, d: cuda.Array
    ) -> dict[str, Any]:
        wanted = speed_inputs.of_gemm(variant.types, shape, self.seed, variant.promote is not None)
        # Bytes that no kernel leaves there: NaN.
        self.device.call("cuMemsetD8_v2", ctypes.c_uint64(d.address), ctypes.c_ubyte(0xFF), ctypes.c_size_t(d.size))
        beside = self.baseline.gemm(variant.types, a, b, variant.promote is not None)
        name = gemm_row(variant, shape)
        args = {"A": a, "B": b, "D": d, "blocks": self.multiprocessors}
        times = self.times(name, self.device.prepare_host(self.folder / variant.stem, args), beside)
        return rates(times, shape.flops, None) | self.checked(name, d, wanted)

    def attentions(self) -> None:
        for shape in asked.ATTENTIONS:
            if (self.folder / "attention.kernel").exists():
                self.row(attention_row(shape), lambda shape=shape: self.attention(shape))

    def attention(self, shape: asked.AttentionShape) -> dict[str, Any]:
        queries, keys, heads = shape
        name = attention_row(shape)
        sizes = (queries, keys, keys)
        q, k, v = (
            self.keep(speed_inputs.filled(self.device, (heads, size, 64), "float16", self.seed + i))
            for i, size in enumerate(sizes)
        )
        out = self.keep(self.device.empty((heads, queries, 64), "float16", fill=0xFF))
        # The kernel takes (rows, 64, heads).
        args = [*(array.viewed((1, 2, 0)) for array in (q, k, v, out)), 0.125]
        grid = (-(-queries // 64), heads)
        beside = self.baseline.attention(q, k, v, heads)
        times = self.times(name, self.device.prepare(self.folder / "attention", grid, args), beside)
        return rates(times, shape.flops, None) | self.checked(name, out, speed_inputs.of_attention(shape, self.seed))

    def copies(self) -> None:
        for shape in asked.COPIES:
            for name, element in (("copy", "float32"), ("transpose", "float16"), ("tma_transpose", "float16")):
                if (self.folder / f"{name}.kernel").exists():
                    row = copy_row(name, shape)
                    self.row(row, lambda name=name, shape=shape, element=element: self.copy(name, shape, element))

    def copy(self, kernel: str, shape: tuple[int, int], element: str) -> dict[str, Any]:
        """A copy or a transpose, beside the driver's copy of as many bytes."""
        (m, n), name = shape, copy_row(kernel, shape)
        source = self.keep(speed_inputs.filled(self.device, shape, element, self.seed))
        target = self.keep(self.device.empty(shape if kernel == "copy" else (n, m), element, fill=0xFF))
        other = self.keep(self.device.empty(shape, element))
        size = ctypes.c_size_t(source.size)

        def driver() -> None:
            self.device.call(
                "cuMemcpyDtoDAsync_v2", ctypes.c_uint64(other.address), ctypes.c_uint64(source.address), size, None
            )

        stem = self.folder / kernel
        if kernel == "tma_transpose":
            prepared = self.device.prepare_host(stem, {"A": source, "B": target})
        else:
            grid = (-(-n // 128), -(-m // 32)) if kernel == "copy" else (-(-n // 64), -(-m // 64))
            prepared = self.device.prepare(stem, grid, [source, target])
        of = speed_inputs.of_copy if kernel == "copy" else speed_inputs.of_transpose
        times = self.times(name, prepared, ("cuMemcpyDtoDAsync", driver))
        return rates(times, None, 2.0 * source.size) | self.checked(name, target, of(shape, self.seed))

    # One row.

    def row(self, name: str, ask: Callable[[], dict[str, Any]]) -> None:
        """Asks for a row and writes it."""
        if name in self.done:
            return
        before = len(self._temporary)
        try:
            facts = ask()
            state = "differs" if facts["wrong"] else "measured"
        except RuntimeError as error:
            self.context.rows.add(name, "failed", error=str(error)[:500])
            self.context.restart_if_broken(error)
            self.done[name] = {"state": "failed"}
        else:
            self.context.rows.add(name, state, **facts)
            self.done[name] = {"state": state, **facts}
        for array in self._temporary[before:]:
            array.free()
        del self._temporary[before:]

    def times(
        self, name: str, prepared: cute_mlir.Prepared, beside: tuple[str, Callable[[], Any]] | None
    ) -> dict[str, Any]:
        """Half of the kernel's launches, its baseline's, and the other half: the clocks may change meanwhile.

        It unloads the kernel, which waits for it, so that this must not happen where the kernel hangs.
        """
        prepared.launch()
        self.device.wait()
        facts: dict[str, Any] = {}
        try:
            if beside:
                beside[1]()
                self.device.wait()
        except Exception as error:  # the kernel is timed without it
            facts, beside = {"baseline_error": str(error)[:300]}, None
        own = self.device.times(prepared.launch, COUNT // 2)
        others = self.device.times(beside[1], COUNT) if beside else []
        own += self.device.times(prepared.launch, COUNT - COUNT // 2)
        prepared.unload()
        facts |= {"ms": statistics.median(own), "fastest_ms": min(own)}
        if (recorded := self.baseline.recorded(name)) is not None:
            facts |= {"baseline": "recorded", "baseline_ms": recorded}
        elif beside:
            facts |= {"baseline": beside[0], "baseline_ms": statistics.median(others)}
        return facts

    def checked(self, name: str, array: cuda.Array, wanted: speed_inputs.Wanted) -> dict[str, Any]:
        """Compares samples of a result."""
        self.device.asking(name)
        found = self.device.empty((len(wanted.at),), "uint16")
        at = self.device.array(wanted.at.view(np.int64), "int64")
        try:
            grid = -(-len(wanted.at) // 64)
            self.device.run(self.folder / "gather", grid, [array, at, found, len(wanted.at)], block=64)
            return wanted.compare(found.read())
        finally:
            found.free()
            at.free()


def rates(times: dict[str, Any], flops: float | None, moved: float | None) -> dict[str, Any]:
    """Times with what follows from them. `ratio` is above 1 where the kernel is faster than its baseline."""
    facts = {name: round(value, 5) if isinstance(value, float) else value for name, value in times.items()}
    for prefix in ("", "baseline_"):
        ms = times.get(f"{prefix}ms")
        if ms and flops:
            facts[f"{prefix}tflops"] = round(flops / ms / 1e9, 1)
        if ms and moved:
            facts[f"{prefix}gb_per_s"] = round(moved / ms / 1e6, 1)
    if times.get("baseline_ms") and times["ms"]:
        facts["ratio"] = round(times["baseline_ms"] / times["ms"], 3)
    return facts


def gemm_row(variant: asked.Variant, shape: asked.Shape) -> str:
    """The name of a row."""
    return f"gemm_sm90 {variant.types} {shape.name}: {variant.name}"


def attention_row(shape: asked.AttentionShape) -> str:
    """The name of a row."""
    return f"attention: {shape.name}"


def copy_row(kernel: str, shape: tuple[int, int]) -> str:
    """The name of a row."""
    return f"{kernel} {shape[0]}x{shape[1]}"
