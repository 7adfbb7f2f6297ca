//! Graphs: their nodes are ordered by their dependencies, and with the stream that launches them.

use super::{early, file, finding, is_silent, launch, outcome};

/// A node with an operation and fields.
fn node(name: &str, operation: &str, fields: &str) -> String {
    let operation = operation.replace(", \"stream\": \"s\"", "");
    let rest = operation.strip_prefix('{').and_then(|text| text.strip_suffix('}')).expect("an object");
    format!("{{\"node\": \"{name}\", {rest}{fields}}}")
}

fn graph(nodes: &[String]) -> String {
    format!("{{\"graph\": [{}], \"stream\": \"s\"}}", nodes.join(",\n"))
}

fn write() -> String {
    node("a", &launch("write", "s"), "")
}

fn copy(fields: &str) -> String {
    node("b", &launch("copy", "s"), fields)
}

#[test]
fn a_node_follows_those_that_it_depends_on() {
    let found = finding(&[graph(&[write(), copy("")])]);
    assert!(
        found.starts_with("k.ptx:29: `ld.global.u32` in block (0, 0, 0)")
            && found.ends_with(
                "nothing orders it with the write by thread (0, 0, 0) of block (0, 0, 0), `st.global.u32` (k.ptx:15), of launch 1 \
                 (`write`) in node a, on which node b does not depend: let one of the two depend on the other"
            ),
        "{found}"
    );
    is_silent(&[graph(&[write(), copy(r#", "after": ["a"]"#)])]);
    // The order of the list is not that of the nodes.
    is_silent(&[graph(&[copy(r#", "after": ["a"]"#), write()])]);
    let middle = node("c", r#"{"set": "G"}"#, r#", "after": ["a"]"#);
    is_silent(&[graph(&[write(), middle.clone(), copy(r#", "after": ["c"]"#)])]);
    finding(&[graph(&[write(), middle, copy("")])]);
}

#[test]
fn a_graph_is_one_operation_of_its_stream() {
    let one = graph(&[write()]);
    is_silent(&[&one, &launch("copy", "s")]);
    is_silent(&[&launch("copy", "s"), &one]);
    let found = finding(&[&one, &launch("copy", "t")]);
    assert!(
        found.ends_with(
            "of launch 1 (`write`) in stream s, node a, for which stream t has not waited: let it wait for an event that stream s \
             records afterwards, or synchronise the host in between"
        ),
        "{found}"
    );
    finding(&[&launch("copy", "t"), &one]);
    is_silent(&[
        &one,
        r#"{"record": "e", "stream": "s"}"#,
        r#"{"wait": "e", "stream": "t"}"#,
        &launch("copy", "t"),
    ]);
    is_silent(&[&one, r#"{"synchronize": "s"}"#, &launch("copy", "t")]);
    // All of it follows the launch before, and ends before the next one.
    is_silent(&[&one, &one, &launch("copy", "s"), &one]);
    finding(&[&one, &early("copy", "t")]);
}

#[test]
fn a_graph_with_a_name_is_launched_again_and_again() {
    let text = |nodes: &str| {
        let graph = r#"{"graph": "g", "stream": "s"}"#;
        file(&[graph, graph, &launch("copy", "s")]).replacen(
            '{',
            &format!("{{\"graphs\": {{\"g\": [{nodes}]}},\n"),
            1,
        )
    };
    let run = outcome(&text(&[write(), copy(r#", "after": ["a"]"#)].join(", "))).unwrap();
    assert_eq!(run.reports.findings(), None, "{}", run.reports);
    let shown = run.reports.to_string();
    assert!(
        shown.contains("launch 4: copy with grid [2, 1, 1], block [64, 1, 1], stream s, node b\n"),
        "{shown}"
    );
    let why = outcome(&text(&copy(r#", "after": ["x"]"#))).expect_err("there is no such node");
    assert_eq!(why.to_string(), "graphs.g[0].after: there is no node 'x'; the nodes are b");
}

/// Nodes use memory of the host when they run, not when the graph is launched.
#[test]
fn the_host_waits_for_a_graph() {
    let copied =
        |to: &str| node("b", &format!(r#"{{"copy": {{"from": "X", "to": "{to}"}}}}"#), r#", "after": ["a"]"#);
    for memory in ["P", "G"] {
        let one = graph(&[write(), copied(memory)]);
        let host = format!(r#"{{"host": "reads", "array": "{memory}"}}"#);
        let found = finding(&[&one, &host]);
        assert!(found.contains("in stream s, node b, for which the host has not waited"), "{found}");
        is_silent(&[&one, r#"{"synchronize": "s"}"#, &host]);
        // A function of the host that is a node, or that a stream calls.
        let called = |after: &str| node("h", &host, after);
        is_silent(&[graph(&[write(), copied(memory), called(r#", "after": ["b"]"#)])]);
        finding(&[graph(&[write(), copied(memory), called(r#", "after": ["a"]"#)])]);
        is_silent(&[&one, &host.replace('}', r#", "stream": "s"}"#)]);
        finding(&[&one, &host.replace('}', r#", "stream": "t"}"#)]);
    }
}

#[test]
fn a_node_may_follow_the_trigger_of_another() {
    let first = node("a", &launch("write_early", "s"), "");
    let after = |kernel: &str| node("b", &launch(kernel, "s"), r#", "after_trigger": ["a"]"#);
    let found = finding(&[graph(&[first.clone(), after("copy")])]);
    assert!(
        found.contains("may not have ended when launch 2 (`copy`) begins: execute `griddepcontrol.wait`"),
        "{found}"
    );
    is_silent(&[graph(&[first.clone(), after("copy_late")])]);
    // The stream goes on after all nodes.
    is_silent(&[graph(&[first, after("trigger")]), launch("copy", "s")]);
}

#[test]
fn a_cycle_is_refused_with_its_nodes() {
    let a = node("a", &launch("write", "s"), r#", "after": ["c"]"#);
    let b = node("b", &launch("write", "s"), r#", "after": ["a"]"#);
    let c = node("c", &launch("write", "s"), r#", "after": ["d", "b"]"#);
    let d = node("d", &launch("write", "s"), "");
    let e = node("e", &launch("write", "s"), r#", "after": ["a"]"#);
    let why = outcome(&file(&[graph(&[e, a, b, c, d])])).expect_err("there is a cycle");
    assert_eq!(
        why.to_string(),
        "operations[0].graph: these nodes depend on each other in a cycle: a after c after b after a"
    );
}

#[test]
fn mistakes_have_their_paths() {
    let set = node("b", r#"{"set": "X"}"#, r#", "after_trigger": ["a"]"#);
    for (nodes, expected) in [
        (vec![write(), write()], "operations[0].graph[1].node: another node has the name 'a'"),
        (
            vec![node("a", r#"{"synchronize": true}"#, "")],
            "operations[0].graph[0]: a node of a graph is a launch, a copy, a set,",
        ),
        (
            vec![node("a", &early("write", "s"), "")],
            "operations[0].graph[0].programmatic: in a graph, 'after_trigger' names",
        ),
        (
            vec![write(), set],
            "operations[0].graph[1].after_trigger: a launch may follow the trigger of a launch, but node 'b' is not",
        ),
        (
            vec![node("a", r#"{"graph": []}"#, "")],
            "operations[0].graph[0].graph: a graph cannot be a node of a graph",
        ),
        (
            vec![write().replace("[64]", "[2048]")],
            "operations[0].graph[0]: kernel 'write': its block [2048, 1, 1] has 2048 threads",
        ),
        (vec![node("a", r#"{"set": "Q"}"#, "")], "operations[0].graph[0].set: there is no array 'Q'"),
    ] {
        let why = outcome(&file(&[graph(&nodes)])).expect_err(expected).to_string();
        assert!(why.starts_with(expected), "{why}\n{expected}");
    }
    let why = outcome(&file(&[r#"{"graph": "g"}"#])).expect_err("there is no graph").to_string();
    assert_eq!(why, "operations[0].graph: there is no graph 'g'; the field 'graphs' has: ");
}
