//! Ops that some producer is known to write and that are not supported, for the errors about them.

use std::borrow::Cow;

use cute_algebra::text::closest;
use cute_ffi::{
    ir,
    ops::{HostOp, OpKind},
};
use melior::Context;

use super::{
    DRIFTED, OURS, Origin, rows,
    version::Version::{Older, V4_3, V4_5, V4_7},
};

/// An op that is not supported.
pub struct Known {
    /// Its full name. One that ends in a point stands for all names that begin with it.
    pub name: &'static str,
    /// Its producers, and the version it is known from.
    pub origin: Origin,
    /// The reason.
    pub why: &'static str,
    /// A way to write the same without it.
    pub instead: &'static str,
}

/// Whether an op is known and not supported.
pub fn is_known(name: &str) -> bool {
    known(name).is_some()
}

/// Whether an op of our dialects is one that they do not have, and that no row of the table reads.
pub fn is_missing(name: &str) -> bool {
    let ours = [OURS, "cute", "cuda"];
    name.split_once('.').is_some_and(|(dialect, _)| ours.contains(&dialect))
        && OpKind::from_name(name).is_none()
        && HostOp::from_name(name).is_none()
        && !has_row(name)
}

/// Whether a row of the table reads an op of that name.
pub fn has_row(name: &str) -> bool {
    rows().any(|row| match row.name.strip_prefix(DRIFTED) {
        Some(rest) => row.name == name || name.strip_prefix(OURS) == Some(rest),
        None => row.name == name,
    })
}

/// Whether a text may have an op that is known not to be supported.
pub fn may_have(text: &str) -> bool {
    // The name of a family is short enough to be a part of another word.
    let begins =
        |name: &str| [" ", "\"", "\n"].iter().any(|before| text.contains(&format!("{before}{name}")));
    KNOWN.iter().any(|known| match known.name.ends_with('.') {
        true => begins(known.name),
        false => text.contains(known.name),
    })
}

/// The op of this name, if it is known and not supported.
fn known(name: &str) -> Option<&'static Known> {
    KNOWN
        .iter()
        .find(|known| known.name == name || (known.name.ends_with('.') && name.starts_with(known.name)))
}

/// The origin of such an op, if it is known.
pub(super) fn origin(name: &str) -> Option<Origin> {
    known(name).map(|known| known.origin)
}

const BEFORE_PASSES: &str = "use the module before any pass";

/// All of them.
pub const KNOWN: &[Known] = {
    const fn inferred(name: &'static str, why: &'static str, instead: &'static str) -> Known {
        Known { name, origin: Origin::inferred(V4_7), why, instead }
    }
    // CuTe DSL 4.3 and 4.4 were published with the modules between their passes.
    const fn passed(name: &'static str) -> Known {
        let why = "a pass of CuTe DSL makes it";
        Known { name, origin: Origin::seen(V4_3), why, instead: BEFORE_PASSES }
    }
    const IM2COL: &str = "the TMA's mode im2col is not compiled";
    const MARK: Known = Known {
        name: "nvvm.trace.mark",
        origin: Origin::inferred(V4_5),
        why: "it marks a trace of iket",
        instead: "compile the kernel without its instrumentation",
    };
    &[
        inferred(
            "cuda.result_assert_success",
            "a host function checks a result by returning it",
            "end the host function in cuda.return_if_error",
        ),
        inferred(
            "cuda.tensor_map_encode_tiled",
            "a descriptor is made of the atom of a tiled copy",
            "make the descriptor of a tiled copy by cute.nvgpu.cpasync.make_tiled_tma_atom",
        ),
        Known {
            name: "cute.atom",
            origin: Origin::seen(Older),
            why: "4.3 is the first version that is read",
            instead: "trace the kernel with a later one",
        },
        inferred(
            "cute.pycapsule_get_pointer",
            "it takes an object of Python apart",
            "pass tensors and pointers to the host function",
        ),
        inferred(
            "cute.unpack_x_tuple",
            "no public source shows its results",
            "trace the function with its elements as arguments of their own",
        ),
        inferred("cute_nvgpu.atom.make_non_exec_im2col_tma_load", IM2COL, "use the mode tiled"),
        inferred("cute_nvgpu.atom.make_non_exec_im2col_tma_store", IM2COL, "use the mode tiled"),
        passed("cute_nvgpu.arch.copy.SM80."),
        passed("cute_nvgpu.arch.copy.ldsm"),
        passed("cute_nvgpu.arch.copy.stsm"),
        passed("cute_nvgpu.arch.mma.SM80"),
        passed("cute_nvgpu.arch.mma.SM90"),
        passed("cute_nvgpu.arch.mma.SM100."),
        passed("cute_nvgpu.get_tma_desc_addr"),
        // The release notes of 4.8 name the variable.
        Known {
            name: "lir.",
            origin: Origin::inferred(V4_7),
            why: "it belongs to the extension of CuTe DSL (cute_ext, cute.experimental), which has a compiler of its own",
            instead: "trace the kernel with CUTE_DSL_USE_EXTENSION_COMPILER=0 (4.8 and later), and write it without \
                      cute.experimental",
        },
        inferred("nvvm.tcgen05.mma.ws_sp", "sparse MMAs are not compiled", "use a dense MMA"),
        inferred(
            "nvvm.tensormap.replace",
            "descriptors change by cute_nvgpu.update_tma_desc",
            "call cute.nvgpu.cpasync.update_tma_descriptor",
        ),
        MARK,
        Known { name: "nvvm.trace_mark", ..MARK },
    ]
};

/// The error for an op that is not registered with a context.
pub fn unknown(context: &Context, name: &str) -> String {
    if let Some(Known { origin, why, instead, .. }) = known(name) {
        return format!("'{name}' op of {} is not supported: {why}; {instead}", origin.versions());
    }
    let dialect = name.split('.').next().unwrap_or_default();
    let registered = ir::registered_ops(context, dialect);
    let read: Vec<Cow<'_, str>> = rows().map(|row| row.original()).collect();
    let names = registered.iter().map(AsRef::as_ref).chain(read.iter().map(AsRef::as_ref));
    let near = closest(name, names).map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    format!("'{name}' op is not known; it may be one of a newer CuTe DSL{near}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded() -> Context {
        let context = Context::new();
        crate::load(&context, melior::utility::register_all_dialects);
        context
    }

    #[test]
    fn none_is_an_op_of_today() {
        let context = loaded();
        for known in KNOWN {
            assert!(!context.is_registered_operation(known.name), "{} is known", known.name);
            assert!(!has_row(known.name), "{} is read", known.name);
        }
    }

    #[test]
    fn the_error_names_the_versions_the_reason_and_the_way_out() {
        let context = loaded();
        let unknown = |name: &str| unknown(&context, name);
        assert_eq!(
            unknown("nvvm.tcgen05.mma.ws_sp"),
            "'nvvm.tcgen05.mma.ws_sp' op of CuTe DSL 4.7 and later is not supported: sparse MMAs are not compiled; \
             use a dense MMA"
        );
        assert!(
            unknown("cute.atom")
                .contains("op of CuTe DSL before 4.3 is not supported: 4.3 is the first version")
        );
        assert!(
            unknown("lir.tma_load")
                .starts_with("'lir.tma_load' op of CuTe DSL 4.7 and later is not supported")
        );
        let near = |name: &str, other: &str| {
            let end = format!("it may be one of a newer CuTe DSL; did you mean '{other}'?");
            assert!(unknown(name).ends_with(&end), "{}", unknown(name));
        };
        near("cute.sizes", "cute.size");
        near("nvvm.mbarrier.try_wait.parity.sharde", "nvvm.mbarrier.try_wait.parity.shared");
        near("cute_nvgpu.arch.alloc_smm", "cute_nvgpu.arch.alloc_smem");
        near("cuda.launch_x", "cuda.launch_ex");
        near("nvvm.cluster.arive", "nvvm.cluster.arrive");
        assert!(unknown("x.y").ends_with("newer CuTe DSL"));
    }

    #[test]
    fn an_op_of_ours_that_no_row_reads_is_missing() {
        assert!(is_missing("cute.sizes") && is_missing("cute_nvgpu.x") && is_missing("cuda.x"));
        for name in ["cute.size", "cuda.kernel", "cute_nvgpu.arch.alloc_smem", "nvvm.x", "cute", "cutex.a"] {
            assert!(!is_missing(name), "{name}");
        }
    }
}
