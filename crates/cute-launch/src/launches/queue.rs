//! The operations around the launches of a run.

use super::{
    Operation,
    perform::{Device, State, Used},
    sequence::Sequence,
};
use crate::{error::Result, launch::Launch, simulate::InStream};
use cute_machine::place::SourcePlace;
use cute_sim::order::{Order, Stream, Ticket};
use cute_sim::{Buffer, Finding, Memory, Touch};
use std::ops::Range;

/// The memory of a run, with the findings of the operations.
struct Running<'r> {
    memory: &'r mut Memory,
    buffers: &'r [Buffer],
    findings: Vec<Finding>,
    tickets: &'r mut Vec<(usize, Ticket)>,
}

impl Device for Running<'_> {
    fn order(&mut self) -> &mut Order {
        self.memory.order_mut()
    }

    fn operate(
        &mut self,
        i: usize,
        text: &str,
        place: &SourcePlace,
        stream: Option<Stream>,
        used: Vec<Used>,
    ) {
        let touch = |used: Used| {
            let Used { array, bytes, writes, frees } = used;
            Touch { buffer: self.buffers[array], bytes, writes, frees }
        };
        let touches = used.into_iter().map(touch).collect();
        let operation = cute_sim::Operation { text, location: place, stream, touches };
        let (ticket, findings) = self.memory.operate(&operation);
        self.findings.extend(findings);
        self.tickets.extend(ticket.map(|ticket| (i, ticket)));
    }

    fn copy(&mut self, (to, from, at, bytes): (usize, usize, usize, Range<usize>)) {
        let (to, from) = (self.buffers[to], self.buffers[from]);
        self.memory.copy((to, at), (from, bytes.start), bytes.len());
    }

    fn fill(&mut self, array: usize, bytes: Range<usize>, value: u8) {
        self.memory.fill(self.buffers[array], bytes, value);
    }
}

/// The operations around the launches of one run.
pub(crate) struct Queue<'q> {
    sequence: Option<&'q Sequence<'q>>,
    state: Option<State>,
    buffers: &'q [Buffer],
    /// Whether races are reported.
    races: bool,
    /// The next operation.
    next: usize,
    /// Operations whose accesses are kept.
    tickets: Vec<(usize, Ticket)>,
    /// The place of launches, if the streams are somebody else's.
    place: Option<InStream>,
}

impl<'q> Queue<'q> {
    /// The streams are new ones of the memory.
    pub(crate) fn new(
        sequence: Option<&'q Sequence<'q>>,
        buffers: &'q [Buffer],
        races: bool,
        memory: &mut Memory,
    ) -> Self {
        let state = sequence.map(|sequence| State::new(sequence, memory.order_mut()));
        Queue { sequence, state, buffers, races, next: 0, tickets: Vec::new(), place: None }
    }

    /// One launch in a stream of the memory.
    pub(crate) fn of_one(place: InStream) -> Self {
        let place = Some(place);
        Queue { sequence: None, state: None, buffers: &[], races: true, next: 0, tickets: Vec::new(), place }
    }

    /// Performs the operations before the next launch, or all that are left. Returns the races that
    /// they have.
    pub(crate) fn advance(&mut self, memory: &mut Memory) -> Result<Vec<Finding>> {
        let (Some(sequence), Some(state)) = (self.sequence, &mut self.state) else { return Ok(Vec::new()) };
        let (buffers, tickets) = (self.buffers, &mut self.tickets);
        let mut running = Running { memory, buffers, findings: Vec::new(), tickets };
        while let Some(step) = sequence.file.steps.get(self.next)
            && !matches!(step.operation, Operation::Launch { .. })
        {
            sequence.perform(self.next, state, &mut running)?;
            self.next += 1;
        }
        let findings = running.findings;
        self.forget(memory);
        Ok(if self.races { findings } else { Vec::new() })
    }

    /// The stream of the next launch; `following` is the launch behind it, if there are no
    /// operations.
    pub(crate) fn place(&self, following: Option<&Launch<'_>>) -> InStream {
        if let Some(place) = self.place {
            return place;
        }
        let Some((sequence, state)) = self.sequence.zip(self.state.as_ref()) else {
            let is_overlapped = following.is_some_and(|next| next.shape.programmatic);
            return InStream { stream: Stream::LEGACY, is_overlapped };
        };
        let stream = match sequence.file.steps.get(self.next).map(|step| &step.operation) {
            Some(Operation::Launch { stream, .. }) => state.stream(stream),
            _ => Stream::LEGACY,
        };
        let is_overlapped = sequence.last_beside.get(self.next).copied().flatten().is_some();
        InStream { stream, is_overlapped }
    }

    /// The next launch has been executed.
    pub(crate) fn launched(&mut self, memory: &mut Memory) {
        let (Some(sequence), Some(state)) = (self.sequence, &mut self.state) else { return };
        let step = sequence.file.steps.get(self.next).map(|step| &step.operation);
        if let Some(Operation::Launch { requested, stream }) = step {
            let stream = state.stream(stream);
            state.launched(memory.order(), requested, stream);
            self.tickets.extend(memory.order().last(stream).map(|ticket| (self.next, ticket)));
        }
        self.next += 1;
        self.forget(memory);
    }

    /// Forgets the accesses of operations that no later one runs beside.
    fn forget(&mut self, memory: &mut Memory) {
        let Some(sequence) = self.sequence else { return };
        let next = self.next;
        self.tickets.retain(|(operation, ticket)| {
            let is_needed = sequence.last_beside[*operation].is_some_and(|last| last >= next);
            if !is_needed {
                memory.forget(*ticket);
            }
            is_needed
        });
    }
}
