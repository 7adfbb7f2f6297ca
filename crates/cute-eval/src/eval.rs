//! Evaluation of expressions: names, calls, and the rules that decide which parts form which value.

use std::collections::BTreeMap;

use cute_algebra::{
    Axis, Basis, Coord, Crd, Domain, Layout, Stride, Swizzle, Tile, Tuple, check_codomain, text::closest,
};

use crate::{
    error::{Error, Result, at},
    leaf::Leaf,
    registry::{self, Arg, Args},
    syntax::{self, Expr, Node},
    tilings::Atom,
    value::{MAX_DEPTH, MAX_LEAVES, Value},
};

/// A function's name and its arguments, each with its column.
type Called = (String, Vec<(usize, Value)>);

/// Variables and policy of a run of expressions.
#[derive(Debug, Clone)]
pub struct Session {
    /// The domain policy: whether an input whose result breaks the operation's equation is an
    /// error.
    pub domain: Domain,
    variables: BTreeMap<String, Value>,
}

impl Session {
    /// Starts without variables.
    pub fn new(domain: Domain) -> Self {
        Self { domain, variables: BTreeMap::new() }
    }

    /// All variables, by name.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Evaluates `expression`, or `name = expression`, which keeps the value under the name.
    pub fn statement(&mut self, text: &str) -> Result<Value> {
        let (name, node) = syntax::statement(text)?;
        let value = self.node(&node)?;
        if let Some(name) = name {
            self.variables.insert(name, value.clone());
        }
        Ok(value)
    }

    /// Evaluates the expression in `text`.
    pub fn expression(&self, text: &str) -> Result<Value> {
        self.node(&syntax::expression(text)?)
    }

    /// Evaluates an expression.
    pub fn node(&self, node: &Node) -> Result<Value> {
        let column = node.column;
        let value = match &node.expr {
            Expr::Integer(leaf) => Value::Tuple(Tuple::leaf(leaf.clone())),
            Expr::Underscore => Value::Coord(Tuple::leaf(Crd::Underscore)),
            Expr::Named { scale, den, axis } => {
                let basis = at(column, Axis::new(axis)).map(Basis::named)?;
                Value::Stride(Tuple::leaf(at(column, Stride::ratio(scale.clone(), *den, basis))?))
            }
            Expr::Basis { scale, den, path } => Value::Stride(Tuple::leaf(basis(column, scale, *den, path)?)),
            Expr::Tuple(items) => self.tuple(items)?,
            Expr::Tile(items) => Value::Tile(Tile::Modes(
                items
                    .iter()
                    .map(|item| self.arg("an element of a tile", item)?.mode_of_tile())
                    .collect::<Result<_>>()?,
            )),
            Expr::Swizzle([bits, base, shift]) => {
                Value::Swizzle(at(column, Swizzle::new(*bits, *base, *shift))?)
            }
            Expr::Layout(shape, stride) => {
                let shape = self.arg("the shape", shape)?.tuple()?;
                let stride = self.arg("the stride", stride)?.stride()?;
                Value::Layout(at(column, Layout::new(shape, stride))?.into())
            }
            Expr::Composed(inner, offset, outer) => self.composed(column, inner, offset, outer)?,
            Expr::Call(..) | Expr::Apply(..) => match self.called(node)? {
                Some((name, args)) => self.call(column, &name, args)?,
                None => {
                    return Err(Error::Unexpected { column, expected: "a call", found: "a value".into() });
                }
            },
            Expr::Name(name) => self.named(column, name)?,
            Expr::Pointer { .. } => {
                let expected = "a layout after the pointer, as in `smem_ptr[16b](0x7f00) o (8,64):(64,1)`";
                return Err(Error::Unexpected { column, expected, found: "the pointer alone".into() });
            }
        };
        limited(column, value)
    }

    /// A variable or an atom.
    fn named(&self, column: usize, name: &str) -> Result<Value> {
        if let Some(value) = self.variables.get(name) {
            return Ok(value.clone());
        }
        if let Some(atom) = Atom::by_name(name) {
            return Ok(Value::Atom(atom));
        }
        if Atom::is_spelled(name) {
            let mut longer: Vec<_> = Atom::names().filter(|atom| atom.starts_with(name)).collect();
            // Halves that are accumulated in floats are what most kernels use.
            longer.sort_by_key(|atom| !atom.contains("F32F16F16F32"));
            // The TMA has no row of its own: what it copies depends on the tensor.
            let suggestion = match ["TMA", "BULK"].iter().any(|part| name.contains(part)) {
                true => Some("tma(TENSOR, TILE, TILER)".to_string()),
                false => closest(name, Atom::names()).map(str::to_string),
            };
            return Err(Error::UnknownAtom { column, name: name.to_string(), longer, suggestion });
        }
        let suggestion = match registry::find(name) {
            Some(function) => Some(function.signature()),
            None => closest(name, self.variables.keys().map(String::as_str)).map(str::to_string),
        };
        Err(Error::UnknownName { column, name: name.to_string(), suggestion })
    }

    /// Calls a function by its name; each argument has its column.
    pub fn call(&self, column: usize, name: &str, args: Vec<(usize, Value)>) -> Result<Value> {
        let function = registry::find(name).ok_or_else(|| Error::UnknownFunction {
            column,
            name: name.to_string(),
            suggestion: closest(name, registry::names()).map(str::to_string),
        })?;
        let args = Args::new(function, column, args)?;
        if self.domain == Domain::Strict
            && let Some(strict) = function.strict
        {
            strict(&args)?;
        }
        limited(column, (function.run)(&args)?)
    }

    /// The function that an expression calls, and its arguments; `None` if it is not a call.
    pub fn called(&self, node: &Node) -> Result<Option<Called>> {
        match &node.expr {
            Expr::Call(name, args) => match self.variables.get(name) {
                Some(value) if registry::find(name).is_none() => {
                    self.application(node.column, value.clone(), args).map(Some)
                }
                _ => {
                    let args = args.iter().map(|arg| Ok((arg.column, self.node(arg)?)));
                    Ok(Some((name.clone(), args.collect::<Result<_>>()?)))
                }
            },
            Expr::Apply(applied, args) => self.application(node.column, self.node(applied)?, args).map(Some),
            _ => Ok(None),
        }
    }

    /// `layout(coordinate)`, in the notation of C++: a value or, with `_`, a slice. A swizzle takes
    /// an index.
    fn application(&self, column: usize, applied: Value, coordinate: &[Node]) -> Result<Called> {
        let coord = match coordinate {
            [one] => (one.column, self.node(one)?),
            several => (column, self.tuple(several)?),
        };
        let applied = match applied {
            swizzle @ Value::Swizzle(_) => return Ok(("apply".into(), vec![(column, swizzle), coord])),
            Value::Part { layout, .. } => Value::Layout(layout),
            other => other,
        };
        let function = if matches!(coord.1, Value::Coord(_)) { "slice" } else { "crd2idx" };
        let applied = Arg { what: "what is applied to a coordinate".into(), column, value: applied };
        Ok((function.into(), vec![coord, (column, Value::Layout(applied.layout()?))]))
    }

    /// The value of the expression in `text`, as an argument whose role is `what`.
    pub fn argument(&self, what: &str, text: &str) -> Result<Arg> {
        self.arg(what, &syntax::expression(text)?)
    }

    fn arg(&self, what: &str, node: &Node) -> Result<Arg> {
        Ok(Arg { what: what.into(), column: node.column, value: self.node(node)? })
    }

    fn tuple(&self, items: &[Node]) -> Result<Value> {
        let values = items.iter().map(|item| Ok((item.column, self.node(item)?)));
        tuple(values.collect::<Result<_>>()?)
    }

    /// `inner o offset o outer`; with a layout in the middle, the composition of all three.
    fn composed(&self, column: usize, inner: &Node, offset: &Node, outer: &Node) -> Result<Value> {
        let middle = self.node(offset)?;
        if matches!(middle, Value::Layout(_)) {
            let inner = (inner.column, self.node(inner)?);
            let first = self.call(column, "composition", vec![inner, (offset.column, middle)])?;
            let outer = (outer.column, self.node(outer)?);
            return self.call(column, "composition", vec![(column, first), outer]);
        }
        let offset = Arg { what: "the offset".into(), column: offset.column, value: middle };
        let outer = self.arg("the outer layout", outer)?;
        self.arg("the inner function", inner)?.composed(&offset, &outer)
    }
}

/// The values as modes of one, each with its column: integers form a tuple. With `_` among them
/// they form a coordinate, with basis elements a stride, and with layouts a tile, since CuTe's
/// tilers by mode are tuples of layouts.
///
/// # Errors
/// A value that is none of these.
pub fn tuple(values: Vec<(usize, Value)>) -> Result<Value> {
    let arg = |(column, value)| Arg { what: "a mode of a tuple".into(), column, value };
    let values: Vec<Arg> = values.into_iter().map(arg).collect();
    if values.iter().any(|arg| matches!(arg.value, Value::Layout(_) | Value::Tile(_))) {
        return Ok(Value::Tile(Tile::Modes(values.iter().map(Arg::mode_of_tile).collect::<Result<_>>()?)));
    }
    if values.iter().any(|arg| matches!(arg.value, Value::Stride(_))) {
        let modes = values.iter().map(Arg::stride).collect::<Result<Vec<_>>>()?;
        return Ok(Value::Stride(Tuple::from_modes(modes)));
    }
    if values.iter().any(|arg| matches!(arg.value, Value::Coord(_))) {
        let modes = values.iter().map(Arg::coord).collect::<Result<Vec<Coord<Leaf>>>>()?;
        return Ok(Value::Coord(Tuple::from_modes(modes)));
    }
    let modes = values.iter().map(Arg::tuple).collect::<Result<Vec<_>>>()?;
    Ok(Value::Tuple(Tuple::from_modes(modes)))
}

fn basis(column: usize, scale: &Leaf, den: i64, path: &[i64]) -> Result<Stride<Leaf>> {
    let unsupported =
        |why: String| at(column, Err(cute_algebra::Error::Unsupported { what: "basis element", why }));
    let mut levels = Vec::with_capacity(path.len());
    for level in path {
        match usize::try_from(*level) {
            Ok(level) => levels.push(level),
            Err(_) => return unsupported(format!("index {level} is negative")),
        }
    }
    let basis = at(column, Basis::new(&levels))?;
    at(column, Stride::ratio(scale.clone(), den, basis))
}

/// Returns the value, or an error if it is too large or too deeply nested.
fn limited(column: usize, value: Value) -> Result<Value> {
    if value.leaves() > MAX_LEAVES {
        return Err(Error::TooLarge { column, what: "the result", limit: MAX_LEAVES });
    }
    if value.depth() > MAX_DEPTH {
        return Err(Error::TooDeep { column, limit: MAX_DEPTH });
    }
    match &value {
        Value::Stride(stride) => at(column, check_codomain(stride.leaves()))?,
        Value::Layout(layout) => at(column, layout.check())?,
        _ => {}
    }
    Ok(value)
}
