"""Writes the PTX of each kernel, with the lines of its source: pip install nvidia-cuda-nvrtc, and run it in this folder."""

import pathlib

import cute_mlir as cm

HERE = pathlib.Path(__file__).parent.resolve()

for source in sorted((HERE / "kernels").glob("*.cu")):
    program = cm.nvrtc_program(source, file=f"kernels/{source.name}", target="sm_90")
    # Reports name the source from here.
    source.with_suffix(".ptx").write_text(program.text.replace(f'"{HERE}/', '"'))
