//! Rounds in which each lane of a warp sends one register and receives one.

use super::{
    Plan, linear,
    owners::{Slot, WARP},
    table::Table,
};

/// The origin of the value of a lane's register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A register of its own thread.
    Own(usize),
    /// The value that it received in a round.
    Round(usize),
}

/// One shuffle: each lane names the lane it receives from, and each sends one of its registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// By lane, the lane that it receives from; `None` if the received value is not used.
    pub from: [Option<usize>; WARP],
    /// By lane, the register that it sends; `None` if the sent value is not used.
    pub send: [Option<usize>; WARP],
}

/// The exchange between the lanes of a warp, which is the same in all warps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    rounds: Vec<Round>,
    /// By register, then lane.
    sources: Vec<[Option<Source>; WARP]>,
}

impl Exchange {
    /// The shuffles, in order.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// For each register of the result, by lane, the origin of its value.
    pub fn sources(&self) -> &[[Option<Source>; WARP]] {
        &self.sources
    }

    pub(super) fn cost(&self) -> u64 {
        let choices = |distinct: usize| distinct.saturating_sub(1) as u64;
        let sent = self.rounds.iter().map(|round| choices(distinct(&round.send)));
        let made = self.sources.iter().map(|lanes| choices(distinct(lanes)));
        let masks = self.rounds.iter().flat_map(|round| [masks(&round.from), masks(&round.send)]);
        self.rounds.len() as u64 + sent.chain(made).chain(masks).sum::<u64>().div_ceil(2)
    }
}

/// The bits of numbers by lane that are not an XOR of the lane's bits.
fn masks(lanes: &[Option<usize>; WARP]) -> u64 {
    match Table::new(lanes) {
        Some(Table::Masks(masks)) => masks.len() as u64,
        _ => 0,
    }
}

/// Number of different values that matter.
fn distinct<T: Copy + Ord>(lanes: &[Option<T>]) -> usize {
    let mut values: Vec<T> = lanes.iter().copied().flatten().collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// The plan for the needs of each register of each thread, if all warps can execute the same
/// exchange independently.
pub(super) fn plan(needs: &[Vec<Option<Slot>>], registers: usize) -> Option<Plan> {
    // The needs of one warp, combined from all warps; a thread without needs may do as the others
    // do.
    let mut common: Vec<[Option<Slot>; WARP]> = vec![[None; WARP]; registers];
    for (thread, own) in needs.iter().enumerate() {
        let lane = thread % WARP;
        for (lanes, need) in common.iter_mut().zip(own) {
            let Some((source, register)) = *need else { continue };
            if source / WARP != thread / WARP {
                return None;
            }
            let Some(slot) = lanes.get_mut(lane) else { continue };
            match *slot {
                Some(other) if other != (source % WARP, register) => return None,
                _ => *slot = Some((source % WARP, register)),
            }
        }
    }
    let moves: Option<Vec<_>> = common.iter().map(one_move).collect();
    Some(match moves {
        Some(moves) if moves.iter().enumerate().all(|(i, from)| from.is_none_or(|from| from == i)) => {
            Plan::Nothing
        }
        Some(moves) => Plan::Moves(moves),
        None => Plan::Shuffles(schedule(&common)),
    })
}

/// The register of its own thread that every lane needs, if it is the same one. `Some(None)` if no
/// lane needs any.
fn one_move(lanes: &[Option<Slot>; WARP]) -> Option<Option<usize>> {
    let mut found = None;
    for (lane, need) in lanes.iter().enumerate() {
        match (*need, found) {
            (None, _) => {}
            (Some((source, _)), _) if source != lane => return None,
            (Some((_, register)), None) => found = Some(register),
            (Some((_, register)), Some(other)) if register == other => {}
            _ => return None,
        }
    }
    Some(found)
}

/// A need of a lane: `register` of lane `receiver` takes the value in register `sent` of lane
/// `sender`.
#[derive(Debug, Clone, Copy)]
struct Need {
    register: usize,
    receiver: usize,
    sender: usize,
    sent: usize,
}

/// Distributes the needs over rounds: as few rounds as possible, then as few selections as
/// possible, then preferring selections by XORs.
fn schedule(common: &[[Option<Slot>; WARP]]) -> Exchange {
    let mut sources = vec![[None; WARP]; common.len()];
    let mut needs = Vec::new();
    for (register, (lanes, sources)) in common.iter().zip(&mut sources).enumerate() {
        for (receiver, (need, source)) in lanes.iter().zip(sources.iter_mut()).enumerate() {
            match *need {
                Some((sender, sent)) if sender == receiver => *source = Some(Source::Own(sent)),
                Some((sender, sent)) => needs.push(Need { register, receiver, sender, sent }),
                None => {}
            }
        }
    }
    let of = |round_of: Vec<usize>| in_rounds(&needs, &round_of, sources.clone());
    let by_bits = linear::round_of(common).map(|round_of| by_bits(common, &round_of));
    let others = [of(first_fit(&needs)), of(colouring(&needs))];
    let fewest =
        by_bits.into_iter().chain(others).min_by_key(|exchange| (exchange.rounds.len(), exchange.cost()));
    fewest.expect("two ways to choose the rounds always have an answer")
}

/// One round per turn in which some lane needs the value of another. Lanes that need their own
/// value send it to themselves, so that no lane has to select.
fn by_bits(common: &[[Option<Slot>; WARP]], round_of: &[[usize; WARP]]) -> Exchange {
    let slots = || {
        let of_register = |(register, lanes): (usize, &[Option<Slot>; WARP])| {
            lanes.map(|need| need.map(|slot| (register, slot))).into_iter().enumerate().collect::<Vec<_>>()
        };
        common
            .iter()
            .enumerate()
            .flat_map(of_register)
            .filter_map(|(lane, need)| need.map(|(r, slot)| (r, lane, slot)))
    };
    let mut used: Vec<usize> =
        slots().filter(|(_, lane, (from, _))| lane != from).map(|(r, lane, _)| round_of[r][lane]).collect();
    used.sort_unstable();
    used.dedup();
    let mut needs = Vec::new();
    let mut rounds = Vec::new();
    let mut sources = vec![[None; WARP]; common.len()];
    for (register, receiver, (sender, sent)) in slots() {
        match used.binary_search(&round_of[register][receiver]) {
            Ok(round) => {
                needs.push(Need { register, receiver, sender, sent });
                rounds.push(round);
            }
            Err(_) => sources[register][receiver] = Some(Source::Own(sent)),
        }
    }
    in_rounds(&needs, &rounds, sources)
}

fn in_rounds(needs: &[Need], round_of: &[usize], mut sources: Vec<[Option<Source>; WARP]>) -> Exchange {
    let n = round_of.iter().max().map_or(0, |last| last + 1);
    let mut rounds = vec![Round { from: [None; WARP], send: [None; WARP] }; n];
    for (need, round) in needs.iter().zip(round_of) {
        rounds[*round].from[need.receiver] = Some(need.sender);
        rounds[*round].send[need.sender] = Some(need.sent);
        sources[need.register][need.receiver] = Some(Source::Round(*round));
    }
    Exchange { rounds, sources }
}

/// The first round in which the receiver is free, and the sender is free or sends the same value: a
/// value that many lanes need is sent once.
fn first_fit(needs: &[Need]) -> Vec<usize> {
    let mut rounds: Vec<([bool; WARP], [Option<usize>; WARP])> = Vec::new();
    let round = |need: &Need| {
        let fits = |(received, sent): &([bool; WARP], [Option<usize>; WARP])| {
            !received[need.receiver] && sent[need.sender].is_none_or(|already| already == need.sent)
        };
        let round = rounds.iter().position(fits).unwrap_or_else(|| {
            rounds.push(([false; WARP], [None; WARP]));
            rounds.len() - 1
        });
        rounds[round].0[need.receiver] = true;
        rounds[round].1[need.sender] = Some(need.sent);
        round
    };
    needs.iter().map(round).collect()
}

/// Rounds as colours of the edges between receivers and senders. There are as many as the busiest
/// lane receives or sends, which is the minimum if no value is sent to two lanes (König). An edge
/// takes a colour that is free at its receiver. If its sender already uses that colour, the path
/// from there that alternates between it and a colour free at the sender swaps the two, and cannot
/// return to the receiver.
fn colouring(needs: &[Need]) -> Vec<usize> {
    let busiest = |lane: fn(&Need) -> usize| {
        (0..WARP).map(|l| needs.iter().filter(|need| lane(need) == l).count()).max().unwrap_or(0)
    };
    let colours = busiest(|need| need.receiver).max(busiest(|need| need.sender));
    // The edge by lane and colour.
    let mut receivers = vec![vec![None; colours]; WARP];
    let mut senders = vec![vec![None; colours]; WARP];
    let free = |edges: &[Option<usize>]| {
        edges.iter().position(Option::is_none).expect("a lane has at most as many edges as there are colours")
    };
    let mut round_of = vec![0; needs.len()];
    for (i, need) in needs.iter().enumerate() {
        let (a, b) = (free(&receivers[need.receiver]), free(&senders[need.sender]));
        let mut path: Vec<usize> = Vec::new();
        let mut next = senders[need.sender][a];
        while let Some(edge) = next.filter(|_| a != b) {
            path.push(edge);
            let other = a + b - round_of[edge];
            next = match path.len() % 2 {
                1 => receivers[needs[edge].receiver][other],
                _ => senders[needs[edge].sender][other],
            };
        }
        for edge in &path {
            receivers[needs[*edge].receiver][round_of[*edge]] = None;
            senders[needs[*edge].sender][round_of[*edge]] = None;
        }
        path.iter().for_each(|edge| round_of[*edge] = a + b - round_of[*edge]);
        round_of[i] = a;
        for edge in path.into_iter().chain([i]) {
            receivers[needs[edge].receiver][round_of[edge]] = Some(edge);
            senders[needs[edge].sender][round_of[edge]] = Some(edge);
        }
    }
    round_of
}
