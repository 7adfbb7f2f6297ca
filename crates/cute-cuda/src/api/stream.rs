//! Streams, events, and waits of the host.

use std::{
    ffi::{c_int, c_uint},
    time::Instant,
};

use crate::{
    api::{
        device::GREATEST_PRIORITY, driver::CONTEXT, launch::kind, non_null, occupancy::AttributeValue, write,
    },
    error::{Error, Result},
    functions,
    graph::{HostFunction, Work},
    state::with,
    streams::{self, Facts},
};

/// The flags of streams and events, all of which are known.
const ALL_STREAM_FLAGS: c_uint = 1;
const ALL_EVENT_FLAGS: c_uint = 7;

/// The flag by which a captured stream records an event, or waits for one, when its graph runs.
const EXTERNAL: c_uint = 1;

pub(super) fn create(to: *mut usize, flags: c_uint, priority: c_int) -> Result<()> {
    non_null(to)?;
    if flags & !ALL_STREAM_FLAGS != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let handle = with(|state| Ok(state.create_stream(kind(flags), priority.clamp(GREATEST_PRIORITY, 0))))?;
    write(to, handle)
}

pub(super) fn create_event(to: *mut usize, flags: c_uint) -> Result<()> {
    non_null(to)?;
    if flags & !ALL_EVENT_FLAGS != 0 {
        return Err(Error::INVALID_VALUE);
    }
    let handle = with(|state| Ok(state.streams.create_event()))?;
    write(to, handle)
}

pub(super) fn record(event: usize, stream: usize, flags: c_uint) -> Result<()> {
    if flags & !EXTERNAL != 0 {
        return Err(Error::INVALID_VALUE);
    }
    with(|state| {
        let stream = state.stream(stream)?;
        state.streams.event(event)?;
        let is_captured = match flags {
            EXTERNAL => state.graphs.take(stream, || Work::Record(event)),
            _ => state.graphs.record(stream, event),
        };
        if is_captured {
            return Ok(());
        }
        let recorded = state.memory.order_mut().record(stream);
        let event = state.streams.event(event)?;
        (event.recorded, event.time) = (Some(recorded), Some(Instant::now()));
        Ok(())
    })
}

pub(super) fn wait(stream: usize, event: usize, flags: c_uint) -> Result<()> {
    if flags & !EXTERNAL != 0 {
        return Err(Error::INVALID_VALUE);
    }
    with(|state| {
        let stream = state.stream(stream)?;
        let is_recorded = state.streams.event(event)?.recorded.is_some();
        if flags == EXTERNAL && state.graphs.take(stream, || Work::Wait(event))
            || state.graphs.wait(stream, event, is_recorded)?
        {
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
pub(super) fn call(stream: usize, function: HostFunction) -> Result<()> {
    if function.function == 0 {
        return Err(Error::INVALID_VALUE);
    }
    let is_captured = with(|state| {
        let stream = state.stream(stream)?;
        Ok(state.graphs.take(stream, || Work::Host(function)))
    })?;
    if !is_captured {
        function.call();
    }
    Ok(())
}

/// `cudaStreamCallback_t`.
pub(super) type Callback = Option<extern "C" fn(usize, c_int, usize)>;

/// Calls a function of the host with its stream.
pub(super) fn call_back(stream: usize, function: Callback, data: usize, flags: c_uint) -> Result<()> {
    let function = function.filter(|_| flags == 0).ok_or(Error::INVALID_VALUE)?;
    with(|state| {
        let own = state.stream(stream)?;
        match state.graphs.is_capturing(own) {
            true => Err(Error::STREAM_CAPTURE_UNSUPPORTED),
            false => Ok(()),
        }
    })?;
    streams::of_program(|| function(stream, 0, data));
    Ok(())
}

/// The host waits for an event, or asks whether it has happened.
pub(super) fn synchronize_event(event: usize) -> Result<()> {
    with(|state| {
        if state.graphs.has_event(event) {
            return Err(Error::CAPTURED_EVENT);
        }
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

pub(super) fn synchronize(stream: usize) -> Result<()> {
    with(|state| {
        let stream = state.stream(stream)?;
        if state.graphs.is_capturing(stream) {
            return Err(Error::STREAM_CAPTURE_UNSUPPORTED);
        }
        state.memory.order_mut().synchronize(stream);
        state.forget();
        Ok(())
    })
}

/// The host waits for the device.
pub(super) fn synchronize_device() -> Result<()> {
    with(|state| {
        state.memory.order_mut().synchronize_all();
        state.forget();
        Ok(())
    })
}

/// `cudaLaunchAttributeID` of the attributes that a stream has, which change no result.
const ATTRIBUTES: &[c_uint] = &[1, 3, 8, 9, 10];

/// The attribute that is the stream's priority.
const PRIORITY: c_uint = 8;

pub(super) fn attribute(stream: usize, attribute: c_uint, to: *mut AttributeValue) -> Result<()> {
    non_null(to)?;
    let value = with(|state| {
        let stream = state.stream(stream)?;
        let facts = state.streams.facts(stream);
        let mut value = facts.attributes.get(&attribute).copied().unwrap_or_default();
        if attribute == PRIORITY {
            value.0[0] = facts.priority.cast_unsigned();
        }
        if ATTRIBUTES.contains(&attribute) { Ok(value) } else { Err(Error::INVALID_VALUE) }
    })?;
    write(to, value)
}

pub(super) fn set_attribute(stream: usize, attribute: c_uint, from: *const AttributeValue) -> Result<()> {
    let from = non_null(from.cast_mut())?;
    // SAFETY: the program passes a value.
    let value = unsafe { from.read_unaligned() };
    with(|state| {
        let stream = state.stream(stream)?;
        if !ATTRIBUTES.contains(&attribute) {
            state.launches.remark(&format!("a stream has no attribute {attribute}"));
            return Err(Error::INVALID_VALUE);
        }
        let facts = state.streams.facts_mut(stream);
        if attribute == PRIORITY {
            facts.priority = value.0[0].cast_signed().clamp(GREATEST_PRIORITY, 0);
        }
        facts.attributes.insert(attribute, value);
        Ok(())
    })
}

pub(super) fn copy_attributes(to: usize, from: usize) -> Result<()> {
    with(|state| {
        let (to, from) = (state.stream(to)?, state.stream(from)?);
        state.streams.facts_mut(to).attributes = state.streams.facts(from).attributes;
        Ok(())
    })
}

/// Writes a fact about a stream.
pub(super) fn fact<T>(stream: usize, to: *mut T, read: impl FnOnce(&Facts) -> T) -> Result<()> {
    non_null(to)?;
    let value = with(|state| {
        let stream = state.stream(stream)?;
        Ok(read(&state.streams.facts(stream)))
    })?;
    write(to, value)
}

pub(super) fn id(stream: usize, to: *mut u64) -> Result<()> {
    non_null(to)?;
    let id = with(|state| {
        let stream = state.stream(stream)?;
        Ok(state.streams.id(stream))
    })?;
    write(to, id)
}

functions! {
    fn cudaStreamCreate(to: *mut usize) { create(to, 0, 0) }
    fn cudaStreamCreateWithFlags(to: *mut usize, flags: c_uint) { create(to, flags, 0) }
    fn cudaStreamCreateWithPriority(to: *mut usize, flags: c_uint, priority: c_int) { create(to, flags, priority) }
    fn cudaStreamDestroy(stream: usize) { with(|state| state.streams.destroy(stream)) }
    fn cudaStreamSynchronize(stream: usize) { synchronize(stream) }
    fn cudaStreamQuery(stream: usize) { synchronize(stream) }
    fn cudaStreamWaitEvent(stream: usize, event: usize, flags: c_uint) { wait(stream, event, flags) }
    fn cudaStreamGetFlags(stream: usize, to: *mut c_uint) { fact(stream, to, |facts| facts.flags) }
    fn cudaStreamGetPriority(stream: usize, to: *mut c_int) { fact(stream, to, |facts| facts.priority) }
    fn cudaStreamGetDevice(stream: usize, to: *mut c_int) { fact(stream, to, |_| 0) }
    fn cudaStreamGetId(stream: usize, to: *mut u64) { id(stream, to) }
    fn cudaStreamGetAttribute(stream: usize, number: c_uint, to: *mut AttributeValue) {
        attribute(stream, number, to)
    }
    fn cudaStreamSetAttribute(stream: usize, number: c_uint, from: *const AttributeValue) {
        set_attribute(stream, number, from)
    }
    fn cudaStreamCopyAttributes(to: usize, from: usize) { copy_attributes(to, from) }
    ignored "managed memory is in one place"
    fn cudaStreamAttachMemAsync(_stream: usize, _at: usize, _bytes: usize, _flags: c_uint) { Ok(()) }
    fn cudaEventCreate(to: *mut usize) { create_event(to, 0) }
    fn cudaEventCreateWithFlags(to: *mut usize, flags: c_uint) { create_event(to, flags) }
    fn cudaEventDestroy(event: usize) { with(|state| state.streams.destroy_event(event)) }
    fn cudaEventRecord(event: usize, stream: usize) { record(event, stream, 0) }
    fn cudaEventRecordWithFlags(event: usize, stream: usize, flags: c_uint) { record(event, stream, flags) }
    fn cudaEventSynchronize(event: usize) { synchronize_event(event) }
    fn cudaEventQuery(event: usize) { synchronize_event(event) }
    fn cudaEventElapsedTime(to: *mut f32, start: usize, end: usize) { elapsed(to, start, end) }
    fn cudaEventElapsedTime_v2(to: *mut f32, start: usize, end: usize) { elapsed(to, start, end) }
    fn cudaLaunchHostFunc(stream: usize, function: usize, data: usize) { call(stream, HostFunction { function, data }) }
    fn cudaStreamAddCallback(stream: usize, function: Callback, data: usize, flags: c_uint) {
        call_back(stream, function, data, flags)
    }
    fn cudaDeviceSynchronize() { synchronize_device() }
    fn cudaThreadSynchronize() { synchronize_device() }
    fn cuStreamCreate(to: *mut usize, flags: c_uint) { create(to, flags, 0) }
    fn cuStreamCreateWithPriority(to: *mut usize, flags: c_uint, priority: c_int) { create(to, flags, priority) }
    fn cuStreamDestroy(stream: usize) { with(|state| state.streams.destroy(stream)) }
    fn cuStreamDestroy_v2(stream: usize) { with(|state| state.streams.destroy(stream)) }
    fn cuStreamSynchronize(stream: usize) { synchronize(stream) }
    fn cuStreamQuery(stream: usize) { synchronize(stream) }
    fn cuStreamWaitEvent(stream: usize, event: usize, flags: c_uint) { wait(stream, event, flags) }
    fn cuStreamGetFlags(stream: usize, to: *mut c_uint) { fact(stream, to, |facts| facts.flags) }
    fn cuStreamGetPriority(stream: usize, to: *mut c_int) { fact(stream, to, |facts| facts.priority) }
    fn cuStreamGetDevice(stream: usize, to: *mut c_int) { fact(stream, to, |_| 0) }
    fn cuStreamGetCtx(stream: usize, to: *mut usize) { fact(stream, to, |_| CONTEXT) }
    fn cuStreamGetId(stream: usize, to: *mut u64) { id(stream, to) }
    fn cuStreamGetAttribute(stream: usize, number: c_uint, to: *mut AttributeValue) {
        attribute(stream, number, to)
    }
    fn cuStreamSetAttribute(stream: usize, number: c_uint, from: *const AttributeValue) {
        set_attribute(stream, number, from)
    }
    fn cuStreamCopyAttributes(to: usize, from: usize) { copy_attributes(to, from) }
    ignored "managed memory is in one place"
    fn cuStreamAttachMemAsync(_stream: usize, _at: usize, _bytes: usize, _flags: c_uint) { Ok(()) }
    fn cuEventCreate(to: *mut usize, flags: c_uint) { create_event(to, flags) }
    fn cuEventDestroy(event: usize) { with(|state| state.streams.destroy_event(event)) }
    fn cuEventDestroy_v2(event: usize) { with(|state| state.streams.destroy_event(event)) }
    fn cuEventRecord(event: usize, stream: usize) { record(event, stream, 0) }
    fn cuEventRecordWithFlags(event: usize, stream: usize, flags: c_uint) { record(event, stream, flags) }
    fn cuEventSynchronize(event: usize) { synchronize_event(event) }
    fn cuEventQuery(event: usize) { synchronize_event(event) }
    fn cuEventElapsedTime(to: *mut f32, start: usize, end: usize) { elapsed(to, start, end) }
    fn cuEventElapsedTime_v2(to: *mut f32, start: usize, end: usize) { elapsed(to, start, end) }
    fn cuLaunchHostFunc(stream: usize, function: usize, data: usize) { call(stream, HostFunction { function, data }) }
    fn cuStreamAddCallback(stream: usize, function: Callback, data: usize, flags: c_uint) {
        call_back(stream, function, data, flags)
    }
}
