#!/usr/bin/env python3
"""gen_dynamic.py N [--print]   > bench_dyn.mlir

One module with N functions on layouts with dynamic leaves.  Each function is a
chain of 10 cute ops (logical_divide, zipped_divide, composition, coalesce,
slice, complement, logical_product, crd2idx, size, layout_eval); tilers are
`cute.static`, the dynamic layouts, coordinates and shapes are arguments, and
eight results are returned, so nothing is dead.  8 templates cycle.  Result
types are those of the public C++ implementation's inference, but for one
divide, where CuTe C++ coalesces and it does not; nothing is computed here.
"""
import sys

# A, T, Z, B, C, K, M, P, crd, shp, ecrd, then the ten results
TABLE = [
    ('layout:(?,?):(?,1)', 'tile:[32:1;16:1]', 'shape:(32,16)',
     'shape:(8,4)', 'coord:(_,(?,?))', 'layout:(4,8):(1,16)',
     'shape:?', 'layout:(?,?):(1,?)', 'coord:(?,?)',
     'shape:(?,8)', 'coord:((?,?),(?,?))', 'layout:((32,?),(16,?)):((?,?),(1,16))',
     'layout:((32,16),(?,?)):((?,1),(?,16))', 'layout:(8,4):(?,1)', 'layout:(32,?,16,?):(?,?,1,16)',
     'layout:((32,16)):((?,1))', 'layout:(4,?):(4,128)', 'layout:((4,8),((?,?),(?,?))):((1,16),((4,128),(?,?)))',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
    ('layout:(?,?):(1,?)', 'shape:(128,64)', 'tile:[64:1;8:1]',
     'tile:[16:1;8:1]', 'coord:(_,?)', 'layout:(4,8):(8,1)',
     'shape:(?,?)', 'layout:?:1', 'coord:(?,(?,2))',
     'shape:(16,(4,?))', 'coord:((?,3),(?,?))', 'layout:((128,?),(64,?)):((1,128),(?,?))',
     'layout:((64,8),(?,?)):((1,?),(64,?))', 'layout:(16,8):(1,?)', 'layout:(128,?,64,?):(1,128,?,?)',
     'layout:((64,8)):((1,?))', 'layout:?:32', 'layout:((4,8),?):((8,1),32)',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
    ('layout:(?,?,?):(?,?,1)', 'shape:(8,32,16)', 'shape:(4,16,8)',
     'shape:(2,4,8)', 'coord:(_,(?,?,?))', 'layout:4:2',
     'shape:(?,16)', 'layout:(?,4):(4,1)', 'coord:(?,?,?)',
     'shape:(?,?,?)', 'coord:((?,?,?),(?,?,?))', 'layout:((8,?),(32,?),(16,?)):((?,?),(?,?),(1,16))',
     'layout:((4,16,8),(?,?,?)):((?,?,1),(?,?,8))', 'layout:(2,4,8):(?,?,1)', 'layout:(8,?,32,?,16,?):(?,?,?,?,1,16)',
     'layout:((4,16,8)):((?,?,1))', 'layout:(2,?):(1,8)', 'layout:(4,(?,(2,2))):(2,(16,(1,8)))',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
    ('layout:(?{i64},?{i64}):(?{i64},1)', 'tile:[16:1;8:1]', 'shape:(32,16)',
     'shape:(8,4)', 'coord:(_,(?,?))', 'layout:(2,2):(1,4)',
     'shape:?', 'layout:(2,?):(1,2)', 'coord:(?{i64},?)',
     'shape:(?{i64},?)', 'coord:((?,?),(?{i64},?))', 'layout:((16,?{i64}),(8,?{i64})):((?{i64},?{i64}),(1,8))',
     'layout:((32,16),(?{i64},?{i64})):((?{i64},1),(?{i64},16))', 'layout:(8,4):(?{i64},1)', 'layout:(16,?{i64},8,?{i64}):(?{i64},?{i64},1,8)',
     'layout:((32,16)):((?{i64},1))', 'layout:(2,?):(2,8)', 'layout:((2,2),(2,?)):((1,4),(2,8))',
     'int_tuple:?{i64}', 'int_tuple:?{i64}', 'int_tuple:?{i64}'),
    ('layout:(?,64):(64,1)', 'tile:[32:1;16:1]', 'shape:(16,8)',
     'tile:[32:1;16:2]', 'coord:((_,?),(?,_))', 'layout:(8,8):(1,16)',
     'shape:(128,?)', 'layout:(?,?):(?,1)', 'coord:(5,?)',
     'shape:(?,64)', 'coord:((?,?),(?,2))', 'layout:((32,?),(16,4)):((64,2048),(1,16))',
     'layout:((16,8),(?,8)):((64,1),(1024,8))', 'layout:(32,16):(64,2)', 'layout:(32,?,64):(64,2048,1)',
     'layout:(16,8):(64,8)', 'layout:(2,?):(8,128)', 'layout:((8,8),((?,?),(?,?))):((1,16),((?,?),(8,128)))',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
    ('layout:(128,?):(1,128)', 'shape:(16,4)', 'tile:[32:1;4:1]',
     'shape:(64,8)', 'coord:((_,_),(?,?))', 'layout:(3,4):(4,1)',
     'shape:?', 'layout:(?,5):(1,?)', 'coord:?',
     'shape:(?,?)', 'coord:((?,?),(?,?))', 'layout:((16,8),(4,?)):((1,16),(128,512))',
     'layout:((32,4),(4,?)):((1,128),(32,512))', 'layout:(64,8):(1,128)', 'layout:(512,?):(1,512)',
     'layout:(32,4):(1,128)', 'layout:?:12', 'layout:((3,4),(?,5)):((4,1),(12,?))',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
    ('layout:(?,(?,8)):(8,(?,1))', 'tile:[4:1]', 'tile:[8:1;(4,2):(1,4)]',
     'shape:(4,16)', 'coord:(_,?)', 'layout:16:1',
     'shape:(?,64)', 'layout:?:4', 'coord:(?,(?,?))',
     'shape:(?,(?,8))', 'coord:((?,?),?)', 'layout:((4,?),(?,8)):((8,32),(?,1))',
     'layout:((8,((?,?),(?,?))),(?,(?,?))):((8,((?,?),(?,?))),(64,(?,?)))', 'layout:(4,(?,?)):(8,(?,?))', 'layout:(4,?,?,8):(8,32,?,1)',
     'layout:((8,((?,?),(?,?)))):((8,((?,?),(?,?))))', 'layout:?:16', 'layout:(16,?):(1,64)',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
    ('layout:?:1', 'layout:256:1', 'layout:128:1',
     'layout:(8,4):(1,8)', 'coord:(_,?)', 'layout:(4,4,4):(1,4,16)',
     'shape:?', 'layout:(?,2):(1,?)', 'coord:?',
     'shape:?', 'coord:(?,?)', 'layout:(256,?):(1,256)',
     'layout:(128,?):(1,128)', 'layout:(8,4):(1,8)', 'layout:(256,?):(1,256)',
     'layout:(128):(1)', 'layout:?:64', 'layout:((4,4,4),(?,2)):((1,4,16),(64,?))',
     'int_tuple:?', 'int_tuple:?', 'int_tuple:?'),
]
NAMES = ["a", "t", "z", "b", "c", "k", "m", "p", "crd", "shp", "e"]


def ty(s):
    kind, _, text = s.partition(":")
    return '!cute.%s<"%s">' % (kind, text)


def emit(i, out):
    row = list(map(ty, TABLE[i % len(TABLE)]))
    A, T, Z, B, C, K, M, P, CRD, SHP, E, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9 = row
    rets = [("%r0", r0), ("%r2", r2), ("%r3", r3), ("%r4", r4), ("%r5", r5), ("%r6", r6),
            ("%r7", r7), ("%r8", r8), ("%r9", r9)]
    ins = list(zip(NAMES, row))
    args = [x for x in ins if "?" in x[1]]
    out.append("func.func @f%d(%s) -> (%s) {" % (
        i, ", ".join("%%%s: %s" % x for x in args), ", ".join(t for _, t in rets)))
    out += ["  %%%s = cute.static : %s" % x for x in ins if "?" not in x[1]]
    out.append("  %%r0 = cute.logical_divide(%%a, %%t) : (%s, %s) -> %s" % (A, T, r0))
    out.append("  %%r1 = cute.zipped_divide(%%a, %%z) : (%s, %s) -> %s" % (A, Z, r1))
    out.append("  %%r2 = cute.composition(%%a, %%b) : (%s, %s) -> %s" % (A, B, r2))
    out.append("  %%r3 = cute.coalesce(%%r0) : (%s) -> %s" % (r0, r3))
    out.append("  %%r4 = cute.slice(%%r1, %%c) : %s, %s" % (r1, C))
    out.append("  %%r5 = cute.complement(%%k, %%m) : (%s, %s) -> %s" % (K, M, r5))
    out.append("  %%r6 = cute.logical_product(%%k, %%p) : (%s, %s) -> %s" % (K, P, r6))
    out.append("  %%r7 = cute.crd2idx(%%crd, %%shp) : (%s, %s) -> %s" % (CRD, SHP, r7))
    out.append("  %%r8 = cute.size(%%r1) : (%s) -> %s" % (r1, r8))
    out.append("  %%r9 = cute.layout_eval(%%e, %%r1) : (%s, %s) -> %s" % (E, r1, r9))
    out.append("  return %s : %s" % (", ".join(n for n, _ in rets), ", ".join(t for _, t in rets)))
    out.append("}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = []
    for i in range(int(sys.argv[1])):
        emit(i, out)
        if len(out) > 4096:
            sys.stdout.write("\n".join(out) + "\n")
            out.clear()
    sys.stdout.write("\n".join(out) + "\n")


main()
