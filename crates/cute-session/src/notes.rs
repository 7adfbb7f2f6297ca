//! A manifest beside a file of PTX says more of its parameters: names, element types, and which of
//! them belong to one argument.

use cute_arch::Element;
use cute_dialect::parameters::{Promise, Role};
use cute_driver::manifest::{Field, Holds, Kernel, Leaf, Manifest, Parameter};
use cute_driver::signature::{self, Argument, Axis};
use serde_json::Value;

/// Fills in a manifest that was read from PTX.
///
/// # Errors
/// Returns the part that does not fit the PTX.
pub(crate) fn fill_in(manifest: &mut Manifest, json: &str) -> Result<(), String> {
    let known: Value = serde_json::from_str(json).map_err(|why| why.to_string())?;
    let kernels = known["kernels"].as_array().ok_or("it has no list of kernels")?;
    for kernel in &mut manifest.kernels {
        if let Some(known) = kernels.iter().find(|known| known["name"] == kernel.name.as_str()) {
            of_kernel(kernel, known).map_err(|why| format!("kernel '{}': {why}", kernel.name))?;
        }
    }
    Ok(())
}

fn of_kernel(kernel: &mut Kernel, known: &Value) -> Result<(), String> {
    let none = Vec::new();
    let parameters = known["parameters"].as_array().unwrap_or(&none);
    if parameters.len() != kernel.parameters.len() {
        let (written, own) = (parameters.len(), kernel.parameters.len());
        return Err(format!("it has {written} parameters, but the PTX has {own}"));
    }
    kernel.shared_memory.dynamic_size = known["shared_memory"]["dynamic_size"].as_u64();
    kernel.block = kernel.block.or(three(&known["block"]));
    for (own, known) in kernel.parameters.iter_mut().zip(parameters) {
        of_parameter(own, known)?;
    }
    let arguments = known["arguments"].as_array().unwrap_or(&none);
    kernel.arguments = arguments.iter().map(|known| argument(known, &kernel.parameters)).collect();
    let (of_arguments, passed) =
        (kernel.arguments.iter().map(|a| a.leaves.len()).sum::<usize>(), kernel.leaves().len());
    if of_arguments != passed {
        return Err(format!("its arguments have {of_arguments} values, but its parameters {passed}"));
    }
    Ok(())
}

/// x, y, z.
fn three(known: &Value) -> Option<[i32; 3]> {
    let each = known.as_array()?.iter().map(|n| n.as_i64()?.try_into().ok());
    each.collect::<Option<Vec<i32>>>()?.try_into().ok()
}

fn text(known: &Value) -> String {
    known.as_str().unwrap_or_default().to_owned()
}

fn of_parameter(own: &mut Parameter, known: &Value) -> Result<(), String> {
    if known["width"].as_u64() != Some(own.width) {
        return Err(format!(
            "parameter '{}' has {} bytes, but {} in the manifest",
            own.name, own.width, known["width"]
        ));
    }
    own.r#type = text(&known["type"]);
    own.kind = text(&known["kind"]);
    own.argument = text(&known["argument"]);
    own.holds = match known["fields"].as_array() {
        None => Holds::One(leaf(known, &own.argument)),
        Some(fields) => {
            let field = |known: &Value| {
                let (offset, width) = (known["offset"].as_u64()?, known["width"].as_u64()?);
                let is_inside = offset.checked_add(width).is_some_and(|end| end <= own.width) && width <= 8;
                is_inside.then(|| Field {
                    r#type: text(&known["type"]),
                    width,
                    offset,
                    kind: text(&known["kind"]),
                    leaf: leaf(known, &own.argument),
                })
            };
            let fields = fields.iter().map(field).collect::<Option<_>>();
            Holds::Struct { fields: fields.ok_or("a field does not lie in its parameter")? }
        }
    };
    Ok(())
}

/// The role with this name.
fn role(known: &Value) -> Role {
    let all = [
        Role::Pointer,
        Role::Extent,
        Role::Stride,
        Role::Offset,
        Role::Inner,
        Role::Coordinate,
        Role::Descriptor,
    ];
    all.into_iter().find(|role| known["leaf"] == role.name()).unwrap_or(Role::Value)
}

fn mode(known: &Value) -> Vec<usize> {
    let path = known["mode"].as_array().into_iter().flatten();
    path.filter_map(|index| index.as_u64()?.try_into().ok()).collect()
}

fn bits(element: &Value) -> Option<u32> {
    let name = element.as_str()?;
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let integer = name.starts_with(['i', 'u']).then(|| digits.parse().ok()).flatten();
    integer.or_else(|| name.parse::<Element>().ok().map(Element::bits))
}

fn leaf(known: &Value, argument: &str) -> Leaf {
    let role = role(known);
    let multiple_of = known["multiple_of"].as_i64();
    let align = known["align"].as_i64();
    let path: Vec<String> = mode(known).iter().map(usize::to_string).collect();
    Leaf {
        leaf: role.name(),
        mode: mode(known),
        element: known["element"].as_str().map(str::to_owned),
        align,
        multiple_of,
        bits: bits(&known["element"]),
        promises: multiple_of.or(align).map(Promise::MultipleOf).into_iter().collect(),
        text: match role {
            Role::Value => format!("parameter '{argument}'"),
            _ if path.is_empty() => format!("parameter '{argument}': the {}", role.name()),
            _ => format!("parameter '{argument}': the {} of mode {}", role.name(), path.join(",")),
        },
    }
}

fn argument(known: &Value, parameters: &[Parameter]) -> Argument {
    let name = text(&known["name"]);
    let own = parameters.iter().filter(|parameter| parameter.argument == name);
    let is_struct = own.clone().any(|parameter| matches!(parameter.holds, Holds::Struct { .. }));
    let mut leaves = Vec::new();
    for parameter in own {
        let mut add = |kind: &str, leaf: &Leaf| {
            leaves.push(signature::Leaf {
                stored: kind.to_owned(),
                stored_kind: kind.to_owned(),
                role: Role::Value,
                mode: leaf.mode.clone(),
                promises: leaf.promises.clone(),
                kind: kind.to_owned(),
                text: leaf.text.clone(),
            });
        };
        match &parameter.holds {
            Holds::One(leaf) => add(&parameter.kind, leaf),
            Holds::Struct { fields } => fields.iter().for_each(|field| add(&field.kind, &field.leaf)),
        }
    }
    let axis = |known: &Value| Axis {
        mode: mode(known),
        extent: known["extent"].as_i64(),
        stride: known["stride"].as_i64(),
    };
    Argument {
        name,
        r#type: text(&known["type"]),
        element: known["element"].as_str().map(str::to_owned),
        axes: known["axes"].as_array().map(|axes| axes.iter().map(axis).collect()),
        tma: None,
        bits: bits(&known["element"]),
        leaves,
        is_struct,
    }
}
