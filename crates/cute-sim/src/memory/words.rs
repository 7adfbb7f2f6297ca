//! Bytes that blocks on several host threads read and write concurrently.
//!
//! They are stored in 32-bit atomic words, accessed relaxed: a race of the kernel is a wrong value
//! here, and a finding, but never undefined behaviour of the simulator. The words are in pages,
//! each made from the initial contents when it is first read or written.

use super::address::is_of_host;
use super::contents::{Contents, Zeros};
use super::coverage::Coverage;
use super::room::Room;
use std::array;
use std::iter;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Words of a page. The table of a buffer's pages takes a thousandth of the buffer.
const PAGE: usize = 4096;

const PAGE_BYTES: usize = 4 * PAGE;

#[derive(Debug)]
struct Page {
    words: Box<[AtomicU32; PAGE]>,
    written: Coverage,
}

#[derive(Debug)]
pub(crate) struct Words {
    pages: Box<[OnceLock<Page>]>,
    before: Arc<dyn Contents>,
    /// The words whose pages these begin with.
    base: Option<Arc<Words>>,
    len: usize,
    written: AtomicBool,
    /// Whether the bytes have no values before something writes them.
    pub(super) is_undefined: bool,
    /// Whether they have an address of the host.
    pub(super) is_shared: bool,
    room: Arc<Room>,
    /// Held while a page is made.
    making: Mutex<()>,
    /// Stands for the pages for which there is no room. A run that needs it has no result.
    beyond: OnceLock<Page>,
}

impl Clone for Page {
    fn clone(&self) -> Self {
        let words = self.words.iter().map(|word| word.load(Relaxed));
        Page { written: self.written.clone(), ..page_of(words) }
    }
}

impl Page {
    fn is_same(&self, other: &Page) -> bool {
        self.words.iter().zip(other.words.iter()).all(|(a, b)| a.load(Relaxed) == b.load(Relaxed))
    }
}

/// A page with these words, and zeros after them.
fn page_of(words: impl Iterator<Item = u32>) -> Page {
    let words = words.chain(iter::repeat(0)).take(PAGE).map(AtomicU32::new);
    let words: Box<[AtomicU32]> = words.collect();
    Page { words: words.try_into().expect("the words fill a page"), written: Coverage::default() }
}

impl Words {
    pub(crate) fn zeroed(len: usize, room: Arc<Room>) -> Self {
        Self::of(Arc::new(Zeros(len)), room).expect("there is memory for the table of the pages")
    }

    /// These bytes; `None` if the system refuses the memory for the table of the pages.
    pub(crate) fn of(before: Arc<dyn Contents>, room: Arc<Room>) -> Option<Self> {
        let len = before.size();
        let count = len.div_ceil(PAGE_BYTES);
        let mut pages = Vec::new();
        pages.try_reserve_exact(count).ok()?;
        pages.resize_with(count, OnceLock::new);
        let (written, making, beyond) = (AtomicBool::default(), Mutex::default(), OnceLock::new());
        let (is_undefined, is_shared) = (false, false);
        Some(Words {
            pages: pages.into(),
            before,
            base: None,
            len,
            written,
            is_undefined,
            is_shared,
            room,
            making,
            beyond,
        })
    }

    /// Words that begin as these, whose pages are copied when something touches them. New pages
    /// take room of another memory.
    pub(super) fn over(base: Arc<Words>, room: Arc<Room>) -> Option<Self> {
        let words = Words::of(base.before.clone(), room)?;
        let (is_undefined, is_shared) = (base.is_undefined, base.is_shared);
        let written = AtomicBool::new(base.is_written());
        Some(Words { is_undefined, is_shared, written, base: Some(base), ..words })
    }

    /// Takes the pages of the words below that were not touched, if nothing else begins with them.
    pub(super) fn settle(mut self) -> Self {
        let Some(base) = self.base.take().map(Arc::try_unwrap) else { return self };
        match base {
            Ok(base) => {
                let both = self.pages.iter_mut().zip(base.pages);
                both.filter(|(own, _)| own.get().is_none()).for_each(|(own, below)| *own = below);
                Words { base: base.base, ..self }.settle()
            }
            Err(base) => Words { base: Some(base), ..self },
        }
    }

    /// A page, if something has touched it, here or before these words began.
    fn known(&self, number: usize) -> Option<&Page> {
        let own = self.pages.get(number)?.get();
        own.or_else(|| self.base.as_ref().and_then(|base| base.known(number)))
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Other bytes, at the same address.
    pub(super) fn replace(&mut self, other: Words) {
        let (is_undefined, is_shared) = (self.is_undefined, self.is_shared);
        *self = Words { is_undefined, is_shared, ..other };
    }

    pub(crate) fn is_written(&self) -> bool {
        self.written.load(Relaxed)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        self.look(0, &mut bytes);
        bytes
    }

    /// Like [`read_slice`](Self::read_slice), for bytes inside, without making pages.
    pub(crate) fn look(&self, at: usize, to: &mut [u8]) {
        let mut at = at;
        let mut rest = to;
        while !rest.is_empty() {
            let within = at % PAGE_BYTES;
            let (part, others) = rest.split_at_mut((PAGE_BYTES - within).min(rest.len()));
            match self.known(at / PAGE_BYTES) {
                Some(page) => read_page(&page.words, within, part),
                None => self.before.read(at, part),
            }
            at += part.len();
            rest = others;
        }
    }

    /// The bytes at which these words and others with the same initial contents may differ: the
    /// pages whose bytes are not the same.
    pub(crate) fn differing(&self, other: &Words) -> Vec<Range<usize>> {
        let differ = |number: usize| {
            let range = number * PAGE_BYTES..((number + 1) * PAGE_BYTES).min(self.len);
            let differs = match (self.known(number), other.known(number)) {
                (None, None) => false,
                (Some(own), Some(theirs)) => !ptr::eq(own, theirs) && !own.is_same(theirs),
                (Some(one), None) | (None, Some(one)) => {
                    let mut bytes = [vec![0; range.len()], vec![0; range.len()]];
                    read_page(&one.words, 0, &mut bytes[0]);
                    self.before.read(range.start, &mut bytes[1]);
                    bytes[0] != bytes[1]
                }
            };
            differs.then_some(range)
        };
        (0..self.pages.len()).filter_map(differ).collect()
    }

    /// A page, made if nothing has touched it yet.
    #[inline]
    fn page(&self, number: usize) -> Option<&Page> {
        let page = self.pages.get(number)?;
        Some(match page.get() {
            Some(page) => page,
            None => self.touch(page, number),
        })
    }

    #[cold]
    fn touch<'p>(&'p self, page: &'p OnceLock<Page>, number: usize) -> &'p Page {
        let at = number * PAGE_BYTES;
        let len = (self.len - at).min(PAGE_BYTES);
        // Several threads may need the page at the same time, and it takes room once.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(below) = self.base.as_ref().and_then(|base| base.known(number)) {
            return page.get_or_init(|| below.clone());
        }
        if page.get().is_none() && !self.room.take(len as u64) {
            return self.beyond.get_or_init(|| page_of(iter::empty()));
        }
        page.get_or_init(|| {
            let mut bytes = vec![0; len];
            self.before.read(at, &mut bytes);
            let word = |chunk: &[u8]| {
                u32::from_le_bytes(array::from_fn(|i| chunk.get(i).copied().unwrap_or_default()))
            };
            page_of(bytes.chunks(4).map(word))
        })
    }

    #[inline]
    fn word(&self, index: usize) -> u32 {
        self.page(index / PAGE).map_or(0, |page| page.words[index % PAGE].load(Relaxed))
    }

    /// Up to 8 bytes at any offset, little-endian.
    pub(crate) fn read(&self, at: usize, bytes: usize) -> u64 {
        let (index, shift) = (at / 4, at % 4 * 8);
        if shift == 0 && bytes == 4 {
            return self.word(index).into();
        }
        let mut value = u128::from(self.word(index));
        if shift / 8 + bytes > 4 {
            value |= u128::from(self.word(index + 1)) << 32;
        }
        if shift / 8 + bytes > 8 {
            value |= u128::from(self.word(index + 2)) << 64;
        }
        let value = (value >> shift) as u64;
        if bytes >= 8 { value } else { value & ((1 << (bytes * 8)) - 1) }
    }

    /// Bytes from `at` on.
    pub(crate) fn read_slice(&self, at: usize, to: &mut [u8]) {
        let mut at = at;
        let mut rest = to;
        while !rest.is_empty() {
            let within = at % PAGE_BYTES;
            let (part, others) = rest.split_at_mut((PAGE_BYTES - within).min(rest.len()));
            match self.page(at / PAGE_BYTES) {
                Some(page) => read_page(&page.words, within, part),
                None => part.fill(0),
            }
            at += part.len();
            rest = others;
        }
    }

    /// Writes bytes from `at` on.
    pub(crate) fn write_slice(&self, at: usize, from: &[u8]) {
        let (before, rest) = from.split_at((at.wrapping_neg() % 4).min(from.len()));
        let (first, count) = ((at + before.len()) / 4, rest.len() / 4);
        let (words, after) = rest.split_at(count * 4);
        for (at, bytes) in [(at, before), ((first + count) * 4, after)] {
            self.write(at, bytes.len(), bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)));
        }
        let (mut index, mut rest) = (first, words);
        while !rest.is_empty() {
            let within = index % PAGE;
            let (part, others) = rest.split_at((4 * (PAGE - within)).min(rest.len()));
            let Some(page) = self.page(index / PAGE) else { return };
            for (from, word) in part.chunks_exact(4).zip(&page.words[within..]) {
                word.store(u32::from_le_bytes([from[0], from[1], from[2], from[3]]), Relaxed);
            }
            page.written.mark(4 * within..4 * within + part.len(), PAGE_BYTES);
            index += part.len() / 4;
            rest = others;
        }
    }

    /// Writes the low `bytes` bytes of `value`, at most 8, at any offset.
    pub(crate) fn write(&self, at: usize, bytes: usize, value: u64) {
        // Checked first, because a store would take the cache line from the other host threads each
        // time.
        if !self.is_written() {
            self.written.store(true, Relaxed);
        }
        let (mut at, mut left, mut value) = (at, bytes, value);
        while left > 0 {
            let within = at % 4;
            let n = left.min(4 - within);
            let Some(page) = self.page(at / PAGE_BYTES) else { return };
            let word = &page.words[at / 4 % PAGE];
            page.written.mark(at % PAGE_BYTES..at % PAGE_BYTES + n, PAGE_BYTES);
            if n == 4 {
                word.store(value as u32, Relaxed);
            } else {
                let mask = ((1u32 << (n * 8)) - 1) << (within * 8);
                let bits = (value as u32) << (within * 8) & mask;
                // Neighbours in the word may change meanwhile.
                let _ = word.fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | bits));
            }
            (at, left, value) = (at + n, left - n, value >> (n * 8));
        }
    }
}

/// The parts of some bytes in each page: the number of the page, and the bytes of it.
fn parts(bytes: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    (bytes.start / PAGE_BYTES..bytes.end.div_ceil(PAGE_BYTES)).map(move |number| {
        let first = number * PAGE_BYTES;
        (number, bytes.start.saturating_sub(first)..(bytes.end - first).min(PAGE_BYTES))
    })
}

impl Words {
    /// Whether the bytes have no values before something writes them.
    #[inline]
    pub(crate) fn begins_undefined(&self) -> bool {
        self.is_undefined
    }

    /// Whether the host shares them.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether a pointer to them has this address: the host's, or the one of the device alone.
    #[inline]
    pub(crate) fn is_at(&self, address: u64) -> bool {
        self.is_shared == is_of_host(address)
    }

    /// The first of these bytes that nothing has written.
    pub(crate) fn unwritten(&self, bytes: Range<usize>) -> Option<usize> {
        parts(bytes).find_map(|(number, part)| {
            let within = match self.known(number) {
                Some(page) => page.written.unwritten(part)?,
                None if number >= self.pages.len() => return None,
                None => part.start,
            };
            Some(number * PAGE_BYTES + within)
        })
    }

    /// Whether something has written one of these bytes.
    pub(super) fn has_any(&self, bytes: Range<usize>) -> bool {
        parts(bytes).any(|(number, part)| self.known(number).is_some_and(|page| page.written.has_any(part)))
    }

    /// Hands on the bytes that something has written, in order. A run of them may come in parts.
    pub(super) fn each_written(&self, mut run: impl FnMut(Range<usize>)) {
        for number in 0..self.pages.len() {
            let first = number * PAGE_BYTES;
            if let Some(page) = self.known(number) {
                page.written.each(|bytes| run(first + bytes.start..first + bytes.end));
            }
        }
    }
}

/// The bytes of a page from `at` on.
fn read_page(page: &[AtomicU32; PAGE], at: usize, to: &mut [u8]) {
    let word = |index: usize| page[index % PAGE].load(Relaxed).to_le_bytes();
    let (before, rest) = to.split_at_mut((at.wrapping_neg() % 4).min(to.len()));
    if !before.is_empty() {
        before.copy_from_slice(&word(at / 4)[at % 4..][..before.len()]);
    }
    let first = (at + before.len()) / 4;
    let mut words = rest.chunks_exact_mut(4);
    let mut count = 0;
    for (to, word) in words.by_ref().zip(page.get(first..).into_iter().flatten()) {
        to.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        count += 1;
    }
    let after = words.into_remainder();
    if !after.is_empty() {
        after.copy_from_slice(&word(first + count)[..after.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Words {
        Words::of(Arc::new(vec![0xee; 20]), Arc::default()).unwrap()
    }

    #[test]
    fn any_bytes_at_any_offset() {
        for at in 0..9 {
            for n in 1..=8usize {
                let words = filled();
                words.write(at, n, 0x8877_6655_4433_2211);
                let bytes = words.to_bytes();
                let expected: Vec<u8> = (0..20)
                    .map(|i| if (at..at + n).contains(&i) { 0x11 * (i - at + 1) as u8 } else { 0xee })
                    .collect();
                assert_eq!(bytes, expected, "{n} at {at}");
                assert_eq!(words.read(at, n), 0x8877_6655_4433_2211 << (64 - 8 * n) >> (64 - 8 * n));
            }
        }
    }

    #[test]
    fn slices_begin_and_end_anywhere() {
        for at in 0..6 {
            for n in 0..=13 {
                let words = filled();
                let own: Vec<u8> = (1..=n).collect();
                words.write_slice(at, &own);
                let mut read = vec![0; n.into()];
                words.read_slice(at, &mut read);
                let mut expected = vec![0xee; 20];
                expected[at..at + own.len()].copy_from_slice(&own);
                assert_eq!((words.to_bytes(), read), (expected, own), "{n} at {at}");
            }
        }
    }

    #[test]
    fn a_length_that_fills_no_word() {
        assert_eq!(
            Words::of(Arc::new(vec![1, 2, 3, 4, 5]), Arc::default()).unwrap().to_bytes(),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(Words::zeroed(3, Arc::default()).to_bytes(), [0; 3]);
    }

    /// Contents that count the bytes that are made of them: byte `i` is `i / 3`.
    #[derive(Debug, Default)]
    struct Counted {
        len: usize,
        made: AtomicU32,
    }

    impl Contents for Counted {
        fn size(&self) -> usize {
            self.len
        }

        fn read(&self, at: usize, to: &mut [u8]) {
            self.made.fetch_add(to.len() as u32, Relaxed);
            (at..).zip(to).for_each(|(i, byte)| *byte = (i / 3) as u8);
        }
    }

    #[test]
    fn only_touched_pages_are_made_and_copied() {
        let contents = Arc::new(Counted { len: 1 << 32 | 5, made: AtomicU32::default() });
        let words = Words::of(contents.clone(), Arc::default()).unwrap();
        let last = (1 << 32) + 1;
        assert_eq!(words.read(last, 4), u64::from(u32::from_le_bytes([0x55, 0x56, 0x56, 0x56])));
        assert_eq!(contents.made.load(Relaxed), 5);
        words.write(3 * PAGE_BYTES - 2, 4, 0x0403_0201);
        assert_eq!(contents.made.load(Relaxed) as usize, 5 + 2 * PAGE_BYTES);
        let words = Arc::new(words);
        let over = |words: &Arc<Words>| Words::over(words.clone(), Arc::default()).unwrap();
        let (copy, other) = (over(&words), over(&words));
        assert_eq!((copy.read(3 * PAGE_BYTES - 2, 4), copy.read(last, 1)), (0x0403_0201, 0x55));
        assert_eq!(contents.made.load(Relaxed) as usize, 5 + 2 * PAGE_BYTES);
        assert!(words.differing(&copy).is_empty());
        // A page that was only read is like one that nothing touched.
        copy.read(7 * PAGE_BYTES, 1);
        copy.write(5 * PAGE_BYTES, 1, 0xff);
        copy.write(last + 3, 1, 0xff);
        let end = 1 << 32;
        assert_eq!(words.differing(&copy), [5 * PAGE_BYTES..6 * PAGE_BYTES, end..end + 5]);
        assert_eq!(words.differing(&copy), copy.differing(&words));
        // Bytes that are written below one are not seen below the other, nor in the words.
        assert!(words.differing(&other).is_empty());
        drop((words, other));
        let settled = copy.settle();
        assert!(settled.base.is_none());
        assert_eq!(
            [3 * PAGE_BYTES - 2, 5 * PAGE_BYTES, last + 3].map(|at| settled.read(at, 1)),
            [1, 0xff, 0xff]
        );
        assert!(settled.has_any(5 * PAGE_BYTES..5 * PAGE_BYTES + 1));
        assert_eq!(settled.unwritten(3 * PAGE_BYTES - 2..3 * PAGE_BYTES + 3), Some(3 * PAGE_BYTES + 2));
    }

    #[test]
    fn pages_take_room_once() {
        let room = Arc::new(Room::of(2 * PAGE_BYTES as u64 + 4));
        let words = Words::zeroed(9 * PAGE_BYTES + 4, room.clone());
        for at in [0, 8, 9 * PAGE_BYTES, 3 * PAGE_BYTES, 3 * PAGE_BYTES + 1] {
            words.write(at, 1, 7);
        }
        assert!(!room.is_full());
        words.write(5 * PAGE_BYTES, 1, 7);
        assert!(room.is_full());
        assert_eq!((words.read(3 * PAGE_BYTES, 1), words.to_bytes()[5 * PAGE_BYTES]), (7, 0));
    }

    #[test]
    fn slices_may_cross_pages() {
        let len = 3 * PAGE_BYTES;
        let expected: Vec<u8> = (0..len).map(|i| (i / 3) as u8).collect();
        for (at, n) in [(PAGE_BYTES - 3, 8), (PAGE_BYTES - 7, PAGE_BYTES + 9), (1, len - 2), (len - 3, 3)] {
            let words =
                Words::of(Arc::new(Counted { len, made: AtomicU32::default() }), Arc::default()).unwrap();
            let (mut looked, mut read) = (vec![0; n], vec![0; n]);
            words.look(at, &mut looked);
            words.read_slice(at, &mut read);
            assert_eq!((&looked[..], &read[..]), (&expected[at..at + n], &expected[at..at + n]));
            let own: Vec<u8> = (0..n).map(|i| (7 * i) as u8).collect();
            words.write_slice(at, &own);
            let mut all = expected.clone();
            all[at..at + n].copy_from_slice(&own);
            assert_eq!(words.to_bytes(), all);
        }
    }
}
