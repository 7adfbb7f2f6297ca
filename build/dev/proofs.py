"""The proofs of the algebra, and the hash of what was proved."""

import hashlib
import pathlib

import needs
import versions
from shell import LOCKED, TARGET, die, run

CHECKED = pathlib.Path("proofs/CHECKED")
PROOFS = {".v", ".ml", ".py", ".sh", ".json"}


def fingerprint():
    """The hash of the proofs and of the sources that they follow: that of the lines that sha256sum prints."""
    files = sorted(str(file) for file in pathlib.Path("proofs").rglob("*") if file.is_file() and file.suffix in PROOFS)
    files += [f"{folder}/{name}.rs" for folder, names in versions.FOLLOWED.items() for name in names.split()]
    lines = [f"{hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()}  {file}\n" for file in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def checked():
    """Needs no Coq."""
    if fingerprint() != CHECKED.read_text().strip():
        die("proofs/ or a source that it follows has changed since the last check: run ./dev proofs")
    print("proofs: checked")


def check(count=None):
    needs.packages(base=versions.PROOF_PACKAGES)
    needs.rust()
    found = fingerprint()
    run("proofs/check.sh", TARGET / "proofs")
    run("cargo", "build", "-p", "cute-calc", *LOCKED)
    run("python3", "proofs/compare.py", TARGET / "proofs/oracle", TARGET / "debug/cute-calc", count or 1000000)
    if count is None:
        CHECKED.write_text(found + "\n")
