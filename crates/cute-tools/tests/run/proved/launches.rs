//! The variants of the builders: each value of each option, and the launches that are asked about.

use std::{collections::BTreeSet, fmt};

use cute_kernels::gemm::{
    sm80::{GemmSm80, TileCopy, Types},
    sm90::GemmSm90,
    sm100::{GemmSm100, Scheduler},
    sm120::GemmSm120,
};
use cute_mlir::Target;

use super::super::{
    builders::{
        cases::{Simulated, k_tile},
        covering::Covering,
    },
    gemms::{elements::elements, tensor::Tensor, words::Extent},
};

/// A kernel of a builder with a launch whose arguments depend on `n`.
pub struct Variant {
    pub builder: &'static str,
    pub target: Target,
    /// Options that differ from the builder's defaults.
    pub options: Vec<String>,
    /// The size that grows.
    pub along: Along,
    /// The options of `cutec prove`.
    pub launch: String,
}

/// The size that is `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Along {
    /// K tiles.
    K,
    /// Tiles of D along M that one cluster computes, each with two K tiles.
    M,
}

/// A builder whose kernels have loops with barriers.
trait Looped: Simulated {
    /// Options to which others are added one by one: small tiles and few stages, so that a proof
    /// takes seconds.
    const BASES: &'static [&'static str];
    const TARGETS: &'static [Target];

    /// The launch, if the kernel has a loop along this size.
    fn launch(&self, along: Along) -> Option<String>;
}

/// Extents of D and K: one tile of a cluster, or `n` of them with two K tiles each.
fn extents(along: Along, [m, n, k]: [i64; 3]) -> [Extent; 3] {
    match along {
        Along::K => [Extent::fixed(m), Extent::fixed(n), Extent::growing(k)],
        Along::M => [Extent::growing(m), Extent::fixed(n), Extent::fixed(2 * k)],
    }
}

impl Looped for GemmSm80 {
    const BASES: &'static [&'static str] = &["--m-tile 64 --n-tile 64"];
    const TARGETS: &'static [Target] = &[Target::Sm90a, Target::Sm80];

    fn launch(&self, along: Along) -> Option<String> {
        let bits = match self.types {
            Types::F16 | Types::Bf16 => 16,
            Types::Tf32 => 32,
            Types::S8 => 8,
        };
        let k = self.k_tile.unwrap_or(512 / bits);
        let [m, n, k] = extents(along, [self.m_tile, self.n_tile, k]);
        let own = elements(self.types);
        let (factor, sum) = (own.factors.0, own.sums.0);
        let how = if self.copy == TileCopy::Async { "--grid 1" } else { "--host" };
        let matrices = format!(
            "--arg A:{factor}[{m}x{k}] --arg B:{factor}[{n}x{k}] --arg C:{sum}[{m}x{n}] --arg D:{sum}[{m}x{n}]"
        );
        (along == Along::K).then(|| format!("{how} {matrices} --arg alpha:{sum}=1 --arg beta:{sum}=0"))
    }
}

impl Looped for GemmSm90 {
    const BASES: &'static [&'static str] = &[
        "--m-tile 128 --n-tile 64 --m-cluster 1 --stages 3",
        "--m-tile 64 --n-tile 64 --m-cluster 2 --stages 3 --schedule pingpong",
    ];
    const TARGETS: &'static [Target] = &[Target::Sm90a];

    fn launch(&self, along: Along) -> Option<String> {
        let k = self.k_tile.unwrap_or(k_tile(self.types));
        let tile = [self.m_tile * self.m_cluster, self.n_tile * self.n_cluster, k];
        let blocks = self.m_cluster * self.n_cluster;
        let words = Tensor::hopper(self, String::new()).words(extents(along, tile), Some(blocks));
        Some(format!("--host {words}"))
    }
}

impl Looped for GemmSm100 {
    const BASES: &'static [&'static str] =
        &["--ctas 1 --m-tile 128 --n-tile 64 --stages 3", "--ctas 2 --m-tile 256 --n-tile 64 --stages 3"];
    const TARGETS: &'static [Target] = &[Target::Sm100a];

    fn launch(&self, along: Along) -> Option<String> {
        let b_types = self.b_types.unwrap_or(self.types);
        // Elements of different bits have a byte each.
        let bytes = if b_types == self.types { k_tile(self.types) } else { 128 };
        let m_cluster = self.m_cluster.unwrap_or(self.ctas);
        let m = self.m_tile / self.ctas * m_cluster;
        let tile = [m, self.n_tile * self.n_cluster, self.k_tile.unwrap_or(bytes)];
        let blocks = (self.scheduler == Scheduler::Static).then_some(m_cluster * self.n_cluster);
        let words = Tensor::blackwell(self, String::new()).words(extents(along, tile), blocks);
        // With cluster launch control, the grid has as many clusters as D has tiles.
        (blocks.is_some() || along == Along::K).then(|| format!("--host {words}"))
    }
}

impl Looped for GemmSm120 {
    const BASES: &'static [&'static str] = &["--m-tile 64 --n-tile 128 --stages 3"];
    const TARGETS: &'static [Target] = &[Target::Sm120a];

    fn launch(&self, along: Along) -> Option<String> {
        let half =
            if self.types == cute_kernels::gemm::sm90::Types::Mxf8 { 128 } else { k_tile(self.types) / 2 };
        let tile = [self.m_tile, self.n_tile, self.k_tile.unwrap_or(half)];
        let words = Tensor::sm120(self, String::new()).words(extents(along, tile), Some(1));
        Some(format!("--host {words}"))
    }
}

/// The variants of a builder. Those along M are the bases.
fn variants_of<K: Looped + fmt::Debug>(all: &mut Vec<Variant>) {
    let covering = Covering::<K>::new(K::TARGETS, 1, K::KNOWN);
    let mut seen = BTreeSet::new();
    for base in K::BASES {
        for (i, case) in covering.one_by_one(base, K::KNOWN, K::ELSEWHERE).into_iter().enumerate() {
            // A value that is given may be the one that is taken anyway.
            if !seen.insert(format!("{} {:?}", case.target, case.kernel)) {
                continue;
            }
            for along in [Along::K, Along::M] {
                let launch = case.kernel.launch(along).filter(|_| along == Along::K || i == 0);
                all.extend(launch.map(|launch| Variant {
                    builder: K::NAME,
                    target: case.target,
                    options: covering.chosen(&case),
                    along,
                    launch,
                }));
            }
        }
    }
}

pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    variants_of::<GemmSm80>(&mut all);
    variants_of::<GemmSm90>(&mut all);
    variants_of::<GemmSm100>(&mut all);
    variants_of::<GemmSm120>(&mut all);
    all
}
