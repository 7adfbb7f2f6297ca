"""Writes launches of public kernels with their PTX to `tests/foreign/corpus`, where a test runs them.

Only kernels under permissive licences are written, each repository with its licence, and those of the headers that its kernels include.
"""

import json
import re
import shutil
from pathlib import Path

import numpy as np
from launches import CapturedSource, ModuleSource, ProgramSource, TritonSource, found

from cases import save, shortened

FOLDER = Path(__file__).parents[1] / "corpus"

# The files with licences, in the checkout.
LICENCES = {
    "llm.c": "LICENSE",
    "ggml": "LICENSE",
    "fast.cu": "LICENSE",
    "flashinfer": "LICENSE",
    "DeepGEMM": "LICENSE",
    "ThunderKittens": "LICENSE",
    "FlashMLA": "LICENSE",
    "cutlass": "LICENSE.txt",
    "Liger-Kernel": "LICENSE",
    "unsloth": "LICENSE",
    "flash-linear-attention": "LICENSE",
    "triton": "LICENSE",
    "helion": "LICENSE",
}
# Repositories whose kernels include headers of CUTLASS.
CUTLASS = ("DeepGEMM", "flashinfer", "FlashMLA")

# Kernels for which nvcc takes functions from libdevice, whose licence is another one.
LIBDEVICE = r"soft_?max|gelu|cross_?entropy|classifier|attention|rope|gated_linear|adamw|BatchQK|encoder_"

# Half a unit in the last place of narrow types, relative to the value.
ROUNDING = {"f16": 2**-11, "bf16": 2**-8, "f8E4M3FN": 2**-4, "f8E5M2": 2**-3}

# Bytes of PTX and of arrays that one launch may take.
PTX, ARRAYS = 200_000, 300_000


def may_be_written(one, record):
    """Whether a launch runs to its end, and is free to be copied."""
    is_of_nvcc = not isinstance(one.source, (TritonSource, CapturedSource, ModuleSource))
    if one.repository.name not in LICENCES or isinstance(one.source, (ModuleSource, ProgramSource)):
        return False
    # Apache-2.0 asks for its text and a notice of changes, which the readme has.
    if is_of_nvcc and (re.search(LIBDEVICE, one.kernel) or "cub" in one.kernel):
        return False
    return one.ends and record is not None


def kernel_alone(ptx, entry):
    """A module with one kernel, and the functions and variables that it names."""
    head = re.match(r"(?:\s*(?://[^\n]*|\.version[^\n]*|\.target[^\n]*|\.address_size[^\n]*)?\n)*", ptx)[0]
    rest = ptx[len(head) :]
    # Items begin at the left margin with a directive, and end where the next one begins.
    starts = [m.start() for m in re.finditer(r"^\.(visible|weak|entry|func|extern|global|const|shared|common|alias)\b", rest, re.M)]
    starts.append(len(rest))
    items = [rest[a:b] for a, b in zip(starts, starts[1:])]
    named = {}
    for item in items:
        if found_name := re.match(r"(?:\.visible |\.weak |\.extern |\.common )*\.(entry|func|global|const|shared)\b[^=;{]*?([\w$%]+)\s*(?:\[|\(|;|=|$)", item):
            kind, name = found_name[1], found_name[2]
            if kind == "func":
                name = re.search(r"\.func\s+(?:\([^)]*\)\s*)?([\w$]+)", item)[1]
            named.setdefault(name, []).append(item)
    kept, open_names = set(), [entry]
    while open_names:
        name = open_names.pop()
        if name in kept:
            continue
        kept.add(name)
        words = set(re.findall(r"[\w$]+", re.sub(r"//[^\n]*", "", "".join(named.get(name, [])))))
        open_names += [word for word in words if word in named and word not in kept]
    others = {id(item) for name, own in named.items() if name not in kept for item in own}
    return head + "".join(item for item in items if id(item) not in others)


class Corpus:
    """The launches that are written."""

    def __init__(self):
        self.cases, self.files = {}, {}

    def add(self, one, ptx, out, report, folder):
        """Writes a launch that was run from these files."""
        name = one.repository.name
        own = FOLDER / name
        (own / "data").mkdir(parents=True, exist_ok=True)
        entry = one.entry(ptx.read_text())

        text = shortened(kernel_alone(ptx.read_text(), entry), str)
        # Places in sources that are not here.
        text = re.sub(r"\n\s*\.(loc|file)\b[^\n]*", "", text)
        number = len(self.cases.setdefault(name, []))
        # Launches of one kernel share its file.
        file = self.files.setdefault((name, text), f"{number}.{one.kernel}.ptx")
        case = {"file": file, "what": one.what, "kernel": entry}
        words = one.command("cutec", folder, ptx, out)
        pairs = list(zip(words, words[1:]))
        case["options"] = []
        for flag in ("--grid", "--block", "--cluster", "--shared"):
            case["options"] += [word for pair in pairs if pair[0] == flag for word in pair]
        if "--cooperative" in words:
            case["options"].append("--cooperative")
        size = len(text)
        arguments = []
        for flag, value in pairs:
            if flag in ("--arg", "--array"):
                if given := re.search(r"=([^=]*\.in\.npy)$", value):
                    kept = f"data/{number}.{Path(given[1]).name}"
                    shutil.copy(given[1], own / kept)
                    size += (own / kept).stat().st_size
                    value = value.replace(given[1], kept)
                arguments += [flag, value]
        case["arguments"] = arguments
        case["expected"] = {}
        for array, values in one.results().items() if one.right else ():
            kept = f"data/{number}.{array}.out.npy"
            save(own / kept, np.asarray(values).astype(one.arrays[array].values.dtype).reshape(one.arrays[array].values.shape))
            size += (own / kept).stat().st_size
            case["expected"][array] = kept
        # The expected array is rounded to its type, too.
        rounding = max((ROUNDING.get(one.arrays[array].element, 0) for array in one.results()), default=0)
        case["tolerance"] = one.tolerance + rounding if one.tolerance else 0
        case["findings"] = sorted({f"{grade} {kind}" for kind, grade, _ in found(report)})
        if size > PTX + ARRAYS:
            for old in own.glob(f"data/{number}.*"):
                old.unlink()
            if file.startswith(f"{number}."):
                del self.files[name, text]
            return
        (own / file).write_text(text)
        self.cases[name].append(case)

    def write(self, folder):
        for name, cases in self.cases.items():
            if not cases:
                shutil.rmtree(FOLDER / name)
                continue
            lines = ",\n".join(f"  {json.dumps(case)}" for case in cases)
            (FOLDER / name / "launches.json").write_text(f"[\n{lines}\n]\n")
            shutil.copy(folder / name / LICENCES[name], FOLDER / name / "LICENSE")
            if name in CUTLASS:
                shutil.copy(folder / "cutlass" / LICENCES["cutlass"], FOLDER / name / "LICENSE.cutlass")
