"""Part (e): the kernels that are timed, and what samples of their results are."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
from gpu_bundle import speed, speed_inputs
from gpu_bundle import speed_variants as asked

#: Kernels of the repository, by the names of their files here.
EXAMPLES = {
    "attention": "examples/attention.mlir",
    "copy": "examples/copy.mlir",
    "transpose": "examples/transpose.mlir",
    "tma_transpose": "examples/tma/transpose.mlir",
}


TARGET = "sm_90a"


def save(kernel: Any, path: pathlib.Path) -> None:
    """Saves a kernel with its cubin."""
    kernel.cubin  # noqa: B018 - without ptxas it is an error here
    kernel.save(path)


def make(folder: pathlib.Path, tools: Any) -> None:
    """Writes kernels, the recorded samples, and times of a baseline that are made up."""
    import cute_mlir

    listed = {types: tools.take(asked.variants(types), 2) for types in ("bf16", "e4m3")}

    def build(variant: asked.Variant) -> None:
        kernel = cute_mlir.build_kernel("gemm_sm90", target=TARGET, **variant.options())
        save(kernel, folder / f"{variant.stem}.kernel")

    def compile_example(name: str) -> None:
        save(cute_mlir.compile(tools.repository / EXAMPLES[name], target=TARGET), folder / f"{name}.kernel")

    work = [tools.pool.submit(build, variant) for variants in listed.values() for variant in variants]
    work += [tools.pool.submit(compile_example, name) for name in EXAMPLES]
    gather = folder / "gather.ptx"
    gather.write_text(speed_inputs.GATHER, encoding="utf-8")
    tools.assemble(gather, TARGET)
    answers = recorded(listed)
    np.savez_compressed(folder / "answers.npz", **{f"{row}/0": answer for row, answer in answers.items()})
    (folder / "recorded").mkdir()
    # A fake launch takes 1 ms.
    beside = {row: 0.9 for row in answers if row.startswith(("gemm", "attention"))}
    (folder / "recorded" / "baseline.json").write_text(json.dumps(beside, indent=1) + "\n", encoding="utf-8")
    for done in work:
        done.result()


def recorded(listed: dict[str, list[asked.Variant]]) -> dict[str, np.ndarray]:
    """The samples of each row, where all variants are equally fast, so that the first ones are the fastest."""
    seed = speed.RECORDED_SEED
    found: dict[str, np.ndarray] = {}
    for types, variants in listed.items():
        for shape in (asked.FIRST, *asked.OTHERS):
            # One more, for a first shape where one of them is wrong.
            for variant in variants if shape == asked.FIRST else variants[: asked.FASTEST + 1]:
                promote = variant.promote is not None
                found[speed.gemm_row(variant, shape)] = speed_inputs.of_gemm(types, shape, seed, promote).answer()
    for shape in asked.ATTENTIONS:
        found[speed.attention_row(shape)] = speed_inputs.of_attention(shape, seed).answer()
    for shape in asked.COPIES:
        found[speed.copy_row("copy", shape)] = speed_inputs.of_copy(shape, seed).answer()
        for kernel in ("transpose", "tma_transpose"):
            found[speed.copy_row(kernel, shape)] = speed_inputs.of_transpose(shape, seed).answer()
    return found
