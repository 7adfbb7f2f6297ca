//! Arguments of a launch in objects of Python, and the arrays that they lead to.

use std::sync::Arc;

use cute_launch::{
    Job,
    address::{self, Pointee},
    argument::{Spec, Strides, Values},
    bind::{Form, Given},
    hole::Hole,
    job::Outcome,
    map,
    structure::{self, Structure},
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyList, PyTuple},
};

use crate::{
    arrays::{self, Memory, View},
    contents::{Address, Contents, Field},
    tensor_map::TensorMap,
};

fn failed(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The arrays of a run, and where each came from.
pub struct Arrays {
    memory: Memory,
    views: Vec<(String, View, Spec)>,
    /// The arrays that only addresses and tensor maps lead to.
    pub others: Vec<Given>,
    /// Structs within structs that are being read.
    depth: usize,
}

/// An address in an object of Python.
enum Pointer {
    Null,
    /// It is known, because the array is on a device.
    Known(u64),
    /// It is one of an array of the run.
    Of(address::Address),
}

/// The deepest nesting of structs.
const DEEPEST: usize = 32;

impl Arrays {
    /// No arrays, of those in this memory.
    pub fn of(memory: Memory) -> Self {
        Self { memory, views: Vec::new(), others: Vec::new(), depth: 0 }
    }

    /// The argument in an object of Python. `name` is what messages call it, and `own` the name of
    /// an array.
    pub fn given(&mut self, name: &str, own: Option<String>, ob: &Bound<'_, PyAny>) -> PyResult<Given> {
        if let Ok(text) = ob.extract::<String>() {
            return Ok(Given::Text(text));
        }
        Ok(Given::Form(own, self.form(name, ob)?))
    }

    fn form(&mut self, name: &str, ob: &Bound<'_, PyAny>) -> PyResult<Form> {
        let value = |spec| Ok(Form::Value(spec));
        if ob.is_none() {
            return value(Spec::Null);
        }
        // A numpy.float64 is a float, too, but prints itself otherwise.
        if let Some(number) = arrays::scalar(ob)? {
            return value(number);
        }
        if ob.is_instance_of::<PyBool>() {
            return value(Spec::Scalar(None, u8::from(ob.is_truthy()?).to_string()));
        }
        if ob.is_instance_of::<PyInt>() {
            return value(Spec::Scalar(None, ob.str()?.to_string()));
        }
        if ob.is_instance_of::<PyFloat>() {
            return value(Spec::Scalar(None, ob.repr()?.to_string()));
        }
        if ob.is_instance_of::<PyBytes>() || ob.is_instance_of::<PyByteArray>() {
            return value(Spec::Bytes(ob.extract::<Vec<u8>>()?.into()));
        }
        if let Ok(map) = ob.cast::<TensorMap>() {
            return self.map(map.get(), name, ob.py()).map(Form::Map);
        }
        if let Ok(contents) = ob.cast::<Contents>() {
            return self.structure(contents.get(), name, ob.py()).map(Form::Structure);
        }
        if let Ok(address) = ob.cast::<Address>() {
            // The address of new memory, which then has the name of the parameter.
            let target = address.get().target.bind(ob.py());
            let is_new = target.is_instance_of::<Contents>() || target.is_instance_of::<TensorMap>();
            if is_new && address.get().offset == 0 {
                self.on_host(name)?;
                return Ok(Form::Behind(Box::new(self.form(name, target)?)));
            }
            return Ok(match self.address(address.get(), name, ob.py())? {
                Pointer::Null => Form::Value(Spec::Null),
                Pointer::Known(word) => Form::Value(Spec::Scalar(None, word.to_string())),
                Pointer::Of(address) => Form::Address(address),
            });
        }
        if ob.is_instance_of::<PyList>() || ob.is_instance_of::<PyTuple>() {
            return self.list(name, ob);
        }
        let Some(view) = View::of(ob, self.memory).map_err(|error| about(ob.py(), name, error))? else {
            return Err(PyTypeError::new_err(format!(
                "argument {name} is of type '{}', which is not an array, a number, None or text",
                ob.get_type().name()?
            )));
        };
        match self.memory {
            Memory::Host => value(self.view(name, view)?),
            Memory::Device => value(view.on_device()),
        }
    }

    /// A list of arrays and addresses: an array of pointers.
    fn list(&mut self, name: &str, ob: &Bound<'_, PyAny>) -> PyResult<Form> {
        self.on_host(name)?;
        let mut addresses = Vec::new();
        for (i, item) in ob.try_iter()?.enumerate() {
            let (item, name) = (item?, format!("{name}[{i}]"));
            addresses.push(match self.pointer(&name, &item)? {
                Some(Pointer::Of(address)) => Some(address),
                Some(Pointer::Null) => None,
                Some(Pointer::Known(_)) | None => return Err(not_a_pointer(&name, &item)?),
            });
        }
        let (element, shape, values) =
            (arrays::element("uint64")?, vec![addresses.len()], Values::Addresses(addresses));
        Ok(Form::Value(Spec::Array { element, shape, strides: Strides::Open, values }))
    }

    /// Refuses memory that a launch on a device would need.
    fn on_host(&self, name: &str) -> PyResult<()> {
        match self.memory {
            Memory::Host => Ok(()),
            Memory::Device => Err(PyTypeError::new_err(format!(
                "argument {name} needs new memory on the device, and a launch there makes none: copy it to the device, and pass \
                 that array"
            ))),
        }
    }

    /// The address that an object stands for; None if it does not stand for one.
    fn pointer(&mut self, name: &str, ob: &Bound<'_, PyAny>) -> PyResult<Option<Pointer>> {
        if ob.is_none() {
            return Ok(Some(Pointer::Null));
        }
        if let Ok(address) = ob.cast::<Address>() {
            return self.address(address.get(), name, ob.py()).map(Some);
        }
        match View::of(ob, self.memory).map_err(|error| about(ob.py(), name, error))? {
            Some(view) => self.inside(view, 0, name).map(Some),
            None => Ok(None),
        }
    }

    fn address(&mut self, address: &Address, name: &str, py: Python<'_>) -> PyResult<Pointer> {
        let (target, offset) = (address.target.bind(py), address.offset);
        let named = |array: &str| {
            let outside = |_| failed(format!("argument {name}: byte {offset} lies before '{array}'"));
            let offset = u64::try_from(offset).map_err(outside)?;
            Ok(Pointer::Of(address::Address { array: Pointee::named(array), offset }))
        };
        if let Ok(array) = target.extract::<String>() {
            return named(&array);
        }
        if target.is_instance_of::<Contents>() || target.is_instance_of::<TensorMap>() {
            self.on_host(name)?;
            let form = self.form(name, target)?;
            let own = format!("memory {}", self.others.len() + 1);
            self.others.push(Given::Form(Some(own.clone()), form));
            return named(&own);
        }
        match View::of(target, self.memory).map_err(|error| about(py, name, error))? {
            Some(view) => self.inside(view, offset, name),
            None => Err(not_a_pointer(name, target)?),
        }
    }

    /// The address of a byte of an array, counted from its first element.
    fn inside(&mut self, view: View, offset: i64, name: &str) -> PyResult<Pointer> {
        let (low, high) = view.range();
        let (size, first) = (high - low, view.first());
        let at = (first as i64).checked_add(offset).and_then(|at| u64::try_from(at).ok());
        let at = at.filter(|at| *at <= size as u64).ok_or_else(|| {
            failed(format!(
                "argument {name}: byte {offset} from the first element of {} is not in its memory, which has {size} bytes",
                view.text()
            ))
        })?;
        if self.memory == Memory::Device {
            return Ok(Pointer::Known(low as u64 + at));
        }
        let spec = self.view(name, view)?;
        let rows = memory(&spec).cloned();
        let own = format!("pointer {}", self.others.len() + 1);
        self.others.push(Given::Form(Some(own.clone()), Form::Value(flat(spec))));
        Ok(Pointer::Of(address::Address { array: Pointee { name: own, rows }, offset: at }))
    }

    /// A tensor map. Its array is one of the run, even if it is not an argument.
    fn map(&mut self, map: &TensorMap, argument: &str, py: Python<'_>) -> PyResult<map::Spec> {
        let view = map.view.clone_ref(py);
        let name = format!("tensor_map {}", self.others.len() + 1);
        let own = view.own(map.spec.clone());
        let mut spec = own.map_err(|why| failed(format!("argument {argument}: {why}")))?;
        let array = self.view(&name, view)?;
        spec.array = Pointee { name: name.clone(), rows: memory(&array).cloned() };
        self.others.push(Given::Form(Some(name), Form::Value(array)));
        Ok(spec)
    }

    /// A struct, or bytes with addresses in them.
    fn structure(&mut self, contents: &Contents, name: &str, py: Python<'_>) -> PyResult<Structure> {
        if self.depth == DEEPEST {
            return Err(failed(format!("argument {name}: structs are nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let made = self.fields(contents, name, py);
        self.depth -= 1;
        made
    }

    fn fields(&mut self, contents: &Contents, name: &str, py: Python<'_>) -> PyResult<Structure> {
        let mut fields = Vec::new();
        for (place, value, text) in &contents.fields {
            fields.push((
                *place,
                text.clone(),
                self.field(&(*place, value.clone_ref(py), text.clone()), name, py)?,
            ));
        }
        let Some(bytes) = &contents.bytes else {
            let fields = fields.into_iter().map(|(_, text, field)| (text, field)).collect();
            return Ok(Structure::of_fields(&contents.text, fields));
        };
        let mut whole = Structure::of_bytes(&contents.text, bytes.clone());
        for (place, text, field) in fields {
            let replaced = match field {
                structure::StructField::Hole(hole) => whole.replace(place, &text, hole),
                structure::StructField::Bytes(align, bytes) => {
                    whole.replace_bytes(place, &text, align, &bytes)
                }
                structure::StructField::Structure(_) => {
                    Err(format!("{text} is a struct, which cannot replace bytes"))
                }
            };
            replaced.map_err(|why| failed(format!("argument {name}: {why}")))?;
        }
        Ok(whole)
    }

    fn field(
        &mut self,
        (align, value, text): &Field,
        name: &str,
        py: Python<'_>,
    ) -> PyResult<structure::StructField> {
        let (ob, name) = (value.bind(py), format!("{name}, {text}"));
        if ob.is_instance_of::<PyBytes>() {
            return Ok(structure::StructField::Bytes(*align as usize, ob.extract()?));
        }
        if let Ok(map) = ob.cast::<TensorMap>() {
            return self.map(map.get(), &name, py).map(|map| structure::StructField::Hole(Hole::Map(map)));
        }
        if let Ok(contents) = ob.cast::<Contents>() {
            return self.structure(contents.get(), &name, py).map(structure::StructField::Structure);
        }
        let word = |word: u64| structure::StructField::Bytes(8, word.to_le_bytes().to_vec());
        match self.pointer(&name, ob)? {
            Some(Pointer::Null) => Ok(word(0)),
            Some(Pointer::Known(address)) => Ok(word(address)),
            Some(Pointer::Of(address)) => Ok(structure::StructField::Hole(Hole::Address(address))),
            None => Err(not_a_pointer(&name, ob)?),
        }
    }

    /// The value of an array.
    fn view(&mut self, name: &str, view: View) -> PyResult<Spec> {
        for (other, known, kept) in &self.views {
            if known.is_same(&view) {
                return Ok(kept.clone());
            }
            if known.shares(&view) {
                let made = view.spec(memory(kept).cloned());
                self.views.push((name.to_owned(), view, made.clone()));
                return Ok(made);
            }
            let ((a, b), (c, d)) = (known.range(), view.range());
            if a < d && c < b {
                return Err(PyValueError::new_err(format!(
                    "argument {name}, {}, overlaps argument {other}, {}; pass one array, or copies",
                    view.text(),
                    known.text()
                )));
            }
        }
        let made = view.spec(None);
        self.views.push((name.to_owned(), view, made.clone()));
        Ok(made)
    }

    /// Writes back what kernels stored.
    ///
    /// # Errors
    /// A kernel has stored to an array that is read-only.
    pub fn write(&self, job: &Job<'_>, outcome: &Outcome) -> PyResult<()> {
        let written = outcome.written.as_deref().unwrap_or_default();
        for (i, (array, after)) in job.arrays.iter().zip(&outcome.arrays).enumerate() {
            if !written.get(i).copied().unwrap_or(true) {
                continue;
            }
            let is_it = |spec: &Spec| {
                array.rows.as_ref().zip(memory(spec)).is_some_and(|(own, memory)| Arc::ptr_eq(own, memory))
            };
            if let Some((name, view, spec)) = self.views.iter().find(|(_, _, spec)| is_it(spec)) {
                if view.is_read_only() {
                    return Err(PyValueError::new_err(format!(
                        "the kernel writes to argument {name}, {}, which is read-only; nothing is written back to it",
                        view.text()
                    )));
                }
                let bytes = &after.rows(array);
                match spec {
                    // A view that is not under a layout is all of its memory.
                    Spec::Array { values: Values::Strided(before), .. } if array.is_memory() => {
                        view.write_memory(&before.memory, bytes)?;
                    }
                    _ => view.write(bytes)?,
                }
            }
        }
        Ok(())
    }
}

/// The bytes of an array, which say which array it is.
fn memory(spec: &Spec) -> Option<&Arc<[u8]>> {
    match spec {
        Spec::Array { values: Values::Rows(memory), .. } => Some(memory),
        Spec::Array { values: Values::Strided(view), .. } => Some(&view.memory),
        _ => None,
    }
}

/// An array as all of its memory, in the order of memory.
fn flat(spec: Spec) -> Spec {
    match spec {
        Spec::Array { element, values: Values::Strided(view), .. } => {
            let (shape, values) = (vec![view.memory.len() / element.bytes()], Values::Rows(view.memory));
            Spec::Array { element, shape, strides: Strides::Open, values }
        }
        other => other,
    }
}

/// The exception for an object that is not an address.
fn not_a_pointer(name: &str, ob: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    Ok(PyTypeError::new_err(format!(
        "argument {name} is of type '{}', which is not an array, cute_mlir.address(..) or None",
        ob.get_type().name()?
    )))
}

/// An exception about an argument.
fn about(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    match error.is_instance_of::<PyTypeError>(py) {
        true => PyTypeError::new_err(format!("argument {name}: {}", error.value(py))),
        false => error,
    }
}
