//! Every form of `tcgen05.mma` that an atom has: kinds, element types, one CTA or a pair, A from
//! shared or tensor memory, the smallest and the largest tile, signs from run time, and
//! accumulators scaled down; then the forms of `tcgen05.mma`, `.ws` and `commit` that a program
//! spells in NVVM. ptxas takes each as one instruction on every target that has it, and the
//! lowering refuses it by name on the others.

use std::{collections::BTreeMap, fmt::Write};

use cute_algebra::{Layout, MmaOperand, Tuple};
use cute_arch::{
    Availability, Element, Feature,
    atoms::{self, Instruction, Major, Space},
    block_scaled::sf_of_mma,
    tmem::{TmemAlloc, fragment},
};
use cute_mlir::Target;
use melior::Context;

use crate::{assemblers::disassembled, compiled, forms::mlir, full::all_of};

/// A form: the code that issues it in a function with the values of [`module`], and its targets.
struct Form {
    code: String,
    on: Availability,
    /// The name of its instruction in ptxas.
    sass: &'static str,
}

/// A kernel that issues forms for this number of CTAs: ptxas takes only one group of CTAs in a
/// kernel.
fn module<'a>(forms: impl IntoIterator<Item = (usize, &'a Form)>) -> String {
    let mut kernels = BTreeMap::<usize, String>::new();
    for (i, (ctas, form)) in forms.into_iter().enumerate() {
        let body = kernels.entry(ctas).or_default();
        // The names of its values end with the number of the form.
        *body += &form.code.replace('~', &i.to_string());
    }
    let mut text = String::from("gpu.module @m {\n");
    for (ctas, body) in kernels {
        write!(
            text,
            "gpu.func @k{ctas}(%at: i32, %left: i32, %a: i64, %b: i64, %word: i32, %add: i1, %na: i1, %nb: i1, %mask: i16, %lanes: vector<{}xi32>) kernel attributes {{nvvm.reqntid = array<i32: 32, 1, 1>}} {{
               %false = arith.constant false
               %scale = llvm.mlir.constant(3 : i64) : i64
               %d = llvm.inttoptr %at : i32 to !llvm.ptr<6>
               %ta = llvm.inttoptr %left : i32 to !llvm.ptr<6>
               %bars = cute.memref.alloc_smem() : !cute.memref<i64, smem, align<8>, \"1:0\">
               %bar_at = cute.get_iter(%bars) : !cute.memref<i64, smem, align<8>, \"1:0\">
               %bar = builtin.unrealized_conversion_cast %bar_at : !cute.ptr<i64, smem, align<8>> to !llvm.ptr<3>
               {body}
               gpu.return
             }}\n",
            4 * ctas
        )
        .expect("text is written");
    }
    text + "}\n"
}

/// One MMA of an atom.
fn of_atom(row: &atoms::MmaAtom, [a_major, b_major]: [Major; 2], c_scale_exp: u32) -> Form {
    let [m, n, k] = row.shape.map(i64::from);
    let ctas = i64::from(row.instruction.ctas);
    let [a, b, c] = [row.a.element, row.b.element, row.c.element].map(mlir);
    let name = |major| if major == Major::Mn { "mn" } else { "k" };
    let with_a = row.a.from == Space::Tensor;
    let frag = format!("frag_kind = {}", if with_a { "ts" } else { "ss" });
    let (which, more) = match &row.scale {
        Some(scale) => {
            let (element, vector) = (mlir(scale.element), scale.vector);
            let wide = if row.shape[2] == 96 { ", arch_promote = sm_103" } else { "" };
            ("mma_bs", format!("sf_type = {element}, {frag}, vec_size = {vector}{wide}"))
        }
        None => ("mma", format!("{frag}, c_scale_exp = {c_scale_exp}")),
    };
    let atom = format!(
        "!cute_nvgpu.sm100.{which}<{m}x{n}x{k}, num_cta = {ctas}, ab_major = ({}, {}), elem_type = ({a}, {b}, {c}), {more}>",
        name(a_major),
        name(b_major)
    );
    let pair = ctas == 2;
    let lies = |columns, bits: u32, storage, alloc| {
        let one = Tuple::from_leaves([m / ctas, columns]);
        let shape = Tuple::from_modes([one, Tuple::leaf(1), Tuple::leaf(1)]);
        fragment(&shape, bits.into(), storage, alloc, pair).expect("the matrix fits")
    };
    let sums = lies(n, row.c.element.bits(), 32, TmemAlloc::of_c(pair, with_a));
    let sums = format!("!cute.memref<{c}, tmem, align<16>, \"{sums}\">");
    let tile = "!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"(1,1,1):(0,0,0)\">";
    let (left, made) = if with_a {
        let bits = row.a.element.bits();
        let left = lies(k, bits, bits.into(), TmemAlloc::of_a(pair));
        let left = format!("!cute.memref<{a}, tmem, align<16>, \"{left}\">");
        let pointer = format!("!cute.ptr<{a}, tmem, align<16>>");
        let made = format!(
            "%pa~ = cute.inttoptr(%left) : i32 to {pointer}
             %A~ = cute.make_view(%pa~) : {left}"
        );
        (left, made)
    } else {
        let made = format!(
            "%da~ = builtin.unrealized_conversion_cast %a : i64 to !cute_nvgpu.smem_desc
             %A~ = cute.make_view(%da~) : {tile}"
        );
        (tile.to_string(), made)
    };
    let integers = row.a.element.integer().is_some();
    let [na, nb] = if integers { ["%false"; 2] } else { ["%na", "%nb"] };
    // Small tiles pass their scale factors, large ones have them in the state of the atom.
    // The factors of a K of 96 are in two blocks, and have no view.
    let in_state = row.scale.is_some() && (n == 256 || k == 96);
    let (mut factors, mut flags, mut of_flags) = (String::new(), String::new(), String::new());
    let mut views = [("%A~", left.clone()), ("%B~", tile.to_owned())].map(|(name, ty)| vec![(name, ty)]);
    for (i, which) in [MmaOperand::A, MmaOperand::B].into_iter().enumerate() {
        let Some(scale) = &row.scale else { break };
        let (view, name) = (["%SFA~", "%SFB~"][i], ["a", "b"][i]);
        let element = mlir(scale.element);
        let pointer = format!("!cute.ptr<{element}, tmem, align<16>>");
        writeln!(factors, "%ps{name}~ = cute.inttoptr(%left) : i32 to {pointer}").expect("text is written");
        match in_state {
            true => {
                flags += &format!(", %ps{name}~");
                of_flags += &format!(", {pointer}");
            }
            false => {
                let of_call = sf_of_mma(row, which).expect("the factors of a call have a layout");
                let layout = Layout::from_modes([of_call, Layout::unit(), Layout::unit()]);
                let ty = format!("!cute.memref<{element}, tmem, align<16>, \"{layout}\">");
                writeln!(factors, "{view} = cute.make_view(%ps{name}~) : {ty}").expect("text is written");
                views[i].push((view, ty));
            }
        }
    }
    let made = made + &factors;
    let (views, types): (Vec<_>, Vec<_>) = views.concat().into_iter().unzip();
    let (views, types) = (views.join(", "), types.join(", "));
    if let Some(scale) = row.scale.as_ref().filter(|_| !in_state) {
        // The addresses of the operands count, not those of the state.
        let pointer = format!("!cute.ptr<{}, tmem, align<16>>", mlir(scale.element));
        flags += ", %psa~, %psb~";
        of_flags += &format!(", {pointer}, {pointer}");
    }
    let code = format!(
        "%pd~ = cute.inttoptr(%at) : i32 to !cute.ptr<{c}, tmem, align<16>>
         %D~ = cute.make_view(%pd~) : {sums}
         {made}
         %db~ = builtin.unrealized_conversion_cast %b : i64 to !cute_nvgpu.smem_desc
         %B~ = cute.make_view(%db~) : {tile}
         %atom~ = cute.make_atom(%add, {na}, {nb}{flags}) : (i1, i1, i1{of_flags}) -> {atom}
         cute.gemm(%atom~, %D~, {views}, %D~) : ({atom}, {sums}, {types}, {sums})\n"
    );
    let sass = match row.a.element {
        Element::F16 | Element::Bf16 | Element::Tf32 => "UTCHMMA",
        _ if integers => "UTCIMMA",
        _ if row.a.element.bits() == 4 && row.shape[2] > 32 => "UTCOMMA",
        _ => "UTCQMMA",
    };
    let on = if c_scale_exp == 0 { row.on } else { Feature::Tcgen05ScaleD.on() };
    Form { code, on, sass }
}

/// The forms of atoms, with their CTAs. Each combination of element types has its smallest and its
/// largest tile, the former contiguous along K, the latter as far as it can be along M and N.
fn of_atoms() -> Vec<(usize, Form)> {
    let mut rows = BTreeMap::<_, Vec<_>>::new();
    let both = [Instruction::TCGEN05, Instruction::TCGEN05.pair()];
    for instruction in both.into_iter().flat_map(|one| [one, one.scaled()]) {
        for row in instruction.atoms() {
            let scale = row.scale.as_ref().map(|scale| (scale.element.name(), scale.vector));
            let key = (instruction.ctas, row.a.from == Space::Tensor, scale, row.shape[2]);
            let elements = [row.a.element, row.b.element, row.c.element].map(Element::name);
            rows.entry((key, elements)).or_default().push(row);
        }
    }
    let mut forms = Vec::new();
    for rows in rows.into_values() {
        let size = |row: &&&atoms::MmaAtom| row.shape[0] * row.shape[1];
        let small = rows.iter().min_by_key(size).expect("rows of one kind");
        let large = rows.iter().max_by_key(size).expect("rows of one kind");
        let ctas = small.instruction.ctas as usize;
        let mn = |major| if major == Major::Any { Major::Mn } else { major };
        let from_memory = large.a.from == Space::Shared;
        let majors = [if from_memory { mn(large.a_major) } else { Major::K }, mn(large.b_major)];
        forms.push((ctas, of_atom(small, [Major::K; 2], 0)));
        forms.push((ctas, of_atom(large, majors, 0)));
        if matches!(small.a.element, Element::F16 | Element::Bf16 | Element::Tf32) {
            forms.push((ctas, of_atom(small, [Major::K; 2], 3)));
        }
    }
    forms
}

/// Forms that no atom has: collectors, shifted rows, masks of lanes and of columns, and commits.
fn of_nvvm() -> Vec<(usize, Form)> {
    let mut forms = Vec::new();
    let mut push = |ctas: usize, on: Feature, sass, code: String| {
        forms.push((ctas, Form { code: code + "\n", on: on.on(), sass }));
    };
    let kinds = [
        ("f16", Feature::Tcgen05, "UTCHMMA"),
        ("tf32", Feature::Tcgen05, "UTCHMMA"),
        ("f8f6f4", Feature::Tcgen05, "UTCQMMA"),
        ("i8", Feature::Tcgen05Integer, "UTCIMMA"),
    ];
    for (kind, on, sass) in kinds {
        let kind = format!("kind = #nvvm.tcgen05_mma_kind<{kind}>");
        for ctas in [1, 2] {
            let group = format!("{kind}, ctaGroup = #nvvm.cta_group<cta_{ctas}>");
            for (a, of_a) in [("%a", "i64"), ("%ta", "!llvm.ptr<6>")] {
                for collector in ["discard", "lastuse", "fill", "use"] {
                    push(
                        ctas,
                        on,
                        sass,
                        format!(
                            "nvvm.tcgen05.mma %d, {a}, %b, %word, %add {{{group}, collectorOp = #nvvm.tcgen05_mma_collectorop<{collector}>}} : (!llvm.ptr<6>, {of_a}, i64, i32, i1)"
                        ),
                    );
                }
            }
            push(
                ctas,
                on,
                sass,
                format!(
                    "nvvm.tcgen05.mma %d, %ta, %b, %word, %add {{{group}, aShift}} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)"
                ),
            );
            let lanes = 4 * ctas;
            push(
                ctas,
                on,
                sass,
                format!(
                    "nvvm.tcgen05.mma %d, %a, %b, %word, %add mask = %lanes {{{group}}} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<{lanes}xi32>)"
                ),
            );
        }
        for buffer in ["b0", "b1", "b2", "b3"] {
            for collector in ["discard", "lastuse", "fill", "use"] {
                push(
                    1,
                    on,
                    sass,
                    format!(
                        "nvvm.tcgen05.mma.ws %d, %a, %b, %word, %add {{{kind}, collectorBBuffer = #nvvm.tcgen05_mma_collectorb<{buffer}>, collectorOp = #nvvm.tcgen05_mma_collectorop<{collector}>}} : (!llvm.ptr<6>, i64, i64, i32, i1)"
                    ),
                );
            }
        }
        push(
            1,
            on,
            sass,
            format!(
                "nvvm.tcgen05.mma.ws %d, %ta, %b, %word, %add, %b {{{kind}}} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64)"
            ),
        );
    }
    for ctas in [1, 2] {
        let group = format!("{{group = #nvvm.cta_group<cta_{ctas}>}}");
        push(ctas, Feature::Tcgen05, "UTCBAR", format!("nvvm.tcgen05.commit %bar {group} : !llvm.ptr<3>"));
        push(
            ctas,
            Feature::Tcgen05,
            "UTCBAR",
            format!("nvvm.tcgen05.commit %bar, multicast_mask = %mask {group} : !llvm.ptr<3>, i16"),
        );
    }
    forms
}

/// The forms that a target has are one instruction each.
fn are_taken(forms: &[(usize, Form)], target: Target) {
    let taken: Vec<_> =
        forms.iter().filter(|(_, form)| form.on.on(target)).map(|(ctas, form)| (*ctas, form)).collect();
    let count = |sass: &str| taken.iter().filter(|(_, form)| form.sass == sass).count();
    let commits = count("UTCBAR");
    let text = compiled(&module(taken.iter().copied()), target);
    let found = ["tcgen05.mma.", "tcgen05.commit."].map(|what| text.matches(what).count());
    assert_eq!(found, [taken.len() - commits, commits], "{target}");
    for sass in disassembled(&text, target) {
        for name in ["UTCHMMA", "UTCQMMA", "UTCOMMA", "UTCIMMA", "UTCBAR"] {
            let found = sass.lines().filter(|line| line.contains(name)).count();
            assert_eq!(found, count(name), "{name} on {target}");
        }
    }
}

/// A form that a target lacks is refused, and the message says which targets have it.
fn is_refused(ctas: usize, form: &Form, target: Target) {
    let context = Context::new();
    cute_mlir::load(&context);
    let text = module([(ctas, form)]);
    let mut module = cute_mlir::parse(&context, &text).unwrap_or_else(|e| panic!("{e}"));
    let why = match cute_mlir::lower(&context, &mut module, target) {
        Ok(()) => panic!("{target} took {}", form.code),
        Err(why) => why.to_string(),
    };
    assert!(why.contains(&format!("{target} has no ")), "{why}");
    assert!(why.contains(&format!("it needs {}", form.on)), "{why}");
}

/// All forms on one target, and a sample of those that others lack. With `CUTE_FULL` set, all forms
/// on all targets with tensor memory, and a larger sample on the others.
#[test]
fn every_form_of_umma_is_one_instruction_or_refused() {
    let full = all_of(1);
    let (atoms, spelled) = (of_atoms(), of_nvvm());
    assert_eq!((atoms.len(), spelled.len()), (391, 152));
    let forms: Vec<_> = atoms.into_iter().chain(spelled).collect();
    let targets: Vec<_> = Feature::Tcgen05.on().targets().collect();
    assert_eq!(targets.len(), 6);
    for target in if full { targets } else { vec![Target::Sm100a] } {
        are_taken(&forms, target);
    }
    // K = 96 is on these two alone.
    let wide: Vec<_> = of_atoms()
        .into_iter()
        .filter(|(_, form)| form.sass == "UTCOMMA" && !form.on.on(Target::Sm100a))
        .collect();
    assert_eq!(wide.len(), 12);
    for target in [Target::Sm103a, Target::Sm103f] {
        are_taken(&wide, target);
    }
    for target in Target::all() {
        let step = match (full, target.has(Feature::Tcgen05)) {
            (true, true) => 1,
            (true, false) => 20,
            (false, _) => 97,
        };
        let lacking = forms.iter().filter(|(_, form)| !form.on.on(*target));
        lacking.step_by(step).for_each(|(ctas, form)| is_refused(*ctas, form, *target));
    }
}
