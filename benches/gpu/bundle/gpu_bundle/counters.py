"""Part (f): the counters of the hardware beside those of the simulator.

ncu runs this part once more, with `LAUNCH` in its environment, so that it launches each kernel once. The rows
compare what ncu prints with `simulated.json`, which the simulator counted for the same PTX and the same inputs.
"""

from __future__ import annotations

import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from . import cuda, fake, numbers, parts

#: In the environment: launch the kernels, and nothing else.
LAUNCH = "CUTE_BUNDLE_COUNTERS_LAUNCH"

#: The simulator counted with inputs of this seed.
SEED = 1

#: The row about the program itself.
NCU_ROW = "ncu"

#: Seconds that ncu may take in all.
_SECONDS = 50.0
#: Names that this version of ncu does not know are left out, one or some in each try.
_TRIES = 6

_SHARED = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
_GLOBAL = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
_TO_SHARED = "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_"

#: The counters by their names in ncu: what the simulator's are called, and whether they are the same quantity.
METRICS: dict[str, tuple[str, bool]] = {
    "memory_l1_wavefronts_shared": ("wavefronts", True),
    "memory_l1_wavefronts_shared_ideal": ("least wavefronts", True),
    f"{_SHARED}ld.sum": ("wavefronts of loads", True),
    f"{_SHARED}ldsm.sum": ("wavefronts of ldmatrix", True),
    f"{_SHARED}st.sum": ("wavefronts of stores", True),
    f"{_SHARED}ldgsts.sum": ("wavefronts of cp.async", True),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": ("wavefronts", False),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": ("excess wavefronts", False),
    "memory_l2_theoretical_sectors_global": ("sectors", True),
    "memory_l2_theoretical_sectors_global_ideal": ("least sectors", False),
    f"{_GLOBAL}ld.sum": ("sectors of loads", True),
    f"{_GLOBAL}st.sum": ("sectors of stores", True),
    f"{_TO_SHARED}bypass.sum": ("sectors of cp.async.cg", True),
    f"{_TO_SHARED}access.sum": ("sectors of cp.async.ca", True),
    "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum": ("sectors of bulk loads", False),
    "smsp__thread_inst_executed.sum": ("instructions", False),
    "smsp__inst_executed.sum": ("", False),
    "launch__registers_per_thread": ("registers", True),
}


#: The grid and the arguments, or None and those of the host function by their names.
Launch = tuple[Any, Any]


class OnHost:
    """Arguments for the simulator."""

    def array(self, values: np.ndarray, element: str, axes: tuple[int, ...] | None = None) -> Any:
        return cuda.Host(values if axes is None else values.transpose(axes), element)

    def gemm_sm90(self, a: Any, b: Any, d: Any) -> Launch:
        """The launch that the host function makes, because the simulator counts what is in PTX."""
        import cute_mlir

        # Two blocks of a cluster load a half of B's tile each, and 512 x 512 are 2 x 2 tiles of clusters.
        maps = [
            cute_mlir.tensor_map(array, box, "128B") for array, box in ((a, (128, 64)), (b, (128, 64)), (d, (64, 64)))
        ]
        return (4, 1), [maps[0], 512, 256, maps[1], 512, 256, maps[2], 512, 512, 2, 2]


class OnDevice:
    """Arguments for a launch."""

    def __init__(self, device: cuda.Device) -> None:
        self._device = device

    def array(self, values: np.ndarray, element: str, axes: tuple[int, ...] | None = None) -> Any:
        array = self._device.array(values, element)
        return array if axes is None else array.viewed(axes)

    def gemm_sm90(self, a: Any, b: Any, d: Any) -> Launch:
        """The arguments of the host function."""
        return None, {"A": a, "B": b, "D": d, "blocks": 4}


def arguments(kernel: str, place: Any) -> Launch:
    """The grid and the arguments of a kernel. No extent is a multiple of a tile, but those of gemm_sm90."""

    def given(which: int, element: str, *shape: int, axes: tuple[int, ...] | None = None) -> Any:
        return place.array(numbers.encode(numbers.spread(shape, SEED + which), element), element, axes)

    def result(element: str, *shape: int, axes: tuple[int, ...] | None = None) -> Any:
        return place.array(np.zeros(shape, numbers.STORAGE.get(element, np.uint8)), element, axes)

    def copy() -> Launch:
        return (2, 3), [given(0, "float32", 72, 200), result("float32", 72, 200)]

    def transpose() -> Launch:
        return (3, 2), [given(0, "float16", 72, 136), result("float16", 136, 72)]

    def softmax() -> Launch:
        return (10,), [given(0, "float16", 37, 1000), result("float16", 37, 1000)]

    def layernorm() -> Launch:
        inputs = [given(0, "float32", 13, 1024), given(1, "float32", 1024), given(2, "float32", 1024)]
        return (4,), [*inputs, result("float32", 13, 1024), 1e-5]

    def attention() -> Launch:
        axes = (1, 2, 0)
        inputs = [given(i, "float16", 3, rows, 64, axes=axes) for i, rows in enumerate((100, 150, 150))]
        return (2, 3), [*inputs, result("float16", 3, 100, 64, axes=axes), 0.125]

    def gemm_sm80() -> Launch:
        inputs = [given(0, "float16", 200, 72), given(1, "float16", 136, 72), given(2, "float32", 200, 136)]
        return (2, 2), [*inputs, result("float32", 200, 136), 1.0, 0.5]

    def gemm_sm90() -> Launch:
        a, b = given(0, "bfloat16", 512, 256), given(1, "bfloat16", 512, 256)
        return place.gemm_sm90(a, b, result("bfloat16", 512, 512))

    def quantize() -> Launch:
        # A row of factors for 128 rows and four groups of 32 columns is a block of 512 bytes.
        results = [result("float8_e4m3fn", 100, 240), result("float8_e8m0fnu", 2 * 512)]
        return (4, 2), [given(0, "float32", 100, 240), *results]

    makers: dict[str, Callable[[], Launch]] = {
        make.__name__: make for make in (copy, transpose, softmax, layernorm, attention, gemm_sm80, gemm_sm90, quantize)
    }
    return makers[kernel]()


KERNELS = ("copy", "transpose", "softmax", "layernorm", "attention", "gemm_sm80", "gemm_sm90", "quantize")


def run(context: Any) -> None:
    """One row for each kernel and counter."""
    simulated: dict[str, dict[str, int]] = json.loads((context.folder / "simulated.json").read_text(encoding="utf-8"))
    if LAUNCH in os.environ:
        launch(context, list(simulated))
        return
    if context.is_fake:
        # ncu would launch them.
        launch(context, list(simulated))
        asked: tuple[str, dict[str, str]] | None = context.recorded("ncu.csv"), {}
    else:
        asked = profiled(context)
    if asked is not None:
        add_rows(context, parsed(asked[0]), simulated, asked[1])


def launch(context: Any, kernels: list[str]) -> None:
    """Launches each kernel once."""
    for kernel in kernels:
        context.device.asking(kernel)
        grid, args = arguments(kernel, OnDevice(context.device))
        stem = context.folder / kernel
        is_host = grid is None
        prepared = context.device.prepare_host(stem, args) if is_host else context.device.prepare(stem, grid, args)
        prepared.launch()
        context.device.wait()
        prepared.unload()


def program() -> str | None:
    """ncu, which is not always in the path."""
    places = ["/usr/local/cuda*/bin/ncu", "/opt/nvidia/nsight-compute/*/ncu", "/usr/local/NVIDIA-Nsight-Compute*/ncu"]
    found = [path for place in places for path in sorted(glob.glob(place), reverse=True)]
    return shutil.which("ncu") or next(iter(found), None)


def profiled(context: Any) -> tuple[str, dict[str, str]] | None:
    """What ncu prints, and the counters that it does not know. Without an answer there is a row that says why."""
    ncu = program()
    if ncu is None:
        context.rows.add(NCU_ROW, "skipped", reason="ncu is not installed")
        return None
    wanted = list(METRICS)
    left_out: dict[str, str] = {}
    until = time.monotonic() + _SECONDS
    said = ""
    for _ in range(_TRIES):
        command = [ncu, "--csv", "--print-units", "base", "--clock-control", "none", "--metrics", ",".join(wanted)]
        command += [sys.executable, str(parts.BUNDLE / "run.py"), "--one", context.letter]
        environment = dict(os.environ) | {LAUNCH: "1"}
        try:
            left = max(until - time.monotonic(), 1)
            done = subprocess.run(command, capture_output=True, text=True, timeout=left, env=environment, check=False)
        except subprocess.TimeoutExpired:
            context.rows.add(NCU_ROW, "failed", error=f"it did not end within {_SECONDS:.0f} s")
            return None
        said = done.stdout + done.stderr
        unknown = unknown_names(said, wanted)
        if not unknown:
            break
        wanted = [name for name in wanted if name not in unknown]
        left_out |= dict.fromkeys(unknown, "this version of ncu does not know it")
    if "ERR_NVGPUCTRPERM" in said:
        context.rows.add(NCU_ROW, "skipped", reason="this user may not read the counters of the GPU (ERR_NVGPUCTRPERM)")
        return None
    if not parsed(said):
        context.rows.add(NCU_ROW, "failed", error=f"no counters: {said.strip()[-800:]}")
        return None
    version = subprocess.run([ncu, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    context.rows.facts(ncu=version.strip().splitlines()[-1:])
    return said, left_out


def unknown_names(said: str, wanted: list[str]) -> list[str]:
    """The counters that ncu says it does not find. It may name them as regular expressions."""
    lines = [line.replace("\\", "") for line in said.splitlines() if re.search(r"failed to find metric", line, re.I)]
    exact = [
        name for name in wanted if any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", line) for line in lines)
    ]
    if exact or not lines:
        return exact
    stems = {name: name.split(".")[0] for name in wanted}
    return [name for name, stem in stems.items() if any(re.search(rf"(?<!\w){stem}(?!\w)", line) for line in lines)]


def parsed(text: str) -> dict[str, dict[str, str]]:
    """The texts of values by kernel and counter. Lines that are not of the table are passed over.

    A table has a line for each counter, or, as a raw page, a column for each, with a line of units below the names.
    """
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return {}
    table = list(csv.reader(line for line in lines[start:] if line.startswith('"')))
    header = table[0]
    found: dict[str, dict[str, str]] = {}
    if "Kernel Name" not in header:
        return {}
    for line in table[1:]:
        if len(line) != len(header):
            continue
        row = dict(zip(header, line, strict=True))
        # `copy(float *)` of a kernel whose parameters ncu knows.
        kernel = row["Kernel Name"].split("(")[0].strip()
        if not kernel:
            continue
        values = found.setdefault(kernel, {})
        if "Metric Name" in row and "Metric Value" in row:
            values.setdefault(row["Metric Name"], row["Metric Value"])
        else:
            values |= {name: value for name, value in row.items() if "__" in name or name.startswith("memory_")}
    return found


def number(text: str) -> int | float | None:
    """A value: `1,024`, `12.5`; not `n/a`."""
    plain = text.strip().replace(",", "").replace("(!)", "").strip()
    try:
        value = float(plain)
    except ValueError:
        return None
    if not np.isfinite(value):
        return None
    return int(value) if value == int(value) else value


def add_rows(
    context: Any, measured: dict[str, dict[str, str]], simulated: dict[str, dict[str, int]], left_out: dict[str, str]
) -> None:
    """The rows, by kernel, in the order of the counters."""
    answers = fake.Answers(context.folder, context.options.wrong) if context.is_fake else None
    for kernel, counts in simulated.items():
        for metric, (quantity, is_same) in METRICS.items():
            name = f"{kernel}: {metric}"
            facts: dict[str, Any] = {"quantity": quantity} if quantity else {}
            if quantity in counts:
                facts["simulated"] = counts[quantity]
            if metric in left_out:
                context.rows.add(name, "skipped", reason=left_out[metric], **facts)
                continue
            text = measured.get(kernel, {}).get(metric)
            value = None if text is None else number(text)
            if value is None:
                said = "no line for it" if text is None else text
                context.rows.add(name, "skipped", reason=f"ncu has no value: {said}", **facts)
                continue
            if answers is not None:
                word = np.array([value], np.int64 if isinstance(value, int) else np.float64)
                value = answers.changed(name, word.view(np.uint8)).view(word.dtype)[0].item()
            # How ncu counts stmatrix is not known.
            is_open = counts["stmatrix"] and quantity in ("wavefronts", "least wavefronts", "wavefronts of stores")
            is_claimed = is_same and quantity in counts and not is_open
            state = "measured" if not is_claimed else "equal" if value == counts[quantity] else "differs"
            context.rows.add(name, state, hardware=value, **facts)
