"""The names of LLVM's NVVM intrinsics and of the NVVM dialect's ops, from the td files of an installed LLVM."""

import json
import os
import re
import subprocess
from pathlib import Path

from shell import ROOT

LISTS = ROOT / "crates/cute-ptx/src/llvm"


def write():
    """`./dev names` writes the lists that `cute_ptx::llvm` reads."""
    records = dumped("llvm/IR/Intrinsics.td")
    intrinsics = sorted(filter(None, (signature(records, name) for name in records["!instanceof"]["Intrinsic"])))
    (LISTS / "intrinsics.txt").write_text("".join(f"{line}\n" for line in intrinsics))
    records = dumped("mlir/Dialect/LLVMIR/NVVMOps.td")
    ops = sorted(records[name]["opName"] for name in records["!instanceof"]["Op"] if name.startswith("NVVM_"))
    (LISTS / "ops.txt").write_text("".join(f"{op}\n" for op in ops))
    print(f"{len(intrinsics)} intrinsics, {len(ops)} ops")


def dumped(td):
    """The records of a td file of LLVM."""
    llvm = Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"))
    command = [llvm / "bin/llvm-tblgen", "--dump-json", "-I", llvm / "include", llvm / "include" / td]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def signature(records, name):
    """`add.rn.f f32, f32 -> f32`, as `cute_ptx::llvm` documents it; None for another target's intrinsic."""
    record = records[name]
    called = record["LLVMName"] or "llvm." + name.removeprefix("int_").replace("_", ".")
    if not called.startswith("llvm.nvvm."):
        return None
    constants, least = set(), {}
    for of in (records[one["def"]] for one in record["IntrProperties"]):
        if "ImmArg" in of["!superclasses"]:
            constants.add(of["ArgNo"] - 1)
        if "Range" in of["!superclasses"]:
            least[of["ArgNo"] - 1] = of["Lower"]
    # An argument that is like another one has its number.
    overloaded = [one["def"] for one in record["RetTypes"] + record["ParamTypes"] if "_any" in one["def"]]

    def typed(one):
        ty = records[one["def"]]
        if "LLVMMatchType" in ty["!superclasses"]:
            return named(overloaded[ty["Number"]])
        if "LLVMQualPointerType" in ty["!superclasses"]:
            return "ptr" + "".join(str(space) for space in ty["Sig"][1:])
        return named(one["def"])

    def parameter(number, one):
        return (f"#{least.get(number, '')}:" if number in constants else "") + typed(one)

    parameters = [parameter(number, one) for number, one in enumerate(record["ParamTypes"])]
    results = [typed(one) for one in record["RetTypes"]]
    return " ".join([called.removeprefix("llvm.nvvm."), *counted(parameters), "->", *counted(results)]).removesuffix(" ->")


def named(definition):
    """MLIR's name of a type: `llvm_v2f16_ty` is `2xf16`, and `llvm_anyptr_ty` `anyptr`."""
    name = definition.removeprefix("llvm_").removesuffix("_ty")
    vector = re.fullmatch(r"v(\d+)(.*)", name)
    scalar = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16"}
    return f"{vector[1]}x{scalar.get(vector[2], vector[2])}" if vector else scalar.get(name, name)


def counted(types):
    """Types of which several equal ones that follow each other are `8*f32`."""
    runs = []
    for ty in types:
        if runs and runs[-1][1] == ty:
            runs[-1][0] += 1
        else:
            runs.append([1, ty])
    return [ty if count == 1 else f"{count}*{ty}" for count, ty in runs]
