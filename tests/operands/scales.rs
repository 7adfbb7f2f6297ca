//! Scale factors: SFA and SFB exchanged on their way, an atom whose state names others than the
//! operands, and registers that two factors share.

use cute_kernels::gemm::{sm100, sm120, types::Types};
use melior::ir::Module;

use super::{breaks, context, kernel, report};

/// Checks that a module is accepted, and is refused for a reason after a change of its text.
#[track_caller]
fn refused(what: &str, module: &Module<'_>, change: impl Fn(&str) -> String, why: &str) {
    let text = module.as_operation().to_string();
    assert_eq!(report(&text), "", "{what}");
    let changed = change(&text);
    assert_ne!(text, changed, "{what}");
    let found = report(&changed);
    assert!(found.contains(why), "{what} is not refused by `{why}`:\n{found}");
}

/// The gemms with SFA and SFB exchanged.
fn exchanged_operands(text: &str) -> String {
    let line = |line: &str| {
        let (Some((before, rest)), true) = (line.split_once("cute.gemm("), line.contains("cute.gemm("))
        else {
            return line.to_owned();
        };
        let (operands, types) = rest.split_once(") : ").expect("a gemm");
        let mut operands: Vec<_> = operands.split(", ").collect();
        if operands.len() == 7 {
            operands.swap(3, 5);
        }
        format!("{before}cute.gemm({}) : {types}", operands.join(", "))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The coordinates of the tiles of both matrices of factors, exchanged.
fn exchanged_loads(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let cut =
        |line: &String| line.contains("cute.local_tile(") && line.contains("!cute.coord<\"(0,0,?,_)\">");
    let places: Vec<_> = (0..lines.len()).filter(|i| cut(&lines[*i])).collect();
    let [a, b] = places[..] else { panic!("two tiles of factors, found {places:?}") };
    let at = |line: &str| {
        line.split(", ").nth(2).and_then(|at| at.split(')').next()).expect("a coordinate").to_owned()
    };
    let of = |line: &str| {
        let name = at(line);
        let made =
            text.lines().find(|line| line.trim_start().starts_with(&format!("{name} = cute.make_coord(")));
        let made = made.expect("the coordinate is made");
        made.split_once("make_coord(")
            .and_then(|(_, rest)| rest.split_once(')'))
            .expect("an operand")
            .0
            .to_owned()
    };
    let [row, column] = [a, b].map(|i| of(&lines[i]));
    let defines =
        |line: &str, name: &str| line.trim_start().starts_with(&format!("{name} = cute.make_coord("));
    let [at_a, at_b] = [a, b].map(|i| at(&lines[i]));
    for line in &mut lines {
        if defines(line, &at_a) {
            *line = line.replace(&format!("make_coord({row})"), &format!("make_coord({column})"));
        } else if defines(line, &at_b) {
            *line = line.replace(&format!("make_coord({column})"), &format!("make_coord({row})"));
        }
    }
    lines.join("\n")
}

const SFA: &str =
    "'cute.gemm' op SFA is given the scale factors of B, which are loaded at the coordinate of B's tile";
const SFB: &str =
    "'cute.gemm' op SFB is given the scale factors of A, which are loaded at the coordinate of A's tile";
const STATE: &str =
    "'cute.gemm' op SFA contradicts sf_a in the state of the atom, which names the factors that SFB is given";

#[test]
fn factors_in_tensor_memory() {
    for name in ["blackwell/mxf8.mlir", "blackwell/nvf4.mlir"] {
        let text = exchanged_operands(&kernel(name));
        let (found, fix) = (report(&text), "exchange SFA and SFB, or what fills them");
        assert!(found.contains(&format!("{SFA}: {fix}")), "{name}:\n{found}");
    }
    let name = "blackwell/mxf8.mlir";
    breaks(name, &[("%at_53 = cute.make_coord(%m)", "%at_53 = cute.make_coord(%n)")], SFA);
    breaks(name, &[("%at_61 = cute.make_coord(%n)", "%at_61 = cute.make_coord(%m)")], SFB);
    breaks(
        name,
        &[
            ("%from = cute.slice(%SFA_38,", "%from = cute.slice(%SFB_48,"),
            ("slice(%SFB_48, %at_113", "slice(%SFA_38, %at_113"),
        ],
        &format!("{SFA}: exchange SFA and SFB, or what fills them"),
    );
    breaks(
        name,
        &[(
            "cute.make_atom(%no, %no, %no, %factors, %factors_51)",
            "cute.make_atom(%no, %no, %no, %factors_51, %factors)",
        )],
        STATE,
    );
    let name = "blackwell/nvf4.mlir";
    breaks(name, &[("%at_46 = cute.make_coord(%n)", "%at_46 = cute.make_coord(%own)")], SFB);
    breaks(
        name,
        &[(
            "cute.make_atom(%no, %no, %no, %factors, %factors_40)",
            "cute.make_atom(%no, %no, %no, %factors_40, %factors)",
        )],
        STATE,
    );
}

#[test]
fn factors_in_tensor_memory_of_other_types() {
    let context = context();
    for types in [Types::Mxf8, Types::Mxf4, Types::Nvf4] {
        let kernel = sm100::GemmSm100 { types, ..Default::default() };
        let module = kernel.build(&context).unwrap_or_else(|e| panic!("{e}"));
        refused(&format!("gemm_sm100 {types:?}"), &module, exchanged_loads, SFA);
    }
}

#[test]
fn factors_in_registers() {
    let context = context();
    for types in [Types::Mxf8, Types::Mxf4, Types::Nvf4] {
        let kernel = sm120::GemmSm120 { types, ..Default::default() };
        let module = kernel.build(&context).unwrap_or_else(|e| panic!("{e}"));
        refused(&format!("gemm_sm120 {types:?}"), &module, exchanged_loads, SFA);
    }
    let name = "geforce/nvf4.mlir";
    breaks(name, &[("%at_18 = cute.make_coord(%m)", "%at_18 = cute.make_coord(%n)")], SFA);
    breaks(name, &[("%at_26 = cute.make_coord(%n)", "%at_26 = cute.make_coord(%m)")], SFB);
}
