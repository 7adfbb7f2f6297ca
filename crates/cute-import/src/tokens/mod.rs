//! Rewrites custom assembly that upstream cannot read to generic form. The rewrite works on the
//! text and keeps each op in its place, so that line numbers and the columns of ops stay the same.

mod ours;
mod read;

use std::borrow::Cow;

use crate::table::{
    Custom,
    known::{has_row, is_known, is_missing},
    rows,
};
use ours::{coordinates, inferred, result_before, results_before};
pub use ours::{coordinates_as_tuples, has_coordinates_as_tuples};
use read::Reader;
pub(crate) use read::word;

/// Rewrites every op of the table that upstream cannot read to generic form. Text of an unexpected
/// form stays unchanged, so that MLIR reports it.
pub fn to_generic(text: &str) -> Cow<'_, str> {
    let tuples = has_coordinates_as_tuples(text);
    let is_read = |custom| custom != Custom::Upstream && (tuples || custom != Custom::Coordinates);
    let mut out = String::new();
    let mut done = 0;
    words(text, |at, name| {
        let drift = rows().find(|d| d.name == name && is_read(d.custom));
        if let Some((generic, end)) = drift.and_then(|d| generic(text, at, d.name, d.custom)) {
            out += &text[done..at];
            out += &generic;
            // Locations after an op of several lines stay in their place.
            out.extend(text[at..end].chars().filter(|c| *c == '\n'));
            done = end;
        }
        done.max(at + name.len())
    });
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[done..]) }
}

/// The ops of a text that are not supported, with their positions: those that are known to be
/// written by some producer, and those of `nvvm` and of our dialects that neither these have nor a
/// row reads.
pub fn unsupported<'t>(text: &'t str, is_registered: &dyn Fn(&str) -> bool) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    let is_unknown =
        |name: &str| is_missing(name) || (name.starts_with(NVVM) && !is_registered(name) && !has_row(name));
    words(text, |at, name| {
        let end = at + name.len();
        if starts_op(&text[..at]) && (is_known(name) || (is_unknown(name) && !is_attribute(&text[end..]))) {
            found.push((at, name));
        }
        end
    });
    // Generic form is possible for each op of custom assembly.
    found.extend(generic_ops(text).filter(|(_, name)| is_known(name) || is_missing(name)));
    found.sort_unstable();
    found
}

/// The dialect of upstream that accepts ops that it does not have.
const NVVM: &str = "nvvm.";

/// Whether a name at the beginning of a line is that of an attribute, by the text after it. An op
/// without operands at the end of a block looks like a unit attribute.
fn is_attribute(after: &str) -> bool {
    let after = after.trim_start();
    after.is_empty() || after.starts_with(['=', ',', '}', ')'])
}

/// The ops in generic form that custom assembly has, `"name"(`, with their positions.
pub fn generic_ops(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let called = text.match_indices("\"(").filter_map(|(end, _)| {
        let line = text[..end].rsplit('\n').next().unwrap_or_default();
        let at = end - line.len() + line.rfind('"')?;
        let name = &text[at + 1..end];
        (word(name).len() == name.len() && starts_op(&text[..at])).then_some((at, name))
    });
    called.filter(|(_, name)| name.contains('.'))
}

/// Whether an op begins after a text: on a new line, or after the names of its results.
fn starts_op(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    line.is_empty() || (line.starts_with('%') && line.ends_with('=') && !line.contains('{'))
}

/// Calls `visit` with each word outside of strings and comments, and with its position. It returns
/// the position at which to go on.
fn words<'t>(text: &'t str, mut visit: impl FnMut(usize, &'t str) -> usize) {
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' => {
                let mut escaped = false;
                rest.find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
            }
            '/' if text[at..].starts_with("//") => {
                rest.find(|(_, c)| *c == '\n');
            }
            c if c.is_ascii_alphabetic() => {
                let end = visit(at, word(&text[at..]));
                while rest.next_if(|(i, _)| *i < end).is_some() {}
            }
            _ => {}
        }
    }
}

/// The generic form of the op whose name is at `at`, and the position at which the op ends.
fn generic(text: &str, at: usize, name: &str, custom: Custom) -> Option<(String, usize)> {
    let mut reader = Reader { text, at: at + name.len() };
    match custom {
        Custom::Barrier => return Some((reader.barrier(name)?, reader.at)),
        Custom::Coordinates => return Some((coordinates(&mut reader, name)?, reader.at)),
        Custom::Call => {
            let mut operands = Vec::new();
            if !(reader.skip("(") && reader.skip(")")) {
                operands.push(reader.operand()?);
                while reader.skip(",") {
                    operands.push(reader.operand()?);
                }
                reader.skip(")").then_some(())?;
            }
            let attributes = reader.attributes()?;
            let (taken, made) = reader.types()?;
            let [made] = made[..] else { return None };
            let (list, taken) = (operands.join(", "), taken.join(", "));
            return Some((format!("\"{name}\"({list}){attributes} : ({taken}) -> {made}"), reader.at));
        }
        Custom::Count => {
            let count = if reader.skip("(") {
                let count = word(reader.rest());
                reader.skip(count).then_some(())?;
                reader.skip(")").then_some(())?;
                format!(" <{{input = {} : i32}}>", count.parse::<u32>().ok()?)
            } else {
                String::new()
            };
            reader.skip(":").then_some(())?;
            return Some((format!("\"{name}\"(){count} : () -> {}", reader.r#type()?), reader.at));
        }
        Custom::After { property } => {
            let operand = reader.skip("(").then(|| reader.operand())??;
            (reader.skip(")") && reader.skip(property)).then_some(())?;
            return Some((format!("{name}{property}({operand})"), reader.at));
        }
        Custom::Inferred => return Some((inferred(&mut reader, name, result_before(text, at)?)?, reader.at)),
        _ => {}
    }
    let mut operands = Vec::new();
    // Ops that upstream has under the same name may have no operands.
    if !matches!(custom, Custom::Marked { .. }) || reader.rest().starts_with('%') {
        operands.push(reader.operand()?);
    }
    if custom == Custom::Element {
        reader.skip("[").then_some(())?;
        operands.push(reader.operand()?);
        reader.skip(":").then_some(())?;
        let index = reader.r#type()?;
        (reader.skip("]") && reader.skip(":")).then_some(())?;
        let vector = reader.r#type()?;
        let (list, element) = (operands.join(", "), element_of(vector)?);
        return Some((format!("\"{name}\"({list}) : ({vector}, {index}) -> {element}"), reader.at));
    }
    while reader.skip(",") {
        operands.push(reader.operand()?);
    }
    let attributes = reader.attributes()?;
    let name = match custom {
        Custom::Marked { mark, name } => text[at..reader.at].contains(mark).then_some(name)?,
        _ => name,
    };
    let (taken, made) = match custom {
        Custom::Splat => {
            reader.skip(":").then_some(())?;
            let vector = reader.r#type()?;
            (element_of(vector)?.to_string(), vector.to_string())
        }
        _ => types(&mut reader, operands.len(), results_before(text, at), custom)?,
    };
    Some((format!("\"{name}\"({}){attributes} : ({taken}) -> {made}", operands.join(", ")), reader.at))
}

/// The types of an op's operands and results. MLIR's assembly writes all of them, or leaves out
/// those that the op's definition fixes (the table then has them), or that equal another one.
fn types(
    reader: &mut Reader<'_>,
    operands: usize,
    results: usize,
    custom: Custom,
) -> Option<(String, String)> {
    let fixed = match custom {
        Custom::Fixed { operands, result } => Some((operands, result)),
        _ => None,
    };
    let (mut taken, mut made) = reader.types()?;
    // Only types of results are written.
    if made.is_empty() && results > 0 {
        made = std::mem::take(&mut taken);
    }
    // One type stands for all results.
    if made.len() == 1 && results > 1 {
        made = vec![made[0]; results];
    }
    let taken = match (&taken[..], fixed) {
        // Types of operands that may be absent are at the end of the list.
        ([], Some((all, _))) => all.split(", ").take(operands).collect::<Vec<_>>().join(", "),
        ([], None) if operands == 0 => String::new(),
        ([], None) => vec![*made.first()?; operands].join(", "),
        (all, _) if all.len() == operands => all.join(", "),
        _ => return None,
    };
    let made = match (&made[..], fixed) {
        ([], Some((_, result))) if results > 0 => result.to_string(),
        ([], _) => "()".to_string(),
        // A result with the type of the first operand may omit the name of its type.
        ([one], _) => match one.strip_prefix('<') {
            Some(body) => format!("{}<{body}", taken.split('<').next()?),
            None => (*one).to_string(),
        },
        (all, _) => format!("({})", all.join(", ")),
    };
    Some((taken, made))
}

/// `f32` of `vector<4xf32>`.
fn element_of(vector: &str) -> Option<&str> {
    let body = vector.strip_prefix("vector<")?.strip_suffix('>')?;
    let start = body.find(|c: char| !c.is_ascii_digit() && c != 'x' && c != '[' && c != ']')?;
    Some(&body[start..])
}

#[cfg(test)]
mod tests {
    use super::to_generic;

    #[test]
    fn ops_become_generic_where_they_are() {
        let cases = [
            ("%1 = nvvm.fmax %a, %b loc(#x)", r#"%1 = "nvvm.fmax"(%a, %b) : (f32, f32) -> f32 loc(#x)"#),
            (
                "nvvm.mbarrier.txn %p, %n {kind = #nvvm.mbar_txn_kind<arrive>} : !llvm.ptr<3>, i32\n",
                "\"nvvm.mbarrier.txn\"(%p, %n) {kind = \"arrive\"} : (!llvm.ptr<3>, i32) -> ()\n",
            ),
            (
                "%2 = nvvm.mapa.shared.cluster %p, %r#1 : !llvm.ptr<3>, i32 -> <3>",
                r#"%2 = "nvvm.mapa.shared.cluster"(%p, %r#1) : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>"#,
            ),
            (
                "nvvm.barrier id = %a number_of_threads = %b\nnvvm.barrier loc(#x)\n",
                "\"nvvm.barrier\"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()\n\
                 \"nvvm.barrier\"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> () loc(#x)\n",
            ),
            (
                "%2 = nvvm.vote.ballot.sync %m, %p : i32",
                r#"%2 = "nvvm.vote.ballot.sync"(%m, %p) : (i32, i1) -> i32"#,
            ),
            (
                "nvvm.tcgen05.commit.arrive %p, multicast_mask = %m {group = #nvvm.tcgen05_group<cta_2>} : !llvm.ptr<3>, i16",
                r#""nvvm.tcgen05.commit.arrive"(%p, %m) {group = "cta_2"} : (!llvm.ptr<3>, i16) -> ()"#,
            ),
            (
                "%3 = vector.splat %x : vector<2x4xf16>",
                r#"%3 = "vector.splat"(%x) : (f16) -> vector<2x4xf16>"#,
            ),
            (
                "%4 = vector.extractelement %v[%i : i32] : vector<2xf32>",
                r#"%4 = "vector.extractelement"(%v, %i) : (vector<2xf32>, i32) -> f32"#,
            ),
        ];
        for (custom, generic) in cases {
            assert_eq!(to_generic(custom), generic);
        }
    }

    /// MLIR's assembly leaves out types that the op fixes, or that another type equals.
    #[test]
    fn types_follow_from_those_that_are_written() {
        let cases = [
            (
                "%1 = nvgpu.cvt_fptrunc %a : vector<4xf32> to vector<4xf8E4M3FN>",
                r#"%1 = "nvgpu.cvt_fptrunc"(%a) : (vector<4xf32>) -> vector<4xf8E4M3FN>"#,
            ),
            (
                "%1 = nvgpu.cvt_fptrunc %a <{rnd = #nvgpu.rnd<rn>}> {note = {a = 1}} : (vector<4xf32>) -> (vector<4xf16>)",
                r#"%1 = "nvgpu.cvt_fptrunc"(%a) {rnd = "rn", note = {a = 1}} : (vector<4xf32>) -> vector<4xf16>"#,
            ),
            (
                "%p = nvvm.clusterlaunchcontrol.query_cancel.is_canceled %x : i1",
                r#"%p = "nvvm.clusterlaunchcontrol.query_cancel.is_canceled"(%x) : (i128) -> i1"#,
            ),
            (
                "%p = nvvm.clusterlaunchcontrol.query_cancel.is_canceled %x : i128 -> i1",
                r#"%p = "nvvm.clusterlaunchcontrol.query_cancel.is_canceled"(%x) : (i128) -> i1"#,
            ),
            (
                "nvvm.clusterlaunchcontrol.try_cancel.multicast %a, %b",
                r#""nvvm.clusterlaunchcontrol.try_cancel.multicast"(%a, %b) : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()"#,
            ),
            (
                "%v = nvvm.mul.packed.f32x2 %a, %b {rnd = #nvvm.rnd<rz>} : vector<2xf32>",
                r#"%v = "nvvm.mul.packed.f32x2"(%a, %b) {rnd = "rz"} : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>"#,
            ),
            (
                "nvvm.tcgen05.commit %b, multicast_mask = %m {group = #nvvm.tcgen05_group<cta_2>} : !llvm.ptr<3>, i16",
                r#""nvvm.tcgen05.commit.arrive"(%b, %m) {group = "cta_2"} : (!llvm.ptr<3>, i16) -> ()"#,
            ),
            ("nvvm.tcgen05.commit %b : !llvm.ptr<3>", "nvvm.tcgen05.commit %b : !llvm.ptr<3>"),
            (
                "nvvm.tcgen05.alloc %p, %n {group = #nvvm.tcgen05_group<cta_2>} : !llvm.ptr<3>, i32",
                r#""nvvm.tcgen05.alloc.drifted"(%p, %n) {group = "cta_2"} : (!llvm.ptr<3>, i32) -> ()"#,
            ),
            (
                "nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.tcgen05_group<cta_2>}",
                r#""nvvm.tcgen05.relinquish_alloc_permit.drifted"() {group = "cta_2"} : () -> ()"#,
            ),
        ];
        for (custom, generic) in cases {
            assert_eq!(to_generic(custom), generic);
        }
    }

    #[test]
    fn ops_that_are_not_supported_are_found_where_ops_begin() {
        let op = "nvvm.tcgen05.mma.ws_sp";
        let text = format!("a {{{op} = 1}}\n// {op}\n  %0 = {op} %x : f32\n{op}\n\"{op}\"");
        let unsupported = |text| super::unsupported(text, &|name| name == "nvvm.barrier.arrive");
        let found = unsupported(&text);
        assert_eq!(found.iter().map(|(_, name)| *name).collect::<Vec<_>>(), [op; 2]);
        assert!(found.iter().all(|(at, _)| text[*at..].starts_with(op)));
        let generic = format!("// \"{op}\"(\n%0 = \"{op}\"(%x) : (i32) -> f32\n\"{op}\"");
        assert_eq!(unsupported(&generic), [(generic.rfind("= \"").unwrap() + 2, op)]);
        let others = "nvvm.barrier.arrive\nnvvm.reqntid = array<i32: 1>\nnvvm.kernel,\ncute.kernel}\nnvvm.fmax %a, %b\n\"cute.size\"(%a)\n%a = cute.size(%b)";
        assert_eq!(unsupported(others), []);
        let unknown = "nvvm.sleep.well\n%a = nvvm.sleep\n\"cute.sizes\"(%a)\n%b = cute.sizes(%a)";
        let names: Vec<_> = unsupported(unknown).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["nvvm.sleep.well", "nvvm.sleep", "cute.sizes", "cute.sizes"]);
    }

    #[test]
    fn ops_of_ours_get_the_types_that_they_have_elsewhere() {
        let older = |op: &str| {
            format!("%i = cute.get_iter(%t) : !cute.coord_tensor<\"(0,?)\", \"(4,8):(1@0,1@1)\">\n{op}")
        };
        let read = "%e0, %e1 = cute.get_leaves(%i) : !cute.int_tuple<\"(0,?)\">\n";
        let made = to_generic(&older(read)).into_owned();
        let generic = "%i = \"cute.get_iter\"(%t) : (!cute.coord_tensor<\"(0,?)\", \"(4,8):(1@0,1@1)\">) -> !cute.int_tuple<\"(0,?)\">\n";
        assert_eq!(made, format!("{generic}{read}"));
        let view = "%v = cute.make_view(%i, %l) : !cute.coord_tensor<\"(0,?)\", \"(4,8):(1@0,1@1)\">\n";
        let made = to_generic(&older(&format!("{read}{view}"))).into_owned();
        let generic = "%v = \"cute.make_view\"(%i, %l) : (!cute.int_tuple<\"(0,?)\">, !cute.layout<\"(4,8):(1@0,1@1)\">) -> !cute.coord_tensor<\"(0,?)\", \"(4,8):(1@0,1@1)\">\n";
        assert!(made.ends_with(generic), "{made}");
        // CuTe DSL 4.4 has iterators.
        let today = older("%o = cute.deref_arith_tuple_iter(%i) : !cute.arith_tuple_iter<\"(0,?)\">\n");
        assert_eq!(to_generic(&today), today);

        let divided = "%d = cute.ceil_div(%a, %b) : !cute.int_tuple<\"?{div=8}\">, !cute.tile<\"4:1\">\n";
        assert_eq!(to_generic(divided), divided);
        let used = "%x = cute.get_scalars(%d) : !cute.int_tuple<\"?\">\n";
        let generic = "%d = \"cute.ceil_div\"(%a, %b) : (!cute.int_tuple<\"?{div=8}\">, !cute.tile<\"4:1\">) -> !cute.int_tuple<\"?\">\n";
        assert_eq!(to_generic(&format!("{divided}{used}")), format!("{generic}{used}"));
    }

    #[test]
    fn a_property_moves_before_its_operand() {
        let text = "%a, %b = cute.get_scalars(%s) <{only_dynamic}> : !cute.stride<\"?\">";
        let made = "%a, %b = cute.get_scalars<{only_dynamic}>(%s) : !cute.stride<\"?\">";
        assert_eq!(to_generic(text), made);
        assert_eq!(to_generic(made), made);
    }

    #[test]
    fn other_text_stays() {
        let cases = [
            "",
            "// nvvm.fmax %a, %b",
            r#""nvvm.fmax %a, %b""#,
            r#""a\"nvvm.fmax %a, %b""#,
            r#"%1 = "nvvm.fmax"(%a, %b) : (f32, f32) -> f32"#,
            "nvvm.fmax",
            "vector.splat %x vector<4xf32>",
            "vector.splat %x : f32",
            "vector.splat %x :",
            "nvvm.mbarrier.txn %p, %n {kind = ",
            "nvvm.mbarrier.txn %p, {kind",
            "nvvm.fmaxi %a, %b",
            "nvvm.fence.mbarrier.init",
            "nvvm.tcgen05.alloc %p, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32",
            "nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}",
            "nvvm.tcgen05.shift %t : !llvm.ptr<6>",
            "%1 = nvvm.barrier #nvvm.reduction<and> %p -> i32",
            "%d = cute.flat_divide(%a",
            "%d = cute.flat_divide(%a, %b) : A, B\nuse(%d) :",
            "cute.flat_divide(%a, %b) : A, B\nuse(%d) : C",
            "%i = cute.get_iter(%t) : !cute.coord_tensor<\nuse(%i) : !cute.int_tuple<",
        ];
        for text in cases {
            assert_eq!(to_generic(text), text);
        }
    }

    #[test]
    fn lines_keep_their_numbers() {
        let made = to_generic("%1 = nvvm.fmax %a,\n  %b\n%2 = f()");
        assert_eq!(made.lines().position(|l| l.contains("%2")), Some(2));
    }
}
