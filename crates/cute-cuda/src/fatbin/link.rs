//! Relocatable device code: the PTX of several objects as one text.
//!
//! The parts of the result stand in this order, so that everything is declared before it is used:
//! source files, the texts of inlined functions' names, the heads of all functions, variables (one
//! whose initial value is the address of another one behind it), functions, aliases. Sections with
//! other debugging information (`-G`) are left out: `.loc` has the lines.

use super::container::Code;
use cute_arch::Portability;
use cute_assembler::module::is_of_the_system;
use cute_ptx::syntax::{
    Function, Initial, Item, ItemKind, Linkage, Module, SyntaxError, Token, Variable, parse, tokens,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Names in a message, at most.
const MOST_NAMES: usize = 5;

/// Why the PTX of several objects cannot be one text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotLinked {
    /// A text is not PTX.
    #[error("the PTX of object {object} cannot be linked: {why}")]
    Syntax {
        /// The number of the text, from 0 on.
        object: usize,
        /// The place.
        why: SyntaxError,
    },
    /// Symbols are used that no text defines.
    #[error("the relocatable device code cannot be linked: no PTX defines {}", some(symbols))]
    Undefined {
        /// Their names, in alphabetical order.
        symbols: Vec<String>,
    },
    /// Two texts define a symbol.
    #[error("the relocatable device code cannot be linked: objects {} and {} both define {}", objects[0], objects[1], some(std::slice::from_ref(symbol)))]
    Duplicate {
        /// Its name.
        symbol: String,
        /// The numbers of the texts.
        objects: [usize; 2],
    },
    /// Variables hold the addresses of one another.
    #[error(
        "the relocatable device code cannot be linked: the initial values of {} are the addresses of one another",
        some(symbols)
    )]
    Circular {
        /// Their names.
        symbols: Vec<String>,
    },
    /// One declaration has several variables, and other texts define only some of them.
    #[error(
        "the relocatable device code cannot be linked: one declaration has {}, some of which are defined elsewhere",
        some(symbols)
    )]
    Mixed {
        /// Their names.
        symbols: Vec<String>,
    },
    /// Targets that no GPU has both of, or that are not known.
    #[error("the relocatable device code cannot be linked: its targets are {}", targets.join(" and "))]
    Targets {
        /// The names that the texts have.
        targets: Vec<String>,
    },
    /// The sizes of addresses differ.
    #[error(
        "the relocatable device code cannot be linked: addresses have 32 bits in some objects, and 64 in others"
    )]
    AddressSize,
}

fn some(symbols: &[String]) -> String {
    let shown = symbols.iter().take(MOST_NAMES).map(|name| format!("`{}`", cute_text::line(name)));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match symbols.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Joins texts of PTX. A symbol with internal linkage that another text uses too gets a new name,
/// `.extern` declarations of symbols that are defined are dropped, of several weak definitions
/// the first one stays, and the numbers of source files are made distinct.
///
/// # Errors
/// [`NotLinked`] if this does not give a complete module.
pub fn link(texts: &[&str]) -> Result<String, NotLinked> {
    let parts = texts.iter().enumerate().map(|(object, text)| Part::read(object, text));
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    rename(&mut parts);
    let mut linked = header(&parts)?;
    files(&mut parts, &mut linked);
    strings(&parts, &mut linked);
    let functions = Functions::of(&parts)?;
    let variables = variables(&parts)?;
    let mut undefined: Vec<String> = functions.undefined(&parts).chain(variables.undefined).collect();
    if !undefined.is_empty() {
        undefined.sort();
        undefined.dedup();
        return Err(NotLinked::Undefined { symbols: undefined });
    }
    functions.heads(&parts, &mut linked);
    for text in variables.kept {
        push(&mut linked, &text);
    }
    functions.bodies(&parts, &mut linked);
    let mut aliases = HashSet::new();
    for part in &parts {
        let own = part.module.items.iter().filter(|item| matches!(item.kind, ItemKind::Alias(_)));
        for item in own {
            let text = format!("{};", part.edited(item.text).trim_end_matches(';'));
            if aliases.insert(text.clone()) {
                push(&mut linked, &text);
            }
        }
    }
    Ok(linked)
}

fn push(linked: &mut String, item: &str) {
    linked.push_str(item);
    linked.push('\n');
}

/// The text of an object.
struct Part<'a> {
    module: Module<'a>,
    /// How often each name is written.
    mentions: HashMap<&'a str, usize>,
    /// The new names of symbols that only this text uses.
    renamed: HashMap<&'a str, String>,
    /// The new numbers of source files.
    files: BTreeMap<u32, u32>,
}

impl<'a> Part<'a> {
    fn read(object: usize, text: &'a str) -> Result<Self, NotLinked> {
        let module = parse(text).map_err(|why| NotLinked::Syntax { object, why })?;
        let mut mentions = HashMap::new();
        for (_, token) in tokens(text) {
            if let Token::Name(name) = token {
                *mentions.entry(name).or_insert(0) += 1;
            }
        }
        Ok(Self { module, mentions, renamed: HashMap::new(), files: BTreeMap::new() })
    }

    /// Its symbols, with their linkage.
    fn symbols(&self) -> impl Iterator<Item = (&'a str, Linkage)> {
        let functions = self.module.functions.iter().map(|f| (f.name, f.linkage));
        functions.chain(self.module.variables.iter().map(|v| (v.name, v.linkage)))
    }

    /// The sections with the names of inlined functions.
    fn sections(&self) -> impl Iterator<Item = &'a str> {
        let named = self.module.items.iter().filter(|item| item.kind == ItemKind::Section("debug_str"));
        named.map(|item| item.text)
    }

    /// The name of a symbol in the result.
    fn linked(&self, name: &'a str) -> String {
        self.renamed.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// Whether a symbol that others see is used beside its declarations.
    fn uses(&self, name: &str) -> bool {
        let declared = self.symbols().filter(|(own, _)| *own == name).count();
        let mentioned = self.mentions.get(name).is_some_and(|mentions| *mentions > declared);
        declared > 0 && mentioned && !self.renamed.contains_key(name)
    }

    /// A piece of its text with the new names, and the new numbers of source files.
    fn edited(&self, text: &str) -> String {
        let mut edited = String::with_capacity(text.len());
        let mut done = 0;
        let mut is_file = false;
        for (place, token) in tokens(text) {
            let new = match token {
                Token::Name(name) => self.renamed.get(name).cloned(),
                Token::Number(number) if is_file => {
                    number.parse().ok().and_then(|number: u32| self.files.get(&number)).map(u32::to_string)
                }
                _ => None,
            };
            is_file = matches!(token, Token::Directive("loc") | Token::Name("inlined_at"));
            if let Some(new) = new {
                edited.push_str(&text[done..place.start]);
                edited.push_str(&new);
                done = place.end;
            }
        }
        edited.push_str(&text[done..]);
        edited
    }
}

/// Gives new names to symbols that only one text sees, and that another one has too.
fn rename(parts: &mut [Part<'_>]) {
    let seen = |part: &Part<'_>| {
        let global = part.symbols().filter(|(_, linkage)| *linkage != Linkage::Internal);
        global.map(|(name, _)| name.to_owned()).collect::<HashSet<_>>()
    };
    let seen: Vec<HashSet<String>> = parts.iter().map(seen).collect();
    let written = |name: &str| parts.iter().any(|part| part.mentions.contains_key(name));
    let mut taken: HashSet<String> = seen.iter().flatten().cloned().collect();
    let mut all = Vec::new();
    for (part, seen) in parts.iter().zip(&seen) {
        let mut renamed = HashMap::new();
        let labels = part.sections().flat_map(|section| {
            tokens(section).filter_map(|(place, token)| match token {
                Token::Name(name) if section[place.end..].starts_with(':') => Some(name),
                _ => None,
            })
        });
        let own: BTreeSet<&str> = part.symbols().map(|(name, _)| name).chain(labels).collect();
        for name in own.into_iter().filter(|name| !seen.contains(*name)) {
            if taken.insert(name.to_owned()) {
                continue;
            }
            let mut names = (1u64..).map(|number| format!("{name}${number}"));
            if let Some(new) = names.find(|new| !written(new) && !taken.contains(new)) {
                taken.insert(new.clone());
                renamed.insert(name, new);
            }
        }
        all.push(renamed);
    }
    for (part, renamed) in parts.iter_mut().zip(all) {
        part.renamed = renamed;
    }
}

/// The version, the target, and the size of addresses.
fn header(parts: &[Part<'_>]) -> Result<String, NotLinked> {
    let modules = || parts.iter().map(|part| &part.module);
    let targets: BTreeSet<&str> = modules().filter_map(|m| m.target.first().copied()).collect();
    let refused = || NotLinked::Targets { targets: targets.iter().map(|&name| name.to_owned()).collect() };
    let codes = targets.iter().map(|name| Code::of(name)).collect::<Option<Vec<_>>>().ok_or_else(refused)?;
    let newest = codes.iter().map(|code| code.capability).max().ok_or_else(refused)?;
    let portability = codes.iter().map(|code| code.portability).max().unwrap_or(Portability::Forward);
    let target = Code { capability: newest, portability };
    if !codes.iter().all(|code| code.portability.runs_on(code.capability, newest)) {
        return Err(refused());
    }
    let sizes: BTreeSet<u32> = modules().map(|m| m.address_size).collect();
    let size = sizes.first().filter(|_| sizes.len() == 1).ok_or(NotLinked::AddressSize)?;
    let (major, minor) = modules().map(|m| m.version).max().unwrap_or_default();
    // Without the sections with debugging information, `debug` would be wrong.
    let options: BTreeSet<&str> = modules().flat_map(|m| m.target.iter().skip(1).copied()).collect();
    let options = options.iter().filter(|option| **option != "debug").map(|option| format!(", {option}"));
    let options: String = options.collect();
    Ok(format!(".version {major}.{minor}\n.target {target}{options}\n.address_size {size}\n"))
}

/// Numbers the source files.
fn files(parts: &mut [Part<'_>], linked: &mut String) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut next = 1;
    for part in parts {
        for (own, path) in &part.module.files {
            let number = *numbers.entry((*path).to_owned()).or_insert_with(|| {
                push(linked, &format!(".file {next} \"{path}\""));
                next += 1;
                next - 1
            });
            part.files.insert(*own, number);
        }
    }
}

/// Joins the sections with the names of inlined functions.
fn strings(parts: &[Part<'_>], linked: &mut String) {
    let inner = |section: &str| -> Option<String> {
        let (_, inner) = section.split_once('{')?;
        Some(inner.strip_suffix('}')?.trim_matches('\n').to_owned())
    };
    let all = parts.iter().flat_map(|part| part.sections().map(|section| part.edited(section)));
    let all: Vec<String> = all.filter_map(|section| inner(&section)).collect();
    if !all.is_empty() {
        push(linked, &format!(".section .debug_str\n{{\n{}\n}}", all.join("\n")));
    }
}

/// Where a function stands: the number of the text, and its item.
type At = (usize, usize);

/// The functions of all texts, in their order.
struct Functions {
    all: Vec<(String, Found)>,
}

/// The places of a function.
#[derive(Default)]
struct Found {
    body: Option<At>,
    is_weak: bool,
    is_entry: bool,
    /// A declaration, if possible one without `.extern`.
    declared: Option<At>,
    is_extern: bool,
    is_alias: bool,
}

/// The function of an item.
fn function<'p, 'a>(part: &'p Part<'a>, item: &Item<'_>) -> Option<&'p Function<'a>> {
    match item.kind {
        ItemKind::Function(number) => part.module.functions.get(number),
        _ => None,
    }
}

impl Functions {
    fn of(parts: &[Part<'_>]) -> Result<Self, NotLinked> {
        let mut all: Vec<(String, Found)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut place = |name: String, all: &mut Vec<(String, Found)>| {
            *places.entry(name.clone()).or_insert_with(|| {
                all.push((name, Found::default()));
                all.len() - 1
            })
        };
        for (object, part) in parts.iter().enumerate() {
            for (number, item) in part.module.items.iter().enumerate() {
                let Some(function) = function(part, item) else { continue };
                let name = part.linked(function.name);
                let here = place(name.clone(), &mut all);
                let found = &mut all[here].1;
                found.is_entry |= function.is_entry;
                let at = (object, number);
                if function.body.is_none() {
                    let is_extern = function.linkage == Linkage::Extern;
                    if found.declared.is_none() || found.is_extern && !is_extern {
                        (found.declared, found.is_extern) = (Some(at), is_extern);
                    }
                    continue;
                }
                let is_weak = function.linkage == Linkage::Weak;
                match found.body {
                    Some(_) if is_weak => {}
                    Some((other, _)) if !found.is_weak => {
                        return Err(NotLinked::Duplicate { symbol: name, objects: [other, object] });
                    }
                    _ => (found.body, found.is_weak) = (Some(at), is_weak),
                }
            }
            for (alias, _) in &part.module.aliases {
                let here = place(part.linked(alias), &mut all);
                all[here].1.is_alias = true;
            }
        }
        Ok(Self { all })
    }

    /// Functions that are called, but not defined.
    fn undefined(&self, parts: &[Part<'_>]) -> impl Iterator<Item = String> {
        let without = self.all.iter().filter(|(name, found)| {
            let is_used = || parts.iter().any(|part| part.uses(name));
            found.body.is_none() && !found.is_alias && !is_of_the_system(name) && is_used()
        });
        without.map(|(name, _)| name.clone())
    }

    /// Writes the declarations.
    fn heads(&self, parts: &[Part<'_>], linked: &mut String) {
        for (name, found) in &self.all {
            let at = match found {
                // A kernel needs one only where its address is taken.
                Found { body: Some(_), is_entry: true, declared, .. } => {
                    declared.filter(|_| !found.is_extern)
                }
                Found { body: Some(body), .. } => Some(*body),
                Found { declared, .. } if found.is_alias || is_of_the_system(name) => *declared,
                _ => None,
            };
            let Some((object, item)) = at else { continue };
            let part = &parts[object];
            let item = &part.module.items[item];
            let head = match function(part, item).and_then(|function| function.body.as_ref()) {
                Some(body) => item.text.strip_suffix('}').and_then(|text| text.strip_suffix(body.text)),
                None => item.text.strip_suffix(';'),
            };
            let head = head.unwrap_or(item.text).trim_end().trim_end_matches('{').trim_end();
            push(linked, &format!("{};", part.edited(head)));
        }
    }

    /// Writes the definitions.
    fn bodies(&self, parts: &[Part<'_>], linked: &mut String) {
        let bodies: BTreeSet<At> = self.all.iter().filter_map(|(_, found)| found.body).collect();
        for (object, item) in bodies {
            push(linked, &parts[object].edited(parts[object].module.items[item].text));
        }
    }
}

/// The variables of all texts.
#[derive(Default)]
struct Variables {
    kept: Vec<String>,
    undefined: Vec<String>,
}

/// Dynamic shared memory, which is declared and nowhere defined.
fn is_dynamic(variable: &Variable<'_>) -> bool {
    variable.linkage == Linkage::Extern && variable.space == "shared"
}

/// Whether a definition is taken instead of one before, or neither may be dropped.
fn replaces(new: &Variable<'_>, old: &Variable<'_>) -> Option<bool> {
    match (old.linkage, new.linkage) {
        (Linkage::Extern, Linkage::Extern) => Some(new.align > old.align),
        (Linkage::Common, Linkage::Common) => Some(new.elements() > old.elements()),
        (Linkage::Extern | Linkage::Common, _) => Some(true),
        (Linkage::Weak, Linkage::Weak) => Some(false),
        (Linkage::Weak, _) => Some(true),
        (_, Linkage::Weak | Linkage::Common | Linkage::Extern) => Some(false),
        _ => None,
    }
}

fn variables(parts: &[Part<'_>]) -> Result<Variables, NotLinked> {
    let mut best: HashMap<String, (usize, &Variable<'_>)> = HashMap::new();
    for (object, part) in parts.iter().enumerate() {
        for variable in &part.module.variables {
            let name = part.linked(variable.name);
            match best.get(&name) {
                Some((other, old)) => match replaces(variable, old) {
                    Some(true) => drop(best.insert(name, (object, variable))),
                    Some(false) => {}
                    None => return Err(NotLinked::Duplicate { symbol: name, objects: [*other, object] }),
                },
                None => drop(best.insert(name, (object, variable))),
            }
        }
    }
    let mut all = Variables::default();
    let mut kept = Vec::new();
    for part in parts {
        for item in &part.module.items {
            let ItemKind::Variables(range) = &item.kind else { continue };
            let own = &part.module.variables[range.clone()];
            let mut names = Vec::new();
            for variable in own {
                let name = part.linked(variable.name);
                let is_best = best.get(&name).is_some_and(|(_, best)| std::ptr::eq(*best, variable));
                if variable.linkage == Linkage::Extern && !is_dynamic(variable) {
                    let defined = best.get(&name).is_some_and(|(_, best)| best.linkage != Linkage::Extern);
                    if !defined && part.uses(variable.name) {
                        all.undefined.push(name);
                    }
                } else if is_best {
                    names.push(name);
                }
            }
            if names.len() == own.len() {
                kept.push((names, part, item, own));
            } else if !names.is_empty() {
                let symbols = own.iter().map(|variable| variable.name.to_owned()).collect();
                return Err(NotLinked::Mixed { symbols });
            }
        }
    }
    let places: HashMap<&str, usize> =
        kept.iter().enumerate().flat_map(|(i, (names, ..))| names.iter().map(move |n| (&**n, i))).collect();
    // The declarations that must stand behind each one, and how many it waits for.
    let mut behind = vec![Vec::new(); kept.len()];
    let mut waits = vec![0; kept.len()];
    for (number, (_, part, _, own)) in kept.iter().enumerate() {
        let values = own.iter().flat_map(|variable| &variable.values);
        for value in values {
            let Initial::Address { symbol, .. } = value else { continue };
            if let Some(first) = places.get(&*part.linked(symbol)).filter(|first| **first != number) {
                behind[*first].push(number);
                waits[number] += 1;
            }
        }
    }
    let mut ready: BTreeSet<usize> = (0..kept.len()).filter(|number| waits[*number] == 0).collect();
    while let Some(number) = ready.pop_first() {
        let (_, part, item, _) = &kept[number];
        all.kept.push(part.edited(item.text));
        for next in &behind[number] {
            waits[*next] -= 1;
            if waits[*next] == 0 {
                ready.insert(*next);
            }
        }
    }
    let open = kept.iter().zip(&waits).filter(|(_, waits)| **waits > 0);
    let symbols: Vec<String> = open.flat_map(|((names, ..), _)| names.clone()).collect();
    if symbols.is_empty() { Ok(all) } else { Err(NotLinked::Circular { symbols }) }
}
