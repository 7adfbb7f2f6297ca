//! The edges of every mnemonic that runs have a test here: a table says which one, and the text of
//! that test has to execute the mnemonic as PTX. Or a kernel of a family
//! (`crates/cute-sim/src/families/*/tests`) shows them, and says so: `// edges: MNEMONIC ..`.

use cute_ptx::mnemonics::{Support, mnemonic, mnemonics};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file of this folder, a test in it, and the mnemonics at whose edges the test looks.
type Edges = (&'static str, &'static str, &'static [&'static str]);

const EDGES: &[Edges] = &[
    (
        "asynchronous.rs",
        "elements_are_reduced",
        &[
            "cp.async.bulk.commit_group",
            "cp.async.bulk.wait_group",
            "cp.reduce.async.bulk",
            "multimem.cp.reduce.async.bulk",
        ],
    ),
    (
        "asynchronous.rs",
        "masks_select_bytes_of_each_16",
        &["cp.async.bulk.cp_mask", "multimem.cp.async.bulk"],
    ),
    ("asynchronous.rs", "sizes_and_addresses_are_multiples_of_16", &["cp.async.bulk"]),
    (
        "asynchronous.rs",
        "values_are_stored_and_added_asynchronously",
        &["red.async", "st.async", "st.async.mmio"],
    ),
    ("atomics.rs", "floats_are_added", &["red"]),
    ("atomics.rs", "one_copy_is_all_copies", &["multimem.ld_reduce", "multimem.red", "multimem.st"]),
    ("atomics.rs", "wide_and_narrow_numbers_are_updated", &["atom", "atom.cas", "atom.exch"]),
    ("barriers.rs", "arrivals_do_not_wait", &["bar.arrive", "bar.sync", "barrier.arrive", "barrier.sync"]),
    (
        "barriers.rs",
        "copies_are_complete_after_their_wait",
        &[
            "cp.async",
            "cp.async.commit_group",
            "cp.async.mbarrier.arrive",
            "cp.async.wait_all",
            "cp.async.wait_group",
        ],
    ),
    ("barriers.rs", "counts_and_uses_of_barriers_are_checked", &["mbarrier.inval", "mbarrier.try_wait"]),
    (
        "barriers.rs",
        "phases_end_when_nothing_is_pending",
        &[
            "mbarrier.arrive",
            "mbarrier.arrive_drop",
            "mbarrier.complete_tx",
            "mbarrier.expect_tx",
            "mbarrier.init",
            "mbarrier.pending_count",
            "mbarrier.test_wait",
        ],
    ),
    ("barriers.rs", "predicates_are_combined_by_all_threads", &["bar.red", "barrier.red"]),
    ("boxes.rs", "boxes_end_with_the_tensor", &["cp.async.bulk.tensor"]),
    ("boxes.rs", "elements_of_boxes_are_reduced", &["cp.reduce.async.bulk.tensor"]),
    ("boxes.rs", "fields_of_maps_are_replaced", &["tensormap.replace"]),
    ("boxes.rs", "maps_are_copied_with_a_fence", &["tensormap.cp_fenceproxy"]),
    ("caches.rs", "a_line_is_given_up", &["discard"]),
    ("caches.rs", "lines_are_kept", &["applypriority", "prefetch", "prefetchu"]),
    ("caches.rs", "loads_may_be_cached", &["ldu"]),
    (
        "caches.rs",
        "policies_change_nothing",
        &["createpolicy.cvt", "createpolicy.fractional", "createpolicy.range"],
    ),
    ("calls.rs", "branches_go_to_their_labels", &["bra"]),
    ("calls.rs", "calls_nest_up_to_a_limit", &["call", "ret"]),
    ("calls.rs", "indices_choose_labels", &["brx.idx"]),
    ("clusters.rs", "addresses_name_blocks", &["getctarank", "mapa"]),
    ("clusters.rs", "all_threads_of_the_cluster_meet", &["barrier.cluster.arrive", "barrier.cluster.wait"]),
    ("clusters.rs", "barriers_are_initialised_for_the_cluster", &["fence.mbarrier_init"]),
    ("comparisons.rs", "classes_of_floats", &["testp"]),
    ("comparisons.rs", "numbers_from_comparisons", &["set"]),
    ("comparisons.rs", "selections", &["selp", "slct"]),
    ("comparisons.rs", "two_predicates", &["setp"]),
    (
        "control.rs",
        "prefetches_change_nothing",
        &[
            "cp.async.bulk.prefetch",
            "cp.async.bulk.prefetch.tensor",
            "cp.async.bulk.prefetch.tensor.im2col",
            "cp.async.bulk.prefetch.tensor.im2col::w",
            "cp.async.bulk.prefetch.tensor.im2col::w::128",
            "griddepcontrol",
            "nanosleep",
        ],
    ),
    ("control.rs", "registers_are_released_and_taken", &["setmaxnreg"]),
    (
        "control.rs",
        "requests_for_clusters_are_refused",
        &["clusterlaunchcontrol.query_cancel", "clusterlaunchcontrol.try_cancel"],
    ),
    ("control.rs", "shared_memory_is_cleared", &["st.bulk"]),
    ("control.rs", "threads_end_alone", &["brkpt", "exit", "trap"]),
    ("conversions.rs", "between_integers", &["cvt.pack"]),
    ("conversions.rs", "to_integers", &["cvt"]),
    ("floats.rs", "approximations_at_the_edges", &["cos", "ex2", "lg2", "rsqrt", "sin", "tanh"]),
    ("floats.rs", "modifiers", &["copysign"]),
    ("floats.rs", "roundings", &["fma", "rcp", "sqrt"]),
    ("im2col.rs", "columns_end_with_the_images", &["cp.async.bulk.tensor.im2col"]),
    (
        "im2col.rs",
        "columns_are_stored_and_reduced",
        &["cp.async.bulk.tensor.im2col_no_offs", "cp.reduce.async.bulk.tensor.im2col_no_offs"],
    ),
    ("integers.rs", "bits_are_shifted_combined_and_permuted", &["lop3", "prmt", "shf"]),
    ("integers.rs", "bytes_are_computed_apart", &["add.sat", "max", "min"]),
    ("integers.rs", "carries_go_from_word_to_word", &["add.cc", "addc", "mad.cc", "madc", "sub.cc", "subc"]),
    ("integers.rs", "dot_products", &["dp2a", "dp4a"]),
    (
        "integers.rs",
        "fields_of_bits",
        &["bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "fns", "popc", "szext"],
    ),
    ("integers.rs", "pairs_are_computed_apart", &["add", "sub"]),
    (
        "integers.rs",
        "products_and_distances",
        &["abs", "mad", "mad24", "mul", "mul24", "neg", "sad", "sub.sat"],
    ),
    ("integers.rs", "quotients_and_logic", &["and", "div", "not", "or", "rem", "xor"]),
    ("integers.rs", "shifts_are_clamped", &["shl", "shr"]),
    ("lanes.rs", "a_warp_meets_at_its_barrier", &["bar.warp.sync"]),
    ("lanes.rs", "active_lanes_are_those_that_are_here", &["activemask"]),
    ("lanes.rs", "integers_are_reduced", &["redux.sync"]),
    ("lanes.rs", "one_lane_of_the_mask_is_elected", &["elect.sync"]),
    ("lanes.rs", "shuffles_stay_in_their_segments", &["shfl.sync"]),
    ("lanes.rs", "values_are_matched_within_the_mask", &["match.sync"]),
    ("lanes.rs", "votes_count_the_lanes_of_their_mask", &["vote.sync"]),
    ("matrices.rs", "matrices_are_loaded", &["ldmatrix"]),
    ("matrices.rs", "matrices_are_stored", &["stmatrix"]),
    ("matrices.rs", "matrices_are_turned_in_registers", &["movmatrix"]),
    ("memory.rs", "accesses_have_bounds_and_alignments", &["ld", "st"]),
    ("memory.rs", "addresses_are_cast", &["cvta"]),
    ("memory.rs", "fences_change_no_value", &["fence", "fence.proxy", "membar"]),
    ("memory.rs", "parameters_are_a_space", &["isspacep"]),
    ("moves.rs", "numbers_are_moved", &["mov"]),
    ("products.rs", "floats_are_multiplied", &["mma"]),
    ("products.rs", "products_are_scaled", &["mma.block_scale"]),
    ("stack.rs", "memory_is_allocated_and_freed_from_the_end", &["alloca", "stackrestore", "stacksave"]),
    ("tensor.rs", "accesses_of_tensor_memory_are_checked", &["tcgen05.wait::ld", "tcgen05.wait::st"]),
    ("tensor.rs", "blocks_are_scaled", &["tcgen05.mma.block_scale"]),
    (
        "tensor.rs",
        "columns_are_allocated",
        &["tcgen05.alloc", "tcgen05.dealloc", "tcgen05.relinquish_alloc_permit"],
    ),
    ("tensor.rs", "commits_signal_barriers", &["tcgen05.commit"]),
    (
        "tensor.rs",
        "fences_order_tensor_memory",
        &["tcgen05.fence::after_thread_sync", "tcgen05.fence::before_thread_sync"],
    ),
    ("tensor.rs", "loads_are_reduced", &["tcgen05.ld.red"]),
    ("tensor.rs", "rows_are_copied_to_lanes", &["tcgen05.cp"]),
    ("tensor.rs", "shapes_are_loaded", &["tcgen05.ld"]),
    ("tensor.rs", "shapes_are_stored", &["tcgen05.st"]),
    ("tensor.rs", "tiles_are_multiplied", &["tcgen05.mma"]),
    ("tensor.rs", "weights_are_multiplied", &["tcgen05.mma.ws"]),
    ("warpgroups.rs", "a_warpgroup_multiplies", &["wgmma.mma_async"]),
    ("warpgroups.rs", "groups_are_waited_for", &["wgmma.commit_group", "wgmma.wait_group"]),
    ("warpgroups.rs", "products_begin_with_a_fence", &["wgmma.fence"]),
    ("warps.rs", "special_registers", &["pmevent"]),
    ("wmma.rs", "matrices_end_with_their_memory", &["wmma.load", "wmma.store"]),
    ("wmma.rs", "sums_in_f64_are_rounded", &["wmma.mma"]),
];

/// Instructions whose names are whole without a type.
const BARE: [&str; 6] = ["bra", "brkpt", "call", "exit", "ret", "trap"];

/// The opcodes at the beginning of the statements of a text, in strings of Rust, too.
fn opcodes(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '{', '}', '\n', '"']).filter_map(|statement| {
        // Labels and guards stand before it.
        let mut words = statement.split_whitespace();
        let word = words.find(|word| !word.ends_with(':') && !word.starts_with('@'))?;
        let is_opcode = word.starts_with(|c: char| c.is_ascii_lowercase());
        let is_opcode = is_opcode && (word.contains('.') || BARE.contains(&word));
        (is_opcode && word.chars().all(|c| c.is_ascii_alphanumeric() || "._:".contains(c))).then_some(word)
    })
}

/// The mnemonics that a text executes.
fn executed(text: &str) -> BTreeSet<&'static str> {
    let runs = |opcode: &str| match mnemonic(opcode) {
        Some((mnemonic, Support::Runs)) => Some(mnemonic),
        _ => None,
    };
    opcodes(text).filter_map(runs).collect()
}

/// The mnemonics whose edges kernels of families show.
fn shown_by_families() -> BTreeSet<&'static str> {
    let families = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cute-sim/src/families");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut shown = BTreeSet::new();
    for kernel in entries(&families).iter().flat_map(|family| entries(&family.join("tests"))) {
        let text = std::fs::read_to_string(&kernel).expect("a kernel");
        let said = text.lines().find_map(|line| line.strip_prefix("// edges: ")).unwrap_or_default();
        let executed = executed(&text);
        for name in said.split_whitespace() {
            let mnemonic = executed.get(name);
            shown.insert(*mnemonic.unwrap_or_else(|| panic!("{} executes no `{name}`", kernel.display())));
        }
    }
    shown
}

/// The text of a test in a file.
fn body<'f>(file: &'f str, test: &str) -> Option<&'f str> {
    let (_, rest) = file.split_once(&format!("#[test]\nfn {test}() {{\n"))?;
    rest.split("\n}\n").next()
}

#[test]
fn opcodes_begin_statements() {
    let found: Vec<&str> =
        opcodes("{ .reg .b32 r; add.u32 r, r, 1;\n@!p bra L; L: exit; } let x = a.b;").collect();
    assert_eq!(found, ["add.u32", "bra", "exit"]);
    let file = "fn a() {\n    x\n}\n#[test]\nfn b() {\n    y\n}\n";
    assert_eq!((body(file, "a"), body(file, "b")), (None, Some("    y")));
}

#[test]
fn the_edges_of_every_mnemonic_that_runs_are_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/isa");
    let mut tested: BTreeMap<&str, &str> = BTreeMap::new();
    for (file, test, mnemonics) in EDGES {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let body = body(&text, test).unwrap_or_else(|| panic!("{file} has no test `{test}`"));
        let executed = executed(body);
        for mnemonic in *mnemonics {
            assert!(executed.contains(mnemonic), "`{test}` of {file} executes no `{mnemonic}`");
            let other = tested.insert(mnemonic, test);
            assert!(other.is_none(), "`{mnemonic}` is listed for `{test}` and {other:?}");
        }
    }
    tested.extend(shown_by_families().into_iter().map(|mnemonic| (mnemonic, "a kernel of its family")));
    let runs = mnemonics().filter(|(_, support)| *support == Support::Runs);
    let runs: BTreeSet<&str> = runs.map(|(mnemonic, _)| mnemonic).collect();
    let missing: Vec<&&str> = runs.iter().filter(|name| !tested.contains_key(**name)).collect();
    assert!(missing.is_empty(), "no test of edges is listed for {missing:?}");
    let unknown: Vec<&&str> = tested.keys().filter(|name| !runs.contains(**name)).collect();
    assert!(unknown.is_empty(), "these do not run: {unknown:?}");
}
