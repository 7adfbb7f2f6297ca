"""Compiles the kernels of cuda/ to PTX, and writes them with their launches.

    python tests/foreign/cuda_kernels.py --nvcc NVCC [--clang clang-22] [--all --include FOLDER..] [--out FOLDER] [NAME..]
"""

import argparse
import re
import subprocess
from pathlib import Path

import cases
from cases import Array, Map
from cuda_cases import CASES

HERE = Path(__file__).parent

# Sources whose launches lie in cuda/launches, written by hand.
LAUNCHED = {"reports": ("nvcc.sm_90", "clang.sm_90")}


def command(options, source, made, out):
    """How one file is compiled: `nvcc`, `debug` for nvcc without optimisation, or `clang`."""
    compiler, gpu = made.split(".")
    if compiler == "clang":
        # Without the headers and the libraries of CUDA.
        clang = [options.clang, "-x", "cuda", "-std=c++17", "-nocudainc", "-nocudalib", "--cuda-device-only", "-O2"]
        return [*clang, f"--cuda-gpu-arch={gpu}", "--cuda-feature=+ptx83", "-gline-tables-only", "-S", source, "-o", out]
    lines = "-G" if compiler == "debug" else "-lineinfo"
    headers = [word for folder in options.include for word in ("-I", folder)]
    nvcc = [options.nvcc, "-std=c++17", "--expt-relaxed-constexpr", f"-arch={gpu}", lines, *headers]
    return [*nvcc, "-ptx", source, "-o", out]


def compile_file(options, source, made, out):
    run = subprocess.run(command(options, source, made, out), cwd=HERE, capture_output=True, text=True, timeout=120)
    if run.returncode:
        raise SystemExit(f"{source} for {made}: {run.stderr}")
    out.write_text(cases.shortened(same_everywhere(out.read_text()), relative))


def same_everywhere(ptx):
    """PTX without the number that nvcc computes from the folder, for names that are local to a file."""
    return re.sub(r"(_INTERNAL)_[0-9a-f]{8}_", r"\1_00000000_", ptx)


def relative(path):
    """The name of a source as it is from here."""
    return f"cuda/{Path(path).name}"


def arguments(case):
    texts, others = [], []
    for name, value in case.arguments.items():
        if isinstance(value, Map):
            texts.append(f"tensor_map({name},box={'x'.join(map(str, value.box))})")
            others.append(case.text(name))
        elif isinstance(value, Array):
            texts.append(case.text(name))
        else:
            texts.append(str(value))
    return texts, others


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--out", type=Path, default=HERE, help="where cuda/ and data/ go")
    parser.add_argument("--all", action="store_true", help="also the kernels whose PTX is not checked in")
    parser.add_argument("--include", action="append", default=[], help="a folder with headers: of CCCL, of CUTLASS")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    (options.out / "cuda").mkdir(parents=True, exist_ok=True)
    for case in CASES:
        wanted = case.made if options.all else case.kept
        if options.names and case.kernel not in options.names or not wanted:
            continue
        case.write_data(options.out)
        found = case.found(HERE / f"cuda/{case.source}.cu")
        described = []
        for made in wanted:
            file = f"cuda/{case.source}.{made}.ptx"
            compile_file(options, f"cuda/{case.source}.cu", made, (options.out / file).absolute())
            texts, others = arguments(case)
            described.append(case.described(file, texts, others, kernel=case.kernel, **case.launch, **found))
        cases.write_json(options.out / f"cuda/{case.kernel}.json", described)
    for source, compilers in LAUNCHED.items():
        for made in compilers if not options.names or source in options.names else ():
            compile_file(options, f"cuda/{source}.cu", made, (options.out / f"cuda/{source}.{made}.ptx").absolute())


if __name__ == "__main__":
    main()
