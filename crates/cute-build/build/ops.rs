//! Generates Rust functions that build ops from TableGen's records. They call methods of `Draft`.

use serde_json::Value;

use crate::{
    arguments::{arguments, dag, has_trait, prose, summary},
    records::{def, is_a, ops, text},
};

/// A Rust module named after the dialect, with one function an op.
pub fn module(records: &Value) -> String {
    let ops: Vec<&Value> = ops(records).collect();
    let Some(first) = ops.first() else { return String::new() };
    let dialect = text(&def(records, &first["opDialect"])["name"]);
    let functions: String = ops.iter().map(|op| function(records, dialect, op)).collect();
    format!("/// Ops of the `{dialect}` dialect.\npub mod {dialect} {{\nuse super::*;\n{functions}}}\n")
}

/// The generated code for one argument of an op: its parameter, and the call that adds it to the
/// op.
struct Argument {
    name: String,
    summary: String,
    rust_type: &'static str,
    call: String,
}

fn function(records: &Value, dialect: &str, op: &Value) -> String {
    let name = format!("{dialect}.{}", text(&op["opName"]));
    assert!(dag(&op["successors"]).next().is_none(), "{name}: functions of ops know no successors");

    let mut arguments: Vec<_> = arguments(op).map(|(c, n)| argument(def(records, c), n)).collect();
    arguments.extend(dag(&op["regions"]).map(|(c, n)| region(def(records, c), n)));
    if has_trait(records, op, "AttrSizedOperandSegments") {
        arguments.push(Argument { call: ".segmented()".into(), ..Argument::nameless() });
    }
    let (declared, returned, last) = results(records, op);
    arguments.push(declared);

    let mut docs = format!("/// `{name}`: {}.\n", prose(text(&op["summary"])));
    let mut parameters = String::new();
    let mut body = format!("builder.op({name:?})");
    for (i, a) in arguments.iter().enumerate() {
        if !a.name.is_empty() {
            let rule = if i == 0 { "///\n" } else { "" };
            docs += &format!("{rule}/// * `{}`: {}\n", a.name, a.summary);
            parameters += &format!("{}: {}, ", identifier(&a.name), a.rust_type);
        }
        body += &a.call;
    }
    body += last;
    let f = identifier(&text(&op["opName"]).replace('.', "_").to_lowercase());
    format!(
        "{docs}#[track_caller]\npub fn {f}<'c>(builder: &Builder<'c>, {parameters}) -> Result<{returned}> {{ {body} }}\n"
    )
}

fn argument(constraint: &Value, name: &str) -> Argument {
    let id = identifier(name);
    let is = |class| is_a(constraint, class);
    let (rust_type, call) = if is("TypeConstraint") {
        match () {
            () if is("Variadic") => ("&[Value<'c>]", format!(".operands({id})")),
            () if is("Optional") => ("Option<Value<'c>>", format!(".operands({id}.as_slice())")),
            () => ("Value<'c>", format!(".operands(&[{id}])")),
        }
    } else {
        // The type of the attribute inside optional and default wrappers.
        let wrapper = constraint["baseAttr"]["def"].as_str().filter(|_| is("DefaultValuedAttr"));
        match wrapper.unwrap_or(text(&constraint["!name"])) {
            "UnitAttr" => ("bool", format!(".flag({name:?}, {id})")),
            "I32Attr" | "Rank" => ("i32", format!(".attribute({name:?}, {id})")),
            "I64Attr" => ("i64", format!(".attribute({name:?}, {id})")),
            "DenseI32ArrayAttr" => ("&[i32]", format!(".attribute({name:?}, {id})")),
            _ if constraint["isOptional"] == 1 || is("DefaultValuedAttr") => {
                ("Option<Attribute<'c>>", format!(".optional({name:?}, {id})"))
            }
            _ => ("Attribute<'c>", format!(".attribute({name:?}, {id})")),
        }
    };
    Argument { name: name.into(), summary: summary(constraint), rust_type, call }
}

fn region(constraint: &Value, name: &str) -> Argument {
    let id = identifier(name);
    let (rust_type, call) = if is_a(constraint, "VariadicRegion") {
        ("Vec<Region<'c>>", format!(".regions({id})"))
    } else {
        ("Region<'c>", format!(".regions(vec![{id}])"))
    };
    Argument { name: name.into(), summary: summary(constraint), rust_type, call }
}

/// The results of an op: the parameter of their types if MLIR cannot infer them, the type that the
/// function returns, and the last call, which builds the op.
fn results(records: &Value, op: &Value) -> (Argument, &'static str, &'static str) {
    let results: Vec<_> = dag(&op["results"]).map(|(c, n)| (def(records, c), n)).collect();
    let inferred = has_trait(records, op, "InferTypeOpInterface");
    let (returned, last) = match results[..] {
        [] => ("()", ".done()"),
        [(constraint, _)] if !is_a(constraint, "Variadic") => ("Value<'c>", ".value()"),
        _ => ("Vec<Value<'c>>", ".values()"),
    };
    let declared = match results[..] {
        _ if inferred => Argument::nameless(),
        [] => Argument { call: ".results(&[])".into(), ..Argument::nameless() },
        [(constraint, name)] => {
            let (rust_type, types) =
                if is_a(constraint, "Variadic") { ("&[Type<'c>]", "{}") } else { ("Type<'c>", "&[{}]") };
            let call = format!(".results({})", types.replace("{}", &identifier(name)));
            let summary = format!("type of the result, {}", summary(constraint));
            Argument { name: name.into(), summary, rust_type, call }
        }
        _ => panic!("{}: a function declares one result at most", text(&op["opName"])),
    };
    (declared, returned, last)
}

impl Argument {
    fn nameless() -> Self {
        Self { name: String::new(), summary: String::new(), rust_type: "", call: String::new() }
    }
}

/// The name in snake case, escaped if it is a Rust keyword.
fn identifier(name: &str) -> String {
    let snake = |c: char| if c.is_uppercase() { format!("_{}", c.to_lowercase()) } else { c.into() };
    let name = &name.chars().map(snake).collect::<String>();
    let keyword = [
        "static", "return", "type", "match", "loop", "move", "ref", "in", "where", "use", "for", "if",
        "while",
    ];
    if keyword.contains(&name.as_str()) { format!("r#{name}") } else { name.clone() }
}
