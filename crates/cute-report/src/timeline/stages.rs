//! The array, the box and the stage of each load, the stages that each MMA reads, and the reason
//! why tensor cores are idle.

use super::{ClusterLine, GROUP, Kind, Owner, Slice, Track};
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

/// Adds a slice for each time between MMAs of a block in which none is in flight, with the reason:
/// the wait of the warp that issues the next one.
fn idle(line: &mut ClusterLine) {
    let mut mmas: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let mut waits: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (number, slice) in line.slices.iter().enumerate() {
        let Track { rank, owner, .. } = &line.tracks[slice.track];
        match (slice.kind, owner) {
            (Kind::Mma, Owner::TensorCore) => mmas.entry(*rank).or_default().push(number),
            (Kind::Wait, Owner::Warp(warp)) => waits.entry((*rank, *warp)).or_default().push(number),
            _ => {}
        }
    }
    let step = |number: &usize| (line.slices[*number].from, line.slices[*number].to);
    mmas.values_mut().chain(waits.values_mut()).for_each(|all| all.sort_by_key(step));
    let ended: BTreeMap<usize, usize> = line.flows.iter().map(|flow| (flow.to, flow.from)).collect();
    let mut idle = Vec::new();
    for (rank, all) in &mmas {
        let first_row =
            |track: &Track| (track.rank, &track.owner, track.row) == (*rank, &Owner::TensorCore, 0);
        let Some(track) = line.tracks.iter().position(first_row) else { continue };
        // The waits of each warp that may reach into the next gap.
        let mut left: BTreeMap<u32, &[usize]> = BTreeMap::new();
        let mut until = step(&all[0]).1;
        for next in &all[1..] {
            let (from, to) = step(next);
            if let Some(warp) = line.slices[*next].issuer.filter(|_| from > until) {
                let own = waits.get(&(*rank, warp)).map_or(&[][..], Vec::as_slice);
                let own = left.entry(warp).or_insert(own);
                while own.first().is_some_and(|wait| step(wait).1 <= until) {
                    *own = &own[1..];
                }
                let end = own.partition_point(|wait| step(wait).0 < from);
                if let Some(name) = reason(line, (until, from), &own[..end], &ended) {
                    idle.push(Slice {
                        to: from,
                        open: false,
                        ..Slice::new(track, until, Kind::Idle, name.into())
                    });
                }
            }
            until = until.max(to);
        }
    }
    line.slices.extend(idle);
}

/// The longest of these waits within two steps, in words. `None` if they are for the other warps of
/// the warpgroup only, as before each MMA.
fn reason(
    line: &ClusterLine,
    (from, to): (u64, u64),
    waits: &[usize],
    ended: &BTreeMap<usize, usize>,
) -> Option<String> {
    let overlap = |wait: &usize| {
        let slice = &line.slices[*wait];
        slice.to.min(to).saturating_sub(slice.from.max(from))
    };
    // A wait for own MMAs, which has no barrier, is the end of those before.
    let is_barrier = |wait: &usize| line.slices[*wait].barrier.as_deref().is_some_and(|name| name != GROUP);
    let is_other = |wait: &&usize| is_barrier(wait) && overlap(wait) > 0;
    let Some(wait) = waits.iter().filter(is_other).max_by_key(|wait| overlap(wait)) else {
        return waits.is_empty().then(|| "tensor core idle: the next MMA is not issued yet".into());
    };
    let own = &line.slices[*wait];
    let what = match ended.get(wait).map(|by| &line.slices[*by]) {
        Some(by) if by.kind == Kind::Copy => part(by).unwrap_or_else(|| by.name.to_string()),
        Some(by) => format!("the {} of {}", by.name, line.tracks[by.track].owner.name()),
        None => own.barrier.as_deref().unwrap_or(&own.name).to_owned(),
    };
    Some(format!("tensor core idle, waits for {what}"))
}

#[cfg(test)]
mod tests {
    use super::super::Flow;
    use super::*;

    /// The loads of three stages, and two MMAs. Between them, the warp that issues the second one
    /// waits for the load of the last stage.
    #[test]
    fn names_tell_stages_and_a_bubble_tells_its_reason() {
        let track = |owner| Track { rank: 0, owner, row: 0 };
        let tracks = vec![track(Owner::Tma), track(Owner::Warp(4)), track(Owner::TensorCore)];
        let mut line = ClusterLine { tracks, steps: 60, ..ClusterLine::default() };
        let mut stages = Stages::default();
        for stage in 0..3u64 {
            let subject = Subject {
                array: Some("A".into()),
                coordinates: vec![64 * stage as i64, 0],
                extents: vec![64, 128],
                shape: None,
                shared: vec![(4096 * stage, 4096 * stage + 4096)],
            };
            let mut load = Slice::new(0, stage, Kind::Copy, "load".into());
            (load.to, load.subject) = (10 + 14 * stage, Some(Box::new(subject.clone())));
            stages.load(line.slices.len(), 0, 40000 + 8 * stage as usize, &subject);
            line.slices.push(load);
        }
        for (from, start) in [(10, 0), (40, 8192 + 64)] {
            let shared = vec![(start, start + 512)];
            let subject = Subject { shape: Some([64, 256, 16]), shared, ..Subject::default() };
            let mut mma = Slice::new(2, from, Kind::Mma, "wgmma".into());
            (mma.to, mma.issuer, mma.subject) = (from + 10, Some(4), Some(Box::new(subject.clone())));
            stages.multiply(line.slices.len(), 0, &subject);
            line.slices.push(mma);
        }
        let mut wait = Slice::new(1, 21, Kind::Wait, "mbarrier.try_wait".into());
        (wait.to, wait.barrier) = (38, Some("mbarrier at byte 40016 of smem".into()));
        line.flows.push(Flow { from: 2, to: line.slices.len() });
        line.slices.push(wait);
        stages.name(&mut line);
        let names: Vec<&str> = line.slices.iter().map(|slice| &*slice.name).collect();
        let expected = [
            "load A (0, 0) stage 0",
            "load A (64, 0) stage 1",
            "load A (128, 0) stage 2",
            "wgmma m64n256k16: stage 0 of A",
            "wgmma m64n256k16: stage 2 of A",
            "mbarrier.try_wait",
            "tensor core idle, waits for stage 2 of A",
        ];
        assert_eq!(names, expected);
        let idle = line.slices.last().expect("the bubble");
        assert_eq!((idle.from, idle.to, idle.kind, idle.track), (20, 40, Kind::Idle, 2));
    }
}
