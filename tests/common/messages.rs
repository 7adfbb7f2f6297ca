//! Messages are sentences: no comma joins two clauses, and the field's words are used.

use std::fs;

use super::{root, sources};

/// Phrases that no message contains, each with its replacement.
const PHRASES: &[(&str, &str)] = &[
    ("slowly", "say what happens, and where"),
    ("those of a block", "the extent of a block"),
    ("no type names", "has no type"),
    ("in global memory only", "say which memory is meant"),
    ("for another number of", "do not match the number of"),
    (" behind .", "after"),
    ("has a leaf for each that", "lists one leaf for each"),
    (", and is not a", "but is not a"),
    ("reaches lanes", "can access lanes"),
    ("hearer", "listener"),
    ("departure", "variant"),
    ("write-up", "variant"),
];

/// Words of ours for which the field has another one. They are arithmetic in some crates.
const WORDS: &[(&str, &str)] = &[
    ("sums", "accumulators"),
    ("products", "MMAs"),
    ("brings", "loads"),
    ("bring", "load"),
    ("turns", "iterations"),
    ("tiles of K", "K tiles"),
    ("give back", "release"),
    ("given back", "released"),
    ("gives back", "releases"),
    ("speaks", "elected thread"),
];

/// The crates whose messages are about MMAs.
const ABOUT_MMAS: &[&str] =
    &["dialect", "driver", "jit", "kernels", "lower", "session", "sim", "tools", "capi", "import"];

/// Verbs, in the forms that messages use.
const VERBS: &[&str] = &[
    "allocates",
    "allow",
    "are",
    "asks",
    "can",
    "cannot",
    "claims",
    "computes",
    "contains",
    "copies",
    "counts",
    "declares",
    "differs",
    "do",
    "does",
    "find",
    "finds",
    "gives",
    "had",
    "has",
    "have",
    "hold",
    "holds",
    "is",
    "keeps",
    "knows",
    "lies",
    "loads",
    "make",
    "makes",
    "multiplies",
    "must",
    "need",
    "needs",
    "promises",
    "reaches",
    "reads",
    "refuses",
    "returns",
    "runs",
    "spans",
    "stores",
    "swizzles",
    "take",
    "takes",
    "took",
    "transposes",
    "uses",
    "wait",
    "was",
    "were",
    "works",
];

/// Words that tie what follows a comma to what precedes it.
const TIES: &[&str] = &[
    "after",
    "also",
    "although",
    "and",
    "as",
    "at",
    "because",
    "before",
    "but",
    "by",
    "either",
    "even",
    "except",
    "for",
    "from",
    "if",
    "in",
    "including",
    "instead",
    "like",
    "neither",
    "nor",
    "not",
    "of",
    "on",
    "or",
    "otherwise",
    "per",
    "plus",
    "rather",
    "since",
    "so",
    "such",
    "than",
    "that",
    "then",
    "though",
    "to",
    "too",
    "unless",
    "until",
    "via",
    "when",
    "where",
    "wherever",
    "which",
    "whichever",
    "while",
    "who",
    "whose",
    "with",
    "without",
    "yet",
    "both",
    "would",
    "may",
    "could",
    "should",
];

/// Words that open a sentence whose first comma ends its first part.
const OPENINGS: &[&str] = &[
    "after",
    "although",
    "as",
    "at",
    "because",
    "before",
    "between",
    "by",
    "for",
    "from",
    "here",
    "if",
    "in",
    "inside",
    "instead",
    "like",
    "of",
    "on",
    "once",
    "otherwise",
    "outside",
    "since",
    "though",
    "to",
    "unless",
    "until",
    "whatever",
    "when",
    "where",
    "while",
    "with",
    "without",
];

/// Verbs that ask for something.
const REQUESTS: &[&str] =
    &["add", "align", "choose", "declare", "give", "leave", "let", "set", "slice", "use", "write"];

/// A message as words: what stands in brackets or backticks, and what is filled in, is one word.
fn plain(message: &str) -> String {
    let mut text = message.replace("{{", "").replace("}}", "");
    for (open, close) in [("`", "`"), ("{", "}"), ("(", ")"), ("[", ")"), ("[", "]"), ("<", ">")] {
        // The innermost pairs first.
        let mut from = 0;
        while let Some(end) = text[from..].find(close).map(|at| from + at) {
            let pair = text[..end].rfind(open).filter(|start| !text[*start..end].contains('\n'));
            match pair {
                Some(start) if start < end => {
                    text.replace_range(start..end + close.len(), "X");
                    from = start + 1;
                }
                _ => from = end + close.len(),
            }
        }
    }
    text
}

/// The clause behind a comma that should be a sentence of its own.
fn splice(message: &str) -> Option<String> {
    let text = plain(message);
    let sentences = text.split([';', ':', '\n']).flat_map(|part| part.split(". "));
    sentences.flat_map(spliced).next()
}

fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_'#".contains(c);
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn spliced(sentence: &str) -> Option<String> {
    let parts: Vec<&str> = sentence.split(", ").collect();
    let verb = |words: &[String]| words.iter().position(|word| VERBS.contains(&word.as_str()));
    let opening = words(parts[0]).into_iter().next()?;
    let is_amount = ["at most", "at least"].iter().any(|amount| sentence.trim_start().starts_with(amount));
    if OPENINGS.contains(&opening.as_str()) && !is_amount {
        return None;
    }
    let is_clause = |at: usize| {
        let (before, own) = (words(&parts[..at].join(" ")), words(parts[at]));
        let Some(first) = own.first().filter(|first| !TIES.contains(&first.as_str())) else { return false };
        let follows = verb(&before).is_some();
        if follows && (REQUESTS.contains(&first.as_str()) || is_ellipsis(&own)) {
            return true;
        }
        let relative = ["which", "whose", "who", "that", "where", "when", "if", "and", "or", "to"];
        let clause = verb(&own).filter(|verb| (1..=7).contains(verb));
        clause.is_some_and(|verb| !own[..verb].iter().any(|word| relative.contains(&word.as_str())))
    };
    (1..parts.len()).find(|at| is_clause(*at)).map(|at| parts[at].to_owned())
}

/// `the destination X`, `X in the source`: a clause without its verb.
fn is_ellipsis(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words[..],
        ["the" | "its", _, "x"]
            | ["x", "of" | "in", _]
            | ["x", "of" | "in", "the", _]
            | ["mode", "x", "of", "x", "x"]
    )
}

/// The faults of a message of a crate.
fn faults(owner: &str, message: &str) -> Vec<String> {
    let clause = splice(message).map(|clause| format!("a comma joins two clauses: \"{clause}\""));
    let phrases = PHRASES.iter().filter(|(phrase, _)| message.contains(phrase));
    let padded = format!(" {} ", words(&plain(message)).join(" "));
    let is_used = |word: &str| padded.contains(&format!(" {} ", word.to_lowercase()));
    let about_mmas = ABOUT_MMAS.contains(&owner);
    let words = WORDS.iter().filter(|(word, _)| about_mmas && is_used(word));
    let named = phrases.chain(words).map(|(word, better)| format!("write {better:?} instead of {word:?}"));
    clause.into_iter().chain(named).collect()
}

/// The string literals of a source, each with the number of its line. Tests and comments are left
/// out, and line breaks within a literal.
fn literals(source: &str) -> Vec<(usize, String)> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut rest = code.char_indices().peekable();
    let line = |at: usize| 1 + code[..at].matches('\n').count();
    while let Some((at, c)) = rest.next() {
        match c {
            '/' if code[at..].starts_with("//") => while rest.next_if(|(_, c)| *c != '\n').is_some() {},
            '\'' => {
                // A character; otherwise a lifetime.
                let quoted = &code[at + 1..];
                let length = quoted.char_indices().skip(1).find(|(i, c)| *c == '\'' && &quoted[..*i] != "\\");
                if let Some((length, _)) =
                    length.filter(|(i, _)| quoted.starts_with('\\') || quoted[..*i].chars().count() == 1)
                {
                    while rest.next_if(|(i, _)| *i <= at + 1 + length).is_some() {}
                }
            }
            'r' if code[at + 1..].trim_start_matches('#').starts_with('"') => {
                let hashes = code[at + 1..].len() - code[at + 1..].trim_start_matches('#').len();
                let begin = at + 2 + hashes;
                let length = code[begin..].find(&format!("\"{}", "#".repeat(hashes))).unwrap_or(0);
                while rest.next_if(|(i, _)| *i <= begin + length).is_some() {}
                found.push((line(at), code[begin..begin + length].to_owned()));
            }
            '"' => {
                let mut text = String::new();
                while let Some((_, c)) = rest.next() {
                    match (c, rest.peek().map(|(_, next)| *next)) {
                        ('"', _) => break,
                        ('\\', Some('\n')) => while rest.next_if(|(_, c)| c.is_whitespace()).is_some() {},
                        ('\\', Some('n')) => {
                            rest.next();
                            text.push('\n');
                        }
                        ('\\', Some(next)) => {
                            rest.next();
                            text.push(next);
                        }
                        (c, _) => text.push(c),
                    }
                }
                found.push((line(at), text));
            }
            _ => {}
        }
    }
    found
}

/// The lines of `--help` that a source has as comments: those of options and of their values.
fn help(source: &str) -> Vec<(usize, String)> {
    let (mut found, mut block) = (Vec::new(), Vec::new());
    for (at, line) in source.lines().enumerate() {
        let line = line.trim_start();
        if let Some(text) = line.strip_prefix("/// ") {
            block.push((at + 1, text.to_owned()));
            continue;
        }
        let is_value = line.strip_suffix(',').is_some_and(|name| name.chars().all(char::is_alphanumeric));
        if line.starts_with("#[arg(") || is_value && source.contains("ValueEnum") {
            found.append(&mut block);
        }
        block.clear();
    }
    found
}

#[test]
fn messages_are_sentences_in_the_words_of_the_field() {
    let mut found = Vec::new();
    for file in sources(&root().join("crates")) {
        let name = file.strip_prefix(root()).expect("a file of the project").to_string_lossy().into_owned();
        let mut folders = name.split('/');
        let owner = folders.nth(1).and_then(|part| part.strip_prefix("cute-")).unwrap_or_default().to_owned();
        if folders.next() != Some("src") || name.ends_with("tests.rs") {
            continue;
        }
        let source = fs::read_to_string(&file).expect("a file");
        for (line, message) in literals(&source).into_iter().filter(|(_, text)| text.contains(' ')) {
            found.extend(
                faults(&owner, &message).iter().map(|fault| format!("{name}:{line}: {fault}: {message}")),
            );
        }
        for (line, text) in help(&source) {
            let words = faults(&owner, &text).into_iter().filter(|fault| fault.starts_with("write"));
            found.extend(words.map(|fault| format!("{name}:{line}: {fault}: {text}")));
        }
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

/// Messages as they once were.
const ONCE: &[&str] = &[
    "{what} must be a multiple of {of}, those of a block of {mode}, not {extent}",
    "the update of a descriptor is supported where each of its modes is one of the tensor, tma_gbasis is {basis}",
    "an atom of boxes: no type names the executable form of others",
    "a store of elements that are packed in global memory only",
    "constraints for another number of operands",
    ".cta_group::2 behind .cta_group::1: ptxas takes only one of them in a kernel",
    "the identity, which is a swizzle too, parts what does not meet",
    "a type has a leaf for each that its value has",
    "mode 0 of {name} has {} elements, a thread has {own} of {which} in one call of the atom",
    "descriptors count in units of 16 bytes, {which} is known to be aligned to {align}: align its memory",
    "the TMA finds boxes by coordinates, a coord_tensor, the {what} is {}",
    "{s} separates neighbours: it keeps 2^{} elements together, a call copies {values}",
    "swizzle = auto is for a tile without a swizzle, the result has {}",
    "the address of tensor memory lies in an i32 of smem, the pointer is to {elem} in {}",
    "operand #1: the count {count} is dynamic, a static one is required",
    "'cute.gemm' op of {m} x {n} x {k} calls is not supported, {MOST} calls are; slice K and write a loop",
    "`{op}` ({location}) by {} expects bytes, and is not an arrival",
    "{bytes} bytes of local memory, a thread has at most {limit}",
    "warp {warp} of the block reaches lanes {first} to {} of tensor memory, and the address has lane {lane}",
    "--shared {asked} is too small, it needs {needed} bytes of dynamic shared memory: leave --shared out",
    "ptxas compiles the kernel slowly:\n{text}",
    "launches kernel 'k', which the device would refuse: a grid {grid}, {target} has at most {}",
    "the source holds {}, the destination {}",
    "at most {MAX} are printed, slice the layout first",
    "a tile of {m} x {n} has {sums} sums for each of {} threads",
    "{blocks} blocks cannot bring equal parts of a tile",
];

#[test]
fn faults_of_messages_are_found() {
    for message in ONCE {
        assert!(!faults("sim", message).is_empty(), "{message}");
    }
    for message in [
        "{what} is {extent}, but must be a multiple of {of}, the extent of a {mode} block",
        "if no bits collide, the identity swizzle separates them",
        "{name} takes values in [0, 4), which {} has",
        "the operation must be one of a, b and c, found {found}",
        "between an integer and a tuple, only a 0 on the right can be subtracted",
    ] {
        assert_eq!(faults("sim", message), Vec::<String>::new(), "{message}");
    }
    assert!(faults("algebra", "the sums of two products").is_empty());
    let source = "let a = 'x'; // \"a comment, it is one\"\nlet b: &'a str = \"one \\\n   two\\n\"; let c = '\"';\nf(\"3\")";
    assert_eq!(literals(source), [(2, "one two\n".to_owned()), (4, "3".to_owned())]);
}
