"""Compiles the kernels of triton/ to PTX, without a GPU, and writes them with their launches.

    python tests/foreign/triton_kernels.py [--triton 3.9.0] [--all] [--out FOLDER] [NAME..]
"""

import argparse
import importlib.util
import os
import re
import sys
from pathlib import Path

os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"

import cases
import triton
from cases import Array, Map
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton_cases import CASES

HERE = Path(__file__).parent
NAMES = {
    "i8": "i8", "u8": "u8", "i16": "i16", "u16": "u16", "i32": "i32", "u32": "u32", "i64": "i64",
    "f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8E4M3FN": "fp8e4nv", "f8E5M2": "fp8e5",
}
SWIZZLES = [None, "32B", "64B", "128B"]


def kernels():
    """The cases of all files. `triton/` is no package: it would hide that of the compiler."""
    for file in sorted((HERE / "triton").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"kernels_{file.stem}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    for case in CASES:
        case.file = Path(case.function.fn.__code__.co_filename)
    return CASES


def source(case):
    """What the compiler gets: types, constants, and the promises that a launch from Python would make."""
    signature, constants, promises = {}, {}, {}
    for number, name in enumerate(cases.parameters(case.function.fn)):
        value = case.arguments[name]
        if name.isupper():
            signature[name] = "constexpr"
            constants[(number,)] = value
        elif isinstance(value, Map):
            signature[name] = f"tensordesc<{NAMES[value.array.element]}[{','.join(map(str, value.box))}]>"
        elif isinstance(value, Array):
            signature[name] = f"*{NAMES[value.element]}"
            promises[(number,)] = [["tt.divisibility", 16]]
        elif isinstance(value, float):
            signature[name] = "fp32"
        else:
            signature[name] = "i32"
            if value % 16 == 0:
                promises[(number,)] = [["tt.divisibility", 16]]
    return ASTSource(fn=case.function, signature=signature, constexprs=constants, attrs=promises)


def arguments(case, compiled):
    """The `--arg`s and `--array`s of `cutec run`."""
    texts, others = [], []
    maps = iter(compiled.metadata.tensordesc_meta or [])
    for name in cases.parameters(case.function.fn):
        value = case.arguments[name]
        if name.isupper():
            continue
        if isinstance(value, Map):
            made = next(maps)
            made = made if isinstance(made, dict) else made._asdict()
            swizzle = SWIZZLES[made["swizzle"]]
            box = "x".join(map(str, made["block_size"]))
            texts.append(f"tensor_map({name},box={box}" + (f",swizzle={swizzle})" if swizzle else ")"))
            extents = value.array.values.shape
            texts += [str(extent) for extent in extents]
            texts += [str(stride // value.array.values.itemsize) for stride in value.array.values.strides]
            others.append(case.text(name))
        elif isinstance(value, Array):
            texts.append(case.text(name))
        else:
            texts.append(str(value))
    # Memory that a launch from Python would allocate.
    for what in ("global_scratch", "profile_scratch"):
        size = getattr(compiled.metadata, f"{what}_size")
        for extent in case.grid:
            size *= extent
        texts.append(f"{what}:u8[{size}]" if size else "null")
    return texts, others


def relative(path):
    """The name of a source as it is from here."""
    path = Path(path)
    return f"triton/{path.name}" if path.is_relative_to(HERE) else f"{path.parent.name}/{path.name}"


def same_everywhere(ptx):
    """PTX in which assertions have the name of their source as it is from here."""

    def renamed(match):
        path = bytes(map(int, match[2].split(","))).decode()
        text = relative(path).encode()
        return f"{match[1]}[{len(text) + 1}] = {{{', '.join(map(str, text))}}}"

    return re.sub(r"(\bassertFile_\d+)\[\d+\] = \{([\d, ]*)\}", renamed, ptx)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triton", default=triton.__version__, help="the version that is needed")
    parser.add_argument("--all", action="store_true", help="all targets, not only those whose PTX is checked in")
    parser.add_argument("--out", type=Path, default=HERE, help="where triton/ and data/ go")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if triton.__version__ != options.triton:
        sys.exit(f"triton {triton.__version__} is installed, but {options.triton} is needed")
    (options.out / "triton").mkdir(parents=True, exist_ok=True)
    for case in kernels():
        targets = case.targets if options.all else case.kept
        if not targets or options.names and case.kernel not in options.names:
            continue
        case.write_data(options.out)
        described = []
        for target in targets:
            compiled = triton.compile(source(case), target=GPUTarget("cuda", target, 32), options=case.options)
            file = f"triton/{case.kernel}.sm_{target}.ptx"
            (options.out / file).write_text(cases.shortened(same_everywhere(compiled.asm["ptx"]), relative))
            texts, others = arguments(case, compiled)
            # The block follows from the PTX.
            shared = compiled.metadata.shared
            described.append(case.described(file, texts, others, shared=shared, **case.found(case.file)))
        cases.write_json(options.out / f"triton/{case.kernel}.json", described)


if __name__ == "__main__":
    main()
