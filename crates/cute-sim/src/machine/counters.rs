//! The counters of each instruction.

use crate::families::bulk::rows::{Far, Rows};
use crate::lanes::lanes_of;
use crate::memory::address::SHARED_BASE;
use crate::program::{Kernel, Op, SharedObject, Site};
use crate::report::{BankCount, BufferCount, OpCount, SiteCount, Stats, Traffic, WarpAccess, worse};
use crate::schedule::Elected;
use crate::tensor::sums::Weakest;
use cute_arch::{
    banks,
    sectors::{SECTOR, sectors},
};
use std::collections::{BTreeMap, HashMap};

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
    /// The banks of shared memory, by instruction and shared object, if they are wanted.
    banks: Option<Box<Banks>>,
    /// The least certain rule of sums.
    pub(crate) sums: Option<Weakest>,
}

/// The accesses of instructions to shared objects, which are numbered from 1 on; 0 is the window.
#[derive(Debug, Clone)]
struct Banks {
    /// The start and the end of each object in a block's window.
    objects: Vec<(u64, u64)>,
    /// Bytes between adjacent blocks' windows.
    stride: u64,
    counts: BTreeMap<(u32, usize), BankAccess>,
}

#[derive(Debug, Clone, Copy, Default)]
struct BankAccess {
    count: AccessCount,
    words: [u64; 32],
    conflicts: [u64; 32],
    /// The first byte of the object that was accessed, and the one after the last.
    bytes: (u64, u64),
    worst: Option<WarpAccess>,
}

impl BankAccess {
    fn add(&mut self, other: &BankAccess) {
        let is_first = self.count.warps == 0;
        self.count.add(&other.count);
        self.words.iter_mut().zip(&other.words).for_each(|(all, own)| *all += own);
        self.conflicts.iter_mut().zip(&other.conflicts).for_each(|(all, own)| *all += own);
        let (first, end) = if is_first { (u64::MAX, 0) } else { self.bytes };
        self.bytes = (first.min(other.bytes.0), end.max(other.bytes.1));
        self.worst = worse(self.worst, other.worst);
    }
}

impl Banks {
    fn new(kernel: &Kernel, dynamic: u32, stride: usize) -> Self {
        let end = |size: Option<u64>| size.unwrap_or(dynamic.into());
        let object = |o: &SharedObject| {
            let start = o.address - SHARED_BASE;
            (start, start + end(o.size))
        };
        let objects = kernel.shared.iter().map(object).collect();
        Banks { objects, stride: (stride as u64).max(1), counts: BTreeMap::new() }
    }

    /// Counts an access to these bytes of the cluster's shared memory.
    fn count(
        &mut self,
        pc: u32,
        (first, end): (u64, u64),
        count: AccessCount,
        [words, conflicts]: [[u64; 32]; 2],
        worst: Option<WarpAccess>,
    ) {
        let window = first - first % self.stride;
        let (first, bytes) = (first % self.stride, end - first);
        let within = |(start, stop): &(u64, u64)| (*start..*stop).contains(&first);
        let found = self.objects.iter().position(within);
        let from = first - found.map_or(0, |object| self.objects[object].0);
        let base = window + first - from;
        let worst = worst.map(|mut worst| {
            lanes_of(worst.lanes).for_each(|lane| worst.offsets[lane as usize] -= base);
            worst
        });
        let own = BankAccess { count, words, conflicts, bytes: (from, from + bytes), worst };
        self.counts.entry((pc, found.map_or(0, |n| n + 1))).or_default().add(&own);
    }

    /// Counts a warp's access of `bytes` bytes at each lane's address.
    #[cold]
    fn access(&mut self, pc: u32, addresses: &[u64; 32], active: u32, bytes: u64, count: AccessCount) {
        let own = || lanes_of(active).map(|lane| addresses[lane as usize]);
        let (first, last) = (own().min().unwrap_or(0), own().max().unwrap_or(0));
        let words = banks::words(addresses, active, bytes);
        let mut offsets = [0; 32];
        lanes_of(active).for_each(|lane| offsets[lane as usize] = addresses[lane as usize]);
        // Lanes of several blocks have no common buffer.
        let is_one = first / self.stride == last / self.stride;
        let AccessCount { passes, ideal, .. } = count;
        let worst = is_one.then_some(WarpAccess { passes, ideal, bytes, lanes: active, offsets });
        self.count(pc, (first, last + bytes), count, words, worst);
    }

    /// Counts a bulk copy of bytes from a place on, of which each bank has the same share.
    #[cold]
    fn bulk(&mut self, pc: u32, first: u64, count: AccessCount) {
        let word = |bank: u64| (count.bytes / 4 + 31 - bank) / 32;
        let words = std::array::from_fn(|bank| word((bank as u64 + 32 - first / 4 % 32) % 32));
        self.count(pc, (first, first + count.bytes), count, [words, [0; 32]], None);
    }
}

impl Counters {
    pub(crate) fn new(instructions: usize) -> Self {
        let none = vec![AccessCount::default(); instructions];
        Counters {
            threads: vec![0; instructions],
            shared: none.clone(),
            global: none,
            banks: None,
            sums: None,
        }
    }

    /// Counts the words of each bank, too.
    pub(crate) fn with_banks(mut self, kernel: &Kernel, dynamic: u32, stride: usize) -> Self {
        self.banks = Some(Box::new(Banks::new(kernel, dynamic, stride)));
        self
    }

    /// Whether the words of each bank are counted.
    pub(crate) fn has_banks(&self) -> bool {
        self.banks.is_some()
    }

    pub(crate) fn add(&mut self, other: &Counters) {
        self.threads.iter_mut().zip(&other.threads).for_each(|(a, b)| *a += b);
        self.shared.iter_mut().zip(&other.shared).for_each(|(a, b)| a.add(b));
        self.global.iter_mut().zip(&other.global).for_each(|(a, b)| a.add(b));
        let is_weaker = |own: &Weakest, other: &Weakest| {
            // Which cluster was first does not matter.
            (own.evidence, &other.instruction) < (other.evidence, &own.instruction)
        };
        if let Some(theirs) = &other.sums
            && self.sums.as_ref().is_none_or(|own| is_weaker(own, theirs))
        {
            self.sums = Some(theirs.clone());
        }
        let Some(other) = &other.banks else { return };
        match &mut self.banks {
            Some(own) => {
                for (key, count) in &other.counts {
                    own.counts.entry(*key).or_default().add(count);
                }
            }
            None => self.banks = Some(other.clone()),
        }
    }

    /// Counts a warp's access of `bytes` bytes at each lane's address. Addresses of shared memory
    /// are places in that of the cluster.
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
        let own = AccessCount { warps: 1, threads, bytes: threads * bytes, passes, ideal };
        count[pc as usize].add(&own);
        if let (Some(banks), Traffic::Shared) = (&mut self.banks, traffic) {
            banks.access(pc, addresses, active, bytes, own);
        }
    }

    /// Counts a bulk copy: its bytes in shared memory, of which rows of 128 bytes are one pass, and
    /// the sectors of its rows.
    pub(crate) fn bulk(&mut self, pc: u32, rows: &Rows, first: usize) {
        let bytes = rows.all() as u64;
        if let Some(banks) = self.banks.as_mut().filter(|_| bytes > 0) {
            let passes = bytes.div_ceil(128);
            let count = AccessCount { warps: 1, threads: 1, bytes, passes, ideal: passes };
            banks.bulk(pc, first as u64, count);
        }
        let add = |counts: &mut [AccessCount], bytes: u64, passes: u64, ideal: u64| {
            counts[pc as usize].add(&AccessCount { warps: 1, threads: 1, bytes, passes, ideal });
        };
        add(&mut self.shared, bytes, bytes.div_ceil(128), bytes.div_ceil(128));
        if rows.far == Far::Shared {
            return;
        }
        let moved = rows.list.iter().filter(|row| row.len > 0);
        let (mut last, unit) = (None, SECTOR as usize);
        let (bytes, sectors) = moved.fold((0, 0), |(bytes, sectors), row| {
            let (first, end) = (row.at / unit, (row.at + row.len).div_ceil(unit));
            // A mask of bytes divides 16 bytes into rows, which share a sector.
            let shares = rows.bytes < 16 && last.replace(end - 1) == Some(first);
            (bytes + row.len as u64, sectors + (end - first - usize::from(shares)) as u64)
        });
        add(&mut self.global, bytes, sectors, bytes.div_ceil(SECTOR));
    }

    pub(crate) fn stats(&self, kernel: &Kernel) -> Stats {
        let mut stats = Stats::default();
        for ((op, n), pc) in kernel.code.iter().zip(&self.threads).zip(0..) {
            stats.instructions += if kernel.uncounted.contains(&pc) { 0 } else { *n };
            match op {
                Op::Memory(op) if op.load().is_some() => stats.loads += n,
                Op::Memory(op) if op.store().is_some() => stats.stores += n,
                Op::CpAsync(op) => stats.async_copies += if op.copies() { *n } else { 0 },
                Op::Bulk(op) => stats.async_copies += if op.is_counted() { *n } else { 0 },
                _ => {}
            }
        }
        stats
    }

    /// Accesses by their passes, most first. An operation that became several instructions counts
    /// as one.
    pub(crate) fn sites(&self, kernel: &Kernel) -> Vec<SiteCount> {
        let of = |traffic, counts: &[AccessCount]| -> Vec<SiteCount> {
            let count = |(site, c): (&Site, &AccessCount)| SiteCount {
                op: site.op.to_string(),
                location: site.location.clone(),
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
            let i = *places.entry((s.op.clone(), s.location.clone(), s.traffic)).or_insert(sites.len());
            match sites.get_mut(i) {
                Some(site) => site.add(&s),
                None => sites.push(s),
            }
        }
        sites.sort_by_key(|s| std::cmp::Reverse(s.passes));
        sites
    }

    /// The accesses of each shared object, if banks were counted. An operation that became several
    /// instructions counts as one.
    pub(crate) fn buffers(&self, kernel: &Kernel) -> Vec<BufferCount> {
        let Some(Banks { objects, counts, .. }) = self.banks.as_deref() else { return Vec::new() };
        let mut buffers: BTreeMap<usize, BufferCount> = BTreeMap::new();
        for ((pc, object), own) in counts {
            let Some(site) = kernel.sites.get(*pc as usize) else { continue };
            let buffer = buffers.entry(*object).or_insert_with(|| {
                let known =
                    object.checked_sub(1).and_then(|n| Some((kernel.shared.get(n)?, objects.get(n)?)));
                match known {
                    Some((known, (start, end))) => {
                        let (name, location) = (known.name.clone(), known.location.clone());
                        BufferCount { name, location, bytes: end - start, accesses: Vec::new() }
                    }
                    None => BufferCount { name: "shared memory".into(), ..BufferCount::default() },
                }
            });
            let AccessCount { warps, threads, bytes, passes, ideal } = own.count;
            let (op, location) = (site.op.to_string(), site.location.clone());
            let count =
                SiteCount { op, location, traffic: Traffic::Shared, warps, threads, bytes, passes, ideal };
            let (words, conflicts) = (own.words.to_vec(), own.conflicts.to_vec());
            let (first, end) = own.bytes;
            let worst = own.worst.map(Box::new);
            let access = BankCount { count, words, conflicts, first, end, worst };
            let is_like = |other: &&mut BankCount| {
                (&other.count.op, &other.count.location) == (&access.count.op, &access.count.location)
            };
            match buffer.accesses.iter_mut().find(is_like) {
                Some(other) => other.add(&access),
                None => buffer.accesses.push(access),
            }
        }
        buffers.into_values().collect()
    }

    /// The elections that were executed.
    pub(crate) fn elections(&self, kernel: &Kernel) -> Vec<Elected> {
        let ran =
            kernel.code.iter().zip(&self.threads).zip(0..).filter(|((op, threads), _)| {
                **threads > 0 && matches!(op, Op::Collective(op) if op.elects())
            });
        ran.filter_map(|(_, site)| {
            let Site { op, location, .. } = kernel.sites.get(site as usize)?;
            Some(Elected { site, op: op.to_string(), location: location.clone() })
        })
        .collect()
    }

    /// Operations by their executions, most first.
    pub(crate) fn mix(&self, kernel: &Kernel) -> Vec<OpCount> {
        let mut by_name: HashMap<&str, u64> = HashMap::new();
        let executed = kernel.sites.iter().zip(&self.threads).zip(0..);
        for ((site, n), _) in executed.filter(|(_, pc)| !kernel.uncounted.contains(pc)) {
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
