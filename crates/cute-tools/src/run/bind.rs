//! Binds the `--arg`s of a kernel or host function: arrays, and a value for each leaf of its
//! arguments.

use super::{
    argument::{self, Spec, Strides, Values},
    cli::Cli,
    element::Element,
    fill::{self, Order},
    job::Sms,
    map, npy, packed,
};
use crate::error::{Error, Result};
use cute_dialect::parameters::Role;
use cute_driver::{
    manifest::{Kernel, Passed},
    signature::Argument,
};
use cute_session::{Host, launch::broken};
use std::{borrow::Cow, fmt, path::Path};

/// The value of a leaf.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The address of an array, by its number.
    Array(usize),
    /// The null pointer.
    Null,
    /// A number: its lowest bytes.
    Scalar(Element, u64),
    /// The words of a parameter by value.
    Words(Vec<u64>),
    /// A tensor map of an array.
    Map(map::Spec),
}

impl Value {
    /// The words of a leaf, with the arrays and their addresses.
    ///
    /// # Errors
    /// Fails if a tensor map breaks a rule.
    pub(super) fn words(&self, arrays: &[Array], addresses: &[u64]) -> Result<Vec<u64>> {
        Ok(match self {
            Self::Array(i) => vec![addresses[*i]],
            Self::Null => vec![0],
            Self::Scalar(_, bits) => vec![*bits],
            Self::Words(words) => words.clone(),
            Self::Map(spec) => {
                let failed = |why| Error::Argument { argument: format!("tensor_map({})", spec.array), why };
                let at = arrays.iter().position(|array| array.name == spec.array);
                let at = at.ok_or_else(|| failed(format!("there is no array '{}'", spec.array)))?;
                let map = spec.map(&arrays[at], addresses[at]).map_err(failed)?;
                map.words().map_err(|broken| failed(broken.to_string()))?.to_vec()
            }
        })
    }
}

/// An array in global memory, before the run.
#[derive(Debug)]
pub struct Array {
    /// The name in its `--arg`, or otherwise in the source.
    pub name: String,
    /// The element type.
    pub element: Element,
    /// Row-major.
    pub shape: Vec<usize>,
    /// Little-endian, as the elements lie in memory: those of less than a byte are packed.
    pub bytes: Vec<u8>,
    /// The order of the elements in memory.
    pub order: Order,
    /// For an array of addresses, the numbers of the arrays that its elements point to, row by row;
    /// otherwise empty.
    pub points_to: Vec<usize>,
}

impl Array {
    /// The initial contents of memory, with the addresses of the arrays.
    ///
    /// # Errors
    /// Fails if there is not enough memory for the contents.
    pub fn memory(&self, addresses: &[u64]) -> Result<Cow<'_, [u8]>> {
        if self.points_to.is_empty() {
            return Ok(Cow::Borrowed(&self.bytes));
        }
        let rows = self.points_to.iter().flat_map(|i| addresses[*i].to_le_bytes()).collect();
        let memory = self.order.to_memory(rows, self.element.bytes());
        memory.map(Cow::Owned).map_err(|why| Error::Argument { argument: self.name.clone(), why })
    }

    /// The bytes row by row, from the contents of memory after a run.
    pub fn rows(&self, memory: Vec<u8>) -> Vec<u8> {
        let mut rows = self.order.to_rows(packed::unpack(memory, self.element.bits()), self.element.bytes());
        // The last byte of packed elements may have room for more.
        rows.truncate(self.shape.iter().product::<usize>().saturating_mul(self.element.bytes()));
        rows
    }
}

/// A function that is called with arguments.
pub(super) struct Callee<'m> {
    /// `kernel` or `host function`.
    what: &'static str,
    name: &'m str,
    arguments: &'m [Argument],
    leaves: Vec<Passed>,
}

impl fmt::Display for Callee<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.what, self.name)
    }
}

impl<'m> Callee<'m> {
    pub(super) fn kernel(kernel: &'m Kernel) -> Self {
        Self { what: "kernel", name: &kernel.name, arguments: &kernel.arguments, leaves: kernel.leaves() }
    }

    pub(super) fn host(host: &'m Host) -> Self {
        Self {
            what: "host function",
            name: &host.program.name,
            arguments: &host.arguments,
            leaves: host.leaves.clone(),
        }
    }

    /// The arguments that need an `--arg`: those with leaves, except handles.
    fn declared(&self) -> Vec<&'m Argument> {
        let is_given = |a: &&Argument| a.leaves.iter().any(|leaf| !is_handle(&leaf.kind));
        self.arguments.iter().filter(is_given).collect()
    }
}

/// Whether leaves of this kind are handles of the driver: of the default stream, and of no event.
fn is_handle(kind: &str) -> bool {
    matches!(kind, "stream" | "event")
}

/// The values of all leaves: one `--arg` for each argument of the source, or for each leaf. The
/// arrays of the arguments are followed by those that are only reachable through addresses.
pub(super) fn arguments(callee: &Callee<'_>, options: &Cli, sms: Sms) -> Result<(Vec<Value>, Vec<Array>)> {
    let texts = &options.arguments;
    let declared = callee.declared();
    let memory = options.memory << 20;
    let mut binder = Binder { callee, memory, sms, arrays: Vec::new(), addresses: Vec::new() };
    let given: Vec<_> = callee.leaves.iter().filter(|p| !is_handle(&p.kind)).cloned().collect();
    let mut values = Vec::new();
    let mut rest = given.as_slice();
    let failed = |text: &String, why| Error::Argument { argument: text.clone(), why };
    if texts.len() == declared.len() {
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
        let whole = declared.iter().map(|a| format!("{} ({})", a.name, a.r#type)).collect();
        let leaves = given.iter().map(|p| format!("{} {}", p.argument, p.r#type)).collect();
        return Err(Error::ArgumentCount { callee: callee.to_string(), whole, leaves, given: texts.len() });
    }
    if let Some(why) = broken(&given, values.iter().map(number)) {
        return Err(Error::Launch { callee: callee.to_string(), why });
    }
    for (i, _) in callee.leaves.iter().enumerate().filter(|(_, p)| is_handle(&p.kind)) {
        values.insert(i, Value::Null);
    }
    for text in &options.arrays {
        binder.memory(text).map_err(|why| failed(text, why))?;
    }
    Ok((values, binder.resolved()?))
}

/// Alignment of arrays in bytes, in the simulator and on GPUs.
const ARRAY_ALIGN: i64 = 256;

/// A value as a number and as text, to compare with the promises of its leaf.
fn number(value: &Value) -> Option<(i64, String)> {
    match *value {
        Value::Null | Value::Words(_) | Value::Map(_) => None,
        Value::Array(_) => Some((ARRAY_ALIGN, format!("a multiple of {ARRAY_ALIGN}"))),
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
    /// Bytes that are left for arrays.
    memory: u64,
    sms: Sms,
    arrays: Vec<Array>,
    /// For each array of addresses: its number, and the names of the arrays that it points to.
    addresses: Vec<(usize, Vec<String>)>,
}

impl Binder<'_> {
    /// An array that only addresses lead to.
    fn memory(&mut self, text: &str) -> std::result::Result<(), String> {
        let (name, spec) = argument::parse(text)?;
        match (name, opened(spec, None, self.memory)?) {
            (Some(name), Spec::Array { .. }) if self.is_taken(&name) => {
                Err(format!("the name '{name}' is taken"))
            }
            (Some(name), Spec::Array { element, shape, strides, values }) => {
                strides.unused(format_args!("the array '{name}'"))?;
                self.allocate(name, (element, &shape, &values), Order::default()).map(|_| ())
            }
            _ => Err("write NAME:TYPE[EXTENTS][=VALUES] or NAME=FILE.npy".into()),
        }
    }

    /// The arrays, each with the numbers of those that it points to.
    fn resolved(mut self) -> Result<Vec<Array>> {
        let holders: Vec<usize> = self.addresses.iter().map(|(array, _)| *array).collect();
        let find = |name: &String| match self.arrays.iter().position(|a| a.name == *name) {
            None => Err(format!("there is no array '{name}'")),
            Some(at) if holders.contains(&at) => {
                Err(format!("array '{name}' holds addresses itself, which is not supported"))
            }
            Some(at) => Ok(at),
        };
        let mut found = Vec::new();
        for (array, names) in &self.addresses {
            let points_to = names.iter().map(find).collect::<std::result::Result<Vec<_>, _>>();
            let failed = |why| Error::Argument { argument: self.arrays[*array].name.clone(), why };
            found.push((*array, points_to.map_err(failed)?));
        }
        for (array, points_to) in found {
            self.arrays[array].points_to = points_to;
        }
        Ok(self.arrays)
    }

    /// Values for all that is passed for an argument.
    fn whole(
        &mut self,
        text: &str,
        argument: &Argument,
        leaves: &[Passed],
    ) -> std::result::Result<Vec<Value>, String> {
        if let [one] = leaves
            && is_bytes(text, one)
        {
            return Ok(vec![self.bytes(text, one)?]);
        }
        let (name, spec) = argument::parse(text)?;
        let spec = opened(spec, leaves.iter().find_map(|p| p.leaf.element.as_deref()), self.memory)?;
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
                    values.push(match p.leaf.leaf {
                        "extent" => integer(axis(p)?.0, p)?,
                        "stride" => integer(axis(p)?.1, p)?,
                        _ => self.value(name.clone(), &spec, p, filled.order.clone())?,
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
                [one] => Ok(vec![self.plain(name, &spec, one)?]),
                many => Err(format!(
                    "parameter '{}' is {}, which is passed as {} values: give one --arg for each of the {} values that are \
                     passed in all",
                    argument.name,
                    argument.r#type,
                    many.len(),
                    self.callee.leaves.len()
                )),
            },
        }
    }

    fn leaf(&mut self, text: &str, passed: &Passed) -> std::result::Result<Value, String> {
        if is_bytes(text, passed) {
            return self.bytes(text, passed);
        }
        let (name, spec) = argument::parse(text)?;
        let spec = opened(spec, passed.leaf.element.as_deref(), self.memory)?;
        self.plain(name, &spec, passed)
    }

    /// The bytes of a parameter by value: those of an array, or a tensor map.
    fn bytes(&mut self, text: &str, passed: &Passed) -> std::result::Result<Value, String> {
        let form = text.find("tensor_map(").map_or(text, |at| &text[at..]);
        let width = passed.width;
        if let Some(spec) = map::parse(form) {
            if width != cute_arch::tensor_map::BYTES as u64 {
                return Err(format!("{} has {width} bytes, but a tensor map has 128", passed.leaf.text));
            }
            return Ok(Value::Map(spec?));
        }
        let (_, spec) = argument::parse(text)?;
        let Spec::Array { element, shape, values, .. } = opened(spec, None, self.memory)? else {
            return Err(format!(
                "{} has {width} bytes: give it an array of {width} bytes, such as u8[{width}]=FILE.npy, or \
                 tensor_map(ARRAY,box=..)",
                passed.leaf.text
            ));
        };
        let count: usize = shape.iter().product();
        let bytes = match &values {
            Values::File(file) => npy::read(Path::new(file), element, &shape)?,
            values => argument::bytes(element, count, values)?,
        };
        if bytes.len() as u64 != width {
            return Err(format!("{} has {width} bytes, but the array has {}", passed.leaf.text, bytes.len()));
        }
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Ok(Value::Words(bytes.chunks(8).map(word).collect()))
    }

    /// A value for a leaf without a layout.
    fn plain(
        &mut self,
        name: Option<String>,
        spec: &Spec,
        passed: &Passed,
    ) -> std::result::Result<Value, String> {
        if let Spec::Array { strides, .. } = spec {
            strides.unused(format_args!("{}, a {}", passed.leaf.text, passed.r#type))?;
        }
        self.value(name, spec, passed, Order::default())
    }

    /// A value for a leaf.
    fn value(
        &mut self,
        name: Option<String>,
        spec: &Spec,
        passed: &Passed,
        order: Order,
    ) -> std::result::Result<Value, String> {
        if let Some(name) = name.as_ref().filter(|n| **n != passed.argument)
            && self.callee.arguments.iter().any(|a| a.name == *name)
        {
            return Err(format!("this is parameter '{}'; '{name}' is another one", passed.argument));
        }
        if passed.kind == "descriptor" {
            let what = "only a host function makes descriptors of the TMA; run it with --host";
            return Err(format!("{} is {}: {what}", passed.leaf.text, passed.r#type));
        }
        // PTX does not say whether a word is an address.
        let is_word = passed.kind == "word";
        let is_pointer = passed.kind == "pointer";
        match spec {
            Spec::Null | Spec::Array { .. } | Spec::File(..) if !is_pointer && !is_word => {
                Err(format!("{} is {}, not a pointer", passed.leaf.text, passed.r#type))
            }
            Spec::Scalar(..) if is_pointer => Err(format!(
                "parameter '{}' is a pointer: give it an array, such as f32[128x64], or null",
                passed.argument
            )),
            Spec::File(..) => unreachable!("files are opened before values are made"),
            Spec::Null => Ok(Value::Null),
            Spec::Scalar(element, number) if number == argument::AUTO => {
                argument::scalar(*element, &self.sms.known()?.to_string(), passed)
            }
            Spec::Scalar(element, number) => argument::scalar(*element, number, passed),
            Spec::Array { element, shape, values, .. } => {
                self.array(name, (*element, shape, values), passed, order)
            }
        }
    }

    fn array(
        &mut self,
        name: Option<String>,
        (element, shape, values): (Element, &[usize], &Values),
        passed: &Passed,
        order: Order,
    ) -> std::result::Result<Value, String> {
        if let Some(expected) = &passed.leaf.element
            && !element.stands_for(expected, passed.leaf.bits)
        {
            return Err(format!(
                "parameter '{}' has elements of type {expected}, but the array has {element}",
                passed.argument
            ));
        }
        let name = self.named(name, passed)?;
        self.allocate(name, (element, shape, values), order)
    }

    fn allocate(
        &mut self,
        name: String,
        (element, shape, values): (Element, &[usize], &Values),
        order: Order,
    ) -> std::result::Result<Value, String> {
        let count: usize = shape.iter().product();
        let size = packed::size(order.reach(count), element.bits()) as u64;
        self.memory = self.memory.checked_sub(size).ok_or_else(|| {
            format!("{size} bytes are more than the {} that --memory leaves for this array", self.memory)
        })?;
        let rows = match values {
            Values::File(file) => npy::read(Path::new(file), element, shape)?,
            values => argument::bytes(element, count, values)?,
        };
        let bytes = packed::pack(order.to_memory(rows, element.bytes())?, element.bits())?;
        let number = self.arrays.len();
        if let Values::Addresses(names) = values {
            self.addresses.push((number, names.clone()));
        }
        self.arrays.push(Array { name, element, shape: shape.to_vec(), bytes, order, points_to: Vec::new() });
        Ok(Value::Array(number))
    }

    fn is_taken(&self, name: &str) -> bool {
        self.arrays.iter().any(|a| a.name == name)
    }

    /// The name of an array: that in its `--arg`, otherwise that of the parameter.
    fn named(&self, name: Option<String>, passed: &Passed) -> std::result::Result<String, String> {
        let Some(name) = name else { return Ok(passed.argument.clone()) };
        if self.is_taken(&name) {
            return Err(format!("the name '{name}' is taken"));
        }
        Ok(name)
    }
}

/// Whether a text gives a leaf as bytes.
fn is_bytes(text: &str, passed: &Passed) -> bool {
    passed.kind == "bytes" || passed.kind == "descriptor" && text.contains("tensor_map(")
}

/// An array with the type and extents of its file, for elements of an MLIR type if they are known.
fn opened(spec: Spec, expected: Option<&str>, memory: u64) -> std::result::Result<Spec, String> {
    let Spec::File(element, file, strides) = spec else { return Ok(spec) };
    let npy::Kind { element, shape, is_row_major } = npy::kind(Path::new(&file), element, expected, memory)?;
    argument::fits(element, &shape)?;
    let strides = match strides {
        Strides::Open if !is_row_major => {
            Strides::Usually(fill::column_major(&shape).into_iter().map(|stride| stride as i64).collect())
        }
        strides => strides,
    };
    Ok(Spec::Array { element, shape, strides, values: Values::File(file) })
}

/// An extent or stride as it is passed.
fn integer(value: i64, passed: &Passed) -> std::result::Result<Value, String> {
    argument::scalar(None, &value.to_string(), passed)
}
