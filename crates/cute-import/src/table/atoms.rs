//! Types of atoms that are read and verified, and that are not compiled.

/// Some of them, which have one reason.
pub struct Uncompiled {
    /// The types, as `cute_nvgpu` names them.
    pub types: &'static [&'static str],
    /// The reason.
    pub why: &'static str,
    /// A way to write the same without them.
    pub instead: &'static str,
}

/// All of them.
pub const UNCOMPILED: &[Uncompiled] = &[
    Uncompiled {
        types: &[
            "atom.non_exec_im2col_tma_load",
            "atom.non_exec_im2col_tma_store",
            "atom.non_exec_2d_gather4_tma_load",
            "atom.non_exec_2d_scatter4_tma_store",
        ],
        why: "of the TMA's modes, tiled alone is compiled",
        instead: "use the mode tiled",
    },
    Uncompiled {
        types: &["sm80.sparse_mma", "sm100.mma_sp", "sm100.mma_bs_sp"],
        why: "sparse MMAs are not compiled",
        instead: "use a dense MMA",
    },
];
