//! Which operations may run beside later ones, before any of them runs.

use super::{
    Operation,
    perform::{Device, State, Used},
    sequence::Sequence,
};
use crate::error::Result;
use cute_machine::place::SourcePlace;
use cute_sim::order::{Order, Overlap, Stream, Ticket};

/// For each operation, the last one that may run beside it. A launch is assumed to let others
/// begin at once, and not to wait.
pub(super) fn liveness(sequence: &Sequence<'_>) -> Result<Vec<Option<usize>>> {
    let mut plan = Plan { order: Order::default(), operations: Vec::new(), last: Vec::new() };
    plan.last.resize(sequence.file.steps.len(), None);
    let mut state = State::new(sequence, &mut plan.order);
    for (i, step) in sequence.file.steps.iter().enumerate() {
        match &step.operation {
            Operation::Launch { requested, stream } => {
                let stream = state.stream(stream);
                let enqueued = plan.order.launch(stream, requested.programmatic);
                plan.order.launched(stream, false, true);
                state.launched(&plan.order, requested, stream);
                plan.add(i, Some(enqueued.ticket), &enqueued.beside);
            }
            _ => sequence.perform(i, &mut state, &mut plan)?,
        }
    }
    Ok(plan.last)
}

/// The order of the operations, and for each the last one that may run beside it.
struct Plan {
    order: Order,
    /// The operation of each ticket.
    operations: Vec<usize>,
    last: Vec<Option<usize>>,
}

impl Plan {
    fn add(&mut self, i: usize, ticket: Option<Ticket>, beside: &[Overlap]) {
        if ticket.is_some() {
            self.operations.push(i);
        }
        beside.iter().for_each(|one| self.last[self.operations[one.ticket as usize]] = Some(i));
    }
}

impl Device for Plan {
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    fn operate(&mut self, i: usize, _: &str, _: &SourcePlace, stream: Option<Stream>, _: Vec<Used>) {
        match stream {
            Some(stream) => {
                let enqueued = self.order.enqueue(stream);
                self.add(i, Some(enqueued.ticket), &enqueued.beside);
            }
            None => {
                let beside = self.order.beside_host();
                self.add(i, None, &beside);
            }
        }
    }
}
