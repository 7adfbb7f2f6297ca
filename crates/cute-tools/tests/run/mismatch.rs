//! Kernels of the examples that differ from a right one by one swizzle, or by one extent of an
//! allocation. The compiler refuses each. If it cannot see the host's tensor map, or where a view
//! begins, the simulator finds the mistake.

use super::run_in;

const TRANSPOSE: &str = include_str!("../../../../examples/tma/transpose.mlir");
const GEMM: &str = include_str!("../../../../examples/tma/gemm.mlir");
const WGMMA: &str = include_str!("../../../../examples/hopper/wgmma.mlir");
const CLUSTERS: &str = include_str!("../../../../examples/hopper/persistent_cluster.mlir");
const UMMA: &str = include_str!("../../../../examples/blackwell/umma.mlir");

/// A kernel, its target, and the arguments of its host function.
type Example = (&'static str, &'static str, &'static str);

const OF_TRANSPOSE: &str = "--arg A:f16[64x64]=random(7) --arg B:f16[64x64]";
const OF_GEMM: &str = "--arg A:f16[64x64]=random(1) --arg B:f16[128x64]=random(2) --arg C:f32[64x128]";
const HOPPER: Example = (WGMMA, "sm_90a", OF_GEMM);
const CLUSTER: Example =
    (CLUSTERS, "sm_90a", "--arg A:f16[128x64]=random(1) --arg B:f16[128x64]=random(2) --arg C:f32[128x128]");
const BLACKWELL: Example =
    (UMMA, "sm_100a", "--arg A:f16[128x320]=random(1) --arg B:f16[128x320]=random(2) --arg C:f32[128x128]");
const GEFORCE: Example = (TRANSPOSE, "sm_120a", OF_TRANSPOSE);
const GEFORCE_GEMM: Example =
    (GEMM, "sm_120a", "--arg A:f16[64x320]=random(1) --arg B:f16[64x320]=random(2) --arg C:f32[64x64]");

/// Whether a host function shows the compiler which tensor maps it passes.
#[derive(Clone, Copy, PartialEq)]
enum Host {
    Seen,
    Hidden,
}

/// The text with one tensor map made from a tile without a swizzle. The map is that of the atom
/// with this name.
fn with_plain_tile(text: &str, atom: &str, host: Host) -> String {
    let made = format!("    %{atom}, ");
    let line = text.lines().find(|line| line.starts_with(&made)).expect("the host makes the atom");
    let (_, operands) = line.split_once('(').unwrap();
    let tile = operands.split(", ").nth(1).unwrap().trim_start_matches('%');
    let (_, types) = line.rsplit_once("(!").unwrap().0.rsplit_once(" : (").unwrap();
    let of_tile = types.split(", ").nth(1).unwrap();
    let declared = text.lines().find(|l| l.starts_with(&format!("{of_tile} = "))).unwrap();
    let layout = declared.split(" o 0 o ").nth(1).unwrap();
    let plain =
        line.replacen(&format!("%{tile},"), "%plain,", 1).replacen(&format!("{of_tile},"), "!plain,", 1);
    let (_, result) = line.rsplit_once("-> (").unwrap();
    let of_atom = result.split(", ").next().unwrap();
    let hidden = format!(
        "{}
    %always = arith.constant 0 : index
    %{atom} = scf.index_switch %always -> {of_atom}
    case 1 {{
      scf.yield %seen : {of_atom}
    }}
    default {{
      scf.yield %seen : {of_atom}
    }}",
        plain.replacen(&made, "    %seen, ", 1)
    );
    let made = if host == Host::Seen { plain } else { hidden };
    let made = format!("    %plain = cute.static : !plain\n{made}");
    format!("!plain = !cute.layout<\"{layout}\n") + &text.replace(line, &made)
}

fn run((_, target, arguments): Example, text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = run_in(&folder, text, &format!("--host --target {target} {arguments}"));
    (code, out + &err)
}

/// Loads, multicast loads and stores.
#[test]
fn one_map_with_another_swizzle_is_refused_and_found() {
    for (example, atom, does) in [
        (HOPPER, "load_A", "loads into"),
        (HOPPER, "load_B", "loads into"),
        (HOPPER, "store_C", "stores from"),
        (CLUSTER, "load_B", "loads into"),
        (BLACKWELL, "load_A", "loads into"),
        (BLACKWELL, "load_B", "loads into"),
        (BLACKWELL, "store_C", "stores from"),
        (GEFORCE, "load", "loads into"),
        (GEFORCE, "store", "stores from"),
        (GEFORCE_GEMM, "load_A", "loads into"),
    ] {
        let (code, said) = run(example, &with_plain_tile(example.0, atom, Host::Seen));
        let refused = format!(
            "'cute.copy' op {does} shared memory with the swizzle S<3,4,3>, but its tensor map has no swizzle: "
        );
        assert_eq!(code, Some(1), "{atom}: {said}");
        assert!(
            said.contains(&refused) && said.contains("note: the tensor map is made here"),
            "{atom}: {said}"
        );
        let (code, said) = run(example, &with_plain_tile(example.0, atom, Host::Hidden));
        let found = "the tensor map has no swizzle, but the kernel accesses this shared memory with the swizzle S<3,4,3>: ";
        assert_eq!(code, Some(1), "{atom}: {said}");
        assert!(said.contains(found) && !said.contains("'cute.copy' op"), "{atom}: {said}");
    }
}

/// The text with the memory of one pointer allocated for a layout. If the view of the pointer is
/// hidden, the compiler does not know where it begins.
fn with_allocation(text: &str, pointer: &str, layout: &str, host: Host) -> String {
    let made = format!("      %{pointer} = cute.recast_iter(");
    let line = text.lines().find(|line| line.starts_with(&made)).expect("the kernel makes the pointer");
    let (_, of_pointer) = line.split_once(" to ").unwrap();
    let inner = of_pointer.strip_prefix("!cute.ptr<").unwrap().strip_suffix('>').unwrap();
    let memory = format!("!cute.memref<{inner}, \"{layout}\">");
    let alloc = format!("      %own = cute.memref.alloc_smem() : {memory}\n");
    let begin = match host {
        Host::Seen => format!("      %{pointer} = cute.get_iter(%own) : {memory}"),
        Host::Hidden => format!(
            "      %begin = cute.get_iter(%own) : {memory}
      %always = arith.constant 0 : index
      %{pointer} = scf.index_switch %always -> {of_pointer}
      case 1 {{
        scf.yield %begin : {of_pointer}
      }}
      default {{
        scf.yield %begin : {of_pointer}
      }}"
        ),
    };
    text.replace(line, &(alloc + &begin))
}

#[test]
fn one_allocation_that_is_too_small_is_refused_and_found() {
    for (example, pointer, right, wrong) in [
        (HOPPER, "ptr_A", Some("(64,64):(64,1)"), "(64,32):(64,1)"),
        (HOPPER, "ptr_B", Some("(128,64):(64,1)"), "(64,64):(64,1)"),
        (HOPPER, "ptr_C", Some("(64,(32,4)):(32,(1,2048))"), "(64,(32,3)):(32,(1,2048))"),
        // The memory of all stages would be more than a kernel may declare.
        (BLACKWELL, "ptr_A", None, "(128,64,1):(64,1,8192)"),
        (BLACKWELL, "ptr_B", None, "(128,64,2):(64,1,8192)"),
        (BLACKWELL, "ptr_C", None, "(128,(32,2)):(32,(1,4096))"),
        (GEFORCE_GEMM, "ptr_A", None, "(64,64,1):(64,1,4096)"),
        (GEFORCE_GEMM, "ptr_B", None, "(64,64,2):(64,1,4096)"),
        (GEFORCE_GEMM, "ptr_C", Some("(64,(32,2)):(32,(1,2048))"), "(64,32):(32,1)"),
    ] {
        let name = format!("{pointer} {wrong} for {}", example.1);
        if let Some(right) = right {
            let (code, said) = run(example, &with_allocation(example.0, pointer, right, Host::Seen));
            assert_eq!(code, Some(0), "{name}: {said}");
        }
        let (code, said) = run(example, &with_allocation(example.0, pointer, wrong, Host::Seen));
        assert_eq!(code, Some(1), "{name}: {said}");
        let refused = "'cute.make_view' op leaves its allocation: the layout reaches ";
        assert!(said.contains(refused), "{name}: {said}");
        let (code, said) = run(example, &with_allocation(example.0, pointer, wrong, Host::Hidden));
        assert_eq!(code, Some(1), "{name}: {said}");
        assert!(!said.contains(refused) && said.contains(" of shared memory @"), "{name}: {said}");
    }
}
