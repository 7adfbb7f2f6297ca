//! Operations of the host on memory: copies, sets, its own reads and writes, and frees.

use super::{Buffer, Memory};
use crate::finding::{AccessKind, Finding, FindingKind, Grade, Place, Places};
use crate::order::{Order, Overlap, Stream, Ticket};
use crate::race::{Operated, Touched};
use cute_machine::place::SourcePlace;
use std::ops::Range;

/// Bytes that are copied at once.
const PART: usize = 1 << 16;

/// Bytes of a buffer that an operation uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The buffer that has them.
    pub buffer: Buffer,
    /// Their places in the buffer.
    pub bytes: Range<usize>,
    /// Whether it changes them.
    pub writes: bool,
    /// Whether nothing may use them afterwards.
    pub frees: bool,
}

impl Touch {
    fn of_race(&self) -> Touched {
        let Touch { buffer, bytes, writes, frees } = self.clone();
        Touched { buffer: buffer.0, bytes, writes, frees }
    }
}

/// An operation of the host, in a stream or outside of all.
#[derive(Debug, Clone)]
pub struct Operation<'o> {
    /// Its text, which findings call it by.
    pub text: &'o str,
    /// Its place where the operations are written.
    pub location: &'o SourcePlace,
    /// Its stream; without one, the host itself uses the memory.
    pub stream: Option<Stream>,
    /// The memory that it uses.
    pub touches: Vec<Touch>,
}

impl Memory {
    /// The order of the operations on this memory.
    pub fn order(&self) -> &Order {
        &self.launches.order
    }

    /// The order of the operations on this memory, to add streams, events and waits of the host.
    pub fn order_mut(&mut self) -> &mut Order {
        &mut self.launches.order
    }

    /// An operation of the host comes next in its stream. Returns its number, if it has a stream,
    /// and the races with operations that are not ordered before it. What it does to the memory is
    /// up to the caller.
    pub fn operate(&mut self, operation: &Operation<'_>) -> (Option<Ticket>, Vec<Finding>) {
        let Operation { text, location, stream, touches } = operation;
        let (ticket, beside): (_, Vec<Overlap>) = match stream {
            Some(stream) => {
                let enqueued = self.launches.order.enqueue(*stream);
                (Some(enqueued.ticket), enqueued.beside)
            }
            None => (None, self.launches.order.beside_host()),
        };
        let touches: Vec<Touched> = touches.iter().map(Touch::of_race).collect();
        let conflicts = self.launches.conflicts(&beside, *stream, &touches);
        let finding = |(access, buffer, byte, other): (AccessKind, u32, usize, _)| {
            let name = self.names.get(&buffer).cloned();
            let kind = FindingKind::Race {
                access,
                place: Place::Buffer { number: buffer, name },
                offset: byte as i64,
                other: Box::new(other),
                why: None,
            };
            let (op, location) = ((*text).to_owned(), (*location).clone());
            Finding {
                grade: Grade::Error,
                rule: kind.rule(),
                kind,
                op,
                location,
                block: [0; 3],
                thread: [0; 3],
                launch: self.launches.count(),
                by_host: true,
                count: 1,
                places: Places::default(),
                schedules: Vec::new(),
                mistake: 0,
                side: 0,
            }
            .identified()
        };
        let findings = conflicts.into_iter().map(finding).collect();
        if let Some(ticket) = ticket {
            let (text, location) = ((*text).to_owned(), (*location).clone());
            self.launches.operated(ticket, Operated { text, location, touches });
        }
        (ticket, findings)
    }

    /// No later operation runs beside this one, so that its accesses can be forgotten.
    pub fn forget(&mut self, ticket: Ticket) {
        self.launches.forget(ticket);
    }

    /// Copies bytes from a byte of a buffer to that of another one, as far as both have them.
    pub fn copy(&mut self, (to, at): (Buffer, usize), (from, first): (Buffer, usize), bytes: usize) {
        let buffers = [to, from].map(|buffer| self.buffers.get(buffer.0 as usize));
        let [Some(to), Some(from)] = buffers else { return };
        let left = |len: usize, at: usize| len.saturating_sub(at);
        let bytes = bytes.min(left(to.len(), at)).min(left(from.len(), first));
        let mut part = vec![0; PART.min(bytes)];
        for done in (0..bytes).step_by(PART) {
            let part = &mut part[..PART.min(bytes - done)];
            from.look(first + done, part);
            to.write_slice(at + done, part);
        }
    }

    /// Sets bytes of a buffer, as far as it has them.
    pub fn fill(&mut self, buffer: Buffer, bytes: Range<usize>, value: u8) {
        let Some(words) = self.buffers.get(buffer.0 as usize) else { return };
        let part = vec![value; PART.min(bytes.len())];
        let end = bytes.end.min(words.len());
        for at in (bytes.start..end).step_by(PART) {
            words.write_slice(at, &part[..PART.min(end - at)]);
        }
    }

    /// The bytes of a buffer; none of one of another memory.
    pub fn size(&self, buffer: Buffer) -> usize {
        self.buffers.get(buffer.0 as usize).map_or(0, |words| words.len())
    }
}
