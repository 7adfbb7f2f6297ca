//! Producers of modules, and the forms that each of them writes.
//!
//! A [`ProducerProfile`] is a producer, with its version where modules differ between versions. Its
//! modules have only ops and forms that it is known to write, so that a module which is not what it
//! is taken for is an error at the first form of another producer or version.
//! [`ProducerProfile::Auto`] takes each module for what it is.
//!
//! The versions of ops are those of the [table]. A form of an op is listed here only if published
//! modules or described sources show both who writes it and who does not. All other forms belong to
//! every profile.

use std::{collections::HashSet, fmt, str::FromStr};

use cute_algebra::text::closest;

use crate::{
    table::{
        self, Origin, Producer,
        Producer::{CuteDsl, CuteRs, Zml},
        Source, Version,
        Version::{V4_3, V4_4, V4_5, V4_6, V4_7},
    },
    tokens::{coordinates_as_tuples, word},
};

/// Whose module a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ProducerProfile {
    /// Anyone's.
    #[default]
    Auto,
    /// One of a version of CuTe DSL, before any of its passes.
    Dsl(Version),
    /// One of cute-rs, NVIDIA's front end for Rust.
    CuteRs,
    /// One of zml's front end.
    Zml,
}

impl ProducerProfile {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Dsl(V4_3),
        Self::Dsl(V4_4),
        Self::Dsl(V4_5),
        Self::Dsl(V4_6),
        Self::Dsl(V4_7),
        Self::CuteRs,
        Self::Zml,
    ];

    /// The first place of each op and form of a text that this producer does not write, in order.
    pub fn refused(self, text: &str) -> Vec<RefusedOp> {
        if self == Self::Auto {
            return Vec::new();
        }
        let found = found(text);
        let mut named = Self::ALL.into_iter().skip(1);
        let other = named.find(|profile| found.iter().all(|one| one.is_of(*profile)));
        let refused = found.iter().filter(|one| !one.is_of(self));
        let refusal = |one: &Found<'_>| {
            let excludes = |with: &&Found<'_>| {
                Self::ALL.into_iter().skip(1).all(|profile| !(one.is_of(profile) && with.is_of(profile)))
            };
            let with = found.iter().filter(|with| with.is_of(self)).find(excludes);
            RefusedOp {
                at: one.op.at,
                form: one.to_string(),
                profile: self,
                other,
                with: with.map(|with| (line(text, with.op.at), with.to_string())),
            }
        };
        refused.map(refusal).collect()
    }
}

/// The number of the line at a position.
fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

impl fmt::Display for ProducerProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Dsl(version) => write!(f, "dsl-{version}"),
            Self::CuteRs => f.write_str("cute-rs"),
            Self::Zml => f.write_str("zml"),
        }
    }
}

/// A name that is not one of a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no profile '{name}'; {}", profiles(name))]
pub struct UnknownProfile {
    name: String,
}

/// The names of all profiles, and the one nearest to a name.
fn profiles(name: &str) -> String {
    let names = ProducerProfile::ALL.map(|profile| profile.to_string());
    let near = closest(name, names.iter().map(AsRef::as_ref));
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("there are {}{near}", names.join(", "))
}

impl FromStr for ProducerProfile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        let found = Self::ALL.into_iter().find(|profile| format!("{profile}") == name);
        found.ok_or_else(|| UnknownProfile { name: name.to_owned() })
    }
}

/// An op or a form that a producer does not write, at its first place in a text.
#[derive(Debug, Clone)]
pub struct RefusedOp {
    /// The position of the op.
    pub at: usize,
    /// The op, its form, and who writes it.
    form: String,
    profile: ProducerProfile,
    /// The first profile that has everything in the text.
    other: Option<ProducerProfile>,
    /// A form of this profile that no producer writes beside the refused one, and its line.
    with: Option<(usize, String)>,
}

impl fmt::Display for RefusedOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { form, profile, other, with, .. } = self;
        write!(f, "{form}, but the profile is {profile}; ")?;
        match (other, with) {
            (Some(other), _) => write!(f, "all forms of this module are those of the profile {other}"),
            (None, Some((line, with))) => {
                write!(
                    f,
                    "this module mixes forms of several producers, because in line {line}, {with}; auto accepts it"
                )
            }
            (None, None) => f.write_str("no profile has all forms of this module, which auto accepts"),
        }
    }
}

/// A form that not everyone writes.
#[derive(Debug)]
pub struct Form {
    /// The op, or the beginning of the names of several ops, which ends in a point.
    op: &'static str,
    shape: Shape,
    /// The difference from the op's other forms; empty if there are none.
    how: &'static str,
    origin: Origin,
    /// Whoever else is known to have it and has no profile.
    further: &'static str,
}

/// The shape of an op that has a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Any.
    Any,
    /// A text stands directly after the name in custom assembly.
    Custom(&'static str),
    /// A text stands in the line of the op.
    Has(&'static str),
    /// A function with the mark of a kernel, in a `gpu.module` or not.
    Marked { inside: bool },
    /// A coordinate tensor that begins at an int_tuple.
    Tuples,
}

/// Whether a program or version writes something.
fn writes(origin: &Origin, profile: ProducerProfile) -> bool {
    let has = |producer: Producer| origin.producers.contains(&producer);
    match profile {
        ProducerProfile::Auto => true,
        ProducerProfile::Dsl(version) => {
            has(CuteDsl)
                && origin.since.is_some_and(|first| first <= version)
                && origin.until.is_none_or(|last| version <= last)
        }
        ProducerProfile::CuteRs => has(CuteRs),
        ProducerProfile::Zml => has(Zml),
    }
}

impl Form {
    /// The op and its form, in words, as the page has them.
    pub fn described(&self) -> String {
        let all = if self.op.ends_with('.') { ".." } else { "" };
        match self.how {
            "" => format!("`{}{all}`", self.op.trim_end_matches('.')),
            how => format!("`{}{all}` {how}", self.op.trim_end_matches('.')),
        }
    }

    /// Whoever writes it, in words.
    pub fn writers(&self) -> String {
        let (versions, further) = (self.origin.versions(), self.further);
        match (&versions[..], further) {
            (_, "") => versions,
            ("", _) => further.to_owned(),
            _ => format!("{versions}, {further}"),
        }
    }

    /// How that is known.
    pub fn source(&self) -> &'static str {
        self.origin.source.name()
    }

    fn fits(&self, op: &Op<'_>) -> bool {
        let named = match self.op.ends_with('.') {
            true => op.name.starts_with(self.op),
            false => op.name == self.op,
        };
        named
            && match self.shape {
                Shape::Any => true,
                Shape::Custom(begin) => !op.is_generic && op.rest.starts_with(begin),
                Shape::Has(part) => op.rest.contains(part),
                Shape::Marked { .. } | Shape::Tuples => false,
            }
    }
}

/// The forms. Those of versions of CuTe DSL are in the modules of 4.3 and 4.4 in NVIDIA/cutlass
/// #2767, in those of 4.6 in 0z5a/InfraSWE and in threads of FlashInfer, and in a trace of 4.7 in
/// eellison/pytorch. Those of cute-rs follow from its exporter, and those of zml from the tests of
/// its builder. cute-rs and zml follow the newest version of CuTe DSL.
pub const FORMS: &[Form] = {
    const fn form(op: &'static str, shape: Shape, how: &'static str, origin: Origin) -> Form {
        Form { op, shape, how, origin, further: "" }
    }
    const fn and(form: Form, further: &'static str) -> Form {
        Form { further, ..form }
    }
    const fn since(version: Version) -> Origin {
        Origin::added(version).by(&[CuteDsl, CuteRs, Zml])
    }
    const FIRST: Origin = Origin::seen(V4_3).until(V4_3);
    const LANES: &str = "gives the atom lanes of D that are not written";
    const OPERANDS: &str = "has its operands in parentheses";
    const AFTER_PASSES: &str = "CuTe DSL after some of its passes";
    const INSTRUCTIONS: Origin = Origin::described(&[CuteRs, Zml]);
    &[
        form("cute.kernel_smem_size", Shape::Any, "", since(V4_5)),
        form("cute.smem_partition_size", Shape::Any, "", Origin { source: Source::Inferred, ..since(V4_5) }),
        form(
            "cute.memref.alloca",
            Shape::Has("smem.partition_id"),
            "allocates in a partition of shared memory",
            since(V4_5),
        ),
        form("cute_nvgpu.atom.set_value", Shape::Custom("<"), "has its field in angle brackets", since(V4_5)),
        form("cute.memref.load_vec", Shape::Custom("("), OPERANDS, since(V4_5)),
        form("cute.memref.store_vec", Shape::Custom("("), OPERANDS, since(V4_5)),
        form("nvvm.mapa", Shape::Any, "", since(V4_5)),
        form(
            "nvvm.tcgen05.commit",
            Shape::Has("tcgen05_group<"),
            "names its group by 'tcgen05_group'",
            since(V4_5),
        ),
        form("cute.make_atom", Shape::Has("(i1, i1, i1, vector<"), LANES, since(V4_7)),
        form(
            "cute_nvgpu.atom.make_non_exec_tiled_tma_load",
            Shape::Has("internal_type = "),
            "has a property 'internal_type'",
            FIRST,
        ),
        form("cute.get_iter", Shape::Tuples, "makes an int_tuple of a coordinate tensor", FIRST),
        form("cuda.", Shape::Any, "", Origin::seen(V4_3).by(&[CuteDsl, Zml])),
        and(
            form(
                "func.func",
                Shape::Marked { inside: true },
                "has the mark of a kernel in a gpu.module",
                Origin::described(&[CuteRs]),
            ),
            "CuTe DSL before 4.3",
        ),
        form(
            "func.func",
            Shape::Marked { inside: false },
            "has the mark of a kernel outside of a gpu.module",
            Origin::described(&[Zml]),
        ),
        and(form("gpu.func", Shape::Any, "", Origin::described(&[])), "cute-mlir itself"),
        and(form("cute_nvgpu.arch.copy.SM100.", Shape::Any, "", INSTRUCTIONS), AFTER_PASSES),
        and(form("cute_nvgpu.arch.mma.", Shape::Any, "", INSTRUCTIONS), AFTER_PASSES),
    ]
};

/// The marks of kernels that are functions.
const MARKS: [&str; 2] = ["cute.kernel", "gpu.kernel"];

/// An op of a text.
#[derive(Debug, Clone, Copy)]
struct Op<'t> {
    /// The position of its name, or of the quote before it in generic assembly.
    at: usize,
    name: &'t str,
    is_generic: bool,
    /// The line after the name.
    rest: &'t str,
    /// Whether it is in a `gpu.module`.
    inside: bool,
}

/// An op that not everyone writes, at its first place.
struct Found<'t> {
    op: Op<'t>,
    what: What,
}

/// The reason for which not everyone writes an op.
enum What {
    /// It has a form that only some producers write.
    Form(&'static Form),
    /// It is an op of the table, which later versions of CuTe DSL have.
    Row(Origin),
}

impl Found<'_> {
    fn is_of(&self, profile: ProducerProfile) -> bool {
        match (&self.what, profile) {
            (What::Form(form), _) => writes(&form.origin, profile),
            (What::Row(origin), ProducerProfile::Dsl(version)) => {
                origin.since.is_none_or(|first| first <= version)
            }
            // They follow the newest version.
            (What::Row(_), ProducerProfile::Auto | ProducerProfile::CuteRs | ProducerProfile::Zml) => true,
        }
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { op: Op { name, .. }, what } = self;
        match what {
            What::Form(form) if form.how.is_empty() => write!(f, "'{name}' op is one of {}", form.writers()),
            What::Form(form) => write!(f, "'{name}' op {}, as in modules of {}", form.how, form.writers()),
            What::Row(origin) => write!(f, "'{name}' op is one of {}", origin.versions()),
        }
    }
}

/// The origin of an op that is one of later versions than the first.
fn of_later_versions(name: &str) -> Option<Origin> {
    // Whoever has LLVM may write all of its ops.
    let is_row = !name.starts_with("llvm.") && table::rows().any(|row| row.original() == name);
    let origin = is_row.then(|| table::origin(name)).flatten()?;
    origin.since.is_some_and(|first| first > Version::FIRST).then_some(origin)
}

/// The ops of a text that not everyone writes, each at its first place.
fn found(text: &str) -> Vec<Found<'_>> {
    let mut found: Vec<Found<'_>> = Vec::new();
    let mut add = |op, form: &'static Form| {
        let is_known = |one: &Found<'_>| matches!(one.what, What::Form(known) if std::ptr::eq(known, form));
        if !found.iter().any(is_known) {
            found.push(Found { op, what: What::Form(form) });
        }
    };
    if let Some(at) = coordinates_as_tuples(text) {
        let forms = FORMS.iter().filter(|form| form.shape == Shape::Tuples);
        forms.for_each(|form| add(Op { at, name: form.op, rest: "", is_generic: false, inside: true }, form));
    }
    let plain: Vec<_> =
        FORMS.iter().filter(|form| !matches!(form.shape, Shape::Marked { .. } | Shape::Tuples)).collect();
    let (mut names, mut later) = (HashSet::new(), Vec::new());
    walk(text, |op, is_marked| {
        let marked = Shape::Marked { inside: op.inside };
        if is_marked {
            let forms = FORMS.iter().filter(|form| form.op == op.name && form.shape == marked);
            forms.for_each(|form| add(op, form));
            return;
        }
        plain.iter().filter(|form| form.fits(&op)).for_each(|form| add(op, form));
        if names.insert(op.name)
            && let Some(origin) = of_later_versions(op.name)
        {
            later.push(Found { op, what: What::Row(origin) });
        }
    });
    // A form says more than its op.
    let is_new = |one: &Found<'_>| found.iter().all(|form| form.op.at != one.op.at);
    later.retain(is_new);
    found.extend(later);
    found.sort_by_key(|one| one.op.at);
    found
}

/// Calls `visit` with each op of a text, and again with `true` where it has the mark of a kernel:
/// in its line, in a later line of its attributes, or after its region.
fn walk<'t>(text: &'t str, mut visit: impl FnMut(Op<'t>, bool)) {
    let mut open: Vec<Option<Op<'t>>> = Vec::new();
    let (mut latest, mut at) = (None, 0);
    for line in text.split_inclusive('\n') {
        if let Some(op) = op_of(line, at) {
            let is_module = |op: &Op<'_>| op.name == "gpu.module";
            let op = Op { inside: open.iter().flatten().any(is_module), ..op };
            visit(op, false);
            latest = Some(op);
        }
        at += line.len();
        let (code, closed) = scan(line, |brace| match brace {
            '{' => {
                open.push(latest);
                None
            }
            _ => open.pop().flatten(),
        });
        if MARKS.iter().any(|mark| code.contains(mark)) {
            let owner = if code.trim_start().starts_with('}') { closed } else { latest };
            if let Some(owner) = owner {
                visit(owner, true);
            }
        }
    }
}

/// Calls `visit` with each brace of a line outside of strings. Returns the line up to a comment,
/// and what `visit` returned for the first brace that closes.
fn scan<T>(line: &str, mut visit: impl FnMut(char) -> Option<T>) -> (&str, Option<T>) {
    let (mut quoted, mut escaped, mut first, mut is_first) = (false, false, None, true);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '/' if line[at..].starts_with("//") => return (&line[..at], first),
            '{' => {
                visit(c);
            }
            '}' => {
                let closed = visit(c);
                if std::mem::take(&mut is_first) {
                    first = closed;
                }
            }
            _ => {}
        }
    }
    (line, first)
}

/// The op that begins in a line, which is at `start`.
fn op_of(line: &str, start: usize) -> Option<Op<'_>> {
    let mut rest = line.trim_start();
    if rest.starts_with('%') {
        rest = rest.split_once('=')?.1.trim_start();
    }
    let at = start + (line.len() - rest.len());
    let (name, rest, is_generic) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let (name, rest) = quoted.split_once('"')?;
            (name, rest, true)
        }
        None => {
            let name = word(rest);
            (name, &rest[name.len()..], false)
        }
    };
    // Attributes may have lines of their own.
    let is_op = match is_generic {
        true => rest.starts_with('('),
        false => !(MARKS.contains(&name) || rest.trim_start().starts_with(['=', ',', '}'])),
    };
    (name.contains('.') && is_op).then_some(Op { at, name, is_generic, rest, inside: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(profile: &str, text: &str) -> Vec<(usize, String)> {
        let profile: ProducerProfile = profile.parse().unwrap();
        profile.refused(text).into_iter().map(|refused| (refused.at, refused.to_string())).collect()
    }

    #[test]
    fn names_are_read_and_near_ones_suggested() {
        for profile in ProducerProfile::ALL {
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
        let why = "dsl-4.8".parse::<ProducerProfile>().unwrap_err().to_string();
        assert_eq!(
            why,
            "there is no profile 'dsl-4.8'; there are auto, dsl-4.3, dsl-4.4, dsl-4.5, dsl-4.6, dsl-4.7, cute-rs, zml; \
             did you mean dsl-4.3?"
        );
        let why = "cuters".parse::<ProducerProfile>().unwrap_err().to_string();
        assert!(why.ends_with("; did you mean cute-rs?"), "{why}");
        assert!("".parse::<ProducerProfile>().is_err());
    }

    #[test]
    fn a_form_is_found_where_its_op_begins() {
        let op = "cute.kernel_smem_size";
        let generic = format!(
            "// \"{op}\"(\n  %a = \"x.y\"() {{s = \"{op}\"}} : () -> i64\n%b = \"{op}\"() : () -> i64"
        );
        let custom = format!("{op}_of\n %a = {op} @k : i64 loc(\"{op}\")\n");
        for text in [generic, custom] {
            let found = errors("dsl-4.4", &text);
            let at = text.rfind("= ").unwrap() + 2;
            let says = "'cute.kernel_smem_size' op is one of CuTe DSL 4.5 and later, cute-rs, zml, but the profile is \
                        dsl-4.4; all forms of this module are those of the profile dsl-4.5";
            assert_eq!(found, [(at, says.to_owned())], "{text}");
            assert_eq!(errors("dsl-4.5", &text), []);
            assert_eq!(errors("auto", &text), []);
        }
    }

    #[test]
    fn only_the_form_of_an_op_that_differs_is_refused() {
        let cases = [
            ("dsl-4.4", "%a = cute.memref.load_vec(%m) : (T) -> V", true),
            ("dsl-4.4", "%a = cute.memref.load_vec %m : T", false),
            ("dsl-4.4", "%a = \"cute.memref.load_vec\"(%m) : (T) -> V", false),
            ("dsl-4.4", "%a = cute_nvgpu.atom.set_value<accum_c>(%a, %v) : (T, i1)", true),
            ("dsl-4.4", "%a = cute_nvgpu.atom.set_value(%a, %v : i1) {field = #f<accum_c>} : T", false),
            ("dsl-4.4", "%a = nvvm.mapa %b, %c : !llvm.ptr<3> -> !llvm.ptr<7>", true),
            ("dsl-4.4", "%a = nvvm.mapa.shared.cluster %b, %c : !llvm.ptr<3>, i32 -> <3>", false),
            ("dsl-4.6", "%a = cute.make_atom(%f, %f, %f, %v) : (i1, i1, i1, vector<4xi32>) -> T", true),
            ("dsl-4.7", "%a = cute.make_atom(%f, %f, %f, %v) : (i1, i1, i1, vector<4xi32>) -> T", false),
            ("dsl-4.6", "%a = cute.make_atom(%f, %f, %f) : (i1, i1, i1) -> T", false),
            ("dsl-4.4", "%a = x.op() <{kind = <sm_90> internal_type = tf32}> : T", false),
            ("cute-rs", "cuda.kernel @k() {", true),
            ("cute-rs", "%a = x.op(%b) : !cuda.stream", false),
            ("zml", "cuda.kernel @k() {", false),
            ("dsl-4.3", "\"cute_nvgpu.arch.copy.SM100.tma_load\"(%a) : () -> ()", true),
            ("cute-rs", "\"cute_nvgpu.arch.copy.SM100.tma_load\"(%a) : () -> ()", false),
            ("zml", "gpu.func @k() kernel {", true),
        ];
        for (profile, text, is_refused) in cases {
            assert_eq!(!errors(profile, text).is_empty(), is_refused, "{profile}: {text}");
        }
    }

    #[test]
    fn a_mark_belongs_to_its_function() {
        let generic = "\"gpu.module\"() ({\n\"func.func\"() <{sym_name = \"k\"}> ({\n\"func.return\"() : () -> ()\n}) {cute.kernel = unit} : () -> ()\n}) : () -> ()";
        let custom = "gpu.module @m {\nfunc.func @k() attributes {\n  nvvm.reqntid = array<i32: 32>,\n  cute.kernel} {\nreturn\n}\n}\nfunc.func @f() {\n}";
        for text in [generic, custom] {
            let found = errors("dsl-4.6", text);
            let [(at, says)] = &found[..] else { panic!("{text}: {found:?}") };
            assert!(text[*at..].trim_start_matches('"').starts_with("func.func"));
            let end = "in a gpu.module, as in modules of cute-rs, CuTe DSL before 4.3, but the profile is dsl-4.6; all forms \
                       of this module are those of the profile cute-rs";
            assert!(says.ends_with(end), "{says}");
            assert_eq!((errors("cute-rs", text), errors("zml", text).len()), (vec![], 1));
        }
        let outside = "func.func @k() attributes {cute.kernel, gpu.kernel} {\nreturn\n}";
        assert_eq!((errors("zml", outside), errors("cute-rs", outside).len()), (vec![], 1));
        // A kernel of CuTe DSL has the marks, too.
        let dsl = "gpu.module @m {\ncuda.kernel @k() attributes {cute.kernel, gpu.kernel} {\n}\n}";
        assert_eq!(errors("dsl-4.3", dsl), []);
    }

    #[test]
    fn an_op_of_a_later_version_names_it() {
        let cases = [
            ("dsl-4.4", "nvvm.load.ext %a : T", Some("CuTe DSL 4.5 and later")),
            ("dsl-4.5", "nvvm.load.ext %a : T", None),
            (
                "dsl-4.3",
                "%a = nvvm.clusterlaunchcontrol.query_cancel.is_canceled %b : i1",
                Some("CuTe DSL 4.4 and later"),
            ),
            ("dsl-4.4", "%a = nvvm.clusterlaunchcontrol.query_cancel.is_canceled %b : i1", None),
            (
                "dsl-4.4",
                "%a = \"cute_nvgpu.arch.alloc_smem\"(%b) : (i32) -> T",
                Some("CuTe DSL 4.5 and later, zml"),
            ),
            ("dsl-4.6", "%a = cute_nvgpu.tile_to_mma_shape(%b) : (T) -> L", Some("CuTe DSL 4.7 and later")),
            ("cute-rs", "%a = cute_nvgpu.tile_to_mma_shape(%b) : (T) -> L", None),
            // An op of the first version, of which a later one has another form, and an op of LLVM.
            ("dsl-4.3", "%a = cute.get_scalars(%b) : T", None),
            ("dsl-4.3", "%a = llvm.addrspacecast %b : !llvm.ptr<7> to !llvm.ptr<3>", None),
        ];
        for (profile, text, version) in cases {
            let found = errors(profile, text);
            assert_eq!(found.len(), usize::from(version.is_some()), "{profile}: {text}");
            if let ([(at, says)], Some(version)) = (&found[..], version) {
                assert!(
                    says.contains(&format!("' op is one of {version}, but the profile is {profile}; ")),
                    "{says}"
                );
                assert_eq!(&text[..*at], if text.starts_with('%') { "%a = " } else { "" });
            }
        }
    }

    #[test]
    fn a_module_of_two_producers_says_so() {
        let text = "gpu.module @m {\ncuda.kernel @a() {\n}\nfunc.func @b() attributes {cute.kernel} {\n}\n}";
        let (kernel, function) = (
            "'cuda.kernel' op is one of CuTe DSL 4.3 and later, zml",
            "'func.func' op has the mark of a kernel in a gpu.module, as in modules of cute-rs, CuTe DSL before 4.3",
        );
        for (profile, refused, line, other) in
            [("cute-rs", kernel, 4, function), ("zml", function, 2, kernel), ("dsl-4.7", function, 2, kernel)]
        {
            let [(_, says)] = &errors(profile, text)[..] else { panic!("{profile}") };
            let mixes = "this module mixes forms of several producers, because in line";
            let all =
                format!("{refused}, but the profile is {profile}; {mixes} {line}, {other}; auto accepts it");
            assert_eq!(*says, all);
        }
        // No two of these forms have a profile in common, and the profile has neither.
        let neither = "gpu.func @a() kernel {\n}\nfunc.func @b() attributes {cute.kernel} {\n}";
        for (_, says) in errors("dsl-4.7", neither) {
            assert!(
                says.ends_with("; no profile has all forms of this module, which auto accepts"),
                "{says}"
            );
        }
    }

    #[test]
    fn text_that_is_no_module_is_refused_by_nobody() {
        for text in ["", "%", "%a =", "\"", "{{{", "}}}\n}", "\"cuda.kernel\"", "% = \"", "a.b\\\"", "//"] {
            for profile in ProducerProfile::ALL {
                assert!(profile.refused(text).is_empty(), "{text}");
            }
        }
    }
}
