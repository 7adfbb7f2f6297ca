//! Ops of `cute` whose spelling or types differ between CuTe DSL and us.

use super::read::Reader;

/// Whether iterators of coordinate tensors are int_tuples.
pub fn has_coordinates_as_tuples(text: &str) -> bool {
    coordinates_as_tuples(text).is_some()
}

/// The place of the first iterator of a coordinate tensor that is an int_tuple:
/// `%i = cute.get_iter(%t) : !cute.coord_tensor<..>` is used as one. In generic form, the type of
/// the op shows it.
pub fn coordinates_as_tuples(text: &str) -> Option<usize> {
    let made = text.match_indices("cute.get_iter").filter_map(|(at, name)| {
        let line = text[at..].lines().next()?;
        line.contains("!cute.coord_tensor<").then_some((at, name.len(), line))
    });
    let mut made = made.take(MOST_ITERATORS);
    let is_tuple = |(at, n, line): &(usize, usize, &str)| {
        line.contains("-> !cute.int_tuple<")
            || result_before(text, *at)
                .and_then(|result| type_at_use(&text[at + n..], result))
                .is_some_and(|t| t.starts_with("!cute.int_tuple<"))
    };
    made.find(is_tuple).map(|(at, ..)| at)
}

/// The maximum number of iterators to examine, because some may have no use that decides.
const MOST_ITERATORS: usize = 16;

/// The name of the only result of the op at `at`: `%a` in `%a = op`.
pub(super) fn result_before(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].lines().next_back()?.trim_start();
    let name = line.trim_end().strip_suffix('=')?.trim_end();
    (name.starts_with('%') && !name.contains([',', ':', ' '])).then_some(name)
}

/// How many results the text before the op at `at` names: 2 for `%a, %b = op` and `%a:2 = op`.
pub(super) fn results_before(text: &str, at: usize) -> usize {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    let Some(names) = line.trim_end().strip_suffix('=') else { return 0 };
    let count = |name: &str| match name.trim().rsplit_once(':') {
        Some((_, count)) => count.parse().unwrap_or(1),
        None => 1,
    };
    names.split(',').map(count).sum()
}

/// The type of a value, taken from the first later op that has it as its only operand:
/// `op(%a) : T`.
fn type_at_use<'t>(text: &'t str, value: &str) -> Option<&'t str> {
    let used = format!("({value}) : ");
    let at = text.find(&used)? + used.len();
    Reader { text, at }.r#type()
}

/// The bodies of a type: for `!cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">`, both texts without
/// quotes.
fn bodies(t: &str) -> Option<(&str, &str)> {
    let mut quoted = t.strip_prefix("!cute.coord_tensor<")?.split('"').skip(1).step_by(2);
    Some((quoted.next()?, quoted.next()?))
}

/// An op on a coordinate tensor and on the int_tuple at which the tensor begins.
pub(super) fn coordinates(reader: &mut Reader<'_>, name: &str) -> Option<String> {
    reader.skip("(").then_some(())?;
    let mut operands = vec![reader.operand()?];
    if reader.skip(",") {
        operands.push(reader.operand()?);
    }
    (reader.skip(")") && reader.skip(":")).then_some(())?;
    let tensor = reader.r#type()?;
    let (origin, layout) = bodies(tensor)?;
    Some(match operands[..] {
        [of] => format!("\"{name}\"({of}) : ({tensor}) -> !cute.int_tuple<\"{origin}\">"),
        [of, shape] => format!(
            "\"{name}\"({of}, {shape}) : (!cute.int_tuple<\"{origin}\">, !cute.layout<\"{layout}\">) -> {tensor}"
        ),
        _ => return None,
    })
}

/// An op with two operands, whose result type is taken from a use.
pub(super) fn inferred(reader: &mut Reader<'_>, name: &str, result: &str) -> Option<String> {
    reader.skip("(").then_some(())?;
    let first = reader.operand()?;
    let second = reader.skip(",").then(|| reader.operand())??;
    (reader.skip(")") && reader.skip(":")).then_some(())?;
    let taken = (reader.r#type()?, reader.skip(",").then(|| reader.r#type())??);
    let made = type_at_use(reader.rest(), result)?;
    Some(format!("\"{name}\"({first}, {second}) : ({}, {}) -> {made}", taken.0, taken.1))
}
