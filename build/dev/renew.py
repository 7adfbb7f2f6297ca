"""`./dev lit --renew`: expectations of lit tests, renewed from what the tools print; `git diff` shows what to review.

Only complete expectations follow from the output: diagnostics (`expected-error` and its kin), and functions whose every line is
expected, a LABEL with nothing but NEXT after it. Another line was chosen for one fact of the output, so its author must renew it.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PIECES = re.compile(r"\{\{(?P<regex>.+?)\}\}|\[\[(?P<name>\w+)(?::(?P<own>.+?))?\]\]")
VALUE = re.compile(r"%(?!arg\d)(\w+)")
KIND = r"(?:error|warning|note|remark)"
NEW, OLD = rf"unexpected {KIND}: (?P<new>.*)", rf'expected {KIND} "(?P<old>.*)" was not produced'
DIAGNOSTIC = re.compile(rf"^(?:# \| )?(?P<file>\S+):(?P<line>\d+):\d+: error: (?:{NEW}|{OLD})$", re.MULTILINE)
EXPECTED = re.compile(rf"expected-{KIND} *(?:@ *(?P<by>below|above|[+-]\d+))? *\{{\{{(?P<text>.*)\}}\}}")


def record():
    """What FileCheck is while tests are renewed: it keeps the input of a check that fails."""
    real, folder, *words = sys.argv[1:]
    given = sys.stdin.read()
    code = subprocess.run([real, *words], input=given, text=True).returncode
    if code:
        prefixes = [word.split("=", 1)[1] for word in words if re.match("--?check-prefix", word)] or ["CHECK"]
        file = next(word for word in words if not word.startswith("-"))
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as kept:
            json.dump({"file": file, "prefixes": prefixes, "output": given}, kept)
    sys.exit(code)


def matcher(pattern, known):
    """The regular expression of a directive; `known` has the values of variables."""
    text, at = "", 0
    literal = lambda part: r"\s+".join(map(re.escape, re.split(r"\s+", part)))
    for piece in PIECES.finditer(pattern):
        text += literal(pattern[at : piece.start()])
        if piece["regex"] or piece["own"]:
            text += f"({'?P<' + piece['name'] + '>' if piece['name'] else '?:'}{piece['regex'] or piece['own']})"
        else:
            text += re.escape(known[piece["name"]]) if piece["name"] in known else r"\w+"
        at = piece.end()
    return re.compile(text + literal(pattern[at:]))


def expected_line(line, names):
    """A line of output as a pattern: its values are variables, and those that it is the first to name are defined."""

    def variable(value):
        is_known = value[1] in names
        name = names.setdefault(value[1], value[1].upper() if value[1][0].isalpha() else f"V{value[1]}")
        return f"%[[{name}]]" if is_known else f"%[[{name}:.*]]"

    return VALUE.sub(variable, line.strip())


def aligned(patterns, lines):
    """The pattern of each line, in order, for as many lines as can have one; values of variables may differ."""
    free = [matcher(re.sub(r"\[\[\w+(:.+?)?\]\]", "{{\\\\w+}}", pattern), {}) for pattern in patterns]
    sys.setrecursionlimit(10**5)

    @functools.cache
    def most(i, j):
        if i == len(patterns) or j == len(lines):
            return ()
        both = ((j, patterns[i]), *most(i + 1, j + 1)) if free[i].search(lines[j]) else ()
        return max(both, most(i + 1, j), most(i, j + 1), key=len)

    return dict(most(0, 0))


def renewed_block(patterns, output):
    """The patterns of the lines after a label, from the output after it; None if the end of the block is not there any more."""
    ends = [at for at, line in enumerate(output) if line.split()[:1] == patterns[-1].split()[:1]]
    if not ends:
        return None
    body, made, names, known = output[: ends[0] + 1], [], {}, {}
    kept = aligned(patterns, body)
    for at, line in enumerate(body):
        match = matcher(kept[at], known).search(line) if at in kept else None
        names.update({value: name for name, value in match.groupdict().items()} if match else {})
        made.append(kept[at] if match else expected_line(line, names))
        known.update({name: value for value, name in names.items()})
    return made


def renew_checks(text, prefix, output):
    """The text of a test with the complete functions of a prefix as the output has them."""
    lines, output = text.split("\n"), output.split("\n")
    directive = re.compile(rf"^(\s*// *){re.escape(prefix)}(-[A-Z]+(?:-\d+)?)?: ?(.*)$")
    found = [(at, match) for at, line in enumerate(lines) if (match := directive.match(line))]
    labels = [i for i, (_, match) in enumerate(found) if match[2] == "-LABEL"]
    for first, end in reversed(list(zip(labels, labels[1:] + [len(found)]))):
        block = found[first + 1 : end]
        starts = [at for at, line in enumerate(output) if matcher(found[first][1][3].strip(), {}).search(line)]
        is_complete = all(match[2] == "-NEXT" and "[[#" not in match[3] for _, match in block)
        patterns = [match[3].strip() for _, match in block] if starts and is_complete else []
        if made := patterns and renewed_block(patterns, output[starts[0] + 1 :]):
            at, head = block[0][0], block[0][1][1]
            for gone, _ in reversed(block):
                del lines[gone]
            lines[at:at] = [f"{head}{prefix}-NEXT: {pattern}" for pattern in made]
    return "\n".join(lines)


def renew_diagnostics(text, log):
    """The text of a test with the diagnostics that `-verify-diagnostics` reports. An expectation is renewed where one is missing and
    one is unexpected at the line that it points at; the name of the op stays away if it was not expected."""
    lines, reported = text.split("\n"), list(DIAGNOSTIC.finditer(log))
    for found in reported:
        at = int(found["line"])
        expected = EXPECTED.search(lines[at - 1])
        if not expected or expected["text"] != found["old"]:
            continue
        target = at + int({"below": 1, "above": -1, None: 0}.get(expected["by"], expected["by"]))
        new = [other["new"] for other in reported if other["new"] and int(other["line"]) == target]
        if len(new) == 1:
            message = new[0] if found["old"].startswith("'") else re.sub(r"^'[\w.]+' op ", "", new[0])
            lines[at - 1] = lines[at - 1].replace(expected["text"], message)
    return "\n".join(lines)


def renew(lit, llvm, root):
    """Runs lit, whose words are a function of the folder of its tools, and rewrites tests. Yields those that changed."""
    with tempfile.TemporaryDirectory() as folder:
        tools, failed = pathlib.Path(folder, "bin"), pathlib.Path(folder, "failed")
        tools.mkdir(), failed.mkdir()
        for tool in set(pathlib.Path(llvm).iterdir()) - {pathlib.Path(llvm, "FileCheck")}:
            (tools / tool.name).symlink_to(tool)
        (tools / "FileCheck").write_text(f'#!/bin/sh\nexec {sys.executable} {os.path.abspath(__file__)} {llvm}/FileCheck {failed} "$@"\n')
        (tools / "FileCheck").chmod(0o755)
        log = subprocess.run([*map(str, lit(tools)), "-v"], cwd=root, stdout=subprocess.PIPE, text=True).stdout
        checks = [json.loads(file.read_text()) for file in failed.iterdir()]
    for file in map(pathlib.Path, sorted({found["file"] for found in [*checks, *DIAGNOSTIC.finditer(log)]})):
        before = text = file.read_text()
        for check in checks:
            for prefix in check["prefixes"] if check["file"] == str(file) else []:
                text = renew_checks(text, prefix, check["output"])
        text = renew_diagnostics(text, "\n".join(f[0] for f in DIAGNOSTIC.finditer(log) if f["file"] == str(file)))
        if text != before:
            file.write_text(text)
            yield file


if __name__ == "__main__":
    record()
