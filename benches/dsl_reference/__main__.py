"""Runs the references of the modules that are given: `python3 -m dsl_reference CUTEC FILE..`."""

import sys

from . import run

sys.exit(not all([run(sys.argv[1], path) for path in sys.argv[2:]]))
