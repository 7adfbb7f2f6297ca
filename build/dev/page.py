"""The crates for WebAssembly, the page that is made of them, and the book of the documents."""

import os
import re
import shutil
import subprocess

import needs
import versions
from shell import CI, LOCKED, TARGET, die, output, run

WASM = TARGET / versions.WASM / "wasm"
FILE = TARGET / "page/cute.html"


def wasm():
    """Checks that the crates without an operating system compile for WebAssembly, or at least that nothing they depend on is known not
    to."""
    needs.rust()
    chosen = [word for name in versions.WASM_CRATES for word in ("-p", name)]
    tree = ["--target", versions.WASM, "-e", "normal", "--prefix", "none", "--format", "{p}"]
    used = {line.split(" ")[0] for line in output("cargo", "tree", *chosen, *LOCKED, *tree).splitlines()}
    if denied := sorted(name for name in used if re.fullmatch(versions.WASM_DENIED, name)):
        die(f"for {versions.WASM}, {' '.join(versions.WASM_CRATES)} depend on: {', '.join(denied)}")
    if needs.has_target(versions.WASM):
        run("cargo", "check", *chosen, *LOCKED, "--target", versions.WASM)
        print(f"wasm: compiled {' '.join(versions.WASM_CRATES)}")
    else:
        print(f"wasm: not run, because {versions.WASM} is not installed. No dependency is one of those that are known not to compile for it")


def can_compile():
    """Whether the page can be compiled. CI must do so."""
    if needs.has_target(versions.WASM):
        return True
    if CI:
        die(f"the page needs the target {versions.WASM} of rustc: run rustup target add {versions.WASM}")
    print(f"page: not run, because {versions.WASM} is not installed")
    return False


def write():
    crates = ["-p", "cute-page", "-p", "cute-ptx-page", "-p", "cute-unpack"]
    run("cargo", "build", *crates, "--lib", "--profile", "wasm", *LOCKED, "--target", versions.WASM)
    run("python3", "build/page.py", WASM, FILE)


def book():
    needs.rust()
    mdbook = needs.mdbook()
    if not can_compile():
        die("the book has the page in it")
    write()
    folder = TARGET / "book"
    folder.mkdir(parents=True, exist_ok=True)
    run("python3", "build/book.py", FILE, folder)
    run(mdbook, "build", folder)
    run("python3", "build/book.py", "--check", folder / "book")


def command(option=None):
    """`./dev page [--test]`."""
    needs.rust()
    if option not in (None, "--test"):
        die(f"page takes --test, not '{option}'")
    if can_compile():
        write()
        if option:
            tests()


def reports():
    """Reports of two runs: one with a race, one of a GEMM with four tiles."""
    cutec, out, matrix = TARGET / "debug/cutec", TARGET / "page", "bf16[256x256]"
    race = "tests/sim/broken/copy_without_barrier.mlir"
    words = ["run", race, "--grid", "1", "--block", "64", "--arg", "i32[64]=1", "--arg", "i32[64]", "--html", out / "broken.html"]
    with open(out / "broken.txt", "w") as said:
        if subprocess.run([cutec, *words], stderr=said, check=False).returncode == 0:
            die(f"the race in {race} is not found")
    run(cutec, "build", "gemm_sm90", "--target", "sm_90a", "--emit", "cute", "-o", out / "gemm_sm90.mlir")
    arguments = [f"A:{matrix}=random(1)", f"B:{matrix}=random(2)", f"D:{matrix}", "blocks:2"]
    arguments = [word for argument in arguments for word in ("--arg", argument)]
    with open(out / "gemm.txt", "w") as said:
        options = [*arguments, "--schedule", "lazy", "--html", "gemm.html"]
        run(cutec, "run", "gemm_sm90.mlir", "--host", *options, cwd=out, stdout=said)


def tests():
    """Compares the answers in WebAssembly with the native ones, reports with those of each other interface, and uses the page in a
    browser."""
    node = [] if shutil.which("node") else ["nodejs"]
    if not needs.can_have_packages(*node, "chromium", "chromium-driver", "fonts-dejavu-core"):
        print("page: its tests are not run, because Chromium, its driver or node is missing")
        return
    needs.rust()
    run("cargo", "build", "--workspace", "--lib", "--bin", "cute-calc", "--bin", "cutec", *LOCKED)
    reports()
    debug, crates = TARGET / "debug", "crates"
    pictures = "docs/pictures" if os.environ.get("UPDATE_DOCS") == "1" else TARGET / "page/pictures"
    run("node", f"{crates}/cute-page/tests/vectors.mjs", WASM / "cute_page.wasm", debug / "cute-calc", "tests/vectors")
    native = [debug / name for name in ("cutec", "libcute.so", "lib_native.so")]
    run("python3", f"{crates}/cute-ptx-page/tests/same.py", *native, WASM / "cute_ptx_page.wasm")
    run("python3", f"{crates}/cute-page/tests/kernels.py", FILE, debug / "cutec", "--pictures", pictures)
    found = [TARGET / "page/broken.html", TARGET / "page/gemm.html"]
    run("python3", f"{crates}/cute-page/tests/browser.py", FILE, "--pictures", pictures, "--reports", *found)
    # The page is kept; its dependencies were compiled for it alone.
    if CI:
        for folder in (TARGET / versions.WASM, TARGET / "wasm"):
            shutil.rmtree(folder, ignore_errors=True)
