//! The nodes of graphs: how programs describe their work.

use std::ffi::{c_int, c_uint, c_void};

use crate::{
    api::{
        copies::{Copy3, DriverCopy3, Parts, read},
        graph::frontier,
        launch::{HINTS, arguments},
        non_null,
        occupancy::{AttributeValue, LaunchAttribute},
        symbol, write,
    },
    error::{Error, Result},
    functions,
    graph::{Edge, HostFunction, Work},
    launch::Asked,
    memory::Kind,
    parts::Part,
    state::with,
};

/// `cudaKernelNodeParams`, and `CUDA_KERNEL_NODE_PARAMS` of the first version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Launch {
    function: usize,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    arguments: *const *const c_void,
    extra: *const usize,
}

/// `CUDA_KERNEL_NODE_PARAMS` of the second and third version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct DriverLaunch {
    launch: Launch,
    kernel: usize,
    context: usize,
}

/// `cudaMemsetParams`, and `CUDA_MEMSET_NODE_PARAMS`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Set {
    to: u64,
    pitch: usize,
    value: u32,
    element: u32,
    width: usize,
    height: usize,
}

/// `cudaMemAllocNodeParams`, of which the properties of the pool do not count.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Allocation {
    pool: [u64; 11],
    access: usize,
    count: usize,
    bytes: usize,
    address: u64,
}

/// `cudaGraphNodeParams`, and `CUgraphNodeParams`.
#[repr(C)]
struct Given {
    kind: c_int,
    reserved: [c_int; 3],
    own: [u64; 29],
    end: u64,
}

/// How the structures of an interface differ from those of the other one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interface {
    Runtime,
    Driver,
}

/// The name of a copy and of a set in findings.
const COPY: &str = "a copy of a graph";
const SET: &str = "a set of a graph";

impl Launch {
    /// The work of a node, with the attributes that it had before.
    fn work(&self, before: Option<&Asked>) -> Result<Work> {
        // SAFETY: the program passes an address for each parameter, or a list of them.
        let words = unsafe { arguments(self.function, self.arguments, self.extra) }?;
        let asked = Asked {
            grid: self.grid,
            block: self.block,
            shared: self.shared as usize,
            ..before.cloned().unwrap_or_default()
        };
        Ok(Work::Launch { function: self.function, asked, words })
    }
}

impl DriverLaunch {
    fn launch(mut self) -> Launch {
        if self.launch.function == 0 {
            self.launch.function = self.kernel;
        }
        self.launch
    }
}

impl Set {
    fn work(&self) -> Result<Work> {
        if ![1, 2, 4].contains(&self.element) {
            return Err(Error::INVALID_VALUE);
        }
        let element = self.value.to_le_bytes()[..self.element as usize].to_vec();
        let bytes = self.width.checked_mul(element.len()).ok_or(Error::INVALID_VALUE)?;
        let pitch = if self.height <= 1 { bytes } else { self.pitch };
        let to = Part::of_rows(self.to, pitch);
        Ok(Work::Set { to, element, extents: [self.width, self.height, 1], name: SET })
    }
}

fn copy((to, from, extents): Parts) -> Work {
    Work::Copy { to, from, extents, name: COPY }
}

fn row(to: u64, from: u64, bytes: usize, kind: c_int) -> Result<Work> {
    if !(0..=4).contains(&kind) {
        return Err(Error::INVALID_MEMCPY_DIRECTION);
    }
    Ok(copy((Part::of(to, bytes), Part::of(from, bytes), [bytes, 1, 1])))
}

fn host(given: *const HostFunction) -> Result<Work> {
    let function = read(given)?;
    if function.function == 0 { Err(Error::INVALID_VALUE) } else { Ok(Work::Host(function)) }
}

fn child(graph: usize) -> Result<Work> {
    Ok(Work::Child(with(|state| state.graphs.clone_graph(graph))?))
}

fn event(event: usize, work: fn(usize) -> Work) -> Result<Work> {
    with(|state| state.streams.event(event).map(|_| ()))?;
    Ok(work(event))
}

fn allocation(given: *mut Allocation) -> Result<Work> {
    let given = non_null(given)?;
    // SAFETY: the program passes a structure.
    let given = unsafe { &mut *given };
    given.address = with(|state| state.allocate(Kind::Device, given.bytes))?;
    Ok(Work::Allocate(given.address))
}

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
fn asked(executable: Option<usize>, node: usize) -> Option<Asked> {
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

/// The work of a node that some structure describes.
fn described(interface: Interface, given: *mut Given, before: Option<&Asked>) -> Result<Work> {
    let given = non_null(given)?;
    // SAFETY: the program passes a structure, whose kind tells the rest.
    let (kind, at) = unsafe { ((*given).kind, (&raw mut (*given).own).cast::<u64>()) };
    let word = |number: usize| {
        // SAFETY: the structure has more words.
        unsafe { *at.add(number) }
    };
    let of_driver = interface == Interface::Driver;
    match kind {
        0 if of_driver => read(at.cast::<DriverLaunch>())?.launch().work(before),
        0 => read(at.cast::<Launch>())?.work(before),
        // SAFETY: flags and a context, or reserved words, come before the copy.
        1 if of_driver => Ok(copy(read(unsafe { at.add(2) }.cast::<DriverCopy3>())?.parts()?)),
        // SAFETY: as above.
        1 => Ok(copy(read(unsafe { at.add(2) }.cast::<Copy3>())?.parts()?)),
        2 => read(at.cast::<Set>())?.work(),
        3 => host(at.cast()),
        4 => child(word(0) as usize),
        5 => Ok(Work::Empty),
        6 => event(word(0) as usize, Work::Wait),
        7 => event(word(0) as usize, Work::Record),
        10 => allocation(at.cast()),
        11 => Ok(Work::Free(word(0))),
        8 | 9 | 12 | 13 => Err(Error::NOT_SUPPORTED),
        _ => Err(Error::INVALID_VALUE),
    }
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

fn parts_of(work: &Work) -> Option<Parts> {
    match work {
        Work::Copy { to, from, extents, .. } => Some((*to, *from, *extents)),
        _ => None,
    }
}

fn set_of(work: &Work) -> Option<Set> {
    let Work::Set { to, element, extents: [width, height, _], .. } = work else { return None };
    let value = element.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
    let (element, width, height) = (element.len() as u32, *width, *height);
    Some(Set { to: to.at, pitch: to.pitch, value, element, width, height })
}

fn host_of(work: &Work) -> Option<HostFunction> {
    if let Work::Host(function) = work { Some(*function) } else { None }
}

fn child_of(work: &Work) -> Option<usize> {
    if let Work::Child(graph) = work { Some(*graph) } else { None }
}

fn waited(work: &Work) -> Option<usize> {
    if let Work::Wait(event) = work { Some(*event) } else { None }
}

fn recorded(work: &Work) -> Option<usize> {
    if let Work::Record(event) = work { Some(*event) } else { None }
}

fn freed(work: &Work) -> Option<u64> {
    if let Work::Free(address) = work { Some(*address) } else { None }
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
            *asked = Asked { grid, block, shared, ..from };
            Ok(())
        }
        _ => Err(Error::INVALID_VALUE),
    })
}

/// A copy to a variable, or from it.
fn of_symbol(symbol: usize, other: u64, bytes: usize, at: usize, is_to: bool) -> Result<Work> {
    let own = with(|state| symbol::inside(state, symbol, at, bytes))?;
    let (to, from) = if is_to { (own, other) } else { (other, own) };
    row(to, from, bytes, 4)
}

use Interface::{Driver, Runtime};

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes are those of gcc 12 for the headers of CUDA 12.9 and 13.0, which agree.
    #[test]
    fn structures_have_the_sizes_of_the_headers() {
        let own = [size_of::<Launch>(), size_of::<DriverLaunch>(), size_of::<Set>(), size_of::<Allocation>()];
        assert_eq!(own, [56, 72, 40, 120]);
        assert_eq!((size_of::<Given>(), std::mem::offset_of!(Given, own)), (256, 16));
    }
}
