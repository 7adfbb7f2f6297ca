"""Puts the page together: its sources, its WebAssembly and the bugs that it shows become one HTML file, which needs no server and no
network.

usage: page.py FOLDER OUT.html

FOLDER has the modules: cute_page.wasm, cute_ptx_page.wasm and cute_unpack.wasm.
"""

import base64
import gzip
import hashlib
import json
import lzma
import pathlib
import sys

from bugs import ROOT, bugs

SOURCES = ROOT / "crates/cute-page/page"
# Bytes of the page behind gzip -9.
LIMIT = 1_600_000
# The room of layouts, and the other one, whose names are its own; one file after the other.
SCRIPT = [
    "dom.js", "module.js", "state.js", "table.js", "hover.js", "export.js", "tools.js", "view.js", "facts.js", "library.js", "page.js",
]
ROOMS = ["bench.js", "packed.js", "form.js", "museum.js", "autopsy.js", "kernels.js", "rooms.js"]
STYLE = ["page.css", "kernels.css"]
# The style of reports, which are shown within the page under its policy.
REPORT = ROOT / "crates/cute-report/src/page/style.css"


def source_hash(text):
    """The hash by which a content security policy allows an inline script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def read(names):
    return "\n".join((SOURCES / name).read_text() for name in names)


def packed(module):
    """A module for a reader of base64, behind the packer that makes it the smallest."""
    # Instructions are bytes without an alignment.
    filters = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "lp": 0, "lc": 4}]
    return base64.b64encode(lzma.compress(module, lzma.FORMAT_ALONE, filters=filters)).decode()


def assembled(folder):
    script, rooms, worker, style = read(SCRIPT), "'use strict';\n{\n" + read(ROOMS) + "\n}\n", read(["worker.js"]), read(STYLE)
    # The end of the element that holds it must not occur in a text.
    for text in (script, rooms, worker, style):
        assert "</script" not in text.lower() and "</style" not in text.lower()
    policy = (
        f"default-src 'none'; script-src {source_hash(script)} {source_hash(rooms)} 'wasm-unsafe-eval';"
        f" style-src {source_hash(style)} {source_hash(REPORT.read_text())}; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "POLICY": policy,
        "STYLE": style,
        "KERNELS": read(["kernels.html"]),
        "UNPACK": base64.b64encode((folder / "cute_unpack.wasm").read_bytes()).decode(),
        "MODULE": packed((folder / "cute_page.wasm").read_bytes()),
        "SIMULATOR": packed((folder / "cute_ptx_page.wasm").read_bytes()),
        "BUGS": json.dumps(bugs(), separators=(",", ":")).replace("<", "\\u003c"),
        "WORKER": worker,
        "SCRIPT": script,
        "ROOMS": rooms,
    }
    page = (SOURCES / "page.html").read_text()
    for name, text in parts.items():
        before, after = page.split(f"@{name}@")
        page = before + text + after
    return page


def main():
    folder, out = map(pathlib.Path, sys.argv[1:])
    page = assembled(folder).encode()
    size = len(gzip.compress(page, 9, mtime=0))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(page)
    print(f"{out}: {len(page)} bytes, {size} behind gzip -9")
    if size > LIMIT:
        out.unlink()
        sys.exit(f"error: the page has {size} bytes behind gzip -9, more than {LIMIT}")


if __name__ == "__main__":
    main()
