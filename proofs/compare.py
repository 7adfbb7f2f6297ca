#!/usr/bin/env python3
"""Sends random requests to the oracle and to cute-calc, under both policies, and compares result or refusal. Messages are not
compared, and neither is what overflows 64 bits in cute-calc, which is counted apart. Of requests with run-time numbers, named with a
`?`, strict refuses what the static ones alone disprove, which the oracle does not check.

compare.py ORACLE CUTE_CALC COUNT [SEED] [--operations NAMES]
compare.py ORACLE CUTE_CALC COUNT [SEED] --record FILE   writes requests with the oracle's answers, for crates/cute-calc/tests"""
import argparse
import collections
import json
import random
import re
import subprocess
import sys

import requests

CHUNK = 100_000
# Messages of cute-calc about numbers that 64 bits do not hold.
OVERFLOW = ["does not fit 64 bits", "expected an integer of 64 bits"]
# Of the operations that strict can refuse, at least this share must be accepted, and refused.
SHARE = 0.3


def answers(command, lines):
    run = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    if len(replies) != len(lines):
        sys.exit(f"error: {command[0]} answers {len(replies)} of {len(lines)} requests")
    return replies


def same(oracle, calc):
    if "error" in oracle or "error" in calc:
        return "error" in oracle and "error" in calc
    # cute-calc prints numbers as text, and beside run-time ones what is known of them, in braces.
    return str(oracle["result"]) == re.sub(r"\{[^}]*\}", "", str(calc["result"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("oracle")
    parser.add_argument("calc")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--operations", type=lambda text: text.split(","), default=list(requests.OPERATIONS))
    parser.add_argument("--record")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    count = collections.Counter()
    differ, left, recorded = [], args.count, []
    while left > 0:
        lines = list(requests.requests(rng, min(left, CHUNK), args.operations))
        left -= len(lines)
        for policy in ["strict", "extend"]:
            ours = answers([args.oracle, "--domain", policy], lines)
            calc = answers([args.calc, "--domain", policy, "--json"], lines)
            for line, a, b in zip(lines, ours, calc):
                if a.get("error", "refused") != "refused":
                    sys.exit(f"error: the oracle does not read {line}: {a['error']}")
                is_dynamic = "?" in line
                op = json.loads(line)["op"] + ("?" if is_dynamic else "")
                # A number at run time that 64 bits do not hold is printed as `?`.
                if any(words in b.get("error", "") for words in OVERFLOW) or re.search(r"\?(?![-\d])", str(b.get("result"))):
                    count[op, policy, "overflow"] += 1
                    continue
                if is_dynamic and policy == "strict" and "error" in b and "error" not in a:
                    count[op, policy, "refused"] += 1
                    continue
                if not same(a, b):
                    differ.append(f"{policy}: {line}: the oracle answers {a}, cute-calc {b}")
                else:
                    count[op, policy, "refused" if "error" in a else "accepted"] += 1
                    if args.record and policy == "strict":
                        recorded.append(json.dumps({**json.loads(line), **a}, separators=(",", ":")))
    few = []
    print(f"{'operation':16} {'accepted':>9} {'refused':>9} {'overflow':>9}   in extend: {'accepted':>9} {'refused':>9}")
    for op in args.operations:
        strict = [count[op, "strict", kind] for kind in ["accepted", "refused", "overflow"]]
        extend = [count[op, "extend", kind] for kind in ["accepted", "refused"]]
        print(f"{op:16} {strict[0]:9} {strict[1]:9} {strict[2]:9}              {extend[0]:9} {extend[1]:9}")
        if op in requests.CHECKED and min(strict[:2]) < SHARE * sum(strict) and sum(strict) > 100:
            few.append(op)
    for text in differ[:20]:
        print(text)
    if differ or few:
        sys.exit(f"error: {len(differ)} answers differ" + "".join(f"; strict decides {op} in one way too often" for op in few))
    print(f"oracle: {args.count} requests, no difference")
    if args.record:
        with open(args.record, "w") as file:
            file.write("\n".join(recorded) + "\n")


if __name__ == "__main__":
    main()
