//! Graphs: what they consist of, executable ones, launches. The work of nodes is in `nodes`.

use std::{
    ffi::{c_char, c_int, c_uint},
    ptr, slice,
};

use crate::{
    api::{non_null, write},
    error::{Error, Result},
    functions,
    graph::{self, Edge, Frontier},
    state::with,
};

/// The elements of an array of C, which may be null if it has none.
///
/// # Errors
/// [`Error::INVALID_VALUE`].
pub(super) fn array<'a, T>(at: *const T, count: usize) -> Result<&'a [T]> {
    match count {
        0 => Ok(&[]),
        _ if at.is_null() => Err(Error::INVALID_VALUE),
        // SAFETY: the program passes an array of this length.
        _ => Ok(unsafe { slice::from_raw_parts(at, count) }),
    }
}

/// Nodes that another one follows. Without data, it follows their ends.
///
/// # Errors
/// [`Error::INVALID_VALUE`], also for a node that is there twice.
pub(super) fn frontier(nodes: *const usize, edges: *const Edge, count: usize) -> Result<Frontier> {
    let nodes = array(nodes, count)?;
    let edges = if edges.is_null() { None } else { Some(array(edges, count)?) };
    let edge = |at: usize| edges.map_or(Edge::default(), |edges| edges[at]);
    let all: Frontier = nodes.iter().enumerate().map(|(at, node)| (*node, edge(at))).collect();
    let is_known =
        |edge: &Edge| edge.from_port <= 2 && edge.to_port == 0 && edge.kind <= 1 && edge.reserved == [0; 5];
    if all.len() == count && all.values().all(is_known) { Ok(all) } else { Err(Error::INVALID_VALUE) }
}

/// Writes a list, as far as the program has room for it, and its length. Without room for anything
/// the program asks for the length alone.
fn list<T: Copy + Default>(all: &[T], to: *mut T, length: *mut usize) -> Result<()> {
    let length = non_null(length)?;
    if to.is_null() {
        return write(length, all.len());
    }
    // SAFETY: the program passes the length of its array, which it reads afterwards.
    let room = unsafe { length.read_unaligned() };
    for at in 0..room {
        // SAFETY: the array has this length.
        unsafe { to.add(at).write_unaligned(all.get(at).copied().unwrap_or_default()) };
    }
    write(length, all.len().min(room))
}

/// The second list of pairs, whose length is that of the first one.
fn beside<T: Copy + Default>(all: &[T], to: *mut T, room: usize) -> Result<()> {
    let mut room = room;
    if to.is_null() { Ok(()) } else { list(all, to, &raw mut room) }
}

type Nodes = *mut usize;

fn edges(graph: usize, (from, to, data): (Nodes, Nodes, *mut Edge), length: *mut usize) -> Result<()> {
    let length = non_null(length)?;
    if from.is_null() != to.is_null() || (from.is_null() && !data.is_null()) {
        return Err(Error::INVALID_VALUE);
    }
    let all: Vec<_> = with(|state| Ok(state.graphs.get(graph)?.edges().collect()))?;
    lossless(data, all.iter().map(|(.., edge)| edge))?;
    // SAFETY: the program passes the length of its arrays.
    let room = unsafe { length.read_unaligned() };
    beside(&all.iter().map(|(_, to, _)| *to).collect::<Vec<_>>(), to, room)?;
    beside(&all.iter().map(|(.., edge)| *edge).collect::<Vec<_>>(), data, room)?;
    list(&all.iter().map(|(from, ..)| *from).collect::<Vec<_>>(), from, length)
}

/// Without data, all edges are plain ones.
pub(super) fn lossless<'e>(data: *mut Edge, mut edges: impl Iterator<Item = &'e Edge>) -> Result<()> {
    let is_lost = data.is_null() && edges.any(|edge| *edge != Edge::default());
    if is_lost { Err(Error::LOSSY_QUERY) } else { Ok(()) }
}

/// The nodes that a node follows, or that follow it.
fn neighbours(node: usize, to: Nodes, data: *mut Edge, length: *mut usize, is_before: bool) -> Result<()> {
    let length = non_null(length)?;
    let all: Vec<(usize, Edge)> = with(|state| {
        let graph = state.graphs.get(state.graphs.graph_of(node)?)?;
        let near = graph.edges().filter_map(|(from, to, edge)| match is_before {
            true => (to == node).then_some((from, edge)),
            false => (from == node).then_some((to, edge)),
        });
        Ok(near.collect())
    })?;
    if !to.is_null() {
        lossless(data, all.iter().map(|(_, edge)| edge))?;
    }
    // SAFETY: the program passes the length of its arrays.
    let room = unsafe { length.read_unaligned() };
    beside(&all.iter().map(|(_, edge)| *edge).collect::<Vec<_>>(), data, room)?;
    list(&all.iter().map(|(near, _)| *near).collect::<Vec<_>>(), to, length)
}

fn connect(
    graph: usize,
    (from, to, data): (*const usize, *const usize, *const Edge),
    count: usize,
    adds: bool,
) -> Result<()> {
    let (from, to) = (array(from, count)?, array(to, count)?);
    let data = if data.is_null() { None } else { Some(array(data, count)?) };
    let edges = from.iter().zip(to).enumerate();
    let edges: Vec<_> =
        edges.map(|(at, (from, to))| (*from, *to, data.map_or(Edge::default(), |data| data[at]))).collect();
    with(|state| state.graphs.connect(graph, &edges, adds))
}

fn nodes(graph: usize, to: Nodes, length: *mut usize, roots: bool) -> Result<()> {
    let all: Vec<usize> = with(|state| {
        let graph = state.graphs.get(graph)?;
        let nodes = graph.nodes.iter().filter(|(_, node)| !roots || node.after.is_empty());
        Ok(nodes.map(|(handle, _)| *handle).collect())
    })?;
    list(&all, to, length)
}

fn create(to: *mut usize, flags: c_uint) -> Result<()> {
    non_null(to)?;
    if flags != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let graph = with(|state| Ok(state.graphs.create()))?;
    write(to, graph)
}

fn clone(to: *mut usize, graph: usize) -> Result<()> {
    non_null(to)?;
    write(to, with(|state| state.graphs.clone_graph(graph))?)
}

fn in_clone(to: *mut usize, original: usize, clone: usize) -> Result<()> {
    non_null(to)?;
    let node = with(|state| {
        let mut nodes = state.graphs.get(clone)?.nodes.iter();
        let found = nodes.find(|(_, node)| node.original == Some(original));
        found.map(|(handle, _)| *handle).ok_or(Error::INVALID_VALUE)
    })?;
    write(to, node)
}

fn kind(node: usize, to: *mut c_int) -> Result<()> {
    non_null(to)?;
    write(to, with(|state| state.graphs.node(None, node).map(|node| node.work.kind()))?)
}

fn instantiate(to: *mut usize, graph: usize, flags: u64) -> Result<()> {
    non_null(to)?;
    write(to, with(|state| state.graphs.instantiate(graph, flags))?)
}

/// `cudaGraphInstantiateParams`.
#[repr(C)]
struct Instantiation {
    flags: u64,
    upload: usize,
    node: usize,
    result: c_int,
}

fn instantiate_with(to: *mut usize, graph: usize, given: *mut Instantiation) -> Result<()> {
    let given = non_null(given)?;
    // SAFETY: the program passes a structure.
    let given = unsafe { &mut *given };
    let done = instantiate(to, graph, given.flags);
    (given.node, given.result) = (0, if done.is_ok() { 0 } else { 1 });
    done
}

/// `cudaGraphExecUpdateResultInfo`.
#[repr(C)]
struct Updated {
    result: c_int,
    node: usize,
    from: usize,
}

/// `cudaGraphExecUpdateErrorTopologyChanged`, and `cudaGraphExecUpdateErrorNodeTypeChanged`.
const TOPOLOGY: c_int = 2;
const NODE_TYPE: c_int = 3;

fn update(executable: usize, graph: usize, info: *mut Updated) -> Result<()> {
    let info = non_null(info)?;
    let (result, node) = match with(|state| state.graphs.update(executable, graph))? {
        None => (0, 0),
        Some((node, is_kind)) => (if is_kind { NODE_TYPE } else { TOPOLOGY }, node),
    };
    write(info, Updated { result, node, from: 0 })?;
    if result == 0 { Ok(()) } else { Err(Error::GRAPH_EXEC_UPDATE_FAILURE) }
}

fn update_before(executable: usize, graph: usize, node: *mut usize, result: *mut c_int) -> Result<()> {
    let mut info = Updated { result: 0, node: 0, from: 0 };
    let done = update(executable, graph, &raw mut info);
    write(result, info.result)?;
    if !node.is_null() {
        write(node, info.node)?;
    }
    done
}

fn set_enabled(executable: usize, node: usize, is_enabled: c_uint) -> Result<()> {
    with(|state| {
        let own = state.graphs.node(Some(executable), node)?;
        // Kernels, copies and sets may be disabled.
        if own.work.kind() > 2 {
            return Err(Error::INVALID_VALUE);
        }
        own.is_enabled = is_enabled != 0;
        Ok(())
    })
}

fn is_enabled(executable: usize, node: usize, to: *mut c_uint) -> Result<()> {
    write(to, with(|state| state.graphs.node(Some(executable), node).map(|node| node.is_enabled))?.into())
}

functions! {
    fn cudaGraphCreate(to: *mut usize, flags: c_uint) { create(to, flags) }
    fn cudaGraphDestroy(graph: usize) { with(|state| state.graphs.destroy(graph)) }
    fn cudaGraphExecDestroy(graph: usize) { with(|state| state.graphs.destroy(graph)) }
    fn cudaGraphClone(to: *mut usize, graph: usize) { clone(to, graph) }
    fn cudaGraphNodeFindInClone(to: *mut usize, original: usize, graph: usize) { in_clone(to, original, graph) }
    fn cudaGraphNodeGetType(node: usize, to: *mut c_int) { kind(node, to) }
    fn cudaGraphGetNodes(graph: usize, to: Nodes, length: *mut usize) { nodes(graph, to, length, false) }
    fn cudaGraphGetRootNodes(graph: usize, to: Nodes, length: *mut usize) { nodes(graph, to, length, true) }
    fn cudaGraphDestroyNode(node: usize) { with(|state| state.graphs.remove(node)) }
    fn cudaGraphInstantiateWithFlags(to: *mut usize, graph: usize, flags: u64) { instantiate(to, graph, flags) }
    fn cudaGraphInstantiateWithParams(to: *mut usize, graph: usize, given: *mut Instantiation) { instantiate_with(to, graph, given) }
    fn cudaGraphExecGetFlags(graph: usize, to: *mut u64) { write(to, with(|state| state.graphs.get(graph).map(|graph| graph.flags))?) }
    fn cudaGraphNodeSetEnabled(graph: usize, node: usize, to: c_uint) { set_enabled(graph, node, to) }
    fn cudaGraphNodeGetEnabled(graph: usize, node: usize, to: *mut c_uint) { is_enabled(graph, node, to) }
    fn cudaGraphLaunch(graph: usize, stream: usize) { graph::launch(graph, stream) }
    ignored "a graph is on the device" fn cudaGraphUpload(_graph: usize, _stream: usize) { Ok(()) }
    fn cuGraphCreate(to: *mut usize, flags: c_uint) { create(to, flags) }
    fn cuGraphDestroy(graph: usize) { with(|state| state.graphs.destroy(graph)) }
    fn cuGraphExecDestroy(graph: usize) { with(|state| state.graphs.destroy(graph)) }
    fn cuGraphClone(to: *mut usize, graph: usize) { clone(to, graph) }
    fn cuGraphNodeFindInClone(to: *mut usize, original: usize, graph: usize) { in_clone(to, original, graph) }
    fn cuGraphNodeGetType(node: usize, to: *mut c_int) { kind(node, to) }
    fn cuGraphGetNodes(graph: usize, to: Nodes, length: *mut usize) { nodes(graph, to, length, false) }
    fn cuGraphGetRootNodes(graph: usize, to: Nodes, length: *mut usize) { nodes(graph, to, length, true) }
    fn cuGraphDestroyNode(node: usize) { with(|state| state.graphs.remove(node)) }
    fn cuGraphInstantiateWithFlags(to: *mut usize, graph: usize, flags: u64) { instantiate(to, graph, flags) }
    fn cuGraphInstantiateWithParams(to: *mut usize, graph: usize, given: *mut Instantiation) { instantiate_with(to, graph, given) }
    fn cuGraphExecGetFlags(graph: usize, to: *mut u64) { write(to, with(|state| state.graphs.get(graph).map(|graph| graph.flags))?) }
    fn cuGraphNodeSetEnabled(graph: usize, node: usize, to: c_uint) { set_enabled(graph, node, to) }
    fn cuGraphNodeGetEnabled(graph: usize, node: usize, to: *mut c_uint) { is_enabled(graph, node, to) }
    fn cuGraphLaunch(graph: usize, stream: usize) { graph::launch(graph, stream) }
    ignored "a graph is on the device" fn cuGraphUpload(_graph: usize, _stream: usize) { Ok(()) }
    fn cudaGraphAddDependencies(graph: usize, from: *const usize, to: *const usize, data: *const Edge, count: usize) {
        connect(graph, (from, to, data), count, true)
    }
    fn add_edges_12 = "cudaGraphAddDependencies@12" (graph: usize, from: *const usize, to: *const usize, count: usize) {
        connect(graph, (from, to, ptr::null()), count, true)
    }
    fn cudaGraphAddDependencies_v2(graph: usize, from: *const usize, to: *const usize, data: *const Edge, count: usize) {
        connect(graph, (from, to, data), count, true)
    }
    fn cudaGraphRemoveDependencies(graph: usize, from: *const usize, to: *const usize, data: *const Edge, count: usize) {
        connect(graph, (from, to, data), count, false)
    }
    fn remove_edges_12 = "cudaGraphRemoveDependencies@12" (graph: usize, from: *const usize, to: *const usize, count: usize) {
        connect(graph, (from, to, ptr::null()), count, false)
    }
    fn cudaGraphRemoveDependencies_v2(graph: usize, from: *const usize, to: *const usize, data: *const Edge, count: usize) {
        connect(graph, (from, to, data), count, false)
    }
    fn cudaGraphGetEdges(graph: usize, from: Nodes, to: Nodes, data: *mut Edge, length: *mut usize) {
        edges(graph, (from, to, data), length)
    }
    fn edges_12 = "cudaGraphGetEdges@12" (graph: usize, from: Nodes, to: Nodes, length: *mut usize) {
        edges(graph, (from, to, ptr::null_mut()), length)
    }
    fn cudaGraphGetEdges_v2(graph: usize, from: Nodes, to: Nodes, data: *mut Edge, length: *mut usize) {
        edges(graph, (from, to, data), length)
    }
    fn cudaGraphNodeGetDependencies(node: usize, to: Nodes, data: *mut Edge, length: *mut usize) {
        neighbours(node, to, data, length, true)
    }
    fn before_12 = "cudaGraphNodeGetDependencies@12" (node: usize, to: Nodes, length: *mut usize) {
        neighbours(node, to, ptr::null_mut(), length, true)
    }
    fn cudaGraphNodeGetDependencies_v2(node: usize, to: Nodes, data: *mut Edge, length: *mut usize) {
        neighbours(node, to, data, length, true)
    }
    fn cudaGraphNodeGetDependentNodes(node: usize, to: Nodes, data: *mut Edge, length: *mut usize) {
        neighbours(node, to, data, length, false)
    }
    fn behind_12 = "cudaGraphNodeGetDependentNodes@12" (node: usize, to: Nodes, length: *mut usize) {
        neighbours(node, to, ptr::null_mut(), length, false)
    }
    fn cudaGraphNodeGetDependentNodes_v2(node: usize, to: Nodes, data: *mut Edge, length: *mut usize) {
        neighbours(node, to, data, length, false)
    }
    fn cuGraphAddDependencies(graph: usize, from: *const usize, to: *const usize, count: usize) {
        connect(graph, (from, to, ptr::null()), count, true)
    }
    fn cuGraphAddDependencies_v2(graph: usize, from: *const usize, to: *const usize, data: *const Edge, count: usize) {
        connect(graph, (from, to, data), count, true)
    }
    fn cuGraphRemoveDependencies(graph: usize, from: *const usize, to: *const usize, count: usize) {
        connect(graph, (from, to, ptr::null()), count, false)
    }
    fn cuGraphRemoveDependencies_v2(graph: usize, from: *const usize, to: *const usize, data: *const Edge, count: usize) {
        connect(graph, (from, to, data), count, false)
    }
    fn cuGraphGetEdges(graph: usize, from: Nodes, to: Nodes, length: *mut usize) {
        edges(graph, (from, to, ptr::null_mut()), length)
    }
    fn cuGraphGetEdges_v2(graph: usize, from: Nodes, to: Nodes, data: *mut Edge, length: *mut usize) {
        edges(graph, (from, to, data), length)
    }
    fn cuGraphNodeGetDependencies(node: usize, to: Nodes, length: *mut usize) {
        neighbours(node, to, ptr::null_mut(), length, true)
    }
    fn cuGraphNodeGetDependencies_v2(node: usize, to: Nodes, data: *mut Edge, length: *mut usize) {
        neighbours(node, to, data, length, true)
    }
    fn cuGraphNodeGetDependentNodes(node: usize, to: Nodes, length: *mut usize) {
        neighbours(node, to, ptr::null_mut(), length, false)
    }
    fn cuGraphNodeGetDependentNodes_v2(node: usize, to: Nodes, data: *mut Edge, length: *mut usize) {
        neighbours(node, to, data, length, false)
    }
    fn cudaGraphInstantiate(to: *mut usize, graph: usize, flags: u64) { instantiate(to, graph, flags) }
    fn cuGraphInstantiate(to: *mut usize, graph: usize, _node: usize, _log: *mut c_char, _bytes: usize) {
        instantiate(to, graph, 0)
    }
    fn cuGraphInstantiate_v2(to: *mut usize, graph: usize, _node: usize, _log: *mut c_char, _bytes: usize) {
        instantiate(to, graph, 0)
    }
    fn cudaGraphExecUpdate(executable: usize, graph: usize, info: *mut Updated) { update(executable, graph, info) }
    fn cuGraphExecUpdate(executable: usize, graph: usize, node: *mut usize, result: *mut c_int) {
        update_before(executable, graph, node, result)
    }
    fn cuGraphExecUpdate_v2(executable: usize, graph: usize, info: *mut Updated) { update(executable, graph, info) }
}
