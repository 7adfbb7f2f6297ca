//! Generates a Rust table from TableGen's records of types: their kinds, in the order in which C++
//! registers them, and their names.

use serde_json::Value;

use crate::records::{strings, text};

/// The invocation of `kinds!` in `src/types.rs`. A dialect is given by TableGen's output for its
/// types, and by its records.
pub fn table(dialects: &[(String, &Value)]) -> String {
    let kinds: String = dialects.iter().flat_map(|(generated, records)| kinds(generated, records)).collect();
    format!("kinds! {{\n{kinds}}}\n")
}

/// The order is that of the list that C++ registers; the kind of a type is its class without the
/// suffix `Type`.
fn kinds<'a>(generated: &'a str, records: &'a Value) -> impl Iterator<Item = String> + 'a {
    let list = generated.split("#undef GET_TYPEDEF_LIST").nth(1).and_then(|rest| rest.split("#endif").next());
    let classes = list.expect("TableGen lists the types").split(',').map(str::trim);
    classes.map(move |class| {
        let mut types = strings(&records["!instanceof"]["CuteTypeBase"]).map(|name| &records[name]);
        let record = types.find(|t| text(&t["cppType"]) == class);
        let record = record.unwrap_or_else(|| panic!("{class} is a type of td/"));
        let kind =
            text(&record["cppClassName"]).strip_suffix("Type").expect("the class of a type ends in Type");
        format!("    {kind} {:?},\n", text(&record["summary"]))
    })
}
