//! What the kernel is made of, and what its host function does.

use cute_arch::atoms::Major;
use melior::{Context, ir::Module};

use super::{Out, Types, finish::Finish, kernel::Kernel};
use crate::{
    Error,
    barriers::{BARRIER, Ring},
    code::{Code, Refused, Ssa, Written},
    launch::{self, Launched, Prepared},
    tma::{SharedTile, describe_vector},
};

/// Facts of a choice of types.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// Elements of A and B in memory, and as the MMA takes them.
    pub elem: &'static str,
    pub factor: &'static str,
    pub bits: i64,
    /// K of an MMA.
    pub k: i64,
    pub sum: &'static str,
    pub out: &'static str,
    pub out_bits: i64,
}

impl Numbers {
    pub fn new(types: Types, out: Option<Out>) -> Self {
        let (elem, factor, bits, sum, own) = match types {
            Types::F16 => ("f16", "f16", 16, "f32", Out::F16),
            Types::Bf16 => ("bf16", "bf16", 16, "f32", Out::Bf16),
            Types::Tf32 => ("f32", "tf32", 32, "f32", Out::F32),
            Types::E4m3 => ("f8E4M3FN", "f8E4M3FN", 8, "f32", Out::F32),
            Types::E5m2 => ("f8E5M2", "f8E5M2", 8, "f32", Out::F32),
            Types::S8 => ("i8", "i8", 8, "i32", Out::S32),
        };
        let (out, out_bits) = match out.unwrap_or(own) {
            Out::F16 => ("f16", 16),
            Out::Bf16 => ("bf16", 16),
            Out::F32 => ("f32", 32),
            Out::E4m3 => ("f8E4M3FN", 8),
            Out::S32 => ("i32", 32),
        };
        Self { elem, factor, bits, k: 256 / bits, sum, out, out_bits }
    }

    /// Columns of D that are stored at a time: rows of 128 bytes.
    pub fn columns(&self) -> i64 {
        1024 / self.out_bits
    }
}

/// Tiles and numbers.
pub(super) struct Plan {
    pub name: &'static str,
    pub tile: [i64; 3],
    pub stages: i64,
    /// Warpgroups that multiply; one more brings tiles.
    pub consumers: i64,
    /// How many of them multiply one tile: all, or one where they take turns.
    pub together: i64,
    /// Blocks of a cluster along M and N.
    pub cluster: [i64; 2],
    pub numbers: Numbers,
    pub majors: [Major; 2],
    /// Tiles of A and of B, and the part of D that a warpgroup stores at once.
    pub shared: [SharedTile; 2],
    pub sums: SharedTile,
    pub finish: Finish,
    /// After how many K tiles sums are added to others.
    pub promote: Option<i64>,
    /// Whether the matrices have a third mode.
    pub batch: bool,
}

impl Plan {
    /// Bytes of a stage.
    pub fn stage(&self) -> i64 {
        self.shared.iter().map(SharedTile::bytes).sum()
    }

    /// Where the parts of D begin in shared memory: two for each warpgroup that multiplies.
    pub fn slots(&self) -> i64 {
        self.stages * self.stage()
    }

    /// Where parts of the bias begin, one behind the other as the slots are.
    pub fn biases(&self) -> i64 {
        self.slots() + 2 * self.consumers * self.sums.bytes()
    }

    /// Where the barriers begin.
    pub fn barriers(&self) -> i64 {
        self.biases() + 2 * self.consumers * self.bias_bytes()
    }

    /// Where the barriers of what is brought for D begin, one for each slot.
    pub fn brought_barriers(&self) -> i64 {
        self.barriers() + Ring::bytes(self.stages)
    }

    /// Bytes of dynamic shared memory.
    fn memory(&self) -> i64 {
        let brought = if self.finish.brings() { 2 * self.consumers * BARRIER } else { 0 };
        self.brought_barriers() + brought
    }

    /// Blocks of a cluster.
    pub fn blocks(&self) -> i64 {
        self.cluster[0] * self.cluster[1]
    }

    /// The kernel and its host function.
    pub fn module(self, context: &Context) -> Result<Module<'_>, Error> {
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
        let parameters: Vec<_> = [("A", a), ("B", b)]
            .into_iter()
            .chain(number(beta, "C", &d))
            .chain([("D", d)])
            .chain(number(bias, "bias", &vector))
            .chain(number(alpha, "alpha", "f32"))
            .chain(number(beta, "beta", "f32"))
            .chain(number(true, "blocks", "i32"))
            .collect();
        let [x, y] = self.cluster;
        let launched = Launched {
            name: self.name,
            parameters: &parameters,
            threads: 128 * (self.consumers + 1),
            shared: self.memory(),
            cluster: (self.blocks() > 1).then_some([x, y, 1]),
        };
        Ok(launch::module(
            context,
            &launched,
            |code, arguments| self.prepare(code, arguments),
            |code, arguments| Kernel::new(&self, *code, arguments)?.write(),
        )?)
    }

    /// On the host: a descriptor for each matrix, and as many clusters as there are tiles for them and blocks allowed.
    fn prepare<'m>(&self, code: &Code<'m>, arguments: &[Ssa<'m>]) -> Written<Prepared<'m>> {
        let mut given = arguments.iter().copied();
        let mut next = || given.next().ok_or(Refused::Ir);
        let mut maybe = |wanted: bool| if wanted { next().map(Some) } else { Ok(None) };
        let finish = self.finish;
        let (a, b) = (maybe(true)?, maybe(true)?);
        let (c, d, bias) = (maybe(finish.beta)?, maybe(true)?, maybe(finish.bias)?);
        let (alpha, beta, blocks) = (maybe(finish.alpha)?, maybe(finish.beta)?, maybe(true)?);
        let (Some(a), Some(b), Some(d), Some(blocks)) = (a, b, d, blocks) else { return Err(Refused::Ir) };
        let [along_m, along_n] = self.cluster;
        let [load_a, coords_a] = self.shared[0].describe_load(code, "loadA", a, along_n)?;
        let [load_b, coords_b] = self.shared[1].describe_load(code, "loadB", b, along_m)?;
        let [store_d, coords_d] = self.sums.describe_store(code, "storeD", d)?;
        let [m, n, _] = self.tile;
        let tile = code.fixed("tile", &format!("!cute.tile<\"[{}:1;{}:1]\">", m * along_m, n * along_n))?;
        let tiles = code.op(("tiles", "cute.zipped_divide"), &[d, tile], &[])?;
        let (m, n) = (code.size_at("m", tiles, &[1, 0])?, code.size_at("n", tiles, &[1, 1])?);
        let mut all = code.binary(("all", "arith.muli"), m, n)?;
        let batch = if self.batch { Some(code.size_at("l", tiles, &[1, 2])?) } else { None };
        if let Some(batch) = batch {
            all = code.binary(("all", "arith.muli"), all, batch)?;
        }
        let clusters = code.binary(("clusters", "arith.divsi"), blocks, code.i32(self.blocks())?)?;
        let clusters = code.binary(("clusters", "arith.minsi"), clusters, all)?;
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
            let [load, coords] = self.sums.describe_load(code, "loadC", c, 1)?;
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
}
