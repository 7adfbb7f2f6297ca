//! A kernel and its launch, at one size or at all sizes of a residue.

use crate::{
    slots::followers,
    value::{Line, Val},
};
use cute_machine::int::signed;
use cute_machine::types::Scalar;
use cute_sim::program::{Kept, Kernel, Param};
use cute_sim::{Launch, Start};
use std::cell::OnceCell;

/// A sample of a launch: its size, and how its threads begin.
#[derive(Debug, Clone)]
pub(crate) struct At {
    pub n: i64,
    pub start: Start,
}

/// The sizes that a walk is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// The first sample alone.
    One,
    /// `period * q + residue`.
    All { period: i64, residue: i64 },
}

/// A launch, as all its warps share it.
pub struct World<'k> {
    pub kernel: &'k Kernel,
    pub launch: &'k Launch,
    pub samples: &'k [At],
    pub size: Size,
    pub lasting: &'k [bool],
    pub cluster: [u32; 3],
    /// Whether lanes that wait at one instruction go on together, which PTX does not promise.
    pub together: bool,
    joins: OnceCell<Vec<Option<u32>>>,
    widths: Vec<u32>,
}

impl<'k> World<'k> {
    pub fn new(
        kernel: &'k Kernel,
        launch: &'k Launch,
        samples: &'k [At],
        size: Size,
        lasting: &'k [bool],
    ) -> Self {
        let cluster = launch.cluster.or(kernel.required_cluster).unwrap_or([1; 3]);
        let mut widths = vec![64; kernel.registers.len()];
        for param in &kernel.params {
            match param {
                Param::Scalar { scalar: Scalar::Int(width), slot } => widths[*slot as usize] = *width,
                Param::Value { scalars, kept: Kept::Registers(first), .. } => {
                    for (scalar, leaf) in scalars {
                        widths[(first + leaf.slot) as usize] = scalar.bits();
                    }
                }
                _ => {}
            }
        }
        let together = false;
        World { kernel, launch, samples, size, lasting, cluster, together, joins: OnceCell::new(), widths }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.launch.block.iter().product()
    }

    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(32)
    }

    /// Blocks of a cluster.
    pub fn ranks(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// A value that has these bits in the samples.
    fn of_samples(&self, bits: impl Fn(&Start) -> u64, width: u32) -> Val {
        let all: Vec<(i64, u64)> = self.samples.iter().map(|at| (at.n, bits(&at.start))).collect();
        let Some(((n, first), rest)) = all.split_first() else { return Val::Unknown };
        let Size::All { period, residue } = self.size else { return Val::Known(*first) };
        if rest.iter().all(|(_, other)| other == first) {
            return Val::Known(*first);
        }
        let value = |bits: u64| i128::from(signed(bits, width));
        let Some((other, second)) = rest.first() else { return Val::Unknown };
        let (rise, run) = (value(*second) - value(*first), i128::from(other - n));
        let slope = rise / run.max(1);
        let at = |n: i64| value(*first) + slope * i128::from(n - all[0].0);
        if !all.iter().all(|(n, bits)| at(*n) == value(*bits)) {
            return Val::Unknown;
        }
        let (c, q) = (at(residue), slope * i128::from(period));
        match (i64::try_from(c), i64::try_from(q)) {
            (Ok(c), Ok(q)) => Val::Line(Line { c, q, t: 0, width }),
            _ => Val::Unknown,
        }
    }

    /// The registers of a thread at entry.
    pub fn registers(&self) -> Vec<Val> {
        (0..self.kernel.registers.len())
            .map(|i| self.of_samples(|start| start.registers[i], self.widths[i]))
            .collect()
    }

    /// Bytes of constant memory, such as a parameter.
    pub fn constant(&self, allocation: u32, at: i64, bytes: u32) -> Val {
        let Ok(at) = usize::try_from(at) else { return Val::Unknown };
        let read = |start: &Start| {
            let all = start.constants.get(allocation as usize)?.get(at..at + bytes as usize)?;
            Some(all.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
        };
        if self.samples.iter().any(|sample| read(&sample.start).is_none()) {
            return Val::Unknown;
        }
        self.of_samples(|start| read(start).unwrap_or_default(), 8 * bytes)
    }

    /// The words of a tensor map in constant memory; those that depend on the size are of the
    /// first sample.
    pub fn words(&self, allocation: u32, at: i64) -> impl Iterator<Item = [u64; 16]> + '_ {
        self.samples.iter().filter_map(move |sample| {
            let bytes = sample.start.constants.get(allocation as usize)?;
            let bytes = bytes.get(usize::try_from(at).ok()?..)?.get(..128)?;
            let mut words = [0; 16];
            for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
                *word = u64::from_le_bytes(bytes.try_into().ok()?);
            }
            Some(words)
        })
    }

    /// The instruction where all paths from a branch meet again, if there is one before the end.
    pub fn join(&self, pc: u32) -> Option<u32> {
        self.joins.get_or_init(|| joins(self.kernel))[pc as usize]
    }
}

/// The immediate postdominator of each instruction (Cooper, Harvey, Kennedy: "A Simple, Fast
/// Dominance Algorithm", on the reversed graph).
fn joins(kernel: &Kernel) -> Vec<Option<u32>> {
    let count = kernel.code.len();
    let end = count;
    let next: Vec<Vec<usize>> = (0..count)
        .map(|pc| {
            followers(kernel, pc).into_iter().map(|to| to.filter(|to| *to < count).unwrap_or(end)).collect()
        })
        .collect();
    let mut before = vec![Vec::new(); count + 1];
    for (pc, to) in next.iter().enumerate() {
        to.iter().for_each(|to| before[*to].push(pc));
    }
    // The order of a depth-first search from the end, last first.
    let (mut order, mut state) = (Vec::new(), vec![0u8; count + 1]);
    let mut stack = vec![(end, 0)];
    state[end] = 1;
    while let Some((at, child)) = stack.pop() {
        match before[at].get(child) {
            Some(to) => {
                stack.push((at, child + 1));
                if state[*to] == 0 {
                    state[*to] = 1;
                    stack.push((*to, 0));
                }
            }
            None => order.push(at),
        }
    }
    let mut rank = vec![usize::MAX; count + 1];
    order.iter().enumerate().for_each(|(i, at)| rank[*at] = i);
    let mut join = vec![None; count + 1];
    join[end] = Some(end);
    loop {
        let mut changed = false;
        for at in order.iter().rev().filter(|at| **at != end) {
            let mut new: Option<usize> = None;
            for to in next[*at].iter().filter(|to| rank[**to] != usize::MAX) {
                if join[*to].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => *to,
                    Some(other) => {
                        let (mut a, mut b) = (*to, other);
                        while a != b {
                            while rank[a] < rank[b] {
                                a = join[a].unwrap_or(end);
                            }
                            while rank[b] < rank[a] {
                                b = join[b].unwrap_or(end);
                            }
                        }
                        a
                    }
                });
            }
            if join[*at] != new {
                join[*at] = new;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    join[..count].iter().map(|to| to.filter(|to| *to != end).map(|to| to as u32)).collect()
}
