//! Tiles by cluster launch control: the grid has one cluster per tile, and a cluster that runs
//! cancels others that have not begun, and computes their tiles.
//!
//! The warp that loads tiles asks in the first block, when it begins a tile. So the response has
//! arrived at the end of the tile, and no cluster holds more than one tile that it has not begun.
//! The device writes the response to all blocks of the cluster, where every warp that walks tiles
//! reads it.

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
    barriers::{self, PipelineState, Ring},
    tiling::strided,
};

/// Responses in shared memory: at most three tiles are in progress, because one is loaded and two
/// have their accumulators in tensor memory.
const SLOTS: i64 = 3;
/// Bytes of a response, and their alignment.
const RESPONSE: i64 = 16;

/// A ring of responses.
pub(super) struct Responses<'c> {
    ring: Ring<'c>,
    /// The responses as elements, and the address of the first.
    responses: Value<'c>,
    first: Value<'c>,
    cluster: Cluster<'c>,
}

impl<'c> Responses<'c> {
    /// Bytes of the responses and their barriers.
    pub const BYTES: i64 = SLOTS * RESPONSE + Ring::bytes(SLOTS);

    /// The first properly aligned byte for responses, at `byte` of shared memory or after it.
    pub const fn begin(byte: i64) -> i64 {
        (byte + RESPONSE - 1) / RESPONSE * RESPONSE
    }

    /// Responses that begin at a byte of shared memory.
    pub fn new(code: &Builder<'c>, memory: Value<'c>, byte: i64, cluster: Cluster<'c>) -> Built<Self> {
        let view = types::pointer(code.integer_type(128), Space::Smem).align(RESPONSE);
        let responses = code.named("responses").view(memory, byte, view.memref(strided([SLOTS], [1])?)?)?;
        let first = code.named("first").inferred("cute.get_iter", &[responses], &[])?;
        let ring = Ring::new(code, memory, byte + SLOTS * RESPONSE, SLOTS)?;
        Ok(Self { ring, responses, first, cluster })
    }

    /// Initializes the barriers, by one thread, for the number of warps that read a response.
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
        let start = [&[tiles.cluster], &PipelineState::first(code, false)?.carried()[..], carried].concat();
        // A refusal is the tile -1, the largest one.
        let is_tile = |code: &Builder<'c>, carried: &[Value<'c>]| {
            code.named("more").compare(IntPredicate::Ult, carried[0], all)
        };
        let end = code.while_loop(&start, is_tile, |code, carried| {
            let state = PipelineState::of(&carried[1..]);
            if asks {
                self.try_cancel(code, state)?;
            }
            let carried = body(code, tiles.at(code, carried[0])?, &carried[3..])?;
            let next = [&[self.read(code, state)?], &self.ring.next(code, state)?.carried()[..]].concat();
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

    /// Asks for a tile. Each block expects the response, because all of them receive it.
    fn try_cancel(&self, code: &Builder<'c>, state: PipelineState<'c>) -> Built<()> {
        let before = PipelineState { phase: code.named("before").xor(state.phase, code.i32(1)?)?, ..state };
        self.in_first(code, |code| barriers::wait(code, self.ring.empty(code, state)?, before.phase))?;
        barriers::elected(code, |code| {
            let full = self.ring.full(code, state)?;
            barriers::expect(code, full, RESPONSE)?;
            self.in_first(code, |code| {
                let response = code.named("response").add_offset(self.first, state.stage)?;
                barriers::try_cancel(code, response, full, self.cluster.blocks() > 1)
            })
        })
    }

    /// Reads the tile of a response, -1 if there is none, and returns the place of the response to
    /// the first block.
    fn read(&self, code: &Builder<'c>, state: PipelineState<'c>) -> Built<Value<'c>> {
        barriers::wait(code, self.ring.full(code, state)?, state.phase)?;
        let at = code.coord(&[At::Value(state.stage)])?;
        let response = code.named("response").inferred("cute.memref.load", &[self.responses, at], &[])?;
        let canceled =
            barriers::query_cancel(&code.named("canceled"), response, "is_canceled", code.integer_type(1))?;
        // The block of a refusal is undefined, and is not used.
        let block =
            barriers::query_cancel(&code.named("block"), response, "get_first_cta_id_x", code.i32_type())?;
        let cluster = code.named("cluster").div_unsigned(block, code.i32(self.cluster.size[0])?)?;
        let tile = code.named("tile").select(canceled, cluster, code.i32(-1)?)?;
        // The async proxy writes the next response, after the reads of all lanes.
        barriers::fence_for_tma(code)?;
        barriers::warp_barrier(code)?;
        barriers::elected(code, |code| {
            let empty = self.ring.empty(code, state)?;
            if self.cluster.blocks() > 1 {
                barriers::arrive_at(code, empty, code.i32(0)?)
            } else {
                barriers::arrive(code, empty)
            }
        })?;
        code.named("tile").inferred("cute_nvgpu.arch.make_warp_uniform", &[tile], &[])
    }
}
