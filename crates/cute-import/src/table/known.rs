//! Ops that some version of CuTe DSL has and that are not supported, for the errors about them.
//!
//! Names that a published module shows have the versions of those modules. Other names are inferred
//! from the functions of the public Python sources that make the ops, and the versions are those of
//! the sources that were read.

/// An op that is not supported.
pub struct Known {
    /// Its full name.
    pub name: &'static str,
    /// The versions that have it.
    pub versions: &'static str,
    /// A way to write the same without it, if there is one.
    pub instead: Option<&'static str>,
}

/// The prefix of the ops of `cute.experimental`, whose public sources parse types of this dialect.
const EXPERIMENTAL: &str = "lir.";

/// Whether CuTe DSL is known to have an op which is not supported.
pub fn is_known(name: &str) -> bool {
    known(name).is_some() || name.starts_with(EXPERIMENTAL)
}

/// Whether a text may have an op that is known not to be supported.
pub fn may_have(text: &str) -> bool {
    KNOWN.iter().any(|known| text.contains(known.name))
        || [" ", "\"", "\n"].iter().any(|before| text.contains(&format!("{before}{EXPERIMENTAL}")))
}

/// The op of this name, if CuTe DSL is known to have it and it is not supported.
fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

/// All of them.
pub const KNOWN: &[Known] = {
    const fn inferred(name: &'static str) -> Known {
        Known { name, versions: "4.7", instead: None }
    }
    &[
        inferred("cuda.result_assert_success"),
        Known {
            instead: Some("make the descriptor of a tiled copy by cute.nvgpu.cpasync.make_tiled_tma_atom"),
            ..inferred("cuda.tensor_map_encode_tiled")
        },
        // In a published module of an earlier version.
        Known {
            name: "cute.atom",
            versions: "before 4.3",
            instead: Some("4.3 is the first version that is read; trace the kernel with a later one"),
        },
        inferred("cute.pycapsule_get_pointer"),
        inferred("cute.unpack_x_tuple"),
        inferred("cute_nvgpu.atom.make_non_exec_im2col_tma_load"),
        inferred("cute_nvgpu.atom.make_non_exec_im2col_tma_store"),
        inferred("nvvm.tcgen05.mma.ws_sp"),
        inferred("nvvm.tensormap.replace"),
    ]
};

/// The error for an op that is not registered.
pub fn unknown(name: &str) -> String {
    if name.starts_with(EXPERIMENTAL) {
        return format!(
            "'{name}' op belongs to CuTe DSL's cute.experimental, which is not supported; write the kernel without it"
        );
    }
    match known(name) {
        Some(Known { versions, instead, .. }) => {
            let instead = instead.map_or_else(String::new, |instead| format!("; {instead}"));
            format!("'{name}' op of CuTe DSL {versions} is not supported{instead}")
        }
        None => format!("'{name}' op is not known; it may be one of a newer CuTe DSL"),
    }
}

#[cfg(test)]
mod tests {
    use super::KNOWN;

    #[test]
    fn none_is_an_op_of_today() {
        let context = melior::Context::new();
        crate::load(&context, melior::utility::register_all_dialects);
        for known in KNOWN {
            assert!(!context.is_registered_operation(known.name), "{} is known", known.name);
        }
    }
}
