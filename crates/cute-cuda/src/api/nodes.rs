//! The nodes of graphs, whose work is described in `params`.

use std::ffi::{c_int, c_uint};

use crate::{
    api::{
        copies::{Copy3, DriverCopy3, read},
        graph::frontier,
        launch::HINTS,
        non_null,
        occupancy::{AttributeValue, LaunchAttribute},
        params::{
            Allocation, DriverLaunch, Given,
            Interface::{Driver, Runtime},
            Launch, Set, allocation, child, child_of, copy, described, event, freed, host, host_of,
            of_symbol, parts_of, recorded, row, set_of, waited,
        },
        write,
    },
    error::{Error, Result},
    functions,
    graph::{Edge, HostFunction, Work},
    launch::AskedLaunch,
    state::with,
};

/// The nodes before a new one: their handles, the data of the edges, and their number.
type Before = (*const usize, *const Edge, usize);

fn add(to: *mut usize, graph: usize, (nodes, edges, count): Before, work: Result<Work>) -> Result<()> {
    non_null(to)?;
    let (after, work) = (frontier(nodes, edges, count)?, work?);
    let node = with(|state| state.graphs.add(graph, work, after))?;
    write(to, node)
}

fn plain(nodes: *const usize, count: usize) -> Before {
    (nodes, std::ptr::null(), count)
}

/// Gives a node other work of the same kind.
fn set(executable: Option<usize>, node: usize, work: Result<Work>) -> Result<()> {
    let work = work?;
    with(|state| {
        let own = state.graphs.node(executable, node)?;
        if own.work.kind() != work.kind() {
            return Err(Error::INVALID_VALUE);
        }
        own.arguments.clear();
        let before = std::mem::replace(&mut own.work, work);
        state.graphs.forget(&before);
        Ok(())
    })
}

/// Gives a node of an executable graph another graph.
fn set_child(executable: usize, node: usize, graph: usize) -> Result<()> {
    let graph = with(|state| {
        let clone = state.graphs.clone_graph(graph)?;
        let inner = state.graphs.instantiate(clone, 0);
        state.graphs.destroy(clone)?;
        inner
    });
    set(Some(executable), node, graph.map(Work::Child))
}

/// How a kernel's node is launched.
fn asked(executable: Option<usize>, node: usize) -> Option<AskedLaunch> {
    let read = with(|state| match &state.graphs.node(executable, node)?.work {
        Work::Launch { asked, .. } => Ok(asked.clone()),
        _ => Err(Error::INVALID_VALUE),
    });
    read.ok()
}

fn set_launch(executable: Option<usize>, node: usize, given: Result<Launch>) -> Result<()> {
    let work = given.and_then(|given| given.work(asked(executable, node).as_ref()));
    set(executable, node, work)
}

/// Writes what a function reads from the work of a node.
fn get<T>(node: usize, to: *mut T, read: impl FnOnce(&Work) -> Option<T>) -> Result<()> {
    non_null(to)?;
    let value = with(|state| read(&state.graphs.node(None, node)?.work).ok_or(Error::INVALID_VALUE))?;
    write(to, value)
}

/// A launch, whose arguments belong to the node.
fn launch_of(node: usize, to: *mut Launch) -> Result<()> {
    non_null(to)?;
    let launch = with(|state| {
        let Work::Launch { function, asked, words } = &state.graphs.node(None, node)?.work else {
            return Err(Error::INVALID_VALUE);
        };
        let (function, asked, at) = (*function, asked.clone(), words.as_ptr());
        let widths = state.widths(function)?;
        let mut number = 0;
        let addresses = widths.into_iter().map(|width| {
            let address = at.wrapping_add(number) as usize;
            number += width.div_ceil(8);
            address
        });
        let own = state.graphs.node(None, node)?;
        own.arguments = addresses.collect();
        let arguments = own.arguments.as_ptr().cast();
        let shared = asked.shared as u32;
        let (grid, block) = (asked.grid, asked.block);
        Ok(Launch { function, grid, block, shared, arguments, extra: std::ptr::null() })
    })?;
    write(to, launch)
}

fn driver_launch_of(node: usize, to: *mut DriverLaunch) -> Result<()> {
    let to = non_null(to)?;
    // SAFETY: the program passes a structure, which begins with the other one.
    unsafe { (&raw mut (*to).kernel).write(0) };
    // SAFETY: as above.
    unsafe { (&raw mut (*to).context).write(0) };
    launch_of(node, to.cast())
}

fn attribute(node: usize, kind: c_uint, to: *mut AttributeValue) -> Result<()> {
    let asked = asked(None, node).ok_or(Error::INVALID_VALUE)?;
    let three = |extents: Option<[u32; 3]>| {
        let mut value = AttributeValue::default();
        value.0[..3].copy_from_slice(&extents.unwrap_or_default());
        value
    };
    let value = match kind {
        2 => three(Some([asked.cooperative.into(), 0, 0])),
        4 => three(asked.cluster),
        11 => three(asked.preferred_cluster),
        kind if HINTS.iter().any(|(hint, _)| *hint == kind) => AttributeValue::default(),
        _ => return Err(Error::INVALID_VALUE),
    };
    write(to, value)
}

fn set_attribute(node: usize, kind: c_uint, from: *const AttributeValue) -> Result<()> {
    let attribute = LaunchAttribute { kind, value: read(from)? };
    with(|state| {
        let Work::Launch { asked, .. } = &state.graphs.node(None, node)?.work else {
            return Err(Error::INVALID_VALUE);
        };
        let mut asked = asked.clone();
        attribute.apply(&mut asked, state)?;
        if let Work::Launch { asked: own, .. } = &mut state.graphs.node(None, node)?.work {
            *own = asked;
        }
        Ok(())
    })
}

fn copy_attributes(to: usize, from: usize) -> Result<()> {
    let from = asked(None, from).ok_or(Error::INVALID_VALUE)?;
    with(|state| match &mut state.graphs.node(None, to)?.work {
        Work::Launch { asked, .. } => {
            let (grid, block, shared) = (asked.grid, asked.block, asked.shared);
            *asked = AskedLaunch { grid, block, shared, ..from };
            Ok(())
        }
        _ => Err(Error::INVALID_VALUE),
    })
}

functions! {
    fn cudaGraphMemsetNodeGetParams(node: usize, to: *mut Set) { get(node, to, set_of) }
    fn cudaGraphMemsetNodeSetParams(node: usize, given: *const Set) { set(None, node, read(given).and_then(|given| given.work())) }
    fn cudaGraphAddHostNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const HostFunction) {
        add(to, graph, plain(nodes, count), host(given))
    }
    fn cudaGraphHostNodeGetParams(node: usize, to: *mut HostFunction) { get(node, to, host_of) }
    fn cudaGraphHostNodeSetParams(node: usize, given: *const HostFunction) { set(None, node, host(given)) }
    fn cudaGraphExecHostNodeSetParams(graph: usize, node: usize, given: *const HostFunction) { set(Some(graph), node, host(given)) }
    fn cudaGraphAddChildGraphNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, inner: usize) {
        add(to, graph, plain(nodes, count), child(inner))
    }
    fn cudaGraphChildGraphNodeGetGraph(node: usize, to: *mut usize) { get(node, to, child_of) }
    fn cudaGraphExecChildGraphNodeSetParams(graph: usize, node: usize, inner: usize) { set_child(graph, node, inner) }
    fn cudaGraphAddEmptyNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize) {
        add(to, graph, plain(nodes, count), Ok(Work::Empty))
    }
    fn cudaGraphAddEventRecordNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, own: usize) {
        add(to, graph, plain(nodes, count), event(own, Work::Record))
    }
    fn cudaGraphEventRecordNodeGetEvent(node: usize, to: *mut usize) { get(node, to, recorded) }
    fn cudaGraphEventRecordNodeSetEvent(node: usize, own: usize) { set(None, node, event(own, Work::Record)) }
    fn cudaGraphExecEventRecordNodeSetEvent(graph: usize, node: usize, own: usize) { set(Some(graph), node, event(own, Work::Record)) }
    fn cudaGraphAddEventWaitNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, own: usize) {
        add(to, graph, plain(nodes, count), event(own, Work::Wait))
    }
    fn cudaGraphEventWaitNodeGetEvent(node: usize, to: *mut usize) { get(node, to, waited) }
    fn cudaGraphEventWaitNodeSetEvent(node: usize, own: usize) { set(None, node, event(own, Work::Wait)) }
    fn cudaGraphExecEventWaitNodeSetEvent(graph: usize, node: usize, own: usize) { set(Some(graph), node, event(own, Work::Wait)) }
    fn cudaGraphAddMemAllocNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *mut Allocation) {
        add(to, graph, plain(nodes, count), allocation(given))
    }
    fn cudaGraphAddMemFreeNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, at: u64) {
        add(to, graph, plain(nodes, count), Ok(Work::Free(at)))
    }
    fn cudaGraphMemFreeNodeGetParams(node: usize, to: *mut u64) { get(node, to, freed) }
    fn cudaGraphKernelNodeGetAttribute(node: usize, kind: c_uint, to: *mut AttributeValue) { attribute(node, kind, to) }
    fn cudaGraphKernelNodeSetAttribute(node: usize, kind: c_uint, from: *const AttributeValue) { set_attribute(node, kind, from) }
    fn cudaGraphKernelNodeCopyAttributes(to: usize, from: usize) { copy_attributes(to, from) }
    fn cuGraphMemsetNodeGetParams(node: usize, to: *mut Set) { get(node, to, set_of) }
    fn cuGraphMemsetNodeSetParams(node: usize, given: *const Set) { set(None, node, read(given).and_then(|given| given.work())) }
    fn cuGraphAddHostNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const HostFunction) {
        add(to, graph, plain(nodes, count), host(given))
    }
    fn cuGraphHostNodeGetParams(node: usize, to: *mut HostFunction) { get(node, to, host_of) }
    fn cuGraphHostNodeSetParams(node: usize, given: *const HostFunction) { set(None, node, host(given)) }
    fn cuGraphExecHostNodeSetParams(graph: usize, node: usize, given: *const HostFunction) { set(Some(graph), node, host(given)) }
    fn cuGraphAddChildGraphNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, inner: usize) {
        add(to, graph, plain(nodes, count), child(inner))
    }
    fn cuGraphChildGraphNodeGetGraph(node: usize, to: *mut usize) { get(node, to, child_of) }
    fn cuGraphExecChildGraphNodeSetParams(graph: usize, node: usize, inner: usize) { set_child(graph, node, inner) }
    fn cuGraphAddEmptyNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize) {
        add(to, graph, plain(nodes, count), Ok(Work::Empty))
    }
    fn cuGraphAddEventRecordNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, own: usize) {
        add(to, graph, plain(nodes, count), event(own, Work::Record))
    }
    fn cuGraphEventRecordNodeGetEvent(node: usize, to: *mut usize) { get(node, to, recorded) }
    fn cuGraphEventRecordNodeSetEvent(node: usize, own: usize) { set(None, node, event(own, Work::Record)) }
    fn cuGraphExecEventRecordNodeSetEvent(graph: usize, node: usize, own: usize) { set(Some(graph), node, event(own, Work::Record)) }
    fn cuGraphAddEventWaitNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, own: usize) {
        add(to, graph, plain(nodes, count), event(own, Work::Wait))
    }
    fn cuGraphEventWaitNodeGetEvent(node: usize, to: *mut usize) { get(node, to, waited) }
    fn cuGraphEventWaitNodeSetEvent(node: usize, own: usize) { set(None, node, event(own, Work::Wait)) }
    fn cuGraphExecEventWaitNodeSetEvent(graph: usize, node: usize, own: usize) { set(Some(graph), node, event(own, Work::Wait)) }
    fn cuGraphAddMemAllocNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *mut Allocation) {
        add(to, graph, plain(nodes, count), allocation(given))
    }
    fn cuGraphAddMemFreeNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, at: u64) {
        add(to, graph, plain(nodes, count), Ok(Work::Free(at)))
    }
    fn cuGraphMemFreeNodeGetParams(node: usize, to: *mut u64) { get(node, to, freed) }
    fn cuGraphKernelNodeGetAttribute(node: usize, kind: c_uint, to: *mut AttributeValue) { attribute(node, kind, to) }
    fn cuGraphKernelNodeSetAttribute(node: usize, kind: c_uint, from: *const AttributeValue) { set_attribute(node, kind, from) }
    fn cuGraphKernelNodeCopyAttributes(to: usize, from: usize) { copy_attributes(to, from) }
    fn cudaGraphAddKernelNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const Launch) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.work(None)))
    }
    fn cudaGraphKernelNodeGetParams(node: usize, to: *mut Launch) { launch_of(node, to) }
    fn cudaGraphKernelNodeSetParams(node: usize, given: *const Launch) { set_launch(None, node, read(given)) }
    fn cudaGraphExecKernelNodeSetParams(graph: usize, node: usize, given: *const Launch) {
        set_launch(Some(graph), node, read(given))
    }
    fn cuGraphAddKernelNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const Launch) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.work(None)))
    }
    fn cuGraphAddKernelNode_v2(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const DriverLaunch) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.launch().work(None)))
    }
    fn cuGraphKernelNodeGetParams(node: usize, to: *mut Launch) { launch_of(node, to) }
    fn cuGraphKernelNodeGetParams_v2(node: usize, to: *mut DriverLaunch) { driver_launch_of(node, to) }
    fn cuGraphKernelNodeSetParams(node: usize, given: *const Launch) { set_launch(None, node, read(given)) }
    fn cuGraphKernelNodeSetParams_v2(node: usize, given: *const DriverLaunch) {
        set_launch(None, node, read(given).map(DriverLaunch::launch))
    }
    fn cuGraphExecKernelNodeSetParams(graph: usize, node: usize, given: *const Launch) {
        set_launch(Some(graph), node, read(given))
    }
    fn cuGraphExecKernelNodeSetParams_v2(graph: usize, node: usize, given: *const DriverLaunch) {
        set_launch(Some(graph), node, read(given).map(DriverLaunch::launch))
    }
    fn cudaGraphAddMemcpyNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const Copy3) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.parts()).map(copy))
    }
    fn cudaGraphAddMemcpyNode1D(
        to: *mut usize, graph: usize, nodes: *const usize, count: usize, target: u64, source: u64, bytes: usize, kind: c_int,
    ) {
        add(to, graph, plain(nodes, count), row(target, source, bytes, kind))
    }
    fn cudaGraphAddMemcpyNodeToSymbol(
        to: *mut usize, graph: usize, nodes: *const usize, count: usize, symbol: usize, source: u64, bytes: usize, at: usize,
        _kind: c_int,
    ) {
        add(to, graph, plain(nodes, count), of_symbol(symbol, source, bytes, at, true))
    }
    fn cudaGraphAddMemcpyNodeFromSymbol(
        to: *mut usize, graph: usize, nodes: *const usize, count: usize, target: u64, symbol: usize, bytes: usize, at: usize,
        _kind: c_int,
    ) {
        add(to, graph, plain(nodes, count), of_symbol(symbol, target, bytes, at, false))
    }
    fn cudaGraphMemcpyNodeGetParams(node: usize, to: *mut Copy3) { get(node, to, |work| parts_of(work).map(Copy3::of)) }
    fn cudaGraphMemcpyNodeSetParams(node: usize, given: *const Copy3) {
        set(None, node, read(given).and_then(|given| given.parts()).map(copy))
    }
    fn cudaGraphMemcpyNodeSetParams1D(node: usize, target: u64, source: u64, bytes: usize, kind: c_int) {
        set(None, node, row(target, source, bytes, kind))
    }
    fn cudaGraphMemcpyNodeSetParamsToSymbol(node: usize, symbol: usize, source: u64, bytes: usize, at: usize, _kind: c_int) {
        set(None, node, of_symbol(symbol, source, bytes, at, true))
    }
    fn cudaGraphMemcpyNodeSetParamsFromSymbol(node: usize, target: u64, symbol: usize, bytes: usize, at: usize, _kind: c_int) {
        set(None, node, of_symbol(symbol, target, bytes, at, false))
    }
    fn cudaGraphExecMemcpyNodeSetParams(graph: usize, node: usize, given: *const Copy3) {
        set(Some(graph), node, read(given).and_then(|given| given.parts()).map(copy))
    }
    fn cudaGraphExecMemcpyNodeSetParams1D(graph: usize, node: usize, target: u64, source: u64, bytes: usize, kind: c_int) {
        set(Some(graph), node, row(target, source, bytes, kind))
    }
    fn cudaGraphExecMemcpyNodeSetParamsToSymbol(
        graph: usize, node: usize, symbol: usize, source: u64, bytes: usize, at: usize, _kind: c_int,
    ) {
        set(Some(graph), node, of_symbol(symbol, source, bytes, at, true))
    }
    fn cudaGraphExecMemcpyNodeSetParamsFromSymbol(
        graph: usize, node: usize, target: u64, symbol: usize, bytes: usize, at: usize, _kind: c_int,
    ) {
        set(Some(graph), node, of_symbol(symbol, target, bytes, at, false))
    }
    fn cuGraphAddMemcpyNode(
        to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const DriverCopy3, _context: usize,
    ) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.parts()).map(copy))
    }
    fn cuGraphMemcpyNodeGetParams(node: usize, to: *mut DriverCopy3) {
        get(node, to, |work| parts_of(work).map(DriverCopy3::of))
    }
    fn cuGraphMemcpyNodeSetParams(node: usize, given: *const DriverCopy3) {
        set(None, node, read(given).and_then(|given| given.parts()).map(copy))
    }
    fn cuGraphExecMemcpyNodeSetParams(graph: usize, node: usize, given: *const DriverCopy3, _context: usize) {
        set(Some(graph), node, read(given).and_then(|given| given.parts()).map(copy))
    }
    // The driver's have the context behind the others.
    fn cudaGraphAddMemsetNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const Set) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.work()))
    }
    fn cuGraphAddMemsetNode(
        to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *const Set, _context: usize,
    ) {
        add(to, graph, plain(nodes, count), read(given).and_then(|given| given.work()))
    }
    fn cudaGraphExecMemsetNodeSetParams(graph: usize, node: usize, given: *const Set) {
        set(Some(graph), node, read(given).and_then(|given| given.work()))
    }
    fn cuGraphExecMemsetNodeSetParams(graph: usize, node: usize, given: *const Set, _context: usize) {
        set(Some(graph), node, read(given).and_then(|given| given.work()))
    }
    fn cudaGraphAddNode(
        to: *mut usize, graph: usize, nodes: *const usize, edges: *const Edge, count: usize, given: *mut Given,
    ) {
        add(to, graph, (nodes, edges, count), described(Runtime, given, None))
    }
    fn add_12 = "cudaGraphAddNode@12" (to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *mut Given) {
        add(to, graph, plain(nodes, count), described(Runtime, given, None))
    }
    fn cudaGraphAddNode_v2(
        to: *mut usize, graph: usize, nodes: *const usize, edges: *const Edge, count: usize, given: *mut Given,
    ) {
        add(to, graph, (nodes, edges, count), described(Runtime, given, None))
    }
    fn cuGraphAddNode(to: *mut usize, graph: usize, nodes: *const usize, count: usize, given: *mut Given) {
        add(to, graph, plain(nodes, count), described(Driver, given, None))
    }
    fn cuGraphAddNode_v2(
        to: *mut usize, graph: usize, nodes: *const usize, edges: *const Edge, count: usize, given: *mut Given,
    ) {
        add(to, graph, (nodes, edges, count), described(Driver, given, None))
    }
    fn cudaGraphNodeSetParams(node: usize, given: *mut Given) {
        set(None, node, described(Runtime, given, asked(None, node).as_ref()))
    }
    fn cuGraphNodeSetParams(node: usize, given: *mut Given) {
        set(None, node, described(Driver, given, asked(None, node).as_ref()))
    }
    fn cudaGraphExecNodeSetParams(graph: usize, node: usize, given: *mut Given) {
        set(Some(graph), node, described(Runtime, given, asked(Some(graph), node).as_ref()))
    }
    fn cuGraphExecNodeSetParams(graph: usize, node: usize, given: *mut Given) {
        set(Some(graph), node, described(Driver, given, asked(Some(graph), node).as_ref()))
    }
}
