//! The instructions of a kernel that could go, each with those that go with it, as changes of its
//! text.

use super::partners::{Uses, meetings, uses};
use crate::prove::Events;
use cute_mutate::{
    Kind, Mutant, apply_all,
    ptx::{mutants, with_fewer_arrivals},
};
use cute_ptx::syntax::{Statement, SyntaxError, parse};
use cute_sim::program::Kernel;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction of the text.
type Site = usize;

/// Instructions that go together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    /// Those that go.
    pub sites: BTreeSet<Site>,
    /// Each `mbarrier.init` that counts fewer arrivals, by the number of its name, and how many
    /// fewer.
    pub fewer: BTreeMap<(String, usize), i64>,
}

/// The instructions of a kernel about order, and the candidates.
pub struct Candidates<'t> {
    text: &'t str,
    kernel: &'t str,
    /// The text without each of them.
    pub sites: Vec<Mutant>,
    /// In the order in which they are tried.
    pub all: Vec<Candidate>,
    /// Instructions that are not examined, and why.
    pub unexamined: Vec<(Site, &'static str)>,
}

/// Why no instruction of a kernel is examined: some of its effects cross launches or blocks, which
/// the proof is not about.
///
/// # Errors
/// The place where the text is not PTX.
pub fn beyond(text: &str, kernel: &str) -> Result<Option<String>, SyntaxError> {
    let module = parse(text)?;
    let body = module.functions.iter().find(|function| function.name == kernel).and_then(|own| own.body);
    for statement in body.iter().flat_map(|body| body.statements()) {
        let (line, Statement::Instruction(instruction)) = statement? else { continue };
        let words: Vec<&str> = instruction.opcode.split('.').collect();
        let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
        let is_beyond = match words[0] {
            "griddepcontrol" | "membar" | "atom" | "red" | "multimem" => true,
            "ld" | "st" => has(&["volatile", "relaxed", "acquire", "release", "mmio"]),
            "fence" => has(&["gpu", "sys", "tensormap", "alias"]),
            "cp" => has(&["reduce"]),
            _ => false,
        };
        if is_beyond {
            return Ok(Some(format!("line {line}: `{}` has effects beyond the launch", instruction.opcode)));
        }
    }
    Ok(None)
}

/// Why an instruction is not examined.
fn skipped(words: &[&str], has_register_operands: bool) -> Option<&'static str> {
    let has = |word: &str| words.contains(&word);
    match words {
        ["bar" | "barrier", "warp", ..] => Some("the proof assumes that the lanes of a warp go together"),
        ["fence", "proxy", ..] if has("global") => Some("it orders global memory, which is not proved"),
        ["wgmma", "fence", ..] if has_register_operands => {
            Some("the simulator does not see when registers of A are written")
        }
        [_, "commit", ..] | ["cp", "async", .., "commit_group"] => Some("waits count its group"),
        _ if has("commit_group") => Some("waits count its group"),
        ["mbarrier", "expect_tx" | "complete_tx", ..] => Some("it counts bytes"),
        _ => None,
    }
}

impl<'t> Candidates<'t> {
    /// The candidates of a kernel of this text, whose program is `program`.
    ///
    /// # Errors
    /// The place where the text is not PTX.
    pub fn of(
        text: &'t str,
        kernel: &'t str,
        program: &Kernel,
        events: Option<&Events>,
    ) -> Result<Self, SyntaxError> {
        let is_about_order = |mutant: &Mutant| {
            let kinds = [Kind::Fence, Kind::Barrier, Kind::Wait, Kind::Arrival];
            kinds.contains(&mutant.kind) && mutant.change == "dropped"
        };
        let mut sites = mutants(text, &[kernel])?;
        sites.retain(is_about_order);
        let mut own = Self { text, kernel, sites, all: Vec::new(), unexamined: Vec::new() };
        let has_register_operands = text.contains("wgmma.mma_async") && registers_of_a(text, kernel)?;
        let none = Events::new();
        let events = events.unwrap_or(&none);
        let (meetings, uses) = (meetings(events), uses(events));
        let mut of_pc: BTreeMap<u32, Site> = BTreeMap::new();
        for (pc, place) in (0..).zip(&program.sites) {
            let point = place.location.origin.as_ref().or(place.location.point.as_ref());
            let line = point.map_or(0, |point| point.line as usize);
            let is_it = |mutant: &Mutant| mutant.line == line && *mutant.op == *place.op;
            of_pc.extend(own.sites.iter().position(is_it).map(|site| (pc, site)));
        }
        let context = Context { of_pc, meetings, uses, inits: inits(text, kernel, program)? };
        for site in 0..own.sites.len() {
            let words: Vec<&str> = own.sites[site].op.split('.').collect();
            let made = match skipped(&words, has_register_operands) {
                Some(why) => Err(why),
                None => context.candidates(site, own.sites[site].kind, &words),
            };
            match made {
                Ok(made) => own.all.extend(made),
                Err(why) => own.unexamined.push((site, why)),
            }
        }
        own.all.sort();
        own.all.dedup();
        let rank = |candidate: &Candidate| candidate.sites.first().map(|site| own.sites[*site].kind);
        own.all.sort_by_key(rank);
        Ok(own)
    }

    /// For each instruction of a candidate, the text with a trap in front of it.
    pub fn trapping(&self, candidate: &Candidate) -> Vec<String> {
        candidate.sites.iter().filter_map(|site| self.sites[*site].trapping(self.text)).collect()
    }

    /// The text without the instructions of these candidates; `None` if a barrier would have no
    /// arrivals left.
    ///
    /// # Errors
    /// The place where the text is not PTX.
    pub fn without<'c>(
        &self,
        some: impl IntoIterator<Item = &'c Candidate>,
    ) -> Result<Option<String>, SyntaxError> {
        let (mut sites, mut fewer) = (BTreeSet::new(), BTreeMap::<_, i64>::new());
        for candidate in some {
            sites.extend(candidate.sites.iter().copied());
            candidate.fewer.iter().for_each(|(init, by)| *fewer.entry(init.clone()).or_default() += by);
        }
        let mut changes: Vec<Mutant> = sites.into_iter().map(|site| self.sites[site].clone()).collect();
        for ((op, number), by) in fewer {
            let all = with_fewer_arrivals(self.text, &[self.kernel], by)?;
            match all.into_iter().find(|change| (&change.op, change.number) == (&op, number)) {
                Some(change) => changes.push(change),
                // No arrivals would be left.
                None => return Ok(None),
            }
        }
        Ok(Some(apply_all(&changes, self.text)))
    }
}

/// Whether A of a `wgmma` lies in registers.
fn registers_of_a(text: &str, kernel: &str) -> Result<bool, SyntaxError> {
    let module = parse(text)?;
    let body = module.functions.iter().find(|function| function.name == kernel).and_then(|own| own.body);
    for statement in body.iter().flat_map(|body| body.statements()) {
        if let (_, Statement::Instruction(instruction)) = statement?
            && instruction.opcode.starts_with("wgmma.mma_async")
            && instruction.text.matches('{').count() > 1
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Each `mbarrier.init` whose count is a number: its instruction, its name, and the number of it.
fn inits(text: &str, kernel: &str, program: &Kernel) -> Result<BTreeMap<u32, (String, usize)>, SyntaxError> {
    // With one arrival less or with as many: a count of 1 has no mutant with fewer.
    let all = with_fewer_arrivals(text, &[kernel], 0)?;
    let mut found = BTreeMap::new();
    for (pc, place) in (0..).zip(&program.sites) {
        let point = place.location.origin.as_ref().or(place.location.point.as_ref());
        let line = point.map_or(0, |point| point.line as usize);
        let own = all.iter().find(|mutant| mutant.line == line && *mutant.op == *place.op);
        found.extend(own.map(|own| (pc, (own.op.clone(), own.number))));
    }
    Ok(found)
}

/// The instructions of a kernel, and how they belong together.
struct Context {
    of_pc: BTreeMap<u32, Site>,
    meetings: Vec<BTreeSet<u32>>,
    uses: BTreeMap<(usize, u64), Uses>,
    inits: BTreeMap<u32, (String, usize)>,
}

impl Context {
    fn sites(&self, pcs: impl IntoIterator<Item = u32>) -> Option<BTreeSet<Site>> {
        pcs.into_iter().map(|pc| self.of_pc.get(&pc).copied()).collect()
    }

    fn pcs(&self, site: Site) -> impl Iterator<Item = u32> {
        self.of_pc.iter().filter(move |(_, own)| **own == site).map(|(pc, _)| *pc)
    }

    /// The candidates with an instruction, or why there are none.
    fn candidates(&self, site: Site, kind: Kind, words: &[&str]) -> Result<Vec<Candidate>, &'static str> {
        let alone = || Candidate { sites: [site].into(), fewer: BTreeMap::new() };
        let meets = matches!(words[0], "bar" | "barrier");
        match kind {
            _ if meets => {
                let own: BTreeSet<u32> = self.pcs(site).collect();
                let set = self.meetings.iter().find(|set| !set.is_disjoint(&own));
                let set = set.ok_or("no warp is known to reach it")?;
                let sites = self.sites(set.iter().copied()).ok_or("it meets one that cannot go")?;
                Ok(vec![Candidate { sites, fewer: BTreeMap::new() }])
            }
            Kind::Arrival if words[0] == "mbarrier" => self.arrival(site),
            Kind::Arrival => Err("other work arrives with it"),
            _ => Ok(vec![alone()]),
        }
    }

    /// The candidates with an arrival: alone, with a lower count of its barriers; or, if there are
    /// no others, with the waits there.
    fn arrival(&self, site: Site) -> Result<Vec<Candidate>, &'static str> {
        let own: BTreeSet<u32> = self.pcs(site).collect();
        let arrives = |uses: &&Uses| uses.arrivals.keys().any(|pc| own.contains(pc));
        let barriers: Vec<&Uses> = self.uses.values().filter(arrives).collect();
        if barriers.is_empty() {
            return Err("no warp is known to arrive there");
        }
        let (mut fewer, mut waits, mut is_only) = (BTreeMap::new(), BTreeSet::new(), true);
        for uses in &barriers {
            let share = |is_own: bool| -> i64 {
                uses.arrivals
                    .iter()
                    .filter(|(pc, _)| is_own == own.contains(pc))
                    .map(|(_, count)| count)
                    .sum()
            };
            let (share, others) = (share(true), share(false));
            let [(init, count)] = uses.inits.iter().collect::<Vec<_>>()[..] else {
                return Err("its barrier begins at several places");
            };
            if share * count % (share + others) != 0 {
                return Err("its part of the arrivals differs from phase to phase");
            }
            let by = share * count / (share + others);
            is_only &= others == 0;
            waits.extend(uses.waits.iter().copied());
            let init = self.inits.get(init).ok_or("the count of its barrier is not a number")?;
            if fewer.insert(init.clone(), by).is_some_and(|other| other != by) {
                return Err("its part of the arrivals differs from barrier to barrier");
            }
        }
        if barriers.iter().any(|uses| uses.has_others) && is_only {
            return Err("bytes or other work arrive with it");
        }
        let is_here = |uses: &&Uses| barriers.iter().any(|own| std::ptr::eq(*own, *uses));
        if !is_only {
            // An `mbarrier.init` in a loop may begin others, too.
            let begins_others = self.uses.values().filter(|uses| !is_here(uses)).any(|uses| {
                uses.inits.keys().any(|pc| self.inits.get(pc).is_some_and(|init| fewer.contains_key(init)))
            });
            return match begins_others {
                true => Err("its barrier begins together with others"),
                false => Ok(vec![Candidate { sites: [site].into(), fewer }]),
            };
        }
        let waits_elsewhere =
            self.uses.values().filter(|uses| !is_here(uses)).any(|uses| !uses.waits.is_disjoint(&waits));
        if waits_elsewhere {
            return Err("a wait for it waits for other barriers, too");
        }
        let mut sites = self.sites(waits).ok_or("a wait for it cannot go")?;
        sites.insert(site);
        Ok(vec![Candidate { sites, fewer: BTreeMap::new() }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_beyond_a_launch_are_seen() {
        let of = |statement: &str| {
            let text =
                format!(".version 8.7 .target sm_90a .address_size 64\n.entry k() {{\n{statement}\nret;\n}}");
            beyond(&text, "k").unwrap()
        };
        for statement in [
            "griddepcontrol.wait;",
            "membar.gl;",
            "fence.acq_rel.gpu;",
            "ld.volatile.global.u32 %r1, [%rd1];",
            "st.release.gpu.global.u32 [%rd1], %r1;",
            "red.global.add.u32 [%rd1], 1;",
            "fence.proxy.tensormap::generic.release.gpu;",
        ] {
            let why = of(statement).unwrap_or_else(|| panic!("{statement}"));
            assert!(
                why.starts_with("line 3: `") && why.ends_with("` has effects beyond the launch"),
                "{why}"
            );
        }
        for statement in
            ["fence.proxy.async;", "ld.global.u32 %r1, [%rd1];", "fence.mbarrier_init.release.cluster;"]
        {
            assert_eq!(of(statement), None);
        }
    }
}
