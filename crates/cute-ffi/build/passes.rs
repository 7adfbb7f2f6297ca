//! Generates Rust tables from TableGen's records of passes, of the pipeline, and of the options of
//! a compilation.

use serde_json::Value;

use crate::records::{def, strings, text};

/// The invocations of `passes!` and `pipeline!` in `src/passes.rs`.
pub fn table(records: &Value) -> String {
    let passes = strings(&records["!instanceof"]["Cute_Pass"]).map(|name| &records[name]);
    let passes: String = passes.map(|pass| declaration(records, pass)).collect();
    let pipeline = declaration(records, &records["CuteCompile"]);
    format!("passes! {{\n{passes}}}\npipeline! {{\n{pipeline}}}\n")
}

/// A pass or a pipeline. Its variant is the record's name without `Cute`.
fn declaration(records: &Value, pass: &Value) -> String {
    let class = text(&pass["!name"]);
    let variant = class.trim_start_matches("Cute");
    let options = pass["options"].as_array().into_iter().flatten();
    let options: String = options.map(|option| field(def(records, option))).collect();
    let options = if options.is_empty() { options } else { format!(" {{\n{options}    }}") };
    format!("    {variant} {class:?} {:?} {:?}{options}\n", text(&pass["argument"]), text(&pass["summary"]))
}

fn field(option: &Value) -> String {
    let default = text(&option["defaultValue"]);
    let (of, preset) = match text(&option["type"]) {
        "bool" => ("bool as bool", default.to_owned()),
        "unsigned" => ("u32 as u32", default.to_owned()),
        "std::string" => ("&'t str as &'static str", format!("{default:?}")),
        other => panic!("an option of type {other}: crates/cute-ffi/build/passes.rs does not know it"),
    };
    let (field, name, sentence) =
        (text(&option["cppName"]), text(&option["argument"]), text(&option["forPasses"]));
    let range = match option["range"].as_array().map(Vec::as_slice) {
        Some([least, most]) => format!("Some(({least}, {most}))"),
        _ => "None".to_owned(),
    };
    format!("        {field}: {of} = {preset}, {name:?} {sentence:?} {range};\n")
}

/// The macro `compile_options!`, which passes the options to another macro.
pub fn options(records: &Value) -> String {
    let options = |of: &str| records[of]["options"].as_array().into_iter().flatten().map(|o| def(records, o));
    let field = |option: &Value| {
        let of = |name: &str| text(&option[name]);
        format!(
            "            {}: {} = {:?}, {:?} {:?} {:?} {:?};\n",
            of("cppName"),
            of("rust"),
            of("defaultValue"),
            of("argument"),
            of("valueName"),
            of("description"),
            of("stated")
        )
    };
    let fields: String = options("Compilation").map(field).collect();
    let passed: String = options("CuteCompile").map(|o| format!(" {}", text(&o["cppName"]))).collect();
    format!(
        "/// Invokes a macro with the options that `td/Passes.td` declares, and with those that the pipeline\n\
         /// receives: each has a field, a type, a default, a name, a placeholder, a sentence,\n\
         /// and the default in words.\n\
         #[macro_export]\nmacro_rules! compile_options {{\n    ($then:ident) => {{\n        $then! {{\n            \
         options {{\n{fields}            }}\n            pipeline {{{passed} }}\n        }}\n    }};\n}}\n"
    )
}
