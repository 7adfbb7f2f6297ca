//! All mnemonics of PTX: those whose instructions run in the simulator, and those that it refuses
//! by name, with the reason.
//!
//! A mnemonic is the first word of an instruction, and words after it where they make another
//! instruction. It names each instruction that has its words in their order, unless a longer
//! mnemonic does.

/// Mnemonics of instructions with rows in the table.
pub const RUNS: &[&str] = &[
    "abs",
    "activemask",
    "add",
    "add.cc",
    "add.sat",
    "addc",
    "alloca",
    "and",
    "applypriority",
    "atom",
    "atom.cas",
    "atom.exch",
    "bar.arrive",
    "bar.red",
    "bar.sync",
    "bar.warp.sync",
    "barrier.arrive",
    "barrier.cluster.arrive",
    "barrier.cluster.wait",
    "barrier.red",
    "barrier.sync",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "brkpt",
    "clusterlaunchcontrol.query_cancel",
    "clusterlaunchcontrol.try_cancel",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cp.async",
    "cp.async.bulk",
    "cp.async.bulk.commit_group",
    "cp.async.bulk.cp_mask",
    "cp.async.bulk.prefetch",
    "cp.async.bulk.prefetch.tensor",
    "cp.async.bulk.prefetch.tensor.im2col",
    "cp.async.bulk.prefetch.tensor.im2col::w",
    "cp.async.bulk.prefetch.tensor.im2col::w::128",
    "cp.async.bulk.tensor",
    "cp.async.bulk.tensor.im2col",
    "cp.async.bulk.tensor.im2col_no_offs",
    "cp.async.bulk.wait_group",
    "cp.async.commit_group",
    "cp.async.mbarrier.arrive",
    "cp.async.wait_all",
    "cp.async.wait_group",
    "cp.reduce.async.bulk",
    "cp.reduce.async.bulk.tensor",
    "cp.reduce.async.bulk.tensor.im2col_no_offs",
    "createpolicy.cvt",
    "createpolicy.fractional",
    "createpolicy.range",
    "cvt",
    "cvt.pack",
    "cvta",
    "discard",
    "div",
    "dp2a",
    "dp4a",
    "elect.sync",
    "ex2",
    "exit",
    "fence",
    "fence.mbarrier_init",
    "fence.proxy",
    "fma",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "ld",
    "ldmatrix",
    "ldu",
    "lg2",
    "lop3",
    "mad",
    "mad.cc",
    "mad24",
    "madc",
    "mapa",
    "match.sync",
    "max",
    "mbarrier.arrive",
    "mbarrier.arrive_drop",
    "mbarrier.complete_tx",
    "mbarrier.expect_tx",
    "mbarrier.init",
    "mbarrier.inval",
    "mbarrier.pending_count",
    "mbarrier.test_wait",
    "mbarrier.try_wait",
    "membar",
    "min",
    "mov",
    "movmatrix",
    "mul",
    "mul24",
    "multimem.cp.async.bulk",
    "multimem.cp.reduce.async.bulk",
    "multimem.ld_reduce",
    "multimem.red",
    "multimem.st",
    "nanosleep",
    "neg",
    "not",
    "or",
    "pmevent",
    "popc",
    "prefetch",
    "prefetchu",
    "prmt",
    "rcp",
    "red",
    "red.async",
    "redux.sync",
    "rem",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setmaxnreg",
    "setp",
    "shf",
    "shfl.sync",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "st",
    "st.async",
    "st.async.mmio",
    "st.bulk",
    "stackrestore",
    "stacksave",
    "stmatrix",
    "sub",
    "sub.cc",
    "sub.sat",
    "subc",
    "szext",
    "tanh",
    "tcgen05.alloc",
    "tcgen05.commit",
    "tcgen05.cp",
    "tcgen05.dealloc",
    "tcgen05.fence::after_thread_sync",
    "tcgen05.fence::before_thread_sync",
    "tcgen05.ld",
    "tcgen05.ld.red",
    "tcgen05.mma",
    "tcgen05.mma.block_scale",
    "tcgen05.mma.ws",
    "tcgen05.relinquish_alloc_permit",
    "tcgen05.st",
    "tcgen05.wait::ld",
    "tcgen05.wait::st",
    "tensormap.cp_fenceproxy",
    "tensormap.replace",
    "testp",
    "trap",
    "vote.sync",
    "wgmma.commit_group",
    "wgmma.fence",
    "wgmma.wait_group",
    "xor",
];

/// Mnemonics of instructions that are read beside the table: branches, calls, and products, whose
/// names follow from an atom.
pub const READ_APART: &[&str] = &[
    "bra",
    "brx.idx",
    "call",
    "mma",
    "mma.block_scale",
    "ret",
    "wgmma.mma_async",
    "wgmma.mma_async.sp",
    "wmma.load",
    "wmma.mma",
    "wmma.store",
];

/// Mnemonics of instructions that do not run, by the reason.
pub const REFUSED: &[(&str, &[&str])] = &[
    (
        "a video instruction",
        &[
            "vabsdiff",
            "vabsdiff2",
            "vabsdiff4",
            "vadd",
            "vadd2",
            "vadd4",
            "vavrg2",
            "vavrg4",
            "vmad",
            "vmax",
            "vmax2",
            "vmax4",
            "vmin",
            "vmin2",
            "vmin4",
            "vset",
            "vset2",
            "vset4",
            "vshl",
            "vshr",
            "vsub",
            "vsub2",
            "vsub4",
        ],
    ),
    ("a texture", &["istypep", "tex", "tld4", "txq"]),
    ("a surface", &["suld", "suq", "sured", "sust"]),
    ("a sparse matrix", &["mma.sp", "mma.sp::ordered_metadata", "tcgen05.mma.sp", "tcgen05.mma.ws.sp"]),
    ("without `.sync`, removed from sm_70 on", &["match", "shfl", "vote"]),
    ("PTX does not say in which direction it shifts", &["tcgen05.mma.ashift", "tcgen05.shift"]),
    (
        "PTX does not say which bits of a byte an unpacked number takes",
        &["tcgen05.cp.b8x16.b4x16_p64", "tcgen05.cp.b8x16.b6x16_p32"],
    ),
    ("PTX does not give the bits of the NaN that stands for elements out of bounds", &["fma.oob"]),
    ("PTX does not say which tensors are large", &["tensormap.query"]),
    ("a fabric between devices, and there is one device", &["fabric.submit.commit_group", "fabric.wait"]),
    (
        "pixels along W alone, whose halo PTX shows in figures only",
        &["cp.async.bulk.tensor.im2col::w", "cp.async.bulk.tensor.im2col::w::128"],
    ),
];

/// The state of a mnemonic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Its instructions run.
    Runs,
    /// They do not, for this reason.
    Refused(&'static str),
}

/// Each mnemonic with its state.
pub fn mnemonics() -> impl Iterator<Item = (&'static str, Support)> {
    let runs = RUNS.iter().chain(READ_APART).map(|mnemonic| (*mnemonic, Support::Runs));
    let refused = REFUSED.iter().flat_map(|(reason, all)| all.iter().map(|m| (*m, Support::Refused(reason))));
    runs.chain(refused)
}

/// The mnemonic of an instruction, if PTX has it.
///
/// ```
/// use cute_ptx::mnemonics::{Support, mnemonic};
///
/// assert_eq!(mnemonic("add.cc.u32"), Some(("add.cc", Support::Runs)));
/// assert_eq!(mnemonic("tex.1d.v4.f32.s32"), Some(("tex", Support::Refused("a texture"))));
/// assert_eq!(mnemonic("twist.b32"), None);
/// ```
pub fn mnemonic(opcode: &str) -> Option<(&'static str, Support)> {
    let length = |(mnemonic, _): &(&str, Support)| mnemonic.split('.').count();
    mnemonics().filter(|(mnemonic, _)| names(mnemonic, opcode)).max_by_key(length)
}

/// Whether the opcode begins with the first word of the mnemonic, and has the others in order.
fn names(mnemonic: &str, opcode: &str) -> bool {
    let (mut words, mut all) = (mnemonic.split('.'), opcode.split('.'));
    words.next() == all.next() && words.all(|word| all.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Spelling, rows};
    use std::collections::BTreeSet;

    /// Names of each form of the table, in PTX.
    fn forms() -> impl Iterator<Item = String> {
        let all = rows().flat_map(|row| row.ptx).filter_map(|text| Form::parse(Spelling::Ptx, text).ok());
        // A form may have many names: some of them are enough.
        all.flat_map(|form| {
            let names = form.names();
            let step = names.len() / 100 + 1;
            names.into_iter().map(|(name, _)| name).step_by(step)
        })
    }

    #[test]
    fn a_mnemonic_has_one_state() {
        let mut seen = BTreeSet::new();
        for (mnemonic, _) in mnemonics() {
            assert!(seen.insert(mnemonic), "`{mnemonic}` is listed twice");
            let found = super::mnemonic(mnemonic).map(|(name, _)| name);
            assert_eq!(found, Some(mnemonic), "another mnemonic takes its instructions");
        }
        assert!(seen.len() > 220, "{}", seen.len());
    }

    /// A user has to know why an instruction does not run.
    #[test]
    fn no_reason_is_that_something_is_missing() {
        for (reason, all) in REFUSED {
            assert!(!reason.contains("yet") && !reason.contains("modelled"), "{all:?}: {reason}");
        }
    }

    #[test]
    fn every_row_has_a_mnemonic_that_runs_and_the_reverse() {
        let mut without: BTreeSet<&str> = RUNS.iter().copied().collect();
        for name in forms() {
            match mnemonic(&name) {
                Some((mnemonic, Support::Runs)) => without.remove(mnemonic),
                other => panic!("`{name}` has a row, but its mnemonic is {other:?}"),
            };
        }
        assert!(without.is_empty(), "without a row: {without:?}");
    }
}
