//! Manifests from their JSON, which leaves out what follows from the rest.

use cute_algebra::ModePath;

use crate::{
    argument::{self, Argument},
    element::bits,
    manifest::{Function, Holds, Kernel, Leaf, Manifest, Parameter},
    role::{Promise, Role, field},
};

impl Manifest {
    /// The manifest in a text of JSON.
    ///
    /// # Errors
    /// Returns the part that is not as a compiler writes it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let mut manifest: Self = serde_json::from_str(text).map_err(|why| why.to_string())?;
        for Kernel { name, arguments, parameters, .. } in &mut manifest.kernels {
            complete(arguments, parameters).map_err(|why| format!("kernel '{name}': {why}"))?;
        }
        Ok(manifest)
    }

    /// Fills in what another manifest, the one that is written beside PTX, says of the kernels of
    /// this one, which was read from the PTX.
    ///
    /// # Errors
    /// Returns the part that does not fit.
    pub fn describe(&mut self, known: &Self) -> Result<(), String> {
        for own in &mut self.kernels {
            if let Some(known) = known.kernels.iter().find(|known| known.name == own.name) {
                own.describe(known).map_err(|why| format!("kernel '{}': {why}", own.name))?;
            }
        }
        Ok(())
    }
}

impl Kernel {
    fn describe(&mut self, known: &Self) -> Result<(), String> {
        let (written, own) = (known.parameters.len(), self.parameters.len());
        if written != own {
            return Err(format!("it has {written} parameters, but the PTX has {own}"));
        }
        for (own, known) in self.parameters.iter_mut().zip(&known.parameters) {
            if known.width != own.width {
                return Err(format!(
                    "parameter '{}' has {} bytes, but {} in the manifest",
                    own.name, own.width, known.width
                ));
            }
            let (name, offset, alignment) = (own.name.clone(), own.offset, own.alignment);
            *own = Parameter { name, offset, alignment, ..known.clone() };
        }
        self.shared_memory.dynamic_size = known.shared_memory.dynamic_size;
        self.block = self.block.or(known.block);
        self.arguments.clone_from(&known.arguments);
        self.expected.clone_from(&known.expected);
        Ok(())
    }
}

impl Function {
    /// The host function in a text of JSON.
    ///
    /// # Errors
    /// Returns the part that is not as a compiler writes it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let mut function: Self = serde_json::from_str(text).map_err(|why| why.to_string())?;
        complete(&mut function.arguments, &mut function.parameters)?;
        Ok(function)
    }

    /// The function as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers have a form in JSON")
    }
}

/// Adds to arguments and parameters what their JSON leaves out.
fn complete(arguments: &mut [Argument], parameters: &mut [Parameter]) -> Result<(), String> {
    for Parameter { name, width, argument, holds, .. } in &mut *parameters {
        match holds {
            Holds::One(leaf) => complete_leaf(leaf, argument),
            Holds::Struct { fields } => {
                for field in fields {
                    let end = field.offset.checked_add(field.width);
                    if field.width > 8 || end.is_none_or(|end| end > *width) {
                        return Err(format!("parameter '{name}': a field does not lie in its parameter"));
                    }
                    complete_leaf(&mut field.leaf, argument);
                }
            }
        }
    }
    for argument in &mut *arguments {
        let own = parameters.iter().filter(|parameter| parameter.argument == argument.name);
        argument.bits = argument.element.as_deref().and_then(bits);
        argument.is_struct = own.clone().any(|parameter| matches!(parameter.holds, Holds::Struct { .. }));
        argument.leaves = own.flat_map(leaves).collect();
    }
    let of_arguments: usize = arguments.iter().map(|a| a.leaves.len()).sum();
    let passed: usize = parameters.iter().map(|p| leaves(p).len()).sum();
    if of_arguments != passed {
        return Err(format!("its arguments have {of_arguments} values, but its parameters {passed}"));
    }
    Ok(())
}

fn complete_leaf(leaf: &mut Leaf, argument: &str) {
    let role = Role::named(&leaf.leaf);
    let text = match role {
        Some(Role::Value) => format!("parameter '{argument}'"),
        _ => format!("parameter '{argument}': {}", text(role, leaf)),
    };
    let divisor = leaf.multiple_of.or(leaf.align).unwrap_or(1);
    leaf.promises = Promise::of(role.unwrap_or(Role::Value), divisor);
    leaf.bits = leaf.element.as_deref().and_then(bits);
    leaf.text = text;
}

fn text(role: Option<Role>, leaf: &Leaf) -> String {
    role.map_or_else(|| field(&leaf.leaf), |role| role.text(&leaf.mode.iter().copied().collect::<ModePath>()))
}

/// The leaves of an argument that a parameter holds.
fn leaves(parameter: &Parameter) -> Vec<argument::Leaf> {
    let leaf = |kind: &str, leaf: &Leaf| {
        let role = Role::named(&leaf.leaf);
        argument::Leaf {
            stored: kind.to_owned(),
            stored_kind: kind.to_owned(),
            role: role.unwrap_or(Role::Value),
            mode: leaf.mode.clone(),
            promises: leaf.promises.clone(),
            kind: kind.to_owned(),
            text: text(role, leaf),
        }
    };
    match &parameter.holds {
        Holds::One(one) => vec![leaf(&parameter.kind, one)],
        Holds::Struct { fields } => fields.iter().map(|field| leaf(&field.kind, &field.leaf)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = r#"{"version": "0.1.0", "target": "sm_90a", "kernels": [{
        "name": "k",
        "arguments": [{"name": "x", "type": "!cute.memref<..>", "element": "f16",
            "axes": [{"mode": [0], "extent": null, "stride": 1}]}, {"name": "n", "type": "i32"}],
        "parameters": [
            {"name": "k_param_0", "type": "!llvm.ptr<1>", "width": 8, "offset": 0, "alignment": 8,
             "kind": "pointer", "argument": "x", "leaf": "pointer", "element": "f16", "align": 16},
            {"name": "k_param_1", "type": "i32", "width": 4, "offset": 8, "alignment": 4,
             "kind": "i32", "argument": "x", "leaf": "extent", "mode": [0], "multiple_of": 8},
            {"name": "k_param_2", "type": "i32", "width": 4, "offset": 12, "alignment": 4,
             "kind": "i32", "argument": "n", "leaf": "value"}],
        "shared_memory": {"static": 0, "dynamic": false},
        "block": [128, 1, 1], "max_block": null, "cluster": null}]}"#;

    #[test]
    fn json_is_read_back_with_what_it_implies() {
        let manifest = Manifest::from_json(JSON).unwrap();
        let leaves = manifest.kernels[0].leaves();
        assert_eq!(leaves[1].leaf.promises, [Promise::Positive, Promise::MultipleOf(8)]);
        assert_eq!(leaves[1].leaf.text, "parameter 'x': the extent of mode 0");
        assert_eq!((leaves[0].leaf.bits, leaves[2].leaf.text.as_str()), (Some(16), "parameter 'n'"));
        assert_eq!(manifest.kernels[0].arguments[0].leaves.len(), 2);
        assert_eq!(Manifest::from_json(&manifest.to_json()), Ok(manifest));
    }

    #[test]
    fn json_that_does_not_fit_is_refused() {
        let lost = JSON.replace(r#""argument": "n""#, r#""argument": "m""#);
        let why = Manifest::from_json(&lost).unwrap_err();
        assert_eq!(why, "kernel 'k': its arguments have 2 values, but its parameters 3");
        let mut own = Manifest::from_json(JSON).unwrap();
        let known =
            Manifest::from_json(&JSON.replace(r#""width": 4, "offset": 12"#, r#""width": 8, "offset": 16"#));
        let why = own.describe(&known.unwrap()).unwrap_err();
        assert_eq!(why, "kernel 'k': parameter 'k_param_2' has 4 bytes, but 8 in the manifest");
        assert!(Manifest::from_json("{}").unwrap_err().contains("missing field"));
    }
}
