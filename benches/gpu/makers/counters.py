"""Part (f): kernels, the simulator's counters of them, and a table as ncu would print it."""

from __future__ import annotations

import csv
import io
import json
import pathlib
import re
import subprocess
import tempfile
from typing import Any

from gpu_bundle import counters

#: Kernels that a builder writes; the others are examples.
BUILT = ("gemm_sm90", "quantize")

_TARGET = "sm_90a"
_ASYNC = "cp.async."
_BULK = "cp.async.bulk."


def make(folder: pathlib.Path, tools: Any) -> None:
    """Writes each kernel, and what the simulator counts."""
    kernels = tools.take(list(counters.KERNELS), 4)
    found = dict(zip(kernels, tools.pool.map(lambda kernel: made(kernel, folder, tools), kernels), strict=True))
    (folder / "simulated.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (folder / "recorded").mkdir()
    (folder / "recorded" / "ncu.csv").write_text(table(found), encoding="utf-8")


def made(kernel: str, folder: pathlib.Path, tools: Any) -> dict[str, int]:
    """Compiles a kernel and runs it in the simulator."""
    import cute_mlir

    if kernel in BUILT:
        compiled = cute_mlir.build_kernel(kernel, target=_TARGET)
    else:
        compiled = cute_mlir.compile(tools.repository / "examples" / f"{kernel}.mlir", target=_TARGET)
    with tempfile.TemporaryDirectory() as scratch:
        ptx = pathlib.Path(scratch) / f"{kernel}.ptx"
        ptx.write_text(compiled.ptx, encoding="utf-8")
        ptx.with_name(ptx.name + ".json").write_text(compiled.program.manifest, encoding="utf-8")
        used = registers(ptx, tools)
        grid, args = counters.arguments(kernel, counters.OnHost())
        report = cute_mlir.simulate(ptx, grid, args, schedule="lazy")
    if not report.ok:
        raise RuntimeError(f"{kernel}: {report}")
    compiled.cubin  # noqa: B018 - without ptxas it is an error here
    compiled.save(folder / f"{kernel}.kernel")
    return counted(report.json) | {"registers": used}


def registers(ptx: pathlib.Path, tools: Any) -> int:
    """The registers of a thread at launch, as ptxas says."""
    command = [str(tools.ptxas), "-v", f"-arch={_TARGET}", str(ptx), "-o", str(ptx.with_suffix(".cubin"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.findall(r"Used (\d+) registers", done.stdout + done.stderr)
    if done.returncode != 0 or len(found) != 1:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return int(found[0])


def counted(report: dict[str, Any]) -> dict[str, int]:
    """The quantities of `counters.METRICS`, from the sites of a run."""
    sites = report["sites"]

    def total(traffic: str, field: str, *ops: str, but: str | None = None) -> int:
        return sum(
            site[field]
            for site in sites
            if site["traffic"] == traffic and site["op"].startswith(ops) and not (but and site["op"].startswith(but))
        )

    # Bulk copies do not go through the pipeline whose wavefronts are counted.
    direct = ("ld", "st", "atom", "red", _ASYNC)
    return {
        "wavefronts": total("shared", "passes", *direct, but=_BULK),
        "least wavefronts": total("shared", "ideal", *direct, but=_BULK),
        "excess wavefronts": total("shared", "passes", *direct, but=_BULK)
        - total("shared", "ideal", *direct, but=_BULK),
        "wavefronts of loads": total("shared", "passes", "ld", but="ldmatrix"),
        "wavefronts of ldmatrix": total("shared", "passes", "ldmatrix"),
        "wavefronts of stores": total("shared", "passes", "st"),
        "stmatrix": total("shared", "passes", "stmatrix"),
        "wavefronts of cp.async": total("shared", "passes", _ASYNC, but=_BULK),
        "sectors": total("global", "passes", *direct, but=_BULK),
        "least sectors": total("global", "ideal", *direct, but=_BULK),
        "sectors of loads": total("global", "passes", "ld"),
        "sectors of stores": total("global", "passes", "st"),
        "sectors of cp.async.cg": total("global", "passes", "cp.async.cg."),
        "sectors of cp.async.ca": total("global", "passes", "cp.async.ca."),
        "sectors of bulk loads": sum(
            site["passes"] for site in sites if site["traffic"] == "global" and is_bulk_load(site["op"])
        ),
        "instructions": report["stats"]["instructions"],
    }


def is_bulk_load(op: str) -> bool:
    """Whether an instruction copies from global to shared memory."""
    return op.startswith(_BULK) and ".global" in op and op.index(".shared::") < op.index(".global")


def table(found: dict[str, dict[str, int]]) -> str:
    """The simulator's counters as ncu prints the hardware's, with what else it prints. Other counters are 1234."""
    text = io.StringIO()
    text.write("==PROF== Connected to process 4242\n")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["ID", "Process ID", "Kernel Name", "Section Name", "Metric Name", "Metric Unit", "Metric Value"])
    for index, (kernel, counts) in enumerate(found.items()):
        for metric, (quantity, _) in counters.METRICS.items():
            value = counts.get(quantity, 1234)
            writer.writerow([index, 4242, kernel, "Command line profiler metrics", metric, "", f"{value:,}"])
    text.write("==PROF== Disconnected from process 4242\n")
    return text.getvalue()
