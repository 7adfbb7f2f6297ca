"""The blocks of Python in the documents print what the blocks of text after them say."""

import contextlib
import io
import re

import pytest
from conftest import ROOT

pytest.importorskip("numpy")
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["docs/python.md", "crates/cute-python/README.md", "README.md"])
def test_documents_run(name):
    names, printed, found = {}, "", 0
    for kind, text in BLOCK.findall((ROOT / name).read_text()):
        if kind == "text":
            # Blocks of text of other languages follow no block of Python.
            if printed:
                assert printed == text
            printed = ""
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, name, "exec"), names)
        printed, found = printed + out.getvalue(), found + 1
    assert found > 0


def test_comments_say_what_is_printed():
    text = (ROOT / "crates/cute-python/README.md").read_text()
    wanted = re.findall(r"^print\(.*\) +# (.*)$", text, re.MULTILINE)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(BLOCK.search(text).group(2), {})
    assert out.getvalue().splitlines() == wanted
