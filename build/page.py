"""Puts the page together: its sources and its WebAssembly become one HTML file, which needs no server and no network.

usage: page.py MODULE.wasm OUT.html
"""

import base64
import gzip
import hashlib
import pathlib
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "crates/cute-page/page"
# Bytes of the page behind gzip -9.
LIMIT = 1_600_000
# The files of the script, one after the other.
SCRIPTS = ("dom", "module", "state", "table", "hover", "export", "tools", "view", "facts", "library", "page")


def source_hash(text):
    """The hash by which a content security policy allows an inline script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def assembled(module):
    script = "".join((SOURCES / f"{name}.js").read_text() for name in SCRIPTS)
    style = (SOURCES / "page.css").read_text()
    # The end of the element that holds it must not occur in a text.
    assert "</script" not in script.lower() and "</style" not in style.lower()
    policy = (
        f"default-src 'none'; script-src {source_hash(script)} 'wasm-unsafe-eval'; style-src {source_hash(style)};"
        " base-uri 'none'; form-action 'none'"
    )
    packed = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    parts = {"POLICY": policy, "STYLE": style, "MODULE": packed, "SCRIPT": script}
    page = (SOURCES / "page.html").read_text()
    for name, text in parts.items():
        before, after = page.split(f"@{name}@")
        page = before + text + after
    return page


def main():
    module, out = map(pathlib.Path, sys.argv[1:])
    page = assembled(module.read_bytes()).encode()
    size = len(gzip.compress(page, 9, mtime=0))
    if size > LIMIT:
        sys.exit(f"error: the page has {size} bytes behind gzip -9, more than {LIMIT}")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(page)
    print(f"{out}: {len(page)} bytes, {size} behind gzip -9")


if __name__ == "__main__":
    main()
