// The cute compiler as a C library: text of a module in; PTX, a cubin, a manifest, launches or a report out.
//
// A session holds options. A call takes a session and a text, and makes a result, which holds a status, a
// message, and the parts that the call produced. The caller destroys both.
//
// Threads: the library has no state besides sessions and results. Any number of threads may call it, with the
// same session too, as long as no thread changes or destroys that session meanwhile, and the process does not
// exit. It starts no thread, except for simulations, whose threads end with the call and have all signals
// blocked. Diagnostics are reported in the thread of the call. The floating-point mode of the caller does not
// affect results, and is the same after a call as before.
//
// Stack: a call needs 128 KB for ordinary modules, and about 2 KB more for each level of nested regions,
// types or attributes. A text may have 256 levels of brackets, for which 1 MB is enough.
//
// Process: the library installs no signal handler and writes no file, except in the folder of temporary files
// while ptxas runs, and in the cache if a session names one. It prints nothing, except that a defect of the
// library itself (CUTE_INTERNAL) leaves lines on standard error. It never calls exit, but running out of
// memory ends the process.
//
// Fatal errors of LLVM: some mistakes, such as an intrinsic that the GPU lacks, LLVM can only report by
// ending the process. The library leaves LLVM's backend in that case with longjmp, and the call returns
// CUTE_FAILED with LLVM's message. The memory of that one compilation is never freed: about 1 MB for a small
// kernel, 23 MB for one of 20,000 ops. Other calls are not affected. A fatal error outside the backend, of
// which none is known, and a crash inside LLVM end the process: a program that compiles texts of strangers
// should do so in a child process.

#ifndef CUTE_H
#define CUTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of this interface. It changes when a program that was built with an older header would no
// longer work.
#define CUTE_API 1

// A length that stands for a text that ends in a NUL.
#define CUTE_TO_NUL ((size_t)-1)

typedef enum cute_status {
  CUTE_OK = 0,
  CUTE_INVALID_ARGUMENT = 1, // a null pointer, an unknown option, a value that does not fit
  CUTE_WRONG_VERSION = 2,    // the library does not have the version of the header
  CUTE_NOT_TEXT = 3,         // a text that is not UTF-8, or has a NUL in it
  CUTE_FAILED = 4,   // the module is wrong, or cannot be compiled; see the message and the diagnostics
  CUTE_FINDINGS = 5, // the simulated kernel has mistakes, or a kernel is not proved; see the report
  CUTE_CLOSED = 6,   // the callback for diagnostics asked to stop
  CUTE_INTERNAL = 7  // a defect of the library
} cute_status;

typedef enum cute_severity { CUTE_ERROR = 0, CUTE_WARNING = 1, CUTE_NOTE = 2, CUTE_REMARK = 3 } cute_severity;

typedef struct cute_session cute_session;
typedef struct cute_result cute_result;

// The texts live until the callback returns.
typedef struct cute_diagnostic {
  cute_severity severity;
  const char *file;      // null: about no place in particular
  uint32_t line, column; // from 1; 0 without a file
  const char *message;   // one message
  const char *text;      // lines to print: place, severity, message, source line with a caret (a part of a
                         // long line), notes
} cute_diagnostic;

// A result other than 0 asks to stop: the callback is not called again during this call of the library, which
// still runs to its end, discards its output, and returns CUTE_CLOSED. The callback may call the library, but
// must not change or destroy the session, and must not leave by longjmp or an exception.
typedef int (*cute_diagnostic_callback)(const cute_diagnostic *diagnostic, void *user);

// The version of the compiler, such as "0.1.0", and the version of the interface that the library implements.
const char *cute_version(void);
uint32_t cute_api_version(void);

// --- Sessions ---

// Makes a session; `api` must be CUTE_API. On failure `*session` is null.
cute_status cute_session_create(uint32_t api, cute_session **session);
// Null is allowed.
void cute_session_destroy(cute_session *session);

// Sets an option. The values are texts, and "true" and "false" for switches.
//
// Options of a compilation:
//
//   target          GPU to compile for, such as sm_90a; required
//   abi             How kernels receive their arguments: dsl or flat [default: dsl for kernels of CuTe DSL
//                   (cuda.kernel), flat for others]
//   runtime-checks  Trap, with a message, if an op's assumption about run-time integers or an assertion of
//                   CuTe DSL does not hold: true or false [default: false]
//   fast-math       Treat all floating-point math as fastmath<fast>: approximate instructions that flush
//                   subnormals to zero: true or false [default: false]
//   fmad            Contract a product and the sum that it is used in to one fused multiply-add: true or
//                   false [default: true]
//   libdevice       CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if
//                   there is none, polynomials are used for f32, and other math is an error [default: none]
//   max-registers   Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to
//                   255 [default: no limit]
//   lineinfo        Let PTX and cubin name the lines of FILE: true or false [default: false]
//
// Other options:
//
//   emit            what cute_compile makes: ptx (the default), cubin, manifest, llvm, mlir or assigned
//   domain          strict or extend: the policy where no cute.domain attribute says it
//   profile         the producer of the module: auto (the default), dsl-4.3 to dsl-4.7, cute-rs or zml;
//                   a form that it does not write is an error
//   ptxas           the ptxas to run; by default $CUTE_PTXAS, or else that in PATH
//   ptxas-option    one more option for ptxas; may be set several times
//   ptxas-timeout   seconds
//   cache           a folder for results, which are found there again while nothing they depend on changes
//                   (a relative path is one from the folder in which the option is set)
//   races           switch, on by default: the simulator looks for races
//   strict-isa      switch, off by default: what PTX forbids is an error even where libraries rely on it
//   pedantic        switch, off by default: notes are reported, too
//   strict-ptx      switch, off by default: PTX with an instruction that is not known is refused
//   allow-overflow  switch, off by default: nsw and nuw arithmetic may wrap
//   allow           a finding to accept, as KIND[@FILE[:LINE]]; may be set several times
//   keep-arrays     switch, off by default: arrays are written back after findings, too
//   html            switch, off by default: the simulator records runs, and makes CUTE_REPORT_HTML of them
//   schedule        lazy, eager, reverse or a seed: the only order of events in the simulator
//   schedules       the number of orders to run under instead: lazy, eager, reverse, then seeds 1, 2, ..;
//                   by default 3 for a kernel with asynchronous operations, 1 for others
//   only-blocks     the only blocks of each grid that the simulator runs, in whole clusters: a list of
//                   first, last, random:COUNT, numbers (x fastest) and positions as in (1,2,0)
//   elect           first, last or a lane: the one that elect.sync elects in the simulator; the lowest by
//                   default, and the highest under the schedule reverse
//   budget          the instructions that a simulated launch may execute under each order
//   manifest        the file that describes the parameters of PTX, which cutec writes beside it: k.ptx.json
cute_status cute_session_set(cute_session *session, const char *option, const char *value);
// Why the last call of cute_session_set or cute_session_on_diagnostic failed; empty if it did not. Lives
// until the next one.
const char *cute_session_message(const cute_session *session);
// The callback for diagnostics, and what is passed to it; null for none.
cute_status cute_session_on_diagnostic(cute_session *session, cute_diagnostic_callback callback, void *user);

// --- Results ---

typedef enum cute_part {
  CUTE_CODE = 0,        // what was asked for: PTX, a cubin, C, a module
  CUTE_MANIFEST = 1,    // how to launch the kernels, as JSON
  CUTE_LAUNCHES = 2,    // launches, as JSON
  CUTE_REPORT = 3,      // what the simulator reports, as text
  CUTE_REPORT_JSON = 4, // the same as JSON
  CUTE_DIAGNOSTICS = 5, // all diagnostics of the call, as text
  CUTE_REPORT_HTML = 6, // the report as a page of HTML, with a timeline, if the option html is set
  CUTE_ERROR_JSON = 7   // why there is no other part, as JSON: error, with the id of the rule, message, place
} cute_part;

cute_status cute_result_status(const cute_result *result);
// Why the call failed; empty if it did not.
const char *cute_result_message(const cute_result *result);
// A part, which lives as long as the result; null if there is none. A NUL follows it that `size` does not
// count. `size` may be null.
const void *cute_result_part(const cute_result *result, cute_part part, size_t *size);
// Null is allowed.
void cute_result_destroy(cute_result *result);

// --- Calls ---
//
// Each call takes a text of `length` bytes and a name for it in diagnostics, which may be null. It returns
// the status of `*result`, which is never null afterwards, unless `result` is null itself. The text is cute
// IR, or a module of CuTe DSL, of at most 256 MB and 256
// levels of brackets.

// Parses and verifies a module. No target is needed.
cute_status cute_verify(const cute_session *session, const char *name, const char *text, size_t length,
                        cute_result **result);
// A module of CuTe DSL in today's dialects: CUTE_CODE. Any other module comes back as it is printed. No
// target is needed.
cute_status cute_import(const cute_session *session, const char *name, const char *text, size_t length,
                        cute_result **result);
// CUTE_CODE as the option `emit` says, and CUTE_MANIFEST, except for mlir.
cute_status cute_compile(const cute_session *session, const char *name, const char *text, size_t length,
                         cute_result **result);
// A host function as C for the CUDA driver: CUTE_CODE. `function` may be null if there is only one.
cute_status cute_host_c(const cute_session *session, const char *name, const char *text, size_t length,
                        const char *function, cute_result **result);
// Runs a host function up to its launches: CUTE_LAUNCHES, in order, each with grid, block, shared memory,
// cluster, and the bytes of each parameter in hexadecimal; and CUTE_MANIFEST. `words` has one word for each
// value that the function takes, argument by argument, streams included: an address, an extent, a number.
cute_status cute_launches(const cute_session *session, const char *name, const char *text, size_t length,
                          const char *function, const uint64_t *words, size_t count, cute_result **result);

typedef struct cute_launch {
  const char *kernel;     // null: the only one
  uint32_t grid[3];       // blocks
  uint32_t block[3];      // threads of a block; zeros: those that the kernel requires
  uint32_t shared_memory; // bytes of dynamic shared memory, at least those that the kernel asks for; 0: these
  uint32_t cluster[3];    // blocks of a cluster; zeros: those of the kernel
} cute_launch;

typedef enum cute_argument_kind {
  CUTE_VALUE = 0, // the bytes of a number or descriptor
  CUTE_ARRAY = 1, // an array in global memory, with its contents before and after the launch
  CUTE_NULL = 2,  // a null pointer
  CUTE_BYTES = 3  // a parameter by value with addresses in it: a cute_bytes, whose size is `size`
} cute_argument_kind;

typedef struct cute_argument {
  cute_argument_kind kind;
  void *data;
  size_t size; // bytes
} cute_argument;

// A word of 8 bytes that becomes the address of a byte of an array.
typedef struct cute_relocation {
  size_t offset; // the place of the word in the parameter, a multiple of 8
  void *data;    // the array, as that of a CUTE_ARRAY
  size_t size;   // its bytes
  size_t byte;   // the byte of the array, at most `size`
} cute_relocation;

// The bytes of a parameter by value, such as a struct of PTX.
typedef struct cute_bytes {
  const void *data;
  size_t size;
  const cute_relocation *relocations; // null if there are none
  size_t count;
} cute_bytes;

// Runs a kernel in the simulator: CUTE_REPORT and CUTE_REPORT_JSON, which are those of `cutec run`. A kernel
// with asynchronous operations runs under several orders of events; the report lists arrays whose contents
// depend on them, and what is copied back is the result under the first. There is one argument for each value
// that is passed, as the manifest lists them. Arrays that the kernel has written are copied back if there are
// no findings; the others may be constant. Two arguments with the same `data` and `size` are one array; other
// arrays must not overlap. The simulator has addresses of its own: a kernel that takes a descriptor of the
// TMA is simulated by its host function, which makes the descriptor. `text` may also be PTX, whose target is
// its own if the session has none; a parameter of 64 bits then takes CUTE_VALUE or CUTE_ARRAY, and a
// parameter of bytes CUTE_VALUE or CUTE_BYTES. A launch with less dynamic shared memory than the kernel asks
// for is refused.
cute_status cute_simulate(const cute_session *session, const char *name, const char *text, size_t length,
                          const cute_launch *launch, const cute_argument *arguments, size_t count,
                          cute_result **result);
// Runs all launches of a host function in the simulator: CUTE_REPORT, and CUTE_REPORT_JSON with an array of
// reports, one per launch; the last has what concerns the run as a whole. There is one argument for each
// value that the function takes, argument by argument, as for cute_launches; a stream may be CUTE_NULL. Ends
// at the first launch with findings.
cute_status cute_simulate_host(const cute_session *session, const char *name, const char *text, size_t length,
                               const char *function, const cute_argument *arguments, size_t count,
                               cute_result **result);
// Runs what a host enqueues in streams: `launches` is the text of a file of `cutec run --launches`, which
// ends in a NUL. CUTE_REPORT, and CUTE_REPORT_JSON as for cute_simulate_host. The arrays and
// the variables are those of the text.
cute_status cute_simulate_launches(const cute_session *session, const char *name, const char *text,
                                   size_t length, const char *launches, cute_result **result);

// A launch whose arguments depend on a size n. Each argument is a text, as for --arg of `cutec run`, in which
// braces with n are numbers: "A:f16[128x{64*n}]", "{n}". There is one per parameter of the kernel or host
// function, streams excluded.
typedef struct cute_question {
  const cute_launch *launch;    // the launch of a kernel; null: that of a host function
  const char *function;         // the host function; null: the only one
  const char *const *arguments; // the arguments
  size_t count;
  const char *const *arrays; // arrays that only addresses lead to, as for --array; null if there are none
  size_t array_count;
  int64_t first;   // the smallest n, from 0 to 1048575
  double seconds;  // after this time it is not decided, from 0 to 1000000; 60 is a good choice
  int through_ptx; // not 0: a module is compiled to PTX first
} cute_question;

// Answers whether the barriers of a kernel are right at every size from `first` on: CUTE_REPORT and
// CUTE_REPORT_JSON, which are those of `cutec prove`. CUTE_OK: it is proved. CUTE_FINDINGS: there is a
// counterexample, or it is not decided; the message says which. Other failures are those of a question that
// cannot be asked. `text` is as for cute_simulate; PTX has no host function. Of the options of the simulator,
// strict-isa and budget may be set.
cute_status cute_prove(const cute_session *session, const char *name, const char *text, size_t length,
                       const cute_question *question, cute_result **result);

#ifdef __cplusplus
}
#endif

#endif
