//! Tiles by cluster launch control: the grid has one cluster per tile, and a cluster that runs
//! cancels others that have not begun, and computes their tiles.
//!
//! The warp that loads tiles asks in the first block, when it begins a tile. So the answer is there
//! at the end of the tile, and no cluster holds more than one tile that it has not begun. The
//! device writes the answer to all blocks of the cluster, where every warp that walks tiles reads
//! it.

use cute_build::{
    IntPredicate,
    types::{self, Space},
};

use super::{
    cluster::Cluster,
    raster::{Place, Tiles},
};
use crate::{
    At, Builder, Built, Value,
    barriers::{self, Ring, Turn},
    tiling::strided,
};

/// Answers in shared memory: at most three tiles are in progress, because one is loaded and two
/// have their accumulators in tensor memory.
const SLOTS: i64 = 3;
/// Bytes of an answer, and their alignment.
const ANSWER: i64 = 16;

/// A ring of answers.
pub(super) struct Answers<'c> {
    ring: Ring<'c>,
    /// The answers as elements, and the address of the first.
    answers: Value<'c>,
    first: Value<'c>,
    cluster: Cluster<'c>,
}

impl<'c> Answers<'c> {
    /// Bytes of the answers and their barriers.
    pub const BYTES: i64 = SLOTS * ANSWER + Ring::bytes(SLOTS);

    /// The first properly aligned byte for answers, at `byte` of shared memory or after it.
    pub const fn begin(byte: i64) -> i64 {
        (byte + ANSWER - 1) / ANSWER * ANSWER
    }

    /// Answers that begin at a byte of shared memory.
    pub fn new(code: &Builder<'c>, memory: Value<'c>, byte: i64, cluster: Cluster<'c>) -> Built<Self> {
        let view = types::pointer(code.integer_type(128), Space::Smem).align(ANSWER);
        let answers = code.named("answers").view(memory, byte, view.memref(strided([SLOTS], [1])?)?)?;
        let first = code.named("first").inferred("cute.get_iter", &[answers], &[])?;
        let ring = Ring::new(code, memory, byte + SLOTS * ANSWER, SLOTS)?;
        Ok(Self { ring, answers, first, cluster })
    }

    /// Initializes the barriers, by one thread, for the number of warps that read an answer.
    pub fn init(&self, code: &Builder<'c>, warps: i64) -> Built<()> {
        self.ring.init(code, 1, warps)
    }

    /// Walks the tile of this cluster and those of the clusters that it cancels:
    /// `carried = body(place, carried)`. All warps walk the same tiles; the warp that `asks` does
    /// so in each block.
    pub fn walk(
        &self,
        code: &Builder<'c>,
        tiles: &Tiles<'c>,
        asks: bool,
        carried: &[Value<'c>],
        body: impl FnOnce(&Builder<'c>, Place<'c>, &[Value<'c>]) -> Built<Vec<Value<'c>>>,
    ) -> Built<Vec<Value<'c>>> {
        let all = tiles.all(code)?;
        let start = [&[tiles.cluster], &Turn::first(code, false)?.carried()[..], carried].concat();
        // A refusal is the tile -1, the largest one.
        let is_tile = |code: &Builder<'c>, carried: &[Value<'c>]| {
            code.named("more").compare(IntPredicate::Ult, carried[0], all)
        };
        let end = code.while_loop(&start, is_tile, |code, carried| {
            let turn = Turn::of(&carried[1..]);
            if asks {
                self.ask(code, turn)?;
            }
            let carried = body(code, tiles.at(code, carried[0])?, &carried[3..])?;
            let next = [&[self.read(code, turn)?], &self.ring.next(code, turn)?.carried()[..]].concat();
            Ok([next, carried].concat())
        })?;
        Ok(end[3..].to_vec())
    }

    /// Runs `body` in the first block of the cluster only.
    fn in_first(&self, code: &Builder<'c>, body: impl FnOnce(&Builder<'c>) -> Built<()>) -> Built<()> {
        if self.cluster.blocks() == 1 {
            return body(code);
        }
        code.if_then(code.named("is_first").is(self.cluster.number(code)?, 0)?, body)
    }

    /// Asks for a tile. Each block expects the answer, because all of them receive it.
    fn ask(&self, code: &Builder<'c>, turn: Turn<'c>) -> Built<()> {
        let before = Turn { phase: code.named("before").xor(turn.phase, code.i32(1)?)?, ..turn };
        self.in_first(code, |code| barriers::wait(code, self.ring.empty(code, turn)?, before.phase))?;
        barriers::elected(code, |code| {
            let full = self.ring.full(code, turn)?;
            barriers::expect(code, full, ANSWER)?;
            self.in_first(code, |code| {
                let answer = code.named("answer").add_offset(self.first, turn.stage)?;
                barriers::try_cancel(code, answer, full, self.cluster.blocks() > 1)
            })
        })
    }

    /// Reads the tile of an answer, -1 if there is none, and returns the place of the answer to the
    /// first block.
    fn read(&self, code: &Builder<'c>, turn: Turn<'c>) -> Built<Value<'c>> {
        barriers::wait(code, self.ring.full(code, turn)?, turn.phase)?;
        let at = code.coord(&[At::Value(turn.stage)])?;
        let answer = code.named("answer").inferred("cute.memref.load", &[self.answers, at], &[])?;
        let canceled =
            barriers::query_cancel(&code.named("canceled"), answer, "is_canceled", code.integer_type(1))?;
        // The block of a refusal is undefined, and is not used.
        let block =
            barriers::query_cancel(&code.named("block"), answer, "get_first_cta_id_x", code.i32_type())?;
        let cluster = code.named("cluster").div_unsigned(block, code.i32(self.cluster.size[0])?)?;
        let tile = code.named("tile").select(canceled, cluster, code.i32(-1)?)?;
        // The async proxy writes the next answer, after the reads of all lanes.
        barriers::fence_for_tma(code)?;
        barriers::warp_barrier(code)?;
        barriers::elected(code, |code| {
            let empty = self.ring.empty(code, turn)?;
            if self.cluster.blocks() > 1 {
                barriers::arrive_at(code, empty, code.i32(0)?)
            } else {
                barriers::arrive(code, empty)
            }
        })?;
        code.named("tile").inferred("cute_nvgpu.arch.make_warp_uniform", &[tile], &[])
    }
}
