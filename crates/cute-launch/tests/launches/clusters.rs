//! Preferred clusters: a launch runs with either size.

use super::{file, finding, is_silent, launch, outcome};

/// A launch of 2 blocks with clusters.
fn clustered(kernel: &str, clusters: &str) -> String {
    launch(kernel, "s").replace("\"grid\": [2]", &format!("\"grid\": [2], {clusters}"))
}

#[test]
fn a_mistake_in_a_preferred_cluster_is_found() {
    let least = r#""cluster": [1]"#;
    let both = r#""cluster": [1], "preferred_cluster": [2]"#;
    // The kernel stores beyond X in a cluster of two.
    is_silent(&[clustered("rank", least)]);
    let found = finding(&[clustered("rank", both)]);
    assert!(found.ends_with("4 bytes at byte 1016 of buffer X, which has 512 bytes"), "{found}");
    is_silent(&[clustered("write", both)]);
}

#[test]
fn both_runs_are_reported() {
    let both = r#""cluster": [1], "preferred_cluster": [2]"#;
    let outcome = outcome(&file(&[clustered("write", both)])).unwrap();
    let shown = outcome.reports.to_string();
    assert!(shown.contains("cluster [1, 1, 1], preferred cluster [2, 1, 1], stream s\n"), "{shown}");
    assert!(shown.ends_with("\nrun under the schedules lazy, eager\n"), "{shown}");
}

#[test]
fn a_preferred_cluster_has_whole_clusters_and_divides_the_grid() {
    for (clusters, why) in [
        (
            r#""cluster": [2], "preferred_cluster": [3]"#,
            "operations[0]: kernel 'write': its preferred cluster is [3, 1, 1], but must be a multiple of its cluster [2, 1, 1] along x \
             and y, and the same along z",
        ),
        (
            r#""cluster": [1], "preferred_cluster": [4]"#,
            "operations[0]: kernel 'write': its preferred clusters [4, 1, 1] do not divide its grid [2, 1, 1]",
        ),
    ] {
        let found = outcome(&file(&[clustered("write", clusters)])).expect_err("the cluster does not fit");
        assert_eq!(found.to_string(), why);
    }
}
