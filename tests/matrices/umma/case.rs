//! The module that is written from an entry of `umma_partition.json`.

use cute_algebra::{MmaOperand, parse_shape, size};
use cute_arch::{Element, atoms::MmaAtom};
use serde_json::Value as Json;

use super::THREADS;
use crate::vectors::{layout, text};

/// An element type as MLIR spells it.
fn mlir(element: Element) -> &'static str {
    match element {
        Element::E4m3 => "f8E4M3FN",
        Element::S8 => "i8",
        Element::S32 => "i32",
        other => other.name(),
    }
}

/// An entry, and the types of its module.
pub struct Case<'a> {
    pub entry: &'a Json,
    /// M, N and K of the tile.
    pub tile: [i64; 3],
    /// The type of the tiled MMA.
    mma: String,
    /// The type of its atom.
    atom: String,
    /// Element types of A, B and C.
    elements: [&'static str; 3],
}

impl<'a> Case<'a> {
    pub fn new(entry: &'a Json) -> Self {
        let row = MmaAtom::by_cpp_name(text(entry, "/args/mma")).expect("an atom");
        let [m, n, k] = row.shape;
        let elements = [row.a.element, row.b.element, row.c.element].map(mlir);
        let [a, b, c] = elements;
        let [major_a, major_b] =
            ["/args/major_A", "/args/major_B"].map(|path| text(entry, path).to_lowercase());
        let atom = format!(
            "!cute_nvgpu.sm100.mma<{m}x{n}x{k}, num_cta = {}, ab_major = ({major_a}, {major_b}), elem_type = ({a}, {b}, {c}), frag_kind = ss, c_scale_exp = 0>",
            row.instruction.ctas
        );
        let mma = format!("!cute.tiled_mma<{atom}, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>");
        let tile = parse_shape(text(entry, "/args/tile_shape_mnk")).expect("a tile").to_const();
        let tile = tile.expect("numbers").leaves().to_vec().try_into().expect("M, N and K");
        Self { entry, tile, mma, atom, elements }
    }

    fn result(&self, what: &str, which: MmaOperand) -> &'a str {
        text(self.entry, &format!("/result/{what}_{which}"))
    }

    /// The layout of the CTA's part of a row-major matrix, and where it begins.
    pub fn part(&self, which: MmaOperand) -> (&'a str, i64) {
        let of = |field: &str| text(self.entry, &format!("/result/gmem_part_{which}/{field}"));
        (of("layout"), of("offset").parse().expect("an offset"))
    }

    /// A matrix in global memory whose elements will be their own indices.
    fn matrix(&self, which: MmaOperand) -> String {
        let [rows, columns] = which.of(self.tile);
        format!("!cute.memref<i32, gmem, \"({rows},{columns}):({columns},1)\">")
    }

    /// Code that computes the shape of a partition, and its type.
    fn shape(&self, which: MmaOperand) -> (String, String) {
        let ([rows, columns], shape) = (which.of(self.tile), self.result("shape", which));
        let tile = format!("!cute.shape<\"({rows},{columns})\">");
        let shape = format!("!cute.shape<\"{shape}\">");
        let made = format!(
            "%tile_{which} = cute.static : {tile}
             %shape_{which} = cute.tiled.mma.partition_shape {which}(%mma, %tile_{which}) : ({}, {tile}) -> {shape}\n",
            self.mma
        );
        (made, shape)
    }

    /// Code that makes the fragments of A and B, at the addresses `%at_A` and `%at_B`, and of C.
    fn fragments(&self) -> String {
        let mut made = format!(
            "%false = arith.constant false
             %atom = cute.make_atom(%false, %false, %false) : (i1, i1, i1) -> {}
             %mma = cute.make_tiled_mma(%atom) : {}\n",
            self.atom, self.mma
        );
        for which in MmaOperand::ALL {
            let (shape, shape_type) = self.shape(which);
            let fragment = self.fragment(which);
            made += &shape;
            if which == MmaOperand::C {
                made += &format!(
                    "%{which} = cute.mma.make_fragment {which}(%mma, %shape_{which}) : ({}, {shape_type}) -> {fragment}\n",
                    self.mma
                );
                continue;
            }
            let (swizzle, layout) =
                self.result("smem", which).split_once(" o 0 o ").expect("a swizzled layout");
            let swizzle = if swizzle.starts_with("S<0,") { String::new() } else { format!(", {swizzle}") };
            let element = self.elements[which as usize];
            let pointer = format!("{element}, smem, align<1024>{swizzle}");
            let view = format!("!cute.memref<{pointer}, \"{layout}\">");
            made += &format!(
                "%p_{which} = cute.inttoptr(%at_{which}) : i32 to !cute.ptr<{pointer}>
                 %s_{which} = cute.make_view(%p_{which}) : {view}
                 %{which} = cute.mma.make_fragment {which}(%mma, %s_{which}) : ({}, {view}) -> {fragment}\n",
                self.mma
            );
        }
        made
    }

    /// The type of a fragment.
    fn fragment(&self, which: MmaOperand) -> String {
        match which {
            MmaOperand::C => {
                let places = text(self.entry, "/result/tmem_C");
                format!("!cute.memref<{}, tmem, align<1>, \"{places}\">", self.elements[2])
            }
            _ => {
                let steps = self.result("frag", which);
                format!("!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"{steps}\">")
            }
        }
    }

    /// Code that stores the descriptors of a matrix, one per tile, first mode fastest.
    fn stores_descriptors(&self, which: MmaOperand) -> String {
        let fragment = self.fragment(which);
        let steps = layout(self.result("frag", which));
        let [first, second] = [1, 2].map(|mode| size(&steps.mode(mode).expect("a mode")).expect("a size"));
        let out = format!("!cute.memref<i64, gmem, \"{}:1\">", first * second);
        let one = "!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"(1):(0)\">";
        format!(
            "%first_{which} = arith.constant {first} : i32
             %count_{which} = arith.constant {} : i32
             scf.for %i = %thread to %count_{which} step %threads : i32 {{
               %m = arith.remui %i, %first_{which} : i32
               %k = arith.divui %i, %first_{which} : i32
               %at = cute.make_coord(%m, %k) : (i32, i32) -> !cute.coord<\"(_,?,?)\">
               %one = cute.slice(%{which}, %at) : {fragment}, !cute.coord<\"(_,?,?)\">
               %desc = cute.get_iter(%one) : {one}
               %word = builtin.unrealized_conversion_cast %desc : !cute_nvgpu.smem_desc to i64
               %to = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">
               cute.memref.store(%desc_{which}, %to, %word) : ({out}, !cute.coord<\"?\">, i64) -> ()
             }}\n",
            first * second
        )
    }

    /// Code that stores the elements of the CTA's part of a matrix.
    fn stores_part(&self, which: MmaOperand) -> String {
        let part = format!("!cute.memref<i32, gmem, \"{}\">", self.part(which).0);
        let count = size(&layout(self.part(which).0)).expect("a size");
        let out = format!("!cute.memref<i32, gmem, \"{count}:1\">");
        format!(
            "%own_{which} = cute.tiled.mma.partition {which}(%mma, %g_{which}, %of) : ({}, {}, !cute.coord<\"?\">) -> {part}
             %elements_{which} = arith.constant {count} : i32
             scf.for %i = %thread to %elements_{which} step %threads : i32 {{
               %at = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">
               %found = cute.memref.load(%own_{which}, %at) : ({part}, !cute.coord<\"?\">) -> i32
               cute.memref.store(%part_{which}, %at, %found) : ({out}, !cute.coord<\"?\">, i32) -> ()
             }}\n",
            self.mma,
            self.matrix(which)
        )
    }

    /// Code that stores the address of each sum.
    fn stores_places(&self) -> String {
        let (places, c) = (text(self.entry, "/result/tmem_C"), self.elements[2]);
        let count = size(&layout(places)).expect("a size");
        format!(
            "%layout = cute.get_layout(%C) : {}
             %begin = cute.get_iter(%C) : {}
             %sums = arith.constant {count} : i32
             scf.for %i = %thread to %sums step %threads : i32 {{
               %at = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">
               %behind = cute.crd2idx(%at, %layout) : (!cute.coord<\"?\">, !cute.layout<\"{places}\">) -> !cute.int_tuple<\"?\">
               %sum = cute.add_offset(%begin, %behind) : (!cute.ptr<{c}, tmem, align<1>>, !cute.int_tuple<\"?\">) -> !cute.ptr<{c}, tmem, align<1>>
               %word = cute.ptrtoint(%sum) : !cute.ptr<{c}, tmem, align<1>> to i32
               cute.memref.store(%places, %at, %word) : (!cute.memref<i32, gmem, \"{count}:1\">, !cute.coord<\"?\">, i32) -> ()
             }}\n",
            self.fragment(MmaOperand::C),
            self.fragment(MmaOperand::C),
        )
    }

    /// A kernel that stores addresses and descriptors, and one that multiplies.
    pub fn module(&self) -> String {
        let mut parameters = String::new();
        let mut body = self.fragments();
        for which in MmaOperand::ALL {
            let count = size(&layout(self.part(which).0)).expect("a size");
            parameters += &format!(
                "%g_{which}: {}, %part_{which}: !cute.memref<i32, gmem, \"{count}:1\">, ",
                self.matrix(which)
            );
            body += &self.stores_part(which);
        }
        for which in [MmaOperand::A, MmaOperand::B] {
            let count = size(&layout(self.result("frag", which))).expect("a size");
            parameters += &format!("%desc_{which}: !cute.memref<i64, gmem, \"{count}:1\">, ");
            body += &self.stores_descriptors(which);
        }
        let count = size(&layout(text(self.entry, "/result/tmem_C"))).expect("a size");
        let [a, b, c] = MmaOperand::ALL.map(|which| self.fragment(which));
        format!(
            "gpu.module @m {{
               gpu.func @addresses({parameters}%places: !cute.memref<i32, gmem, \"{count}:1\">, %at_A: i32, %at_B: i32, %cta: i32) kernel attributes {{nvvm.reqntid = array<i32: {THREADS}, 1, 1>}} {{
                 %thread = nvvm.read.ptx.sreg.tid.x : i32
                 %threads = arith.constant {THREADS} : i32
                 %of = cute.make_coord(%cta) : (i32) -> !cute.coord<\"?\">
                 {body}
                 {}
                 gpu.return
               }}
               gpu.func @products(%at_A: i32, %at_B: i32) kernel {{
                 {}
                 cute.gemm(%mma, %C, %A, %B, %C) : ({}, {c}, {a}, {b}, {c})
                 gpu.return
               }}
             }}",
            self.stores_places(),
            self.fragments(),
            self.mma
        )
    }
}
