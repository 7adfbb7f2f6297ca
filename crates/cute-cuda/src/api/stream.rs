//! Streams, events, and waits of the host.

use std::{
    ffi::{c_int, c_uint},
    time::Instant,
};

use crate::{
    api::{
        launch::{kind, own},
        write,
    },
    error::{Error, Result},
    functions,
    graph::{self, Captured, HostFunction},
    state::with,
};

fn create(to: *mut usize, flags: c_uint) -> Result<()> {
    let handle = with(|state| Ok(state.streams.create(state.memory.order_mut(), kind(flags))))?;
    write(to, handle)
}

pub(super) fn record(event: usize, stream: usize) -> Result<()> {
    with(|state| {
        let stream = state.streams.get(stream)?;
        if state.graphs.take(stream, || Captured::Record(event)) {
            return Ok(());
        }
        let recorded = state.memory.order_mut().record(stream);
        let event = state.streams.event(event)?;
        (event.recorded, event.time) = (Some(recorded), Some(Instant::now()));
        Ok(())
    })
}

pub(super) fn wait(stream: usize, event: usize) -> Result<()> {
    with(|state| {
        let stream = state.streams.get(stream)?;
        state.graphs.join(stream, event);
        if state.graphs.take(stream, || Captured::Wait(event)) {
            return Ok(());
        }
        match &state.streams.event(event)?.recorded {
            Some(recorded) => state.memory.order_mut().wait(stream, recorded),
            None => state.memory.order_mut().wait_in_vain(stream, "cudaStreamWaitEvent"),
        }
        Ok(())
    })
}

/// Calls a function of the host. What it waits for has been executed.
fn call(stream: usize, function: HostFunction) -> Result<()> {
    let is_captured = with(|state| {
        let stream = state.streams.get(stream)?;
        Ok(state.graphs.take(stream, || Captured::Host(function)))
    })?;
    if !is_captured {
        function.call();
    }
    Ok(())
}

/// The host waits for an event.
pub(super) fn synchronize_event(event: usize) -> Result<()> {
    with(|state| {
        if let Some(recorded) = &state.streams.event(event)?.recorded {
            state.memory.order_mut().synchronize_event(recorded);
            state.forget();
        }
        Ok(())
    })
}

/// The milliseconds between two events.
pub(super) fn elapsed(to: *mut f32, start: usize, end: usize) -> Result<()> {
    let [start, end] = with(|state| {
        let mut time = |event| state.streams.event(event)?.time.ok_or(Error::INVALID_HANDLE);
        Ok([time(start)?, time(end)?])
    })?;
    // A program may divide by it.
    write(to, (end.saturating_duration_since(start).as_secs_f32() * 1e3).max(1e-3))
}

/// `cudaStreamCallback_t`.
type Callback = extern "C" fn(usize, c_int, usize);

pub(super) fn synchronize(stream: usize) -> Result<()> {
    with(|state| {
        let stream = state.streams.get(stream)?;
        if state.graphs.is_capturing(stream) {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        state.memory.order_mut().synchronize(stream);
        state.forget();
        Ok(())
    })
}

functions! {
    fn cudaStreamCreate(to: *mut usize) { create(to, 0) }
    fn cudaStreamCreateWithFlags(to: *mut usize, flags: c_uint) { create(to, flags) }
    fn cudaStreamCreateWithPriority(to: *mut usize, flags: c_uint, _priority: c_int) { create(to, flags) }
    fn cudaStreamDestroy(stream: usize) { with(|state| state.streams.destroy(stream)) }
    fn cudaStreamSynchronize(stream: usize) { synchronize(stream) }
    fn cudaStreamSynchronize_ptsz(stream: usize) { synchronize(own(stream, true)) }
    fn cudaStreamQuery(stream: usize) { synchronize(stream) }
    fn cudaStreamWaitEvent(stream: usize, event: usize, _flags: c_uint) { wait(stream, event) }
    fn cudaStreamWaitEvent_ptsz(stream: usize, event: usize, _flags: c_uint) { wait(own(stream, true), event) }
    fn cudaEventCreate(to: *mut usize) {
        let handle = with(|state| Ok(state.streams.create_event()))?;
        write(to, handle)
    }
    fn cudaEventCreateWithFlags(to: *mut usize, _flags: c_uint) {
        let handle = with(|state| Ok(state.streams.create_event()))?;
        write(to, handle)
    }
    fn cudaEventDestroy(event: usize) { with(|state| state.streams.destroy_event(event)) }
    fn cudaEventRecord(event: usize, stream: usize) { record(event, stream) }
    fn cudaEventRecord_ptsz(event: usize, stream: usize) { record(event, own(stream, true)) }
    fn cudaEventRecordWithFlags(event: usize, stream: usize, _flags: c_uint) { record(event, stream) }
    fn cudaEventSynchronize(event: usize) { synchronize_event(event) }
    fn cudaEventQuery(event: usize) { with(|state| state.streams.event(event).map(|_| ())) }
    fn cudaEventElapsedTime(to: *mut f32, start: usize, end: usize) { elapsed(to, start, end) }
    fn cudaEventElapsedTime_v2(to: *mut f32, start: usize, end: usize) { elapsed(to, start, end) }
    fn cudaLaunchHostFunc(stream: usize, function: usize, data: usize) { call(stream, HostFunction { function, data }) }
    fn cudaLaunchHostFunc_ptsz(stream: usize, function: usize, data: usize) {
        call(own(stream, true), HostFunction { function, data })
    }
    fn cudaStreamAddCallback(stream: usize, function: Callback, data: usize, _flags: c_uint) {
        with(|state| state.streams.get(stream))?;
        function(stream, 0, data);
        Ok(())
    }
    fn cudaStreamBeginCapture(stream: usize, _mode: c_int) {
        with(|state| {
            let stream = state.streams.get(stream)?;
            state.graphs.begin(stream)
        })
    }
    fn cudaStreamEndCapture(stream: usize, to: *mut usize) {
        let graph = with(|state| {
            let stream = state.streams.get(stream)?;
            state.graphs.end(stream)
        })?;
        write(to, graph)
    }
    fn cudaStreamIsCapturing(stream: usize, to: *mut c_int) {
        let is_capturing = with(|state| {
            let stream = state.streams.get(stream)?;
            Ok(state.graphs.is_capturing(stream))
        })?;
        write(to, is_capturing.into())
    }
    fn cudaGraphCreate(to: *mut usize, _flags: c_uint) {
        let graph = with(|state| Ok(state.graphs.create()))?;
        write(to, graph)
    }
    fn cudaGraphInstantiate(to: *mut usize, graph: usize, _flags: u64) {
        let graph = with(|state| state.graphs.copy(graph))?;
        write(to, graph)
    }
    fn cudaGraphInstantiateWithFlags(to: *mut usize, graph: usize, _flags: u64) {
        let graph = with(|state| state.graphs.copy(graph))?;
        write(to, graph)
    }
    ignored "a graph is on the device" fn cudaGraphUpload(_graph: usize, _stream: usize) { Ok(()) }
    fn cudaGraphLaunch(graph: usize, stream: usize) { graph::launch(graph, stream) }
    fn cudaGraphLaunch_ptsz(graph: usize, stream: usize) { graph::launch(graph, own(stream, true)) }
    fn cudaGraphDestroy(graph: usize) { with(|state| state.graphs.destroy(graph)) }
    fn cudaGraphExecDestroy(graph: usize) { with(|state| state.graphs.destroy(graph)) }
    fn cudaDeviceSynchronize() {
        with(|state| {
            state.memory.order_mut().synchronize_all();
            state.forget();
            Ok(())
        })
    }
    fn cudaThreadSynchronize() {
        with(|state| {
            state.memory.order_mut().synchronize_all();
            state.forget();
            Ok(())
        })
    }
}
