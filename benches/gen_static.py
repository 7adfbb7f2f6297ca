#!/usr/bin/env python3
"""gen_static.py N [--distinct] [--args]   > bench.mlir

One module with N functions.  Each function is a chain of 9 cute ops
(composition, logical_divide, zipped_divide, coalesce, slice, complement,
logical_product, crd2idx, size) over 10 static inputs and returns six of the
results.  The 16 templates (flat, hierarchical, swizzled and basis-stride
layouts) cycle.  Every result type below was taken from the public C++ implementation's type
inference, nothing is computed here.

  (default)    inputs are `cute.static` ops in the body: 19 cute ops a function
  --args       inputs are function arguments: 9 cute ops a function
  --distinct   multiplies the strides of the first layout by 1 + i // 16 in
               function i, so that hardly any two functions share a type (the
               integer-stride templates only; composition, divide, coalesce and
               slice are linear in it).  Defeats whole-type caching.
"""
import re
import sys

# A, B, T, Z, C, K, M, P, crd, shp, then the nine results
TABLE = [
    ('layout:(40):(2)', 'layout:(10,4):(4,1)', 'layout:5:1',
     'shape:(5,2)', 'coord:(_,0)', 'layout:4:2',
     'shape:64', 'layout:4:1', 'coord:(1,2)',
     'shape:(4,8)', 'layout:(10,4):(8,2)', 'layout:(5,(2,4)):(8,(40,2))',
     'layout:((5,2),(2,2)):((8,2),(40,4))', 'layout:(10,4):(8,2)', 'layout:((5,2)):((8,2))',
     'layout:(2,8):(1,8)', 'layout:(4,(2,2)):(2,(1,8))', 'int_tuple:9',
     'int_tuple:16'),
    ('layout:(8,16):(1,8)', 'layout:(4,8):(2,16)', 'tile:[2:1;4:1]',
     'tile:[2:1;2:1]', 'coord:(_,(0,1))', 'layout:(2,2):(1,4)',
     'shape:(16,4)', 'layout:(2,3):(1,2)', 'coord:(3,(1,2))',
     'shape:(4,(2,8))', 'layout:(4,8):(2,16)', 'layout:((2,2),(4,2)):((2,4),(16,64))',
     'layout:((2,2),(2,4)):((2,16),(4,32))', 'layout:(4,8):(2,16)', 'layout:((2,2)):((2,16))',
     'layout:(2,8):(2,8)', 'layout:((2,2),(2,3)):((1,4),(2,8))', 'int_tuple:23',
     'int_tuple:24'),
    ('layout:(8,(4,4)):(16,(1,4))', 'shape:(4,8)', 'shape:(2,4)',
     'layout:4:1', 'coord:(_,3)', 'layout:(2,4):(1,16)',
     'shape:128', 'layout:4:2', 'coord:17',
     'shape:(4,8)', 'layout:(4,8):(16,1)', 'layout:((2,2),(4,2)):((16,32),(1,4))',
     'layout:(4,8):(16,1)', 'layout:(4,8):(16,1)', 'layout:(4):(16)',
     'layout:(8,2):(2,64)', 'layout:((2,4),4):((1,16),4)', 'int_tuple:17',
     'int_tuple:32'),
    ('layout:(16,32,4):(32,1,512)', 'layout:(8,16,4):(2,32,512)', 'tile:[4:1;8:2;2:1]',
     'shape:(4,8,2)', 'coord:(_,0)', 'layout:(4,8):(8,1)',
     'shape:(8,32)', 'layout:(4,2):(2,1)', 'coord:(1,2,3)',
     'shape:(4,8,16)', 'layout:(8,16,4):(64,2,512)', 'layout:((4,2),(8,2),(2,2)):((64,256),(4,2),(512,1024))',
     'layout:((4,8,2),(2,2,2)):((64,2,512),(256,16,1024))', 'layout:(8,8,2,4):(64,4,2,512)', 'layout:((4,8,2)):((64,2,512))',
     'layout:8:32', 'layout:((4,8),(4,2)):((8,1),(64,32))', 'int_tuple:105',
     'int_tuple:256'),
    ('layout:((2,4),(8,2)):((1,16),(2,64))', 'layout:(8,16):(1,8)', 'layout:8:2',
     'tile:[4:2;8:1]', 'coord:((_,_),0)', 'layout:8:4',
     'shape:256', 'layout:(2,2):(2,1)', 'coord:((1,2),3)',
     'shape:((4,8),6)', 'layout:((2,4),(8,2)):((1,16),(2,64))', 'layout:((4,2),(2,(4,2))):((16,2),(1,(4,64)))',
     'layout:((4,8),(2,2)):((16,2),(1,64))', 'layout:(4,2,2,4,2):(16,2,1,4,64)', 'layout:(4,8):(16,2)',
     'layout:(4,8):(1,32)', 'layout:(8,(2,2)):(4,(2,1))', 'int_tuple:105',
     'int_tuple:32'),
    ('layout:(128,64):(64,1)', 'tile:[32:1;16:2]', 'tile:[8:1;4:1]',
     'shape:(16,8)', 'coord:(_,(1,0))', 'layout:(8,8):(1,16)',
     'shape:(128,16)', 'layout:(2,4):(4,1)', 'coord:(5,6)',
     'shape:(128,64)', 'layout:(32,16):(64,2)', 'layout:((8,4),(4,4)):((64,512),(2,8))',
     'layout:((16,8),(2,2)):((64,2),(1024,16))', 'layout:(32,16):(64,2)', 'layout:((16,8)):((64,2))',
     'layout:(2,16):(8,128)', 'layout:((8,8),(2,(2,2))):((1,16),(256,(8,128)))', 'int_tuple:773',
     'int_tuple:512'),
    ('layout:(9,(4,8)):(59,(13,1))', 'shape:(9,32)', 'tile:[3:3;(2,4):(1,8)]',
     'tile:[3:3;(2,4):(1,8)]', 'coord:(_,(1,_))', 'layout:(2,2):(4,1)',
     'shape:24', 'layout:6:1', 'coord:(2,(3,4))',
     'shape:(9,(4,8))', 'layout:(9,(4,8)):(59,(13,1))', 'layout:((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))',
     'layout:((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))', 'layout:(3,3,2,4,2,2):(177,59,13,2,26,1)', 'layout:((3,(2,4)),(2,2)):((177,(13,2)),(26,1))',
     'layout:(2,3):(2,8)', 'layout:((2,2),(2,3)):((4,1),(2,8))', 'int_tuple:173',
     'int_tuple:24'),
    ('layout:(32,8,2):(8,1,256)', 'layout:(16,(4,2)):(2,(32,256))', 'layout:16:1',
     'shape:(4,2)', 'coord:(_,0)', 'layout:2:8',
     'shape:(8,8)', 'layout:(8,5):(1,8)', 'coord:(7,1)',
     'shape:(32,8)', 'layout:(16,(4,2)):(16,(1,256))', 'layout:(16,(4,2)):(16,(1,256))',
     'layout:((4,2),(4,(2,2))):((16,1),(64,(2,256)))', 'layout:(16,4,2):(16,1,256)', 'layout:((4,2)):((16,1))',
     'layout:(8,4):(1,16)', 'layout:(2,(8,5)):(8,(1,16))', 'int_tuple:39',
     'int_tuple:80'),
    ('layout:(64,64):(1,64)', 'layout:((8,8),(4,16)):((1,8),(64,256))', 'tile:[8:1;16:1]',
     'tile:[16:1;4:1]', 'coord:(_,(0,0))', 'layout:(4,4,4):(1,4,16)',
     'shape:1024', 'layout:(2,2,2):(1,2,4)', 'coord:(3,(2,1))',
     'shape:(8,(8,8))', 'layout:((8,8),(4,16)):((1,8),(64,256))', 'layout:((8,8),(16,4)):((1,8),(64,1024))',
     'layout:((16,4),(4,16)):((1,64),(16,256))', 'layout:4096:1', 'layout:((16,4)):((1,64))',
     'layout:16:64', 'layout:((4,4,4),(2,2,2)):((1,4,16),(64,128,256))', 'int_tuple:83',
     'int_tuple:512'),
    ('layout:(6,8):(8,1)', 'layout:(3,8):(2,6)', 'layout:3:1',
     'layout:(3,2):(1,3)', 'coord:(_,1)', 'layout:(3,4):(4,1)',
     'shape:48', 'layout:(2,5):(1,2)', 'coord:(1,7)',
     'shape:(6,8)', 'layout:(3,8):(16,1)', 'layout:(3,8):(16,1)',
     'layout:((3,2),4):((16,1),2)', 'layout:(3,8):(16,1)', 'layout:((3,2)):((16,1))',
     'layout:4:12', 'layout:((3,4),(2,5)):((4,1),(12,24))', 'int_tuple:43',
     'int_tuple:120'),
    ('layout:(12,(4,6)):(1,(12,48))', 'tile:[6:2;8:1]', 'tile:[3:1;4:2]',
     'shape:(2,4)', 'coord:(_,(1,1))', 'layout:(3,(5,2)):(1,(3,15))',
     'shape:(6,20)', 'layout:4:3', 'coord:(11,(3,5))',
     'shape:(12,(4,6))', 'layout:(6,8):(2,12)', 'layout:((3,2),(4,2)):((2,6),(24,12))',
     'layout:((2,4),(3,2)):((2,12),(4,48))', 'layout:(6,4,2):(2,24,12)', 'layout:((2,4)):((2,12))',
     'layout:4:30', 'layout:((3,(5,2)),4):((1,(3,15)),90)', 'int_tuple:287',
     'int_tuple:120'),
    ('layout:(256):(3)', 'layout:(4,8,8):(64,8,1)', 'layout:16:2',
     'shape:(2,4,2)', 'coord:(_,0)', 'layout:16:1',
     'shape:64', 'layout:4:4', 'coord:99',
     'shape:256', 'layout:(4,8,8):(192,24,3)', 'layout:((2,8),(2,8)):((384,24),(192,3))',
     'layout:((2,4,2),(2,2,4)):((192,24,3),(384,96,6))', 'layout:(2,16,8):(384,24,3)', 'layout:((2,4,2)):((192,24,3))',
     'layout:4:16', 'layout:(16,4):(1,64)', 'int_tuple:99',
     'int_tuple:64'),
    ('composed_layout:S<3,4,3> o 0 o (8,64):(64,1)', 'layout:(8,32):(1,16)', 'tile:[4:1;8:1]',
     'shape:(4,8)', 'coord:(_,0)', 'layout:(8,8):(8,1)',
     'shape:128', 'layout:(2,4):(1,2)', 'coord:(1,1)',
     'shape:(8,64)', 'composed_layout:S<3,4,3> o 0 o (8,32):(64,2)', 'composed_layout:S<3,4,3> o 0 o ((4,2),(8,4)):((64,256),(2,16))',
     'composed_layout:S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))', 'composed_layout:S<3,4,3> o 0 o (8,32):(64,2)', 'layout:(((2,2),8)):(((64,144),2))',
     'layout:2:64', 'layout:((8,8),(2,4)):((8,1),(64,128))', 'int_tuple:9',
     'int_tuple:512'),
    ('composed_layout:S<2,3,3> o 0 o (16,32):(32,1)', 'shape:(16,16)', 'shape:(4,8)',
     'tile:[8:2;4:1]', 'coord:(_,(1,0))', 'layout:(2,8):(8,1)',
     'shape:(4,16)', 'layout:3:2', 'coord:(9,3)',
     'shape:(16,32)', 'composed_layout:S<2,3,3> o 0 o (16,16):(32,1)', 'composed_layout:S<2,3,3> o 0 o ((4,4),(8,2)):((32,128),(1,8))',
     'composed_layout:S<2,3,3> o 0 o ((8,4),(2,4)):((64,1),(32,4))', 'composed_layout:S<2,3,3> o 0 o (16,16):(32,1)', 'layout:(((4,2),4)):(((72,256),1))',
     'layout:4:16', 'layout:((2,8),3):((8,1),32)', 'int_tuple:57',
     'int_tuple:48'),
    ('layout:(8,16):(1@0,1@1)', 'layout:(4,16):(2,8)', 'tile:[2:1;8:1]',
     'shape:(2,4)', 'coord:(_,(0,_))', 'layout:(2,2,2):(1,4,16)',
     'shape:64', 'layout:(2,4):(4,1)', 'coord:(1,9)',
     'shape:(8,16)', 'layout:(4,16):(2@0,1@1)', 'layout:((2,2),(8,2)):((2@0,4@0),(1@1,8@1))',
     'layout:((2,4),(2,4)):((2@0,1@1),(4@0,4@1))', 'layout:(4,16):(2@0,1@1)', 'layout:((2,4),4):((2@0,1@1),4@1)',
     'layout:(2,2,2):(2,8,32)', 'layout:((2,2,2),(2,(2,2))):((1,4,16),(32,(2,8)))', 'int_tuple:73',
     'int_tuple:64'),
    ('layout:(4,(8,2),3):(1@0,(1@1,8@1),2@2)', 'shape:(4,16,3)', 'tile:[2:1;4:2]',
     'shape:(2,8)', 'coord:(_,_)', 'layout:(4,2):(2,16)',
     'shape:(8,16)', 'layout:(2,2):(1,2)', 'coord:(1,(2,1),2)',
     'shape:(4,(8,2),3)', 'layout:(4,16,3):(1@0,1@1,2@2)', 'layout:((2,2),(4,(2,2)),3):((1@0,2@0),(2@1,(1@1,8@1)),2@2)',
     'layout:((2,8),(2,2,3)):((1@0,1@1),(2@0,8@1,2@2))', 'layout:(4,4,2,2,3):(1@0,2@1,1@1,8@1,2@2)', 'layout:((2,8),(2,2,3)):((1@0,1@1),(2@0,8@1,2@2))',
     'layout:(2,2,4):(1,8,32)', 'layout:((4,2),(2,2)):((2,16),(1,8))', 'int_tuple:169',
     'int_tuple:32'),
]
NAMES = ["a", "b", "t", "z", "c", "k", "m", "p", "crd", "shp"]


def ty(s):
    kind, _, text = s.partition(":")
    return '!cute.%s<"%s">' % (kind, text)


def scale(s, m):
    """layout:SHAPE:STRIDE with every stride times m."""
    kind, shape, stride = s.split(":")
    return "%s:%s:%s" % (kind, shape, re.sub(r"\d+", lambda x: str(int(x.group()) * m), stride))


def emit(i, out, distinct, args):
    row = list(TABLE[i % len(TABLE)])
    if distinct and "composed" not in row[0] and "@" not in row[0]:
        m = 1 + i // len(TABLE)
        for k in (0, 10, 11, 12, 13, 14):
            row[k] = scale(row[k], m)
    A, B, T, Z, C, K, M, P, CRD, SHP, r0, r1, r2, r3, r4, r5, r6, r7, r8 = map(ty, row)
    res = "(%s)" % ", ".join((r1, r3, r4, r5, r7, r8))
    ins = list(zip(NAMES, (A, B, T, Z, C, K, M, P, CRD, SHP)))
    if args:
        out.append("func.func @f%d(%s) -> %s {" % (i, ", ".join("%%%s: %s" % x for x in ins), res))
    else:
        out.append("func.func @f%d() -> %s {" % (i, res))
        out += ["  %%%s = cute.static : %s" % x for x in ins]
    out.append("  %%r0 = cute.composition(%%a, %%b) : (%s, %s) -> %s" % (A, B, r0))
    out.append("  %%r1 = cute.logical_divide(%%r0, %%t) : (%s, %s) -> %s" % (r0, T, r1))
    out.append("  %%r2 = cute.zipped_divide(%%r0, %%z) : (%s, %s) -> %s" % (r0, Z, r2))
    out.append("  %%r3 = cute.coalesce(%%r1) : (%s) -> %s" % (r1, r3))
    out.append("  %%r4 = cute.slice(%%r2, %%c) : %s, %s" % (r2, C))
    out.append("  %%r5 = cute.complement(%%k, %%m) : (%s, %s) -> %s" % (K, M, r5))
    out.append("  %%r6 = cute.logical_product(%%k, %%p) : (%s, %s) -> %s" % (K, P, r6))
    out.append("  %%r7 = cute.crd2idx(%%crd, %%shp) : (%s, %s) -> %s" % (CRD, SHP, r7))
    out.append("  %%r8 = cute.size(%%r6) : (%s) -> %s" % (r6, r8))
    out.append("  return %%r1, %%r3, %%r4, %%r5, %%r7, %%r8 : %s" % ", ".join((r1, r3, r4, r5, r7, r8)))
    out.append("}")


def main():
    pos = [a for a in sys.argv[1:] if not a.startswith("-")]
    opt = [a for a in sys.argv[1:] if a.startswith("-")]
    if len(pos) != 1 or any(o not in ("--distinct", "--args") for o in opt):
        sys.exit(__doc__)
    out = []
    for i in range(int(pos[0])):
        emit(i, out, "--distinct" in opt, "--args" in opt)
        if len(out) > 4096:
            sys.stdout.write("\n".join(out) + "\n")
            out.clear()
    sys.stdout.write("\n".join(out) + "\n")


main()
