//! The counters of each instruction.

use crate::engine::bulk::{Far, Rows};
use crate::program::{Kernel, Op};
use crate::report::{OpCount, SiteCount, Stats, Traffic};
use crate::sectors::sectors;
use cute_arch::banks;
use std::collections::HashMap;

/// Accesses of one instruction to one kind of memory.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AccessCount {
    warps: u64,
    threads: u64,
    bytes: u64,
    passes: u64,
    ideal: u64,
}

impl AccessCount {
    fn add(&mut self, other: &AccessCount) {
        self.warps += other.warps;
        self.threads += other.threads;
        self.bytes += other.bytes;
        self.passes += other.passes;
        self.ideal += other.ideal;
    }
}

/// Counters by instruction.
#[derive(Debug, Clone)]
pub(crate) struct Counters {
    /// Executions, summed over threads.
    pub(crate) threads: Vec<u64>,
    shared: Vec<AccessCount>,
    global: Vec<AccessCount>,
}

impl Counters {
    pub(crate) fn new(instructions: usize) -> Self {
        let none = vec![AccessCount::default(); instructions];
        Counters { threads: vec![0; instructions], shared: none.clone(), global: none }
    }

    pub(crate) fn add(&mut self, other: &Counters) {
        self.threads.iter_mut().zip(&other.threads).for_each(|(a, b)| *a += b);
        self.shared.iter_mut().zip(&other.shared).for_each(|(a, b)| a.add(b));
        self.global.iter_mut().zip(&other.global).for_each(|(a, b)| a.add(b));
    }

    /// Counts a warp's access of `bytes` bytes at each lane's address.
    pub(crate) fn access(
        &mut self,
        pc: u32,
        traffic: Traffic,
        addresses: &[u64; 32],
        active: u32,
        bytes: u64,
    ) {
        if active == 0 || bytes == 0 {
            return;
        }
        let (count, (passes, ideal)) = match traffic {
            Traffic::Shared => (&mut self.shared, banks::passes(addresses, active, bytes)),
            Traffic::Global => (&mut self.global, sectors(addresses, active, bytes)),
        };
        let threads = u64::from(active.count_ones());
        count[pc as usize].add(&AccessCount { warps: 1, threads, bytes: threads * bytes, passes, ideal });
    }

    /// Counts a bulk copy: its bytes in shared memory, of which rows of 128 bytes are one pass, and
    /// the sectors of its rows.
    pub(crate) fn bulk(&mut self, pc: u32, rows: &Rows) {
        let bytes = rows.all() as u64;
        let add = |counts: &mut [AccessCount], bytes: u64, passes: u64, ideal: u64| {
            counts[pc as usize].add(&AccessCount { warps: 1, threads: 1, bytes, passes, ideal });
        };
        add(&mut self.shared, bytes, bytes.div_ceil(128), bytes.div_ceil(128));
        if rows.far == Far::Shared {
            return;
        }
        let moved = rows.list.iter().filter(|row| row.len > 0);
        let mut last = None;
        let (bytes, sectors) = moved.fold((0, 0), |(bytes, sectors), row| {
            let (first, end) = (row.at / 32, (row.at + row.len).div_ceil(32));
            // A mask of bytes divides 16 bytes into rows, which share a sector.
            let shares = rows.bytes < 16 && last.replace(end - 1) == Some(first);
            (bytes + row.len as u64, sectors + (end - first - usize::from(shares)) as u64)
        });
        add(&mut self.global, bytes, sectors, bytes.div_ceil(32));
    }

    pub(crate) fn stats(&self, kernel: &Kernel) -> Stats {
        let mut stats = Stats { instructions: self.threads.iter().sum(), ..Stats::default() };
        for (op, n) in kernel.code.iter().zip(&self.threads) {
            match op {
                Op::Load { .. } => stats.loads += n,
                Op::Store { .. } => stats.stores += n,
                Op::AsyncCopy { .. } | Op::Bulk(_) => stats.async_copies += n,
                _ => {}
            }
        }
        stats
    }

    /// Accesses by their passes, most first. An operation that became several instructions counts
    /// as one.
    pub(crate) fn sites(&self, kernel: &Kernel) -> Vec<SiteCount> {
        let of = |traffic, counts: &[AccessCount]| -> Vec<SiteCount> {
            let count = |(site, c): (&crate::program::Site, &AccessCount)| SiteCount {
                op: site.op.to_string(),
                location: site.location.to_string(),
                traffic,
                warps: c.warps,
                threads: c.threads,
                bytes: c.bytes,
                passes: c.passes,
                ideal: c.ideal,
            };
            kernel.sites.iter().zip(counts).filter(|(_, c)| c.warps > 0).map(count).collect()
        };
        let mut sites: Vec<SiteCount> = Vec::new();
        let mut places = HashMap::new();
        for s in of(Traffic::Shared, &self.shared).into_iter().chain(of(Traffic::Global, &self.global)) {
            let i =
                *places.entry((s.op.to_string(), s.location.to_string(), s.traffic)).or_insert(sites.len());
            match sites.get_mut(i) {
                Some(site) => site.add(&s),
                None => sites.push(s),
            }
        }
        sites.sort_by_key(|s| std::cmp::Reverse(s.passes));
        sites
    }

    /// Operations by their executions, most first.
    pub(crate) fn mix(&self, kernel: &Kernel) -> Vec<OpCount> {
        let mut by_name: HashMap<&str, u64> = HashMap::new();
        for (site, n) in kernel.sites.iter().zip(&self.threads) {
            *by_name.entry(&site.op).or_default() += n;
        }
        let mut mix: Vec<OpCount> = by_name
            .into_iter()
            .filter(|(_, n)| *n > 0)
            .map(|(op, threads)| OpCount { op: op.to_owned(), threads })
            .collect();
        mix.sort_by(|a, b| b.threads.cmp(&a.threads).then_with(|| a.op.cmp(&b.op)));
        mix
    }
}
