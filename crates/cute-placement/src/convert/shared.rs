//! The round trip through shared memory: the places to which threads store, and from which they
//! load.

use std::{collections::HashSet, fmt};

use cute_algebra::{Swizzle, gcd};

use super::{error::ConvertError, owners::Owners, table::Table};
use cute_arch::banks::{Traffic, part};

/// The cost of a barrier of a block in passes, about the latency of a store and a load.
const BARRIER: u64 = 16;

/// Elements are stored to shared memory and loaded from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundTrip {
    size: usize,
    swizzle: Swizzle,
    put: Vec<Option<Put>>,
    take: Vec<Option<Table>>,
    passes: u64,
}

/// The stores of one register of all threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// The place, by thread, in elements.
    pub at: Table,
    /// 1 for the threads that store, 0 for those whose element another thread stores. `None` if all
    /// store.
    pub only: Option<Table>,
}

impl RoundTrip {
    /// Element `i` is stored at place `i / g` under a swizzle that avoids conflicts, where `g` is
    /// the common divisor of all.
    pub(super) fn new(from: &Owners, to: &Owners, bits: i64) -> Result<Self, ConvertError> {
        let all = || to.slots().map(|(element, ..)| element);
        let common = all().map(|element| element as i64).fold(0, gcd).max(1) as usize;
        let size = all().max().map_or(0, |last| last / common + 1);
        let wanted: HashSet<usize> = all().collect();
        let mut put_already = HashSet::new();
        // By register, then thread: the place, and whether the thread stores the element there.
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
        // A thread without an element also has a place.
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

    /// The stores, by source register.
    pub fn put(&self) -> &[Option<Put>] {
        &self.put
    }

    /// The loads, by result register: the places. `None` if the register is not needed.
    pub fn take(&self) -> &[Option<Table>] {
        &self.take
    }

    pub(super) fn cost(&self) -> u64 {
        self.passes + 2 * BARRIER
    }
}

/// One register of all threads per instruction.
fn traffic(registers: &[Vec<Option<usize>>], bits: i64) -> Traffic {
    let threads = registers.first().map_or(0, Vec::len);
    let offsets = registers.iter().flat_map(|own| {
        // Threads without an element cause no traffic: they use the place of another thread.
        let any = own.iter().flatten().next().copied().unwrap_or(0);
        own.iter().map(move |at| at.unwrap_or(any) as i64)
    });
    Traffic::of_elements(threads, offsets.collect(), bits)
}

impl fmt::Display for RoundTrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, swizzle, passes, .. } = self;
        write!(f, "a round trip through {size} elements of shared memory under {swizzle}, {passes} passes")
    }
}
