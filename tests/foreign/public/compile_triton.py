"""Compiles one kernel of Triton out of a file whose other contents need libraries that are not there.

    python compile_triton.py FILE OUT DESCRIPTION

DESCRIPTION is JSON: the function and those that it calls, the types of its parameters, its constants, the warps and the target.
The functions are copied to a module without their decorators, at their lines. Writes OUT with PTX, and OUT.metadata with what a
launch needs.
"""

import ast
import importlib.util
import json
import sys
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


def alone(file, functions):
    """The text of functions of a file, each at its line, behind the imports of Triton."""
    text = file.read_text()
    lines = text.splitlines()
    kept = [""] * len(lines)
    kept[0] = "import triton, triton.language as tl"
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            kept[node.lineno - 2] = "@triton.jit"
            kept[node.lineno - 1 : node.end_lineno] = lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(kept) + "\n"


def main():
    file, out, described = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
    # Triton names the module's file in `.loc`.
    copy = out.parent / "copies" / out.stem / file.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(alone(file, described["functions"]))
    spec = importlib.util.spec_from_file_location(f"copy_of_{file.stem}", copy)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, described["functions"][0])
    numbers = {name: number for number, name in enumerate(function.arg_names)}
    signature = {name: described["types"].get(name, "constexpr") for name in function.arg_names}
    constants = {(numbers[name],): value for name, value in described["constants"].items()}
    promises = {(numbers[name],): [["tt.divisibility", 16]] for name, kind in signature.items() if kind.startswith("*")}
    source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=promises)
    options = {"num_warps": described["warps"], "num_stages": 1}
    compiled = triton.compile(source, target=GPUTarget("cuda", described["target"], 32), options=options)
    metadata = compiled.metadata
    if metadata.global_scratch_size or metadata.profile_scratch_size:
        sys.exit("the kernel needs memory that a launch allocates")
    out.write_text(compiled.asm["ptx"])
    Path(f"{out}.metadata").write_text(json.dumps({"shared": metadata.shared}))


if __name__ == "__main__":
    main()
