//! The walks of a cluster's warps, with what they find in shared memory.
//!
//! A walk ends at a load of a followed byte whose value it needs. A run of the protocol up to there
//! shows the value; the warp then walks again. These are guesses: the proof checks each of them.

use super::{Prover, Sizes, Walks};
use crate::{
    board::{Accesses, Board},
    trace::Event,
    walk::{Notes, Stop, Walk, Walked, lcm},
    world::World,
};
use std::time::Instant;

/// Times that the warps of a cluster walk.
const MOST_ROUNDS: usize = 200;

/// Periods of a run that shows values.
const PERIODS: i64 = 2;

/// A walk, or why it ended early and what it had come across.
type Went = Result<Walked, Box<(Stop, Notes)>>;

impl<S: Sizes> Prover<'_, S> {
    /// The walks of a cluster.
    pub(super) fn settled(
        &self,
        world: &World<'_>,
        cluster: &[(u32, [u32; 3], u32)],
        last: bool,
    ) -> Result<Walks, Stop> {
        let mut board = Board::default();
        let mut seen = Accesses::default();
        let mut walks: Vec<Option<Went>> = vec![None; cluster.len()];
        for _ in 0..MOST_ROUNDS {
            for (index, (own, (rank, position, warp))) in walks.iter_mut().zip(cluster).enumerate() {
                own.get_or_insert_with(|| {
                    Walk::new(world, (*rank, *position), (*warp, index), last, &board, self.deadline).run()
                });
            }
            // A walk that ends early has seen less than the one before.
            for walk in walks.iter().flatten() {
                seen.join(match walk {
                    Ok(walked) => &walked.notes.accesses,
                    Err(stop) => &stop.1.accesses,
                });
            }
            let followed = Board::new(&seen);
            if !followed.is_of(&board) {
                board = followed;
                walks.fill(None);
                continue;
            }
            let stops = walks.iter().flatten().filter_map(|walk| walk.as_ref().err().map(|stop| &stop.0));
            let mut period: Option<i64> = None;
            for stop in stops {
                match stop {
                    Stop::Period(own) => period = Some(period.map_or(*own, |all| lcm(all, *own))),
                    stop => return Err(stop.clone()),
                }
            }
            if let Some(period) = period {
                return Err(Stop::Period(period));
            }
            let all: Walks = walks.iter().flatten().flatten().cloned().collect();
            if board.is_empty() {
                return Ok(all);
            }
            let q = all.iter().map(|walked| walked.bounds.left).max().unwrap_or(0) + PERIODS;
            let lists: Vec<Vec<&Event>> = all
                .iter()
                .map(|walked| walked.trace.of(q).filter(|event| event.what.is_of_barriers()).collect())
                .collect();
            let (found, broken) = self.begin(&all).explore(&lists);
            let mut is_settled = true;
            for own in found {
                if let Some((Some(number), values)) = own.found {
                    board.tell(own.warp, own.pc, number, values);
                    walks[own.warp] = None;
                    is_settled = false;
                }
            }
            if is_settled {
                let Some(asks) = all.iter().find(|walked| walked.asks) else { return Ok(all) };
                let place = asks.trace.events().last().map_or(0, |event| event.pc);
                let (pc, why) = match broken {
                    Some(broken) => (broken.pc, broken.what),
                    None => (place, "a value of shared memory that no warp gets to".to_owned()),
                };
                return Err(Stop::Undecided { pc, why });
            }
            if Instant::now() > self.deadline {
                return Err(Stop::Time);
            }
        }
        Err(Stop::Undecided { pc: 0, why: "values in shared memory change too often".into() })
    }
}
