"""Asks a GPU what the simulator and the documents claim of it, and writes the answers to results.json.

    python3 run.py                    all parts, in the order of their worth
    python3 run.py --parts abh        some of them
    python3 run.py --seconds 120      as many as fit into two minutes
    python3 run.py --fake             all parts, with recorded answers in place of the GPU

It needs an NVIDIA GPU of compute capability 9.0, its driver, Python 3.10 or later, and numpy; PyTorch, ncu
and compute-sanitizer where they are installed. Each part runs in a process of its own, which ends with
the budget of the part, and results.json is written anew after each.
"""

import argparse
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent / name) for name in ("", "wheel")]

from gpu_bundle import parts, supervisor  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    letters = "".join(parts.PARTS)
    parser.add_argument("--parts", default=letters, help=f"letters of parts, in order: {letters}")
    parser.add_argument("--seconds", type=float, help="at most this long in all")
    parser.add_argument("--fake", action="store_true", help="recorded answers in place of the GPU")
    parser.add_argument("--wrong", metavar="ROW[:WORD]", help="with --fake: one word of this row's answer is another")
    parser.add_argument("--seed", type=int, default=1, help="of the inputs")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results.json"))
    parser.add_argument("--one", choices=list(parts.PARTS), help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = [letter for letter in options.parts if letter not in parts.PARTS]
    if unknown or not options.parts:
        parser.error(f"there is no part '{''.join(unknown)}'; there are {letters}")
    if options.wrong and not options.fake:
        parser.error("--wrong changes a recorded answer: it needs --fake")
    if options.seconds is not None and not options.seconds > 0:
        parser.error("--seconds takes a number above 0")
    if options.one:
        return parts.run_one(options)
    return supervisor.run_all(options)


if __name__ == "__main__":
    sys.exit(main())
