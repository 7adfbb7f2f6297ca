//! Graphs: nodes with work, and which of them follow which.
//!
//! A graph is made by hand, node by node, or by a [`capture`] of streams. It is launched by
//! [`run`], which orders nodes by their edges alone, so that races between others are found.
//!
//! | file | subject |
//! |---|---|
//! | `capture` | streams whose operations become nodes |
//! | `run` | launches of graphs |

mod capture;
mod run;

use std::collections::{BTreeMap, BTreeSet};

use cute_sim::order::Stream;

use crate::{
    error::{Error, Result},
    launch::AskedLaunch,
    parts::Part,
    streams,
};

pub use capture::Frontier;
pub use run::launch;

/// `cudaHostNodeParams`: a function of the host, and what it is given.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostFunction {
    /// Its address.
    pub function: usize,
    /// Its argument.
    pub data: usize,
}

impl HostFunction {
    /// Calls it. The state must not be held: it is the program's code.
    pub fn call(self) {
        if self.function != 0 {
            // SAFETY: the program has passed a function of this type, `cudaHostFn_t`.
            let function: extern "C" fn(usize) = unsafe { std::mem::transmute(self.function) };
            streams::of_program(|| function(self.data));
        }
    }
}

/// The work of a node, or of a stream.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    /// A kernel is launched.
    Launch {
        /// The address by which the program knows the kernel.
        function: usize,
        /// How it is launched.
        asked: AskedLaunch,
        /// Its arguments.
        words: Vec<u64>,
    },
    /// Bytes are copied.
    Copy {
        /// The target.
        to: Part,
        /// The source.
        from: Part,
        /// Bytes, rows and slices.
        extents: [usize; 3],
        /// The function.
        name: &'static str,
    },
    /// Elements are set.
    Set {
        /// The target.
        to: Part,
        /// One element.
        element: Vec<u8>,
        /// Elements, rows and slices.
        extents: [usize; 3],
        /// The function.
        name: &'static str,
    },
    /// A function of the host.
    Host(HostFunction),
    /// Another graph, which belongs to the node.
    Child(usize),
    /// Nothing: the node only orders others.
    Empty,
    /// The node waits for an event.
    Wait(usize),
    /// An event is recorded.
    Record(usize),
    /// Memory of the graph is there from now on.
    Allocate(u64),
    /// Memory of the graph is not used behind this node. It stays where it is for the next run.
    Free(u64),
}

impl Work {
    /// `cudaGraphNodeType`.
    pub fn kind(&self) -> i32 {
        match self {
            Self::Launch { .. } => 0,
            Self::Copy { .. } => 1,
            Self::Set { .. } => 2,
            Self::Host(_) => 3,
            Self::Child(_) => 4,
            Self::Empty => 5,
            Self::Wait(_) => 6,
            Self::Record(_) => 7,
            Self::Allocate(_) => 10,
            Self::Free(_) => 11,
        }
    }
}

/// `cudaGraphEdgeData`: the port of the node before, that of the node behind, and the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub(crate) struct Edge {
    /// For a kernel before: 0 for its end, 1 for its trigger, 2 for its start.
    pub from_port: u8,
    /// Always 0.
    pub to_port: u8,
    /// 1 if the node behind may begin before the one before has ended.
    pub kind: u8,
    /// Always 0.
    pub reserved: [u8; 5],
}

impl Edge {
    /// An edge to a launch that waits for the trigger of the launch before it.
    pub const PROGRAMMATIC: Self = Self { from_port: 1, to_port: 0, kind: 1, reserved: [0; 5] };

    /// An edge to a launch that waits until all blocks of the launch before it have begun.
    pub const BEGUN: Self = Self { from_port: 2, ..Self::PROGRAMMATIC };

    /// Whether the node behind waits for the end of the one before.
    pub fn is_full(self) -> bool {
        self.from_port == 0
    }
}

/// A node.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// To be done in a launch of the graph.
    pub work: Work,
    /// The nodes that it follows, by their handles.
    pub after: Frontier,
    /// Whether a launch of the graph does its work.
    pub is_enabled: bool,
    /// The node that it is a copy of, in a clone.
    pub original: Option<usize>,
    /// The addresses of its arguments, if the program has asked for them.
    pub arguments: Vec<usize>,
}

impl Node {
    fn new(work: Work, after: Frontier) -> Self {
        Self { work, after, is_enabled: true, original: None, arguments: Vec::new() }
    }
}

/// A graph, or an executable copy of one, in which nodes have the handles of their originals.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    /// The nodes by their handles, which are in the order in which they were made.
    pub nodes: BTreeMap<usize, Node>,
    /// Whether it can be launched.
    pub is_executable: bool,
    /// The flags that it was instantiated with.
    pub flags: u64,
}

impl Graph {
    /// The handles of the nodes, each behind those that it follows.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] for a cycle.
    pub fn in_order(&self) -> Result<Vec<usize>> {
        let mut left: BTreeMap<usize, usize> =
            self.nodes.iter().map(|(handle, node)| (*handle, node.after.len())).collect();
        let mut behind = BTreeMap::<usize, Vec<usize>>::new();
        for (handle, node) in &self.nodes {
            node.after.keys().for_each(|before| behind.entry(*before).or_default().push(*handle));
        }
        let mut ready: BTreeSet<usize> =
            left.iter().filter(|(_, count)| **count == 0).map(|(handle, _)| *handle).collect();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(next) = ready.pop_first() {
            order.push(next);
            for handle in behind.remove(&next).unwrap_or_default() {
                if let Some(count) = left.get_mut(&handle) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert(handle);
                    }
                }
            }
        }
        if order.len() == self.nodes.len() { Ok(order) } else { Err(Error::INVALID_VALUE) }
    }

    /// The edges, by the nodes behind.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, Edge)> {
        self.nodes
            .iter()
            .flat_map(|(to, node)| node.after.iter().map(move |(from, edge)| (*from, *to, *edge)))
    }

    /// Whether another graph has the same nodes and edges, apart from what a launch does in them;
    /// if not, the first node that differs.
    fn differs(&self, other: &Graph) -> Option<(usize, bool)> {
        if self.nodes.len() != other.nodes.len() {
            return Some((0, false));
        }
        let numbers = |graph: &Graph| -> BTreeMap<usize, usize> {
            graph.nodes.keys().enumerate().map(|(number, handle)| (*handle, number)).collect()
        };
        let (own, others) = (numbers(self), numbers(other));
        let after = |node: &Node, numbers: &BTreeMap<usize, usize>| -> Vec<(usize, Edge)> {
            node.after.iter().filter_map(|(handle, edge)| Some((*numbers.get(handle)?, *edge))).collect()
        };
        let pairs = self.nodes.values().zip(&other.nodes);
        pairs.into_iter().find_map(|(one, (handle, two))| match one.work.kind() == two.work.kind() {
            false => Some((*handle, true)),
            true => (after(one, &own) != after(two, &others)).then_some((*handle, false)),
        })
    }
}

/// Captures and graphs, by the handles that programs have.
#[derive(Debug, Default)]
pub struct Graphs {
    captures: Vec<capture::Capture>,
    graphs: BTreeMap<usize, Graph>,
    next: usize,
    /// The nodes and edges that a program was told about last, at the addresses that it has.
    pub told: (Vec<usize>, Vec<Edge>),
    /// The streams in which a graph of a stream runs.
    branches: BTreeMap<Stream, Vec<Stream>>,
}

/// Handles are multiples of 16 from here on, which are not addresses of anything.
const FIRST: usize = 0x20_0000;

impl Graphs {
    fn handle(&mut self) -> usize {
        self.next += 16;
        FIRST + self.next
    }

    /// A graph without nodes.
    pub fn create(&mut self) -> usize {
        let handle = self.handle();
        self.graphs.insert(handle, Graph::default());
        handle
    }

    /// A graph.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn get(&self, graph: usize) -> Result<&Graph> {
        self.graphs.get(&graph).ok_or(Error::INVALID_VALUE)
    }

    /// A graph to change.
    fn get_mut(&mut self, graph: usize) -> Result<&mut Graph> {
        self.graphs.get_mut(&graph).ok_or(Error::INVALID_VALUE)
    }

    /// Adds a node that follows others; its handle.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] for a graph that is not one or can be launched, or that does not
    /// have the other nodes.
    pub fn add(&mut self, graph: usize, work: Work, after: Frontier) -> Result<usize> {
        let handle = self.handle();
        let own = self.get_mut(graph)?;
        if own.is_executable || after.keys().any(|before| !own.nodes.contains_key(before)) {
            return Err(Error::INVALID_VALUE);
        }
        own.nodes.insert(handle, Node::new(work, after));
        Ok(handle)
    }

    /// The graph of a node, if it cannot be launched.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn graph_of(&self, node: usize) -> Result<usize> {
        let has = |graph: &Graph| !graph.is_executable && graph.nodes.contains_key(&node);
        let found = self.graphs.iter().find(|(_, graph)| has(graph));
        found.map(|(handle, _)| *handle).ok_or(Error::INVALID_VALUE)
    }

    /// A node of a graph, or of the graph that has it.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn node(&mut self, graph: Option<usize>, node: usize) -> Result<&mut Node> {
        let graph = graph.map_or_else(|| self.graph_of(node), Ok)?;
        self.get_mut(graph)?.nodes.get_mut(&node).ok_or(Error::INVALID_VALUE)
    }

    /// A copy of a graph, with copies of those in its nodes.
    fn copy(&mut self, graph: usize, is_executable: bool) -> Result<usize> {
        let from = self.get(graph)?.clone();
        let mut to = Graph { is_executable, flags: from.flags, ..Graph::default() };
        let mut handles = BTreeMap::new();
        for node in from.nodes.keys() {
            let own = if is_executable { *node } else { self.handle() };
            handles.insert(*node, own);
        }
        for (handle, mut node) in from.nodes {
            node.after = node.after.into_iter().map(|(before, edge)| (handles[&before], edge)).collect();
            if let Work::Child(child) = &mut node.work {
                *child = self.copy(*child, is_executable)?;
            }
            (node.original, node.arguments) = (Some(handle), Vec::new());
            to.nodes.insert(handles[&handle], node);
        }
        let handle = self.handle();
        self.graphs.insert(handle, to);
        Ok(handle)
    }

    /// A copy of a graph, whose nodes have handles of their own.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn clone_graph(&mut self, graph: usize) -> Result<usize> {
        match self.get(graph)?.is_executable {
            true => Err(Error::INVALID_VALUE),
            false => self.copy(graph, false),
        }
    }

    /// A copy of a graph that can be launched.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`], also for a graph with a cycle.
    pub fn instantiate(&mut self, graph: usize, flags: u64) -> Result<usize> {
        let own = self.get(graph)?;
        if own.is_executable {
            return Err(Error::INVALID_VALUE);
        }
        own.in_order()?;
        let handle = self.copy(graph, true)?;
        self.get_mut(handle)?.flags = flags;
        Ok(handle)
    }

    /// Gives an executable graph the work of another graph of the same shape. Otherwise the first
    /// node that differs, and whether its kind does.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn update(&mut self, executable: usize, graph: usize) -> Result<Option<(usize, bool)>> {
        let (own, other) = (self.get(executable)?, self.get(graph)?);
        if !own.is_executable || other.is_executable {
            return Err(Error::INVALID_VALUE);
        }
        if let Some(node) = own.differs(other) {
            return Ok(Some(node));
        }
        let mut works: Vec<Work> = other.nodes.values().map(|node| node.work.clone()).collect();
        for work in &mut works {
            if let Work::Child(child) = work {
                *child = self.copy(*child, true)?;
            }
        }
        let own = self.get_mut(executable)?;
        let before: Vec<_> = own
            .nodes
            .values_mut()
            .zip(works)
            .map(|(node, work)| std::mem::replace(&mut node.work, work))
            .collect();
        before.iter().for_each(|work| self.forget(work));
        Ok(None)
    }

    /// Adds or removes edges.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] if one of the nodes is not there, or an edge is there already or is
    /// not.
    pub fn connect(&mut self, graph: usize, edges: &[(usize, usize, Edge)], adds: bool) -> Result<()> {
        let own = self.get_mut(graph)?;
        let is_wrong = |(from, to, edge): &(usize, usize, Edge)| match own.nodes.get(to) {
            Some(node) if own.nodes.contains_key(from) && from != to => match adds {
                true => node.after.contains_key(from),
                false => node.after.get(from) != Some(edge),
            },
            _ => true,
        };
        if own.is_executable || edges.iter().any(is_wrong) {
            return Err(Error::INVALID_VALUE);
        }
        for (from, to, edge) in edges {
            if let Some(node) = own.nodes.get_mut(to) {
                match adds {
                    true => node.after.insert(*from, *edge),
                    false => node.after.remove(from),
                };
            }
        }
        Ok(())
    }

    /// Removes a node with its edges.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn remove(&mut self, node: usize) -> Result<()> {
        let graph = self.graph_of(node)?;
        let own = self.get_mut(graph)?;
        let removed = own.nodes.remove(&node);
        own.nodes.values_mut().for_each(|other| {
            other.after.remove(&node);
        });
        removed.iter().for_each(|node| self.forget(&node.work));
        Ok(())
    }

    /// Forgets the graph in a node.
    pub fn forget(&mut self, work: &Work) {
        if let Work::Child(child) = work {
            let _ = self.destroy(*child);
        }
    }

    /// Forgets a graph.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn destroy(&mut self, graph: usize) -> Result<()> {
        let own = self.graphs.remove(&graph).ok_or(Error::INVALID_VALUE)?;
        own.nodes.values().for_each(|node| self.forget(&node.work));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(all: &[usize]) -> Frontier {
        all.iter().map(|handle| (*handle, Edge::default())).collect()
    }

    #[test]
    fn nodes_come_behind_those_that_they_follow() {
        let mut graphs = Graphs::default();
        let graph = graphs.create();
        let [a, b, c] = [(); 3].map(|()| graphs.add(graph, Work::Empty, Frontier::new()).unwrap());
        graphs.connect(graph, &[(c, a, Edge::default()), (b, c, Edge::default())], true).unwrap();
        assert_eq!(graphs.get(graph).unwrap().in_order(), Ok(vec![b, c, a]));
        let again = graphs.connect(graph, &[(c, a, Edge::default())], true);
        let absent = graphs.connect(graph, &[(a, b, Edge::default())], false);
        assert_eq!([again, absent], [Err(Error::INVALID_VALUE); 2]);
        graphs.connect(graph, &[(a, b, Edge::default())], true).unwrap();
        assert_eq!(graphs.instantiate(graph, 0), Err(Error::INVALID_VALUE), "it has a cycle");
        graphs.remove(c).unwrap();
        assert_eq!(graphs.get(graph).unwrap().in_order(), Ok(vec![a, b]));
    }

    #[test]
    fn a_clone_has_nodes_of_its_own_and_an_executable_graph_has_not() {
        let mut graphs = Graphs::default();
        let graph = graphs.create();
        let inner = graphs.create();
        let a = graphs.add(graph, Work::Child(inner), Frontier::new()).unwrap();
        let b = graphs.add(graph, Work::Empty, follow(&[a])).unwrap();
        let clone = graphs.clone_graph(graph).unwrap();
        let own = graphs.get(clone).unwrap();
        let originals: Vec<_> = own.nodes.values().map(|node| node.original).collect();
        assert_eq!(originals, [Some(a), Some(b)]);
        assert!(!own.nodes.contains_key(&a) && own.edges().count() == 1);
        let executable = graphs.instantiate(graph, 0).unwrap();
        assert!(graphs.get(executable).unwrap().nodes.contains_key(&a));
        assert_eq!(graphs.graph_of(a), Ok(graph));
        assert_eq!(graphs.update(executable, clone), Ok(None));
        let count = graphs.graphs.len();
        [clone, executable, graph].iter().for_each(|graph| graphs.destroy(*graph).unwrap());
        assert_eq!((count, graphs.graphs.len()), (6, 0));
    }

    #[test]
    fn an_update_of_another_shape_names_the_node() {
        let mut graphs = Graphs::default();
        let [one, two] = [(); 2].map(|()| graphs.create());
        let first = graphs.add(one, Work::Empty, Frontier::new()).unwrap();
        graphs.add(one, Work::Empty, follow(&[first])).unwrap();
        let [_, other] = [(); 2].map(|()| graphs.add(two, Work::Empty, Frontier::new()).unwrap());
        let executable = graphs.instantiate(one, 0).unwrap();
        assert_eq!(graphs.update(executable, two), Ok(Some((other, false))));
        graphs.node(None, other).unwrap().work = Work::Wait(0);
        assert_eq!(graphs.update(executable, two), Ok(Some((other, true))));
    }
}
