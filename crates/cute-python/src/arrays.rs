//! Arrays in the memory of Python's objects: those with `__array_interface__`, as numpy's, and
//! those with `__dlpack__`, as torch's and jax's.
//!
//! This is the only module of this crate with `unsafe`: it reads and writes memory at addresses
//! that these protocols hand out.

#![allow(unsafe_code)]

use std::{ffi::CStr, ptr, slice, sync::Arc};

use cute_launch::{
    argument::{Spec, Strided, Strides, Values},
    element::Element,
    map,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyDict, PyTuple},
};

/// An array in memory that an object keeps.
pub struct View {
    /// Keeps the memory.
    _owner: Py<PyAny>,
    address: usize,
    element: Element,
    shape: Vec<usize>,
    /// In bytes.
    strides: Vec<isize>,
    is_read_only: bool,
}

/// The names of element types in numpy, `ml_dtypes` and torch, with those of MLIR.
const NAMES: [(&str, &str); 21] = [
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("float32", "f32"),
    ("float64", "f64"),
    ("float8_e4m3fn", "f8E4M3FN"),
    ("float8_e5m2", "f8E5M2"),
    ("float8_e8m0fnu", "f8E8M0FNU"),
    ("float6_e2m3fn", "f6E2M3FN"),
    ("float6_e3m2fn", "f6E3M2FN"),
    ("float4_e2m1fn", "f4E2M1FN"),
    ("bool", "i1"),
    ("int8", "i8"),
    ("int16", "i16"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("uint8", "u8"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
    ("int4", "i4"),
    ("uint4", "u4"),
];

/// The element type with this name.
pub fn element(name: &str) -> PyResult<Element> {
    let known = NAMES.iter().find(|(python, _)| *python == name).and_then(|(_, own)| own.parse().ok());
    known.ok_or_else(|| {
        PyTypeError::new_err(format!("arrays of {name} are not supported; there are {}", supported()))
    })
}

fn supported() -> String {
    let known = NAMES.iter().filter(|(_, own)| own.parse::<Element>().is_ok());
    known.map(|(python, _)| *python).collect::<Vec<_>>().join(", ")
}

/// The memory that an array is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// The memory of the process.
    Host,
    /// That of a CUDA device.
    Device,
}

impl View {
    /// The array that an object has in some memory; None if it has none.
    ///
    /// # Errors
    /// An array that cannot be used, or that is in other memory.
    pub fn of(ob: &Bound<'_, PyAny>, memory: Memory) -> PyResult<Option<Self>> {
        let cuda = ob.getattr_opt("__cuda_array_interface__")?;
        let view = match (memory, cuda, ob.getattr_opt("__array_interface__")?) {
            (Memory::Host, Some(_), _) => return Err(on_device("a CUDA device")),
            (Memory::Device, Some(interface), _) | (Memory::Host, None, Some(interface)) => {
                Self::of_interface(ob, &interface)?
            }
            (Memory::Device, None, Some(_)) => return Err(on_host()),
            (_, None, None) if ob.hasattr("__dlpack__")? => Self::of_dlpack(ob, memory)?,
            (_, None, None) => return Ok(None),
        };
        let size = view.element.bytes() as isize;
        if let Some(stride) = view.strides.iter().find(|stride| **stride % size != 0) {
            return Err(PyTypeError::new_err(format!(
                "the array {} has a stride of {stride} bytes, which is not a whole number of elements; pass a copy",
                view.text()
            )));
        }
        if view.shape.is_empty() {
            return Err(PyTypeError::new_err("an array without dimensions; pass a number"));
        }
        Ok(Some(view))
    }

    fn of_interface(ob: &Bound<'_, PyAny>, interface: &Bound<'_, PyAny>) -> PyResult<Self> {
        let get = |key: &str| interface.get_item(key);
        let text: String = get("typestr")?.extract()?;
        if text.starts_with('>') {
            return Err(PyTypeError::new_err(format!(
                "an array of type '{text}' has its bytes in the other order; convert it with .astype('{}')",
                text.replace('>', "<")
            )));
        }
        // Only the name of the type tells the types of ml_dtypes from one another.
        let name = match ob.getattr_opt("dtype")? {
            Some(dtype) => dtype.getattr("name")?.extract()?,
            None => named(&text),
        };
        let element = element(&name)?;
        let shape: Vec<usize> = get("shape")?.extract()?;
        let (address, is_read_only): (usize, bool) = get("data")?.extract()?;
        let strides = interface.call_method1("get", ("strides",))?;
        let strides = match strides.is_none() {
            true => row_major(&shape, element.bytes()),
            false => strides.extract()?,
        };
        Ok(Self { _owner: ob.clone().unbind(), address, element, shape, strides, is_read_only })
    }

    fn of_dlpack(ob: &Bound<'_, PyAny>, memory: Memory) -> PyResult<Self> {
        let (device, _): (i32, i32) = ob.call_method0("__dlpack_device__")?.extract()?;
        match memory {
            Memory::Host if device != CPU => return Err(on_device(&device_name(device))),
            Memory::Device if device != CUDA => return Err(on_host()),
            _ => {}
        }
        let py = ob.py();
        let kwargs = PyDict::new(py);
        kwargs.set_item("max_version", (1, 1))?;
        let capsule = match ob.call_method("__dlpack__", (), Some(&kwargs)) {
            // Before version 1 there was no such argument.
            Err(error) if error.is_instance_of::<PyTypeError>(py) => ob.call_method0("__dlpack__")?,
            other => other?,
        };
        let capsule = capsule.cast_into::<PyCapsule>().map_err(PyErr::from)?;
        let at = |name: &CStr| capsule.pointer_checked(Some(name)).ok();
        // SAFETY: a capsule of this name points to this structure, which lives as long as it.
        let (tensor, is_read_only) = unsafe {
            if let Some(managed) = at(c"dltensor_versioned") {
                let managed = managed.cast::<Versioned>().as_ref();
                if managed.major > 1 {
                    return Err(PyTypeError::new_err(format!(
                        "the tensor has version {} of DLPack; 1 is the last that is supported",
                        managed.major
                    )));
                }
                (&managed.tensor, managed.flags & READ_ONLY != 0)
            } else if let Some(managed) = at(c"dltensor") {
                (managed.cast::<Tensor>().as_ref(), is_immutable(ob)?)
            } else {
                return Err(PyTypeError::new_err("__dlpack__ returned a capsule that has no tensor in it"));
            }
        };
        let element = element(&dlpack_name(tensor.kind, tensor.bits, tensor.lanes)?)?;
        let rank = usize::try_from(tensor.rank).unwrap_or(0);
        let numbers = |at: *const i64| match at.is_null() || rank == 0 {
            true => None,
            // SAFETY: there is a number for each dimension.
            false => Some(unsafe { slice::from_raw_parts(at, rank) }.to_vec()),
        };
        let shape: Vec<usize> =
            numbers(tensor.shape).unwrap_or_default().into_iter().map(|n| n.max(0) as usize).collect();
        let strides = match numbers(tensor.strides) {
            None => row_major(&shape, element.bytes()),
            Some(strides) => strides.into_iter().map(|n| n as isize * element.bytes() as isize).collect(),
        };
        let address = (tensor.data.addr()).wrapping_add(tensor.offset as usize);
        Ok(Self { _owner: capsule.into_any().unbind(), address, element, shape, strides, is_read_only })
    }

    /// The bytes from the first to the last element, as a range of addresses.
    pub fn range(&self) -> (usize, usize) {
        if self.shape.contains(&0) {
            return (self.address, self.address);
        }
        let (mut low, mut high) =
            (self.address as isize, self.address as isize + self.element.bytes() as isize);
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let reach = (*extent as isize - 1) * stride;
            if reach < 0 { low += reach } else { high += reach }
        }
        (low as usize, high as usize)
    }

    /// Whether another view is of the same elements.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.address, self.element, &self.shape, &self.strides)
            == (other.address, other.element, &other.shape, &other.strides)
    }

    /// The type and extents, as in `float32[4, 8]`.
    pub fn text(&self) -> String {
        format!("{}{:?}", self.element, self.shape)
    }

    /// The words of a tensor map of the array.
    ///
    /// # Errors
    /// A rule of tensor maps that is broken.
    pub fn tensor_map(&self, spec: &map::Spec) -> Result<Vec<u64>, String> {
        let (low, high) = self.range();
        let map =
            self.own(spec.clone())?.map_of(self.element, &self.shape, (high - low) as u64, low as u64)?;
        Ok(map.words().map_err(|broken| broken.to_string())?.to_vec())
    }

    /// A tensor map with the extents and strides of the array, unless it has its own.
    ///
    /// # Errors
    /// A view that no tensor map describes.
    pub fn own(&self, mut spec: map::Spec) -> Result<map::Spec, String> {
        let first = self.first() as u64;
        match &mut spec.own {
            Some(own) => own.first = first,
            None if self.is_compact() => {}
            None => {
                let own = map::Own::of_view(&self.shape, &self.strides, self.element.bytes(), first)?;
                spec.own = Some(own);
            }
        }
        Ok(spec)
    }

    /// The place of the first element in the memory of the view, in bytes.
    pub fn first(&self) -> usize {
        self.address - self.range().0
    }

    /// Whether another view has the same memory and elements of the same type, in any order.
    pub fn shares(&self, other: &Self) -> bool {
        self.range() == other.range() && self.element == other.element
    }

    /// Another view of the same array.
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        let (shape, strides) = (self.shape.clone(), self.strides.clone());
        Self { _owner: self._owner.clone_ref(py), shape, strides, ..*self }
    }

    /// Whether it cannot be written to.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The array as an argument of a launch on a device, which has its elements already.
    pub fn on_device(&self) -> Spec {
        let strides = self.strides();
        let values = Values::At(self.address as u64);
        Spec::Array { element: self.element, shape: self.shape.clone(), strides, values }
    }

    /// The array as an argument of a launch. `known`: the memory of a view that it shares.
    pub fn spec(&self, known: Option<Arc<[u8]>>) -> Spec {
        let (element, shape) = (self.element, self.shape.clone());
        let memory = known.unwrap_or_else(|| Arc::from(self.memory()));
        if self.is_compact() {
            return Spec::Array { element, shape, strides: Strides::Open, values: Values::Rows(memory) };
        }
        let strides = self.strides();
        let own = strides.written().unwrap_or_default().to_vec();
        let values = Values::Strided(Strided { memory, first: self.first() / element.bytes(), strides: own });
        Spec::Array { element, shape, strides, values }
    }

    /// The strides in elements, which a layout must have.
    fn strides(&self) -> Strides {
        let size = self.element.bytes() as isize;
        Strides::Exactly(self.strides.iter().map(|stride| (stride / size) as i64).collect())
    }

    /// Whether the elements lie row by row. The stride of a single element is never used.
    fn is_compact(&self) -> bool {
        let compact = row_major(&self.shape, self.element.bytes());
        let each = self.shape.iter().zip(self.strides.iter().zip(&compact));
        self.shape.contains(&0)
            || each.into_iter().all(|(extent, (own, compact))| *extent == 1 || own == compact)
    }

    fn bytes(&self) -> usize {
        self.shape.iter().product::<usize>() * self.element.bytes()
    }

    /// The bytes from the lowest to the highest one, with what lies between the elements.
    fn memory(&self) -> Vec<u8> {
        let (low, high) = self.range();
        if low == high {
            return Vec::new();
        }
        // SAFETY: the owner keeps the bytes from its lowest to its highest element.
        unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(low), high - low) }.to_vec()
    }

    /// Writes the bytes of the memory that differ from `before`: others, between the elements, may
    /// belong to other arrays.
    ///
    /// # Errors
    /// If the array is read-only.
    pub fn write_memory(&self, before: &[u8], memory: &[u8]) -> PyResult<()> {
        self.may_write()?;
        assert!(before.len() == memory.len(), "the memory is that of the view");
        let (low, high) = self.range();
        assert_eq!(memory.len(), high - low, "the memory is that of the view");
        for (at, (byte, _)) in memory.iter().zip(before).enumerate().filter(|(_, (new, old))| new != old) {
            // SAFETY: as for reading; the memory can be written to.
            unsafe { ptr::with_exposed_provenance_mut::<u8>(low + at).write(*byte) };
        }
        Ok(())
    }

    fn may_write(&self) -> PyResult<()> {
        match self.is_read_only {
            true => Err(PyValueError::new_err(format!("the array {} is read-only", self.text()))),
            false => Ok(()),
        }
    }

    /// Writes the bytes of the elements, row by row.
    ///
    /// # Errors
    /// If the array is read-only.
    pub fn write(&self, rows: &[u8]) -> PyResult<()> {
        self.may_write()?;
        assert_eq!(rows.len(), self.bytes(), "the rows are those of the array");
        let size = self.element.bytes();
        if self.is_compact() && !rows.is_empty() {
            let at = ptr::with_exposed_provenance_mut(self.address);
            // SAFETY: the owner keeps this many bytes at the address, which can be written to, and
            // the rows are elsewhere.
            unsafe { ptr::copy_nonoverlapping(rows.as_ptr(), at, rows.len()) };
            return Ok(());
        }
        for (at, from) in self.places().zip(rows.chunks_exact(size)) {
            // SAFETY: as for the whole.
            unsafe { ptr::copy_nonoverlapping(from.as_ptr(), ptr::with_exposed_provenance_mut(at), size) };
        }
        Ok(())
    }

    /// The addresses of the elements, row by row.
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let count: usize = self.shape.iter().product();
        (0..count).map(move |mut i| {
            let mut at = self.address as isize;
            for (extent, stride) in self.shape.iter().zip(&self.strides).rev() {
                at += (i % extent) as isize * stride;
                i /= extent;
            }
            at as usize
        })
    }
}

/// The name of the element type of an array on the host; None for any other object.
#[pyfunction]
pub fn element_name(ob: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let Some(view) = View::of(ob, Memory::Host)? else { return Ok(None) };
    let own = view.element.to_string();
    Ok(NAMES.iter().find(|(_, name)| *name == own).map(|(python, _)| *python))
}

/// The place of the first element in the memory of an array on the host, in bytes: not 0 where a
/// stride is negative. None for any other object.
#[pyfunction]
pub fn first_byte(ob: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    Ok(View::of(ob, Memory::Host)?.map(|view| view.first()))
}

/// A number with a type, as numpy's scalars are; None for anything else.
pub fn scalar(ob: &Bound<'_, PyAny>) -> PyResult<Option<Spec>> {
    let is_scalar = ob.hasattr("dtype")? && ob.hasattr("item")? && !ob.hasattr("__setitem__")?;
    if !is_scalar || !ob.getattr("shape")?.cast::<PyTuple>().is_ok_and(|shape| shape.is_empty()) {
        return Ok(None);
    }
    let name: String = ob.getattr("dtype")?.getattr("name")?.extract()?;
    let element = element(&name)?;
    let text = match name.as_str() {
        "bool" => u8::from(ob.is_truthy()?).to_string(),
        _ if name.contains("int") => ob.call_method0("__int__")?.str()?.to_string(),
        _ => ob.call_method0("__float__")?.repr()?.to_string(),
    };
    Ok(Some(Spec::Number(element, text)))
}

/// The strides of an array whose last extent is the fastest.
fn row_major(shape: &[usize], size: usize) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut stride = size as isize;
    for (to, extent) in strides.iter_mut().zip(shape).rev() {
        *to = stride;
        stride = stride.saturating_mul(*extent as isize);
    }
    strides
}

fn on_device(device: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "the array is on {device}; the simulator takes arrays of the CPU, such as x.cpu()"
    ))
}

/// The name of a type from numpy's type string.
fn named(text: &str) -> String {
    let (kind, bytes) = text.trim_start_matches(['<', '|', '=']).split_at(1);
    let bits = bytes.parse::<u32>().map(|n| 8 * n);
    match (kind, bits) {
        ("f", Ok(bits)) => format!("float{bits}"),
        ("i", Ok(bits)) => format!("int{bits}"),
        ("u", Ok(bits)) => format!("uint{bits}"),
        ("b", _) => "bool".into(),
        _ => text.into(),
    }
}

fn on_host() -> PyErr {
    PyTypeError::new_err("the array is not on a CUDA device; copy it there, as in x.cuda()")
}

/// Whether an array never changes, although the tensor in its capsule of DLPack before version 1
/// cannot say so. Those of jax do not.
fn is_immutable(ob: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(ob.get_type().module()?.to_string_lossy().starts_with("jax"))
}

/// `kDLCPU` and `kDLCUDA`.
const CPU: i32 = 1;
const CUDA: i32 = 2;

/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;

fn device_name(device: i32) -> String {
    match device {
        2 | 13 => "a CUDA device".into(),
        3 => "the host's memory of CUDA".into(),
        8 => "a Metal device".into(),
        10 | 11 => "a ROCm device".into(),
        other => format!("device type {other} of DLPack"),
    }
}

/// The name of a type of DLPack.
fn dlpack_name(kind: u8, bits: u8, lanes: u16) -> PyResult<String> {
    let name = match kind {
        0 => format!("int{bits}"),
        1 => format!("uint{bits}"),
        2 => format!("float{bits}"),
        4 => format!("bfloat{bits}"),
        6 => "bool".into(),
        10 => "float8_e4m3fn".into(),
        12 => "float8_e5m2".into(),
        14 => "float8_e8m0fnu".into(),
        15 => "float6_e2m3fn".into(),
        16 => "float6_e3m2fn".into(),
        17 => "float4_e2m1fn".into(),
        other => format!("type {other} of DLPack"),
    };
    if lanes != 1 {
        return Err(PyTypeError::new_err(format!(
            "elements are {lanes} numbers of {name}; only single ones are supported"
        )));
    }
    Ok(name)
}

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut u8,
    device: [i32; 2],
    rank: i32,
    kind: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    offset: u64,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    context: *mut u8,
    deleter: *mut u8,
    flags: u64,
    tensor: Tensor,
}
