//! Answers about all sizes of a launch.

use std::ffi::c_char;

use cute_launch::{
    Host, Ptx,
    bind::{Arguments, Face, Given, NoFiles, Sms, Variables},
    ptx::is_ptx,
};
use cute_manifest::Manifest;
use cute_prove::{Answer, Asked, Called, question};
use cute_session::{Emit, Request, Source};
use cute_sim::Program;

use crate::{
    Failure, Status,
    arguments::{elements, text},
    calls::run,
    result::{CuteResult, Parts, REPORT, REPORT_JSON},
    session::CuteSession,
    simulate::{CuteLaunch, decoded, extents, json, loaded},
};

/// `cute_question`.
#[repr(C)]
pub struct CuteQuestion {
    launch: *const CuteLaunch,
    function: *const c_char,
    arguments: *const *const c_char,
    count: usize,
    arrays: *const *const c_char,
    array_count: usize,
    first: i64,
    seconds: f64,
    through_ptx: i32,
}

/// `cute_prove`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_prove(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    question: *const CuteQuestion,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let own = question.as_ref().ok_or_else(|| Failure::argument("the question is null"))?;
            answer(session, source, own, parts)
        })
    }
}

/// # Safety
/// As for [`cute_prove`].
unsafe fn answer(
    session: &CuteSession,
    source: Source,
    own: &CuteQuestion,
    parts: &mut Parts,
) -> Result<(), Failure> {
    if let Some(option) = session.unused_in_proofs() {
        return Err(Failure::argument(format!("option '{option}' has no use in a proof")));
    }
    // SAFETY: promised by the caller.
    let (launch, arguments, arrays) = unsafe {
        let launch = match own.launch.as_ref() {
            Some(launch) => {
                Asks::Kernel(launch, text("the name of the kernel", launch.kernel)?.map(str::to_owned))
            }
            None => Asks::Host(text("the name of the function", own.function)?),
        };
        let arguments = texts("the arguments", own.arguments, own.count)?;
        (launch, arguments, texts("the arrays", own.arrays, own.array_count)?)
    };
    let question = question(own.first, own.seconds, Face::C)?;
    let file = source.name.clone();
    let Subject { program, manifest, target, hosts, host } =
        subject(session, source, &launch, own.through_ptx != 0, parts)?;
    let called = match (&launch, &host) {
        (Asks::Kernel(launch, name), _) => {
            Called::Kernel { name: name.as_deref(), extents: extents(launch), hosts: &hosts }
        }
        (Asks::Host(_), host) => Called::Host(host.as_ref().expect("it was read with the module")),
    };
    let asked = Asked {
        program: &program,
        manifest: &manifest,
        file: &file,
        called,
        target,
        arguments: Arguments {
            given: &arguments,
            arrays: &arrays,
            variables: Variables { given: &[], program: Some(&program) },
            memory: 1 << 30,
            sms: Sms(None),
            files: &NoFiles(|file| format!("the library reads no files, and does not read '{file}'")),
            face: Face::C,
        },
        checks: session.checks.clone(),
    };
    let answered = asked.answered(question)?;
    parts.set(REPORT, answered.to_string());
    parts.set(REPORT_JSON, json(&answered));
    let why = match &answered.answer {
        Answer::Proved(_) => return Ok(()),
        Answer::Counterexample { n, .. } => format!("the kernel is wrong for n = {n}"),
        Answer::Undecided { .. } => "it is not decided whether the kernel is right for every n".to_owned(),
    };
    Err(Failure::new(Status::Findings, why))
}

/// The function that a question is about.
enum Asks<'a> {
    Kernel(&'a CuteLaunch, Option<String>),
    Host(Option<&'a str>),
}

/// A text as a question is about it.
struct Subject {
    program: Program,
    manifest: Manifest,
    target: cute_arch::Target,
    hosts: Vec<String>,
    host: Option<Host>,
}

fn subject(
    session: &CuteSession,
    source: Source,
    asks: &Asks<'_>,
    through_ptx: bool,
    parts: &mut Parts,
) -> Result<Subject, Failure> {
    if is_ptx(&source.text) {
        if matches!(asks, Asks::Host(_)) {
            return Err(Failure::argument("PTX has no host functions; the question needs a launch"));
        }
        let own = loaded(session, source, parts)?;
        let (program, manifest, target) = (own.program, own.manifest, own.target);
        return Ok(Subject { program, manifest, target, hosts: Vec::new(), host: None });
    }
    let settings = session.settings()?;
    let (name, target) = (format!("{}.ptx", source.name), settings.target);
    session.call(parts, |s| {
        s.parsed(source, session.domain, |parsed| {
            let hosts = parsed.hosts();
            let host = match asks {
                Asks::Host(function) => Some(parsed.host(*function)?),
                Asks::Kernel(..) => None,
            };
            let (program, manifest) = match through_ptx {
                true => {
                    let mut lowered = parsed.lower(&settings)?;
                    let manifest = lowered.manifest()?;
                    let request = Request { emit: Emit::Ptx, ..session.request()? };
                    let ptx = s.product(&mut lowered, &request)?.bytes;
                    (Ptx::read(&name, &String::from_utf8_lossy(&ptx), None)?.program, manifest)
                }
                false => decoded(parsed, &settings)?,
            };
            Ok(Subject { program, manifest, target, hosts, host })
        })
    })
}

/// The texts of an array.
///
/// # Safety
/// `at` is null, or has `count` readable texts that end in NULs.
unsafe fn texts(what: &str, at: *const *const c_char, count: usize) -> Result<Vec<Given>, Failure> {
    // SAFETY: promised by the caller.
    let all = unsafe { elements(what, at, count) }?;
    let given = |at: &*const c_char| {
        // SAFETY: promised by the caller.
        let own = unsafe { text(what, *at) }?;
        let own = own.ok_or_else(|| Failure::argument(format!("{what} have a null pointer")))?;
        Ok(Given::Text(own.to_owned()))
    };
    all.iter().map(given).collect()
}
