#!/usr/bin/env python3
"""dsl_examples.py FOLDER: which ops the kernels of CuTe DSL's public examples print, as far as public text tells.

FOLDER is `examples/python/CuTeDSL` of NVIDIA/cutlass. The program reads each file in `cute` and `dsl_tutorials` that has a kernel, and
the files beside it that it imports, as a syntax tree; it runs and imports nothing. FEATURES says which ops a function of the public API
prints: by published modules where one shows it, else by the public documentation. docs/versions.md says what becomes of an op here.

A row per file: the features that it uses, and the ops of them that are refused. --others lists the functions of the API that are used and
that FEATURES does not have: those that print no op, and new ones. --write PAGE writes the table into the page, between the
marks that it has for it, under the name of the commit that --commit states.
"""
import argparse
import ast
import fnmatch
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL = re.compile(r"cute\.kernel")
FOLDERS = ["cute", "dsl_tutorials"]
BEGIN, END = "<!-- examples: benches/dsl_examples.py -->", "<!-- end of examples -->"

NVGPU = "cutlass.cute.nvgpu."
ARCH = "cutlass.cute.arch."
UTILS = "cutlass.utils."


def sregs(*names):
    return [f"nvvm.read.ptx.sreg.{name}.{axis}" for name in names for axis in "xyz"]


# What an API prints beyond what every kernel prints: the name of a feature, the names of the API's functions (`.f` is a method, `.setitem`
# an assignment to an element, `launch:f` an argument of a launch), and the ops. An op in parentheses is the type of an atom.
FEATURES = [
    (
        "kernel",
        ["cutlass.cute.kernel"],
        """cuda.kernel cuda.return cuda.launch_cfg.create cuda.launch_cfg.cooperative cuda.launch_ex cuda.return_if_error cuda.cast
        cuda.launch_cfg.programmatic_stream_serialization_allowed cute.kernel_smem_size""",
    ),
    ("cluster", ["launch:cluster"], "cuda.launch_cfg.cluster_dim"),
    ("preferred cluster", ["launch:fallback_cluster"], "cuda.launch_cfg.preferred_cluster_dim"),
    ("events", ["launch:launch_completion_event"], "cuda.launch_cfg.launch_completion_event"),
    ("events", ["launch:programmatic_event"], "cuda.launch_cfg.programmatic_event"),
    (
        "indices",
        [ARCH + name for name in ["thread_idx", "block_idx", "block_dim", "grid_dim", "lane_idx", "warp_idx"]],
        sregs("tid", "ctaid", "ntid", "nctaid") + ["nvvm.read.ptx.sreg.laneid"],
    ),
    (
        "indices",
        [ARCH + name for name in ["cluster_*", "block_idx_in_cluster", "block_in_cluster_*"]],
        sregs("clusterid", "nclusterid", "cluster.ctaid") + ["nvvm.read.ptx.sreg.cluster.ctarank"],
    ),
    (
        "algebra",
        ["cutlass.cute." + name for name in "make_layout size local_tile slice_ group_modes make_identity_tensor crd2idx".split()],
        """cute.static cute.make_shape cute.make_stride cute.make_coord cute.make_int_tuple cute.make_tile cute.make_layout cute.get_shape
        cute.get_stride cute.get_leaves cute.get_scalars cute.get_layout cute.get_iter cute.to_int_tuple cute.size cute.slice
        cute.local_tile cute.group_modes
        cute.make_identity_layout cute.make_identity_tensor cute.make_arith_tuple_iter cute.deref_arith_tuple_iter
        cute.crd2idx cute.add_offset cute.make_view cute.tuple_add cute.tuple_sub cute.tuple.product cute.tuple.product_each""",
    ),
    *[
        ("algebra", [f"cutlass.cute.{name}"], op)
        for name, op in [
            ("ceil_div", "cute.ceil_div"),
            ("coalesce", "cute.coalesce"),
            ("composition", "cute.composition"),
            ("cosize", "cute.cosize"),
            ("dice", "cute.dice"),
            ("domain_offset", "cute.add_offset"),
            ("elem_less", "cute.elem_less"),
            ("filter_zeros", "cute.filter_zeros"),
            ("flat_divide", "cute.flat_divide"),
            ("flatten", "cute.flatten"),
            ("get", "cute.get"),
            ("logical_divide", "cute.logical_divide"),
            ("make_composed_layout", "cute.make_composed_layout cute.composed_get_inner cute.composed_get_outer cute.composed_get_offset"),
            ("make_ordered_layout", "cute.make_ordered_layout"),
            ("recast_layout", "cute.recast_layout"),
            ("recast_ptr", "cute.recast_iter"),
            ("recast_tensor", "cute.recast_iter cute.recast_layout"),
            ("select", "cute.select"),
            ("append", "cute.append_to_rank"),
            ("prepend", "cute.prepend_to_rank"),
            ("shape_div", "cute.shape_div"),
            ("tile_to_shape", "cute.tile_to_shape"),
            ("tiled_divide", "cute.tiled_divide"),
            ("tiled_product", "cute.tiled_product"),
            ("zipped_divide", "cute.zipped_divide"),
            ("product_each", "cute.tuple.product_each"),
            ("round_up", "cute.ceil_div cute.tuple_mul"),
            ("assume", "cute.assume"),
            ("make_ptr", "cute.inttoptr"),
            ("make_layout_tv", "cute.raked_product cute.right_inverse cute.make_layout_like"),
            ("make_tiled_copy_tv", "cute.raked_product cute.right_inverse"),
            ("make_cotiled_copy", "cute.left_inverse cute.composition cute.filter"),
        ]
    ],
    (
        "division",
        ["cutlass.cute.fast_divmod_create_divisor", "cutlass.cute.FastDivmodDivisor"],
        "cute.fast_divmod.create_divisor cute.fast_divmod.compute",
    ),
    (
        "fragments",
        [".load", ".store"]
        + ["cutlass.cute." + name for name in "make_rmem_tensor* make_fragment_like full_like zeros_like TensorSSA".split()],
        "cute.memref.alloca cute.memref.load cute.memref.store cute.memref.load_vec cute.memref.store_vec cute.make_layout_like",
    ),
    (
        "copies",
        [
            "cutlass.cute.copy", "cutlass.cute.make_copy_atom", "cutlass.cute.make_tiled_copy*", NVGPU + "CopyUniversalOp",
            "cutlass.cute.autovec_copy", "cutlass.cute.basic_copy*",
        ],
        """cute.make_atom cute.make_tiled_copy cute.tiled.copy.partition_S cute.tiled.copy.partition_D cute.tiled.copy.retile
        cute.copy (atom.universal_copy)""",
    ),
    ("copies", ["cutlass.cute.copy_atom_call"], "cute.copy_atom_call"),
    ("copies", ["cutlass.cute.prefetch"], "cute.prefetch"),
    ("copies", [ARCH + "nvvm_wrappers.prefetch"], "nvvm.prefetch"),
    (
        "MMA",
        ["cutlass.cute.gemm", "cutlass.cute.make_tiled_mma", ".make_fragment_[ABC]", ".partition_shape_[ABC]"],
        "cute.make_tiled_mma cute.gemm cute.tiled.mma.partition cute.tiled.mma.partition_shape cute.mma.make_fragment",
    ),
    ("MMA", ["cutlass.cute.mma_atom_call"], "cute.mma_atom_call"),
    ("FMA", [NVGPU + "MmaUniversalOp"], "(atom.universal_fma)"),
    ("cp.async", [NVGPU + "cpasync.CopyG2SOp"], "(atom.simt_async_copy) nvvm.cp.async.commit.group nvvm.cp.async.wait.group"),
    ("cp.async", ["cutlass.pipeline.PipelineCpAsync*"], "nvvm.cp.async.mbarrier.arrive.shared"),
    ("ldmatrix", [NVGPU + "warp.LdMatrix*", UTILS + "*get_smem_load_op"], "(atom.ldsm)"),
    ("stmatrix", [NVGPU + "warp.StMatrix*", UTILS + "*get_smem_store_op"], "(atom.stsm)"),
    ("mma.sync", [NVGPU + "warp.MmaF16BF16Op", NVGPU + "warp.MmaFP8Op"], "(sm80.mma) (sm89.mma)"),
    ("block-scaled mma.sync", [NVGPU + "warp.MmaMXF*"], "(SM120.mma_bs)"),
    (
        "wgmma",
        [
            NVGPU + "warpgroup.fence", NVGPU + "warpgroup.*_group", NVGPU + "warpgroup.Field.*",
            UTILS + "hopper_helpers.make_trivial_tiled_mma",
        ],
        """(sm90.mma) nvvm.wgmma.fence.aligned nvvm.wgmma.commit.group.sync.aligned nvvm.wgmma.wait.group.sync.aligned
        cute_nvgpu.atom.set_value""",
    ),
    ("elements", [".setitem"], "cute.memref.load cute.memref.store"),
    (
        "tcgen05.mma",
        [
            NVGPU + "tcgen05.MmaF16BF16Op", UTILS + "sm100.make_trivial_tiled_mma", UTILS + "blackwell_helpers.make_trivial_tiled_mma",
            NVGPU + "tcgen05.Field.ACCUMULATE",
        ],
        "(sm100.mma) cute_nvgpu.atom.set_value",
    ),
    (
        "block-scaled tcgen05.mma",
        [NVGPU + "tcgen05.MmaMXF*", UTILS + "*make_blockscaled_trivial_tiled_mma", NVGPU + "tcgen05.SM103MmaMXF*"],
        "(sm100.mma_bs) cute_nvgpu.atom.set_value",
    ),
    (
        "scale factors",
        [UTILS + "blockscaled_layout.make_tmem_layout_sf*"],
        "cute_nvgpu.make_tmem_layout_sfa cute_nvgpu.make_tmem_layout_sfb",
    ),
    ("scale factors", [NVGPU + "tcgen05.tile_to_mma_shape"], "cute_nvgpu.tile_to_mma_shape"),
    (
        "tcgen05.cp",
        [NVGPU + "tcgen05.Cp*", NVGPU + "tcgen05.make_s2t_copy", NVGPU + "tcgen05.get_s2t_smem_desc_tensor"],
        "(atom.s2t_copy) cute_nvgpu.atom.make_s2t_copy cute_nvgpu.atom.get_copy_s2t_smem_desc_view",
    ),
    (
        "tcgen05.ld",
        [NVGPU + "tcgen05.*Ld[0-9]*Op", NVGPU + "tcgen05.make_tmem_copy", UTILS + "*get_tmem_load_op"],
        "(atom.tmem_load) cute_nvgpu.atom.make_tmem_copy",
    ),
    ("tcgen05.st", [NVGPU + "tcgen05.*St[0-9]*Op"], "(atom.tmem_store)"),
    ("tcgen05.ld.red", [NVGPU + "tcgen05.*LdRed*"], "(LdRed32x32bOp)"),
    ("tcgen05.wait", [ARCH + "fence_view_async_tmem_*"], "nvvm.tcgen05.wait"),
    (
        "tensor memory",
        [
            UTILS + "TmemAllocator", ARCH + "alloc_tmem", ARCH + "retrieve_tmem_ptr", ARCH + "dealloc_tmem",
            ARCH + "relinquish_tmem_alloc_permit",
        ],
        """cute_nvgpu.arch.sm100.alloc_tmem cute_nvgpu.arch.sm100.retrieve_tmem_ptr cute_nvgpu.arch.sm100.dealloc_tmem
        cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit""",
    ),
    ("UMMA descriptor", [NVGPU + "tcgen05.make_umma_smem_desc"], "cute_nvgpu.make_umma_smem_desc"),
    (
        "TMA load",
        [
            NVGPU + "make_tiled_tma_atom*", NVGPU + "cpasync.make_tiled_tma_atom", NVGPU + "cpasync.CopyBulkTensorTileG2S*",
            "cutlass._mlir.dialects.cute_nvgpu.atom_make_non_exec_tiled_tma_load",
        ],
        """cute_nvgpu.atom.make_non_exec_tiled_tma_load (atom.non_exec_tiled_tma_load) (atom.tma_load) cute_nvgpu.atom.make_exec_tma
        cute_nvgpu.atom.tma_partition cute_nvgpu.atom.set_value""",
    ),
    ("TMA load", [NVGPU + "cpasync.prefetch_descriptor"], "cute_nvgpu.prefetch_tma_desc"),
    (
        "TMA store",
        [NVGPU + "cpasync.CopyBulkTensorTileS2GOp", "cutlass.pipeline.PipelineTmaStore*", UTILS + "*epilogue_tma_store"],
        """cute_nvgpu.atom.make_non_exec_tiled_tma_store (atom.non_exec_tiled_tma_store) (atom.tma_store) nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group""",
    ),
    (
        "TMA reduce",
        [NVGPU + "cpasync.CopyReduceBulkTensorTileS2GOp"],
        "cute_nvgpu.atom.make_non_exec_tiled_tma_reduce (atom.non_exec_tiled_tma_reduce) (atom.tma_reduce)",
    ),
    (
        "TMA descriptors",
        [
            UTILS + "TensorMapManager", NVGPU + "cpasync.copy_tensormap", NVGPU + "cpasync.update_tma_descriptor",
            NVGPU + "cpasync.*fence_tma_desc*",
        ],
        "cute_nvgpu.copy_tma_desc cute_nvgpu.update_tma_desc llvm.inline_asm",
    ),
    (
        "TMA load",
        ["cutlass._mlir.dialects.nvvm.CpAsyncBulkTensorGlobalToSharedClusterOp"],
        "nvvm.cp.async.bulk.tensor.shared.cluster.global",
    ),
    ("store to another block", [NVGPU + "cpasync.CopyDsmemStoreOp"], "(CopyDsmemStoreOp)"),
    ("ordered copies", [NVGPU + "CopyG2ROp"], "(CopyG2ROp)"),
    ("ordered copies", [NVGPU + "CopyR2GOp"], "(CopyR2GOp)"),
    (
        "shared memory",
        [UTILS + "SmemAllocator", "cutlass.cute.struct*"],
        "cute.memref.alloca cute.get_iter cute.recast_iter cute.add_offset cute.ptrtoint cute.inttoptr builtin.unrealized_conversion_cast",
    ),
    ("shared memory", [ARCH + "dynamic_smem_size"], "cute_nvgpu.arch.get_dyn_smem_size"),
    (
        "mbarrier",
        ["cutlass.pipeline.Pipeline*", ARCH + "mbarrier_*"],
        """nvvm.mbarrier.init.shared nvvm.mbarrier.try_wait.parity.shared nvvm.mbarrier.wait.parity nvvm.mbarrier.txn nvvm.mapa
        nvvm.fence.mbarrier.init llvm.addrspacecast nvvm.elect.sync""",
    ),
    ("mbarrier", ["cutlass._mlir.dialects.nvvm.mbarrier_try_wait_parity_timelimit"], "nvvm.mbarrier.try_wait.parity.timelimit"),
    ("tcgen05.commit", ["cutlass.pipeline.Pipeline*Umma*", "cutlass.pipeline.PipelineOp.TCGen05Mma"], "nvvm.tcgen05.commit"),
    (
        "cluster launch control",
        ["cutlass.pipeline.PipelineClcFetchAsync*", UTILS + "ClcDynamicPersistentTileScheduler*"],
        """nvvm.clusterlaunchcontrol.try_cancel.multicast nvvm.clusterlaunchcontrol.query_cancel.is_canceled"""
        + "".join(f" nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.{axis}" for axis in "xyz"),
    ),
    ("schedulers", [UTILS + "*TileScheduler*"], "cute.fast_divmod.create_divisor cute.fast_divmod.compute"),
    (
        "barriers",
        [ARCH + "barrier*", ARCH + "sync_threads", "cutlass.pipeline.NamedBarrier", "cutlass.pipeline.sync"],
        "nvvm.barrier llvm.inline_asm",
    ),
    (
        "barriers",
        [ARCH + "cluster_arrive*", ARCH + "cluster_wait", "cutlass.pipeline.pipeline_init_*"],
        "nvvm.cluster.arrive nvvm.cluster.arrive.relaxed nvvm.cluster.wait",
    ),
    ("barriers", [ARCH + "sync_warp"], "nvvm.bar.warp.sync"),
    ("fences", [ARCH + "fence_proxy", ARCH + "fence_view_async_shared"], "nvvm.fence.proxy"),
    ("fences", [ARCH + "fence_acq_rel_*"], "llvm.inline_asm"),
    ("registers", [ARCH + "setmaxregister_*", ARCH + "warpgroup_reg_*"], "nvvm.setmaxregister"),
    ("warps", [ARCH + "make_warp_uniform"], "cute_nvgpu.arch.make_warp_uniform"),
    ("warps", [ARCH + "elect_one"], "nvvm.elect.sync"),
    ("warps", [ARCH + "shuffle_sync*", ARCH + "warp_reduction*"], "nvvm.shfl.sync"),
    ("warps", [ARCH + "warp_redux_sync"], "nvvm.redux.sync"),
    ("warps", [ARCH + "vote_ballot_sync"], "nvvm.vote.ballot.sync"),
    ("warps", [ARCH + "vote_[au]*_sync"], "llvm.inline_asm"),
    ("arithmetic", ["cutlass.cute.where"], "arith.select"),
    ("arithmetic", ["cutlass.cute.all_"], "vector.reduction"),
    ("arithmetic", ["cutlass._mlir.dialects.math.absf"], "math.absf"),
    ("arithmetic", [ARCH + "fmax"], "nvvm.fmax"),
    ("arithmetic", [ARCH + "add_packed_f32x2"], "nvvm.add.packed.f32x2"),
    ("arithmetic", [ARCH + "mul_packed_f32x2"], "nvvm.mul.packed.f32x2"),
    ("arithmetic", [ARCH + "fma_packed_f32x2"], "nvvm.fma.packed.f32x2"),
    ("arithmetic", [ARCH + "rcp_approx"], "nvvm.rcp.approx.ftz.f"),
    ("arithmetic", [ARCH + "popc"], "llvm.intr.ctpop"),
    ("arithmetic", [ARCH + "prmt", ARCH + "sext_unpacked_i4_i8_intrinsic", "cutlass._mlir.dialects.llvm.inline_asm"], "llvm.inline_asm"),
    ("atomics", [ARCH + "atomic_*"], "nvvm.atomicrmw"),
    ("ordered accesses", [ARCH + "load"], "nvvm.load.ext"),
    ("ordered accesses", [ARCH + "store"], "nvvm.store.ext"),
    ("multimem", [UTILS + "distributed.*"], "llvm.inline_asm"),
    ("cluster addresses", [ARCH + "smem.map_dsmem_ptr"], "nvvm.mapa"),
    ("waits", [ARCH + "griddepcontrol_*", ARCH + "nanosleep"], "llvm.inline_asm"),
    ("math", ["cutlass.cute.math.exp", "cutlass.cute.exp"], "math.exp"),
    (
        "math",
        ["cutlass.cute.math.exp2", "cutlass.cute.math.log*", "cutlass.cute.tanh", "cutlass.cute.erf"],
        "math.exp2 math.log math.log2 math.tanh math.erf",
    ),
    ("math", ["cutlass.cute.math.rsqrt", "cutlass.cute.rsqrt"], "math.rsqrt"),
    ("printing", ["cutlass.cute.printf", "cutlass.cute.print_tensor"], "cute.print cute.print_view"),
    ("iket", ["cutlass.cute.experimental.iket.*"], "nvvm.trace.mark"),
    ("cute.experimental", ["cutlass.cute.experimental.kernel", "cutlass.cute.experimental.jit"], "lir."),
]


def names(tree):
    """The functions of the API that a file uses, by their full names, the methods, and the arguments of launches; and its imports."""
    known, found, imports = {}, set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                imports.add(name.name)
                known[name.asname or name.name.split(".")[0]] = name.name if name.asname else name.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            imports.add(node.module or "")
            imports.update(f"{node.module or ''}.{name.name}".strip(".") for name in node.names)
            for name in node.names:
                known[name.asname or name.name] = f"{node.module or ''}.{name.name}"

    def full(node):
        if isinstance(node, ast.Name):
            return known.get(node.id)
        if isinstance(node, ast.Attribute):
            value = full(node.value)
            return value and f"{value}.{node.attr}"
        return None

    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and (name := full(node)):
            found.add(name)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(".setitem")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found.add("." + node.func.attr)
            if node.func.attr == "launch":
                found.update(f"launch:{argument.arg}" for argument in node.keywords)
    return found, imports


def beside(path, imports, folder):
    """The files of the folder that a file imports: beside it, or above it."""
    for name in sorted(imports):
        parts = name.split(".")
        while parts:
            places = [parent.joinpath(*parts).with_suffix(".py") for parent in path.parents if folder in [parent, *parent.parents]]
            if found := next((place for place in places if place.is_file()), None):
                yield found
                break
            parts.pop()


def used(path, folder, cache, seen):
    """The names that a file and those that it imports use."""
    if path in seen:
        return set()
    seen.add(path)
    if path not in cache:
        cache[path] = names(ast.parse(path.read_text()))
    found, imports = cache[path]
    return found.union(*[used(other, folder, cache, seen) for other in beside(path, imports, folder)])


def has(patterns, name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def features(found):
    """The ops by feature."""
    all_of = {}
    for name, patterns, ops in FEATURES:
        if any(has(patterns, f) for f in found):
            all_of.setdefault(name, []).extend(ops.split() if isinstance(ops, str) else ops)
    return all_of


def states():
    """What becomes of an op, or of the type of an atom, by name: "refused" or "read"."""
    state, section = {}, ""
    for line in (ROOT / "docs/versions.md").read_text().splitlines():
        if line.startswith("## "):
            section = line[3:]
        cell = re.match(r"\| ((`[^`]+`(, )?)+) \|", line)
        for name in re.findall(r"`([^`]+)`", cell.group(1)) if cell else []:
            state[name] = "refused" if section.startswith("Refused") else "read"
    for name in re.findall(r"^### `!cute_nvgpu\.([^`]+)`", (ROOT / "docs/types.md").read_text(), re.MULTILINE):
        state[name] = "read"
    # Upstream's ops: those of its NVVM dialect are in a test, and LLVM translates those of the others.
    upstream = (ROOT / "crates/cute-import/tests/nvvm.mlir").read_text()
    for name in re.findall(r"nvvm\.[a-z0-9_.]+", upstream, re.IGNORECASE):
        state.setdefault(name, "read")
    return state


def word(state, op):
    """The state of an op; "unknown" for one that the pages do not have."""
    is_upstream = op.split(".")[0] in ["arith", "builtin", "cf", "llvm", "math", "scf", "vector"]
    return state.get(op) or ("read" if is_upstream else "unknown")


def with_kernels(folder):
    """The files that have a kernel."""
    return [path for part in FOLDERS for path in sorted((folder / part).glob("**/*.py")) if KERNEL.search(path.read_text())]


def others(folder):
    """The functions of the API that FEATURES does not have, with the number of files that use them."""
    cache, patterns = {}, [pattern for _, some, _ in FEATURES for pattern in some]
    uses = Counter(name for path in with_kernels(folder) for name in used(path, folder, cache, set()))
    return {name: count for name, count in sorted(uses.items()) if name.startswith("cutlass.") and not has(patterns, name)}


def rows(folder, state):
    """A row per file with a kernel: its path, its features, the ops that are refused, and those that the page does not have."""
    cache = {}
    for path in with_kernels(folder):
        by_feature = features(used(path, folder, cache, set()))
        ops = {op.strip("()") for some in by_feature.values() for op in some}
        refused = sorted(op for op in ops if word(state, op) == "refused")
        unknown = sorted(op for op in ops if word(state, op) == "unknown")
        yield path.relative_to(folder), list(by_feature), refused, unknown


def table(all_rows, commit):
    """The table of the page."""
    free = sum(not refused for _, _, refused, _ in all_rows)
    common = [name for name, count in Counter(name for _, some, _, _ in all_rows for name in set(some)).items() if count == len(all_rows)]
    lines = [
        f"Of the {len(all_rows)} files with a kernel in `cute` and `dsl_tutorials` (NVIDIA/cutlass {commit[:8]}), {free} have",
        "no op that is known to be refused.",
        "",
        "| file | uses | refused |",
        "|---|---|---|",
    ]
    for path, some, refused, _ in all_rows:
        cells = [f"`{path}`", ", ".join(name for name in some if name not in common), ", ".join(f"`{op}`" for op in refused) or "none"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", "| feature | ops, and types of atoms |", "|---|---|"]
    by_feature = {}
    for name, _, ops in FEATURES:
        by_feature.setdefault(name, []).extend(ops.split() if isinstance(ops, str) else ops)
    for name, ops in by_feature.items():
        listed = ", ".join(dict.fromkeys(f"`{op.strip('()')}`" for op in ops))
        lines.append(f"| {name} | {listed} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--others", action="store_true", help="list functions without a row")
    parser.add_argument("--commit", default="unknown", help="the commit of the folder")
    options = parser.parse_args()
    if options.others:
        for name, count in others(options.folder).items():
            print(f"{count} {name}")
        return
    all_rows = list(rows(options.folder, states()))
    if not all_rows:
        sys.exit(f"{options.folder} has no kernels")
    for path, some, refused, unknown in all_rows:
        missing = f"; not in the table: {', '.join(unknown)}" if unknown else ""
        print(f"{path}: {', '.join(some)}; refused: {', '.join(refused) or 'none'}{missing}")
    print(f"{len(all_rows)} files, {sum(not refused for _, _, refused, _ in all_rows)} without a refused op")
    if options.write:
        text = options.write.read_text()
        before, rest = text.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        options.write.write_text(f"{before}{BEGIN}\n\n{table(all_rows, options.commit)}\n\n{END}{after}")


if __name__ == "__main__":
    main()
