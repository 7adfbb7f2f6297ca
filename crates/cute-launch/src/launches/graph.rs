//! Graphs: nodes that depend on each other, as operations in streams of their own and events.
//!
//! A launch of a graph in a stream is this order (CUDA C++ Programming Guide, "CUDA Graphs"): nodes
//! without dependencies follow what the stream has done before, each other node follows those that
//! it depends on, and the stream goes on after all nodes. A programmatic dependency lets a launch
//! begin as a programmatic event would.

use super::{
    Operation,
    fields::wrong,
    file::{Lines, PlacedOperation, operation},
};
use crate::{error::Result, launches::fields::Fields};
use cute_machine::place::SourcePlace;
use cute_sim::order::NODE;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of a graph at most: each has a stream, whose order with all others is kept.
const MOST_NODES: usize = 4096;

/// A node of a graph.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    name: String,
    /// The operation, whose stream is not known yet.
    operation: Operation,
    place: SourcePlace,
    path: String,
    /// The nodes that it follows, by their numbers.
    after: Vec<usize>,
    /// Those whose trigger it follows.
    after_trigger: Vec<usize>,
}

/// The nodes of a graph, each behind those that it depends on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    /// Reads the list of nodes at a path.
    pub(super) fn read(path: &str, list: Vec<Value>, lines: &Lines) -> Result<Self> {
        if list.len() > MOST_NODES {
            return Err(wrong(path, format!("a graph has at most {MOST_NODES} nodes, not {}", list.len())));
        }
        let mut nodes = Vec::new();
        let mut dependencies: Vec<[Vec<String>; 2]> = Vec::new();
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        for (i, value) in list.into_iter().enumerate() {
            let own = format!("{path}[{i}]");
            let mut fields = Fields::of(own.clone(), value)?;
            let place = lines.place(&mut fields)?;
            let name: String = fields.need("node")?;
            let after = fields.take("after")?.unwrap_or_default();
            dependencies.push([after, fields.take("after_trigger")?.unwrap_or_default()]);
            if numbers.insert(name.clone(), i).is_some() {
                return Err(wrong(&fields.path("node"), format!("another node has the name '{name}'")));
            }
            let operation = node(&own, operation(fields)?)?;
            nodes.push(Node {
                name,
                operation,
                place,
                path: own,
                after: Vec::new(),
                after_trigger: Vec::new(),
            });
        }
        for (i, [after, after_trigger]) in dependencies.into_iter().enumerate() {
            let find = |names: Vec<String>, field: &str| {
                let find = |name: String| {
                    numbers.get(&name).copied().ok_or_else(|| {
                        let all = numbers.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                        let why = format!("there is no node '{name}'; the nodes are {all}");
                        wrong(&format!("{path}[{i}].{field}"), why)
                    })
                };
                names.into_iter().map(find).collect::<Result<Vec<_>>>()
            };
            let (after, after_trigger) = (find(after, "after")?, find(after_trigger, "after_trigger")?);
            let is_launch = |node: &Node| matches!(node.operation, Operation::Launch { .. });
            let other = after_trigger.iter().map(|other| &nodes[*other]).find(|other| !is_launch(other));
            if let Some(not) =
                other.or((!after_trigger.is_empty() && !is_launch(&nodes[i])).then_some(&nodes[i]))
            {
                let why = format!(
                    "a launch may follow the trigger of a launch, but node '{}' is not one",
                    not.name
                );
                return Err(wrong(&format!("{path}[{i}].after_trigger"), why));
            }
            (nodes[i].after, nodes[i].after_trigger) = (after, after_trigger);
        }
        let order = in_order(path, &nodes)?;
        Ok(Self { nodes: sorted(nodes, &order) })
    }

    /// The steps of a launch of the graph, and the streams of its nodes.
    pub(super) fn steps(
        &self,
        launch: &PlacedOperation,
        stream: &str,
    ) -> (Vec<PlacedOperation>, Vec<String>) {
        let of_launch = |operation: Operation| PlacedOperation { operation, is_node: true, ..launch.clone() };
        let begun = format!("{} begins", launch.path);
        let event = |node: &Node| format!("{} {}", launch.path, node.name);
        let trigger = |node: &Node| format!("{} {} triggers", launch.path, node.name);
        let stream_of = |node: &Node| format!("{stream}{NODE}{}", node.name);
        let record = |event: String, stream: &str| Operation::Record { event, stream: stream.to_owned() };
        let wait = |event: String, stream: &str| Operation::Wait { event, stream: stream.to_owned() };
        let mut steps = vec![of_launch(record(begun.clone(), stream))];
        let triggers = |i: usize| self.nodes.iter().any(|node| node.after_trigger.contains(&i));
        for (i, node) in self.nodes.iter().enumerate() {
            let own = stream_of(node);
            let mut events: Vec<String> = node.after.iter().map(|other| event(&self.nodes[*other])).collect();
            events.extend(node.after_trigger.iter().map(|other| trigger(&self.nodes[*other])));
            if events.is_empty() {
                events.push(begun.clone());
            }
            let mut operation = node.operation.clone();
            operation.move_to(&own);
            if let Operation::Launch { requested, .. } = &mut operation
                && triggers(i)
            {
                requested.triggered = Some(trigger(node));
            }
            let all = events.into_iter().map(|event| wait(event, &own)).chain([operation]);
            let all = all.chain([record(event(node), &own)]);
            steps.extend(all.map(|operation| PlacedOperation {
                operation,
                place: node.place.clone(),
                path: node.path.clone(),
                is_node: true,
                ..launch.clone()
            }));
        }
        let is_last = |i: &usize| !self.nodes.iter().any(|node| node.after.contains(i));
        let last = (0..self.nodes.len()).filter(is_last);
        steps.extend(last.map(|i| of_launch(wait(event(&self.nodes[i]), stream))));
        (steps, self.nodes.iter().map(stream_of).collect())
    }
}

/// The operation of a node, if a graph may have it.
fn node(path: &str, mut operation: Operation) -> Result<Operation> {
    let refuse = |field: &str, why: &str| Err(wrong(&format!("{path}.{field}"), why));
    match &mut operation {
        Operation::Launch { requested, .. } if requested.programmatic => {
            return refuse(
                "programmatic",
                "in a graph, 'after_trigger' names the launches whose trigger a node follows",
            );
        }
        Operation::Launch { requested, .. } if requested.events().next().is_some() => {
            return refuse("triggered", "a launch in a graph records no events: others depend on its node");
        }
        Operation::Launch { .. } => {}
        Operation::Copy { is_async, .. }
        | Operation::Set { is_async, .. }
        | Operation::Free { is_async, .. } => {
            *is_async = true;
        }
        Operation::Host { stream, .. } => *stream = Some(String::new()),
        _ => {
            let why = "a node of a graph is a launch, a copy, a set, a free or an access of the host";
            return Err(wrong(path, why));
        }
    }
    Ok(operation)
}

/// The numbers of the nodes, each behind those that it depends on.
fn in_order(path: &str, nodes: &[Node]) -> Result<Vec<usize>> {
    let needs = |i: usize| nodes[i].after.iter().chain(&nodes[i].after_trigger).copied();
    let mut is_done = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    // A node is ready once the last of those that it depends on is done.
    let mut left: Vec<usize> = (0..nodes.len()).map(|i| needs(i).count()).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    (0..nodes.len()).for_each(|i| needs(i).for_each(|other| users[other].push(i)));
    let mut ready: BTreeSet<usize> = (0..nodes.len()).filter(|i| left[*i] == 0).collect();
    while let Some(next) = ready.pop_first() {
        is_done[next] = true;
        order.push(next);
        for user in &users[next] {
            left[*user] -= 1;
            if left[*user] == 0 {
                ready.insert(*user);
            }
        }
    }
    let Some(first) = is_done.iter().position(|done| !done) else { return Ok(order) };
    // Each node that is left depends on another one that is left, so that the way back ends in a
    // cycle.
    let mut way = vec![first];
    let cycle = loop {
        let last = way[way.len() - 1];
        let next = needs(last).find(|other| !is_done[*other]).expect("it waits for one that is left");
        if let Some(at) = way.iter().position(|node| *node == next) {
            break &way[at..];
        }
        way.push(next);
    };
    let names: Vec<&str> = cycle.iter().chain(&cycle[..1]).map(|node| nodes[*node].name.as_str()).collect();
    Err(wrong(path, format!("these nodes depend on each other in a cycle: {}", names.join(" after "))))
}

/// The nodes in this order, with new numbers for their dependencies.
fn sorted(nodes: Vec<Node>, order: &[usize]) -> Vec<Node> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, node)| places[*node] = place);
    let renumber = |mut node: Node| {
        node.after.iter_mut().chain(&mut node.after_trigger).for_each(|other| *other = places[*other]);
        node
    };
    let mut all: Vec<Option<Node>> = nodes.into_iter().map(|node| Some(renumber(node))).collect();
    order.iter().filter_map(|node| all[*node].take()).collect()
}
