//! Captures of streams.

use std::{
    cell::Cell,
    ffi::{c_int, c_uint},
    ptr,
};

use crate::{
    api::{
        graph::{frontier, lossless},
        non_null, write,
    },
    error::{Error, Result},
    functions,
    graph::{Edge, Frontier},
    state::with,
};

fn begin(stream: usize, into: Option<(usize, Frontier)>, mode: c_int) -> Result<()> {
    check_mode(mode)?;
    with(|state| {
        let stream = state.stream(stream)?;
        state.graphs.begin(stream, into)
    })
}

/// The greatest number of a `cudaStreamCaptureMode`.
fn check_mode(mode: c_int) -> Result<()> {
    if (0..=2).contains(&mode) { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

fn end(stream: usize, to: *mut usize) -> Result<()> {
    non_null(to)?;
    let graph = with(|state| {
        let stream = state.stream(stream)?;
        state.graphs.end(stream)
    });
    write(to, *graph.as_ref().unwrap_or(&0))?;
    graph.map(|_| ())
}

fn is_capturing(stream: usize, to: *mut c_int) -> Result<()> {
    non_null(to)?;
    let is_capturing = with(|state| {
        let stream = state.stream(stream)?;
        Ok(state.graphs.is_capturing(stream))
    })?;
    write(to, is_capturing.into())
}

/// A question of a program about a capture. Each address but the first one may be null.
#[derive(Default)]
struct Question {
    id: Option<*mut u64>,
    graph: Option<*mut usize>,
    nodes: Option<*mut *const usize>,
    edges: Option<*mut *const Edge>,
    count: Option<*mut usize>,
}

fn put<T>(to: Option<*mut T>, value: T) {
    if let Some(to) = to.filter(|to| !to.is_null()) {
        // SAFETY: the program passes the address of a variable.
        unsafe { to.write_unaligned(value) };
    }
}

fn info(stream: usize, status: *mut c_int, to: Question) -> Result<()> {
    non_null(status)?;
    with(|state| {
        let stream = state.stream(stream)?;
        let Some(captured) = state.graphs.captured(stream) else { return write(status, 0) };
        // The lists are valid until the next call.
        let (nodes, edges): (Vec<_>, Vec<_>) = captured.frontier.into_iter().unzip();
        if to.edges.is_none_or(|edges| edges.is_null()) && to.nodes.is_some_and(|nodes| !nodes.is_null()) {
            lossless(ptr::null_mut(), edges.iter())?;
        }
        put(to.id, captured.id);
        put(to.graph, captured.graph);
        put(to.count, nodes.len());
        state.graphs.told = (nodes, edges);
        put(to.nodes, state.graphs.told.0.as_ptr());
        put(to.edges, state.graphs.told.1.as_ptr());
        write(status, 1)
    })
}

fn update_capture(
    stream: usize,
    nodes: *const usize,
    edges: *const Edge,
    count: usize,
    flags: c_uint,
) -> Result<()> {
    if flags > 1 {
        return Err(Error::INVALID_VALUE);
    }
    let nodes = frontier(nodes, edges, count)?;
    with(|state| {
        let stream = state.stream(stream)?;
        state.graphs.set_frontier(stream, nodes, flags == 0)
    })
}

thread_local! {
    /// The mode of captures for the thread, which is of no consequence here.
    static MODE: Cell<c_int> = const { Cell::new(0) };
}

fn exchange(mode: *mut c_int) -> Result<()> {
    let mode = non_null(mode)?;
    // SAFETY: the program passes the address of a variable.
    let new = unsafe { mode.read_unaligned() };
    check_mode(new)?;
    write(mode, MODE.replace(new))
}

functions! {
    fn cudaStreamIsCapturing(stream: usize, to: *mut c_int) { is_capturing(stream, to) }
    fn cuStreamIsCapturing(stream: usize, to: *mut c_int) { is_capturing(stream, to) }
    fn cudaStreamBeginCaptureToGraph(stream: usize, graph: usize, nodes: *const usize, edges: *const Edge, count: usize, mode: c_int) {
        begin(stream, Some((graph, frontier(nodes, edges, count)?)), mode)
    }
    fn cudaStreamEndCapture(stream: usize, to: *mut usize) { end(stream, to) }
    fn cudaThreadExchangeStreamCaptureMode(mode: *mut c_int) { exchange(mode) }
    fn cuStreamBeginCaptureToGraph(stream: usize, graph: usize, nodes: *const usize, edges: *const Edge, count: usize, mode: c_int) {
        begin(stream, Some((graph, frontier(nodes, edges, count)?)), mode)
    }
    fn cuStreamEndCapture(stream: usize, to: *mut usize) { end(stream, to) }
    fn cuThreadExchangeStreamCaptureMode(mode: *mut c_int) { exchange(mode) }
    fn cudaStreamBeginCapture(stream: usize, mode: c_int) { begin(stream, None, mode) }
    fn cuStreamBeginCapture(stream: usize) { begin(stream, None, 0) }
    fn cuStreamBeginCapture_v2(stream: usize, mode: c_int) { begin(stream, None, mode) }
    fn cudaStreamGetCaptureInfo(
        stream: usize, status: *mut c_int, id: *mut u64, graph: *mut usize, nodes: *mut *const usize,
        edges: *mut *const Edge, count: *mut usize,
    ) {
        let (id, graph, nodes, edges, count) = (Some(id), Some(graph), Some(nodes), Some(edges), Some(count));
        info(stream, status, Question { id, graph, nodes, edges, count })
    }
    fn info_12 = "cudaStreamGetCaptureInfo@12" (stream: usize, status: *mut c_int, id: *mut u64) {
        info(stream, status, Question { id: Some(id), ..Question::default() })
    }
    fn cudaStreamGetCaptureInfo_v2(
        stream: usize, status: *mut c_int, id: *mut u64, graph: *mut usize, nodes: *mut *const usize, count: *mut usize,
    ) {
        let (id, graph, nodes, count) = (Some(id), Some(graph), Some(nodes), Some(count));
        info(stream, status, Question { id, graph, nodes, edges: None, count })
    }
    fn cudaStreamGetCaptureInfo_v3(
        stream: usize, status: *mut c_int, id: *mut u64, graph: *mut usize, nodes: *mut *const usize,
        edges: *mut *const Edge, count: *mut usize,
    ) {
        let (id, graph, nodes, edges, count) = (Some(id), Some(graph), Some(nodes), Some(edges), Some(count));
        info(stream, status, Question { id, graph, nodes, edges, count })
    }
    fn cuStreamGetCaptureInfo(stream: usize, status: *mut c_int, id: *mut u64) {
        info(stream, status, Question { id: Some(id), ..Question::default() })
    }
    fn cuStreamGetCaptureInfo_v2(
        stream: usize, status: *mut c_int, id: *mut u64, graph: *mut usize, nodes: *mut *const usize, count: *mut usize,
    ) {
        let (id, graph, nodes, count) = (Some(id), Some(graph), Some(nodes), Some(count));
        info(stream, status, Question { id, graph, nodes, edges: None, count })
    }
    fn cuStreamGetCaptureInfo_v3(
        stream: usize, status: *mut c_int, id: *mut u64, graph: *mut usize, nodes: *mut *const usize,
        edges: *mut *const Edge, count: *mut usize,
    ) {
        let (id, graph, nodes, edges, count) = (Some(id), Some(graph), Some(nodes), Some(edges), Some(count));
        info(stream, status, Question { id, graph, nodes, edges, count })
    }
    fn cudaStreamUpdateCaptureDependencies(
        stream: usize, nodes: *const usize, edges: *const Edge, count: usize, flags: c_uint,
    ) {
        update_capture(stream, nodes, edges, count, flags)
    }
    fn update_12 = "cudaStreamUpdateCaptureDependencies@12" (
        stream: usize, nodes: *const usize, count: usize, flags: c_uint,
    ) {
        update_capture(stream, nodes, ptr::null(), count, flags)
    }
    fn cudaStreamUpdateCaptureDependencies_v2(
        stream: usize, nodes: *const usize, edges: *const Edge, count: usize, flags: c_uint,
    ) {
        update_capture(stream, nodes, edges, count, flags)
    }
    fn cuStreamUpdateCaptureDependencies(stream: usize, nodes: *const usize, count: usize, flags: c_uint) {
        update_capture(stream, nodes, ptr::null(), count, flags)
    }
    fn cuStreamUpdateCaptureDependencies_v2(
        stream: usize, nodes: *const usize, edges: *const Edge, count: usize, flags: c_uint,
    ) {
        update_capture(stream, nodes, edges, count, flags)
    }
}
