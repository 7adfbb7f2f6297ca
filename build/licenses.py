"""Prints the licenses of the crates that some of our crates are built from on a host:

    python3 build/licenses.py x86_64-unknown-linux-gnu cute-capi cute-tools

Each text is printed once, after the crates that have it.
"""

import collections
import json
import pathlib
import subprocess
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def metadata(host):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def dependencies(found, roots):
    """The packages that are compiled into the roots, and the roots themselves."""
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    left = [key for key, package in packages.items() if package["name"] in roots]
    seen = set()
    while left:
        key = left.pop()
        if key not in seen:
            seen.add(key)
            kinds = ((d["pkg"], [kind["kind"] for kind in d["dep_kinds"]]) for d in nodes[key]["deps"])
            left += [package for package, kind in kinds if None in kind]
    return sorted((packages[key] for key in seen), key=lambda package: package["name"])


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.name.upper().startswith(NAMES))
    return [file.read_text(errors="replace").strip() for file in files]


def main(host, *roots):
    # Crates without a source are our own.
    packages = [package for package in dependencies(metadata(host), roots) if package["source"]]
    holders = collections.defaultdict(list)
    for package in packages:
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license'] or 'see below'}")
        for text in texts(package):
            holders[text].append(name)
    for text, names in holders.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
