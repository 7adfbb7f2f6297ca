//! Finds an atom by its fields. If there is none, reports the field to blame. This module depends
//! only on the list of atoms.

use super::kind::{BlockScale, Tcgen05Kind};
use super::model::{Instruction, Major, MmaAtom, MmaOp};
use crate::{element::Element, target::Target};
use std::fmt;

/// The fields that choose an atom, in the spelling of instructions.
///
/// ```
/// use cute_arch::{Element, Target, atoms::{Instruction, MmaQuery}};
/// let half = MmaQuery::new(Instruction::MMA_SYNC, [16, 8, 16], [Element::F32, Element::F16, Element::F16, Element::F32]);
/// assert_eq!(half.find()?.name, "SM80_16x8x16_F32F16F16F32_TN");
///
/// let error = MmaQuery { shape: [16, 8, 32], ..half }.find().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no mma.sync has shape m16n8k32 with A f16, B f16, C f32, D f32; there are m8n8k4, m16n8k8, m16n8k16",
/// );
///
/// let fp8 = [Element::F32, Element::E4m3, Element::E4m3, Element::F32];
/// let error = MmaQuery { target: Some(Target::Sm80), ..MmaQuery::new(Instruction::MMA_SYNC, [16, 8, 32], fp8) }.find().unwrap_err();
/// assert!(error.to_string().ends_with("; there are sm_89 and later, sm_120f, sm_120a, sm_121f, sm_121a"));
/// # Ok::<(), cute_arch::atoms::NoSuchAtom>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MmaQuery {
    /// The kind of instruction.
    pub instruction: Instruction,
    /// M, N and K.
    pub shape: [u32; 3],
    /// Elements of D, A, B and C, in the order of CuTe's names.
    pub types: [Element; 4],
    /// Majors of A and B.
    pub majors: (Major, Major),
    /// How products are combined.
    pub op: MmaOp,
    /// The scale factors of an `mma.sync` that has some; `None` for any.
    pub scales: Option<ScaleQuery>,
    /// The target; `None` for any.
    pub target: Option<Target>,
}

/// The words that choose the scale factors of an `mma.sync`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScaleQuery {
    /// `.kind::mxf4`, which has the name of a kind of `tcgen05.mma`.
    pub kind: Tcgen05Kind,
    /// The type of a factor.
    pub element: Element,
    /// The 2 in `.scale_vec::2X`; `None` if it is not written.
    pub count: Option<u32>,
}

impl ScaleQuery {
    /// The factors of a row, as errors spell them.
    fn factors(&self) -> String {
        let spell = |count| spelled(BlockScale { element: self.element, count });
        let count = self.count.or(self.kind.default_scales());
        count.map_or_else(|| format!(".{} without .scale_vec", self.element), spell)
    }
}

/// `.scale_vec::2X.ue8m0`.
fn spelled(BlockScale { element, count }: BlockScale) -> String {
    format!(".scale_vec::{count}X.{element}")
}

/// No atom answers a [`MmaQuery`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {instruction} has {field} {given}{}; there are {}", with(.given_before), .legal.join(", "))]
pub struct NoSuchAtom {
    /// The requested instruction.
    pub instruction: Instruction,
    /// The first field that leaves no atom.
    pub field: &'static str,
    /// The requested value.
    pub given: String,
    /// The fields before it, which agree with some atom.
    pub given_before: Vec<String>,
    /// The values that are legal together with the other fields.
    pub legal: Vec<String>,
}

fn with(fields: &[String]) -> String {
    if fields.is_empty() { String::new() } else { format!(" with {}", fields.join(", ")) }
}

/// `m16n8k16`.
struct Shape([u32; 3]);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.0;
        write!(f, "m{m}n{n}k{k}")
    }
}

/// A field: its name, the requested values, and a function that returns those of an atom.
type Field = (&'static str, Vec<String>, fn(&MmaAtom) -> Vec<String>);

impl MmaQuery {
    /// `D = A * B + C` with A row-major and B column-major, on any target.
    pub fn new(instruction: Instruction, shape: [u32; 3], types: [Element; 4]) -> Self {
        let majors = (Major::K, Major::K);
        MmaQuery { instruction, shape, types, majors, op: MmaOp::MulAdd, scales: None, target: None }
    }

    /// The fields, in the order in which they are blamed.
    fn fields(&self) -> Vec<Field> {
        let one = |value: &dyn fmt::Display| vec![value.to_string()];
        let [d, a, b, c] = &self.types;
        let mut fields: Vec<Field> = vec![
            ("A", one(a), |atom| vec![atom.a.element.to_string()]),
            ("B", one(b), |atom| vec![atom.b.element.to_string()]),
            ("C", one(c), |atom| vec![atom.c.element.to_string()]),
            ("D", one(d), |atom| vec![atom.d.to_string()]),
            ("shape", one(&Shape(self.shape)), |atom| vec![Shape(atom.shape).to_string()]),
            ("majors", letters(self.majors), |atom| letters((atom.a_major, atom.b_major))),
            ("operation", one(&self.op), |atom| vec![atom.op.to_string()]),
        ];
        if let Some(scales) = self.scales {
            let kinds: fn(&MmaAtom) -> Vec<String> =
                |atom| atom.mma_sync_kinds().iter().map(|kind| format!(".{}", kind.row().keyword)).collect();
            fields.push(("kind", vec![format!(".{}", scales.kind.row().keyword)], kinds));
            fields.push(("scale factors", vec![scales.factors()], |atom| {
                atom.block_scale().map(spelled).into_iter().collect()
            }));
        }
        fields
    }

    /// Every atom that agrees in all fields, oldest architecture first.
    pub fn all(&self) -> impl Iterator<Item = &'static MmaAtom> {
        let fields = self.fields();
        self.instruction.atoms().filter(move |atom| {
            fields.iter().all(|(_, asked, has)| has(atom).iter().any(|h| asked.contains(h)))
                && self.runs(atom)
        })
    }

    /// The first atom that agrees in all fields.
    pub fn find(&self) -> Result<&'static MmaAtom, NoSuchAtom> {
        let mut atoms: Vec<_> = self.instruction.atoms().collect();
        let mut given_before = Vec::new();
        for (field, asked, has) in self.fields() {
            let left: Vec<_> =
                atoms.iter().copied().filter(|atom| has(atom).iter().any(|h| asked.contains(h))).collect();
            let given = asked.join(" or ");
            if left.is_empty() {
                let legal = distinct(atoms.into_iter().flat_map(has));
                return Err(NoSuchAtom { instruction: self.instruction, field, given, given_before, legal });
            }
            given_before.push(format!("{field} {given}"));
            atoms = left;
        }
        atoms.iter().copied().find(|atom| self.runs(atom)).ok_or_else(|| NoSuchAtom {
            instruction: self.instruction,
            field: "target",
            given: self.target.map_or_else(String::new, |target| target.to_string()),
            given_before,
            legal: distinct(atoms.iter().map(|atom| atom.on.to_string())),
        })
    }

    /// Whether the target has the atom.
    fn runs(&self, atom: &MmaAtom) -> bool {
        self.target.is_none_or(|target| atom.on.on(target))
    }
}

/// Each value once, in the order of first occurrence.
fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

/// CuTe's letters of two majors, `TN`; several where either is meant.
fn letters((a, b): (Major, Major)) -> Vec<String> {
    let letters = |major, [k, mn]: [&'static str; 2]| match major {
        Major::K => vec![k],
        Major::Mn => vec![mn],
        Major::Any => vec![k, mn],
    };
    let b = letters(b, ["N", "T"]);
    letters(a, ["T", "N"]).iter().flat_map(|a| b.iter().map(move |b| format!("{a}{b}"))).collect()
}
