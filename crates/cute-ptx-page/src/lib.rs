//! The simulator of PTX as WebAssembly, without imports, for a page that runs kernels. The page
//! exchanges requests and answers with the module, as [`cute_exchange`] describes. The module has
//! no rules of its own: a launch is one of `cute-launch`.
//!
//! | export | meaning |
//! |---|---|
//! | `simulate()` | answers a [`PageRequest`] in JSON with the report of `cutec run --report json`, or a [`Failure`], which says why there is none |
//! | `show()` | the same as `report`, beside `html`: the page that `cutec run --html` writes |
//! | `autopsy()` | what the words of mbarriers say about a hang, in words: that of `cutec autopsy` |
//! | `describe()` | the kernels of a text, their parameters, and a guess of a launch of each: see [`mod@describe`] |
//!
//! A panic aborts, and the memory is then in an unknown state: the page must start a new instance.

#![deny(missing_docs)]

mod autopsy;
pub mod describe;
mod flow;
mod guess;
mod request;

pub use request::{Error, PageRequest};

use cute_launch::{
    Job, LaunchesFile, Ptx,
    bind::{Arguments, Face, Given, NoFiles, Sms, Variables},
    failure::Failure,
    job::Place,
    launch::the_kernel,
    report::Reports,
    simulate::Checks,
    simulator::{Simulator, unfollowed},
};
use cute_report::{
    page::{Context, ENDED, Page},
    timeline::{Blocks, LaunchRecorder},
};
use serde::Serialize;
use std::path::Path;

/// Answers the request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn simulate() -> usize {
    cute_exchange::answer(answer)
}

/// Answers the request with the report and its page.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn show() -> usize {
    cute_exchange::answer(|request| written(PageRequest::read(request).and_then(|request| shown(&request))))
}

/// Answers the request with a post-mortem.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn autopsy() -> usize {
    cute_exchange::answer(|request| written(autopsy::autopsy(request)))
}

/// Answers the request with the kernels of a text.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn describe() -> usize {
    cute_exchange::answer(|request| written(describe::describe(request)))
}

/// The report of a request in JSON, or an object with the error.
pub fn answer(request: &[u8]) -> String {
    let unwatched = |request| reports(&request, None);
    written(PageRequest::read(request).and_then(unwatched))
}

/// An answer in JSON, or an object with the error.
fn written(answer: Result<impl Serialize, Error>) -> String {
    let text = answer.and_then(|answer| Ok(serde_json::to_string(&answer)?));
    text.unwrap_or_else(|error| {
        let place = error.place();
        let failure = Failure::new(error.id(), error.to_string(), place);
        serde_json::to_string(&failure).expect("a failure has a form in JSON")
    })
}

/// A report, and the page about it.
#[derive(Serialize)]
struct Shown {
    report: Reports,
    html: String,
}

/// Runs the kernel of a request, and writes the page about the run.
fn shown(request: &PageRequest) -> Result<Shown, Error> {
    let recorded = LaunchRecorder::new(Blocks::default());
    let reports = reports(request, Some(&recorded))?;
    let timeline = recorded.take();
    let interrupted = (!timeline.is_whole()).then_some(ENDED);
    // A reader drops files, which have no folders.
    let of = |path: &str| request.sources.get(path.rsplit(['/', '\\']).next().unwrap_or(path)).cloned();
    let mut context = Context::default();
    context.find_sources((&request.file, &reports), &[], of);
    context.fact("version", env!("CARGO_PKG_VERSION"));
    context.fact("arguments", request.args.join("  "));
    let page = Page {
        file: &request.file,
        text: &request.ptx,
        reports: &reports,
        timeline: Some(&timeline),
        registers: &[],
        interrupted,
    };
    Ok(Shown { html: page.with(&context), report: reports })
}

/// Runs the kernel of a request, and records it for a page.
fn reports(request: &PageRequest, recorded: Option<&LaunchRecorder>) -> Result<Reports, Error> {
    let (name, checks) = (&request.file, request.checks()?);
    let checks =
        Checks { watcher: recorded.map(LaunchRecorder::watcher), banks: recorded.is_some(), ..checks };
    let mut ptx = Ptx::read(name, &request.ptx, request.folder.as_deref().map(Path::new))?;
    if let Some(json) = &request.manifest {
        ptx.describe(&format!("{name}.json"), json)?;
    }
    let Ptx { manifest, target, program, warnings } = &ptx;
    let given = |texts: &[String]| texts.iter().cloned().map(Given::Text).collect::<Vec<_>>();
    let arguments = Arguments {
        given: &given(&request.args),
        arrays: &given(&request.arrays),
        variables: Variables { given: &given(&request.variables), program: Some(program) },
        memory: request.memory.saturating_mul(1 << 20),
        sms: Sms(request.sms),
        files: &NoFiles(|file| format!("'{file}' is not read: give the values of the array")),
        face: Face::Json,
    };
    let target = request.target()?.unwrap_or(*target);
    let job = match &request.launches {
        Some(launches) => {
            let file = LaunchesFile::read("launches", &launches.to_string())?;
            Job::of_operations(file, (manifest, name), &arguments, target)?
        }
        None => {
            let kernel = the_kernel(manifest, name, request.kernel.as_deref())?;
            Job::of_kernel(kernel, &request.extents()?, &arguments, target, &[])?
        }
    };
    let (schedule, schedules) = (request.schedule()?, request.schedules);
    let simulator = Simulator { program, checks, schedule, schedules, progress: &unfollowed };
    let mut reports = simulator.run(&job)?.reports;
    reports.warnings.clone_from(warnings);
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::{PageRequest, answer, describe, shown};
    use serde_json::{Value, json};

    const STORE: &str =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry store(.param .u64 p) {
        .reg .b64 %rd<3>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
        st.global.u32 [%rd1], %r1; ret; }";

    fn answered(more: Value) -> Value {
        let mut request =
            json!({"ptx": STORE, "file": "store.ptx", "grid": 1, "block": [32], "args": ["i32[1]"]});
        for (name, value) in more.as_object().into_iter().flatten() {
            request[name] = value.clone();
        }
        serde_json::from_str(&answer(request.to_string().as_bytes())).expect("answers are JSON")
    }

    #[test]
    fn a_request_is_answered_with_the_report() {
        let report = answered(json!({}));
        assert_eq!(report["version"], 1);
        assert_eq!(report["findings"][0]["kind"]["kind"], "race");
        let report = answered(json!({"races": false}));
        assert_eq!(report["findings"], json!([]));
        let report = answered(json!({"schedules": 2, "races": false}));
        assert_eq!(report["schedules"], json!(["lazy", "eager"]));
    }

    /// The guess of a launch is one, for every kernel of other compilers that is here.
    #[test]
    fn guessed_launches_begin() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["examples/bugs", "tests/foreign/cuda", "tests/foreign/triton"];
        let entries = folders.map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"));
        let files = entries.into_iter().flatten().map(|entry| entry.expect("an entry").path());
        // The files for one GPU, and the bugs, which have one file each.
        let is_ptx = |path: &std::path::PathBuf| {
            let name = path.to_string_lossy();
            name.ends_with(".ptx") && (name.contains("sm_90") || name.contains("/bugs/"))
        };
        let (mut kernels, mut wrong) = (0, Vec::new());
        for path in files.filter(is_ptx) {
            let text = std::fs::read_to_string(&path).expect("a file");
            let asked = json!({"ptx": text}).to_string();
            let description = describe::describe(asked.as_bytes()).expect("PTX has kernels");
            let description = serde_json::to_value(description).expect("JSON");
            for kernel in description["kernels"].as_array().expect("kernels") {
                let mut request = kernel["guess"].clone();
                request["kernel"] = kernel["name"].clone();
                (request["ptx"], request["budget"]) = (text.clone().into(), 1.into());
                let answer = answer(request.to_string().as_bytes());
                kernels += 1;
                if !answer.contains("\"findings\"") {
                    wrong.push(format!("{}: {}: {answer}", path.display(), kernel["readable"]));
                }
            }
        }
        assert!(wrong.is_empty() && kernels > 100, "{kernels} kernels: {}", wrong.join("\n"));
    }

    #[test]
    fn a_report_shows_the_sources_that_it_is_given() {
        let placed = STORE
            .replace("st.global", ".loc 1 2 3\n st.global")
            .replace(".visible", ".file 1 \"/src/store.cu\"\n.visible");
        let source = "int first;\n  x[0] = threadIdx.x; // <b>\n";
        let mut request =
            json!({"ptx": placed, "file": "store.ptx", "grid": 1, "block": [32], "args": ["i32[1]"]});
        let html = |request: &Value| {
            let asked = PageRequest::read(request.to_string().as_bytes()).expect("a request");
            let answer = serde_json::to_value(shown(&asked).expect("a report")).expect("JSON");
            assert_eq!(answer["report"]["findings"][0]["kind"]["kind"], "race");
            answer["html"].as_str().expect("a page").to_owned()
        };
        assert!(!html(&request).contains("x[0] = threadIdx.x"));
        request["sources"] = json!({"store.cu": source, "other.cu": "unrelated"});
        let page = html(&request);
        assert!(page.contains("x[0] = threadIdx.x; // &lt;b&gt;"), "{page}");
        assert!(!page.contains("unrelated") && page.contains("i32[1]"), "{page}");
    }

    #[test]
    fn launches_in_streams_are_run() {
        let launch = |stream: &str| json!({"launch": "store", "grid": [1], "block": [1], "args": ["&X"], "stream": stream});
        let copy = json!({"copy": {"from": "X", "to": "Y"}, "async": true, "stream": "t"});
        let answered = |second: &str| {
            let streams = json!({"s": "nonblocking", "t": "nonblocking"});
            let operations =
                json!([launch("s"), {"record": "e", "stream": second}, {"wait": "e", "stream": "t"}, copy]);
            let arrays = json!({"X": "i32[1]", "Y": "i32[1]"});
            answered(
                json!({"args": [], "launches": {"arrays": arrays, "streams": streams, "operations": operations}}),
            )
        };
        assert_eq!(answered("t")["launches"][0]["report"]["findings"][0]["kind"]["kind"], "race");
        assert_eq!(answered("s")["launches"][0]["report"]["findings"], json!([]));
    }

    #[test]
    fn a_wrong_request_is_answered_with_its_error() {
        for (more, why) in [
            (json!({"args": []}), "kernel 'store' has 1 parameter (p (.u64)), but there are 0 arguments"),
            (json!({"args": ["i32[1]", "i32[1]", "1"]}), "but there are 3 arguments"),
            (json!({"ptx": ".version 9.0\n.target sm_90a\n.address_size 64\n"}), "'store.ptx' has no kernel"),
            (
                json!({"grid": null}),
                "\"grid\" is missing: it must be one to three positive integers, or \"auto\"",
            ),
            (
                json!({"grid": [1, 0]}),
                "\"grid\" is [1,0], but must be one to three positive integers, or \"auto\"",
            ),
            (json!({"block": "1,2"}), "\"block\" is \"1,2\", but must be one to three positive integers"),
            (
                json!({"block": null}),
                "kernel 'store': it does not specify its block; give \"block\": [X,Y,Z]",
            ),
            (json!({"schedules": 0}), "\"schedules\" is 0, but must be 1 to 100000"),
            (json!({"budget": 0}), "\"budget\" is 0, but must be a positive number of instructions"),
            (
                json!({"schedule": "lazy", "schedules": 2}),
                "\"schedule\" is one order of events, and \"schedules\" a number of several: give one of the two",
            ),
            (json!({"allow": ["rice"]}), "\"allow\": there is no finding 'rice'"),
            (json!({"args": ["x.npy"]}), "'x.npy' is not read: give the values of the array"),
            (json!({"grids": 1}), "unknown field `grids`"),
            (json!({"target": "sm_1"}), "sm_1"),
            (
                json!({"launches": {"operations": [{"launch": "store"}]}}),
                "operations[0].grid: the field is missing",
            ),
        ] {
            let answer = answered(more.clone());
            let error = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(error.contains(why), "{more}: {answer}");
            assert_eq!(answer["version"], 1, "{answer}");
        }
        assert!(answer(b"[").contains("error"));
    }

    #[test]
    fn an_error_has_its_id_and_its_place() {
        let error = |more| answered(more)["error"].clone();
        assert_eq!(error(json!({"args": []}))["id"], "launch-argument-count");
        assert_eq!(error(json!({"grids": 1}))["id"], "request-form");
        assert_eq!(error(json!({"schedules": 0}))["id"], "request-field");
        let read = error(json!({"ptx": STORE.replace("%tid.x", "nobody")}));
        assert_eq!(
            (&read["id"], &read["place"]["file"]),
            (&json!("malformed-undeclared-name"), &json!("store.ptx"))
        );
        assert!(read["place"]["line"].is_u64(), "{read}");
    }
}
