"""Compiles a kernel for a GPU, and runs it in the simulator, through the C library.

    python3 examples/python/run_copy.py target/release/libcute.so examples/copy.mlir

Nothing is needed besides Python: the standard library's ctypes calls the functions of
crates/cute-capi/include/cute.h.
"""

import ctypes
import json
import pathlib
import sys

API = 1
OK = 0
CODE, MANIFEST, REPORT = 0, 1, 3
VALUE, ARRAY = 0, 1


class Diagnostic(ctypes.Structure):
    _fields_ = [
        ("severity", ctypes.c_int),
        ("file", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
        ("message", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
    ]


class Launch(ctypes.Structure):
    _fields_ = [
        ("kernel", ctypes.c_char_p),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("shared_memory", ctypes.c_uint32),
        ("cluster", ctypes.c_uint32 * 3),
    ]


class Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Diagnostic), ctypes.c_void_p)


class Error(Exception):
    """A call failed, for the reason that the library gives."""


class Session:
    """A session of the library; its methods return the parts of a result."""

    def __init__(self, path, **options):
        self.library = ctypes.CDLL(path)
        self.handle = ctypes.c_void_p()
        functions = {
            "session_message": ctypes.c_char_p,
            "result_message": ctypes.c_char_p,
            "result_part": ctypes.c_void_p,
        }
        for name, result in functions.items():
            self.function(name).restype = result
        if self.function("session_create")(API, ctypes.byref(self.handle)) != OK:
            raise Error("the library has another version")
        self.callback = Callback(self.hear)  # lives as long as the session
        self.function("session_on_diagnostic")(self.handle, self.callback, None)
        for name, value in options.items():
            self.set(name.replace("_", "-"), value)

    def function(self, name):
        return getattr(self.library, "cute_" + name)

    def hear(self, diagnostic, _):
        sys.stderr.write(diagnostic.contents.text.decode())
        return 0

    def set(self, option, value):
        if self.function("session_set")(self.handle, option.encode(), value.encode()) != OK:
            raise Error(self.function("session_message")(self.handle).decode())

    def call(self, name, path, *arguments):
        text, result = pathlib.Path(path).read_bytes(), ctypes.c_void_p()
        length = ctypes.c_size_t(len(text))
        status = self.function(name)(
            self.handle, str(path).encode(), text, length, *arguments, ctypes.byref(result)
        )
        try:
            if status != OK:
                raise Error(self.function("result_message")(result).decode())
            return {part: self.part(result, part) for part in (CODE, MANIFEST, REPORT)}
        finally:
            self.function("result_destroy")(result)

    def part(self, result, part):
        size = ctypes.c_size_t()
        at = self.function("result_part")(result, part, ctypes.byref(size))
        return ctypes.string_at(at, size.value) if at else None

    def simulate(self, path, launch, arguments):
        array = (Argument * len(arguments))(*arguments)
        count = ctypes.c_size_t(len(arguments))
        return self.call("simulate", path, ctypes.byref(launch), array, count)

    def close(self):
        self.function("session_destroy")(self.handle)


def argument(kind, data):
    return Argument(kind, ctypes.cast(ctypes.pointer(data), ctypes.c_void_p), ctypes.sizeof(data))


def main(library, path):
    rows, columns = 33, 132
    session = Session(library, target="sm_90a")
    made = session.call("compile", path)
    kernel = json.loads(made[MANIFEST])["kernels"][0]
    print(f"{kernel['name']} with {len(kernel['parameters'])} parameters: {len(made[CODE])} bytes of PTX")

    elements = ctypes.c_float * (rows * columns)
    source, target = elements(*range(rows * columns)), elements()
    sizes = [ctypes.c_int32(rows), ctypes.c_int32(columns), ctypes.c_int64(columns)]
    arguments = [
        argument(kind, data)
        for matrix in (source, target)
        for kind, data in [(ARRAY, matrix)] + [(VALUE, size) for size in sizes]
    ]
    launch = Launch(grid=(-(-columns // 128), -(-rows // 32), 1))
    print(session.simulate(path, launch, arguments)[REPORT].decode(), end="")
    session.close()
    if list(source) != list(target):
        raise Error("the copy differs")
    print("the copy is equal")


if __name__ == "__main__":
    main(*sys.argv[1:])
