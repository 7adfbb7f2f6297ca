//! Generates Rust functions that build ops from TableGen's records. The functions that they call
//! are in `src/builders.rs`.

use serde_json::Value;

use crate::records::{def, is_a, ops, text};

/// A Rust module named after the dialect, with one function an op.
pub fn module(records: &Value) -> String {
    let ops: Vec<&Value> = ops(records).collect();
    let Some(first) = ops.first() else { return String::new() };
    let dialect = text(&def(records, &first["opDialect"])["name"]);
    let functions: String = ops.iter().map(|op| function(records, dialect, op)).collect();
    format!("/// Ops of the `{dialect}` dialect.\npub mod {dialect} {{\nuse super::*;\n{functions}}}\n")
}

/// The arguments of an op, except for the segment sizes of its operands.
pub fn arguments(op: &Value) -> impl Iterator<Item = (&Value, &str)> {
    dag(&op["arguments"]).filter(|(_, name)| *name != "operandSegmentSizes")
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
    assert!(dag(&op["successors"]).next().is_none(), "{name}: builders know no successors");

    let mut arguments: Vec<_> = arguments(op).map(|(c, n)| argument(def(records, c), n)).collect();
    arguments.extend(dag(&op["regions"]).map(|(c, n)| region(def(records, c), n)));
    if has_trait(records, op, "AttrSizedOperandSegments") {
        arguments.push(Argument { call: ".segmented()".into(), ..Argument::nameless() });
    }
    arguments.push(results(records, op));

    let mut docs = format!("/// `{name}`: {}.\n", prose(text(&op["summary"])));
    let mut parameters = String::new();
    let mut body = format!("Op::new({name:?}, location)");
    for (i, a) in arguments.iter().enumerate() {
        if !a.name.is_empty() {
            let rule = if i == 0 { "///\n" } else { "" };
            docs += &format!("{rule}/// * `{}`: {}\n", a.name, a.summary);
            parameters += &format!("{}: {}, ", identifier(&a.name), a.rust_type);
        }
        body += &a.call;
    }
    let f = identifier(&text(&op["opName"]).replace('.', "_").to_lowercase());
    format!(
        "{docs}pub fn {f}<'c>({parameters}location: Location<'c>) -> Result<Operation<'c>, Error> {{ {body} }}\n"
    )
}

fn argument(constraint: &Value, name: &str) -> Argument {
    let id = identifier(name);
    let is = |class| is_a(constraint, class);
    let (rust_type, call) = if is("TypeConstraint") {
        match () {
            () if is("Variadic") => ("&[Value<'c, '_>]", format!(".operands({id})")),
            () if is("Optional") => ("Option<Value<'c, '_>>", format!(".operands({id}.as_slice())")),
            () => ("Value<'c, '_>", format!(".operands(&[{id}])")),
        }
    } else {
        // The type of the attribute inside optional and default wrappers.
        let wrapper = constraint["baseAttr"]["def"].as_str().filter(|_| is("DefaultValuedAttr"));
        match wrapper.unwrap_or(text(&constraint["!name"])) {
            "UnitAttr" => ("bool", format!(".unit({name:?}, {id})")),
            "I32Attr" | "Rank" => ("i32", format!(".integer({name:?}, 32, {id}.into())")),
            "I64Attr" => ("i64", format!(".integer({name:?}, 64, {id})")),
            "DenseI32ArrayAttr" => ("&[i32]", format!(".integers({name:?}, {id})")),
            _ if constraint["isOptional"] == 1 || is("DefaultValuedAttr") => {
                ("Option<Attribute<'c>>", format!(".attributes({name:?}, {id})"))
            }
            _ => ("Attribute<'c>", format!(".attributes({name:?}, Some({id}))")),
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

/// The last call, which makes the op. Result types are parameters only if MLIR cannot infer them.
fn results(records: &Value, op: &Value) -> Argument {
    let results: Vec<_> = dag(&op["results"]).map(|(c, n)| (def(records, c), n)).collect();
    match results[..] {
        _ if has_trait(records, op, "InferTypeOpInterface") => {
            Argument { call: ".inferred()".into(), ..Argument::nameless() }
        }
        [] => Argument { call: ".results(&[])".into(), ..Argument::nameless() },
        [(constraint, name)] => {
            let (rust_type, types) =
                if is_a(constraint, "Variadic") { ("&[Type<'c>]", "{}") } else { ("Type<'c>", "&[{}]") };
            let call = format!(".results({})", types.replace("{}", &identifier(name)));
            let summary = format!("type of the result, {}", summary(constraint));
            Argument { name: name.into(), summary, rust_type, call }
        }
        _ => panic!("{}: builders know one declared result at most", text(&op["opName"])),
    }
}

impl Argument {
    fn nameless() -> Self {
        Self { name: String::new(), summary: String::new(), rust_type: "", call: String::new() }
    }
}

pub fn summary(constraint: &Value) -> String {
    match text(&constraint["summary"]) {
        "" => text(&constraint["baseAttr"]["printable"]).into(),
        summary => prose(summary),
    }
}

/// Text without a link in it.
fn prose(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

pub fn has_trait(records: &Value, op: &Value, name: &str) -> bool {
    let traits = op["traits"].as_array().into_iter().flatten().map(|t| def(records, t));
    traits.into_iter().any(|t| t["cppInterfaceName"] == name || t["trait"] == name)
}

/// Arguments of a dag, with their names.
pub fn dag(dag: &Value) -> impl Iterator<Item = (&Value, &str)> {
    dag["args"].as_array().into_iter().flatten().map(|a| (&a[0], text(&a[1])))
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
