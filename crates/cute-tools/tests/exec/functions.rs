//! `docs/programs.md` lists the functions of CUDA, and the lists of names have each that is
//! answered. `UPDATE_DOCS=1 cargo test -p cute-tools --test exec functions` updates the page.

use std::collections::BTreeMap;

use cute_cuda::api::{Function, functions, plain};
use cute_cuda_stubs::{FunctionName, driver, runtime};

use super::*;

/// The answer to a function: the first one of its name, for whichever version.
fn answer(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name.split('@').next() == Some(plain(name).0))
}

/// Names in lines of at most 130 columns.
fn wrapped(names: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for (index, name) in names.iter().enumerate() {
        let comma = if index + 1 < names.len() { "," } else { "" };
        let length = name.len() + comma.len();
        if column > 0 && column + 1 + length > 130 {
            text += "\n";
            column = 0;
        } else if column > 0 {
            text += " ";
            column += 1;
        }
        text += &format!("{name}{comma}");
        column += length;
    }
    text
}

/// The functions of a library by what becomes of a call.
fn section(title: &str, names: &[FunctionName]) -> String {
    let code = |name: &FunctionName| match name.versions.as_slice() {
        [version] => format!("`{}` ({version})", name.name),
        _ => format!("`{}`", name.name),
    };
    let (mut answered, mut ignored, mut refused) = (Vec::new(), BTreeMap::<_, Vec<_>>::new(), Vec::new());
    for name in names {
        match answer(name.name) {
            Some(Function { ignored: Some(why), .. }) => ignored.entry(*why).or_default().push(code(name)),
            Some(_) => answered.push(code(name)),
            None => refused.push(code(name)),
        }
    }
    let mut text = format!("### {title}\n\nAnswered: {} of {}.\n\n", answered.len(), names.len());
    text += &format!("{}\n", wrapped(&answered));
    if !ignored.is_empty() {
        text += "\nThese return success and do nothing:\n\n| functions | reason |\n|---|---|\n";
        for (why, names) in ignored {
            text += &format!("| {} | {why} |\n", names.join(", "));
        }
    }
    text + &format!("\nNot supported:\n\n{}\n", wrapped(&refused))
}

#[test]
fn the_page_lists_the_functions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/programs.md");
    let page = fs::read_to_string(&path).expect("the page");
    let begin = "<!-- functions: UPDATE_DOCS=1 cargo test -p cute-tools --test exec functions -->\n";
    let end = "<!-- end -->";
    let (head, rest) = page.split_once(begin).expect("the beginning of the list");
    let (list, tail) = rest.split_once(end).expect("the end of the list");
    let lists = [section("The runtime", &runtime()), section("The driver", &driver())];
    let expected = format!("\n{}\n", lists.join("\n"));
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).expect("the page is written");
    } else {
        assert!(list == expected, "run UPDATE_DOCS=1 cargo test -p cute-tools --test exec functions");
    }
}

#[test]
fn each_answer_has_a_name_of_cuda() {
    let names: Vec<_> = runtime().into_iter().chain(driver()).collect();
    assert!(names.len() > 1000 && names.iter().all(|name| !name.versions.is_empty()));
    let mut seen = std::collections::BTreeSet::new();
    for function in functions() {
        assert!(seen.insert(function.name), "{} is answered twice", function.name);
        let (name, version) = function.name.split_once('@').unwrap_or((function.name, ""));
        let known = names.iter().find(|known| known.name == name);
        let known = known.unwrap_or_else(|| panic!("CUDA has no function {name}"));
        let is_of = |version: &str| known.versions.iter().any(|known| known.to_string() == version);
        assert!(version.is_empty() || is_of(version), "CUDA {version} has no {name}");
    }
}
