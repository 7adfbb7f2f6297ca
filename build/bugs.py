"""The bugs that the page shows: kernels of examples/bugs with the words of docs/bugs.md, and the difference of the twins.

`bugs()` returns data for JSON; nothing is written a second time.
"""

import difflib
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples/bugs"

# Those with a thread that tell the most, each with another kind of mistake.
SHOWN = [
    "map_changed",
    "looks_ahead",
    "narrow_scope",
    "answer_for_one",
    "arrives_again",
    "block_leaves",
    "pair_frees_early",
    "not_fenced",
    "table_in_global",
    "compacted",
]


def rows():
    """The table of docs/bugs.md, by the names of the kernels."""
    found = {}
    for line in (ROOT / "docs/bugs.md").read_text().splitlines():
        if name := re.match(r"\| \[`(\w+)`\]", line):
            cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
            found[name[1]] = dict(zip(("kernel", "threads", "mistake", "devices", "finding"), cells, strict=True))
    return found


def threads(cell):
    """The threads that a cell links, with their states."""
    return [
        {"name": name, "url": url, "state": state}
        for name, url, state in re.findall(r"\[([^\]]*)\]\((https://[^)]*)\)(?: \(([^)]*)\))?", cell)
    ]


def launch(source):
    """The launch in the comment `// Run:`, as fields of a request."""
    lines = source.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("// Run: "))
    words = [lines[start].removeprefix("// Run: ")]
    for line in lines[start + 1 :]:
        if not line.startswith("//     "):
            break
        words.append(line.removeprefix("//     "))
    cutec, run, _, *options = shlex.split(" ".join(words))
    assert (cutec, run) == ("cutec", "run") and len(options) % 2 == 0, source
    made = {"args": [], "arrays": []}
    for option, value in zip(options[::2], options[1::2]):
        match option:
            case "--kernel":
                made["kernel"] = value
            case "--grid" | "--block":
                made[option[2:]] = [int(n) for n in value.split(",")]
            case "--arg":
                made["args"].append(value)
            case "--array":
                made["arrays"].append(value)
            case _:
                raise AssertionError(f"the page has no field for {option}")
    return made


def statement(text, at):
    """The end of the statement of C++ that begins there."""
    at += len(text[at:]) - len(text[at:].lstrip())
    depth, is_string = 0, False
    for i in range(at, len(text)):
        c = text[i]
        if c == '"' and text[i - 1] != "\\":
            is_string = not is_string
        if is_string:
            continue
        depth += (c in "({[") - (c in ")}]")
        if depth == 0 and c in ";}":
            # A comment behind it belongs to it.
            end = text.index("\n", i)
            return end if text[i + 1 : end].lstrip().startswith("//") or not text[i + 1 : end].strip() else i + 1
    raise AssertionError("a statement has no end")


def twin(source, is_repaired):
    """The source of one twin: its branches on `repaired` are decided."""
    text = source
    while found := re.search(r"^( *)if \((?:(.+) && )?(!?)repaired\)\n", text, re.MULTILINE):
        taken = is_repaired != bool(found[3])
        if taken and found[2]:
            text = f"{text[: found.start()]}{found[1]}if ({found[2]})\n{text[found.end() :]}"
            continue
        end = statement(text, found.end())
        body, rest = text[found.end() : end], text[end:]
        other = ""
        if otherwise := re.match(rf"\n{found[1]}else\n", rest):
            stop = statement(rest, otherwise.end())
            other, rest = rest[otherwise.end() : stop], rest[stop:]
        kept = body if taken else other
        kept = "\n".join(line.removeprefix("  ") for line in kept.splitlines())
        text = text[: found.start()] + (kept + rest if kept else rest.removeprefix("\n"))
    text = re.sub(r"\brepaired \? ([^:]+) : ([^\]);]+)", r"\1" if is_repaired else r"\2", text)
    # The constant decides a condition, or leaves the rest of it.
    either = r" && \((!?)repaired \|\| ([^()]*(?:\(\))?[^()]*)\)"
    text = re.sub(either, lambda m: "" if is_repaired != bool(m[1]) else f" && {m[2]}", text)
    text = re.sub(r"template <bool repaired> ", "", text)
    assert not re.search(r"\brepaired\b", text), text
    return re.sub(r"^template __global__ .*\n", "", text, flags=re.MULTILINE)


def code(source):
    """The lines of code, without the comment on top."""
    lines = source.splitlines()
    return lines[next(i for i, line in enumerate(lines) if not line.startswith("//")) :]


def difference(source):
    """The lines of both twins: a mark, and the text."""
    broken, repaired = (code(twin(source, is_repaired)) for is_repaired in (False, True))
    lines = [(line[0], line[2:]) for line in difflib.ndiff(broken, repaired) if line[0] in " -+"]
    assert {mark for mark, _ in lines} > {" "}, source
    return [[mark, line] for mark, line in lines]


def bug(name, row):
    """One bug, as the page shows it."""
    source = (FOLDER / f"{name}.cu").read_text()
    request = launch(source)
    assert request["kernel"] == f"{name}<false>", name
    return {
        "name": name,
        "threads": threads(row["threads"]),
        "mistake": row["mistake"],
        "devices": row["devices"],
        "finding": row["finding"].replace("`", ""),
        "source": source,
        "ptx": (FOLDER / f"{name}.ptx").read_text(),
        "launch": request,
        "repaired": f"{name}<true>",
        "difference": difference(source),
    }


def bugs():
    """The bugs, and the header that their sources include."""
    table = rows()
    return {"header": (FOLDER / "ptx.h").read_text(), "bugs": [bug(name, table[name]) for name in SHOWN]}
