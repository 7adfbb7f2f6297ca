//! Ops of `cute`, `cute_nvgpu` and `cuda` that versions of CuTe DSL print in different forms. All
//! of these are read. The types in capitals stand for types of that kind.

use super::{
    Origin,
    version::Version::{V4_3, V4_5, V4_7},
};

/// A form of an op in custom assembly.
pub struct Form {
    /// The op, or ops.
    pub ops: &'static [&'static str],
    /// The programs and versions that write it.
    pub origin: Origin,
    /// The text, as far as it differs.
    pub text: &'static str,
}

/// All of them.
pub const FORMS: &[Form] = &[
    Form {
        ops: &["cute.fast_divmod.compute"],
        origin: Origin::seen(V4_3),
        text: "`%q, %r = cute.fast_divmod.compute(%n, %d) : i32, !cute.fast_divmod_divisor<32> -> i32`",
    },
    Form {
        ops: &["cute_nvgpu.atom.make_non_exec_tiled_tma_load"],
        origin: Origin::seen(V4_3).until(V4_3),
        text: "`internal_type = tf32` among the properties",
    },
    Form {
        ops: &["cute_nvgpu.atom.set_value"],
        origin: Origin::added(V4_5),
        text: "`cute_nvgpu.atom.set_value<tma_bar>(%atom, %bar) : (ATOM, !cute.ptr<i64, smem>)`",
    },
    Form {
        ops: &["cute_nvgpu.atom.get_value"],
        origin: Origin::inferred(V4_5),
        text: "`cute_nvgpu.atom.get_value<accum_c>(%atom) : (ATOM) -> i1`",
    },
    Form {
        ops: &["cute.memref.load_vec", "cute.memref.store_vec"],
        origin: Origin::added(V4_5),
        text: "`cute.memref.load_vec(%view) : (VIEW) -> vector<4xf32>`, \
               `cute.memref.store_vec(%v, %view) : (vector<4xf32>, VIEW) -> ()`",
    },
    Form {
        ops: &["cute.get_scalars"],
        origin: Origin::added(V4_5),
        text: "`cute.get_scalars(%s) <{only_dynamic}> : STRIDE`",
    },
    Form {
        ops: &["cute_nvgpu.arch.alloc_smem"],
        origin: Origin::seen(V4_5),
        text: "`cute_nvgpu.arch.alloc_smem(98304) : !cute.ptr<f8E4M3FN, smem, align<128>>`",
    },
    Form {
        ops: &["cute.kernel_smem_size"],
        origin: Origin::inferred(V4_5),
        text: "`cute.kernel_smem_size @kernels::@name : i64`",
    },
    Form {
        ops: &["cute.smem_partition_size"],
        origin: Origin::inferred(V4_5),
        text: "`\"cute.smem_partition_size\"() <{partition_id = 1 : i32}> : () -> i32`",
    },
    Form {
        ops: &["cuda.launch_cfg.preferred_cluster_dim"],
        origin: Origin::inferred(V4_7),
        text: "`cuda.launch_cfg.preferred_cluster_dim[%cfg] (%x, %y, %z) : CFG, i32, i32, i32`",
    },
    Form {
        ops: &["cuda.launch_cfg.launch_completion_event"],
        origin: Origin::inferred(V4_7),
        text: "`cuda.launch_cfg.launch_completion_event[%cfg] (%event, %flags) : CFG, !cuda.event, i32`",
    },
    Form {
        ops: &["cuda.launch_cfg.programmatic_event"],
        origin: Origin::inferred(V4_7),
        text: "`cuda.launch_cfg.programmatic_event[%cfg] (%event, %flags, %at_start) : CFG, !cuda.event, i32, i32`",
    },
    Form {
        ops: &["cute.make_atom"],
        origin: Origin::added(V4_7),
        text: "of `sm100.mma`: `cute.make_atom(%f, %f, %f, %lanes) : (i1, i1, i1, vector<4xi32>) -> ATOM`; \
               `vector<8xi32>` for a pair of CTAs",
    },
    Form {
        ops: &[
            "cute_nvgpu.make_tmem_layout_sfa",
            "cute_nvgpu.make_tmem_layout_sfb",
            "cute_nvgpu.tile_to_mma_shape",
        ],
        origin: Origin::inferred(V4_7),
        text: "`OP(%operands) {attributes} : (TYPES) -> LAYOUT`: the type states the layout, and the operands are not \
               looked at",
    },
];
