"""Finds the race of a kernel that lacks a barrier, with what `pip install cute-mlir[compiler]` alone installs."""

import pathlib

import cute_mlir as cm

kernel = (pathlib.Path(__file__).parents[3] / "examples/transpose.mlir").read_text()
assert "nvvm.barrier0\n" in kernel
args = ["f16[64x64]=random(7)", "f16[64x64]"]
cm.simulate(kernel, (1, 1), args, target="sm_90a").raise_if_findings()
broken = kernel.replace("nvvm.barrier0\n", "\n")
report = cm.simulate(broken, (1, 1), args, target="sm_90a")
assert [finding.kind for finding in report.findings] == ["race"], report
print(report.findings[0])
