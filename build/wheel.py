"""Packs a wheel from a native library that cargo has built.

    python build/wheel.py CRATE LIBRARY FOLDER

CRATE is a folder with a pyproject.toml for maturin, which says what goes into the wheel; LIBRARY becomes its native
module, stripped; the wheel is written to FOLDER. Its tag says that it works on the system that it is made on; auditwheel
finds the others. This takes any library that a build of the workspace has left, where maturin would compile again.
"""

import base64
import hashlib
import pathlib
import subprocess
import sys
import tomllib
import zipfile


def metadata(project, licenses, readme):
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {project['version']}"]
    lines += [f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"License-Expression: {project['license']}", *(f"License-File: {file}" for file in licenses)]
    lines += [f"Classifier: {text}" for text in project.get("classifiers", [])]
    for extra, needs in project.get("optional-dependencies", {}).items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {need}; extra == '{extra}'" for need in needs]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def entry_points(project):
    groups = project.get("entry-points", {}).items()
    return "\n\n".join("\n".join([f"[{name}]", *(f"{k} = {v}" for k, v in points.items())]) for name, points in groups)


def main(crate, library, folder):
    crate, folder = pathlib.Path(crate), pathlib.Path(folder)
    described = tomllib.loads((crate / "pyproject.toml").read_text())
    project, maturin = described["project"], described["tool"]["maturin"]
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    source = crate / maturin["python-source"]
    files = {}
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
            files[path.relative_to(source).as_posix()] = path.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    stripped = folder / "stripped.so"
    subprocess.run(["strip", "--strip-unneeded", "-o", stripped, library], check=True)
    files[maturin["module-name"].replace(".", "/") + ".abi3.so"] = stripped.read_bytes()
    stripped.unlink()
    info = f"{stem}.dist-info"
    licenses = sorted(path.name for pattern in project["license-files"] for path in crate.glob(pattern))
    files[f"{info}/METADATA"] = metadata(project, licenses, (crate / project["readme"]).read_text()).encode()
    tag = "cp310-abi3-linux_x86_64"
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cute-mlir\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    for license in licenses:
        files[f"{info}/licenses/{license}"] = (crate / license).read_bytes()
    if points := entry_points(project):
        files[f"{info}/entry_points.txt"] = points.encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = folder / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for name, data in files.items():
            out.writestr(name, data)
    print(wheel)


if __name__ == "__main__":
    main(*sys.argv[1:])
