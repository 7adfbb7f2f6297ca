//! Binds the arguments of a kernel or host function: arrays, and a value for each leaf.

mod forms;
mod given;
mod raw;
mod variables;

use forms::may_point;
pub use given::{Form, Given, file, parse};
pub use raw::{Raw, Relocation};
pub use variables::{ModuleVariable, Variables};

use crate::{
    address::Address,
    argument::{self, Spec, Strided, Strides, Values},
    array::{self, Array, located},
    element::Element,
    error::{Error, Result},
    fill::{self, DimensionOrder},
    hole::Hole,
    initial::{Initial, Stored},
    launch::broken,
    map, packed,
    structure::Structure,
};
use cute_manifest::{Argument, Function, Kernel, Passed, Role};
use cute_sim::{Contents, MOST_BYTES, names::readable};
use std::{fmt, sync::Arc};

/// Reads the files that arguments name.
pub trait Files: Sync {
    /// The type and extents of the array in a file: the given type, or that of the file, which is
    /// the expected one where the file's type stands for several. `memory` is the number of bytes
    /// that arrays may still have.
    ///
    /// # Errors
    /// Returns the reason why there is no such array.
    fn kind(
        &self,
        file: &str,
        given: Option<Element>,
        expected: Option<&str>,
        memory: u64,
    ) -> std::result::Result<Kind, String>;

    /// The elements of an array of this type and shape.
    ///
    /// # Errors
    /// Returns the reason why there is no such array.
    fn read(&self, file: &str, element: Element, shape: &[usize]) -> std::result::Result<Stored, String>;

    /// All bytes of a file, of which there may be this number.
    ///
    /// # Errors
    /// Returns the reason why there are no such bytes.
    fn bytes(&self, file: &str, most: u64) -> std::result::Result<Vec<u8>, String> {
        let _ = most;
        Err(format!("'{file}' is not read here: write the bytes in hexadecimal, as bytes(0x00ff)"))
    }
}

/// No files: arguments are passed in memory. The function says how to pass the array of a file.
pub struct NoFiles(pub fn(&str) -> String);

impl Files for NoFiles {
    fn kind(
        &self,
        file: &str,
        _: Option<Element>,
        _: Option<&str>,
        _: u64,
    ) -> std::result::Result<Kind, String> {
        Err((self.0)(file))
    }

    fn read(&self, file: &str, _: Element, _: &[usize]) -> std::result::Result<Stored, String> {
        Err((self.0)(file))
    }
}

/// The array that the header of a file describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The type of the elements.
    pub element: Element,
    /// The extents.
    pub shape: Vec<usize>,
    /// Whether the last extent is the fastest in the file, and not the first.
    pub is_row_major: bool,
}

/// The number of SMs, if it is known.
#[derive(Debug, Clone, Copy)]
pub struct Sms(pub Option<u32>);

impl Sms {
    /// The number, or advice on how to provide it.
    pub(crate) fn known(self, face: Face) -> std::result::Result<u32, String> {
        self.0.ok_or_else(|| {
            let option = face.option("sms", "");
            format!("auto is the number of SMs; give the number of the simulated GPU with {option}")
        })
    }
}

/// The arguments of a launch, and what they may use.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    /// One for each argument of the source, or for each leaf.
    pub given: &'a [Given],
    /// Arrays that only addresses lead to.
    pub arrays: &'a [Given],
    /// Variables of the module.
    pub variables: Variables<'a>,
    /// Bytes that the arrays may take: those that exist before the run, and those that kernels
    /// touch.
    pub memory: u64,
    /// The number of SMs.
    pub sms: Sms,
    /// Where the files are that they name.
    pub files: &'a dyn Files,
    /// The spelling of options in errors.
    pub face: Face,
}

/// How options are spelled where the arguments come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// `--block X,Y,Z`
    CommandLine,
    /// `block=(X,Y,Z)`
    Python,
    /// `block = {X,Y,Z}`: the fields of a launch.
    C,
    /// `"block": [X,Y,Z]`
    Json,
}

impl Face {
    /// An option with its value.
    pub fn option(self, name: &str, value: &str) -> String {
        match self {
            Self::CommandLine if value.is_empty() => format!("--{name}"),
            Self::CommandLine => format!("--{name} {value}"),
            Self::Python if value.is_empty() => name.into(),
            Self::Python if value.contains(',') => format!("{name}=({value})"),
            Self::Python => format!("{name}={value}"),
            Self::Json if value.is_empty() => format!("\"{name}\""),
            Self::Json if value.contains(',') => format!("\"{name}\": [{value}]"),
            Self::Json => format!("\"{name}\": {value}"),
            Self::C => {
                let name = match name {
                    "shared" => "shared_memory",
                    "host" => "cute_simulate_host",
                    name => name,
                };
                match value {
                    "" => name.into(),
                    value if value.contains(',') => format!("{name} = {{{value}}}"),
                    value => format!("{name} = {value}"),
                }
            }
        }
    }

    /// An option that is set.
    pub fn flag(self, name: &str) -> String {
        match self {
            Self::CommandLine => format!("--{name}"),
            Self::Python => format!("{name}=True"),
            Self::C | Self::Json => self.option(name, "true"),
        }
    }

    /// The option of one argument, or the word for it.
    fn argument(self) -> &'static str {
        match self {
            Self::CommandLine => "--arg",
            Self::Python | Self::C | Self::Json => "argument",
        }
    }
}

/// The value of a leaf.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The address of an array, by its number.
    Array(usize),
    /// The address of a byte of an array: the first element of a view.
    Inside(usize, u64),
    /// The null pointer.
    Null,
    /// A number: its lowest bytes.
    Scalar(Element, u64),
    /// The words of a parameter by value.
    Words(Vec<u64>),
    /// A tensor map of an array.
    Map(map::Spec),
    /// The address of a byte of an array that is named.
    Address(Address),
    /// A parameter by value, with addresses in it.
    Structure(Structure),
}

impl Value {
    /// The number, of one that is a number.
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            Self::Scalar(..) => number(self).map(|(number, _)| number),
            _ => None,
        }
    }

    /// The words of a leaf, with the arrays and their addresses.
    ///
    /// # Errors
    /// Fails if a tensor map breaks a rule, or an address is not one of its array.
    pub(crate) fn words(&self, arrays: &[Array], addresses: &[u64]) -> Result<Vec<u64>> {
        let own = || located(arrays, addresses);
        let (argument, words) = match self {
            Self::Array(i) => return Ok(vec![addresses[*i]]),
            Self::Inside(i, offset) => return Ok(vec![addresses[*i] + offset]),
            Self::Null => return Ok(vec![0]),
            Self::Scalar(_, bits) => return Ok(vec![*bits]),
            Self::Words(words) => return Ok(words.clone()),
            Self::Map(spec) => (format!("tensor_map({})", spec.array.name), spec.words(&own())),
            Self::Address(address) => (address.to_string(), address.at(&own()).map(|word| vec![word])),
            Self::Structure(structure) => (structure.text.clone(), structure.words(&own())),
        };
        words.map_err(|why| Error::Argument { argument, why })
    }
}

/// The memory that arrays may take during a run.
#[derive(Debug, Clone)]
pub struct ArrayRoom {
    /// Bytes of pages that kernels may touch: what the arrays leave that exist before the run.
    pub bytes: u64,
    /// Bytes of both.
    pub(crate) of: u64,
    /// The name of the limit.
    pub(crate) option: String,
}

impl ArrayRoom {
    /// The error of a run that needs more.
    pub(crate) fn error(&self) -> Error {
        Error::Room { of: self.of, option: self.option.clone() }
    }
}

/// A function that is called with arguments.
pub(crate) struct Callee<'m> {
    /// `kernel` or `host function`.
    what: &'static str,
    name: &'m str,
    arguments: &'m [Argument],
    leaves: Vec<Passed>,
}

impl fmt::Display for Callee<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.what, readable(self.name))
    }
}

impl<'m> Callee<'m> {
    pub(crate) fn kernel(kernel: &'m Kernel) -> Self {
        Self { what: "kernel", name: &kernel.name, arguments: &kernel.arguments, leaves: kernel.leaves() }
    }

    pub(crate) fn host(host: &'m Function) -> Self {
        Self { what: "host function", name: &host.name, arguments: &host.arguments, leaves: host.leaves() }
    }

    /// Nothing that takes arguments: a file of operations, which has arrays.
    pub(crate) fn operations(file: &'m str) -> Self {
        Self { what: "operations of", name: file, arguments: &[], leaves: Vec::new() }
    }

    /// The arguments as the source declares them.
    pub(crate) fn arguments(&self) -> &'m [Argument] {
        self.arguments
    }

    /// The leaves in which they are passed.
    pub(crate) fn leaves(&self) -> &[Passed] {
        &self.leaves
    }

    fn declared(&self) -> Vec<&'m Argument> {
        self.arguments.iter().filter(|a| is_given(a)).collect()
    }
}

/// Whether an argument is given: it has leaves that are not handles.
fn is_given(argument: &Argument) -> bool {
    argument.leaves.iter().any(|leaf| !is_handle(&leaf.kind))
}

/// The order of arguments that are given by name: for each parameter that is given, the number of
/// its argument. `symbols` are other names of the arguments, in their order, such as those of PTX.
///
/// # Errors
/// A name that no parameter has, that is missing, or that several have.
pub fn by_name(
    callee: &str,
    arguments: &[Argument],
    symbols: &[&str],
    names: &[String],
) -> std::result::Result<Vec<usize>, String> {
    let given = arguments.iter().enumerate().filter(|(_, a)| is_given(a));
    let wanted: Vec<(&str, Option<&str>)> =
        given.map(|(i, a)| (a.name.as_str(), symbols.get(i).copied())).collect();
    let is_of = |(name, symbol): &(&str, Option<&str>), given: &str| *name == given || *symbol == Some(given);
    let list = || wanted.iter().map(|(name, _)| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if let Some((_, (name, _))) =
        wanted.iter().enumerate().find(|(i, (name, _))| wanted[..*i].iter().any(|one| one.0 == *name))
    {
        return Err(format!("{callee} has several parameters '{name}': give its arguments in a list"));
    }
    if let Some(unknown) = names.iter().find(|name| !wanted.iter().any(|one| is_of(one, name))) {
        return Err(format!("{callee} has no parameter '{unknown}'; it has {}", list()));
    }
    let place = |one: &(&str, Option<&str>)| {
        let at = names.iter().position(|given| is_of(one, given));
        at.ok_or_else(|| {
            format!("the argument for parameter '{}' of {callee} is missing; it has {}", one.0, list())
        })
    };
    let order = wanted.iter().map(place).collect::<std::result::Result<Vec<_>, _>>()?;
    match names.len() == order.len() {
        true => Ok(order),
        false => Err(format!("a parameter of {callee} is given by two names")),
    }
}

/// Whether leaves of this kind are handles of the driver: of the default stream, and of no event.
fn is_handle(kind: &str) -> bool {
    matches!(kind, "stream" | "event")
}

/// The arguments of a callee, bound to its leaves.
#[derive(Debug)]
pub(crate) struct Bound {
    /// The values of all leaves.
    pub(crate) values: Vec<Value>,
    /// The arrays of the arguments, those that are only reachable through addresses, and those of
    /// variables.
    pub(crate) arrays: Vec<Array>,
    pub(crate) variables: Vec<ModuleVariable>,
    pub(crate) room: ArrayRoom,
}

/// Binds the arguments of a callee.
pub(crate) fn arguments(callee: &Callee<'_>, all: &Arguments<'_>) -> Result<Bound> {
    let texts = all.given;
    let declared = callee.declared();
    let memory = all.memory;
    let mut binder = Binder { callee, all, memory, arrays: Vec::new(), layout: None };
    let given: Vec<_> = callee.leaves.iter().filter(|p| !is_handle(&p.kind)).cloned().collect();
    let mut values = Vec::new();
    let mut rest = given.as_slice();
    let failed = |text: &Given, why| Error::Argument { argument: text.to_string(), why };
    let are_of_leaves = texts.iter().any(|given| matches!(given, Given::Raw(..)));
    if texts.len() == declared.len() && !are_of_leaves {
        for (text, argument) in texts.iter().zip(declared) {
            let (own, others) = rest.split_at(argument.leaves.len().min(rest.len()));
            values.extend(binder.whole(text, argument, own).map_err(|why| failed(text, why))?);
            rest = others;
        }
    } else if texts.len() == given.len() {
        for (text, passed) in texts.iter().zip(rest) {
            values.push(binder.leaf(text, passed).map_err(|why| failed(text, why))?);
        }
    } else {
        let whole = declared.iter().map(|a| format!("{} ({})", readable(&a.name), a.r#type)).collect();
        let leaves = given.iter().map(|p| format!("{} {}", readable(&p.argument), p.r#type)).collect();
        return Err(Error::ArgumentCount { callee: callee.to_string(), whole, leaves, given: texts.len() });
    }
    if let Some(why) = broken(&given, values.iter().map(number)) {
        return Err(Error::Launch { callee: callee.to_string(), why });
    }
    for (i, _) in callee.leaves.iter().enumerate().filter(|(_, p)| is_handle(&p.kind)) {
        values.insert(i, Value::Null);
    }
    for text in all.arrays {
        binder.memory(text).map_err(|why| failed(text, why))?;
    }
    let variables = binder.variables()?;
    let room = ArrayRoom { bytes: binder.memory, of: all.memory, option: all.face.option("memory", "") };
    let arrays = binder.arrays;
    array::in_order(&arrays)?;
    variables::not_constant(&variables, &arrays, &values)?;
    Ok(Bound { values, arrays, variables, room })
}

/// Alignment of arrays in bytes, in the simulator and on GPUs.
const ARRAY_ALIGN: i64 = 256;

/// A value as a number and as text, to compare with the promises of its leaf.
fn number(value: &Value) -> Option<(i64, String)> {
    match *value {
        Value::Null | Value::Words(_) | Value::Map(_) | Value::Structure(_) => None,
        Value::Inside(_, offset) | Value::Address(Address { offset, .. }) if offset != 0 => {
            let alignment = 1 << offset.trailing_zeros().min(ARRAY_ALIGN.trailing_zeros());
            Some((alignment, format!("a multiple of {alignment}")))
        }
        Value::Array(_) | Value::Inside(..) | Value::Address(_) => {
            Some((ARRAY_ALIGN, format!("a multiple of {ARRAY_ALIGN}")))
        }
        Value::Scalar(element, bits) => {
            let unused = 64 - 8 * element.bytes() as u32;
            let number = (bits << unused) as i64 >> unused;
            Some((number, number.to_string()))
        }
    }
}

/// Makes values for leaves, and the arrays that they point to.
struct Binder<'m> {
    callee: &'m Callee<'m>,
    all: &'m Arguments<'m>,
    /// Bytes that are left for arrays.
    memory: u64,
    arrays: Vec<Array>,
    /// The layout of the next array, if its extents are those of memory.
    layout: Option<(Vec<usize>, DimensionOrder)>,
}

impl Binder<'_> {
    /// Values for all that is passed for an argument.
    fn whole(
        &mut self,
        text: &Given,
        argument: &Argument,
        leaves: &[Passed],
    ) -> std::result::Result<Vec<Value>, String> {
        let (name, spec) = match (text.read()?, leaves) {
            ((name, Form::Value(spec)), [one]) if one.kind != "bytes" => (name, spec),
            ((name, Form::Value(spec)), [_, _, ..]) => (name, spec),
            ((name, form), [one]) => return Ok(vec![self.form(name, form, one)?]),
            ((_, Form::Structure(_)), _) => {
                return Err(format!("parameter '{}' is {}, not a struct", argument.name, argument.r#type));
            }
            ((_, form), _) => {
                return Err(format!(
                    "parameter '{}' is {}, which {form} does not give the {} values of: give it an array, or one {} for \
                     each value",
                    argument.name,
                    argument.r#type,
                    leaves.len(),
                    self.all.face.argument()
                ));
            }
        };
        let spec = self.opened(spec, leaves.iter().find_map(|p| p.leaf.element.as_deref()))?;
        let open = leaves.iter().any(|p| p.leaf.leaf != Role::Pointer.name());
        let reach = argument.axes.as_deref().and_then(fill::reach);
        match (&argument.axes, &spec) {
            // One extent for a layout that is known completely: memory, in any order.
            (Some(axes), Spec::Array { element, shape, strides, .. })
                if open || shape.len() > 1 || axes.len() == 1 || matches!(strides, Strides::Exactly(_)) =>
            {
                // Bytes may stand for the elements that are packed in them.
                let bits = argument.bits.filter(|bits| *bits < 8 && element.bits() >= 8);
                let filled = match bits {
                    Some(bits) if 8 % bits == 0 => {
                        fill::fill_packed(axes, shape, strides, (8 / bits) as usize)
                    }
                    Some(bits) => Err(format!(
                        "elements of {bits} bits do not fill bytes: give an array of elements, such as f6E2M3FN[128x64]"
                    )),
                    None => fill::fill(axes, shape, strides),
                };
                let filled = filled
                    .map_err(|why| format!("parameter '{}' is {}: {why}", argument.name, argument.r#type))?;
                let axis = |p: &Passed| {
                    let at = axes.iter().position(|a| a.mode == p.leaf.mode);
                    at.map(|i| filled.axes[i]).ok_or_else(|| format!("{} has no axis", p.leaf.text))
                };
                let mut values = Vec::new();
                for p in leaves {
                    values.push(match p.leaf.leaf.as_str() {
                        "extent" => integer(axis(p)?.0, p)?,
                        "stride" => integer(axis(p)?.1, p)?,
                        _ => self.value(name.clone(), &spec, p, Some(filled.order.clone()))?,
                    });
                }
                Ok(values)
            }
            (_, Spec::Array { shape, .. }) if reach.is_some_and(|n| (n as usize) > shape[0]) => Err(format!(
                "parameter '{}' is {}: it reaches {} elements, but the array has {}",
                argument.name,
                argument.r#type,
                reach.expect("the guard saw it"),
                shape[0]
            )),
            _ => match leaves {
                [one] => {
                    self.layout = argument.axes.as_deref().and_then(fill::known);
                    let value = self.plain(name, &spec, one);
                    self.layout = None;
                    Ok(vec![value?])
                }
                many => Err(format!(
                    "parameter '{}' is {}, which is passed as {} values: give one {} for each of the {} values that are \
                     passed in all",
                    argument.name,
                    argument.r#type,
                    many.len(),
                    self.all.face.argument(),
                    self.callee.leaves.len()
                )),
            },
        }
    }

    fn leaf(&mut self, text: &Given, passed: &Passed) -> std::result::Result<Value, String> {
        if let Given::Raw(_, raw) = text {
            return self.raw(raw, passed);
        }
        let (name, form) = text.read()?;
        self.form(name, form, passed)
    }

    fn not_a_descriptor(&self, passed: &Passed) -> std::result::Result<(), String> {
        if passed.kind != "descriptor" {
            return Ok(());
        }
        let host = self.all.face.option("host", "");
        let what = "only a host function makes descriptors of the TMA; run it with";
        Err(format!("{} is {}: {what} {host}", passed.leaf.text, passed.r#type))
    }

    /// A value for a leaf without a layout.
    fn plain(
        &mut self,
        name: Option<String>,
        spec: &Spec,
        passed: &Passed,
    ) -> std::result::Result<Value, String> {
        self.value(name, spec, passed, None)
    }

    /// A value for a leaf. `order` is that of an array under a layout; without one, the elements
    /// lie where the array has them.
    fn value(
        &mut self,
        name: Option<String>,
        spec: &Spec,
        passed: &Passed,
        order: Option<DimensionOrder>,
    ) -> std::result::Result<Value, String> {
        if let Some(name) = name.as_ref().filter(|n| **n != passed.argument)
            && self.callee.arguments.iter().any(|a| a.name == *name)
        {
            return Err(format!("this is parameter '{}'; '{name}' is another one", passed.argument));
        }
        self.not_a_descriptor(passed)?;
        let is_pointer = passed.kind == "pointer";
        match spec {
            Spec::Null | Spec::Array { .. } | Spec::File(..) if !may_point(passed) => {
                Err(format!("{} is {}, not a pointer", passed.leaf.text, passed.r#type))
            }
            Spec::Scalar(element, number) if is_pointer => {
                let is_wide = element.is_none_or(|element| !element.is_float() && element.bytes() == 8);
                raw_address(is_wide, number, passed)
            }
            Spec::Number(element, number) if is_pointer => raw_address(!element.is_float(), number, passed),
            Spec::Bytes(_) => Err(format!(
                "{} is {}, but bytes are the value of a parameter by value; give an array, such as numpy.frombuffer(x, \
                 numpy.uint8), into which results are written",
                passed.leaf.text, passed.r#type
            )),
            Spec::File(..) => unreachable!("files are opened before values are made"),
            Spec::Null => Ok(Value::Null),
            Spec::Scalar(element, number) if number == argument::AUTO => {
                number_of(*element, &self.all.sms.known(self.all.face)?.to_string(), passed)
            }
            Spec::Scalar(element, number) => number_of(*element, number, passed),
            Spec::Number(element, number) => argument::converted(*element, number, passed)
                .map(|(element, bits)| Value::Scalar(element, bits)),
            Spec::Array { element, shape, strides, values } => {
                let order = match (order, values, strides.written()) {
                    // Under a layout, the elements of a view are taken from their places.
                    (Some(order), ..) => Some(order),
                    (None, Values::Strided(_), _) => None,
                    (None, _, Some(strides)) => Some(DimensionOrder::of_strides(shape, strides)),
                    (None, _, None) => Some(DimensionOrder::default()),
                };
                self.array(name, (*element, shape, values), passed, order)
            }
        }
    }

    fn array(
        &mut self,
        name: Option<String>,
        (element, shape, values): (Element, &[usize], &Values),
        passed: &Passed,
        order: Option<DimensionOrder>,
    ) -> std::result::Result<Value, String> {
        if let Some(expected) = &passed.leaf.element
            && !element.stands_for(expected, passed.leaf.bits)
        {
            return Err(format!(
                "parameter '{}' has elements of type {expected}, but the array has {element}",
                passed.argument
            ));
        }
        if let Values::At(address) = values {
            return Ok(Value::Words(vec![*address]));
        }
        let name = self.named(name, passed)?;
        match (values, order) {
            (Values::Strided(view), None) => self.view(name, element, view),
            (_, order) => self.allocate(name, (element, shape, values), order.unwrap_or_default()),
        }
    }

    /// The memory of a view as an array, and the address of the view's first element.
    fn view(&mut self, name: String, element: Element, view: &Strided) -> std::result::Result<Value, String> {
        let size = element.bytes();
        if element.bits() < 8 {
            return Err(format!("elements of {element} lie packed in memory, without strides; pass a copy"));
        }
        let shape = [view.memory.len() / size];
        let rows = Values::Rows(view.memory.clone());
        // Memory between the elements of the view is not the caller's, so nothing is counted.
        self.layout = Some((vec![0], DimensionOrder::default()));
        match self.allocate(name, (element, &shape, &rows), DimensionOrder::default())? {
            Value::Array(number) => Ok(Value::Inside(number, (view.first * size) as u64)),
            other => Ok(other),
        }
    }

    fn allocate(
        &mut self,
        name: String,
        (element, shape, values): (Element, &[usize], &Values),
        order: DimensionOrder,
    ) -> std::result::Result<Value, String> {
        let rows = match values {
            Values::Rows(rows) => Some(rows.clone()),
            Values::Strided(view) => Some(view.memory.clone()),
            _ => None,
        };
        let is_known =
            |array: &Array| array.rows.as_ref().zip(rows.as_ref()).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        if let Some(number) = self.arrays.iter().position(is_known) {
            // One array that is passed twice is one array.
            let known = &self.arrays[number];
            // Where both are all of their memory, extents say nothing about places.
            let is_memory = known.is_memory() && order == DimensionOrder::default();
            return match known.element == element
                && known.order == order
                && (is_memory || known.shape == shape)
            {
                true => Ok(Value::Array(number)),
                false => Err(format!("it is the array '{}', which has another layout there", known.name)),
            };
        }
        let count: usize = shape.iter().product();
        let size = packed::size(order.reach(count), element.bits()) as u64;
        if size > MOST_BYTES {
            return Err(argument::no_memory(size as usize));
        }
        // Numbers that follow from their places take memory where a kernel touches them.
        if !Initial::is_made_later(values, &order) {
            self.memory = self.memory.checked_sub(size).ok_or_else(|| {
                let option = self.all.face.option("memory", "");
                format!("{size} bytes are more than the {} that {option} leaves for this array", self.memory)
            })?;
        }
        let contents = self.contents(element, shape, values, &order)?;
        let number = self.arrays.len();
        let holes = match values {
            Values::Addresses(addresses) => {
                let place = |i: usize| order.place(i) * element.bytes();
                let hole = |(i, address): (usize, &Option<Address>)| {
                    Some((place(i), Hole::Address(address.clone()?)))
                };
                addresses.iter().enumerate().filter_map(hole).collect()
            }
            _ => Vec::new(),
        };
        let (shape, is_undefined) = (shape.to_vec(), *values == Values::Undefined);
        let layout = self.layout.take();
        self.arrays.push(Array { name, element, shape, contents, order, holes, rows, is_undefined, layout });
        Ok(Value::Array(number))
    }

    fn is_taken(&self, name: &str) -> bool {
        self.arrays.iter().any(|a| a.name == name)
    }

    /// The memory of an array. It is made where something touches it, if the elements do not have
    /// to be compared or checked.
    fn contents(
        &self,
        element: Element,
        shape: &[usize],
        values: &Values,
        order: &DimensionOrder,
    ) -> std::result::Result<Arc<dyn Contents>, String> {
        let count = shape.iter().product();
        let stored = match values {
            Values::File(file) => Some(self.all.files.read(file, element, shape)?),
            Values::Rows(rows) if rows.len() == count * element.bytes() => {
                Some(Stored { bytes: Arc::new(rows.clone()), first: 0, order: DimensionOrder::default() })
            }
            _ => None,
        };
        if let Some(initial) = Initial::of(element, count, values, stored.clone(), order) {
            return Ok(Arc::new(initial));
        }
        let rows = match stored {
            Some(stored) => stored.rows(count, element)?,
            None => self.rows(element, shape, count, values)?,
        };
        Ok(Arc::new(packed::pack(order.to_memory(rows, element.bytes())?, element.bits())?))
    }

    /// The bytes of an array, row by row.
    fn rows(
        &self,
        element: Element,
        shape: &[usize],
        count: usize,
        values: &Values,
    ) -> std::result::Result<Vec<u8>, String> {
        match values {
            Values::File(file) => self.all.files.read(file, element, shape)?.rows(count, element),
            Values::Strided(view) => view.rows(shape, element.bytes()),
            values => argument::bytes(element, count, values),
        }
    }

    /// An array with the type and extents of its file, for elements of an MLIR type if they are
    /// known.
    fn opened(&self, spec: Spec, expected: Option<&str>) -> std::result::Result<Spec, String> {
        let Spec::File(element, file, strides) = spec else { return Ok(spec) };
        let Kind { element, shape, is_row_major } =
            self.all.files.kind(&file, element, expected, self.memory)?;
        argument::fits(element, &shape)?;
        let strides = match strides {
            Strides::Open if !is_row_major => {
                let strides = fill::column_major(&shape);
                Strides::Usually(strides.into_iter().map(|stride| stride as i64).collect())
            }
            strides => strides,
        };
        Ok(Spec::Array { element, shape, strides, values: Values::File(file) })
    }

    /// The name of an array: the given one, otherwise that of the parameter.
    fn named(&self, name: Option<String>, passed: &Passed) -> std::result::Result<String, String> {
        let Some(name) = name else { return Ok(passed.argument.clone()) };
        if self.is_taken(&name) {
            return Err(format!("the name '{name}' is taken"));
        }
        Ok(name)
    }
}

/// An address that is a number.
fn raw_address(is_integer: bool, text: &str, passed: &Passed) -> std::result::Result<Value, String> {
    let bits = Element::U64.integer(text).ok().filter(|_| is_integer);
    bits.map(|bits| Value::Scalar(Element::U64, bits)).ok_or_else(|| {
        format!(
            "parameter '{}' is a pointer: give it an array, such as f32[128x64], an address, such as &A+16 or 0x7000, or \
             null",
            passed.argument
        )
    })
}

/// A number as it is passed.
fn number_of(element: Option<Element>, text: &str, passed: &Passed) -> std::result::Result<Value, String> {
    argument::scalar(element, text, passed).map(|(element, bits)| Value::Scalar(element, bits))
}

/// An extent or stride as it is passed.
fn integer(value: i64, passed: &Passed) -> std::result::Result<Value, String> {
    number_of(None, &value.to_string(), passed)
}
