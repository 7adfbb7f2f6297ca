//! The arguments of kernels whose tiles the TMA loads, and the preparations of their host
//! functions.

use clap::ValueEnum;
use cute_arch::{Element, atoms::Major};
use cute_build::types::{self, Space};
use melior::{
    Context,
    ir::{Module, Type, r#type::IntegerType},
};

use super::{
    finish::{Finish, FinishArguments},
    plan::equal_extents,
    raster::Tiles,
    scales::{self, Scales},
    types::Numbers,
};
use crate::{
    Builder, Built, Error, Value,
    launch::{self, LaunchedKernel, Prepared},
    quantize::QuantizedFormat,
    tiling::matrix,
    tma::{Loads, SharedTile, TileBoxes, describe_vector},
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
    pub out_tile: SharedTile,
    /// Scale factors of A and B, if the numbers have some.
    pub scales: Option<Scales>,
}

/// The kernel's arguments.
pub(super) struct Arguments<'c> {
    /// Descriptors of A, B and D, and the tensors of their coordinates.
    pub descriptors: [[Value<'c>; 2]; 3],
    /// Descriptors and coordinates of the scale factors of A and B.
    pub scales: Option<[[Value<'c>; 2]; 2]>,
    pub tiles: Tiles<'c>,
    pub finish: FinishArguments<'c>,
    /// The factors of D, if it is quantized, and that of all of its elements.
    pub factors: Option<Value<'c>>,
    pub norm_constant: Option<Value<'c>>,
}

impl<'c> Arguments<'c> {
    /// Asks the cache for all descriptors.
    pub fn prefetch(&self, code: &Builder<'c>) -> Built<()> {
        let all = self.descriptors.iter().chain(self.scales.iter().flatten());
        let all = all.chain(&self.finish.c).chain(&self.finish.bias);
        all.into_iter().try_for_each(|[atom, _]| TileBoxes::prefetch(code, *atom))
    }
}

impl Problem {
    /// Blocks of a cluster.
    pub fn blocks(&self) -> i64 {
        self.cluster[0] * self.cluster[1]
    }

    /// Bytes that a block loads for a stage, as barriers count them.
    pub fn loaded(&self) -> i64 {
        self.shared.iter().map(SharedTile::loaded).sum::<i64>() + self.factor_bytes()
    }

    /// Bytes of the scale factors of a stage.
    fn factor_bytes(&self) -> i64 {
        self.scales.iter().map(|scales| scales.bytes(0) + scales.bytes(1)).sum()
    }

    /// Bytes of a stage in shared memory. Tiles that follow the stages are swizzled in units of
    /// 1024 bytes.
    pub fn stage(&self) -> i64 {
        let bytes = self.shared.iter().map(SharedTile::bytes).sum::<i64>() + self.factor_bytes();
        (bytes + 1023) / 1024 * 1024
    }

    /// The kernel that `write` writes, with these threads and bytes of dynamic shared memory, and
    /// its host function.
    pub fn module<'m>(
        &self,
        context: &'m Context,
        (name, threads, shared): (&str, i32, i64),
        write: impl for<'c> FnOnce(Builder<'c>, &Arguments<'c>) -> Built<()>,
    ) -> Result<Module<'m>, Error> {
        let [x, y] = self.cluster.map(|blocks| blocks as i32);
        let cluster = (self.blocks() > 1).then_some([x, y, 1]);
        let parameters = self.parameters(context)?;
        let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        let equal = &equal_extents(&names, self.batch);
        let launched = LaunchedKernel { name, parameters: &parameters, threads, shared, cluster, equal };
        Ok(launch::module(
            context,
            &launched,
            |code, arguments| self.prepare(code, arguments),
            |code, arguments| write(*code, &self.arguments(code, arguments)?),
        )?)
    }

    /// Parameters of the host function.
    fn parameters<'m>(&self, context: &'m Context) -> Built<Vec<(&'static str, Type<'m>)>> {
        let [a, b] = [0, 1].map(|which| {
            let [elem, _] = self.numbers.elements(which);
            matrix(context, elem, (self.majors[which], self.shared[which].alignment()), self.batch)
        });
        let d = matrix(context, self.numbers.out, (Major::K, self.out_tile.alignment()), self.batch)?;
        let f32 = Type::float32(context);
        let vector = types::pointer(f32, Space::Gmem).align(16);
        let vector = vector.memref(if self.batch { "(?,?):(1,?{i64})" } else { "(?):(1)" })?;
        let blocks = IntegerType::new(context, 32).into();
        let Finish { beta, bias, .. } = self.finish;
        let factors = |element: Option<Element>| match element {
            Some(element) => scales::in_memory(context, element, self.batch),
            None => Ok(f32),
        };
        let quantized = self.numbers.quantized;
        let own = factors(self.numbers.scale.map(|scale| scale.element))?;
        let of_d = factors(quantized.map(QuantizedFormat::factor))?;
        let scaled = self.scales.is_some();
        let all = [
            (true, "A", a?),
            (true, "B", b?),
            (scaled, "SFA", own),
            (scaled, "SFB", own),
            (beta, "C", d),
            (true, "D", d),
            (quantized.is_some(), "SFD", of_d),
            (bias, "bias", vector),
        ];
        let scalars = self.finish.scalars().map(|name| (true, name, f32));
        let last = [
            (self.has_norm_constant(), "norm_constant", f32),
            (self.scheduler == Scheduler::Static, "blocks", blocks),
        ];
        let all = all.into_iter().chain(scalars).chain(last);
        Ok(all.filter(|(wanted, ..)| *wanted).map(|(_, name, t)| (name, t)).collect())
    }

    /// Whether all elements of D are multiplied by an argument before they are quantized.
    fn has_norm_constant(&self) -> bool {
        self.numbers.quantized.is_some_and(QuantizedFormat::is_scaled_twice)
    }

    /// On the host: makes a descriptor for each matrix, and computes the number of clusters: that
    /// of the tiles, limited by the allowed blocks if there is a limit.
    fn prepare<'m>(&self, code: &Builder<'m>, arguments: &[Value<'m>]) -> Built<Prepared<'m>> {
        let mut given = arguments.iter().copied();
        let mut next = || given.next().map_or_else(|| code.fail("the host function lacks a parameter"), Ok);
        let mut maybe = |wanted: bool| if wanted { next().map(Some) } else { Ok(None) };
        let finish = self.finish;
        let (a, b) = (maybe(true)?, maybe(true)?);
        let (sfa, sfb) = (maybe(self.scales.is_some())?, maybe(self.scales.is_some())?);
        let (c, d) = (maybe(finish.beta)?, maybe(true)?);
        let (factors, bias) = (maybe(self.numbers.quantized.is_some())?, maybe(finish.bias)?);
        let scalars = finish.scalars().map(|name| Ok(maybe(true)?.map(|value| (name, value))));
        let scalars = scalars.collect::<Built<Vec<_>>>()?;
        let norm_constant = maybe(self.has_norm_constant())?;
        let blocks = maybe(self.scheduler == Scheduler::Static)?;
        let (Some(a), Some(b), Some(d)) = (a, b, d) else { return code.fail("A, B and D are parameters") };
        let [load_a, coords_a] = self.shared[0].describe_load(code, "loadA", a, self.loads[0])?;
        let [load_b, coords_b] = self.shared[1].describe_load(code, "loadB", b, self.loads[1])?;
        let [store_d, coords_d] = self.out_tile.describe_store(code, "storeD", d)?;
        let ([m, n], [along_m, along_n]) = (self.tile, self.cluster);
        let tile = code.named("tile").tile([m * along_m, n * along_n])?;
        let tiles = code.named("tiles").inferred("cute.zipped_divide", &[d, tile], &[])?;
        let (m, n) = (code.named("m").size(tiles, &[1, 0])?, code.named("n").size(tiles, &[1, 1])?);
        let mut all = code.named("all").mul(m, n)?;
        let batch = if self.batch { Some(code.named("l").size(tiles, &[1, 2])?) } else { None };
        if let Some(batch) = batch {
            all = code.named("all").mul(all, batch)?;
        }
        let mut clusters = all;
        if let Some(blocks) = blocks {
            clusters = code.named("clusters").div(blocks, code.i32(self.blocks())?)?;
            clusters = code.named("clusters").min(clusters, all)?;
        }
        let clusters = code.named("clusters").max(clusters, code.i32(1)?)?;
        let x = code.named("x").mul(clusters, code.i32(along_m)?)?;
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
        let scales = self.scales.as_ref();
        for (which, tensor) in [(0, sfa), (1, sfb)] {
            let (Some(scales), Some(tensor)) = (scales, tensor) else { continue };
            let [named, loads] = [["SFA", "SFB"], ["loadSFA", "loadSFB"]].map(|names| names[which]);
            let pair = self.loads[which].pair;
            let [load, coords] = scales.describe(code, (loads, which), tensor, pair)?;
            arguments.extend([(loads, load), (named, coords)]);
        }
        if let Some(c) = c {
            let [load, coords] = self.out_tile.describe_load(code, "loadC", c, Loads::ALONE)?;
            arguments.extend([("loadC", load), ("C", coords)]);
        }
        if let Some(bias) = bias {
            let [load, coords] = describe_vector(code, "loadBias", bias, self.numbers.columns())?;
            arguments.extend([("loadBias", load), ("bias", coords)]);
        }
        arguments.extend(scalars.into_iter().flatten());
        arguments.extend(factors.map(|factors| ("SFD", factors)));
        arguments.extend(norm_constant.map(|norm| ("norm_constant", norm)));
        Ok(Prepared { arguments, grid: [x, code.i32(along_n)?, code.i32(1)?] })
    }

    /// In the kernel: the values that the host function prepared.
    fn arguments<'c>(&self, code: &Builder<'c>, arguments: &[Value<'c>]) -> Built<Arguments<'c>> {
        let Some((&[a, ca, b, cb, d, cd, along_m, along_n], more)) = arguments.split_first_chunk() else {
            return code.fail("the kernel has the arguments of the launch");
        };
        let mut more = more.iter().copied();
        let mut next = |wanted: bool| if wanted { more.next() } else { None };
        let batch = next(self.batch);
        let scaled = self.scales.is_some();
        let mut pair = || next(scaled).zip(next(scaled)).map(<[_; 2]>::from);
        let scales = pair().zip(pair()).map(<[_; 2]>::from);
        let finish = FinishArguments::of(self.finish, &mut next);
        let factors = next(self.numbers.quantized.is_some());
        let norm_constant = next(self.has_norm_constant());
        let clustered = self.blocks() > 1;
        let [id, count] = if clustered { ["clusterid.x", "nclusterid.x"] } else { ["ctaid.x", "nctaid.x"] };
        let tiles = Tiles {
            along_m,
            along_n,
            batch,
            cluster: code.named("cluster").register(id)?,
            clusters: code.named("clusters").register(count)?,
        };
        let descriptors = [[a, ca], [b, cb], [d, cd]];
        Ok(Arguments { descriptors, scales, tiles, finish, factors, norm_constant })
    }
}
