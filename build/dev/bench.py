"""The table of examples, and timings."""

import pathlib
import re
import subprocess

import house
import needs
import versions
from shell import LOCKED, ROOT, TARGET, die, run

ROW = "{:<24} {:<8} {:<28} {:>6} {:>8} {:>5} {:>7}  {}"
FOLDERS = ["", "auto", "gemm", "tma", "hopper", "blackwell", "geforce"]


def bench(count="10000"):
    needs.build()
    run("cargo", "bench", "-p", "cute-algebra", "--bench", "algebra", *LOCKED)
    run("cargo", "bench", "-p", "cute-sim", "-p", "cute-decode", "--bench", "mma", "--bench", "speed", *LOCKED)
    run("cargo", "build", "--release", "-p", "cute-tools", *LOCKED)
    house.link_tools(TARGET / "release")
    run("python3", "benches/tool.py", TARGET / "release", count)


def resources(ptxas, ptx, gpu):
    """The name, registers and spilled bytes of each kernel, as ptxas reports them."""
    words = [ptxas, "-v", f"-arch={gpu}", "-o", "/dev/null", str(ptx)]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    kernel, spilled = "", "0"
    for line in (said.stdout + said.stderr).splitlines():
        if found := re.search(r"Compiling entry function '([^']*)'", line):
            kernel = found[1]
        elif found := re.search(r"(\d+) bytes spill stores", line):
            spilled = found[1]
        elif found := re.search(r"Used (\d+) registers", line):
            yield kernel, found[1], spilled
            spilled = "0"


class Example:
    """An example for one GPU."""

    def __init__(self, source, gpu, ptxas):
        self.source, self.gpu, self.ptxas = source, gpu, ptxas
        self.name = source.relative_to(ROOT / "examples").with_suffix("").as_posix()
        self.base = TARGET / "examples" / f"{self.name}.{gpu}"
        self.base.parent.mkdir(parents=True, exist_ok=True)

    def file(self, kind):
        return self.base.with_name(f"{self.base.name}.{kind}")

    def emit(self, kind):
        """Compiles, and returns nothing or the first line of the error."""
        words = [TARGET / "release/cutec", self.source.relative_to(ROOT), "--target", self.gpu, "--emit", kind, "-o", self.file(kind)]
        ending = subprocess.run(words, capture_output=True, text=True, check=False)
        self.file("log").write_text(ending.stderr)
        return None if ending.returncode == 0 else (ending.stderr.splitlines() or ["no output"])[0]

    def rows(self):
        """The lines of the table, whether PTX was made, and whether all went well."""
        for kind in ("ptx", "cubin", "log"):
            self.file(kind).unlink(missing_ok=True)
        # An example may support one GPU only; cutec then reports that.
        if error := self.emit("ptx"):
            return [(self.name, self.gpu, *"-----", error)], False, True
        ptx = self.file("ptx").read_text()
        size = ptx.count("\n"), len(ptx.encode())
        if not self.ptxas:
            kernels = re.findall(r"\.entry ([A-Za-z0-9_$]+)", ptx)
            return [(self.name, self.gpu, kernel, *size, "-", "-", shown(self.file("ptx"))) for kernel in kernels], True, True
        if error := self.emit("cubin"):
            return [(self.name, self.gpu, "-", *size, "-", "-", f"no cubin: {error}")], True, False
        found = resources(self.ptxas, self.file("ptx"), self.gpu)
        return [(self.name, self.gpu, kernel, *size, *used, shown(self.file("cubin"))) for kernel, *used in found], True, True


def shown(file):
    return file.relative_to(ROOT) if file.is_relative_to(ROOT) else file


def run_examples():
    needs.build()
    ptxas = needs.ptxas()
    run("cargo", "build", "--release", "-p", "cute-tools", "--bin", "cutec", *LOCKED)
    house.link_ptxas()
    rows, good = [], True
    for source in (file for folder in FOLDERS for file in sorted(pathlib.Path(ROOT, "examples", folder).glob("*.mlir"))):
        made = False
        for gpu in versions.GPUS:
            more, has_ptx, is_good = Example(source, gpu, ptxas).rows()
            rows += more
            made |= has_ptx
            good &= is_good
        good &= made
    if not rows:
        die("there is nothing in examples/")
    print(ROW.format("example", "GPU", "kernel", "lines", "bytes", "regs", "spilled", "file"))
    for row in rows:
        print(ROW.format(*map(str, row)))
    if not good:
        die("some examples did not compile")
