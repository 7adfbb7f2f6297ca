//! Launches of graphs. The nodes run in streams of their own, each of which waits for the nodes
//! that its node follows, so that they are ordered by the edges and no more. A node continues the
//! stream of a node that it follows, if no other node has.

use std::collections::BTreeMap;

use cute_sim::{
    Touch,
    order::{NODE, Recorded, Stream, StreamKind},
};

use super::{Edge, Node, Work};
use crate::{
    error::{Error, Result},
    memory::Call,
    state::{DriverState, with},
};

/// A run of a graph.
struct Run {
    /// The stream that it was launched in.
    stream: Stream,
    /// The point of that stream behind which the nodes begin.
    start: Recorded,
    /// The streams of its nodes, and the last node in each.
    branches: Vec<(Stream, usize)>,
    /// The points of each node by which others follow it.
    points: BTreeMap<usize, Points>,
}

/// The points of a node by which others follow it.
struct Points {
    /// When its work has been done.
    ended: Recorded,
    /// The start and the trigger of a launch.
    begun: Option<Recorded>,
    triggered: Option<Recorded>,
}

impl Points {
    fn of(&self, edge: Edge) -> &Recorded {
        let point = match edge.from_port {
            1 => &self.triggered,
            2 => &self.begun,
            _ => &None,
        };
        point.as_ref().unwrap_or(&self.ended)
    }
}

impl DriverState {
    /// A branch of the run in a stream.
    fn branch(&mut self, stream: Stream, number: usize) -> Stream {
        let known = self.graphs.branches.get(&stream).and_then(|all| all.get(number)).copied();
        known.unwrap_or_else(|| {
            let name = self.memory.order().name(stream);
            let name = format!("{name}{NODE}of branch {}", number + 1);
            let own = self.memory.order_mut().add(&name, StreamKind::NonBlocking);
            self.graphs.branches.entry(stream).or_default().push(own);
            self.streams.are_several = true;
            own
        })
    }

    fn begin_run(&mut self, stream: Stream) -> Run {
        // The run itself is an operation of its stream, which waits for the default stream.
        self.operate("cudaGraphLaunch", Some(stream), Vec::new());
        let start = self.memory.order_mut().record(stream);
        Run { stream, start, branches: Vec::new(), points: BTreeMap::new() }
    }

    /// The stream of a node, which has waited for all that the node follows.
    fn place(&mut self, run: &mut Run, handle: usize, node: &Node) -> Stream {
        let is_programmatic = node.after.values().any(|edge| !edge.is_full());
        let follows = |last: &usize| !is_programmatic && node.after.contains_key(last);
        let number = run.branches.iter().position(|(_, last)| follows(last));
        let number = number.unwrap_or_else(|| {
            let own = self.branch(run.stream, run.branches.len());
            self.memory.order_mut().wait(own, &run.start);
            run.branches.push((own, handle));
            run.branches.len() - 1
        });
        let (own, last) = run.branches[number];
        run.branches[number].1 = handle;
        for (before, edge) in node.after.iter().filter(|(before, _)| **before != last) {
            if let Some(points) = run.points.get(before) {
                self.memory.order_mut().wait(own, points.of(*edge));
            }
        }
        own
    }

    /// Keeps the points of a node whose work has been enqueued.
    fn keep(&mut self, run: &mut Run, handle: usize, own: Stream) {
        let order = self.memory.order_mut();
        let (begun, triggered) = (order.begun(own), order.triggered(own, false));
        run.points.insert(handle, Points { begun, triggered, ended: order.record(own) });
    }

    fn end_run(&mut self, run: &Run) {
        for (_, last) in &run.branches {
            self.memory.order_mut().wait(run.stream, &run.points[last].ended);
        }
        self.operate("cudaGraphLaunch", Some(run.stream), Vec::new());
    }

    fn perform(&mut self, work: Work, stream: Stream) -> Result<()> {
        let call = |name| Call { name, stream, is_async: true };
        match work {
            Work::Launch { function, mut asked, words } => {
                asked.stream = stream;
                self.launch(function, &asked, words)
            }
            Work::Copy { to, from, extents, name } => self.copy_parts(to, from, extents, &call(name)),
            Work::Set { to, element, extents, name } => self.set_parts(to, &element, extents, &call(name)),
            Work::Record(event) => {
                let recorded = self.memory.order_mut().record(stream);
                self.streams.event(event)?.recorded = Some(recorded);
                Ok(())
            }
            Work::Wait(event) => {
                if let Some(recorded) = &self.streams.event(event)?.recorded {
                    self.memory.order_mut().wait(stream, recorded);
                }
                Ok(())
            }
            Work::Allocate(address) | Work::Free(address) => {
                let own = self.allocations.starting(address).ok_or(Error::INVALID_VALUE)?;
                let touch = Touch { buffer: own.buffer, bytes: 0..own.bytes, writes: true, frees: false };
                self.operate("a node of memory", Some(stream), vec![touch]);
                Ok(())
            }
            Work::Host(_) | Work::Child(_) | Work::Empty => Ok(()),
        }
    }
}

/// Launches a graph in a stream, or captures that.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for a graph that cannot be launched, and the first error of its nodes.
pub fn launch(graph: usize, handle: usize) -> Result<()> {
    let stream = with(|state| {
        let stream = state.stream(handle)?;
        if !state.graphs.get(graph)?.is_executable {
            return Err(Error::INVALID_VALUE);
        }
        if state.graphs.is_capturing(stream) {
            let child = state.graphs.copy(graph, false)?;
            state.graphs.take(stream, || Work::Child(child));
            return Ok(None);
        }
        Ok(Some(stream))
    })?;
    stream.map_or(Ok(()), |stream| run(graph, stream))
}

/// Runs a graph. Functions of the host are called without the state.
fn run(graph: usize, stream: Stream) -> Result<()> {
    let (nodes, mut run) = with(|state| {
        let graph = state.graphs.get(graph)?;
        let order = graph.in_order()?;
        let nodes: Vec<_> = order.into_iter().map(|handle| (handle, graph.nodes[&handle].clone())).collect();
        Ok((nodes, state.begin_run(stream)))
    })?;
    for (handle, node) in nodes {
        let own = with(|state| Ok(state.place(&mut run, handle, &node)))?;
        match node.work {
            _ if !node.is_enabled => {}
            Work::Host(function) => function.call(),
            Work::Child(child) => self::run(child, own)?,
            work => with(|state| state.perform(work, own))?,
        }
        with(|state| {
            state.keep(&mut run, handle, own);
            Ok(())
        })?;
    }
    with(|state| {
        state.end_run(&run);
        Ok(())
    })
}
