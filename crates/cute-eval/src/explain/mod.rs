//! The steps of an operation. This module describes them in words; the algebra computes the values,
//! leaf by leaf.

mod complement;
mod composition;
mod coords;
mod relations;
mod simplify;
mod tiling;
mod tilings;

use cute_algebra::{AnyLayout, Coord, CopySide, LayoutLike, MmaOperand, ModePath};

use crate::{
    error::{Error, Result, at},
    eval::Session,
    leaf::Leaf,
    registry::{self, Args, Function},
    syntax::{self, Expr, Node},
    value::Value,
};

/// Steps as they are found, each at its level of detail.
#[derive(Debug, Default)]
struct Steps {
    text: String,
    level: usize,
}

impl Steps {
    fn line(&mut self, step: impl AsRef<str>) {
        for _ in 0..=self.level {
            self.text.push_str("  ");
        }
        self.text.push_str(step.as_ref());
        self.text.push('\n');
    }

    /// The steps of a step.
    fn inside<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.level += 1;
        let value = f(self);
        self.level -= 1;
        value
    }
}

/// The steps of the evaluation of a layout at a coordinate, one per line.
pub(crate) fn evaluation(coord: &Coord<Leaf>, layout: &AnyLayout<Leaf>) -> Result<Vec<String>> {
    let mut steps = Steps::default();
    at(1, coords::crd2idx(&mut steps, coord, layout))?;
    Ok(steps.text.lines().map(|line| line.trim().to_string()).collect())
}

/// "mode 1 of b", or "b" for all of it.
fn mode_of(path: &ModePath, whole: &str) -> String {
    if path.indices().is_empty() { whole.to_string() } else { format!("{path} of {whole}") }
}

/// Every step of the call in `text`, one per line.
pub fn explain(session: &Session, text: &str) -> Result<String> {
    let node = syntax::expression(text)?;
    let column = node.column;
    let Some((name, values)) = session.called(&node)? else {
        return Err(Error::Unexpected {
            column,
            expected: "a call, such as coalesce((2,4):(1,2))",
            found: format!("`{}`", text.trim().chars().take(24).collect::<String>()),
        });
    };
    let mut steps = Steps::default();
    if let Expr::Call(written, nodes) = &node.expr
        && *written == name
    {
        for (i, (node, (_, value))) in nodes.iter().zip(&values).enumerate() {
            if let Node { expr: Expr::Call(inner, _) | Expr::Name(inner), .. } = node
                && value.to_string() != *inner
            {
                steps.line(format!("argument {}, {inner}: {value}", i + 1));
            }
        }
    }
    let shown: Vec<_> = values.iter().map(|(_, value)| value.to_string()).collect();
    let result = session.call(column, &name, values.clone())?;
    if let Some(function) = registry::find(&name) {
        steps_of(&mut steps, function, &Args::new(function, column, values)?, &result)?;
    }
    Ok(format!("{name}({})\n{}= {result}\n", shown.join(", "), steps.text))
}

fn steps_of(s: &mut Steps, function: &Function, a: &Args, result: &Value) -> Result<()> {
    // A swizzle in front is carried along; the operation acts on the outer layout.
    let outer = |i: usize| Ok::<_, Error>(a.layout(i)?.outer().clone());
    let found = match (function.name, a.count()) {
        ("coalesce", 1) => Some(a.at(simplify::coalesce(s, &outer(0)?))?),
        ("filter", 1) => Some(a.at(simplify::filter(s, &outer(0)?))?),
        ("composition", _) if !matches!(a.get(0)?.value, Value::Swizzle(_)) => {
            Some(a.at(composition::by_tiler(s, &outer(0)?, &a.tiler(1)?))?)
        }
        ("complement", n) => {
            let cotarget = if n > 1 { Some(a.shape(1)?) } else { None };
            Some(a.at(complement::steps(s, &outer(0)?, cotarget.as_ref()))?)
        }
        ("logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide", _) => {
            Some(a.at(tiling::divide(s, function.name, &outer(0)?, &a.tiler(1)?))?)
        }
        ("logical_product" | "zipped_product" | "tiled_product" | "flat_product", _) => {
            Some(a.at(tiling::product(s, function.name, &outer(0)?, &a.tiler(1)?))?)
        }
        ("slice" | "slice_and_offset", _) if matches!(a.get(1)?.value, Value::Layout(_)) => {
            a.at(coords::slice(s, &a.coord(0)?, &a.layout(1)?))?;
            None
        }
        ("crd2idx", _) if matches!(a.get(1)?.value, Value::Layout(_)) => {
            a.at(coords::crd2idx(s, &a.coord(0)?, &a.layout(1)?))?;
            None
        }
        ("layout_eval", _) => {
            a.at(coords::crd2idx(s, &a.coord(1)?, &a.layout(0)?))?;
            None
        }
        ("congruent" | "weakly_congruent" | "compatible" | "weakly_compatible", _) => {
            a.at(relations::steps(s, function.name, &a.shape(0)?, &a.shape(1)?))?;
            None
        }
        (name, n) => {
            let [all, letter] = name.rsplit_once('_').map_or([name, ""], |(all, letter)| [all, letter]);
            let thread = if n > 2 { Some(a.leaf(2)?) } else { None };
            let matrix = MmaOperand::ALL.into_iter().find(|which| which.to_string() == letter);
            let side = CopySide::ALL.into_iter().find(|side| side.to_string() == letter);
            match (result, all, matrix, side) {
                (Value::Tiling(made), ..) => a.at(tilings::tiling(s, made))?,
                (_, "thrfrg" | "partition", Some(which), _) => {
                    let mma = a.get(0)?.tiled_mma()?;
                    a.at(tilings::thrfrg(s, mma, which, &a.layout(1)?, thread.as_ref()))?;
                }
                (_, "tidfrg" | "partition", _, Some(side)) => {
                    let copy = a.get(0)?.tiled_copy()?;
                    a.at(tilings::tidfrg(s, copy, side, &a.layout(1)?, thread.as_ref()))?;
                }
                _ => s.line(function.doc),
            }
            None
        }
    };
    if let (Some(found), Value::Layout(layout)) = (found, result) {
        debug_assert_eq!(
            crate::value::show_layout(&found),
            crate::value::show_layout(layout.outer()),
            "the steps of {} end elsewhere",
            function.name
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use cute_algebra::Domain;

    use super::*;

    /// In a debug build the steps are compared with the result. This test does so for every vector
    /// of the operations that have steps.
    #[test]
    fn steps_end_in_the_result() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/cute");
        let session = Session::new(Domain::Extend);
        let files = [
            "coalesce",
            "composition",
            "composition_edge",
            "composition_negative",
            "complement",
            "crd2idx",
            "compatible",
            "dyn_coalesce",
            "dyn_complement",
            "dyn_composition",
            "dyn_composition_rhs",
            "dyn_crd2idx",
            "dyn_filter",
            "dyn_logical_divide",
            "dyn_logical_product",
            "dyn_slice",
            "dyn_zipped_divide",
            "filter",
            "flat_divide",
            "flat_product",
            "layout_eval",
            "logical_divide",
            "logical_divide_edge",
            "logical_product",
            "slice",
            "slice_and_offset",
            "swizzle_coalesce",
            "swizzle_layout_eval",
            "swizzle_zipped_divide",
            "tiled_divide",
            "tiled_product",
            "weakly_congruent",
            "zipped_divide",
            "zipped_product",
        ];
        let mut explained = 0;
        for file in files {
            let text = std::fs::read_to_string(folder.join(format!("{file}.json"))).expect("vectors");
            let entries: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
            for entry in entries {
                let (op, args) = (entry["op"].as_str().expect("op"), entry["args"].as_array().expect("args"));
                let args: Vec<_> = args.iter().map(|a| a.as_str().expect("text")).collect();
                let call = format!("{op}({})", args.join(", "));
                let steps = explain(&session, &call);
                let rejected = entry["result"].get("error").is_some();
                assert_eq!(steps.is_err(), rejected, "{call}");
                if let (Ok(steps), Some(result)) = (&steps, entry["result"].as_str()) {
                    assert!(steps.ends_with(&format!("= {result}\n")), "{call}: {steps}");
                }
                explained += usize::from(steps.is_ok());
            }
        }
        assert!(explained > 5000, "{explained}");
    }
}
