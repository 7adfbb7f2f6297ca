"""Times compilations by libcute.so: the first of a process, later ones, and hits of the cache.

    python3 benches/library.py target/dist/NAME/lib/libcute.so FILE...
"""

import ctypes
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

OPTIONS = {"target": "sm_90a", "emit": "ptx"}
LATER = 20


def open_library(path):
    library = ctypes.CDLL(path)
    library.cute_result_message.restype = ctypes.c_char_p
    return library


def session(library, **options):
    handle = ctypes.c_void_p()
    assert library.cute_session_create(1, ctypes.byref(handle)) == 0
    for name, value in options.items():
        assert library.cute_session_set(handle, name.encode(), value.encode()) == 0, name
    return handle


def timed(library, handle, path, text):
    result = ctypes.c_void_p()
    start = time.perf_counter()
    status = library.cute_compile(handle, path.encode(), text, ctypes.c_size_t(len(text)), ctypes.byref(result))
    elapsed = time.perf_counter() - start
    assert status == 0, library.cute_result_message(result)
    library.cute_result_destroy(result)
    return 1000 * elapsed


def measure(library_path, path):
    """Milliseconds in this process: to load the library, the first compilation, later ones, hits."""
    text = pathlib.Path(path).read_bytes()
    start = time.perf_counter()
    library = open_library(library_path)
    load = 1000 * (time.perf_counter() - start)
    plain = session(library, **OPTIONS)
    first = timed(library, plain, path, text)
    later = statistics.median(timed(library, plain, path, text) for _ in range(LATER))
    with tempfile.TemporaryDirectory() as folder:
        cached = session(library, **OPTIONS, cache=folder)
        timed(library, cached, path, text)
        hit = statistics.median(timed(library, cached, path, text) for _ in range(LATER))
    print(load, first, later, hit)


def main(library, paths):
    print(f"{'file':32} {'load':>8} {'first':>8} {'next':>8} {'hit':>8}   ms")
    for path in paths:
        # A process for each, so that the first compilation is one.
        command = [sys.executable, __file__, "--one", library, path]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        load, first, later, hit = map(float, out.split())
        print(f"{pathlib.Path(path).name:32} {load:8.1f} {first:8.1f} {later:8.1f} {hit:8.2f}")


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        measure(*sys.argv[2:])
    else:
        main(sys.argv[1], sys.argv[2:])
