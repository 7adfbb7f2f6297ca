//! Tiles by cluster launch control: the grid has one cluster per tile, and a cluster that runs
//! cancels others that have not begun, and computes their tiles.
//!
//! The warp that loads tiles asks in the first block, when it begins a tile. So the answer is there
//! at the end of the tile, and no cluster holds more than one tile that it has not begun. The
//! device writes the answer to all blocks of the cluster, where every warp that walks tiles reads
//! it.

use cute_ffi::predicate::IntPredicate;

use super::{
    cluster::Cluster,
    raster::{Place, Tiles},
};
use crate::{
    barriers::{Ring, Turn},
    code::{At, Code, Ssa, Written},
};

/// Answers in shared memory: at most three tiles are in progress, because one is loaded and two
/// have their sums in tensor memory.
const SLOTS: i64 = 3;
/// Bytes of an answer, and their alignment.
const ANSWER: i64 = 16;

/// A ring of answers.
pub(super) struct Answers<'c> {
    ring: Ring<'c>,
    /// The answers as elements, and the address of the first.
    answers: Ssa<'c>,
    first: Ssa<'c>,
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
    pub fn new(code: &Code<'c>, memory: Ssa<'c>, byte: i64, cluster: Cluster<'c>) -> Written<Self> {
        let view = format!("!cute.memref<i128, smem, align<{ANSWER}>, \"({SLOTS}):(1)\">");
        let answers = code.view("answers", memory, byte, code.parse_type(&view)?)?;
        let first = code.op(("first", "cute.get_iter"), &[answers], &[])?;
        let ring = Ring::new(code, memory, byte + SLOTS * ANSWER, SLOTS)?;
        Ok(Self { ring, answers, first, cluster })
    }

    /// Initializes the barriers, by one thread, for the number of warps that read an answer.
    pub fn init(&self, code: &Code<'c>, warps: i64) -> Written<()> {
        self.ring.init(code, 1, warps)
    }

    /// Walks the tile of this cluster and those of the clusters that it cancels:
    /// `carried = body(place, carried)`. All warps walk the same tiles; the warp that `asks` does
    /// so in each block.
    pub fn walk(
        &self,
        code: &Code<'c>,
        tiles: &Tiles<'c>,
        asks: bool,
        carried: &[Ssa<'c>],
        body: impl FnOnce(&Code<'c>, Place<'c>, &[Ssa<'c>]) -> Written<Vec<Ssa<'c>>>,
    ) -> Written<Vec<Ssa<'c>>> {
        let all = tiles.all(code)?;
        let start = [&[tiles.cluster], &Turn::first(code, false)?.carried()[..], carried].concat();
        // A refusal is the tile -1, the largest one.
        let is_tile =
            |code: &Code<'c>, carried: &[Ssa<'c>]| code.compare("more", IntPredicate::Ult, carried[0], all);
        let end = code.repeat_while(&start, is_tile, |code, carried| {
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
    fn in_first(&self, code: &Code<'c>, body: impl FnOnce(&Code<'c>) -> Written<()>) -> Written<()> {
        if self.cluster.blocks() == 1 {
            return body(code);
        }
        code.when(code.is("is_first", self.cluster.number(code)?, 0)?, body)
    }

    /// Asks for a tile. Each block expects the answer, because all of them receive it.
    fn ask(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<()> {
        let before = Turn { phase: code.binary(("before", "arith.xori"), turn.phase, code.i32(1)?)?, ..turn };
        self.in_first(code, |code| code.wait(self.ring.empty(code, turn)?, before.phase))?;
        code.elected(|code| {
            let full = self.ring.full(code, turn)?;
            code.expect(full, ANSWER)?;
            self.in_first(code, |code| {
                let answer = code.barrier_at("answer", self.first, turn.stage)?;
                code.try_cancel(answer, full, self.cluster.blocks() > 1)
            })
        })
    }

    /// Reads the tile of an answer, -1 if there is none, and returns the place of the answer to the
    /// first block.
    fn read(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<Ssa<'c>> {
        code.wait(self.ring.full(code, turn)?, turn.phase)?;
        let at = code.coord(&[At::Value(turn.stage)])?;
        let answer = code.op(("answer", "cute.memref.load"), &[self.answers, at], &[])?;
        let canceled = code.query_cancel("canceled", answer, "is_canceled", "i1")?;
        // The block of a refusal is undefined, and is not used.
        let block = code.query_cancel("block", answer, "get_first_cta_id_x", "i32")?;
        let cluster = code.binary(("cluster", "arith.divui"), block, code.i32(self.cluster.size[0])?)?;
        let tile = code.op(("tile", "arith.select"), &[canceled, cluster, code.i32(-1)?], &[])?;
        // The async proxy writes the next answer, after the reads of all lanes.
        code.fence_for_tma()?;
        code.warp_barrier()?;
        code.elected(|code| {
            let empty = self.ring.empty(code, turn)?;
            if self.cluster.blocks() > 1 { code.arrive_at(empty, code.i32(0)?) } else { code.arrive(empty) }
        })?;
        code.op(("tile", "cute_nvgpu.arch.make_warp_uniform"), &[tile], &[])
    }
}
