//! A message for programs whose host touches memory of the device.
//!
//! Addresses of the device are ones that no process has, so that such an access ends the program by
//! a signal. Before it does, a handler says which memory it was. The processor does not tell the
//! address, for it raises a general protection fault; but a register holds it, or the start of the
//! allocation to which an index is added.

use std::{
    fmt::{self, Write},
    sync::{
        Once,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

/// An allocation: its address or 0, its bytes, and its number among all allocations.
struct Slot([AtomicU64; 3]);

/// The newest allocations of the device. A handler of signals may read them at any time.
static SLOTS: [Slot; 1024] = [const { Slot([const { AtomicU64::new(0) }; 3]) }; 1024];

static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Notes an allocation of the device.
pub fn note(address: u64, bytes: usize, number: u64) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(handler::install);
    let Slot([start, length, count]) = &SLOTS[NEXT.fetch_add(1, Relaxed) % SLOTS.len()];
    start.store(0, Relaxed);
    length.store(bytes as u64, Relaxed);
    count.store(number, Relaxed);
    start.store(address, Relaxed);
}

/// Forgets an allocation, if it was noted.
pub fn forget(address: u64) {
    let slot = SLOTS.iter().find(|Slot([start, ..])| start.load(Relaxed) == address);
    slot.iter().for_each(|Slot([start, ..])| start.store(0, Relaxed));
}

/// An allocation that an address is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    /// The number of the allocation, and its bytes.
    number: u64,
    bytes: u64,
    /// The byte of it.
    at: u64,
}

/// The noted allocation that an address is in.
fn find(address: u64) -> Option<Found> {
    SLOTS.iter().find_map(|Slot([start, length, count])| {
        let (start, bytes) = (start.load(Relaxed), length.load(Relaxed));
        let at = address.wrapping_sub(start);
        (start != 0 && at < bytes.max(1)).then(|| Found { number: count.load(Relaxed), bytes, at })
    })
}

/// A text of limited length, which needs no allocator.
struct Text {
    bytes: [u8; 1024],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let count = text.len().min(self.bytes.len() - self.length);
        self.bytes[self.length..][..count].copy_from_slice(&text.as_bytes()[..count]);
        self.length += count;
        Ok(())
    }
}

/// The message about an access, without its place.
fn describe(text: &mut Text, Found { number, bytes, at }: Found) {
    let _ = write!(
        text,
        "cutec exec: the host touches memory of the device: byte {at} of allocation {number} (cudaMalloc, {bytes} bytes)"
    );
}

/// The end of the message.
const REMEDY: &str = "; copy it with cudaMemcpy, or allocate it with cudaMallocManaged\n";

/// The handler where the registers are known: it may use no lock and no allocator.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod handler {
    use std::{
        ffi::{CStr, c_int, c_void},
        mem::MaybeUninit,
        ptr,
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    use super::{REMEDY, Text, Write, describe, find};

    /// The signals of an access to an address that no process has: the second one if the register
    /// is that of the stack or of its frame.
    const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

    /// The code of a signal that the kernel raises for a general protection fault.
    const OF_KERNEL: c_int = 0x80;

    /// The handlers of the program for these signals.
    static mut BEFORE: [MaybeUninit<libc::sigaction>; 2] = [MaybeUninit::zeroed(); 2];

    /// The file of this library, by the address at which it begins.
    static OWN: AtomicUsize = AtomicUsize::new(0);

    /// The file of the program.
    static MAIN: AtomicUsize = AtomicUsize::new(0);

    /// The registers that an instruction may compute an address from: all but the pointer to the
    /// stack. Arguments come first, for functions such as `memcpy`.
    const REGISTERS: [c_int; 15] = [
        libc::REG_RDI,
        libc::REG_RSI,
        libc::REG_RAX,
        libc::REG_RDX,
        libc::REG_RCX,
        libc::REG_RBX,
        libc::REG_R8,
        libc::REG_R9,
        libc::REG_R10,
        libc::REG_R11,
        libc::REG_R12,
        libc::REG_R13,
        libc::REG_R14,
        libc::REG_R15,
        libc::REG_RBP,
    ];

    /// Installs the handler in front of those of the program.
    pub(super) fn install() {
        // SAFETY: the handler has the signature of its flags. The library's own code and the entry
        // of the program are in files.
        unsafe {
            OWN.store(file_of(install as *const () as usize).map_or(0, |file| file.0), Relaxed);
            let entry = libc::getauxval(libc::AT_ENTRY) as usize;
            MAIN.store(file_of(entry).map_or(0, |file| file.0), Relaxed);
            for (at, signal) in SIGNALS.into_iter().enumerate() {
                let mut own: libc::sigaction = std::mem::zeroed();
                own.sa_sigaction = handle as *const () as usize;
                own.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                let before = (&raw mut BEFORE[at]).cast::<libc::sigaction>();
                libc::sigaction(signal, &raw const own, before);
            }
        }
    }

    /// The address at which the file begins whose code or data is at an address, and its path.
    fn file_of(address: usize) -> Option<(usize, *const libc::c_char)> {
        // SAFETY: the call fills in what it finds.
        unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            let found = libc::dladdr(ptr::without_provenance::<c_void>(address), &raw mut info);
            (found != 0 && !info.dli_fname.is_null()).then_some((info.dli_fbase as usize, info.dli_fname))
        }
    }

    /// Writes the file of an address without its folders, and the byte in it.
    fn place(text: &mut Text, address: usize) {
        let Some((start, path)) = file_of(address) else {
            let _ = write!(text, " at {address:#x}");
            return;
        };
        // SAFETY: it is the loader's text.
        let path = unsafe { CStr::from_ptr(path) }.to_bytes();
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let _ = write!(text, "{}+{:#x}", str::from_utf8(name).unwrap_or("?"), address - start);
    }

    /// The first address near the top of the stack that is one behind a call in the program.
    ///
    /// # Safety
    /// The stack has this top.
    unsafe fn caller(stack: usize) -> Option<usize> {
        let main = MAIN.load(Relaxed);
        (0..64).find_map(|word| {
            // SAFETY: above the frame of a function are those of its callers, up to `main`, and the
            // program's arguments. The program's code is mapped.
            unsafe {
                let address = *(ptr::with_exposed_provenance::<usize>(stack + 8 * word));
                let is_of_program =
                    file_of(address).is_some_and(|(start, _)| start == main && address > start + 8);
                let before = ptr::with_exposed_provenance::<u8>(address);
                // `call` of an address relative to it (E8), or in memory or a register (FF /2).
                let calls = is_of_program
                    && (*before.sub(5) == 0xe8
                        || (2..=7).any(|n| *before.sub(n) == 0xff && *before.sub(n - 1) >> 3 & 7 == 2));
                calls.then_some(address)
            }
        })
    }

    /// # Safety
    /// The system calls it.
    unsafe extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system passes both.
        let (info, context) = unsafe { (&*info, &*context.cast::<libc::ucontext_t>()) };
        let register = |number: c_int| context.uc_mcontext.gregs[number as usize].cast_unsigned();
        let code = register(libc::REG_RIP) as usize;
        let (own, main) = (OWN.load(Relaxed), MAIN.load(Relaxed));
        // A program may contain this library.
        let is_own = file_of(code).is_some_and(|(start, _)| start == own && own != main);
        let found = REGISTERS.iter().find_map(|number| find(register(*number)));
        if let Some(found) = found.filter(|_| info.si_code == OF_KERNEL && !is_own) {
            let mut text = Text { bytes: [0; 1024], length: 0 };
            describe(&mut text, found);
            let _ = text.write_str(", at ");
            place(&mut text, code);
            if file_of(code).is_some_and(|(start, _)| start != main) {
                // SAFETY: the register is that of the stack.
                if let Some(caller) = unsafe { caller(register(libc::REG_RSP) as usize) } {
                    let _ = text.write_str(", called before ");
                    place(&mut text, caller);
                }
            }
            let _ = text.write_str(REMEDY);
            // SAFETY: the text has this length.
            unsafe { libc::write(libc::STDERR_FILENO, text.bytes.as_ptr().cast(), text.length) };
        }
        // The instruction is executed again, and the signal does what it did before. One that a
        // program has sent does not come again by itself.
        let at = SIGNALS.iter().position(|own| *own == signal).unwrap_or_default();
        // SAFETY: the handler was installed after this was written.
        unsafe {
            libc::sigaction(signal, (&raw const BEFORE[at]).cast::<libc::sigaction>(), ptr::null_mut());
            if info.si_code <= 0 {
                libc::raise(signal);
            }
        }
    }
}

/// Without a handler, the signal ends the program without a message.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod handler {
    pub(super) fn install() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_is_found_by_its_bytes_until_it_is_freed() {
        let start = 0x7000_0000_0000_0000;
        note(start, 100, 7);
        assert_eq!(find(start + 99), Some(Found { number: 7, bytes: 100, at: 99 }));
        assert_eq!([find(start - 1), find(start + 100)], [None; 2]);
        forget(start);
        assert_eq!(find(start), None);
    }

    #[test]
    fn the_message_names_byte_and_allocation() {
        let mut text = Text { bytes: [0; 1024], length: 0 };
        describe(&mut text, Found { number: 3, bytes: 4096, at: 8 });
        let _ = text.write_str(REMEDY);
        let expected = "cutec exec: the host touches memory of the device: byte 8 of allocation 3 (cudaMalloc, 4096 bytes); \
                        copy it with cudaMemcpy, or allocate it with cudaMallocManaged\n";
        assert_eq!(str::from_utf8(&text.bytes[..text.length]), Ok(expected));
    }

    #[test]
    fn a_long_text_is_cut_off() {
        let mut text = Text { bytes: [0; 1024], length: 0 };
        for _ in 0..200 {
            let _ = text.write_str("0123456789");
        }
        assert_eq!((text.length, text.bytes[1023]), (1024, b'3'));
    }
}
