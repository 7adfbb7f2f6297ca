"""The inputs of same.py: kernels and how they are run.

An input is a dictionary of the arguments of ``cute_mlir.simulate``, where each argument of the kernel is a text as for
``cutec run --arg``, and has a type. Besides, ``file`` is the name of the PTX, ``finds`` is what must be in the report: the kinds of its
findings, or a part of the error; ``without`` names places that cannot have the input, each with the reason; with ``races_of_blocks`` the
kinds and the places of findings alone are compared.
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "build"))
import bugs as bugs_of_the_page  # noqa: E402

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"

SCALE = HEAD + """
.visible .entry scale(.param .u64 p, .param .u64 q, .param .f32 s) {
  .reg .b64 %rd<5>; .reg .b32 %r<4>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.f32 %f2, [s];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd1];
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%rd2], %f1;
  ret;
}"""

# Each thread takes the next place: which one depends on the order.
PLACES = HEAD + """
.visible .entry places(.param .u64 p, .param .u64 count) {
  .reg .b64 %rd<5>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [count];
  mov.u32 %r1, %tid.x;
  atom.global.add.u32 %r2, [%rd2], 1;
  mul.wide.u32 %rd3, %r2, 4; add.u64 %rd1, %rd1, %rd3;
  st.global.u32 [%rd1], %r1;
  ret;
}"""

COUNT = HEAD + """
.visible .entry count(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
  L: add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; bra L;
}"""

# The elected thread stores its number, which must not be `n`.
ELECT = HEAD + """
.visible .entry elect(.param .u64 p, .param .u32 n) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %q<3>; ld.param.u64 %rd1, [p]; ld.param.u32 %r3, [n];
  mov.u32 %r1, %tid.x; elect.sync %r2|%q1, -1; setp.eq.and.u32 %q2, %r1, %r3, %q1;
  @%q2 trap; @%q1 st.global.u32 [%rd1], %r1; ret;
}"""

VIDEO = HEAD + """
.visible .entry video() { .reg .b32 %r<2>; mov.u32 %r1, 0; vabsdiff.u32.u32.u32 %r1, %r1, %r1, %r1; ret; }"""

# All threads store to one word. The file lies below the folder of the run, and is named by its whole path.
PLACED = HEAD + """
.file 1 "{folder}/placed.cu"
.visible .entry placed(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
  .loc 1 7 3
  st.global.u32 [%rd1], %r1; ret;
}"""

DYNAMIC = HEAD + """
.extern .shared .align 16 .b8 tile[];
.visible .entry dynamic(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.shared.u32 [tile+60], %r1; ld.shared.u32 %r2, [tile+60]; st.global.u32 [%rd1], %r2; ret;
}"""



def sums():
    """Products of matrices of all kinds whose elements are below 2, of which the address of a load tells all bits."""
    kinds = [
        ("m16n8k16.row.col.f32.f16.f16.f32", 0xBFFFBFFF, "f", 4),
        ("m16n8k16.row.col.f16.f16.f16.f16", 0xBBFFBBFF, "d", 2),
        ("m16n8k16.row.col.f32.bf16.bf16.f32", 0xBFFFBFFF, "f", 4),
        ("m16n8k8.row.col.f32.tf32.tf32.f32", 0xBFFFFFFF, "f", 4),
        ("m16n8k32.row.col.f32.e4m3.e4m3.f32", 0xBFBFBFBF, "f", 4),
        ("m16n8k32.row.col.f32.e5m2.e5m2.f32", 0xBFBFBFBF, "f", 4),
        ("m16n8k32.row.col.s32.s8.s8.s32", 0xFFFFFFFF, "d", 4),
    ]
    lines = []
    for name, mask, kind, results in kinds:
        for i in range(6):
            lines += [f"mad.lo.u32 %r1, %r1, 1664525, 1013904223; and.b32 %a{i}, %r1, {mask};"]
        for i in range(results):
            word = f"mad.lo.u32 %r1, %r1, 1664525, 1013904223; and.b32 %d{i}, %r1, {0xBBFFBBFF if kind == 'd' else 0xBFFFFFFF};"
            lines += [word] + ([f"mov.b32 %f{i}, %d{i};"] if kind == "f" else [])
        d = ", ".join(f"%{kind}{i}" for i in range(results))
        lines += [f"mma.sync.aligned.{name} {{{d}}}, {{%a0, %a1, %a2, %a3}}, {{%a4, %a5}}, {{{d}}};"]
        for i in range(results):
            lines += ([f"mov.b32 %d{i}, %f{i};"] if kind == "f" else []) + [f"mad.lo.u32 %r2, %r2, 31, %d{i};"]
    return HEAD + """
.visible .entry sums() {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .b32 %a<6>; .reg .b32 %d<4>; .reg .f32 %f<4>;
  mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
  """ + "\n  ".join(lines) + """
  redux.sync.xor.b32 %r3, %r2, -1;
  cvt.u64.u32 %rd1, %r3; and.b64 %rd1, %rd1, -4; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r1; ret;
}"""


TWO = HEAD + ".visible .entry one() { ret; }\n.visible .entry two() { ret; }\n"
ONE = ".visible .entry one() { ret; }\n"

FILES = {
    "scale.ptx": SCALE,
    "places.ptx": PLACES,
    "count.ptx": COUNT,
    "elect.ptx": ELECT,
    "video.ptx": VIDEO,
    "placed.ptx": PLACED,
    "dynamic.ptx": DYNAMIC,
    "sums.ptx": sums(),
    "two.ptx": TWO,
    "torn.ptx": SCALE[:-40],
    "unknown.ptx": HEAD + ".visible .entry one() { .reg .b32 %r<2>; frob.u32 %r1, %r1; ret; }\n",
    "newer.ptx": HEAD.replace("9.0", "97.3") + ONE,
    "other_gpu.ptx": HEAD.replace("sm_90a", "sm_999") + ONE,
    "empty.ptx": HEAD,
    "beside.ptx": SCALE,
    "beside.ptx.json": "{}",
}

SCALED = {"file": "scale.ptx", "grid": 1, "block": 32, "args": ["f32[32]=range", "f32[32]", "f32=2.5"]}
SHORT = {**SCALED, "args": ["f32[32]=range", "f32[20]", "f32=2.5"]}
PLACED_ONE = {"file": "placed.ptx", "grid": 1, "block": 32, "args": ["i32[1]"]}
VIDEO_ONE = {"file": "video.ptx", "grid": 1, "block": 1}
ONE_OF_TWO = {"file": "two.ptx", "grid": 1, "block": 1}
DYNAMIC_ONE = {"file": "dynamic.ptx", "grid": 1, "block": 1, "args": ["i32[1]"]}
ELECTED = {"file": "elect.ptx", "grid": 1, "block": 32, "args": ["i32[1]", "i32=31"]}

# Kernels of our own.
OWN = [
    {**SCALED, "finds": []},
    {**SHORT, "finds": ["out_of_bounds"]},
    {**SCALED, "args": ["f32[32]=range", "f32[34]=1", "f32=-0.0"], "schedules": 3, "finds": []},
    {**SCALED, "args": ["null", "f32[32]", "f32=1"], "finds": ["unmapped"]},
    {**SCALED, "args": ["f32[32]=random(3)", "f32[32]=1", "f32=inf"], "budget": 100, "finds": ["budget"]},
    {**SCALED, "args": ["&{f32[32]=3}", "f32[32]", "f32=2"], "finds": [], "without": {"C": "its arguments are no texts"}},
    {**SCALED, "args": ["&{f32[32]=3", "f32[32]", "f32=2"], "finds": "does not end with }", "without": {"C": "its arguments are no texts"}},
    {**SHORT, "allow": ["out_of_bounds", "race@nowhere.cu:3"], "finds": []},
    {**SHORT, "keep_arrays": True, "target": "sm_100a", "finds": ["out_of_bounds"]},
    {"file": "places.ptx", "grid": 1, "block": 64, "args": ["i32[64]", "i32[1]"], "schedules": 5, "finds": [],
     "without": {"C": "its arrays have no types, which the difference names"}},
    {"file": "places.ptx", "grid": 1, "block": 64, "args": ["i32[64]", "i32[1]"], "schedule": "reverse", "finds": []},
    {"file": "places.ptx", "grid": 1, "block": 64, "args": ["i32[64]", "i32[1]"], "schedule": "7", "races": False, "finds": []},
    {"file": "count.ptx", "grid": 1, "block": 2, "args": ["i32[1]"], "budget": 1000, "finds": ["budget", "race"]},
    {**ELECTED, "finds": []},
    {**ELECTED, "elect": "last", "finds": ["trap"]},
    {**ELECTED, "schedules": 3, "finds": ["elected_lane"]},
    {**VIDEO_ONE, "finds": ["unmodelled"]},
    {**VIDEO_ONE, "strict_ptx": True, "finds": "vabsdiff"},
    {"file": "sums.ptx", "grid": 1, "block": 32, "finds": ["unmapped"]},
    {**PLACED_ONE, "finds": ["race"]},
    {**PLACED_ONE, "allow": ["race@placed.cu:7"], "finds": []},
    {**PLACED_ONE, "races": False, "finds": []},
    {**ONE_OF_TWO, "kernel": "two", "finds": []},
    {**DYNAMIC_ONE, "shared": 64, "finds": []},
    {**DYNAMIC_ONE, "shared": 32, "finds": ["out_of_bounds"]},
    {**ONE_OF_TWO, "file": "newer.ptx", "finds": []},
    {**ONE_OF_TWO, "file": "other_gpu.ptx", "finds": []},
    # Launches that are refused.
    {**ONE_OF_TWO, "finds": "has the kernels one, two"},
    {**ONE_OF_TWO, "kernel": "three", "finds": "there is no kernel 'three'"},
    {**ONE_OF_TWO, "file": "empty.ptx", "finds": "'empty.ptx' has no kernel"},
    {**SCALED, "args": ["f32[32]"], "finds": "3 parameters", "without": {"C": "it has a message of its own for values"}},
    {**SCALED, "args": ["f32[32]", "f32[32]", "f64=1"], "finds": "f64", "without": {"C": "its values have no types"}},
    {**SCALED, "args": ["f32[x]", "f32[32]", "f32=1"], "finds": "f32[x]", "without": {"C": "its arguments are no texts"}},
    {**SCALED, "args": ["a.npy", "f32[32]", "f32=1"], "finds": "a.npy", "without": {
        "C": "its arguments are no texts", "cutec": "it reads files", "Python": "it says how to pass the array there"}},
    {**SCALED, "block": None, "finds": "it does not specify its block"},
    {**SCALED, "block": 2048, "finds": "2048"},
    {**SCALED, "cluster": [3, 1, 1], "finds": "cluster"},
    {**DYNAMIC_ONE, "finds": "it has dynamic shared memory"},
    {**DYNAMIC_ONE, "shared": 1 << 20, "finds": "1048576"},
    {**SCALED, "file": "torn.ptx", "finds": "torn.ptx:"},
    {**ONE_OF_TWO, "file": "unknown.ptx", "strict_ptx": True, "finds": "frob"},
    {**SCALED, "file": "beside.ptx", "finds": "the manifest 'beside.ptx.json' does not fit its PTX"},
]

# Kernels of other compilers, in tests/foreign, as its cases run them.
FOREIGN = [
    ("cuda/messages.nvcc.sm_80.ptx", "messages", 1, 8, ["i32[8]=range", "i32[8]"], {}),
    ("cuda/broken.nvcc.sm_80.ptx", "no_barrier", 1, 64, ["f32[64]=random(80)", "f32[64]"], {}),
    ("cuda/broken.clang.sm_80.ptx", "lost_updates", 1, 64, ["i32[64]=random(84)", "i32[4]"], {}),
    ("cuda/broken.nvcc.sm_90.ptx", "not_filled", 1, 64, ["i32[64]=random(82)", "i32[64]"], {}),
    ("cuda/broken.nvcc.sm_80.ptx", "without_end", 1, 64, ["i32[64]=random(85)", "i32[64]"], {}),
    ("cuda/broken.nvcc.sm_80.ptx", "half_barrier", 1, 64, ["i32[64]=random(81)", "i32[64]"], {"schedules": 4}),
    ("cuda/neighbours.nvcc.sm_90a.ptx", "neighbours", 4, 64, ["i32[256]=random(78)", "i32[256]"], {"cluster": [2, 1, 1]}),
    ("cuda/floats.nvcc.sm_80.ptx", "floats", 1, 64,
     ["f32[64]=random(75)", "f64[64]=random(76)", "f32[64]", "f64[64]", "i32[64]", "u32[64]"], {}),
    ("cuda/recursion.nvcc.sm_80.ptx", "recursion", 1, 13, ["i32[13]", "i32[13]", "i64[13]"], {}),
    ("triton/row_softmax.sm_80.ptx", "row_softmax", 5, None,
     ["f32[1500]=random(10)", "f32[1500]", "i32=300", "null", "null"], {"shared": 16}),
    ("triton/no_mask.sm_80.ptx", "no_mask", 2, None, ["f32[250]=random(87)", "f32[256]", "null", "null"], {"allow": ["race"]}),
]

# Kernels of tests/sim, whose first lines say how they run, with options; each is compiled to PTX, with a manifest beside it.
SIM = [
    ("broken/deadlock", {}),
    ("broken/divergent_barrier", {}),
    ("broken/copy_not_waited", {}),
    ("broken/index_overflow", {}),
    ("broken/misaligned_vector", {}),
    ("broken/unwritten_shared", {"lineinfo": True}),
    ("broken/wrong_space", {}),
    ("broken/foreign_mask", {}),
    ("clean/pipeline", {"lineinfo": True}),
    ("museum/slot_refilled_too_early", {"schedules": 4}),
    ("museum/fence_by_the_issuer", {}),
    ("museum/fence_by_the_issuer", {"strict_isa": True}),
    ("museum/copies_sent_unfenced", {}),
    ("museum/copies_sent_unfenced", {"pedantic": True, "lineinfo": True}),
    ("museum/first_lane_waits_for_an_elected_store", {}),
    ("museum/block_leaves_early", {"schedule": "eager"}),
    ("museum/sums_read_before_their_commit", {"gpu": "sm_100a"}),
    ("museum/product_without_fence", {"lineinfo": True}),
    ("museum/warp_barrier_names_returned_lanes", {"allow": ["returned_lanes@museum_warp_barrier_names_returned_lanes.ptx"]}),
]


def foreign():
    for file, kernel, grid, block, args, more in FOREIGN:
        yield {"file": file, "kernel": kernel, "grid": grid, "block": block, "args": args, **more}


# Blocks of different clusters race: their number depends on which one comes first.
RACES_OF_BLOCKS = {"reset_late", "table_in_global"}


def bugs():
    """The kernels of examples/bugs, and their repaired twins."""
    without = {"C": "its arguments are no texts", "Python": "its answers are compared for the other inputs"}
    for source in sorted((ROOT / "examples/bugs").glob("*.cu")):
        launch = bugs_of_the_page.launch(source.read_text())
        # No array of theirs is behind an address alone.
        assert not launch.pop("arrays"), source
        more = {"without": without, "races_of_blocks": source.stem in RACES_OF_BLOCKS}
        for kernel in (f"{source.stem}<false>", f"{source.stem}<true>"):
            finds = None if kernel.endswith("<false>") else []
            yield {"file": f"bugs/{source.stem}.ptx", **launch, "kernel": kernel, "finds": finds, **more}


def of_sim(name, options):
    """The launch in the first lines of a file, and how it is compiled."""
    lines = (ROOT / "tests/sim" / f"{name}.mlir").read_text().split("\n\n", 1)[0].splitlines()
    said = {key: text for key, _, text in (line.removeprefix("// ").partition(": ") for line in lines)}
    grid, block, *cluster = map(int, said["launch"].split())
    options = {"gpu": "sm_90a", **options}
    file = f"{name.replace('/', '_')}{'_lines' if options.pop('lineinfo', False) else ''}.ptx"
    launch = {"grid": grid, "block": block, "args": said.get("args", "").split(), **options}
    return {"file": file, "source": f"{name}.mlir", "cluster": [*cluster, 1, 1] if cluster else None, **launch}
