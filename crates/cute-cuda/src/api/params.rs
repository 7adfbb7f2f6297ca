//! How programs describe the work of nodes, and how it is described to them.

use std::ffi::{c_int, c_void};

use crate::{
    api::{
        copies::{Copy3, DriverCopy3, Parts, read},
        launch::arguments,
        non_null, symbol,
    },
    error::{Error, Result},
    graph::{HostFunction, Work},
    launch::AskedLaunch,
    memory::Kind,
    parts::Part,
    state::with,
};

/// `cudaKernelNodeParams`, and `CUDA_KERNEL_NODE_PARAMS` of the first version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    pub(super) function: usize,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) shared: u32,
    pub(super) arguments: *const *const c_void,
    pub(super) extra: *const usize,
}

/// `CUDA_KERNEL_NODE_PARAMS` of the second and third version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct DriverLaunch {
    pub(super) launch: Launch,
    pub(super) kernel: usize,
    pub(super) context: usize,
}

/// `cudaMemsetParams`, and `CUDA_MEMSET_NODE_PARAMS`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Set {
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
pub(super) struct Allocation {
    pool: [u64; 11],
    access: usize,
    count: usize,
    bytes: usize,
    address: u64,
}

/// `cudaGraphNodeParams`, and `CUgraphNodeParams`.
#[repr(C)]
pub(super) struct Given {
    kind: c_int,
    reserved: [c_int; 3],
    own: [u64; 29],
    end: u64,
}

/// How the structures of an interface differ from those of the other one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interface {
    Runtime,
    Driver,
}

/// The name of a copy and of a set in findings.
pub(super) const COPY: &str = "a copy of a graph";
pub(super) const SET: &str = "a set of a graph";

impl Launch {
    /// The work of a node, with the attributes that it had before.
    pub(super) fn work(&self, before: Option<&AskedLaunch>) -> Result<Work> {
        // SAFETY: the program passes an address for each parameter, or a list of them.
        let words = unsafe { arguments(self.function, self.arguments, self.extra) }?;
        let asked = AskedLaunch {
            grid: self.grid,
            block: self.block,
            shared: self.shared as usize,
            ..before.cloned().unwrap_or_default()
        };
        Ok(Work::Launch { function: self.function, asked, words })
    }
}

impl DriverLaunch {
    pub(super) fn launch(mut self) -> Launch {
        if self.launch.function == 0 {
            self.launch.function = self.kernel;
        }
        self.launch
    }
}

impl Set {
    pub(super) fn work(&self) -> Result<Work> {
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

pub(super) fn copy((to, from, extents): Parts) -> Work {
    Work::Copy { to, from, extents, name: COPY }
}

pub(super) fn row(to: u64, from: u64, bytes: usize, kind: c_int) -> Result<Work> {
    if !(0..=4).contains(&kind) {
        return Err(Error::INVALID_MEMCPY_DIRECTION);
    }
    Ok(copy((Part::of(to, bytes), Part::of(from, bytes), [bytes, 1, 1])))
}

pub(super) fn host(given: *const HostFunction) -> Result<Work> {
    let function = read(given)?;
    if function.function == 0 { Err(Error::INVALID_VALUE) } else { Ok(Work::Host(function)) }
}

pub(super) fn child(graph: usize) -> Result<Work> {
    Ok(Work::Child(with(|state| state.graphs.clone_graph(graph))?))
}

pub(super) fn event(event: usize, work: fn(usize) -> Work) -> Result<Work> {
    with(|state| state.streams.event(event).map(|_| ()))?;
    Ok(work(event))
}

pub(super) fn allocation(given: *mut Allocation) -> Result<Work> {
    let given = non_null(given)?;
    // SAFETY: the program passes a structure.
    let given = unsafe { &mut *given };
    given.address = with(|state| state.allocate(Kind::Device, given.bytes))?;
    Ok(Work::Allocate(given.address))
}

/// The work of a node that some structure describes.
pub(super) fn described(
    interface: Interface,
    given: *mut Given,
    before: Option<&AskedLaunch>,
) -> Result<Work> {
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

/// A copy to a variable, or from it.
pub(super) fn of_symbol(symbol: usize, other: u64, bytes: usize, at: usize, is_to: bool) -> Result<Work> {
    let own = with(|state| symbol::inside(state, symbol, at, bytes))?;
    let (to, from) = if is_to { (own, other) } else { (other, own) };
    row(to, from, bytes, 4)
}

pub(super) fn parts_of(work: &Work) -> Option<Parts> {
    match work {
        Work::Copy { to, from, extents, .. } => Some((*to, *from, *extents)),
        _ => None,
    }
}

pub(super) fn set_of(work: &Work) -> Option<Set> {
    let Work::Set { to, element, extents: [width, height, _], .. } = work else { return None };
    let value = element.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
    let (element, width, height) = (element.len() as u32, *width, *height);
    Some(Set { to: to.at, pitch: to.pitch, value, element, width, height })
}

pub(super) fn host_of(work: &Work) -> Option<HostFunction> {
    if let Work::Host(function) = work { Some(*function) } else { None }
}

pub(super) fn child_of(work: &Work) -> Option<usize> {
    if let Work::Child(graph) = work { Some(*graph) } else { None }
}

pub(super) fn waited(work: &Work) -> Option<usize> {
    if let Work::Wait(event) = work { Some(*event) } else { None }
}

pub(super) fn recorded(work: &Work) -> Option<usize> {
    if let Work::Record(event) = work { Some(*event) } else { None }
}

pub(super) fn freed(work: &Work) -> Option<u64> {
    if let Work::Free(address) = work { Some(*address) } else { None }
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
