//! Captures: what streams are given becomes nodes of a graph, and does not run.
//!
//! Each captured stream has a *frontier*: the nodes that its next one follows. An event that is
//! recorded in such a stream keeps the frontier, and a stream that waits for the event adds it to
//! its own, by which it joins the capture (CUDA C++ Programming Guide, "Cross-stream Dependencies
//! and Events").

use std::collections::{BTreeMap, BTreeSet};

use cute_sim::order::Stream;

use super::{Edge, Graph, Graphs, Work};
use crate::error::{Error, Result};

/// Nodes by their handles, and how others follow them.
pub type Frontier = BTreeMap<usize, Edge>;

/// A capture that has begun.
#[derive(Debug, Default)]
pub(super) struct Capture {
    /// Its number, which no other one has.
    id: u64,
    /// The stream that it began with.
    origin: Stream,
    /// The graph that it adds to.
    graph: usize,
    streams: BTreeMap<Stream, Frontier>,
    /// Events that it has recorded, by which other streams join.
    events: BTreeMap<usize, Frontier>,
}

/// The facts about a capture that a program may ask for.
#[derive(Debug, Clone)]
pub struct Captured {
    /// Its number.
    pub id: u64,
    /// The handle of the graph that it adds to.
    pub graph: usize,
    /// The nodes that the next one of the stream follows.
    pub frontier: Frontier,
}

impl Graphs {
    /// Begins to capture a stream, into a new graph or behind nodes of one.
    ///
    /// # Errors
    /// [`Error::STREAM_CAPTURE_UNSUPPORTED`] for the legacy default stream,
    /// [`Error::ILLEGAL_STATE`] if it is captured already, and [`Error::INVALID_VALUE`] for nodes
    /// that the graph does not have.
    pub fn begin(&mut self, stream: Stream, into: Option<(usize, Frontier)>) -> Result<()> {
        if stream == Stream::LEGACY {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        if self.is_capturing(stream) {
            return Err(Error::ILLEGAL_STATE);
        }
        let (graph, frontier) = into.unwrap_or_else(|| (self.create(), Frontier::new()));
        let own = self.get(graph)?;
        if own.is_executable || frontier.keys().any(|node| !own.nodes.contains_key(node)) {
            return Err(Error::INVALID_VALUE);
        }
        let id = self.handle() as u64;
        let streams = BTreeMap::from([(stream, frontier)]);
        self.captures.push(Capture { id, origin: stream, graph, streams, events: BTreeMap::new() });
        Ok(())
    }

    /// Whether a stream is captured.
    pub fn is_capturing(&self, stream: Stream) -> bool {
        self.captures.iter().any(|capture| capture.streams.contains_key(&stream))
    }

    /// Whether the last record of an event is in a capture.
    pub fn has_event(&self, event: usize) -> bool {
        self.captures.iter().any(|capture| capture.events.contains_key(&event))
    }

    /// The capture of a stream.
    pub fn captured(&self, stream: Stream) -> Option<Captured> {
        self.captures.iter().find_map(|capture| {
            let frontier = capture.streams.get(&stream)?.clone();
            Some(Captured { id: capture.id, graph: capture.graph, frontier })
        })
    }

    /// Changes the nodes that the next one of a captured stream follows: to these, or by adding
    /// them.
    ///
    /// # Errors
    /// [`Error::ILLEGAL_STATE`] for a stream that is not captured, and [`Error::INVALID_VALUE`] for
    /// nodes that its graph does not have.
    pub fn set_frontier(&mut self, stream: Stream, nodes: Frontier, adds: bool) -> Result<()> {
        let graph = self.captured(stream).ok_or(Error::ILLEGAL_STATE)?.graph;
        let own = self.get(graph)?;
        if nodes.keys().any(|node| !own.nodes.contains_key(node)) {
            return Err(Error::INVALID_VALUE);
        }
        let all = self.captures.iter_mut().find_map(|capture| capture.streams.get_mut(&stream));
        if let Some(frontier) = all {
            if !adds {
                frontier.clear();
            }
            frontier.extend(nodes);
        }
        Ok(())
    }

    /// Captures the work of a stream, if it is captured.
    pub fn take(&mut self, stream: Stream, work: impl FnOnce() -> Work) -> bool {
        let place = self.captures.iter().position(|capture| capture.streams.contains_key(&stream));
        let Some(place) = place else { return false };
        let mut work = work();
        let (graph, frontier) = (self.captures[place].graph, self.captures[place].streams[&stream].clone());
        let mut after = frontier.clone();
        let (mut is_programmatic, mut events) = (false, Vec::new());
        if let Work::Launch { asked, .. } = &mut work {
            is_programmatic = std::mem::take(&mut asked.programmatic);
            let triggered = asked.triggered.take();
            let at_start = |at_start| if at_start { Edge::BEGUN } else { Edge::PROGRAMMATIC };
            events.extend(triggered.map(|(event, start)| (event, at_start(start))));
            events.extend(asked.begun.take().map(|event| (event, Edge::BEGUN)));
        }
        if is_programmatic {
            let nodes = &self.graphs[&graph].nodes;
            for (before, edge) in &mut after {
                if nodes.get(before).is_some_and(|node| matches!(node.work, Work::Launch { .. })) {
                    *edge = Edge::PROGRAMMATIC;
                }
            }
        }
        let is_launch = matches!(work, Work::Launch { .. });
        if !is_launch {
            // Only a launch begins before one before it has ended.
            after.values_mut().for_each(|edge| *edge = Edge::default());
        }
        let Ok(node) = self.add(graph, work, after.clone()) else { return false };
        let capture = &mut self.captures[place];
        for (event, edge) in events {
            capture.events.insert(event, Frontier::from([(node, edge)]));
        }
        // The stream goes on after both, also if the node does not wait for the one before it.
        let mut next: Frontier = after.into_iter().filter(|(_, edge)| !edge.is_full()).collect();
        next.values_mut().for_each(|edge| *edge = Edge::default());
        next.insert(node, Edge::default());
        capture.streams.insert(stream, next);
        true
    }

    /// An event is recorded in a stream; whether that is captured.
    pub fn record(&mut self, stream: Stream, event: usize) -> bool {
        for capture in &mut self.captures {
            capture.events.remove(&event);
        }
        let capture = self.captures.iter_mut().find(|capture| capture.streams.contains_key(&stream));
        let Some(capture) = capture else { return false };
        let frontier = capture.streams[&stream].clone();
        capture.events.insert(event, frontier);
        true
    }

    /// A stream waits for an event, by which it may join a capture; whether that is captured.
    ///
    /// # Errors
    /// [`Error::STREAM_CAPTURE_MERGE`] if the event is of another capture,
    /// [`Error::STREAM_CAPTURE_ISOLATION`] if it is of none but has been recorded, and
    /// [`Error::STREAM_CAPTURE_IMPLICIT`] for the legacy default stream.
    pub fn wait(&mut self, stream: Stream, event: usize, is_recorded: bool) -> Result<bool> {
        let own = self.captures.iter().position(|capture| capture.streams.contains_key(&stream));
        let others = self.captures.iter().position(|capture| capture.events.contains_key(&event));
        let (Some(place), true) = (others, own.is_none() || own == others) else {
            return match (own, others) {
                (None, _) => Ok(false),
                (Some(_), Some(_)) => Err(Error::STREAM_CAPTURE_MERGE),
                (Some(_), None) if is_recorded => Err(Error::STREAM_CAPTURE_ISOLATION),
                (Some(_), None) => Ok(true),
            };
        };
        if stream == Stream::LEGACY {
            return Err(Error::STREAM_CAPTURE_IMPLICIT);
        }
        let capture = &mut self.captures[place];
        let nodes = capture.events[&event].clone();
        let frontier = capture.streams.entry(stream).or_default();
        for (node, edge) in nodes {
            let known = frontier.entry(node).or_insert(edge);
            if edge.is_full() {
                *known = edge;
            }
        }
        Ok(true)
    }

    /// Ends the capture that this stream has begun; the graph's handle.
    ///
    /// # Errors
    /// [`Error::ILLEGAL_STATE`] if it is not captured, [`Error::STREAM_CAPTURE_UNMATCHED`] if
    /// another stream has begun the capture, and [`Error::STREAM_CAPTURE_UNJOINED`] if it has not
    /// waited for all streams that joined.
    pub fn end(&mut self, stream: Stream) -> Result<usize> {
        let number = self.captures.iter().position(|capture| capture.origin == stream);
        let Some(number) = number else {
            let is_joined = self.is_capturing(stream);
            return Err(if is_joined { Error::STREAM_CAPTURE_UNMATCHED } else { Error::ILLEGAL_STATE });
        };
        let capture = self.captures.swap_remove(number);
        let graph = self.get(capture.graph)?;
        let joined = before(graph, capture.streams[&stream].keys().copied());
        let is_open = capture.streams.values().flat_map(BTreeMap::keys).any(|node| !joined.contains(node));
        if is_open {
            let _ = self.destroy(capture.graph);
            return Err(Error::STREAM_CAPTURE_UNJOINED);
        }
        Ok(capture.graph)
    }
}

/// These nodes, and all that they follow.
fn before(graph: &Graph, nodes: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let mut left: Vec<usize> = nodes.collect();
    let mut all = BTreeSet::new();
    while let Some(node) = left.pop() {
        if all.insert(node) {
            left.extend(graph.nodes.get(&node).into_iter().flat_map(|node| node.after.keys()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use cute_sim::order::{Order, StreamKind};

    use super::*;

    fn streams() -> [Stream; 3] {
        let mut order = Order::default();
        ["1", "2", "3"].map(|name| order.add(name, StreamKind::NonBlocking))
    }

    #[test]
    fn streams_join_by_events_and_must_be_waited_for() {
        let [one, two, three] = streams();
        let mut graphs = Graphs::default();
        graphs.begin(one, None).unwrap();
        assert_eq!(graphs.begin(one, None), Err(Error::ILLEGAL_STATE));
        assert!(graphs.take(one, || Work::Empty) && !graphs.take(two, || Work::Empty));
        assert!(graphs.record(one, 16) && !graphs.record(three, 32));
        assert_eq!(graphs.wait(two, 16, false), Ok(true));
        assert!(graphs.take(two, || Work::Empty) && graphs.take(one, || Work::Empty));
        assert_eq!(graphs.wait(one, 32, true), Err(Error::STREAM_CAPTURE_ISOLATION));
        assert_eq!(graphs.wait(Stream::LEGACY, 16, false), Err(Error::STREAM_CAPTURE_IMPLICIT));
        assert_eq!(graphs.end(two), Err(Error::STREAM_CAPTURE_UNMATCHED));
        graphs.record(two, 16);
        assert_eq!(graphs.wait(one, 16, false), Ok(true));
        let graph = graphs.end(one).unwrap();
        let edges: Vec<_> = graphs.get(graph).unwrap().nodes.values().map(|node| node.after.len()).collect();
        assert_eq!(edges, [0, 1, 1]);
        assert_eq!(graphs.end(one), Err(Error::ILLEGAL_STATE));
    }

    #[test]
    fn a_capture_ends_without_streams_that_nothing_waits_for() {
        let [one, two, _] = streams();
        let mut graphs = Graphs::default();
        graphs.begin(one, None).unwrap();
        graphs.record(one, 16);
        graphs.wait(two, 16, false).unwrap();
        graphs.take(two, || Work::Empty);
        assert_eq!(graphs.end(one), Err(Error::STREAM_CAPTURE_UNJOINED));
        assert!(!graphs.is_capturing(two));
        assert_eq!(graphs.begin(Stream::LEGACY, None), Err(Error::STREAM_CAPTURE_UNSUPPORTED));
    }
}
