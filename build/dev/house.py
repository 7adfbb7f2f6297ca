"""Building, formatting and packaging the workspace."""

import os
import pathlib
import tomllib

import needs
import versions
from shell import LLVM, LOCKED, ROOT, TARGET, link, only, run


def link_tools(folder):
    """Makes the other tools in a folder links to cutec, which is the tool by whose name it is called. cute-calc is also an executable
    of its own, which is built without LLVM."""
    link("cutec", pathlib.Path(folder) / "cute-opt")


def link_ptxas():
    """The tools look for ptxas in their own folder, but never in a .venv: a project that somebody downloaded could bring one."""
    tool = os.environ.get("CUTE_PTXAS") or only(f"{needs.VENV}/lib/python3*/site-packages/nvidia/cu*/bin/ptxas")
    if tool:
        link(tool, TARGET / "release/ptxas")


def build():
    needs.build()
    run("cargo", "build", "--release", "--workspace", *LOCKED)
    link_tools(TARGET / "release")
    link_ptxas()


def fmt():
    needs.build()
    needs.rust_component("fmt", "rustfmt")
    run("cargo", "fmt", "--all")
    run("clang-format-22", "-i", *needs.sources_in_c())


def version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def package():
    """Packages all crates, and builds and documents those without LLVM from their packages, without LLVM and network."""
    needs.build()
    folders = {name: TARGET / f"package/{name}-{version()}" for name in versions.FREE_CRATES}
    run("cargo", "package", "--workspace", "--no-verify", "--allow-dirty", *LOCKED)
    path = os.environ["PATH"].replace(f"{LLVM}/bin", "")
    alone = {"PATH": path, "MLIR_SYS_220_PREFIX": "/nowhere", "CARGO_NET_OFFLINE": "true", "RUSTDOCFLAGS": "-D warnings"}
    run("cargo", "package", "--allow-dirty", *(word for name in folders for word in ("-p", name)), env=alone)
    patches = [word for name, folder in folders.items() for word in ("--config", f"patch.crates-io.{name}.path='{folder}'")]
    for folder in folders.values():
        options = ["--no-deps", "--target-dir", TARGET / "package/doc", *patches]
        run("cargo", "doc", *options, "--manifest-path", folder / "Cargo.toml", env=alone)
