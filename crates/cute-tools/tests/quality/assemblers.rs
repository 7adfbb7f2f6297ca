//! The releases of ptxas that code is measured with: `$CUTE_PTXAS`, which `./dev` pins to the
//! oldest one without known wrong code, and `$CUTE_PTXAS_NEWEST`.
//!
//! What needs a tool that is not there is left out, but never where `$CI` is true.

use std::{env, sync::OnceLock};

use cute_driver::{
    ptxas::{Assembled, Options, Resources},
    sass,
};
use cute_mlir::Target;

/// The machine code of a release of ptxas.
pub struct Code {
    /// The release, such as `13.1.80`.
    pub release: &'static str,
    /// The resources of each kernel.
    pub resources: Vec<Resources>,
    cubin: Vec<u8>,
}

impl Code {
    /// The instructions, if there is nvdisasm.
    pub fn sass(&self) -> Option<String> {
        is_named("CUTE_NVDISASM")
            .then(|| sass::text(&self.cubin, sass::Lines::Source).unwrap_or_else(|why| panic!("{why}")))
    }

    fn stays_in_registers(&self) {
        for r in &self.resources {
            let local = (r.stack, r.spill_stores, r.spill_loads);
            assert_eq!(local, (0, 0, 0), "ptxas {}: {r}", self.release);
        }
    }
}

/// The machine code of every release, for PTX that has no local memory; it has no stack and no
/// spilled registers.
pub fn code(ptx: &str, target: Target) -> Vec<Code> {
    let local: Vec<_> = ptx.lines().filter(|line| line.contains(".local")).collect();
    assert!(local.is_empty(), "{target}: {local:?}");
    let of = |(release, options): &'static (String, Options)| {
        let assembled = options.assemble(ptx, target, false);
        let Assembled { cubin, resources, .. } =
            assembled.unwrap_or_else(|why| panic!("ptxas {release} for {target}: {why}"));
        let code = Code { release, resources, cubin };
        code.stays_in_registers();
        code
    };
    releases().iter().map(of).collect()
}

/// The instructions of [`code`].
pub fn disassembled(ptx: &str, target: Target) -> Vec<String> {
    code(ptx, target).iter().filter_map(Code::sass).collect()
}

fn releases() -> &'static [(String, Options)] {
    static FOUND: OnceLock<Vec<(String, Options)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let named = ["CUTE_PTXAS", "CUTE_PTXAS_NEWEST"].into_iter().filter(|variable| is_named(variable));
        let found = named.map(|variable| {
            let options = Options { file: env::var_os(variable).map(Into::into), ..Options::default() };
            (options.release().unwrap_or_else(|why| panic!("{variable}: {why}")), options)
        });
        found.collect()
    })
}

fn is_named(variable: &str) -> bool {
    let is_named = env::var_os(variable).is_some();
    assert!(is_named || env::var("CI").as_deref() != Ok("true"), "CI needs ${variable}");
    is_named
}
