//! Sessions: options, and the callback for diagnostics.

use std::{
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    ptr,
    str::FromStr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use cute_algebra::Domain;
use cute_arch::Target;
use cute_driver::ptxas;
use cute_launch::{Allow, sample::MOST_SCHEDULES, simulate::Checks};
use cute_session::{Cache, Emit, Listener, ProducerProfile, ReportSeverity, Request, Session};
use cute_sim::Schedule;

use crate::{
    API, Failure, Status,
    arguments::text,
    callback::{Callback, UserCallback},
    loaded::library,
    result::{DIAGNOSTICS, Parts, c_string},
};

/// `cute_session`.
pub struct CuteSession {
    pub(crate) emit: Emit,
    pub(crate) domain: Option<Domain>,
    profile: ProducerProfile,
    settings: cute_driver::Options,
    /// Whether the target of the settings was set.
    has_target: bool,
    ptxas: ptxas::Options,
    /// Budget and checks. Their schedule is not used.
    pub(crate) checks: Checks,
    /// The only schedule, if one was chosen.
    pub(crate) schedule: Option<Schedule>,
    /// Otherwise, the number of schedules, if one was chosen.
    pub(crate) schedules: Option<u32>,
    /// The file that describes the parameters of PTX, and the name that it was given by.
    pub(crate) manifest: Option<(PathBuf, String)>,
    /// Whether arrays are written back after findings, too.
    pub(crate) keep_arrays: bool,
    cache: Option<Cache>,
    listener: Option<UserCallback>,
    message: CString,
}

impl CuteSession {
    fn new() -> Self {
        Self {
            emit: Emit::Ptx,
            domain: None,
            profile: ProducerProfile::Auto,
            settings: cute_driver::Options::new(Target::Sm90a),
            has_target: false,
            ptxas: ptxas::Options { beside_executable: false, ..ptxas::Options::default() },
            checks: Checks::default(),
            schedule: None,
            schedules: None,
            manifest: None,
            keep_arrays: false,
            cache: None,
            listener: None,
            message: CString::default(),
        }
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), Failure> {
        let wrong = |expected: &str| {
            Failure::argument(format!("option '{option}' must be {expected}, found '{value}'"))
        };
        let switch = || value.parse::<bool>().map_err(|_| wrong("true or false"));
        if self.settings.set(option, value)? {
            self.has_target |= option == "target";
            return Ok(());
        }
        match option {
            "emit" => self.emit = Emit::of_name(value).map_err(|names| wrong(&names))?,
            "domain" => self.domain = Some(value.parse().map_err(|_| wrong("strict or extend"))?),
            "profile" => {
                let profile = value.parse::<ProducerProfile>();
                self.profile =
                    profile.map_err(|why| Failure::argument(format!("option 'profile': {why}")))?;
            }
            "ptxas" => self.ptxas.file = Some(absolute(option, value)?),
            "ptxas-option" => self.ptxas.arguments.push(value.into()),
            "ptxas-timeout" => {
                let seconds = value.parse().map_err(|_| wrong("a number of seconds"))?;
                self.ptxas.limit = Duration::from_secs(seconds);
            }
            "cache" => self.cache = Some(Cache::open(&absolute(option, value)?, &library())?),
            "races" => self.checks.races = switch()?,
            "strict-isa" => self.checks.strict_isa = switch()?,
            "keep-arrays" => self.keep_arrays = switch()?,
            "allow" => {
                let entry = value.parse::<Allow>();
                self.checks
                    .allow
                    .push(entry.map_err(|why| Failure::argument(format!("option 'allow': {why}")))?);
            }
            "html" => self.checks.banks = switch()?,
            "schedule" => {
                let schedule = FromStr::from_str(value);
                self.schedule = Some(schedule.map_err(|_| wrong("lazy, eager, reverse or a seed"))?);
                self.schedules = None;
            }
            "schedules" => {
                let number = value.parse().ok().filter(|n| (1..=MOST_SCHEDULES).contains(n));
                self.schedules =
                    Some(number.ok_or_else(|| wrong(&format!("a number from 1 to {MOST_SCHEDULES}")))?);
                self.schedule = None;
            }
            "only-blocks" => {
                let only = value.parse();
                self.checks.only =
                    Some(only.map_err(|why| Failure::argument(format!("option 'only-blocks': {why}")))?);
            }
            "manifest" => self.manifest = Some((absolute(option, value)?, value.to_owned())),
            "pedantic" => self.checks.pedantic = switch()?,
            "strict-ptx" => self.checks.strict_ptx = switch()?,
            "allow-overflow" => self.checks.overflow = !switch()?,
            "elect" => {
                let elect = FromStr::from_str(value);
                self.checks.elect = Some(elect.map_err(|_| wrong("first, last or a lane from 0 to 31"))?);
            }
            "budget" => {
                self.checks.budget = Some(value.parse().map_err(|_| wrong("a number of instructions"))?);
            }
            _ => {
                return Err(Failure::argument(format!(
                    "there is no option '{option}'; cute.h lists the options"
                )));
            }
        }
        Ok(())
    }

    /// The target, if it was set.
    pub(crate) fn target(&self) -> Option<Target> {
        self.has_target.then_some(self.settings.target)
    }

    /// An option that is set and has no use in a proof.
    pub(crate) fn unused_in_proofs(&self) -> Option<&'static str> {
        let Checks { elect, only, strict_ptx, races, pedantic, allow, overflow, banks, .. } = &self.checks;
        let set = [
            ("races", !races),
            ("keep-arrays", self.keep_arrays),
            ("allow", !allow.is_empty()),
            ("html", *banks),
            ("schedule", self.schedule.is_some()),
            ("schedules", self.schedules.is_some()),
            ("only-blocks", only.is_some()),
            ("pedantic", *pedantic),
            ("strict-ptx", *strict_ptx),
            ("allow-overflow", !overflow),
            ("elect", elect.is_some()),
        ];
        set.into_iter().find(|(_, is_set)| *is_set).map(|(name, _)| name)
    }

    /// The steps up to PTX.
    pub(crate) fn settings(&self) -> Result<cute_driver::Options, Failure> {
        match self.has_target {
            true => Ok(self.settings.clone()),
            false => {
                Err(Failure::argument("the session has no target; set the option 'target', such as sm_90a"))
            }
        }
    }

    pub(crate) fn request(&self) -> Result<Request, Failure> {
        let (settings, ptxas) = (self.settings()?, self.ptxas.clone());
        Ok(Request { emit: self.emit, domain: self.domain, settings, ptxas })
    }

    /// Makes a call, whose diagnostics go to the callback and into its parts.
    pub(crate) fn call<T>(
        &self,
        parts: &mut Parts,
        call: impl FnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let heard = Arc::new((AtomicBool::new(false), Mutex::new((String::new(), None))));
        let (shared, listener) = (heard.clone(), self.listener);
        let session = Session::new(Listener::new(move |report| {
            let (closed, all) = &*shared;
            if closed.load(Ordering::Relaxed) {
                return;
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.0.push_str(&report.text);
            if report.severity == ReportSeverity::Error {
                all.1.get_or_insert_with(|| report.clone());
            }
            drop(all);
            if let Some(listener) = listener {
                closed.store(!listener.hear(report), Ordering::Relaxed);
            }
        }));
        let done = call(&session.in_one_thread().with_cache(self.cache.clone()).with_profile(self.profile));
        let (closed, all) = &*heard;
        let (all, first) = std::mem::take(&mut *all.lock().unwrap_or_else(PoisonError::into_inner));
        if !all.is_empty() {
            parts.set(DIAGNOSTICS, all);
        }
        match closed.load(Ordering::Relaxed) {
            true => Err(Failure::new(Status::Closed, "the callback for diagnostics asked to stop")),
            false => done.map_err(|failure: Failure| failure.after(first)),
        }
    }
}

/// The path of an option, which a change of the working folder does not change.
fn absolute(option: &str, value: &str) -> Result<PathBuf, Failure> {
    std::path::absolute(value)
        .map_err(|_| Failure::argument(format!("option '{option}' must be a path, found '{value}'")))
}

/// The session at a pointer.
///
/// # Safety
/// `session` is null or a session that nobody changes for `'a`.
pub(crate) unsafe fn shared<'a>(session: *const CuteSession) -> Result<&'a CuteSession, Failure> {
    // SAFETY: promised by the caller.
    unsafe { session.as_ref() }.ok_or_else(|| Failure::argument("the session is null"))
}

/// Changes a session, and keeps the message of a failure in it.
///
/// # Safety
/// `session` is null or a session that no other thread uses meanwhile.
unsafe fn change(
    session: *mut CuteSession,
    change: impl FnOnce(&mut CuteSession) -> Result<(), Failure>,
) -> Status {
    // SAFETY: promised by the caller.
    let Some(session) = (unsafe { session.as_mut() }) else { return Status::InvalidArgument };
    let done = catch_unwind(AssertUnwindSafe(|| change(session)));
    let done = done.unwrap_or_else(|panic| Err(Failure::panic(&*panic)));
    let Failure { status, message, .. } = done.err().unwrap_or(Failure::new(Status::Ok, ""));
    session.message = c_string(message);
    status
}

/// `cute_session_create`.
///
/// # Safety
/// `session` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_session_create(api: u32, session: *mut *mut CuteSession) -> Status {
    if session.is_null() {
        return Status::InvalidArgument;
    }
    let (made, status) = match api {
        API => (Box::into_raw(Box::new(CuteSession::new())), Status::Ok),
        _ => (ptr::null_mut(), Status::WrongVersion),
    };
    // SAFETY: promised by the caller.
    unsafe { session.write(made) };
    status
}

/// `cute_session_destroy`.
///
/// # Safety
/// `session` is null or a session, which is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_session_destroy(session: *mut CuteSession) {
    if !session.is_null() {
        // SAFETY: promised by the caller; it comes from a box.
        drop(unsafe { Box::from_raw(session) });
    }
}

/// `cute_session_set`.
///
/// # Safety
/// `session` is as for [`change`]; the texts are null or end in a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_session_set(
    session: *mut CuteSession,
    option: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        change(session, |session| {
            let null = |what| Failure::argument(format!("the {what} is null"));
            let option = text("the option", option)?.ok_or_else(|| null("option"))?;
            let value = text("the value", value)?.ok_or_else(|| null("value"))?;
            session.set(option, value)
        })
    }
}

/// `cute_session_message`.
///
/// # Safety
/// `session` is null or a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_session_message(session: *const CuteSession) -> *const c_char {
    // SAFETY: promised by the caller.
    unsafe { session.as_ref() }.map_or(c"the session is null".as_ptr(), |session| session.message.as_ptr())
}

/// `cute_session_on_diagnostic`.
///
/// # Safety
/// `session` is as for [`change`]; the callback can be called with `user` until it is replaced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_session_on_diagnostic(
    session: *mut CuteSession,
    callback: Option<Callback>,
    user: *mut c_void,
) -> Status {
    // SAFETY: promised by the caller.
    unsafe {
        change(session, |session| {
            session.listener = callback.map(|callback| UserCallback { callback, user });
            Ok(())
        })
    }
}
