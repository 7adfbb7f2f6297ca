//! The page for front ends lists the forms that belong to some profiles only. `UPDATE_DOCS=1 cargo
//! test -p cute-import --test profiles` renews the list.

use std::{env, fs, path::Path};

use cute_import::{ProducerProfile, profile::FORMS};

const BEGIN: &str = "<!-- forms -->\n";
const END: &str = "<!-- end of forms -->\n";

fn page() -> (String, std::path::PathBuf) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/backends.md");
    (fs::read_to_string(&path).expect("the page is there"), path)
}

#[test]
fn the_page_lists_the_forms() {
    let mut table = String::from("| form | written by | source |\n|---|---|---|\n");
    for form in FORMS {
        table += &format!("| {} | {} | {} |\n", form.described(), form.writers(), form.source());
    }
    let (text, path) = page();
    let (before, rest) = text.split_once(BEGIN).expect("the list has a beginning");
    let (list, after) = rest.split_once(END).expect("the list has an end");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page is written");
    } else {
        assert_eq!(list, table, "run UPDATE_DOCS=1 cargo test -p cute-import --test profiles");
    }
}

#[test]
fn the_page_explains_each_profile() {
    let (text, _) = page();
    for profile in ProducerProfile::ALL {
        assert!(text.contains(&format!("`{profile}`")), "{profile}");
    }
}

#[test]
fn forms_of_the_first_version_are_refused_in_later_ones() {
    let load =
        "%a = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%m) <{kind = <sm_90> internal_type = tf32}> : T";
    let origin = "%i = cute.get_iter(%t) : !cute.coord_tensor<\"(0,0)\", \"(4,4):(1@0,1@1)\">\n\
                  %l:2 = cute.get_leaves(%i) : !cute.int_tuple<\"(0,0)\">";
    for text in [load, origin] {
        for (profile, is_refused) in
            [("auto", false), ("dsl-4.3", false), ("dsl-4.4", true), ("dsl-4.7", true), ("zml", true)]
        {
            let refused = profile.parse::<ProducerProfile>().expect("a profile").refused(text);
            assert_eq!(!refused.is_empty(), is_refused, "{profile}: {text}");
            let names = |one: &cute_import::profile::RefusedOp| one.to_string().contains("CuTe DSL 4.3, but");
            assert!(refused.iter().all(names), "{refused:?}");
        }
    }
}
