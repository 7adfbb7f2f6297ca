//! The byte form of host programs, which is read and run here without MLIR.

use cute_arch::tensor_map::{MapElement, MapMode, TensorMap};
use cute_host::{
    ArgumentLeaf, Program,
    arithmetic::BinaryOp,
    attribute::LaunchAttribute,
    interpret,
    program::{Expr, Kernel, Step, StepSource},
    types::Type,
};
use cute_machine::{
    bytes::{FormVersion, NotAProgram},
    int::{IntOp, NoWrap},
    place::{SourceFile, SourcePoint},
};

fn site(op: &str) -> StepSource {
    StepSource { op: op.into(), location: SourcePoint::new(SourceFile::of("host.mlir"), 1, Some(1)).into() }
}

/// Launches one kernel with `(x + 127) / 128` blocks and a descriptor of x elements.
fn program() -> Program {
    let define = |result, what| Step::Let { result, what, site: site("arith") };
    let int = |op, a, b| Expr::Binary(BinaryOp::Int(op, NoWrap::default()), a, b);
    let mode = MapMode { extent: 0, stride: 0, boxed: 128, step: 1 };
    let of = TensorMap::new(MapElement::F32, 0, vec![mode]);
    let body = vec![
        define(3, Expr::Constant(127)),
        define(4, Expr::Constant(128)),
        define(5, int(IntOp::Add, 1, 3)),
        define(6, int(IntOp::DivU, 5, 4)),
        define(7, Expr::Constant(1)),
        define(8, Expr::Constant(0)),
        define(11, Expr::Constant(4)),
        Step::Map {
            result: 9,
            of: of.into(),
            address: 0,
            extents: vec![1],
            strides: vec![11],
            site: site("map"),
        },
        Step::Configure {
            config: 0,
            grid: [6, 7, 7],
            block: [4, 7, 7],
            shared: 8,
            stream: 2,
            site: site("configure"),
        },
        Step::Set { config: 0, attribute: LaunchAttribute::Cluster([7, 7, 7]), site: site("set") },
        Step::Launch { config: 0, kernel: 0, arguments: vec![9, 1], result: 10, site: site("launch") },
        Step::ReturnIfError { code: 10, site: site("check") },
        Step::Return { code: None, site: site("return") },
    ];
    let int = Type::Int(64);
    let mut types = vec![int; 12];
    for (id, t) in [(0, Type::Address), (2, Type::Stream), (9, Type::TensorMap), (10, Type::Status)] {
        types[id] = t;
    }
    let kernel = Kernel { name: "copy".into(), opts_in_shared_memory: true, allows_large_clusters: false };
    Program { name: "host".into(), parameters: 3, types, configs: vec![1], kernels: vec![kernel], body }
}

#[test]
fn bytes_are_the_program_and_run() {
    let (written, bytes) = (program(), program().to_bytes());
    let read = Program::from_bytes(&bytes).expect("a program");
    assert_eq!(read, written);
    let (launches, code) = interpret(&read, &[4096, 1000, 0]).expect("a run");
    let [launch] = launches.as_slice() else { panic!("one launch") };
    assert_eq!((code, launch.grid, launch.block, launch.cluster), (0, [8, 1, 1], [128, 1, 1], Some([1; 3])));
    assert_eq!(launch.arguments[1], ArgumentLeaf::Number(Type::Int(64), 1000));
    let ArgumentLeaf::Map(map, _) = &launch.arguments[0] else { panic!("a descriptor") };
    assert_eq!((map.address, map.modes[0].extent), (4096, 1000));
}

#[test]
fn damaged_and_foreign_bytes_are_errors() {
    let whole = program().to_bytes();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x80;
        let expected = match (at, Program::from_bytes(&changed).unwrap_err()) {
            (0..8, NotAProgram::Foreign { length, .. }) => length == whole.len(),
            (8..12, NotAProgram::Version { found, read }) => found != read && read == FormVersion::OWN,
            (12.., NotAProgram::Damaged(_)) => true,
            _ => false,
        };
        assert!(expected, "byte {at}");
        assert!(Program::from_bytes(&whole[..at]).is_err(), "{at} bytes");
    }
    assert!(Program::from_bytes(&[&whole[..], &[0]].concat()).is_err());
    let kernels = [b"cuteprog", &whole[8..]].concat();
    let why = Program::from_bytes(&kernels).unwrap_err().to_string();
    assert!(why.ends_with("are not a program: they do not begin with `cutehost`"), "{why}");
}
