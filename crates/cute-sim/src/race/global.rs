//! Shadows of global memory, which blocks on several host threads access concurrently.

use super::window::byte_mask;
use super::{Acting, Beside, Cell, Clocks, Race, Record, Who, Window};
use crate::finding::AccessKind;
use crate::heap::Heap;
use crate::lanes::Lanes;
use std::array;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Words of a page; only accessed pages are allocated.
const PAGE: usize = 256;

const PAGE_BYTES: usize = 4 * PAGE;

/// Pages whose places in the table are allocated together.
const GROUP: usize = 64;

type Page = Mutex<Box<[Cell]>>;
type Group = Box<[OnceLock<Page>; GROUP]>;

/// The cells of all buffers.
#[derive(Debug)]
pub(crate) struct GlobalShadow {
    buffers: Vec<Box<[OnceLock<Group>]>>,
    /// The launches whose accesses a page begins with, if this launch may begin before their end.
    beside: Option<Beside>,
    /// The heap of the device, whose bytes nothing may use outside of allocations.
    heap: Option<Arc<Heap>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GlobalShadow {
    /// For buffers of these lengths in bytes.
    pub(crate) fn new(
        lengths: impl Iterator<Item = usize>,
        beside: Option<Beside>,
        heap: Option<Arc<Heap>>,
    ) -> Self {
        let groups = |len: usize| (0..len.div_ceil(GROUP * PAGE_BYTES)).map(|_| OnceLock::new()).collect();
        GlobalShadow { buffers: lengths.map(groups).collect(), beside, heap }
    }

    /// The approximate memory of the pages.
    pub(super) fn bytes(&self) -> usize {
        let groups = self.buffers.iter().flatten().filter_map(OnceLock::get);
        let pages = groups.flat_map(|pages| pages.iter()).filter(|page| page.get().is_some());
        pages.count() * PAGE * size_of::<Cell>()
    }

    /// The shadow without that of the launches before it.
    pub(super) fn alone(self) -> Self {
        GlobalShadow { beside: None, ..self }
    }

    /// The cells of a page in which nothing was accessed.
    fn fresh(&self, buffer: u32, page: usize) -> Box<[Cell]> {
        let mut cells = vec![Cell::default(); PAGE];
        if let Some(beside) = &self.beside {
            beside.fill(buffer, page, page * PAGE_BYTES..(page + 1) * PAGE_BYTES, &mut cells);
        }
        if let Some(heap) = self.heap.as_ref().filter(|heap| heap.buffer == buffer) {
            let mut window = Window { cells: &mut cells, first: page * PAGE };
            let bytes = page * PAGE_BYTES..(page + 1) * PAGE_BYTES;
            window.forbid(bytes.clone());
            let live = heap.live(bytes.start as u64..bytes.end as u64).into_iter();
            live.for_each(|live| window.permit(live.start as usize..live.end as usize));
        }
        cells.into()
    }

    /// Reads the cells of a page, if something in it was accessed.
    pub(super) fn read_page(&self, buffer: u32, page: usize, read: impl FnOnce(&[Cell])) {
        let group = self.buffers.get(buffer as usize).and_then(|groups| groups.get(page / GROUP)?.get());
        let cells = group.and_then(|pages| pages[page % GROUP].get());
        if let Some(cells) = cells {
            read(&lock(cells));
        }
    }

    /// The first of these bytes that was accessed so that an access of this kind must be ordered
    /// with it, and that access.
    pub(super) fn conflict(
        &self,
        buffer: u32,
        bytes: Range<usize>,
        kind: AccessKind,
    ) -> Option<(usize, Record)> {
        let mut found = None;
        for page in bytes.start / PAGE_BYTES..bytes.end.div_ceil(PAGE_BYTES) {
            self.read_page(buffer, page, |cells| {
                for (word, cell) in (page * PAGE..).zip(cells) {
                    let from = bytes.start.max(4 * word);
                    let some = bytes.end.min(4 * word + 4).saturating_sub(from);
                    if some > 0
                        && let Some(record) = cell.conflict(kind, byte_mask(word, from, some))
                    {
                        found = Some((from, *record));
                        return;
                    }
                }
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The pages of some bytes.
    pub(super) fn pages_of(&self, at: usize, bytes: usize) -> std::ops::Range<usize> {
        at / PAGE_BYTES..(at + bytes).div_ceil(PAGE_BYTES)
    }

    /// Records an access of `bytes` bytes at `at`. Returns the first byte, from there on, at which
    /// it races, and the other access.
    pub(crate) fn access(
        &self,
        buffer: u32,
        at: usize,
        bytes: usize,
        who: &Who,
        lanes: u32,
        clocks: &Clocks,
    ) -> Option<(usize, Race)> {
        let races = self.pages_of(at, bytes).filter_map(|page| {
            self.on_page(buffer, page, |window| window.access(at, bytes, who, lanes, clocks)).flatten()
        });
        races.fold(None, |first, race| first.or(Some(race)))
    }

    /// Like [`access`](Self::access), by the async proxy.
    pub(crate) fn transfer(
        &self,
        buffer: u32,
        at: usize,
        bytes: usize,
        acting: &Acting<'_>,
        clocks: &Clocks,
    ) -> Option<(usize, Race)> {
        let races = self.pages_of(at, bytes).filter_map(|page| {
            self.on_page(buffer, page, |window| window.transfer(at, bytes, acting, clocks)).flatten()
        });
        races.fold(None, |first, race| first.or(Some(race)))
    }

    /// These bytes of the heap are an allocation from now on.
    pub(crate) fn allocated(&self, buffer: u32, bytes: Range<usize>) {
        self.on_pages(buffer, bytes, |window, bytes| window.permit(bytes));
    }

    /// Nothing may use these bytes of the heap from now on.
    pub(crate) fn freed(&self, buffer: u32, bytes: Range<usize>) {
        self.on_pages(buffer, bytes, |window, bytes| window.forbid(bytes));
    }

    fn on_pages(&self, buffer: u32, bytes: Range<usize>, f: impl Fn(&mut Window<'_>, Range<usize>)) {
        for page in bytes.start / PAGE_BYTES..bytes.end.div_ceil(PAGE_BYTES) {
            let (first, end) = (page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
            let own = bytes.start.max(first)..bytes.end.min(end);
            self.on_page(buffer, page, |window| f(window, own));
        }
    }

    /// The writes of some bytes by threads, each once.
    pub(crate) fn written(&self, buffer: u32, at: usize, bytes: usize) -> Vec<Record> {
        let mut all: Vec<Record> = Vec::new();
        for page in at / PAGE_BYTES..(at + bytes).div_ceil(PAGE_BYTES) {
            self.on_page(buffer, page, |window| {
                for record in window.written(at, bytes) {
                    let bytes = record.bytes;
                    if !all.iter().any(|known| Record { bytes, ..*known } == *record) {
                        all.push(*record);
                    }
                }
            });
        }
        all
    }

    /// Like [`Window::quiet`].
    pub(crate) fn quiet(
        &self,
        buffer: u32,
        starts: &Lanes,
        bytes: usize,
        who: &Who,
        lanes: u32,
        clocks: &Clocks,
    ) -> u32 {
        let mut lanes = lanes;
        while let Some(start) = starts.get(lanes.trailing_zeros() as usize) {
            let page = *start as usize / PAGE_BYTES;
            let quiet = |window: &mut Window<'_>| window.quiet(starts, bytes, who, lanes, clocks);
            match self.on_page(buffer, page, quiet) {
                Some(left) if left != lanes => lanes = left,
                _ => break,
            }
        }
        lanes
    }

    pub(super) fn on_page<T>(
        &self,
        buffer: u32,
        page: usize,
        f: impl FnOnce(&mut Window<'_>) -> T,
    ) -> Option<T> {
        let group = self.buffers.get(buffer as usize)?.get(page / GROUP)?;
        let pages = group.get_or_init(|| Box::new(array::from_fn(|_| OnceLock::new())));
        let cells = pages[page % GROUP].get_or_init(|| Mutex::new(self.fresh(buffer, page)));
        Some(f(&mut Window { cells: &mut lock(cells), first: page * PAGE }))
    }
}
