"""Compares the tables of docs/foreign_programs.md with the programs, or writes them anew with UPDATE_DOCS=1."""

import json
import os
import sys
from pathlib import Path

from programs import PROGRAMS, read_programs
from run import MEASURED

PAGE = Path(__file__).parents[3] / "docs" / "foreign_programs.md"
BEGIN, END = "<!-- programs -->\n", "<!-- end of programs -->\n"


def outcome(one):
    """What the program says about its own results."""
    if not one.right:
        return "stops or fails"
    return "passes" if not any(f.grade == "error" for f in one.findings) else "passes all the same"


def changes(one):
    """The numbers that no option of a program sets."""
    words = (f"`{' '.join(new.split())}` for `{' '.join(old.split())}`" for old, new in one.smaller)
    return ", ".join(dict.fromkeys(words))


def heading(repository):
    """The lines above the table of a repository."""
    link = f"[{repository.address.removeprefix('https://')}]({repository.address})"
    known = "commit" if len(repository.commit) == 40 else "version"
    of = f"{link}, {known} `{repository.commit[:12]}`, licence: {repository.licence}."
    return [f"### {repository.name}", "", of, ""]


def section(repository, own, measured):
    """The table of one repository, and below it what its findings are."""
    verdicts = list(dict.fromkeys((f.kind, f.grade, f.verdict) for one in own for f in one.findings))
    lines = [
        *heading(repository),
        "| program | computes | target | findings | its own check | launches, seconds |",
        "|---|---|---|---|---|---|",
    ]
    for one in own:
        numbers = sorted({1 + verdicts.index((f.kind, f.grade, f.verdict)) for f in one.findings})
        found = ", ".join(f"({n})" for n in numbers) or "none"
        took = measured.get(one.key)
        took = f"{took['launches']}, {took['seconds']}" if took else "not measured"
        said = outcome(one) + (f": {one.remark}" if one.remark else "")
        lines.append(f"| {one.name} | {one.what} | {one.gpu} | {found} | {said} | {took} |")
    if verdicts:
        lines.append("")
    for number, (kind, grade, verdict) in enumerate(verdicts, 1):
        places = dict.fromkeys(f.at for one in own for f in one.findings if (f.kind, f.grade, f.verdict) == (kind, grade, verdict))
        lines.append(f"{number}. `{kind}` ({grade}) at {', '.join(f'`{p}`' for p in places)}. {verdict[0].upper()}{verdict[1:]}.")
    made = dict.fromkeys((one.name.split(" (")[0].split(" --")[0], changes(one)) for one in own if one.smaller)
    if made:
        lines += ["", "Constants that are smaller than in the sources: " + "; ".join(f"{name}: {text}" for name, text in made) + "."]
    return "\n".join(lines) + "\n"


def summary(measured):
    """How many programs there are, and what they take."""
    binaries = {one.binary for one in PROGRAMS}
    repositories = {one.repository.name for one in PROGRAMS}
    passing = [one for one in PROGRAMS if one.right]
    silent = [one for one in PROGRAMS if not one.findings]
    times = [measured[one.key] for one in PROGRAMS if one.key in measured]
    return (
        f"{len(PROGRAMS)} runs of {len(binaries)} programs of {len(repositories)} repositories: {len(passing)} end with their own "
        f"check passed, and {len(silent)} have no finding. Their {sum(t['launches'] for t in times):,} launches take "
        f"{sum(t['seconds'] for t in times) / 60:.0f} minutes of processor time, besides the compilation.\n"
    )


def main():
    read_programs()
    measured = json.loads(MEASURED.read_text())
    repositories = dict.fromkeys(one.repository for one in PROGRAMS)
    sections = (section(r, [one for one in PROGRAMS if one.repository == r], measured) for r in repositories)
    made = "\n".join([summary(measured), *sections])
    write(PAGE, made, __file__)


def write(page, made, own):
    """Puts tables between the marks of a page, or compares them with what is there."""
    text = page.read_text()
    head, rest = text.split(BEGIN)
    written = f"{head}{BEGIN}\n{made}\n{END}{rest.split(END)[1]}"
    if text == written:
        return
    if os.environ.get("UPDATE_DOCS") != "1":
        sys.exit(f"{page} does not list the programs as they are: run UPDATE_DOCS=1 python {own}")
    page.write_text(written)


if __name__ == "__main__":
    main()
