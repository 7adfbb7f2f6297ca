#!/usr/bin/env python3
"""Mutants of the Rust code that the definitions follow: each must change the answer to some request.

mutate.py ORACLE [COUNT]   in the root of the repository: builds cute-calc with one change at a time, and compares it with the oracle
on COUNT requests. A mutant whose answers are all the same is an error. The sources are restored."""
import pathlib
import subprocess
import sys

OPS = "crates/cute-algebra/src/ops/"
DOMAIN = "crates/cute-algebra/src/domain/"

# File, text, the text instead; the first occurrence is changed.
MUTANTS = [
    (OPS + "coalesce.rs", "extended && extent.is(1) { I::from_i64(2) }", "extended && extent.is(1) { I::from_i64(1) }"),
    (OPS + "coalesce.rs", "*front = (extent.mul(&front.0)?, stride.clone());", "*front = (extent.mul(&front.0)?, front.1.clone());"),
    (OPS + "coalesce.rs", "Some(stride) if stride.is(0) => I::from_i64(1),", "Some(stride) if stride.is(0) => I::from_i64(2),"),
    (OPS + "composition.rs", "let taken = next_shape.min(&rest_shape)?;", "let taken = next_shape.max(&rest_shape)?;"),
    (OPS + "composition.rs", "out.leaf(sure(taken, d, &steps_out), d.mul(&rest_stride)?);", "out.leaf(sure(taken, d, &steps_out), d.clone());"),
    (OPS + "composition.rs", "let mut passed = magnitude.ceil_div(s)?;", "let mut passed = magnitude.div(s)?;"),
    (OPS + "complement.rs", "if free.is(0) {", "if free.is(1) {"),
    (OPS + "complement.rs", "let end = stride.mul(&extent)?;", "let end = covered.mul(&extent)?;"),
    (OPS + "divide.rs", "Ok(coalesce(&layout.to_owned())?.shape().clone())", "Ok(layout.shape().to_owned())"),
    (OPS + "product.rs", "size(&block)?.mul(&cosize(tiler)?)?", "size(&block)?.mul(&size(tiler)?)?"),
    (OPS + "inverse.rs", "next = mode.extent.mul(&mode.stride)?;", "next = mode.extent.mul(&mode.position)?;"),
    (OPS + "inverse.rs", "if modes[j].stride.as_static() < modes[i].stride.as_static() {", "if modes[j].stride.as_static() <= modes[i].stride.as_static() {"),
    (OPS + "inverse.rs", "covered = covered.mul(&gap)?;", "covered = covered.mul(&mode.extent)?;"),
    (OPS + "coords.rs", "rest = rest.div(&extent)?;", "rest = rest.sub(&part)?;"),
    (OPS + "size.rs", "stride.try_map(I::abs)?", "stride.try_map(|d| Ok(d.clone()))?"),
    (OPS + "image.rs", "if mode.stride != next {", "if mode.stride > next {"),
    (OPS + "image.rs", "if step > reach.saturating_add(1) {", "if step > reach.saturating_add(2) {"),
    (DOMAIN + "carry.rs", "if reach >= size.into() {", "if reach > size.into() {"),
    (DOMAIN + "carry.rs", "_ if !is_zero => return Verdict::Carry(i),", "_ if *is_zero => return Verdict::Carry(i),"),
    (DOMAIN + "carry.rs", "carry = all / radix;", "carry = all / (radix + 1);"),
    (DOMAIN + "carry.rs", "let mut last = (taken - 1) * step;", "let mut last = taken * step;"),
    (DOMAIN + "image.rs", "Ok(n.saturating_mul(*extent))", "Ok(n.saturating_add(*extent))"),
    (DOMAIN + "mod.rs", """Tile::Int(extent) => carry::check(a, Layout::identity(extent.clone())?.view(), "composition", &path),""", "Tile::Int(_) => Ok(()),"),
    (DOMAIN + "inverse.rs", "if n > 1 && identity != Layout::identity(n)? {", "if n > 4 && identity != Layout::identity(n)? {"),
    ("crates/cute-algebra/src/swizzle.rs", "u32::from(self.shift.max(0).unsigned_abs())", "u32::from(self.shift.min(0).unsigned_abs())"),
]


def noticed(oracle, count):
    """The first difference between cute-calc and the oracle."""
    subprocess.run(["cargo", "build", "--quiet", "-p", "cute-calc"], check=True)
    compare = ["python3", "proofs/compare.py", oracle, "target/debug/cute-calc", count]
    run = subprocess.run(compare, capture_output=True, text=True)
    different = [line for line in run.stdout.splitlines() if line.startswith(("strict: ", "extend: "))]
    if not different and "CalledProcessError" in run.stderr:
        return "cute-calc fails"
    if not different and run.returncode != 0:
        sys.exit(run.stderr)
    return different[0] if different else None


def main():
    oracle, count = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "36000"
    alive = 0
    for name, old, new in MUTANTS:
        path = pathlib.Path(name)
        text = path.read_text()
        if old not in text:
            sys.exit(f"error: {name} has no `{old}`")
        try:
            path.write_text(text.replace(old, new, 1))
            difference = noticed(oracle, count)
        finally:
            path.write_text(text)
        print(f"{name}: `{new}`: {difference or 'NO DIFFERENCE'}", flush=True)
        alive += difference is None
    if alive:
        sys.exit(f"error: {alive} of {len(MUTANTS)} mutants answer like the oracle")
    print(f"mutants: {len(MUTANTS)}, each changes an answer")


if __name__ == "__main__":
    main()
