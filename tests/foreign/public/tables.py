"""Compares the tables of docs/foreign.md with the launches, or writes them anew with UPDATE_DOCS=1."""

import os
import sys
from pathlib import Path

import records
from launches import LAUNCHES, read_launches

PAGE = Path(__file__).parents[3] / "docs" / "foreign.md"
MARKS = {name: (f"<!-- {name} -->\n", f"<!-- end of {name} -->\n") for name in ("summary", "launches")}
RECORDS = records.read()


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
        shape = one.shape(RECORDS[one.key])
        found = ", ".join(f"({n})" for n in numbers) or "none"
        lines.append(f"| `{one.kernel}` | {one.what} | {one.source.gpu} | {shape} | {compared(one)} | {found} |")
    if verdicts:
        lines.append("")
    for number, (kind, grade, verdict) in enumerate(verdicts, 1):
        places = dict.fromkeys(f.at for one in own for f in one.findings if (f.kind, f.grade, f.verdict) == (kind, grade, verdict))
        lines.append(f"{number}. `{kind}` ({grade}) at {', '.join(f'`{p}`' for p in places)}. {verdict[0].upper()}{verdict[1:]}.")
    return "\n".join(lines) + "\n"


def distinct(launches):
    """The launches, one for each compiled kernel."""
    return list({(one.source, RECORDS[one.key]["entry"]): one for one in launches}.values())


def is_bug(finding):
    return finding.grade == "error" and finding.verdict.startswith("bug")


def counts(name, own):
    """A row of the summary."""
    kernels = distinct(own)
    uses = [set(RECORDS[one.key]["uses"]) for one in kernels]
    silent = sum(not one.findings for one in own)
    bugs = sum(any(is_bug(f) for f in one.findings) for one in own)
    other = sum(any(f.grade == "error" and not is_bug(f) for f in one.findings) for one in own)
    portability = sum(any(f.grade == "portability" for f in one.findings) for one in own)
    numbers = [len(own), len(kernels), sum(map(bool, uses)), *(sum(use in own for own in uses) for use in records.USES)]
    return f"| {name} | {' | '.join(map(str, [*numbers, silent, bugs, other, portability]))} |"


def summary():
    """The numbers of launches, kernels and findings."""
    names = list(dict.fromkeys(one.repository.name for one in LAUNCHES))
    heads = ["repository", "launches", "kernels", "with any of", *records.USES]
    heads += ["launches without a finding", "with a bug", "with another error", "with portability"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [counts(name, [one for one in LAUNCHES if one.repository.name == name]) for name in names]
    lines.append(counts("all", LAUNCHES))
    per, rules = (sorted(RECORDS[one.key][what] for one in LAUNCHES) for what in ("portability", "rules"))
    lines += ["", f"Portability findings per launch: median {per[len(per) // 2]}, largest {per[-1]};"]
    lines[-1] += f" rules that they are about: median {rules[len(rules) // 2]}, largest {rules[-1]}."
    return "\n".join(lines) + "\n"


def main():
    read_launches()
    if missing := [one.key for one in LAUNCHES if one.key not in RECORDS]:
        sys.exit(f"{records.PATH} lacks {missing}: run UPDATE_DOCS=1 ./dev foreign FOLDER")
    repositories = dict.fromkeys(one.repository for one in LAUNCHES)
    made = {"summary": summary()}
    made["launches"] = "\n".join(section(r, [one for one in LAUNCHES if one.repository == r]) for r in repositories)
    text = written = PAGE.read_text()
    for name, (begin, end) in MARKS.items():
        head, rest = written.split(begin)
        written = f"{head}{begin}\n{made[name]}\n{end}{rest.split(end)[1]}"
    if text == written:
        return
    if os.environ.get("UPDATE_DOCS") != "1":
        sys.exit(f"{PAGE} does not list the launches as they are: run UPDATE_DOCS=1 python {__file__}")
    PAGE.write_text(written)


if __name__ == "__main__":
    main()
