//! The registers of kernels, on which the number of blocks depends that a multiprocessor holds.
//!
//! PTX has as many registers as its compiler likes; those of the device are allocated by ptxas. So
//! ptxas is asked, once per module, if there is one (`$CUTE_PTXAS`, or in `PATH`). Otherwise a
//! kernel is taken to have as many registers as ptxas may give it: as many as there are for the
//! threads that it was compiled for.

use std::{
    collections::BTreeMap,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use cute_arch::Target;
use cute_manifest::Kernel;
use cute_ptx::syntax::{self, Function};
use cute_ptxas::Options;

use crate::device::kernel::{KernelFacts, Settings};

/// The resources of a thread of a kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// 32-bit registers.
    pub registers: u32,
    /// Bytes of its stack, 0 if ptxas has not been asked.
    pub local: u32,
    /// The directives of the kernel.
    pub(crate) bounds: Bounds,
}

/// The directives of a kernel about registers, and about the shape of clusters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The most threads of a block: `.reqntid`, `.maxntid`.
    pub threads: Option<u32>,
    /// The blocks that a multiprocessor is to hold: `.minnctapersm`.
    pub blocks: Option<u32>,
    /// The most registers of a thread: `.maxnreg`.
    pub registers: Option<u32>,
    /// Whether a launch must say the shape of clusters: `.explicitcluster`.
    pub explicit_cluster: bool,
}

impl Bounds {
    /// The bounds of a kernel in PTX.
    pub fn of(kernel: &Function<'_>) -> Self {
        let product = |name| {
            let numbers = kernel.directive(name).filter(|numbers| !numbers.is_empty())?;
            Some(numbers.iter().fold(1, |all: u32, number| all.saturating_mul(*number)))
        };
        Self {
            threads: product("reqntid").or_else(|| product("maxntid")),
            blocks: product("minnctapersm"),
            registers: product("maxnreg"),
            explicit_cluster: kernel.directive("explicitcluster").is_some(),
        }
    }

    /// The registers that ptxas may give a thread of the kernel. A kernel without bounds can be
    /// launched with the largest blocks.
    pub fn registers(self, target: Target) -> u32 {
        let threads = self.threads.unwrap_or(target.max_threads_per_block()).max(1);
        let resident = threads.saturating_mul(self.blocks.unwrap_or(1).max(1));
        let resident = resident.min(target.max_threads_per_multiprocessor()).max(threads);
        let most = target.registers_per_thread_of_block(resident).max(1);
        self.registers.filter(|own| *own > 0).map_or(most, |own| own.min(most))
    }
}

/// The usage of each kernel of a module, which is found out when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    usage: OnceLock<BTreeMap<String, Usage>>,
    are_estimated: AtomicBool,
}

impl Registers {
    /// The usage of the kernels of a module on a device, by name. The module is always the same.
    pub fn of(&self, ptx: &str, target: Target) -> &BTreeMap<String, Usage> {
        self.usage.get_or_init(|| {
            // The executable is the program's, and its folder any.
            let options = Options { beside_executable: false, ..Options::default() };
            usage(ptx, target, &options).unwrap_or_else(|(estimated, why)| {
                say(&why);
                self.are_estimated.store(true, Ordering::Relaxed);
                estimated
            })
        })
    }

    /// The registers of a kernel, if ptxas has told them.
    pub fn known(&self, ptx: &str, target: Target, kernel: &str) -> Option<u32> {
        let usage = self.of(ptx, target).get(kernel)?;
        (!self.are_estimated.load(Ordering::Relaxed)).then_some(usage.registers)
    }
}

/// Says once per process why registers are estimated.
fn say(why: &str) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        eprintln!(
            "cutec exec: the registers of kernels, on which occupancy depends, are estimated from .maxntid, .minnctapersm and \
             .maxnreg: {why}"
        );
    }
}

/// The usage that ptxas reports, or else an estimate and the reason for it.
fn usage(
    ptx: &str,
    target: Target,
    options: &Options,
) -> Result<BTreeMap<String, Usage>, (BTreeMap<String, Usage>, String)> {
    let ptx = ptx.trim_end_matches('\0');
    let module = match syntax::parse(ptx) {
        Ok(module) => module,
        Err(why) => return Err((BTreeMap::new(), why.to_string())),
    };
    let kernels = module.functions.iter().filter(|function| function.is_entry && function.body.is_some());
    let mut all: BTreeMap<String, Usage> = kernels
        .map(|kernel| {
            let bounds = Bounds::of(kernel);
            (kernel.name.to_owned(), Usage { registers: bounds.registers(target), local: 0, bounds })
        })
        .collect();
    match options.with_remarks(ptx, target, false) {
        Err(why) => Err((all, why.to_string())),
        Ok((assembled, _)) => {
            for reported in assembled.resources {
                if let Some(own) = all.get_mut(&reported.name) {
                    (own.registers, own.local) = (reported.registers, reported.stack);
                }
            }
            Ok(all)
        }
    }
}

impl KernelFacts {
    /// The facts of a kernel, with attributes that the program has not set. `ptx` is the target of
    /// its module, and `constant` the number of bytes of constant memory that the module has.
    pub fn new(kernel: &Kernel, usage: &Usage, ptx: Target, constant: u64) -> Self {
        let natural = |extents: [i32; 3]| extents.map(|n| n.max(1).cast_unsigned());
        let size = |bytes: u64| u32::try_from(bytes).unwrap_or(u32::MAX);
        let block = kernel.block.map(natural);
        Self {
            registers: usage.registers,
            static_shared: size(kernel.shared_memory.r#static),
            constant: size(constant),
            local: usage.local,
            block,
            max_threads: usage.bounds.threads.filter(|_| block.is_none()),
            cluster: kernel.cluster.map(natural),
            explicit_cluster: usage.bounds.explicit_cluster,
            ptx: ptx.compute_capability(),
            settings: Settings::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use cute_launch::ptx::Ptx;

    use super::*;
    use crate::device::named;

    const PTX: &str = "\
.version 8.0
.target sm_90a
.address_size 64
.visible .entry bounded(.param .u64 at)
.maxntid 384, 1, 1
.minnctapersm 1
{
    .shared .align 16 .b8 tile[1024];
    ret;
}
.visible .entry clustered()
.reqntid 128, 2, 1
.explicitcluster
.reqnctapercluster 2, 1, 1
{
    ret;
}
.visible .entry plain()
{
    ret;
}
\0";

    /// A program in place of ptxas, which reports the registers of two kernels.
    fn ptxas(folder: &tempfile::TempDir, script: &str) -> Options {
        let file = folder.path().join("ptxas");
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        Options { file: Some(file), ..Options::default() }
    }

    #[test]
    fn registers_are_those_that_ptxas_reports() {
        let folder = tempfile::tempdir().unwrap();
        let options = ptxas(
            &folder,
            r#"
            for last; do :; done
            printf '\177ELF' > "$last"
            echo "ptxas info    : Compiling entry function 'bounded' for 'sm_90a'"
            echo "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
            echo "ptxas info    : Used 90 registers, used 1 barriers, 1024 bytes smem"
            echo "ptxas info    : Potential Performance Loss: wgmma.mma_async instructions are serialized (C7510)"
            "#,
        );
        let all = usage(PTX, Target::Sm90a, &options).unwrap();
        let of = |name: &str| (all[name].registers, all[name].local);
        assert_eq!([of("bounded"), of("plain")], [(90, 16), (64, 0)]);
    }

    #[test]
    fn without_ptxas_registers_are_estimated_from_the_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Options { file: Some(folder.path().join("ptxas")), ..Options::default() };
        let (all, why) = usage(PTX, Target::Sm90a, &missing).unwrap_err();
        assert!(why.contains("is not an executable file"), "{why}");
        let of = |name: &str| all[name].registers;
        assert_eq!([of("bounded"), of("clustered"), of("plain")], [168, 255, 64]);
        let refuses = ptxas(&folder, "echo 'ptxas fatal   : no'; exit 1");
        let (estimated, why) = usage(PTX, Target::Sm90a, &refuses).unwrap_err();
        assert_eq!(estimated, all);
        assert!(why.contains("ptxas fatal   : no"), "{why}");
    }

    #[test]
    fn facts_are_those_of_the_kernel() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Options { file: Some(folder.path().join("ptxas")), ..Options::default() };
        let (all, _) = usage(PTX, Target::Sm90a, &missing).unwrap_err();
        let ptx = Ptx::read("kernels.ptx", PTX, None).unwrap();
        let facts = |name: &str| {
            let kernel = ptx.manifest.kernels.iter().find(|kernel| kernel.name == name).unwrap();
            KernelFacts::new(kernel, &all[name], ptx.target, 64)
        };
        let bounded = facts("bounded");
        assert_eq!((bounded.static_shared, bounded.constant, bounded.ptx), (1024, 64, (9, 0)));
        assert_eq!((bounded.block, bounded.max_threads), (None, Some(384)));
        let clustered = facts("clustered");
        assert_eq!((clustered.block, clustered.max_threads), (Some([128, 2, 1]), None));
        assert_eq!((clustered.cluster, clustered.explicit_cluster), (Some([2, 1, 1]), true));
        let h100 = named("h100").unwrap();
        let most = ["bounded", "clustered", "plain"].map(|name| facts(name).max_block_threads(&h100));
        assert_eq!(most, [384, 256, 1024]);
    }

    /// The ptxas that users have, if there is one.
    #[test]
    fn the_ptxas_of_cuda_is_asked() {
        let options = Options { beside_executable: false, ..Options::default() };
        match usage(PTX, Target::Sm90a, &options) {
            Ok(all) => assert!(all.values().all(|own| (1..=32).contains(&own.registers)), "{all:?}"),
            Err((_, why)) => assert!(why.contains("no ptxas"), "{why}"),
        }
    }

    #[test]
    fn bounds_of_a_kernel_leave_it_registers() {
        let of = |bounds: Bounds| bounds.registers(Target::Sm90a);
        let threads = |n| Bounds { threads: Some(n), ..Bounds::default() };
        assert_eq!([of(threads(128)), of(threads(384)), of(Bounds::default())], [255, 168, 64]);
        assert_eq!(of(Bounds { blocks: Some(2), ..threads(256) }), 128);
        assert_eq!(of(Bounds { registers: Some(40), ..threads(128) }), 40);
    }
}
