"""What the runs of launches have shown: `records.json`, which `run.py` writes and `tables.py` reads."""

import json
import re
from pathlib import Path

PATH = Path(__file__).parent / "records.json"

# What a kernel uses, by its instructions and directives.
USES = {
    "TMA": r"\bcp\.(reduce\.)?async\.bulk",
    "wgmma": r"\bwgmma\.mma_async",
    "tcgen05": r"\btcgen05\.",
    "clusters": r"\bbarrier\.cluster|\bmapa\b|multicast::cluster|%cluster_ctarank|clusterlaunchcontrol|\.(explicit|req\w*)cluster",
    "programmatic launch": r"\bgriddepcontrol",
}


def body(ptx, entry):
    """The text of one kernel, without the functions that it calls."""
    start = re.search(rf"\.entry\s+{re.escape(entry)}\b", ptx).start()
    after = re.search(r"^\.(visible|weak|entry|func|extern)\b", ptx[start + 1 :], re.M)
    return ptx[start : start + 1 + after.start()] if after else ptx[start:]


def record(one, ptx, report):
    """What there is to say about a run."""
    entry = one.entry(ptx)
    text = body(ptx, entry)
    uses = [name for name, form in USES.items() if re.search(form, text)]
    grades = [finding["grade"] for finding in report["findings"]]
    rules = {(f.get("rule") or {}).get("id", f["kind"]["kind"]) for f in report["findings"] if f["grade"] == "portability"}
    return {"entry": entry, "uses": uses, "rules": len(rules), "portability": grades.count("portability"), "error": grades.count("error")}


def read():
    return json.loads(PATH.read_text()) if PATH.exists() else {}


def write(new, known):
    """Replaces the records of `new`, and drops those of launches that are not `known`."""
    records = {key: value for key, value in {**read(), **new}.items() if key in known}
    lines = [f"{json.dumps(key)}: {json.dumps(records[key])}" for key in sorted(records)]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")
