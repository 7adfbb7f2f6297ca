//! Variables of a module, such as those that CUDA C++ declares `__constant__` or `__device__`:
//! which there are, and the arrays that take their place.

use super::{Binder, Form, Given, Value};
use crate::{
    argument::{self, Spec, Strides, Values},
    array::{Array, located},
    element::Element,
    error::{Error, Result},
    fill::DimensionOrder,
    hole::Hole,
    packed,
};
use cute_algebra::text::closest;
use cute_sim::{Place, Program, names::readable};
use std::sync::Arc;

/// Variables that a caller sets or reads.
#[derive(Clone, Copy, Default)]
pub struct Variables<'a> {
    /// One for each variable: its name, and its values, its type, or both.
    pub given: &'a [Given],
    /// Where they are declared.
    pub program: Option<&'a Program>,
}

/// A variable of the module that is an array of the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleVariable {
    /// The symbol that the module calls it by.
    pub symbol: String,
    /// The number of the array.
    pub array: usize,
    /// Whether kernels cannot write to it.
    pub is_constant: bool,
}

/// A variable that a kernel uses.
struct Declared<'p> {
    symbol: &'p str,
    bytes: &'p [u8],
    /// Whether its initial contents hold addresses.
    holds_addresses: bool,
    is_constant: bool,
}

/// The variables that the kernels of a program use.
fn declared(program: &Program) -> Vec<Declared<'_>> {
    let mut all: Vec<Declared<'_>> = Vec::new();
    for kernel in &program.kernels {
        let variables = kernel.variables.iter().map(|variable| Declared {
            symbol: &variable.name,
            bytes: &variable.bytes,
            holds_addresses: !variable.addresses.is_empty(),
            is_constant: false,
        });
        let constants = kernel.constants.iter().filter_map(|constant| match &constant.place {
            Place::Constant(symbol) => {
                let (holds_addresses, is_constant) = (false, true);
                Some(Declared { symbol, bytes: &constant.bytes, holds_addresses, is_constant })
            }
            _ => None,
        });
        for one in variables.chain(constants) {
            if all.iter().all(|known| known.symbol != one.symbol) {
                all.push(one);
            }
        }
    }
    all
}

/// The variable of this name, which is its symbol, or its name in the source.
fn find<'d, 'p>(all: &'d [Declared<'p>], name: &str) -> std::result::Result<&'d Declared<'p>, String> {
    if let Some(known) = all.iter().find(|known| known.symbol == name) {
        return Ok(known);
    }
    match all.iter().filter(|known| readable(known.symbol) == name).collect::<Vec<_>>()[..] {
        [one] => return Ok(one),
        [] => {}
        [..] => return Err(format!("'{name}' is the name of several variables: give the symbol of one")),
    }
    let names: Vec<_> = all.iter().map(|known| readable(known.symbol)).collect();
    Err(match closest(name, names.iter().map(|name| &**name)) {
        _ if names.is_empty() => format!("no kernel uses a variable '{name}', or any other"),
        Some(near) => format!("no kernel uses a variable '{name}'; did you mean '{near}'?"),
        None => format!("no kernel uses a variable '{name}'; there are: {}", names.join(", ")),
    })
}

impl Binder<'_> {
    /// Makes arrays for the variables that are given.
    pub(super) fn variables(&mut self) -> Result<Vec<ModuleVariable>> {
        let Variables { given, program } = self.all.variables;
        let all = program.map(declared).unwrap_or_default();
        let mut made: Vec<ModuleVariable> = Vec::new();
        for text in given {
            let failed = |why| Error::Variable { variable: text.to_string(), why };
            let variable = self.variable(text, &all).map_err(failed)?;
            if made.iter().any(|known| known.symbol == variable.symbol) {
                return Err(failed(format!("the variable '{}' is given twice", readable(&variable.symbol))));
            }
            made.push(variable);
        }
        Ok(made)
    }

    fn variable(
        &mut self,
        text: &Given,
        all: &[Declared<'_>],
    ) -> std::result::Result<ModuleVariable, String> {
        let (name, form) = text.read()?;
        let form_error = "write NAME:TYPE[EXTENTS][=VALUES], NAME:TYPE=NUMBER, NAME=FILE.npy or NAME:{..}";
        let name = name.ok_or(form_error)?;
        let known = find(all, &name)?;
        if self.is_taken(&name) {
            return Err(format!("the name '{name}' is taken"));
        }
        let form = match form {
            // A number is an array of one element.
            Form::Value(Spec::Scalar(Some(element), number) | Spec::Number(element, number)) => {
                let bits = argument::bits(element, &number)?;
                let values = Values::Rows(Arc::from(&bits.to_le_bytes()[..element.bytes()]));
                Form::Value(Spec::Array { element, shape: vec![1], strides: Strides::Open, values })
            }
            Form::Value(Spec::Scalar(None, number)) => {
                return Err(format!("{number} has no type: write {name}:i32={number}, for example"));
            }
            Form::Value(Spec::Bytes(bytes)) => {
                let (element, shape) = (Element::U8, vec![bytes.len()]);
                Form::Value(Spec::Array {
                    element,
                    shape,
                    strides: Strides::Open,
                    values: Values::Rows(bytes),
                })
            }
            form => form,
        };
        let kept = matches!(text, Given::Text(text) if text.trim_end().ends_with(']')).then_some(());
        let first = self.arrays.len();
        match form {
            Form::Value(spec) => match (self.opened(spec, None)?, kept) {
                (Spec::Array { element, shape, values: Values::All(_), .. }, Some(())) => {
                    self.keep(name, element, shape, known)?;
                }
                (Spec::Array { values: Values::Strided(_), .. }, _) => {
                    return Err(
                        "its elements do not lie row by row, as those of a variable do; pass a copy".into()
                    );
                }
                (Spec::Array { element, shape, strides, values }, _) => {
                    let order = strides.written().map(|strides| DimensionOrder::of_strides(&shape, strides));
                    self.allocate(name, (element, &shape, &values), order.unwrap_or_default())?;
                }
                _ => return Err(form_error.into()),
            },
            form => {
                let contents = self.contents_of(form)?;
                self.begins_with(name, contents)?;
            }
        }
        let array = self.arrays.len() - 1;
        if self.arrays.len() == first {
            return Err("its array is that of another argument; pass a copy".into());
        }
        let (size, wanted) = (self.arrays[array].contents.size(), known.bytes.len());
        let symbol = known.symbol.to_owned();
        match size == wanted {
            true => Ok(ModuleVariable { symbol, array, is_constant: known.is_constant }),
            false => Err(format!("the variable has {wanted} bytes, but {size} are given")),
        }
    }

    /// An array with the contents that the module gives to a variable.
    fn keep(
        &mut self,
        name: String,
        element: Element,
        shape: Vec<usize>,
        known: &Declared<'_>,
    ) -> std::result::Result<(), String> {
        let size = packed::size(shape.iter().product(), element.bits());
        if size != known.bytes.len() {
            return Err(format!("the variable has {} bytes, but {size} are given", known.bytes.len()));
        }
        if known.holds_addresses {
            return Err("the module puts addresses into it: give its values, such as NAME:{&A,i32=5}".into());
        }
        let (contents, order) = (Arc::new(known.bytes.to_vec()), DimensionOrder::default());
        let holes = Vec::new();
        let (rows, is_undefined, layout) = (None, false, None);
        self.arrays.push(Array { name, element, shape, contents, order, holes, rows, is_undefined, layout });
        Ok(())
    }
}

/// Checks that no address is that of a constant: kernels see a copy, elsewhere.
pub(super) fn not_constant(variables: &[ModuleVariable], arrays: &[Array], values: &[Value]) -> Result<()> {
    let known = located(arrays, &vec![0; arrays.len()]);
    let of_arrays = arrays.iter().flat_map(|array| array.holes.iter().map(|(_, hole)| hole.pointee()));
    let of_values = values.iter().flat_map(|value| match value {
        Value::Structure(structure) => {
            structure.holes().iter().map(|(_, hole): &(usize, Hole)| hole.pointee()).collect()
        }
        Value::Map(spec) => vec![&spec.array],
        Value::Address(address) => vec![&address.array],
        _ => Vec::new(),
    });
    for pointee in of_arrays.chain(of_values) {
        let Ok(number) = pointee.find(&known) else { continue };
        if let Some(variable) = variables.iter().find(|v| v.is_constant && v.array == number) {
            let why =
                "its address is not known outside of the kernel, because it is in constant memory".into();
            return Err(Error::Variable { variable: readable(&variable.symbol).into_owned(), why });
        }
    }
    Ok(())
}
