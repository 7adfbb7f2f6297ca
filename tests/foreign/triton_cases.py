"""The registry of the kernels in Triton."""

from cases import Case

CASES = []


TARGETS = (80, 90, 100, 120)


def case(
    kernel,
    *,
    grid,
    expected=None,
    finds=None,
    tolerance=0.0,
    warps=4,
    stages=3,
    targets=TARGETS,
    kept=TARGETS,
    debug=False,
    **arguments,
):
    """Adds a kernel of Triton with its arguments by name; parameters in capitals are constants.

    `kept`: the targets whose PTX is checked in. Kernels into which the compiler puts more than a few lines of code from
    its libraries are compiled anew in each full test.
    """
    settings = {"num_warps": warps, "num_stages": stages, "debug": debug}
    made = Case(kernel.__name__, arguments, grid, expected, tolerance, settings)
    made.function = kernel
    made.finds = finds
    made.targets = targets
    made.kept = [target for target in kept if target in targets]
    assert all(other.kernel != made.kernel for other in CASES), made.kernel
    CASES.append(made)
