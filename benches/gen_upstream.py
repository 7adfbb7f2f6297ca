#!/usr/bin/env python3
"""gen_upstream.py N [arith|memref]   > upstream.mlir

The floor for gen_static.py: the same shape of module (N functions, 10
constant-like ops + 9 ops with long inferred-and-checked types, six results,
about 2.1 kB of text a function) in upstream dialects only.  16 templates cycle.

  memref (default)  strided memref reshapes, whose verifiers also recompute the
                    result type
  arith             vector arithmetic and func only: cute-opt can read it too
"""
import sys


def memref(i, out):
    m = 1 + i % 16
    a, b = 16 * m, 32 * m
    A = "memref<%dx%dxf32, strided<[%d, 1]>>" % (a, b, b)
    R0 = "memref<%dx%dxf32, strided<[%d, 1]>>" % (8 * m, b, 2 * b)
    R1 = "memref<%dx2x%dx4xf32, strided<[%d, %d, 4, 1]>>" % (4 * m, 8 * m, 4 * b, 2 * b)
    R2 = "memref<%dx4x%dx2xf32, strided<[%d, %d, 2, 1]>>" % (2 * m, 16 * m, 8 * b, 2 * b)
    R4 = "memref<%dx2x%dx2xf32, strided<[%d, %d, 2, 1]>>" % (2 * m, 8 * m, 8 * b, 4 * b)
    R5 = "memref<%dx%dxf32, strided<[1, %d]>>" % (b, 8 * m, 2 * b)
    R6 = "memref<%dx4x%dxf32, strided<[%d, %d, 1]>>" % (m, a, 4 * b, b)
    res = (R1, R0, R4, R5, "index", "index")
    out.append("func.func @f%d(%%a: %s) -> (%s) {" % (i, A, ", ".join(res)))
    for k in range(10):
        if k < 2:
            out.append("  %%c%d = arith.constant %d : index" % (k, k))
        else:
            out.append("  %%c%d = arith.constant dense<%d> : vector<%dx%dxi32>" % (k, k, k, m))
    out.append("  %%r0 = memref.subview %%a[0, 0] [%d, %d] [2, 1] : %s to %s" % (8 * m, b, A, R0))
    out.append("  %%r1 = memref.expand_shape %%r0 [[0, 1], [2, 3]] output_shape [%d, 2, %d, 4] : %s into %s" % (4 * m, 8 * m, R0, R1))
    out.append("  %%r2 = memref.expand_shape %%r0 [[0, 1], [2, 3]] output_shape [%d, 4, %d, 2] : %s into %s" % (2 * m, 16 * m, R0, R2))
    out.append("  %%r3 = memref.collapse_shape %%r1 [[0, 1], [2, 3]] : %s into %s" % (R1, R0))
    out.append("  %%r4 = memref.subview %%r2[0, 0, 0, 0] [%d, 2, %d, 2] [1, 2, 1, 1] : %s to %s" % (2 * m, 8 * m, R2, R4))
    out.append("  %%r5 = memref.transpose %%r0 (i, j) -> (j, i) : %s to %s" % (R0, R5))
    out.append("  %%r6 = memref.reinterpret_cast %%a to offset: [0], sizes: [%d, 4, %d], strides: [%d, %d, 1] : %s to %s" % (m, a, 4 * b, b, A, R6))
    out.append("  %%r7 = memref.dim %%r6, %%c0 : %s" % R6)
    out.append("  %r8 = arith.addi %r7, %c1 : index")
    out.append("  return %%r1, %%r3, %%r4, %%r5, %%r7, %%r8 : %s" % ", ".join(res))
    out.append("}")


def arith(i, out):
    m = 1 + i % 16
    T = ["vector<%dx%dx%dxi32>" % (m + 2, j + 2, m + j + 4) for j in range(3)]
    U = ["vector<%dx%dx%dxi64>" % (m + 2, j + 2, m + j + 4) for j in range(3)]
    res = [T[0], T[1], T[2], U[0], U[1], U[2]]
    out.append("func.func @f%d() -> (%s) {" % (i, ", ".join(res)))
    for k in range(10):
        out.append("  %%c%d = arith.constant dense<%d> : %s" % (k, k, T[k % 3]))
    for k in range(3):
        out.append("  %%r%d = arith.addi %%c%d, %%c%d overflow<nsw, nuw> : %s" % (k, k, k + 3, T[k]))
    for k in range(3):
        out.append("  %%r%d = arith.extsi %%r%d : %s to %s" % (k + 3, k, T[k], U[k]))
    for k in range(3):
        out.append("  %%r%d = arith.muli %%r%d, %%r%d overflow<nsw, nuw> : %s" % (k + 6, k + 3, k + 3, U[k]))
    out.append("  return %%r0, %%r1, %%r2, %%r6, %%r7, %%r8 : %s" % ", ".join(res))
    out.append("}")


def main():
    pos = sys.argv[1:]
    if not pos or len(pos) > 2:
        sys.exit(__doc__)
    f = {"arith": arith, "memref": memref}[pos[1] if len(pos) > 1 else "memref"]
    out = []
    for i in range(int(pos[0])):
        f(i, out)
    sys.stdout.write("\n".join(out) + "\n")


main()
