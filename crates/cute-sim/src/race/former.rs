//! Operations that may not have ended when a launch begins: those of other streams, and of the same
//! one with programmatic dependent launch.
//!
//! Operations are executed one after the other. [`Order`] tells which of them a launch could meet
//! still running. Its shadow of global memory begins with their accesses, each as an access that a
//! thread is only ordered with if it has acquired what that launch released, or, for a launch that
//! `griddepcontrol.wait` waits for, if it knows of such a wait.

use super::{Cell, FormerKnown, GlobalShadow, Record, SyncTable};
use crate::finding::{AccessKind, Completion, Party, Queues};
use crate::order::{Enqueued, Order, Overlap, Stream, Ticket};
use cute_machine::place::SourcePlace;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of the accesses of earlier launches that are kept.
const MOST_BYTES: usize = 2 << 30;

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
}

/// Bytes of a buffer that an operation of the host uses.
#[derive(Debug)]
pub(crate) struct Touched {
    pub(crate) buffer: u32,
    pub(crate) bytes: Range<usize>,
    /// Whether it changes them.
    pub(crate) writes: bool,
    /// Whether nothing may use them afterwards.
    pub(crate) frees: bool,
}

impl Touched {
    fn kind(&self) -> AccessKind {
        if self.writes { AccessKind::Write } else { AccessKind::Read }
    }

    /// The bytes that are among these of a buffer.
    fn common(&self, buffer: u32, bytes: &Range<usize>) -> Option<Range<usize>> {
        let common = self.bytes.start.max(bytes.start)..self.bytes.end.min(bytes.end);
        (self.buffer == buffer && !common.is_empty()).then_some(common)
    }
}

/// An operation of the host, such as a copy, with the ranges of bytes that it uses.
#[derive(Debug)]
pub(crate) struct Operated {
    pub(crate) text: String,
    pub(crate) location: SourcePlace,
    pub(crate) touches: Vec<Touched>,
}

/// The accesses of an operation.
#[derive(Debug)]
enum Left {
    /// A launch, counted from 1.
    Launch(u32, Box<Executed>),
    Operation(Operated),
}

/// An operation that may not have ended.
#[derive(Debug)]
struct Former {
    stream: Arc<str>,
    left: Left,
}

/// The operations on a memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Launches {
    pub(crate) order: Order,
    count: u32,
    /// Those that a later one may run beside.
    kept: BTreeMap<Ticket, Arc<Former>>,
    /// Those that free memory.
    freed: Vec<(Ticket, Arc<Former>)>,
}

/// A launch that begins: its place in the order, and what it may run beside.
pub(crate) struct Begun {
    stream: Stream,
    ticket: Ticket,
    pub(crate) beside: Option<Beside>,
}

/// An earlier operation that one may run beside, or after which memory is no longer there.
#[derive(Debug, Clone)]
struct Earlier {
    former: Arc<Former>,
    /// Whether `griddepcontrol.wait` waits for it.
    covered: bool,
    /// Whether it has ended, but its writes need not be visible without such a wait.
    unseen: bool,
    is_over: bool,
}

/// Earlier operations that a launch may begin beside.
#[derive(Debug, Clone)]
pub(crate) struct Beside {
    /// The number and the kernel of the launch itself.
    number: u32,
    kernel: String,
    stream: Arc<str>,
    in_vain: Option<Arc<str>>,
    earlier: Vec<Earlier>,
}

impl Launches {
    /// The next launch begins, possibly before the last one of its stream has ended.
    pub(crate) fn begin(&mut self, kernel: &str, stream: Stream, early: bool) -> Begun {
        self.count = self.count.saturating_add(1);
        let Enqueued { ticket, beside } = self.order.launch(stream, early);
        let earlier = self.earlier(&beside);
        let beside = (!earlier.is_empty()).then(|| Beside {
            number: self.count,
            kernel: kernel.to_owned(),
            stream: self.order.name(stream).clone(),
            in_vain: self.order.waited_in_vain(stream).cloned(),
            earlier,
        });
        Begun { stream, ticket, beside }
    }

    /// The number of launches that have begun.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The launch has been executed; `executed` is there if a later operation may run beside it.
    pub(crate) fn end(&mut self, begun: &Begun, dependence: Dependence, executed: Option<Executed>) {
        let Dependence { waits, lets_begin } = dependence;
        self.order.launched(begun.stream, waits, lets_begin);
        if let Some(executed) = executed {
            let executed = Executed { shadow: executed.shadow.alone(), ..executed };
            let left = Left::Launch(self.count, Box::new(executed));
            self.keep(begun.ticket, begun.stream, left);
        }
    }

    /// An operation of the host has been executed, which a later one may run beside.
    pub(crate) fn operated(&mut self, ticket: Ticket, operated: Operated) {
        let frees = operated.touches.iter().any(|touch| touch.frees);
        self.keep(ticket, self.order.stream_of(ticket), Left::Operation(operated));
        if frees && let Some(former) = self.kept.get(&ticket) {
            self.freed.push((ticket, former.clone()));
        }
    }

    fn keep(&mut self, ticket: Ticket, stream: Stream, left: Left) {
        let stream = self.order.name(stream).clone();
        self.kept.insert(ticket, Arc::new(Former { stream, left }));
        // The oldest are left out, if they are too many.
        while self.kept.len() > 1
            && self.kept.values().map(|former| former.bytes()).sum::<usize>() > MOST_BYTES
        {
            self.kept.pop_first();
        }
    }

    /// No later operation runs beside this one.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.kept.remove(&ticket);
    }

    /// The operations that one may run beside, and those before it that freed memory.
    fn earlier(&self, beside: &[Overlap]) -> Vec<Earlier> {
        let kept = |one: &Overlap| {
            let (former, covered) = (self.kept.get(&one.ticket)?.clone(), one.covered);
            Some(Earlier { former, covered, unseen: one.ended, is_over: false })
        };
        let is_beside = |ticket: &Ticket| beside.iter().any(|one| one.ticket == *ticket);
        let freed = self.freed.iter().filter(|(ticket, _)| !is_beside(ticket));
        let over = |former: &Arc<Former>| Earlier {
            former: former.clone(),
            covered: false,
            unseen: false,
            is_over: true,
        };
        let freed = freed.map(|(_, former)| over(former));
        beside.iter().filter_map(kept).chain(freed).collect()
    }

    /// The first conflict of each earlier operation with one of the host that uses these bytes: the
    /// use, the byte, and the other side.
    pub(crate) fn conflicts(
        &self,
        beside: &[Overlap],
        stream: Option<Stream>,
        touches: &[Touched],
    ) -> Vec<(AccessKind, u32, usize, Party)> {
        let later = stream.map(|stream| self.order.name(stream).to_string());
        let in_vain = stream.and_then(|stream| self.order.waited_in_vain(stream));
        let conflict = |earlier: Earlier| {
            let queues = |own: &Arc<str>| Queues {
                earlier: own.to_string(),
                later: later.clone(),
                in_vain: in_vain.map(|place| place.to_string()),
            };
            touches.iter().find_map(|touch| {
                let (byte, party) = earlier.conflict(touch, &queues)?;
                Some((touch.kind(), touch.buffer, byte, party))
            })
        };
        self.earlier(beside).into_iter().filter_map(conflict).collect()
    }
}

impl Former {
    /// The approximate memory of its accesses.
    fn bytes(&self) -> usize {
        match &self.left {
            Left::Launch(_, executed) => executed.shadow.bytes(),
            Left::Operation(_) => 0,
        }
    }
}

impl Earlier {
    /// The threads of the launch that know it.
    fn known(&self) -> FormerKnown {
        match (self.covered, self.unseen) {
            (_, true) => FormerKnown::Ended,
            (true, false) => FormerKnown::Waiting,
            (false, false) => FormerKnown::Nobody,
        }
    }

    fn conflict(&self, touch: &Touched, queues: &impl Fn(&Arc<str>) -> Queues) -> Option<(usize, Party)> {
        let Former { stream, left } = &*self.former;
        match left {
            Left::Launch(launch, executed) => {
                let (byte, record) =
                    executed.shadow.conflict(touch.buffer, touch.bytes.clone(), touch.kind())?;
                let (launch, kernel) = (*launch, executed.kernel.clone());
                let completion = Completion::Unordered { launch, kernel, queues: queues(stream) };
                Some((byte, executed.party(&record, record.site, record.thread(), completion)?))
            }
            Left::Operation(operated) => {
                let (own, range) = operated.touches.iter().find_map(|own| {
                    let range = own.common(touch.buffer, &touch.bytes)?;
                    (own.kind().conflicts(touch.kind()) && (!self.is_over || own.frees))
                        .then_some((own, range))
                })?;
                let queues = (!self.is_over).then(|| queues(stream));
                Some((range.start, operated.party(own.kind(), queues)))
            }
        }
    }
}

impl Operated {
    /// The other side of a conflict with it; `queues` are the streams that nothing orders.
    fn party(&self, access: AccessKind, queues: Option<Queues>) -> Party {
        Party {
            access,
            op: self.text.clone(),
            location: self.location.clone(),
            block: [0; 3],
            thread: [0; 3],
            completion: Some(Box::new(Completion::Operation { queues })),
        }
    }
}

impl Beside {
    /// Adds the accesses of these operations to the cells of a page, which are these bytes of the
    /// buffer.
    pub(super) fn fill(&self, buffer: u32, page: usize, bytes: Range<usize>, cells: &mut [Cell]) {
        for (number, earlier) in (0..).zip(&self.earlier) {
            match &earlier.former.left {
                Left::Launch(_, executed) => executed.shadow.read_page(buffer, page, |theirs| {
                    let pairs = cells.iter_mut().zip(theirs);
                    pairs.for_each(|(own, cell)| own.inherit(cell, number, earlier.known()));
                }),
                Left::Operation(operated) => {
                    let touches = operated.touches.iter().filter(|one| !earlier.is_over || one.frees);
                    for (touch, range) in touches.filter_map(|one| Some((one, one.common(buffer, &bytes)?))) {
                        let words = range.start / 4..range.end.div_ceil(4);
                        for word in words {
                            let mask = super::window::byte_mask(word, range.start, range.len());
                            let record = Record::of_operation(number, touch.kind(), mask);
                            cells[word - bytes.start / 4].add_former(record);
                        }
                    }
                }
            }
        }
    }

    /// The table of the atomic operations of the launch. Of several values at a location, that of
    /// the last launch is there.
    pub(crate) fn sync(&self) -> SyncTable {
        SyncTable::after(self.earlier.iter().rev().flat_map(|earlier| match &earlier.former.left {
            Left::Launch(_, executed) => Some(executed.sync.left()).into_iter().flatten(),
            Left::Operation(_) => None.into_iter().flatten(),
        }))
    }

    /// The other side of a race with an earlier operation.
    pub(crate) fn party(&self, record: &Record) -> Option<Party> {
        let (number, site, thread) = record.former()?;
        let Earlier { former, covered, unseen, is_over } = self.earlier.get(number as usize)?;
        let Former { stream, left } = &**former;
        let queues = || Queues {
            earlier: stream.to_string(),
            later: Some(self.stream.to_string()),
            in_vain: self.in_vain.as_ref().map(|place| place.to_string()),
        };
        match left {
            Left::Launch(launch, executed) => {
                let (launch, kernel) = (*launch, executed.kernel.clone());
                let completion = match *stream == self.stream || *covered {
                    true => Completion::Launch {
                        launch,
                        kernel,
                        beside: self.number,
                        beside_kernel: self.kernel.clone(),
                        covered: *covered,
                        ended: *unseen,
                    },
                    false => Completion::Unordered { launch, kernel, queues: queues() },
                };
                executed.party(record, site, thread, completion)
            }
            Left::Operation(operated) => Some(operated.party(record.kind, (!is_over).then(queues))),
        }
    }
}

impl Executed {
    /// The access of a thread as the other side of a race.
    fn party(&self, record: &Record, site: u32, thread: u32, completion: Completion) -> Option<Party> {
        let (op, location) = self.sites.get(site as usize)?;
        Some(Party {
            access: record.kind,
            op: op.to_string(),
            location: location.clone(),
            block: self.position(record.made_by()),
            thread: position_in(self.block, thread),
            completion: Some(Box::new(completion)),
        })
    }

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
