//! Rows of the tables, and how one row becomes its atoms.

use super::template::{fill, read};
use crate::{
    atoms::model::{Generation, Instruction, Major, Metadata, MmaAtom, MmaOp, Operand, Scale, Space},
    element::Element::{self, F32},
    feature::Availability,
};

/// Atoms that differ only in types, extents and operation.
///
/// Names and layouts are templates: `{m}`, `{n/8}` are extents, `{A}` is `E4M3`, `{a}` is `e4m3`,
/// `{a_t}` is its C++ name in CUTLASS, and so on for b, c and d; `{op}` is the suffix of the
/// operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MmaFamily {
    pub(crate) name: &'static str,
    pub(crate) instruction: Instruction,
    pub(crate) on: Availability,
    pub(crate) m: &'static [u32],
    pub(crate) n: &'static [u32],
    pub(crate) k: u32,
    /// D, A, B, C, in the order of the name.
    pub(crate) types: &'static [[Element; 4]],
    /// Bits of a value of A and B, where it is not the element's.
    pub(crate) container: Option<u32>,
    /// The container of B, if it differs.
    pub(crate) container_b: Option<u32>,
    /// For a sparse A: elements per value of A, elements per byte of metadata, and the metadata's
    /// layout, if there is one.
    pub(crate) sparse: Option<(u32, u32, Option<&'static str>)>,
    /// Type of the scales, elements of K per scale, and the layouts of A's and B's scales.
    pub(crate) scale: Option<(Element, u32, Option<[&'static str; 2]>)>,
    /// The spaces of A, B and C.
    pub(crate) from: [Space; 3],
    pub(crate) ops: &'static [MmaOp],
    /// The majors of A and B.
    pub(crate) majors: (Major, Major),
    pub(crate) thr_id: &'static str,
    pub(crate) a: &'static str,
    pub(crate) b: &'static str,
    pub(crate) c: &'static str,
}

/// A is row-major and B column-major: the only majors of most instructions.
pub(crate) const TN: (Major, Major) = (Major::K, Major::K);

/// One thread, one element: the base of other rows.
pub(crate) const SCALAR: MmaFamily = MmaFamily {
    name: "",
    instruction: Instruction::DOT,
    on: Availability::From(0, 0),
    m: &[1],
    n: &[1],
    k: 1,
    types: &[[F32; 4]],
    container: None,
    container_b: None,
    sparse: None,
    scale: None,
    from: [Space::Register; 3],
    ops: &[MmaOp::MulAdd],
    majors: TN,
    thr_id: "1:0",
    a: "(1,1):(0,0)",
    b: "(1,1):(0,0)",
    c: "(1,1):(0,0)",
};

/// A warp that holds C two neighbours of a row at a time.
pub(crate) const WARP: MmaFamily = MmaFamily {
    instruction: Instruction::MMA_SYNC,
    m: &[16],
    n: &[8],
    thr_id: "32:1",
    c: ROW_16X8,
    ..SCALAR
};

/// C of 16 x 8: thread t has row t / 4 and columns 2 (t % 4) + {0, 1}, and the same columns of row
/// t / 4 + 8.
pub(crate) const ROW_16X8: &str = "((4,8),(2,2)):((32,1),(16,8))";

/// C of 8 x 8: thread t has row t / 4 and columns 2 (t % 4) + {0, 1}.
pub(crate) const ROW_8X8: &str = "((4,8),2):((16,1),8)";

impl MmaFamily {
    pub(crate) fn atoms(&self, generation: Generation) -> impl Iterator<Item = MmaAtom> {
        let extents = self.m.iter().flat_map(move |&m| self.n.iter().map(move |&n| [m, n, self.k]));
        extents.flat_map(move |shape| {
            self.types.iter().flat_map(move |types| {
                self.ops.iter().map(move |op| self.atom(generation, shape, *types, *op))
            })
        })
    }

    fn atom(&self, generation: Generation, shape: [u32; 3], types: [Element; 4], op: MmaOp) -> MmaAtom {
        let holes = Filler { shape, types, op };
        let fill = |template| fill(template, |name| holes.hole(name));
        let [d, a, b, c] = types;
        let layout = |template| read(&fill(template));
        let [from_a, from_b, from_c] = self.from;
        let operand = |element: Element, template, container: Option<u32>, from, per_value| Operand {
            element,
            bits: container.unwrap_or(element.bits()),
            per_value,
            from,
            layout: layout(template),
        };
        MmaAtom {
            name: fill(self.name),
            generation,
            instruction: self.instruction,
            shape,
            a: operand(a, self.a, self.container, from_a, self.sparse.map_or(1, |(per_value, ..)| per_value)),
            b: operand(b, self.b, self.container_b.or(self.container), from_b, 1),
            c: operand(c, self.c, None, from_c, 1),
            d,
            a_major: self.majors.0,
            b_major: self.majors.1,
            op,
            metadata: self
                .sparse
                .map(|(_, per_byte, template)| Metadata { per_byte, layout: template.map(layout) }),
            scale: self.scale.map(|(element, vector, layouts)| Scale {
                element,
                vector,
                layouts: layouts.map(|both| both.map(layout)),
            }),
            thr_id: layout(self.thr_id),
            on: self.on,
        }
    }
}

/// The values for the holes of a template.
struct Filler {
    shape: [u32; 3],
    types: [Element; 4],
    op: MmaOp,
}

impl Filler {
    fn hole(&self, name: &str) -> Option<String> {
        let [m, n, k] = self.shape;
        let [d, a, b, c] = self.types;
        let element = match name.as_bytes().first()? {
            b'a' | b'A' => a,
            b'b' | b'B' => b,
            b'c' | b'C' => c,
            _ => d,
        };
        Some(match name {
            "m" => m.to_string(),
            "n" => n.to_string(),
            "k" => k.to_string(),
            "op" => self.op.suffix().to_owned(),
            "A" | "B" | "C" | "D" => element.name().to_uppercase(),
            "a" | "b" | "c" | "d" => element.name().to_owned(),
            "a_t" | "b_t" | "c_t" | "d_t" => cutlass_name(element),
            _ => return None,
        })
    }
}

/// The C++ type of an element.
fn cutlass_name(element: Element) -> String {
    match element {
        Element::F16 => "half_t".into(),
        Element::Bf16 => "bfloat16_t".into(),
        Element::F32 => "float".into(),
        small => format!("float_{small}_t"),
    }
}
