"""Part (a): the GPU, its driver and clocks, and one kernel."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import numpy as np

COUNT = 1000

#: y[i] = 2 x[i] + 1 for i < n.
KERNEL = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r2, [n]; setp.ge.u32 %p1, %r1, %r2; @%p1 bra DONE;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r4, [%rd1]; mad.lo.u32 %r5, %r4, 2, 1; st.global.u32 [%rd2], %r5;
DONE: ret; }
"""


def wanted() -> np.ndarray:
    """The result for 0, 1, 2, .."""
    return 2 * np.arange(COUNT, dtype=np.uint32) + 1


def run(context: Any) -> None:
    """One row for the machine, and one for the kernel."""
    device = context.device
    facts = device.facts()
    if not context.is_fake:
        facts |= clocks()
    context.rows.facts(**facts)
    if (facts["major"], facts["minor"]) != (9, 0):
        why = f"{facts['gpu']} has compute capability {facts['major']}.{facts['minor']}; the cubins are for 9.0"
        context.rows.add("the GPU", "failed", error=why)
        return
    context.rows.add("the GPU", "measured", **facts)
    name = "x[i] = 2 x[i] + 1"
    device.asking(name)
    x = device.array(np.arange(COUNT, dtype=np.uint32), "uint32")
    y = device.empty((COUNT,), "uint32")
    device.run(context.folder / "scale", 8, [x, y, COUNT], block=128)
    found = y.read()
    wrong = int((found != wanted()).sum())
    context.rows.add(name, "differs" if wrong else "equal", values=COUNT, wrong=wrong)


def clocks() -> dict[str, str]:
    """Clocks and power as nvidia-smi prints them; nothing where it is not installed."""
    if shutil.which("nvidia-smi") is None:
        return {}
    fields = "driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit,temperature.gpu"
    done = subprocess.run(
        ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"], capture_output=True, text=True, timeout=10
    )
    return {"nvidia_smi": f"{fields}: {done.stdout.strip()}"} if done.returncode == 0 else {}
