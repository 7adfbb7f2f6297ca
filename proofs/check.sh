#!/usr/bin/env bash
# check.sh OUT: compiles the theories in the folder OUT, fails if a theorem depends on an axiom, and builds OUT/oracle.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
mkdir -p "$out"
rm -f "$out"/*.v
cp -p "$here"/theories/*.v "$here"/oracle/main.ml "$out"
cd "$out"

if grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture)\b' ./*.v; then
  echo "error: these are no proofs" >&2
  exit 1
fi
files=$(coqdep -sort -Q . Cute ./*.v)
for file in $files; do
  # What comes later may depend on what has changed.
  [ -n "${changed:-}" ] || [ ! "${file%.v}.vo" -nt "$file" ] || continue
  changed=1
  echo "coqc $file"
  coqc -Q . Cute "$file"
done

# Coq prints one line for each theorem without axioms.
names=$(sed -nE 's/^(Theorem|Corollary) ([A-Za-z0-9_]+).*/\2/p' ./*.v)
{
  for file in $files; do
    name=$(basename "$file" .v)
    [ "$name" = Extract ] || echo "From Cute Require Import $name."
  done
  printf 'Print Assumptions %s.\n' $names
} >Assumptions.v
said=$(coqc -Q . Cute Assumptions.v 2>&1) || {
  echo "$said" >&2
  exit 1
}
closed=$(grep -c '^Closed under the global context$' <<<"$said" || true)
stated=$(wc -w <<<"$names")
if [ "$closed" != "$stated" ] || grep -q '^Axioms:' <<<"$said"; then
  echo "$said" >&2
  echo "error: of $stated theorems, $closed have no axioms" >&2
  exit 1
fi
echo "theorems: $stated, all without axioms"

ocamlfind ocamlopt -O3 -w -a -package zarith -linkpkg extracted.mli extracted.ml main.ml -o oracle
