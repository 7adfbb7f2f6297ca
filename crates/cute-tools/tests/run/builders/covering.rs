//! Combinations of the options of a kernel in which every pair of values occurs: both ends of each
//! range, each choice, and each flag given and left out.
//!
//! Which options there are is what the builder declares. A pair that no combination was found for
//! occurs in one that the builder refuses.

use std::collections::HashSet;

use clap::{ArgAction, Command};
use cute_kernels::options::KernelBuilder;
use cute_mlir::Target;
use fastrand::Rng;

/// An option: its values on the command line, `None` where it is left out.
struct Axis {
    option: String,
    /// Values whose pairs are covered.
    ends: Vec<Option<String>>,
    /// Values between them.
    others: Vec<Option<String>>,
}

/// The places of values in the ends and others of each axis.
type Places = Vec<usize>;

/// A combination of options.
pub(in super::super) struct Case<K> {
    /// As the command line has them.
    pub arguments: Vec<String>,
    pub kernel: K,
    pub target: Target,
    /// Why the builder refuses it.
    pub refused: Option<String>,
}

/// The options of a kernel, and what is covered so far.
pub(in super::super) struct Covering<K> {
    command: Command,
    axes: Vec<Axis>,
    targets: Vec<Target>,
    rng: Rng,
    /// Values, then pairs of them, that are not covered, in the order of trial from the end.
    known: Vec<Places>,
    alone: Vec<(usize, usize)>,
    open: Vec<[(usize, usize); 2]>,
    accepted: Vec<Places>,
    seen: HashSet<Places>,
    _kernel: std::marker::PhantomData<K>,
}

/// Tries for a value and for a pair, each of several steps away from where it began.
const TRIES_ALONE: usize = 100;
const TRIES: usize = 24;
const STEPS: usize = 16;

impl<K: KernelBuilder> Covering<K> {
    /// The options of a kernel for some targets, and combinations of them that are tried first.
    pub fn new(targets: &[Target], seed: u64, known: &[&str]) -> Self {
        let command = K::augment_args(Command::new(K::NAME).no_binary_name(true));
        let numbers = K::default().numbers();
        let text = |value: i64| Some(value.to_string());
        let mut axes = vec![Axis {
            option: "--target".into(),
            ends: targets.iter().map(|target| Some(target.name().into())).collect(),
            others: Vec::new(),
        }];
        for arg in command.get_arguments() {
            let option = format!("--{}", arg.get_long().expect("options have names"));
            let number = numbers.iter().find(|number| number.option() == option);
            let (mut ends, mut others) = (Vec::new(), Vec::new());
            if let Some(number) = number {
                ends.extend([text(number.range.least), text(number.range.most)]);
                others.push(None);
                others.extend(number.range.values().map(text).filter(|value| !ends.contains(value)));
            } else if matches!(arg.get_action(), ArgAction::SetTrue) {
                ends.extend([None, Some(String::new())]);
            } else {
                ends.extend(arg.get_possible_values().iter().map(|value| Some(value.get_name().into())));
                if arg.get_default_values().is_empty() {
                    ends.insert(0, None);
                }
                assert!(ends.len() > 1, "{option} is neither a number with a range nor a choice");
            }
            axes.push(Axis { option, ends, others });
        }
        assert_eq!(axes.iter().filter(|axis| !axis.others.is_empty()).count(), numbers.len());
        let mut rng = Rng::with_seed(seed);
        let (mut alone, mut open) = (Vec::new(), Vec::new());
        for (i, a) in axes.iter().enumerate() {
            alone.extend((0..a.ends.len()).map(|x| (i, x)));
            for (j, b) in axes.iter().enumerate().skip(i + 1) {
                open.extend((0..a.ends.len()).flat_map(|x| (0..b.ends.len()).map(move |y| [(i, x), (j, y)])));
            }
        }
        rng.shuffle(&mut alone);
        rng.shuffle(&mut open);
        let mut covering = Self {
            command,
            axes,
            targets: targets.to_vec(),
            rng,
            known: Vec::new(),
            alone,
            open,
            accepted: Vec::new(),
            seen: HashSet::new(),
            _kernel: std::marker::PhantomData,
        };
        covering.known = known.iter().map(|text| covering.places(text)).collect();
        covering
    }

    /// The next combination: one that covers a value, one that covers an open pair, then others
    /// until there are `count` accepted ones, as far as there are any.
    pub fn next(&mut self, count: usize) -> Option<Case<K>> {
        if let Some(places) = self.known.pop() {
            let case = self.accept(places);
            assert_eq!(case.refused, None, "{:?}", case.arguments);
            return Some(case);
        }
        while let Some((axis, place)) = self.alone.pop() {
            let is_covered = self.accepted.iter().any(|places| places[axis] == place);
            if let Some(places) =
                (!is_covered).then(|| self.complete(&[(axis, place)], TRIES_ALONE)).flatten()
            {
                return Some(self.accept(places));
            }
        }
        if let Some(pair) = self.open.pop() {
            return Some(match self.complete(&pair, TRIES) {
                Some(places) => self.accept(places),
                None => {
                    let mut places = self.defaults();
                    pair.iter().for_each(|(axis, place)| places[*axis] = *place);
                    self.case(&places)
                }
            });
        }
        if self.accepted.len() >= count {
            return None;
        }
        let places = (0..200).find_map(|_| {
            let axis = self.rng.usize(..self.axes.len());
            let place = self.any(axis);
            self.complete(&[(axis, place)], 1)
        })?;
        Some(self.accept(places))
    }

    fn accept(&mut self, places: Places) -> Case<K> {
        self.open.retain(|pair| pair.iter().any(|(axis, place)| places[*axis] != *place));
        self.accepted.push(places.clone());
        self.seen.insert(places.clone());
        self.case(&places)
    }

    /// A new combination with some values that the builder accepts. It begins at one that has a
    /// part of them, or at the defaults, and changes one option after the other.
    fn complete(&mut self, pinned: &[(usize, usize)], tries: usize) -> Option<Places> {
        let near: Vec<_> = self
            .accepted
            .iter()
            .filter(|places| pinned.iter().any(|(axis, place)| places[*axis] == *place))
            .cloned()
            .collect();
        for _ in 0..tries {
            let mut places = match near.len() {
                0 => self.defaults(),
                n if self.rng.u8(..4) > 0 => near[self.rng.usize(..n)].clone(),
                _ => self.defaults(),
            };
            pinned.iter().for_each(|(axis, place)| places[*axis] = *place);
            for _ in 0..STEPS {
                if !self.seen.contains(&places) && self.case(&places).refused.is_none() {
                    return Some(places);
                }
                for _ in 0..1 + self.rng.usize(..3) {
                    let axis = self.rng.usize(..self.axes.len());
                    if pinned.iter().all(|(pinned, _)| *pinned != axis) {
                        places[axis] = self.any(axis);
                    }
                }
            }
        }
        None
    }

    /// A value: an end or another one.
    fn any(&mut self, axis: usize) -> usize {
        let Axis { ends, others, .. } = &self.axes[axis];
        let is_end = others.is_empty() || self.rng.bool();
        if is_end { self.rng.usize(..ends.len()) } else { ends.len() + self.rng.usize(..others.len()) }
    }

    /// A base, and for each value of an option one accepted combination with that value. It is the
    /// base with this change, if need be with a change of one or two other options, or the first of
    /// the known ones that has the value. `elsewhere` are values that no combination has.
    pub fn one_by_one(&self, base: &str, known: &[&str], elsewhere: &[&str]) -> Vec<Case<K>> {
        let base = self.places(base);
        // The ends, and that an option is left out.
        let values = |axis: usize| {
            let Axis { ends, others, .. } = &self.axes[axis];
            let left_out = others.iter().position(Option::is_none).map(|place| ends.len() + place);
            (0..ends.len()).chain(left_out)
        };
        let accepted = |places: &Places| self.case(places).refused.is_none();
        assert_eq!(self.case(&base).refused, None, "the base of {}", K::NAME);
        let mut all = vec![base.clone()];
        for axis in 0..self.axes.len() {
            for value in values(axis).filter(|value| *value != base[axis]) {
                let Axis { option, ends, others } = &self.axes[axis];
                let named = ends.iter().chain(others).nth(value).expect("a value");
                let named = format!("{option} {}", named.as_deref().unwrap_or("left out"));
                if elsewhere.contains(&named.as_str()) {
                    continue;
                }
                let with = |changes: &[(usize, usize)]| {
                    let mut places = base.clone();
                    changes.iter().for_each(|(axis, value)| places[*axis] = *value);
                    Some(places).filter(accepted)
                };
                let others = || {
                    let all = (1..self.axes.len()).filter(move |other| *other != axis);
                    all.flat_map(|other| values(other).map(move |value| (other, value)))
                };
                let one = || others().find_map(|other| with(&[(axis, value), other]));
                let hinted = || {
                    let all = known.iter().map(|text| self.places(text));
                    all.filter(|places| places[axis] == value).find(accepted)
                };
                let two = || {
                    let pairs = others().flat_map(|a| others().map(move |b| (a, b)));
                    pairs.filter(|(a, b)| a.0 < b.0).find_map(|(a, b)| with(&[(axis, value), a, b]))
                };
                let found = with(&[(axis, value)]).or_else(one).or_else(hinted).or_else(two);
                all.push(found.unwrap_or_else(|| panic!("{}: no combination has {named}", K::NAME)));
            }
        }
        all.iter().map(|places| self.case(places)).collect()
    }

    /// The arguments of a case without choices that the builder takes by itself.
    pub fn chosen(&self, case: &Case<K>) -> Vec<String> {
        let default = |option: &str, value: &str| {
            let arg = self.command.get_arguments().find(|arg| arg.get_long() == option.strip_prefix("--"));
            arg.is_some_and(|arg| arg.get_default_values() == [value])
        };
        let mut chosen = Vec::new();
        let mut words = case.arguments.iter().skip(2).peekable();
        while let Some(option) = words.next() {
            let value = words.next_if(|value| !value.starts_with("--"));
            if !value.is_some_and(|value| default(option, value)) {
                chosen.extend([Some(option), value].into_iter().flatten().cloned());
            }
        }
        chosen
    }

    /// Options of a command line, without flags.
    fn places(&self, text: &str) -> Places {
        let mut places = self.defaults();
        let words: Vec<_> = text.split(' ').collect();
        for words in words.chunks(2) {
            let axis = self.axes.iter().position(|axis| axis.option == words[0]).expect("an option");
            let mut values = self.axes[axis].ends.iter().chain(&self.axes[axis].others);
            places[axis] = values.position(|value| value.as_deref() == Some(words[1])).expect("a value");
        }
        places
    }

    /// Everything left out, except for the target.
    fn defaults(&self) -> Places {
        let left_out =
            |axis: &Axis| axis.ends.iter().chain(&axis.others).position(Option::is_none).unwrap_or(0);
        self.axes.iter().map(left_out).collect()
    }

    fn case(&self, places: &Places) -> Case<K> {
        let mut arguments = Vec::new();
        for (axis, place) in self.axes.iter().zip(places) {
            if let Some(value) = axis.ends.iter().chain(&axis.others).nth(*place).expect("a value") {
                arguments.push(axis.option.clone());
                arguments.extend((!value.is_empty()).then(|| value.clone()));
            }
        }
        // The first one is the target.
        let target = self.targets[places[0]];
        let matches = self.command.clone().try_get_matches_from(&arguments[2..]).expect("options");
        let kernel = K::from_arg_matches(&matches).expect("options");
        let refused = kernel.check(Some(target)).err().map(|why| why.to_string());
        Case { arguments, kernel, target, refused }
    }

    /// The ends of ranges and the choices that no accepted combination has.
    pub fn without(&self) -> Vec<String> {
        let used = |axis: usize, place: usize| self.accepted.iter().any(|places| places[axis] == place);
        let axes = self.axes.iter().enumerate();
        axes.flat_map(|(i, axis)| {
            let unused = axis.ends.iter().enumerate().filter(move |(place, _)| !used(i, *place));
            unused.map(|(_, value)| format!("{} {}", axis.option, value.as_deref().unwrap_or("left out")))
        })
        .collect()
    }
}
