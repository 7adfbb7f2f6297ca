//! The arguments of kernels whose tiles the TMA loads, and the preparations of their host
//! functions.

use clap::ValueEnum;
use cute_arch::atoms::Major;
use melior::{Context, ir::Module};

use super::{
    finish::{Finish, Given},
    raster::Tiles,
    types::Numbers,
};
use crate::{
    Error,
    code::{Code, Refused, Ssa, Written},
    launch::{self, Launched, Prepared},
    tma::{Boxes, Loads, SharedTile, describe_vector},
};

/// How clusters share tiles out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheduler {
    /// At most `blocks` blocks, given at run time; each cluster computes one tile after the other
    Static,
    /// Cluster launch control: one cluster per tile; running ones cancel others for their tiles
    Clc,
}

/// Matrices, and how blocks share them out.
pub(super) struct Problem {
    pub numbers: Numbers,
    pub majors: [Major; 2],
    /// Whether the matrices have a third mode.
    pub batch: bool,
    pub finish: Finish,
    /// Rows and columns of D that a block computes at once.
    pub tile: [i64; 2],
    /// Blocks of a cluster along M and N.
    pub cluster: [i64; 2],
    /// How clusters share tiles out.
    pub scheduler: Scheduler,
    /// The tiles of A and of B that a block loads, how it loads them, and the part of D that is
    /// stored at once.
    pub shared: [SharedTile; 2],
    pub loads: [Loads; 2],
    pub sums: SharedTile,
}

/// The kernel's arguments.
pub(super) struct Arguments<'c> {
    /// Descriptors of A, B and D, and the tensors of their coordinates.
    pub descriptors: [[Ssa<'c>; 2]; 3],
    pub tiles: Tiles<'c>,
    pub given: Given<'c>,
}

impl<'c> Arguments<'c> {
    /// Asks the cache for all descriptors.
    pub fn prefetch(&self, code: &Code<'c>) -> Written<()> {
        let all = self.descriptors.iter().chain(&self.given.c).chain(&self.given.bias);
        all.into_iter().try_for_each(|[atom, _]| Boxes::prefetch(code, *atom))
    }
}

impl Problem {
    /// Blocks of a cluster.
    pub fn blocks(&self) -> i64 {
        self.cluster[0] * self.cluster[1]
    }

    /// Bytes that a block loads for a stage.
    pub fn stage(&self) -> i64 {
        self.shared.iter().map(SharedTile::bytes).sum()
    }

    /// The kernel that `write` writes, with these threads and bytes of dynamic shared memory, and
    /// its host function.
    pub fn module<'m>(
        &self,
        context: &'m Context,
        (name, threads, shared): (&str, i64, i64),
        write: impl for<'c> FnOnce(Code<'c>, &Arguments<'c>) -> Written<()>,
    ) -> Result<Module<'m>, Error> {
        let [x, y] = self.cluster;
        let cluster = (self.blocks() > 1).then_some([x, y, 1]);
        let launched = Launched { name, parameters: &self.parameters(), threads, shared, cluster };
        Ok(launch::module(
            context,
            &launched,
            |code, arguments| self.prepare(code, arguments),
            |code, arguments| write(*code, &self.arguments(code, arguments)?),
        )?)
    }

    /// Parameters of the host function.
    fn parameters(&self) -> Vec<(&'static str, String)> {
        let matrix = |elem: &str, major: Major| {
            let strides = if major == Major::Mn { "1,?{i64}" } else { "?{i64},1" };
            let (more, by_more) = if self.batch { (",?", ",?{i64}") } else { ("", "") };
            format!("!cute.memref<{elem}, gmem, align<16>, \"(?,?{more}):({strides}{by_more})\">")
        };
        let [a, b] = self.majors.map(|major| matrix(self.numbers.elem, major));
        let d = matrix(self.numbers.out, Major::K);
        let vector = if self.batch { "(?,?):(1,?{i64})" } else { "(?):(1)" };
        let vector = format!("!cute.memref<f32, gmem, align<16>, \"{vector}\">");
        let Finish { alpha, beta, bias, .. } = self.finish;
        let number = |wanted: bool, name, t: &str| wanted.then(|| (name, t.to_string()));
        [("A", a), ("B", b)]
            .into_iter()
            .chain(number(beta, "C", &d))
            .chain([("D", d.clone())])
            .chain(number(bias, "bias", &vector))
            .chain(number(alpha, "alpha", "f32"))
            .chain(number(beta, "beta", "f32"))
            .chain(number(self.scheduler == Scheduler::Static, "blocks", "i32"))
            .collect()
    }

    /// On the host: makes a descriptor for each matrix, and computes the number of clusters: that
    /// of the tiles, limited by the allowed blocks if there is a limit.
    fn prepare<'m>(&self, code: &Code<'m>, arguments: &[Ssa<'m>]) -> Written<Prepared<'m>> {
        let mut given = arguments.iter().copied();
        let mut next = || given.next().ok_or(Refused::Ir);
        let mut maybe = |wanted: bool| if wanted { next().map(Some) } else { Ok(None) };
        let finish = self.finish;
        let (a, b) = (maybe(true)?, maybe(true)?);
        let (c, d, bias) = (maybe(finish.beta)?, maybe(true)?, maybe(finish.bias)?);
        let (alpha, beta) = (maybe(finish.alpha)?, maybe(finish.beta)?);
        let blocks = maybe(self.scheduler == Scheduler::Static)?;
        let (Some(a), Some(b), Some(d)) = (a, b, d) else { return Err(Refused::Ir) };
        let [load_a, coords_a] = self.shared[0].describe_load(code, "loadA", a, self.loads[0])?;
        let [load_b, coords_b] = self.shared[1].describe_load(code, "loadB", b, self.loads[1])?;
        let [store_d, coords_d] = self.sums.describe_store(code, "storeD", d)?;
        let ([m, n], [along_m, along_n]) = (self.tile, self.cluster);
        let tile = code.fixed("tile", &format!("!cute.tile<\"[{}:1;{}:1]\">", m * along_m, n * along_n))?;
        let tiles = code.op(("tiles", "cute.zipped_divide"), &[d, tile], &[])?;
        let (m, n) = (code.size_at("m", tiles, &[1, 0])?, code.size_at("n", tiles, &[1, 1])?);
        let mut all = code.binary(("all", "arith.muli"), m, n)?;
        let batch = if self.batch { Some(code.size_at("l", tiles, &[1, 2])?) } else { None };
        if let Some(batch) = batch {
            all = code.binary(("all", "arith.muli"), all, batch)?;
        }
        let mut clusters = all;
        if let Some(blocks) = blocks {
            clusters = code.binary(("clusters", "arith.divsi"), blocks, code.i32(self.blocks())?)?;
            clusters = code.binary(("clusters", "arith.minsi"), clusters, all)?;
        }
        let clusters = code.binary(("clusters", "arith.maxsi"), clusters, code.i32(1)?)?;
        let x = code.binary(("x", "arith.muli"), clusters, code.i32(along_m)?)?;
        let mut arguments = vec![
            ("loadA", load_a),
            ("A", coords_a),
            ("loadB", load_b),
            ("B", coords_b),
            ("storeD", store_d),
            ("D", coords_d),
            ("tiles_m", m),
            ("tiles_n", n),
        ];
        arguments.extend(batch.map(|batch| ("batch", batch)));
        if let Some(c) = c {
            let [load, coords] = self.sums.describe_load(code, "loadC", c, Loads::ALONE)?;
            arguments.extend([("loadC", load), ("C", coords)]);
        }
        if let Some(bias) = bias {
            let [load, coords] = describe_vector(code, "loadBias", bias, self.numbers.columns())?;
            arguments.extend([("loadBias", load), ("bias", coords)]);
        }
        arguments.extend(alpha.map(|alpha| ("alpha", alpha)));
        arguments.extend(beta.map(|beta| ("beta", beta)));
        Ok(Prepared { arguments, grid: [x, code.i32(along_n)?, code.i32(1)?] })
    }

    /// In the kernel: the values that the host function prepared.
    fn arguments<'c>(&self, code: &Code<'c>, arguments: &[Ssa<'c>]) -> Written<Arguments<'c>> {
        let (own, more) = arguments.split_at_checked(8).ok_or(Refused::Ir)?;
        let [a, ca, b, cb, d, cd, along_m, along_n] = *own else { return Err(Refused::Ir) };
        let mut more = more.iter().copied();
        let mut next = |wanted: bool| if wanted { more.next() } else { None };
        let finish = self.finish;
        let batch = next(self.batch);
        let given = Given {
            c: next(finish.beta).zip(next(finish.beta)).map(<[_; 2]>::from),
            bias: next(finish.bias).zip(next(finish.bias)).map(<[_; 2]>::from),
            alpha: next(finish.alpha),
            beta: next(finish.beta),
        };
        let clustered = self.blocks() > 1;
        let [id, count] = if clustered { ["clusterid.x", "nclusterid.x"] } else { ["ctaid.x", "nctaid.x"] };
        let tiles = Tiles {
            along_m,
            along_n,
            batch,
            cluster: code.register("cluster", id)?,
            clusters: code.register("clusters", count)?,
        };
        Ok(Arguments { descriptors: [[a, ca], [b, cb], [d, cd]], tiles, given })
    }
}
