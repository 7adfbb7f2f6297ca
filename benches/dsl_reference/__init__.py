"""References for the public kernels of CuTe DSL: the shapes to run each with, and the same computation by plain loops.

`run(cutec, path)` runs the host function of a module in the simulator for each case that is known for a file of that name, and prints
how far the results are from the loops. In the folder `benches`, `python3 -m dsl_reference CUTEC FILE..` does that too.
"""

from .check import run

__all__ = ["run"]
