"""Part (c): the examples and the kernels of the builders for sm_80 and sm_90a, with the simulator's results."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
from gpu_bundle import cases, cuda, numbers

TARGET = "sm_90a"

#: The names of element types in MLIR, and here.
ELEMENTS = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "tf32": "float32",
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "s8": "int8",
    "i32": "int32",
}


def array(name: str, element: str, *stored: int, fill: str = "whole", seed: int = 1, **more: Any) -> dict[str, Any]:
    """An input. `stored` are its extents in memory, the contiguous one last; `axes` gives the kernel's order."""
    return {"name": name, "element": ELEMENTS.get(element, element), "stored": stored, "fill": fill, "seed": seed, **more}


def out(name: str, element: str, *stored: int, **more: Any) -> dict[str, Any]:
    """A result. `tolerance` is the largest distance that counts as close."""
    return {"name": name, "element": ELEMENTS.get(element, element), "stored": stored, "out": True, **more}


def value(name: str, number: float) -> dict[str, Any]:
    return {"name": name, "value": number}


def case(name: str, source: str | tuple[str, str], arguments: list[dict[str, Any]], grid: Any = None) -> dict[str, Any]:
    """A launch: of an example's kernel on a grid, or by its host function."""
    return {"name": name, "source": source, "arguments": arguments, "grid": grid, "host": grid is None}


def operand(name: str, element: str, rows: int, k: int, major: str, seed: int, batch: int) -> dict[str, Any]:
    """A (M,K,L) or B (N,K,L), with the contiguous mode that is asked for."""
    swap = major != "k"
    stored = (k, rows) if swap else (rows, k)
    axes = [1, 0] if swap else [0, 1]
    if batch:
        stored, axes = (batch, *stored), [axes[0] + 1, axes[1] + 1, 0]
    return array(name, element, *stored, seed=seed, axes=axes)


def gemm(builder: str, options: str, types: str, m: int, n: int, k: int, *, to: str, batch: int = 0, tolerance: float = 0,
         a: str = "k", b: str = "k") -> dict[str, Any]:  # fmt: skip
    """A GEMM of a builder. What else its host function takes is in its options."""
    has = options.split()
    result = (batch, m, n) if batch else (m, n)
    axes = [1, 2, 0] if batch else [0, 1]
    arguments = [operand("A", types, m, k, a, 1, batch), operand("B", types, n, k, b, 2, batch)]
    is_sm90 = builder == "gemm_sm90"
    if not is_sm90 or "--beta" in has:
        arguments.append(array("C", to, *result, seed=3, axes=axes))
    arguments.append(out("D", to, *result, axes=axes, tolerance=tolerance))
    if "--bias" in has:
        vector = (batch, n) if batch else (n,)
        arguments.append(array("bias", "f32", *vector, seed=4, axes=[1, 0] if batch else [0]))
    if not is_sm90 or "--alpha" in has:
        arguments.append(value("alpha", 2))
    if not is_sm90 or "--beta" in has:
        arguments.append(value("beta", -1))
    if is_sm90:
        arguments.append(value("blocks", 4))
    majors = [f"--a-major {a}"] * (a != "k") + [f"--b-major {b}"] * (b != "k")
    spelled = " ".join([f"--types {types}", *([options] if options else []), *majors])
    if builder == "gemm_simt":
        spelled = options
    name = " ".join(f"{builder} {spelled} {m}x{n}x{k}{f'x{batch}' if batch else ''}".split())
    grid = None
    if builder == "gemm_simt" or (builder == "gemm_sm80" and "tma" not in has):
        grid = [-(-m // tile_of(has, "--m-tile")), -(-n // tile_of(has, "--n-tile"))]
    return case(name, (builder, spelled), arguments, grid)


def tile_of(options: list[str], name: str) -> int:
    return int(options[options.index(name) + 1]) if name in options else 128


def examples() -> list[dict[str, Any]]:
    found = []
    for m, n in ((32, 128), (1, 4), (33, 132)):
        grid = [-(-n // 128), -(-m // 32)]
        arguments = [array("src", "f32", m, n, fill="spread"), out("dst", "f32", m, n)]
        found.append(case(f"copy {m}x{n}", "copy", arguments, grid))
    for m, n in ((64, 64), (8, 8), (72, 136)):
        grid = [-(-n // 64), -(-m // 64)]
        arguments = [array("src", "f16", m, n, fill="spread"), out("dst", "f16", n, m)]
        found.append(case(f"transpose {m}x{n}", "transpose", arguments, grid))
    for m, n in ((4, 1024), (1, 8), (37, 600)):
        arguments = [array("X", "f16", m, n, fill="spread"), out("Y", "f16", m, n, tolerance=0.0005)]
        found.append(case(f"softmax {m}x{n}", "softmax", arguments, [-(-m // 4)]))
    for m in (4, 9):
        arguments = [
            array("X", "f32", m, 1024, fill="spread"),
            array("gamma", "f32", 1024, fill="spread", seed=2),
            array("beta", "f32", 1024, fill="spread", seed=3),
            out("Y", "f32", m, 1024, tolerance=1e-5),
            value("eps", 1e-5),
        ]
        found.append(case(f"layernorm {m}x1024", "layernorm", arguments, [m]))
    for m, n, k in ((128, 128, 64), (200, 136, 72)):
        arguments = [
            array("A", "bf16", m, k),
            array("B", "bf16", n, k, seed=2),
            array("bias", "bf16", n, seed=3),
            out("D", "bf16", m, n),
        ]
        found.append(case(f"gemm_bias_relu {m}x{n}x{k}", "gemm_bias_relu", arguments, [-(-m // 128), -(-n // 128)]))
    for queries, keys, heads in ((64, 64, 1), (100, 150, 2)):
        # (rows, 64, heads), with the heads slowest.
        stored = [(heads, queries, 64), (heads, keys, 64), (heads, keys, 64)]
        arguments = [
            array(name, "f16", *shape, fill="spread", seed=i, axes=[1, 2, 0])
            for i, (name, shape) in enumerate(zip("QKV", stored, strict=True), 1)
        ]
        arguments += [out("O", "f16", heads, queries, 64, axes=[1, 2, 0], tolerance=0.002), value("scale", 0.125)]
        found.append(case(f"attention {queries}x{keys}x{heads}", "attention", arguments, [-(-queries // 64), heads]))
    counts = out("counts", "i32", 256)
    found.append(case("atomics 10000", "atomics", [array("x", "int8", 10000), counts], [3]))
    by_host = {"tma/gemm": (200, 72, 136), "hopper/wgmma": (72, 200, 136), "hopper/warp_roles": (136, 200, 328),
               "hopper/persistent_cluster": (136, 200, 328)}  # fmt: skip
    for name, (m, n, k) in by_host.items():
        arguments = [array("A", "f16", m, k), array("B", "f16", n, k, seed=2), out("C", "f32", m, n)]
        found.append(case(f"{name} {m}x{n}x{k}", name, arguments))
    arguments = [array("A", "f16", 72, 136, fill="spread"), out("B", "f16", 136, 72)]
    found.append(case("tma/transpose 72x136", "tma/transpose", arguments))
    arguments = [array("X", "f32", 3, 1000), out("S", "f32", 3)]
    found.append(case("hopper/cluster_sum 3x1000", "hopper/cluster_sum", arguments, [4, 3]))
    for name, blocks in (("1_naive", 8), ("2_partitioned", 2), ("3_shared", 2), ("4_tensor_cores", 2)):
        element = "f16" if name == "4_tensor_cores" else "f32"
        arguments = [array("A", element, 128, 64), array("B", element, 128, 64, seed=2), out("C", "f32", 128, 128)]
        found.append(case(f"gemm/{name} 128x128x64", f"gemm/{name}", arguments, [blocks, blocks]))
    arguments = [array("A", "f16", 128, 64), array("B", "f16", 128, 64, seed=2), out("D", "f32", 128, 128)]
    found.append(case("auto/gemm 128x128x64", "auto/gemm", arguments, [2, 2]))
    return found


def builders() -> list[dict[str, Any]]:
    found = [gemm("gemm_simt", "", "f32", 136, 72, 40, to="f32"), gemm("gemm_simt", "--aligned", "f32", 128, 128, 32, to="f32")]
    for types, to in (("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("s8", "i32")):
        found.append(gemm("gemm_sm80", "", types, 200, 136, 80, to=to))
        found.append(gemm("gemm_sm80", "--copy tma", types, 200, 136, 80, to=to))
    found.append(gemm("gemm_sm80", "--m-tile 64 --n-tile 64 --stages 2", "f16", 72, 200, 264, to="f32"))
    found.append(gemm("gemm_sm80", "", "f16", 136, 72, 136, to="f32", a="m", b="n"))
    found.append(gemm("gemm_sm80", "--copy tma", "bf16", 136, 72, 136, to="f32", a="m", b="n"))
    for types, to in (("bf16", "bf16"), ("f16", "f16"), ("tf32", "f32"), ("e4m3", "f32"), ("e5m2", "f32"), ("s8", "i32")):
        found.append(gemm("gemm_sm90", "", types, 136, 272, 144, to=to))
        pingpong = "--schedule pingpong --n-tile 128 --n-cluster 2 --m-cluster 1"
        found.append(gemm("gemm_sm90", pingpong, types, 200, 144, 272, to=to))
    small = "--m-tile 64 --n-tile 64 --m-cluster 1"
    for a, b in (("m", "k"), ("k", "n"), ("m", "n")):
        found.append(gemm("gemm_sm90", small, "bf16", 136, 72, 200, to="bf16", a=a, b=b))
    found.append(gemm("gemm_sm90", small + " --out f32", "bf16", 72, 136, 136, to="f32"))
    found.append(gemm("gemm_sm90", small + " --out f16", "e4m3", 72, 136, 144, to="f16"))
    found.append(gemm("gemm_sm90", small + " --alpha --beta --bias --activation relu", "f16", 72, 136, 136, to="f16"))
    found.append(gemm("gemm_sm90", small + " --activation gelu", "bf16", 72, 72, 72, to="bf16", tolerance=0.5))
    found.append(gemm("gemm_sm90", small + " --activation silu", "f16", 72, 72, 72, to="f16", tolerance=0.06))
    found.append(gemm("gemm_sm90", small + " --batch --bias", "bf16", 72, 72, 72, to="bf16", batch=3))
    found.append(gemm("gemm_sm90", small + " --promote 1", "e4m3", 72, 72, 272, to="f32"))
    found.append(gemm("gemm_sm90", "--m-tile 192 --n-tile 64 --m-cluster 1 --consumers 3", "bf16", 200, 104, 72, to="bf16"))
    found.append(gemm("gemm_sm90", "--m-tile 128 --n-tile 64 --m-cluster 2 --n-cluster 2", "bf16", 264, 136, 72, to="bf16"))
    for columns in (640, 4096):
        arguments = [
            array("X", "f32", 5, columns, fill="spread"),
            array("gamma", "f32", columns, fill="spread", seed=2),
            array("beta", "f32", columns, fill="spread", seed=3),
            out("Y", "f32", 5, columns, tolerance=1e-5),
            value("eps", 1e-5),
        ]
        found.append(case(f"layernorm --columns {columns} 5", ("layernorm", f"--columns {columns}"), arguments, [5]))
    for source, element in (("f32", "f32"), ("f16", "f16"), ("bf16", "bf16")):
        arguments = [
            array("X", element, 136, 160, fill="spread"),
            out("Q", "float8_e4m3fn", 136, 160),
            # Blocks of 128 rows and 4 factors of 32 columns.
            out("S", "float8_e8m0fnu", 2 * 2 * 512),
        ]
        grid = [8, 2]
        found.append(case(f"quantize --from {source} 136x160", ("quantize", f"--from {source}"), arguments, grid))
    return found


def make(folder: pathlib.Path, tools: Any) -> None:
    """Compiles each kernel once, and runs each launch in the simulator."""
    rows = tools.take(examples(), 6) + tools.take(builders(), 6)
    sources = {json.dumps(row["source"]): row["source"] for row in rows}
    stems = dict(zip(sources, tools.pool.map(lambda s: saved(s, folder, tools), sources.values()), strict=True))
    for row in rows:
        row["kernel"] = stems[json.dumps(row.pop("source"))]
    answers: dict[str, np.ndarray] = {}
    for row, found in zip(rows, tools.pool.map(lambda row: simulated(row, folder), rows), strict=True):
        answers |= {f"{row['name']}/{index}": values for index, values in found.items()}
    (folder / "cases.json").write_text(json.dumps(rows, indent=0) + "\n")
    np.savez_compressed(folder / "answers.npz", **answers)


def saved(source: Any, folder: pathlib.Path, tools: Any) -> str:
    """Compiles an example, or what a builder writes, and returns the name of its file."""
    import cute_mlir

    if isinstance(source, str):
        kernel = cute_mlir.compile(tools.repository / "examples" / f"{source}.mlir", target=TARGET)
        name = source
    else:
        builder, spelled = source
        words, options = spelled.split(), {}
        for i, word in enumerate(words):
            if word.startswith("--"):
                alone = i + 1 == len(words) or words[i + 1].startswith("--")
                options[word[2:].replace("-", "_")] = True if alone else words[i + 1]
        kernel = cute_mlir.build_kernel(builder, target=TARGET, **options)
        name = f"{builder} {spelled}"
    stem = "".join(c if c.isalnum() else "_" for c in name).strip("_")
    kernel.cubin  # noqa: B018 - without ptxas it is an error here
    kernel.save(folder / f"{stem}.kernel")
    return stem


def simulated(row: dict[str, Any], folder: pathlib.Path) -> dict[int, np.ndarray]:
    """The results of a launch in the simulator, by their numbers among the arrays."""
    import cute_mlir

    kernel = cute_mlir.load(folder / f"{row['kernel']}.kernel")
    given, arrays = [], []
    for argument in row["arguments"]:
        if "value" in argument:
            given.append(argument["value"])
            continue
        stored = cases.values(argument)
        arrays.append((argument, stored))
        given.append(cuda.Host(stored.transpose(argument.get("axes", range(stored.ndim))), argument["element"]))
    if row["host"]:
        named = {argument["name"]: v for argument, v in zip(row["arguments"], given, strict=True)}
        report = cute_mlir.simulate_host(kernel, named, schedule="lazy")
    else:
        report = cute_mlir.simulate(kernel, row["grid"], given, schedule="lazy")
    if not report.ok:
        raise RuntimeError(f"{row['name']}: {report}")
    return {i: stored for i, (argument, stored) in enumerate(arrays) if argument.get("out")}
