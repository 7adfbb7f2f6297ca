//! The class `Layout`. A static layout is kept in numbers, which are computed with faster; the
//! functions are the same, of other leaves.

use std::hash::{DefaultHasher, Hash, Hasher};

use cute_algebra::{
    AnyLayout, Coord, Domain, Layout as Plain, Stride, Tiler, Tuple, composition, cosize, crd2idx,
    make_layout, offsets, size, slice,
};
use cute_eval::{leaf::Leaf, value::Value};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyByteArray, PyIterator, PyTuple, PyType},
};

use crate::{convert, errors::algebra, functions, policy};

/// A layout: a function from coordinates to offsets, given by a shape and a stride.
///
/// `Layout((4, 8), (8, 1))`, `Layout((4, 8))`, whose strides are compact and column-major, or
/// `Layout("(4,8):(8,1)")`.
#[pyclass(module = "cute_mlir", frozen, subclass)]
#[derive(Clone)]
pub(crate) struct Layout {
    kept: Kept,
}

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "the large one is the usual one")]
enum Kept {
    /// Without integers that are known at run time only.
    Static(Plain<i64>),
    /// Apart, because its leaves are several times as large.
    Dynamic(Box<Plain<Leaf>>),
}

/// `$body` with `$layout` standing for the layout, of either kind of leaves.
macro_rules! each {
    ($self:expr, $layout:ident => $body:expr) => {
        match &$self.kept {
            Kept::Static($layout) => $body,
            Kept::Dynamic($layout) => $body,
        }
    };
}

impl From<Plain<Leaf>> for Layout {
    fn from(plain: Plain<Leaf>) -> Self {
        let kept = plain.to_const().map_or_else(|| Kept::Dynamic(Box::new(plain)), Kept::Static);
        Self { kept }
    }
}

impl From<Plain<i64>> for Layout {
    fn from(plain: Plain<i64>) -> Self {
        Self { kept: Kept::Static(plain) }
    }
}

impl Layout {
    /// The layout as a value.
    pub fn value(&self) -> Value {
        Value::Layout(self.plain().into())
    }

    fn plain(&self) -> Plain<Leaf> {
        match &self.kept {
            Kept::Static(layout) => layout.map(|n| Leaf::fixed(*n)),
            Kept::Dynamic(layout) => (**layout).clone(),
        }
    }

    /// The layout in numbers, if it is static.
    pub fn fixed(&self) -> Option<&Plain<i64>> {
        match &self.kept {
            Kept::Static(layout) => Some(layout),
            Kept::Dynamic(_) => None,
        }
    }

    /// A layout of this shape, or of these modes; without a stride, the compact one.
    pub fn of(py: Python<'_>, shape: &Bound<'_, PyAny>, stride: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        if let Some(extents) = convert::leaves(shape, convert::number)
            && let Some(strides) =
                stride.map_or(Some(None), |d| convert::leaves(d, convert::number).map(Some))
        {
            let made = match strides {
                Some(strides) => Plain::new(extents, strides.map(|d| Stride::int(*d))),
                None => make_layout(&extents),
            };
            return made.map(Self::from).map_err(|error| algebra(py, &error));
        }
        let given = convert::value(shape)?;
        let made = match (given, stride) {
            (given @ Value::Layout(_), None) => given,
            (given, stride) => {
                let mut modes = vec![given];
                modes.extend(stride.map(convert::value).transpose()?);
                functions::computed(py, "make_layout", modes)?
            }
        };
        match made {
            Value::Layout(AnyLayout::Plain(plain)) => Ok(plain.into()),
            Value::Layout(AnyLayout::Composed(_)) => {
                Err(PyTypeError::new_err(format!("{made} is a ComposedLayout")))
            }
            other => Err(PyValueError::new_err(format!("{other} is not a plain layout"))),
        }
    }
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (shape, stride=None))]
    fn new(py: Python<'_>, shape: &Bound<'_, PyAny>, stride: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Self::of(py, shape, stride)
    }

    /// The shape: an integer, or a tuple of shapes.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.kept {
            Kept::Static(layout) => convert::shape(py, layout, |n| Leaf::fixed(*n)),
            Kept::Dynamic(layout) => convert::shape(py, layout, Leaf::clone),
        }
    }

    /// The stride: an integer or an element of a basis, or a tuple of strides.
    #[getter]
    fn stride(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        convert::stride(py, &self.plain())
    }

    /// The number of coordinates.
    fn size(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.kept {
            Kept::Static(layout) => size(layout).map_err(|e| algebra(py, &e))?.into_py_any(py),
            Kept::Dynamic(_) => functions::called(py, "size", vec![self.value()]),
        }
    }

    /// One more than the largest offset.
    fn cosize(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.kept {
            Kept::Static(layout) if !layout.has_basis() => {
                cosize(layout).map_err(|e| algebra(py, &e))?.into_py_any(py)
            }
            _ => functions::called(py, "cosize", vec![self.value()]),
        }
    }

    /// The number of modes.
    #[getter]
    fn rank(&self) -> usize {
        each!(self, layout => layout.rank())
    }

    /// The levels of nesting.
    #[getter]
    fn depth(&self) -> usize {
        each!(self, layout => layout.depth())
    }

    /// Whether no integer is known at run time only.
    #[getter]
    fn is_static(&self) -> bool {
        self.fixed().is_some()
    }

    fn __len__(&self) -> usize {
        self.rank()
    }

    fn __getitem__(&self, mode: isize) -> PyResult<Self> {
        let rank = self.rank();
        let at = if mode < 0 { mode + rank as isize } else { mode };
        let none =
            || PyIndexError::new_err(format!("{self} has no mode {mode}; it has {rank}", self = self.text()));
        let at = usize::try_from(at).ok().filter(|at| *at < rank).ok_or_else(none)?;
        match &self.kept {
            Kept::Static(layout) => Ok(layout.mode(at).map_err(|_| none())?.into()),
            Kept::Dynamic(layout) => Ok(layout.mode(at).map_err(|_| none())?.into()),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let modes = (0..self.rank()).map(|i| self.__getitem__(i as isize)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, modes)?.try_iter()
    }

    /// The offset of a coordinate; with None in it, the part of the layout at the coordinate.
    #[pyo3(signature = (*coord))]
    fn __call__(&self, py: Python<'_>, coord: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        let only = if coord.len() == 1 { Some(coord.get_item(0)?) } else { None };
        let coord = only.as_ref().unwrap_or(coord.as_any());
        if let Kept::Static(layout) = &self.kept
            && let Some(coord) = convert::leaves(coord, convert::index)
        {
            return self::at(policy::domain(), layout, &coord).map_err(|e| algebra(py, &e))?.python(py);
        }
        let coord = convert::coordinate_value(coord)?;
        let name = if matches!(coord, Value::Coord(_)) { "slice" } else { "crd2idx" };
        functions::called(py, name, vec![coord, self.value()])
    }

    /// `A @ B` is the composition A o B.
    fn __matmul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let (Kept::Static(a), Ok(other)) = (&self.kept, other.cast::<Self>())
            && let Kept::Static(b) = &other.get().kept
        {
            return composed(policy::domain(), a, b).map_err(|e| algebra(py, &e))?.into_py_any(py);
        }
        functions::called(py, "composition", vec![self.value(), convert::value(other)?])
    }

    /// The offset of each coordinate, in the order of their indices, as a numpy array of int64.
    fn offsets(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Some(layout) = self.fixed().filter(|layout| !layout.has_basis()) else {
            return Err(PyTypeError::new_err(format!("{} has no offsets that are integers", self.text())));
        };
        let count = size(layout).map_err(|e| algebra(py, &e))?;
        let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(8));
        if bytes.is_none_or(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_err()) {
            return Err(PyMemoryError::new_err(format!("there is no memory for {count} offsets")));
        }
        let any = AnyLayout::Plain(layout.clone());
        let all = py.detach(|| offsets(&any)).map_err(|e| algebra(py, &e))?;
        // An array of bytes can be written to, and so can the array of numpy that shares it.
        let bytes = PyByteArray::new_with(py, 8 * all.len(), |out| {
            out.chunks_exact_mut(8).zip(&all).for_each(|(out, at)| out.copy_from_slice(&at.to_le_bytes()));
            Ok(())
        })?;
        Ok(py.import("numpy")?.call_method1("frombuffer", (bytes, "<i8"))?.unbind())
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match &self.kept {
            Kept::Static(layout) if !layout.has_basis() => {
                let (shape, stride) = (self.shape(py)?, self.stride(py)?);
                Ok(format!("Layout({}, {})", shape.bind(py).repr()?, stride.bind(py).repr()?))
            }
            _ => Ok(format!("Layout(\"{}\")", self.text())),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| match (&self.kept, &other.get().kept) {
            (Kept::Static(a), Kept::Static(b)) => a == b,
            _ => self.text() == other.get().text(),
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.text().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.text(),))
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    /// The picture of the layout, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        functions::picture(py, &self.text()).ok()
    }
}

impl Layout {
    fn text(&self) -> String {
        match &self.kept {
            Kept::Static(layout) => layout.to_string(),
            Kept::Dynamic(_) => self.value().to_string(),
        }
    }
}

/// The composition of static layouts, under a policy.
pub fn composed(policy: Domain, a: &Plain<i64>, b: &Plain<i64>) -> cute_algebra::error::Result<Layout> {
    let b = Tiler::Layout(b.clone());
    policy.composition(a, &b)?;
    Ok(composition(a, &b)?.into())
}

/// The value of a layout at a coordinate, or its slice.
enum At {
    Value(Tuple<i64>),
    Slice(Plain<i64>),
}

fn at(policy: Domain, layout: &Plain<i64>, coord: &Coord<i64>) -> cute_algebra::error::Result<At> {
    policy.coordinate(coord, layout.shape().view())?;
    if coord.has_underscore() {
        slice(coord, layout).map(At::Slice)
    } else {
        crd2idx(coord, layout).map(At::Value)
    }
}

impl At {
    fn python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Value(value) => convert::tree(py, value.view(), &|n| n.into_py_any(py)),
            Self::Slice(layout) => Layout::from(layout).into_py_any(py),
        }
    }
}
