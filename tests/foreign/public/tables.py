"""Compares the tables of docs/foreign.md with the launches, or writes them anew with UPDATE_DOCS=1."""

import os
import sys
from pathlib import Path

from launches import LAUNCHES, joined, read_launches

PAGE = Path(__file__).parents[3] / "docs" / "foreign.md"
BEGIN, END = "<!-- launches -->\n", "<!-- end of launches -->\n"


def compared(one):
    """What the cell about the values says."""
    if not one.ends:
        return "stops"
    if not one.right:
        return "may differ"
    if one.tolerance == 0:
        return "exact"
    power = next((p for p in range(1, 30) if one.tolerance == 2.0**-p), None)
    return f"2^-{power}" if power else f"{one.tolerance:.0e}".replace("e-0", "e-")


def section(repository, own):
    """The table of one repository, and below it what its findings are."""
    verdicts = list(dict.fromkeys((f.kind, f.grade, f.verdict) for one in own for f in one.findings))
    link = f"[{repository.address.removeprefix('https://')}]({repository.address})"
    lines = [
        f"### {repository.name}",
        "",
        f"{link}, commit `{repository.commit[:12]}`, licence: {repository.licence}.",
        "",
        "| kernel | computes | target | grid, block | tolerance | findings |",
        "|---|---|---|---|---|---|",
    ]
    for one in own:
        numbers = sorted({1 + verdicts.index((f.kind, f.grade, f.verdict)) for f in one.findings})
        shape = f"{joined(one.grid)}; {joined(one.block)}" + (
            f"; cluster {one.options['cluster']}" if "cluster" in one.options else ""
        )
        found = ", ".join(f"({n})" for n in numbers) or "none"
        lines.append(f"| `{one.kernel}` | {one.what} | {one.source.gpu} | {shape} | {compared(one)} | {found} |")
    if verdicts:
        lines.append("")
    for number, (kind, grade, verdict) in enumerate(verdicts, 1):
        places = dict.fromkeys(f.at for one in own for f in one.findings if (f.kind, f.grade, f.verdict) == (kind, grade, verdict))
        lines.append(f"{number}. `{kind}` ({grade}) at {', '.join(f'`{p}`' for p in places)}. {verdict[0].upper()}{verdict[1:]}.")
    return "\n".join(lines) + "\n"


def main():
    read_launches()
    repositories = dict.fromkeys(one.repository for one in LAUNCHES)
    made = "\n".join(section(r, [one for one in LAUNCHES if one.repository == r]) for r in repositories)
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    written = f"{head}{BEGIN}\n{made}\n{END}{rest.split(END)[1]}"
    if text == written:
        return
    if os.environ.get("UPDATE_DOCS") != "1":
        sys.exit(f"{PAGE} does not list the launches as they are: run UPDATE_DOCS=1 python {__file__}")
    PAGE.write_text(written)


if __name__ == "__main__":
    main()
