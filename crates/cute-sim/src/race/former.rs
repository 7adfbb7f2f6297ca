//! Launches that may not have ended when the next one begins (programmatic dependent launch).
//!
//! Launches are executed one after the other. A launch that begins early could meet others still
//! running: the one before it, and those that the one before it did not wait for. Its shadow of
//! global memory begins with their accesses, each as an access that a thread is only ordered with
//! if it knows of a `griddepcontrol.wait`. That instruction waits for the launch directly before,
//! and so for all launches that had ended when that one ended; another launch stays unordered.

use super::{Cell, GlobalShadow, Record, SyncTable};
use crate::finding::{Completion, Party};
use cute_machine::place::SourcePlace;
use std::sync::Arc;

/// The number of launches that one is compared with. Of a longer chain, the oldest are left out.
const MOST: usize = 4;

/// The `griddepcontrol` instructions of a block, or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dependence {
    /// A thread has waited for the launches before this one.
    pub(crate) waits: bool,
    /// A thread has let dependent launches begin, and did not know of such a wait.
    pub(crate) lets_begin: bool,
}

impl Dependence {
    /// Whether dependent launches begin only after a thread of this block has waited. Without an
    /// instruction, they begin when the block has ended.
    fn waits_first(self) -> bool {
        self.waits && !self.lets_begin
    }

    /// That of a grid: `waits` if any block waits, and `lets_begin` unless some block waits first,
    /// because dependents begin when all blocks have let them.
    pub(crate) fn of_blocks(blocks: &[Dependence]) -> Self {
        Dependence {
            waits: blocks.iter().any(|block| block.waits),
            lets_begin: !blocks.iter().any(|block| block.waits_first()),
        }
    }

    /// The two parts of a grid together.
    pub(crate) fn join(self, other: Self) -> Self {
        let lets_begin = self.lets_begin && other.lets_begin;
        Dependence { waits: self.waits || other.waits, lets_begin }
    }
}

/// A launch that has been executed, with the shadow that it leaves.
#[derive(Debug)]
pub(crate) struct Executed {
    pub(crate) kernel: String,
    /// Name and place of each instruction.
    pub(crate) sites: Vec<(Arc<str>, SourcePlace)>,
    pub(crate) grid: [u32; 3],
    pub(crate) cluster: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shadow: GlobalShadow,
    pub(crate) sync: SyncTable,
    pub(crate) dependence: Dependence,
}

/// A launch that may not have ended.
#[derive(Debug)]
struct Former {
    /// Counted from 1.
    number: u32,
    executed: Executed,
    /// Launches before it that may not have ended when a dependent of it begins, and when it has
    /// ended.
    beside_dependents: Vec<Arc<Former>>,
    left_open: Vec<Arc<Former>>,
}

/// The launches of a memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Launches {
    count: u32,
    last: Option<Arc<Former>>,
}

/// Earlier launches that one may begin beside, and whether its `griddepcontrol.wait` waits for
/// them.
#[derive(Debug, Clone)]
pub(crate) struct Beside {
    /// The number and the kernel of the launch itself.
    number: u32,
    kernel: String,
    launches: Vec<(Arc<Former>, bool)>,
}

impl Launches {
    /// The next launch begins, possibly before the last one has ended.
    pub(crate) fn begin(&mut self, kernel: &str, early: bool) -> Option<Beside> {
        self.count = self.count.saturating_add(1);
        let last = self.last.take().filter(|_| early)?;
        let before = last.beside_dependents.iter().map(|one| {
            let is_open = last.left_open.iter().any(|open| open.number == one.number);
            (one.clone(), !is_open)
        });
        let launches = std::iter::once((last.clone(), true)).chain(before).take(MOST).collect();
        Some(Beside { number: self.count, kernel: kernel.to_owned(), launches })
    }

    /// The number of launches that have begun.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The launch has been executed, and the next one may begin before it has ended.
    pub(crate) fn keep(&mut self, executed: Executed, beside: Option<Beside>) {
        let Dependence { waits, lets_begin } = executed.dependence;
        let others = |is_over: bool| -> Vec<Arc<Former>> {
            let launches = beside.iter().flat_map(|beside| &beside.launches);
            let open = launches.filter(|(_, covered)| !(is_over && *covered));
            open.map(|(one, _)| one.clone()).collect()
        };
        self.last = Some(Arc::new(Former {
            number: self.count,
            executed: Executed { shadow: executed.shadow.alone(), ..executed },
            beside_dependents: others(waits && !lets_begin),
            left_open: others(waits),
        }));
    }
}

impl Beside {
    /// Adds the accesses of these launches to the cells of a page.
    pub(super) fn fill(&self, buffer: u32, page: usize, cells: &mut [Cell]) {
        for (number, (former, covered)) in (0..).zip(&self.launches) {
            former.executed.shadow.read_page(buffer, page, |theirs| {
                cells.iter_mut().zip(theirs).for_each(|(own, cell)| own.inherit(cell, number, *covered));
            });
        }
    }

    /// The table of the atomic operations of the launch.
    pub(crate) fn sync(&self) -> SyncTable {
        SyncTable::after(self.launches.iter().flat_map(|(former, _)| former.executed.sync.left()))
    }

    /// The other side of a race with an earlier launch.
    pub(crate) fn party(&self, record: &Record) -> Option<Party> {
        let (number, site, block, thread, covered) = record.former()?;
        let (former, _) = self.launches.get(number as usize)?;
        let executed = &former.executed;
        let (op, location) = executed.sites.get(site as usize)?;
        let completion = Completion::Launch {
            launch: former.number,
            kernel: executed.kernel.clone(),
            beside: self.number,
            beside_kernel: self.kernel.clone(),
            covered,
        };
        Some(Party {
            access: record.kind,
            op: op.to_string(),
            location: location.clone(),
            block: executed.position(block),
            thread: position_in(executed.block, thread),
            completion: Some(Box::new(completion)),
        })
    }
}

impl Executed {
    /// The position of a block in the grid.
    fn position(&self, block: u32) -> [u32; 3] {
        let clusters: [u32; 3] = std::array::from_fn(|axis| self.grid[axis] / self.cluster[axis].max(1));
        let blocks = self.cluster.iter().product::<u32>().max(1);
        let (cluster, within) =
            (position_in(clusters, block / blocks), position_in(self.cluster, block % blocks));
        std::array::from_fn(|axis| cluster[axis] * self.cluster[axis] + within[axis])
    }
}

/// Element `number` of a box, x fastest.
fn position_in([x, y, _]: [u32; 3], number: u32) -> [u32; 3] {
    let (x, y) = (x.max(1), y.max(1));
    [number % x, number / x % y, number / x / y]
}
