//! Generates Rust functions that build ops from TableGen's records. They call methods of `Draft`.
//! Ops without regions are also called by their names, from other languages.

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
    let functions: String = ops.iter().map(|op| Op::new(records, dialect, op).function()).collect();
    format!("/// Ops of the `{dialect}` dialect.\npub mod {dialect} {{\nuse super::*;\n{functions}}}\n")
}

/// The function that calls those of all dialects by name, and the list of what they take.
pub fn by_name(dialects: &[Value]) -> String {
    let own = dialects.iter().flat_map(|records| ops(records).map(move |op| (records, op)));
    let own = own.filter(|(_, op)| dag(&op["regions"]).next().is_none());
    let (mut arms, mut listed) = (String::new(), String::new());
    for (number, (records, op)) in own.enumerate() {
        let op = Op::new(records, text(&def(records, &op["opDialect"])["name"]), op);
        arms += &op.arm(number);
        listed += &op.declared();
    }
    let docs = [
        "/// Calls the function of an op.",
        "///",
        "/// # Errors",
        "/// Returns [`Error::Rule`](crate::Error::Rule) for arguments that the op does not have, and the errors of",
        "/// its function.",
    ];
    let head = "#[track_caller]\n#[allow(clippy::too_many_lines)]\n\
                pub fn call<'c>(builder: &Builder<'c>, op: &str, mut given: OpArguments<'c, '_>) -> Result<Vec<Value<'c>>>";
    let body = format!("{{\nmatch op {{\n{arms}_ => unknown(builder, op, DECLARED),\n}}\n}}\n");
    let list = "/// The functions that are called by name.\npub static DECLARED: &[OpFunction]";
    format!("{}\n{head} {body}{list} = &[\n{listed}];\n", docs.join("\n"))
}

/// The generated code for one argument of an op: its parameter, how it is taken from what another
/// language gives, and the call that adds it to the op.
struct Argument {
    name: String,
    summary: String,
    rust_type: &'static str,
    /// The case of `Kind`, whose method of `OpArguments` has its name in lower case.
    kind: &'static str,
    call: String,
}

/// The generated code for an op.
struct Op<'a> {
    /// `cute.make_layout`
    name: String,
    dialect: &'a str,
    summary: &'a str,
    arguments: Vec<Argument>,
    returned: &'static str,
    last: &'static str,
}

impl<'a> Op<'a> {
    fn new(records: &Value, dialect: &'a str, op: &'a Value) -> Self {
        let name = format!("{dialect}.{}", text(&op["opName"]));
        assert!(dag(&op["successors"]).next().is_none(), "{name}: functions of ops know no successors");

        let mut arguments: Vec<_> = arguments(op).map(|(c, n)| argument(def(records, c), n)).collect();
        arguments.extend(dag(&op["regions"]).map(|(c, n)| region(def(records, c), n)));
        if has_trait(records, op, "AttrSizedOperandSegments") {
            arguments.push(Argument { call: ".segmented()".into(), ..Argument::nameless() });
        }
        let (declared, returned, last) = results(records, op);
        arguments.push(declared);
        Self { name, dialect, summary: text(&op["summary"]), arguments, returned, last }
    }

    /// The function without its dialect: `make_layout`.
    fn identifier(&self) -> String {
        let name = self.name.trim_start_matches(self.dialect).trim_start_matches('.');
        identifier(&name.replace('.', "_").to_lowercase())
    }

    /// The arguments that are parameters.
    fn parameters(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|a| !a.name.is_empty())
    }

    fn function(&self) -> String {
        let (name, f, returned) = (&self.name, self.identifier(), self.returned);
        let mut docs = format!("/// `{name}`: {}.\n", prose(self.summary));
        let mut parameters = String::new();
        for (i, a) in self.parameters().enumerate() {
            let rule = if i == 0 { "///\n" } else { "" };
            docs += &format!("{rule}/// * `{}`: {}\n", a.name, a.summary);
            parameters += &format!("{}: {}, ", identifier(&a.name), a.rust_type);
        }
        let calls: String = self.arguments.iter().map(|a| a.call.as_str()).collect();
        let body = format!("builder.op({name:?}){calls}{}", self.last);
        format!(
            "{docs}#[track_caller]\npub fn {f}<'c>(builder: &Builder<'c>, {parameters}) -> Result<{returned}> {{ {body} }}\n"
        )
    }

    /// The case of `call` for the op, which has this number in `DECLARED`.
    fn arm(&self, number: usize) -> String {
        let (name, dialect, f) = (&self.name, self.dialect, self.identifier());
        let taken = |a: &Argument| {
            let by_reference = if a.rust_type.starts_with('&') { "&" } else { "" };
            format!("{by_reference}given.{}({:?})?, ", identifier(&a.kind.to_lowercase()), a.name)
        };
        let taken: String = self.parameters().map(taken).collect();
        format!(
            "{name:?} => {{ given.of(builder, &DECLARED[{number}])?; {dialect}::{f}(builder, {taken}).map(Made::made) }}\n"
        )
    }

    /// The case of `DECLARED` for the op.
    fn declared(&self) -> String {
        let function = self.identifier();
        let parameter = |a: &Argument| {
            format!(
                "OpParameter {{ name: {:?}, kind: Kind::{}, summary: {:?} }}, ",
                a.name, a.kind, a.summary
            )
        };
        let parameters: String = self.parameters().map(parameter).collect();
        let results = match self.returned {
            "()" => "Some(0)",
            "Value<'c>" => "Some(1)",
            _ => "None",
        };
        format!(
            "OpFunction {{ name: {:?}, function: {:?}, summary: {:?}, parameters: &[{parameters}], results: {results} }},\n",
            self.name,
            function.trim_start_matches("r#"),
            self.summary
        )
    }
}

fn argument(constraint: &Value, name: &str) -> Argument {
    let id = identifier(name);
    let is = |class| is_a(constraint, class);
    let (rust_type, kind, call) = if is("TypeConstraint") {
        match () {
            () if is("Variadic") => ("&[Value<'c>]", "Values", format!(".operands({id})")),
            () if is("Optional") => ("Option<Value<'c>>", "Maybe", format!(".operands({id}.as_slice())")),
            () => ("Value<'c>", "Value", format!(".operands(&[{id}])")),
        }
    } else {
        // The type of the attribute inside optional and default wrappers.
        let wrapper = constraint["baseAttr"]["def"].as_str().filter(|_| is("DefaultValuedAttr"));
        match wrapper.unwrap_or(text(&constraint["!name"])) {
            "UnitAttr" => ("bool", "Flag", format!(".flag({name:?}, {id})")),
            "I32Attr" | "Rank" => ("i32", "Integer", format!(".attribute({name:?}, {id})")),
            "I64Attr" => ("i64", "Integer", format!(".attribute({name:?}, {id})")),
            "DenseI32ArrayAttr" => ("&[i32]", "Integers", format!(".attribute({name:?}, {id})")),
            _ if constraint["isOptional"] == 1 || is("DefaultValuedAttr") => {
                ("Option<Attribute<'c>>", "Setting", format!(".optional({name:?}, {id})"))
            }
            _ => ("Attribute<'c>", "Attribute", format!(".attribute({name:?}, {id})")),
        }
    };
    Argument { name: name.into(), summary: summary(constraint), rust_type, kind, call }
}

fn region(constraint: &Value, name: &str) -> Argument {
    let id = identifier(name);
    let (rust_type, call) = if is_a(constraint, "VariadicRegion") {
        ("Vec<Region<'c>>", format!(".regions({id})"))
    } else {
        ("Region<'c>", format!(".regions(vec![{id}])"))
    };
    Argument { name: name.into(), summary: summary(constraint), rust_type, kind: "", call }
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
            let (rust_type, kind, types) = match is_a(constraint, "Variadic") {
                true => ("&[Type<'c>]", "Types", "{}"),
                false => ("Type<'c>", "Type", "&[{}]"),
            };
            let call = format!(".results({})", types.replace("{}", &identifier(name)));
            let summary = format!("type of the result, {}", summary(constraint));
            Argument { name: name.into(), summary, rust_type, kind, call }
        }
        _ => panic!("{}: a function declares one result at most", text(&op["opName"])),
    };
    (declared, returned, last)
}

impl Argument {
    fn nameless() -> Self {
        Self { name: String::new(), summary: String::new(), rust_type: "", kind: "", call: String::new() }
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
