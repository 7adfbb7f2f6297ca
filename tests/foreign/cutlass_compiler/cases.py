"""The cases of FileCheck tests of a cute dialect, and how cute-opt takes them.

A file has a RUN line, and cases between lines `// -----`. A case is invalid if it expects an error. It is judged by the commands of
the RUN line that are ours: whether they accept it, and whether each reads what the one before printed.
"""

import hashlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

MARK = re.compile(r"// -----\s*$")
LOCATED = re.compile(r"^(?P<file>.+?):(?P<line>\d+):\d+: error: (?P<text>.*)$")
# Seconds for a command: the longest file takes two.
LIMIT = 120


@dataclass(frozen=True)
class Case:
    """One case of a file: its number counts from 1, leaving out parts without code."""

    file: str
    number: int
    line: int
    text: str

    @property
    def name(self):
        return f"{self.file}#{self.number}"

    @property
    def digest(self):
        """Of the code alone: comments and spaces may change."""
        code = " ".join(re.sub(r"//.*", "", self.text).split())
        return hashlib.sha256(code.encode()).hexdigest()[:8]

    @property
    def invalid(self):
        return "expected-error" in self.text


@dataclass
class Taken:
    """What the commands make of a case: `accepted`, `refused`, `unread` (its output is not read), `died`."""

    how: str
    why: str = ""


def parts_of(text):
    """(first line, text) of what lies between the marks."""
    parts, first, lines = [], 1, []
    for at, line in enumerate(text.splitlines(), 1):
        if MARK.match(line):
            parts.append((first, "\n".join(lines)))
            first, lines = at + 1, []
        else:
            lines.append(line)
    return [*parts, (first, "\n".join(lines))]


def cases_of(file, text):
    """The parts of a file, each with its case, which is None where there is no code."""
    found, number = [], 0
    for line, part in parts_of(text):
        if re.sub(r"//.*", "", part).strip():
            number += 1
            found.append(Case(file, number, line, part))
        else:
            found.append(None)
    return found


def commands_of(text):
    """Lists of options of cute-opt: those of each command of the first RUN line."""
    run = re.search(r"^\s*// RUN:((?:.*\\\n\s*// RUN:)*.*)$", text, re.M)
    if not run:
        raise ValueError("there is no RUN line")
    commands = []
    for command in re.sub(r"\\\n\s*// RUN:", " ", run[1]).split("|"):
        words = command.split()
        if words[:1] == ["FileCheck"]:
            continue
        if words[:1] != ["cute-opt"]:
            raise ValueError(f"the RUN line has a command '{command.strip()}'")
        left_out = ("%s", "split-input-file", "verify-diagnostics")
        commands.append([word for word in words[1:] if word.lstrip("-") not in left_out])
    return commands


class Tool:
    """cute-opt, with a policy."""

    def __init__(self, path, domain):
        self.command = [path, f"--cute-domain={domain}", "--split-input-file"]

    def run(self, options, text):
        """What a command prints for a text, its diagnostics, and its status, which is None if it takes too long."""
        try:
            done = subprocess.run([*self.command, *options], input=text, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return "", "", None
        return done.stdout, done.stderr, done.returncode

    def take(self, commands, text, count):
        """How each of the `count` parts of a text is taken."""
        taken = [Taken("accepted")] * count
        for at, options in enumerate(commands):
            parts = parts_of(text)
            if len(parts) != count:
                raise ValueError(f"{count} parts became {len(parts)}")
            text, errors, status = self.run(options, text)
            found = list(filter(None, map(LOCATED.match, errors.splitlines())))
            if status not in (0, 1) or (status == 1) != bool(found):
                if count == 1:
                    said = errors.strip().splitlines()[-1:] or [""]
                    return [Taken("died", f"status {status}: {said[0]}") if status not in (0, 1) else Taken("refused", said[0])]
                # One part after the other, to see which it is.
                return [self.take(commands[at:], part, 1)[0] if how.how == "accepted" else how for how, (_, part) in zip(taken, parts)]
            for error in found:
                part = max(i for i, (first, _) in enumerate(parts) if first <= int(error["line"]))
                if taken[part].how == "accepted":
                    taken[part] = Taken("unread" if at else "refused", error["text"])
        return taken


def code_of(text):
    """A text without its comments, whose lines keep their numbers: mlir-opt checks `expected-error` even if nobody asks."""
    return "\n".join(line if MARK.match(line) else re.sub(r"//.*", "", line) for line in text.splitlines())


def judge(tool, file, text):
    """(case, how it is taken) for each case of a file."""
    cases = cases_of(file, text)
    return [(case, how) for case, how in zip(cases, tool.take(commands_of(text), code_of(text), len(cases))) if case]


def files_of(folder):
    """The tests in a folder, by their names there."""
    return {path.relative_to(folder).as_posix(): path for path in sorted(Path(folder).rglob("*.mlir"))}
