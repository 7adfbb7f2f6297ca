"""Makes the sources of the book of mdBook from README.md, CONTRIBUTING.md and docs/, which read without it, or checks the book.

usage: book.py PAGE.html OUT       writes OUT/book.toml and OUT/src; PAGE.html is the page that draws layouts and runs kernels
       book.py --check OUT/book    checks that every link of the book leads to a file and an anchor of it, and that it can be searched
"""

import html.parser
import os
import pathlib
import re
import shutil
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")

SETTINGS = """\
[book]
title = "cute-mlir"
src = "src"

[output.html]
git-repository-url = "{repository}"
default-theme = "light"

[output.html.playground]
runnable = false

[output.html.search]
limit-results = 30
use-boolean-and = true
"""

PAGE = """\
# The page

[Open it alone](cute.html). It needs no server and no network: [Seeing](docs/seeing.md#the-page) explains it.

<iframe src="cute.html" title="Layouts and kernels" style="width: 100%; height: 80vh; border: 1px solid"></iframe>
"""


def repository():
    found = re.search(r'^repository = "([^"]+)"', (ROOT / "Cargo.toml").read_text(), re.M)
    assert found, "Cargo.toml names no repository"
    return found[1]


def chapters():
    """README.md, CONTRIBUTING.md and the manual, as paths from the root."""
    return [pathlib.Path(name) for name in ("README.md", "CONTRIBUTING.md")] + sorted(
        path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md")
    )


def placed(path, text, inside):
    """The text of a chapter, whose links to files that are no part of the book lead to the repository."""

    def link(match):
        target = os.path.normpath(path.parent / match[2])
        if target in inside or target.startswith("docs/pictures/"):
            return match[0]
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        return f"{match[1]}{repository()}/{kind}/main/{target}{match[3]}"

    # mdBook would read these as commands of its own.
    return LINK.sub(link, text).replace("{{#", r"\{{#")


def title(path):
    return (ROOT / path).read_text().splitlines()[0].lstrip("# ")


def summary():
    """The table of contents: the tracks of README.md's table of documents, each document where it comes first."""
    readme = (ROOT / "README.md").read_text()
    lines, seen = ["# Summary", "", "[cute-mlir](README.md)", "[The page](page.md)"], set()
    for track, documents in re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", readme, re.M):
        lines += ["", f"# {track[0].upper()}{track[1:]}", ""]
        for _, path, _ in LINK.findall(documents):
            if path in seen:
                continue
            seen.add(path)
            lines.append(f"- [{title(path)}]({path})")
            if path == "docs/simulator.md":
                lines += [f"  - [{title(page)}]({page})" for page in chapters() if page.parent.name == "findings"]
    missing = [str(path) for path in chapters() if str(path) not in seen and path.parent.name == "docs"]
    assert not missing, f"README.md's table of documents lacks {missing}"
    return "\n".join(lines) + "\n"


def write(page, out):
    source = out / "src"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs/pictures", source / "docs/pictures")
    inside = {str(path) for path in chapters()}
    for path in chapters():
        target = source / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(placed(path, (ROOT / path).read_text(), inside))
    (source / "SUMMARY.md").write_text(summary())
    (source / "page.md").write_text(PAGE)
    shutil.copy(page, source / "cute.html")
    (out / "book.toml").write_text(SETTINGS.format(repository=repository()))


class Links(html.parser.HTMLParser):
    """The links and the anchors of a file."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.add(attrs.get("id") or attrs.get("name"))
        self.links += [attrs[name] for name in ("href", "src") if attrs.get(name)]


def check(book):
    files = {}
    for path in book.rglob("*.html"):
        # Links of the page are made by its script, and the one page with all chapters has links of each.
        if path.name not in ("cute.html", "print.html", "toc.html"):
            files[path] = Links()
            files[path].feed(path.read_text())
    count, wrong = 0, []
    for path, found in files.items():
        # The page of a missing address is shown anywhere: its links begin at the root.
        for link in () if path.name == "404.html" else found.links:
            place = urllib.parse.urlsplit(link)
            if place.scheme or place.netloc:
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(place.path)).resolve() if place.path else path
            if not target.exists():
                wrong.append(f"{path.relative_to(book)}: {link}: no such file")
            elif place.fragment and target in files and urllib.parse.unquote(place.fragment) not in files[target].anchors:
                wrong.append(f"{path.relative_to(book)}: {link}: no such anchor")
    index = list(book.glob("searchindex*.js"))
    if not index or b"expect_tx" not in index[0].read_bytes():
        wrong.append("the index of the search is missing, or lacks a word of the documents")
    if len(files) < len(chapters()) or count < 1000:
        wrong.append(f"{len(files)} pages with {count} links are too few")
    print(f"book: {len(files)} pages, {count} links")
    sys.exit("\n".join(wrong) or None)


def main():
    if sys.argv[1:2] == ["--check"]:
        check(pathlib.Path(sys.argv[2]).resolve())
    else:
        write(*map(pathlib.Path, sys.argv[1:]))


main()
