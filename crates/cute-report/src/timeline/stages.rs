//! What copies and MMAs work on: the array, the box and the stage of a load, and the stages that an
//! MMA reads; and what idle tensor cores wait for.

use super::{ClusterLine, Kind, Owner, Slice};
use cute_sim::events::Subject;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Loads and MMAs of a cluster, by the numbers of their slices.
#[derive(Debug, Default)]
pub(super) struct Stages {
    /// The block, the barrier and the array of each load.
    loads: BTreeMap<usize, Load>,
    /// By block and first byte, the part of shared memory that a load has filled last, to the byte
    /// after its end.
    filled: BTreeMap<(u32, u64), (u64, usize)>,
    /// The loads whose bytes each MMA reads: those of A and B.
    operands: BTreeMap<usize, Vec<usize>>,
}

#[derive(Debug)]
struct Load {
    rank: u32,
    barrier: usize,
    array: Option<String>,
}

impl Stages {
    /// A load to the shared memory of a block, whose bytes a barrier counts.
    pub(super) fn load(&mut self, slice: usize, rank: u32, barrier: usize, subject: &Subject) {
        self.loads.insert(slice, Load { rank, barrier, array: subject.array.clone() });
        for (start, end) in &subject.shared {
            self.filled.insert((rank, *start), (*end, slice));
        }
    }

    /// The block that a load fills.
    pub(super) fn rank_of(&self, slice: usize) -> Option<u32> {
        self.loads.get(&slice).map(|load| load.rank)
    }

    /// An MMA of a block.
    pub(super) fn multiply(&mut self, slice: usize, rank: u32, subject: &Subject) {
        let of = |(start, _): &(u64, u64)| {
            let ((own, _), (end, load)) = self.filled.range(..=(rank, *start)).next_back()?;
            (*own == rank && start < end).then_some(*load)
        };
        let operands = subject.shared.iter().filter_map(of).collect();
        self.operands.insert(slice, operands);
    }

    /// Names the loads and MMAs of a cluster that has ended, and adds the times in which its tensor
    /// cores are idle.
    pub(super) fn name(self, line: &mut ClusterLine) {
        let mut barriers: BTreeMap<(u32, &Option<String>), BTreeSet<usize>> = BTreeMap::new();
        for load in self.loads.values() {
            barriers.entry((load.rank, &load.array)).or_default().insert(load.barrier);
        }
        for (slice, Load { rank, barrier, array }) in &self.loads {
            let all = &barriers[&(*rank, array)];
            line.slices[*slice].stage = (all.len() > 1).then(|| all.range(..barrier).count() as u32);
        }
        for slice in &mut line.slices {
            if let Some(name) = self.loads_and_stores(slice) {
                slice.name = name.into();
            }
        }
        for (mma, operands) in &self.operands {
            let mut name = line.slices[*mma].name.to_string();
            if let Some([m, n, k]) = line.slices[*mma].subject.as_ref().and_then(|subject| subject.shape) {
                let _ = write!(name, " m{m}n{n}k{k}");
            }
            let mut parts: Vec<String> = Vec::new();
            for part in operands.iter().filter_map(|load| part(&line.slices[*load])) {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
            if !parts.is_empty() {
                let _ = write!(name, ": {}", parts.join(", "));
            }
            line.slices[*mma].name = name.into();
        }
        idle(line);
    }

    /// `load A (64, 0) stage 1`.
    fn loads_and_stores(&self, slice: &Slice) -> Option<String> {
        let subject = slice.subject.as_ref().filter(|_| slice.kind == Kind::Copy)?;
        let mut name = slice.name.to_string();
        if let Some(array) = &subject.array {
            let _ = write!(name, " {array}");
        }
        if !subject.coordinates.is_empty() {
            let all: Vec<String> = subject.coordinates.iter().map(ToString::to_string).collect();
            let _ = write!(name, " ({})", all.join(", "));
        }
        if let Some(stage) = slice.stage {
            let _ = write!(name, " stage {stage}");
        }
        Some(name)
    }
}

/// The array and the stage of a load: `stage 2 of A`.
fn part(load: &Slice) -> Option<String> {
    let array = load.subject.as_ref()?.array.as_ref()?;
    Some(match load.stage {
        Some(stage) => format!("stage {stage} of {array}"),
        None => array.clone(),
    })
}

/// Adds a slice for each time between MMAs of a block in which none is in flight: what the warp that
/// issues the next one waits for meanwhile.
fn idle(line: &mut ClusterLine) {
    let ranks: BTreeSet<u32> = line.tracks.iter().map(|track| track.rank).collect();
    for rank in ranks {
        let is_core = |slice: &&Slice| {
            let track = &line.tracks[slice.track];
            slice.kind == Kind::Mma && (track.rank, &track.owner) == (rank, &Owner::TensorCore)
        };
        let first_row =
            |track: &super::Track| (track.rank, &track.owner, track.row) == (rank, &Owner::TensorCore, 0);
        let Some(track) = line.tracks.iter().position(first_row) else { continue };
        let mut mmas: Vec<&Slice> = line.slices.iter().filter(is_core).collect();
        mmas.sort_by_key(|slice| (slice.from, slice.to));
        let (mut idle, mut until) = (Vec::new(), mmas.first().map_or(0, |first| first.to));
        for next in mmas.iter().skip(1) {
            if next.from > until {
                let name = reason(line, rank, (until, next.from), next);
                idle.push(Slice {
                    to: next.from,
                    open: false,
                    ..Slice::new(track, until, Kind::Idle, name.into())
                });
            }
            until = until.max(next.to);
        }
        line.slices.extend(idle);
    }
}

/// What the warp that issues an MMA waits for between two steps.
fn reason(line: &ClusterLine, rank: u32, (from, to): (u64, u64), next: &Slice) -> String {
    let owner = next.issuer.map(Owner::Warp);
    let overlap = |slice: &Slice| slice.to.min(to).saturating_sub(slice.from.max(from));
    let is_its = |(_, slice): &(usize, &Slice)| {
        let track = &line.tracks[slice.track];
        slice.kind == Kind::Wait
            && track.rank == rank
            && Some(&track.owner) == owner.as_ref()
            && overlap(slice) > 0
    };
    let longest = line.slices.iter().enumerate().filter(is_its).max_by_key(|(_, slice)| overlap(slice));
    let Some((wait, own)) = longest else { return "tensor core idle: the next MMA is not issued yet".into() };
    let ended = line.flows.iter().find(|flow| flow.to == wait).map(|flow| &line.slices[flow.from]);
    let what = match ended {
        Some(by) if by.kind == Kind::Copy => part(by).unwrap_or_else(|| by.name.to_string()),
        Some(by) => format!("the {} of {}", by.name, line.tracks[by.track].owner.name()),
        None => own.barrier.as_deref().unwrap_or(&own.name).to_owned(),
    };
    format!("tensor core idle, waits for {what}")
}
