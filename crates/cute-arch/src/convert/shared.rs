//! The round trip through shared memory: who puts what where, and takes it from where.

use std::{collections::HashSet, fmt};

use cute_algebra::{Swizzle, gcd};

use super::{error::ConvertError, owners::Owners, table::Table};
use crate::banks::{Traffic, part};

/// What a barrier of a block costs beside passes, about the latency of a store and a load.
const BARRIER: u64 = 16;

/// Elements go to shared memory and come back from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundTrip {
    size: usize,
    swizzle: Swizzle,
    put: Vec<Option<Put>>,
    take: Vec<Option<Table>>,
    passes: u64,
}

/// What threads do with one of their registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// Where it goes, by thread, in elements.
    pub at: Table,
    /// 1 for the threads that put theirs, 0 for those whose element another one puts. None: all do.
    pub only: Option<Table>,
}

impl RoundTrip {
    /// Element `i` goes to place `i / g` behind a swizzle that keeps accesses apart, `g` the common divisor of all.
    pub(super) fn new(from: &Owners, to: &Owners, bits: i64) -> Result<Self, ConvertError> {
        let all = || to.slots().map(|(element, ..)| element);
        let common = all().map(|element| element as i64).fold(0, gcd).max(1) as usize;
        let size = all().max().map_or(0, |last| last / common + 1);
        let wanted: HashSet<usize> = all().collect();
        let mut put_already = HashSet::new();
        // By register, then thread: the place, and whether the thread puts the element there.
        let mut put = vec![vec![None; from.threads()]; from.registers()];
        for (element, thread, register) in from.slots().filter(|(element, ..)| wanted.contains(element)) {
            put[register][thread] = Some((element / common, put_already.insert(element)));
        }
        let mut take = vec![vec![None; to.threads()]; to.registers()];
        for (element, thread, register) in to.slots() {
            take[register][thread] = Some(element / common);
        }
        let puts: Vec<Vec<_>> =
            put.iter().map(|threads| threads.iter().map(|t| t.map(|(at, _)| at)).collect()).collect();
        let traffic = [traffic(&puts, bits), traffic(&take, bits)];
        let swizzle = part(&traffic, size as i64, bits);
        let passes = traffic.iter().map(|t| t.swizzled(swizzle).passes).sum();
        let table = |threads: &[Option<usize>]| {
            let place = |at: usize| swizzle.apply(&(at as i64)).map_or(at, |at| at as usize);
            let swizzled: Vec<_> = threads.iter().map(|at| at.map(place)).collect();
            if swizzled.iter().all(Option::is_none) {
                return Ok(None);
            }
            let what = "where elements lie in shared memory";
            Table::new(&swizzled).map(Some).ok_or(ConvertError::NotBits { what })
        };
        let put = put.iter().zip(&puts).map(|(own, places)| {
            let Some(at) = table(places)? else { return Ok(None) };
            let does: Vec<_> =
                own.iter().map(|slot| Some(usize::from(slot.is_some_and(|(_, first)| first)))).collect();
            if does.iter().all(|does| *does == Some(1)) {
                return Ok(Some(Put { at, only: None }));
            }
            let what = "which threads put an element";
            let only = Table::new(&does).ok_or(ConvertError::NotBits { what })?;
            Ok(Some(Put { at, only: Some(only) }))
        });
        let put: Vec<Option<Put>> = put.collect::<Result<_, ConvertError>>()?;
        let take: Vec<Option<Table>> =
            take.iter().map(|threads| table(threads)).collect::<Result<_, ConvertError>>()?;
        // A thread without an element goes somewhere, too.
        let reach =
            |threads: usize, table: &Table| (0..threads).map(|t| table.at(t as u32) as usize + 1).max();
        let puts = put.iter().flatten().filter_map(|put| reach(from.threads(), &put.at));
        let size = puts
            .chain(take.iter().flatten().filter_map(|at| reach(to.threads(), at)))
            .max()
            .unwrap_or(0)
            .max(size);
        Ok(Self { size, swizzle, put, take, passes })
    }

    /// Elements of shared memory.
    pub fn size(&self) -> usize {
        self.size
    }

    /// By register before: what its threads put.
    pub fn put(&self) -> &[Option<Put>] {
        &self.put
    }

    /// By register after: where its threads take it from. None: nobody takes any.
    pub fn take(&self) -> &[Option<Table>] {
        &self.take
    }

    pub(super) fn cost(&self) -> u64 {
        self.passes + 2 * BARRIER
    }
}

/// One register of all threads an instruction.
fn traffic(registers: &[Vec<Option<usize>>], bits: i64) -> Traffic {
    let threads = registers.first().map_or(0, Vec::len);
    let offsets = registers.iter().flat_map(|own| {
        // Threads without an element are no traffic: they go where another goes.
        let any = own.iter().flatten().next().copied().unwrap_or(0);
        own.iter().map(move |at| at.unwrap_or(any) as i64)
    });
    Traffic::of_elements(threads, offsets.collect(), bits)
}

impl fmt::Display for RoundTrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, swizzle, passes, .. } = self;
        write!(f, "a round trip through {size} elements of shared memory behind {swizzle}, {passes} passes")
    }
}
