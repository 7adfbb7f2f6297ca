"""Uses the room of kernels in a headless Chromium as a reader does: pastes PTX, opens bugs, repairs one, follows a deadlock; and hands it
what it must refuse. The findings of every kernel of examples/bugs are compared with those of cutec.

usage: kernels.py PAGE.html CUTEC [--pictures FOLDER]
"""

import argparse
import base64
import concurrent.futures
import contextlib
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time
import zlib

from webdriver import ELEMENT, browser

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUGS = ROOT / "examples/bugs"
sys.path.insert(0, str(ROOT / "build"))
import bugs  # noqa: E402

# Milliseconds from a paste to the first finding: what a reader gets, and what the fastest paste may take where machines are busy.
RACE, RACE_LIMIT = 250, 1000
GEMM, GEMM_LIMIT = 1000, 4000
# What a task may take in clicks, keys and pastes.
ACTIONS = 10

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"
SPIN = HEAD + """.visible .entry spin(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
  L: add.u32 %r1, %r1, 3; and.b32 %r2, %r1, 1; xor.b32 %r1, %r1, %r2; setp.ne.u32 %p1, %r1, 1; @%p1 bra L;
  st.global.u32 [%rd1], %r1; ret; }"""
STORE = HEAD + """.visible .entry store(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; st.global.u32 [%rd1], %r1; ret; }"""
# One store to each of 8,000 pages.
TOUCH = HEAD + """.visible .entry touch(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
  L: st.global.u32 [%rd1], %r1; add.u64 %rd1, %rd1, 16384; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 8000; @%p1 bra L; ret; }"""
# A text that would be an element, or run, if a page took it for markup.
MARKUP = "<img src=x onerror=alert(1)>"


def text_of(path):
    return (ROOT / path).read_text()


class Room:
    """The room of kernels, and the number of actions that a reader has taken."""

    def __init__(self, web, page):
        self.web, self.url, self.actions = web, page.resolve().as_uri(), 0

    @contextlib.contextmanager
    def task(self, name):
        """A task of a reader, which takes few actions."""
        self.actions = 0
        self.web.open("about:blank")
        self.web.open(self.url)
        yield
        print(f"kernels: {name}: {self.actions} actions")
        assert self.actions < ACTIONS, self.actions

    def open(self, fragment="#kernels"):
        self.web.open("about:blank")
        self.web.open(self.url + fragment)

    def follow(self, fragment):
        """Follows a link to the page that is open."""
        return self.ended("location.hash = argument;", fragment)

    def click(self, selector):
        self.actions += 1
        element = self.web.find(selector)
        self.web.ask("POST", f"/element/{element}/click", {})

    def paste(self, text):
        """Pastes over the whole field, and returns the milliseconds until the run has an end."""
        self.actions += 1
        return self.ended("""
          const field = document.getElementById('k-text');
          field.select();
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', argument);
          field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));""", text)

    def drop(self, *files):
        """Drops files: names with texts, or with bytes in base64."""
        self.actions += 1
        return self.ended("""
          const dataTransfer = new DataTransfer();
          for (const [name, text, packed] of argument) {
            const content = packed === null ? text : Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
            dataTransfer.items.add(new File([content], name));
          }
          document.getElementById('kernels').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));""",
          [[name, data if isinstance(data, str) else "", None if isinstance(data, str) else base64.b64encode(data).decode()]
           for name, data in files])

    def ended(self, script="", argument=None, seconds=60):
        """Runs a script, waits until the page has a verdict or a message, and returns the milliseconds."""
        took = self.web.ask("POST", "/execute/async", {"script": f"""
          const [argument, limit, done] = arguments;
          const ready = () => document.getElementById('k-status').textContent.includes(' ms')
            || document.getElementById('k-message').textContent !== '';
          const begins = performance.now();
          if ({str(bool(script)).lower()}) {{
            for (const id of ['k-status', 'k-message']) document.getElementById(id).textContent = '';
          }}
          (() => {{ {script} }})();
          const look = () => {{
            const took = performance.now() - begins;
            if (ready() || took > limit) done(took);
            else setTimeout(look, 1);
          }};
          look();""", "args": [argument, 1000 * seconds]})
        assert took < 1000 * seconds, "the page has no verdict"
        return took

    def said(self):
        """The verdict, the findings and the message."""
        self.ended()
        return self.web.run("""
          return [document.getElementById('k-status').textContent,
            [...document.querySelectorAll('#k-found li')].map((item) => item.textContent), document.getElementById('k-message').textContent]""")

    def report(self):
        return Report(self.web)

    def link(self, **state):
        """A link that carries a state, packed here."""
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(json.dumps(state).encode()) + packer.flush()
        return "#kernels=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def has_markup(self):
        """Whether a hostile text became an element, here or in the report."""
        own = self.web.run("return document.querySelectorAll('img, b[onclick], iframe:not(#k-report)').length")
        if not self.web.run("return document.getElementById('k-report').hidden"):
            with self.report():
                own += self.web.run("return document.querySelectorAll('img, script').length")
        return own > 0


class Report:
    """The frame of the report, in which a reader clicks."""

    def __init__(self, web):
        self.web = web

    def __enter__(self):
        self.web.ask("POST", "/frame", {"id": {ELEMENT: self.web.find("#k-report")}})
        self.web.until("document.querySelector('h1') !== null", "the report is shown")
        return self

    def __exit__(self, *_):
        self.web.ask("POST", "/frame", {"id": None})


def tasks(room, kept):
    """Three readers with a question each."""
    web = room.web
    with room.task("paste a PTX of Triton and find the race"):
        room.click("nav [data-room=kernels]")
        room.click("#k-text")
        room.paste(text_of("tests/foreign/triton/plain_total.sm_90.ptx"))
        status, found, message = room.said()
        assert status.startswith("1 error:") and message == "", (status, message)
        assert found[0].startswith("error: race at triton/broken.py:41:"), found
        # The source, which the reader drops, is shown with the finding at its line.
        room.drop(("broken.py", text_of("tests/foreign/triton/broken.py")))
        room.said()
        with room.report():
            room.click("#F1 a")
            web.until("document.querySelector(':target') !== null", "the link leads to a line")
            line = web.run("return document.querySelector(':target').textContent")
            assert "tl.store(total, tl.load(total) + part)  # broken: plain_total" in line, line

    with room.task("open bug 3 and repair it by the difference"):
        room.click("nav [data-room=kernels]")
        room.click("#k-museum summary")
        room.click("#k-bugs li:nth-child(3) button")
        status, found, _ = room.said()
        assert status.startswith("1 error:") and "narrow_scope.cu:24:" in found[0], (status, found)
        difference = web.run("return [...document.querySelectorAll('.difference .in')].map((line) => line.textContent)")
        assert difference == ["+   arrive_at(in_block(peer, &full));"], difference
        assert "Thor: wrong in 249 of 1000 runs" in web.text("#k-bug"), web.text("#k-bug")
        threads = web.run("return [...document.querySelectorAll('#k-bug a')].map((link) => link.href)")
        assert threads == ["https://github.com/NVIDIA/cutlass/issues/3643"], threads
        kept("bug")
        room.click("#k-repaired")
        status, found, _ = room.said()
        assert status.startswith("No finding") and found == [], (status, found)
        assert web.run("return location.hash") == "#kernels-bug=narrow_scope+"

    with room.task("follow a deadlock to the missing arrival"):
        room.click("nav [data-room=kernels]")
        room.click("#k-museum summary")
        room.click("#k-bugs li:nth-child(4) button")
        status, found, _ = room.said()
        assert "deadlock" in found[0], found
        with room.report():
            waits = web.text("table.warps")
            assert "1 arrival missing" in waits, waits
        # All columns of the table fit a wider window.
        web.resize(1640, 800)
        web.run("document.getElementById('k-report').scrollIntoView()")
        with room.report():
            web.run("document.querySelector('table.warps').scrollIntoView()")
        kept("deadlock")
        web.resize(1180, 800)
        with room.report():
            # Block 1 waits; its source says who arrives: only the first block.
            web.run("[...document.querySelectorAll('table.warps a')].find((link) => link.textContent.includes('answer_for_one.cu:22')).click()")
            room.actions += 1
            assert "if (threadIdx.x == 0 && (repaired || rank() == 0))" in web.text("main"), "the source of the arrival"


def times(room):
    """How long a reader waits for the first finding."""
    room.open()
    # The first paste finds a Worker that begins; the others do not.
    for name, file, wanted, limit, runs in (
        ("a race of 9,000 instructions", "plain_total.sm_90.ptx", RACE, RACE_LIMIT, 5),
        ("a GEMM of Triton by wgmma, 444,000 instructions", "product_f16.sm_90.ptx", GEMM, GEMM_LIMIT, 3),
    ):
        text = text_of(f"tests/foreign/triton/{file}")
        took = [room.paste(text) for _ in range(runs)]
        status, _, message = room.said()
        assert message == "" and status, (status, message)
        middle = statistics.median(took)
        print(f"kernels: {name}: {middle:.0f} ms from the paste to the report (first {took[0]:.0f} ms); wanted {wanted} ms")
        assert min(took) < limit, f"{name}: {took}"


def lines(report):
    """The findings in the words of the page's list, without their numbers: of races among blocks, that depends on which comes first."""
    return [f"{finding['grade']}: {finding['kind']['kind']} at {finding['location']}" for finding in report["findings"]]


def native(cutec, name, kernel):
    launch = bugs.launch((BUGS / f"{name}.cu").read_text())
    options = [word for text in launch["args"] for word in ("--arg", text)] + [w for text in launch["arrays"] for w in ("--array", text)]
    extents = [word for field in ("grid", "block") for word in (f"--{field}", ",".join(map(str, launch[field])))]
    command = [cutec, "run", f"{name}.ptx", "--kernel", kernel, *extents, *options, "--report", "json"]
    done = subprocess.run(command, cwd=BUGS, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), f"{command}: {done.stderr}"
    return lines(json.loads(done.stdout))


def museum(room, cutec):
    """Every kernel of examples/bugs, from a link, has the findings of cutec. Their repaired twins are compared by same.py."""
    asked = [(path.stem, f"{path.stem}<false>") for path in sorted(BUGS.glob("*.ptx"))]
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        expected = list(threads.map(lambda one: native(cutec, *one), asked))
    room.open()
    for (name, kernel), wanted in zip(asked, expected):
        launch = bugs.launch((BUGS / f"{name}.cu").read_text())
        fragment = room.link(
            file=f"{name}.ptx", ptx=(BUGS / f"{name}.ptx").read_text(), kernel=kernel, args=launch["args"], arrays="\n".join(launch["arrays"]),
            **{field: ",".join(map(str, launch[field])) for field in ("grid", "block")})
        room.follow(fragment)
        status, found, message = room.said()
        found = [re.sub(r" \(\d+ times\)$", "", line) for line in found]
        assert message == "" and found == wanted and found, f"{kernel}: {status} {message} {found}, but cutec finds {wanted}"
    print(f"kernels: {len(asked)} kernels of examples/bugs have the findings of cutec")


def post_mortem(room, cutec):
    """Words of mbarriers say what `cutec autopsy` says; what is no word is refused in words."""
    name, kernel, word = "late_warp", "late_warp<false>", "0x7ffff800001ffffe"
    room.open()
    room.follow(room.link(file=f"{name}.ptx", ptx=(BUGS / f"{name}.ptx").read_text(), kernel=kernel))
    room.click("#k-autopsy summary")
    command = [cutec, "autopsy", f"{name}.ptx", "--kernel", kernel, "--at", "full", word]
    expected = subprocess.run(command, cwd=BUGS, capture_output=True, text=True, check=True).stdout
    for words, at, wanted in ((word, "full", expected), ("none", "full", "has no word of an mbarrier"), (word, "+", "'+' is not the name")):
        room.web.run("""
          document.getElementById('k-words').value = arguments[0];
          document.getElementById('k-at').value = arguments[1];
          document.getElementById('k-told').hidden = true;""", words, at)
        room.click("#k-read")
        room.web.until("!document.getElementById('k-told').hidden", "the words are read")
        told = room.web.run("return document.getElementById('k-told').textContent")
        assert wanted in told, (told, wanted)


def hostile(room):
    """Texts, files and links that are not what they should be."""
    web = room.web
    room.open()
    for text, why in (
        ("#include <cuda.h>\n__global__ void k() {}", "is CUDA C++, not PTX: `nvcc -ptx"),
        ("\t\tFunction : k\n        /*0000*/  LDC R1, c[0x0][0x28] ;", "is SASS, the machine code of a device, not PTX: `cuobjdump -ptx`"),
        ("Fatbin ptx code:\n\n.version 9.0\n.target sm_90\n", "keep the lines from `.version` on"),
        (f"hello {MARKUP}", "is not PTX: it does not begin with `.version`"),
        (f"{HEAD}.visible .entry k() {{ {MARKUP} }}", "k.ptx"),
        (HEAD, "has no kernel"),
    ):
        room.paste(text)
        message = room.said()[2]
        assert why in message and not room.has_markup(), message
    room.drop(("k.cubin", b"\x7fELF\x02\x01\xff\xfe"))
    assert "'k.cubin' is a binary file such as a cubin, not PTX: `cuobjdump -ptx FILE`" in room.said()[2], room.said()
    room.drop(("k.bin", b"\xff\xfe\x00"))
    assert "'k.bin' is not PTX" in room.said()[2], room.said()

    # 10 MB, most of which no thread reaches.
    body = "bra END;\n" + "add.u32 %r1, %r1, 7;\n" * 480_000 + "END: st.global.u32"
    took = room.paste(STORE.replace("st.global.u32", body))
    status, found, message = room.said()
    assert message == "" and found[0].startswith("error: race"), (status, message)
    print(f"kernels: PTX of 10 MB: {took / 1000:.1f} s")
    assert web.run("return document.getElementById('k-text').value.length") < 10_000
    took = room.paste(" " * ((16 << 20) + 1))
    assert "the page takes 16777216" in room.said()[2] and took < 5000, room.said()

    # Loops without an end: the limit of instructions, that of time, and the reader.
    room.paste(STORE)
    web.run("document.getElementById('k-more').open = true")
    room.paste(SPIN)
    web.write("#k-budget", "100000")
    room.ended("document.getElementById('k-form').requestSubmit()")
    status, found, message = room.said()
    assert "budget" in " ".join(found) or "hang" in " ".join(found), (status, found, message)
    web.write("#k-budget", "100000000000")
    web.write("#k-seconds", "1")
    room.ended("document.getElementById('k-form').requestSubmit()")
    assert "stopped after 1 s" in room.said()[2], room.said()
    web.write("#k-seconds", "60")
    web.run("document.getElementById('k-form').requestSubmit()")
    room.click("#k-stop")
    assert room.said()[2] == "stopped", room.said()
    # The next run has a new Worker.
    room.paste(STORE)
    assert room.said()[0].startswith("1 error:"), room.said()
    # Arrays have a limit that a field cannot raise; what no thread touches does not count.
    room.paste(TOUCH)
    web.write("#k-memory", "100000")
    web.run("""
      const size = document.querySelector('#k-rows .parts label:nth-child(2) input');
      size.value = '1000000000';
      size.dispatchEvent(new Event('input', { bubbles: true }));""")
    room.ended("document.getElementById('k-form').requestSubmit()")
    status, found, message = room.said()
    assert "67108864 bytes" in message, (status, found, message)

    # A Worker that dies says so, and the next run has another one.
    room.open()
    web.run("""
      const own = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (data) {
        own.call(this, data.name === 'show' ? { ...data, name: 'none' } : data);
      };
      window.mend = () => { Worker.prototype.postMessage = own; };""")
    room.paste(STORE)
    message = room.said()[2]
    assert "internal error in the simulator" in message and "The next run begins anew" in message, message
    web.run("window.mend()")
    room.ended("document.getElementById('k-form').requestSubmit()")
    assert room.said()[0].startswith("1 error:"), room.said()

    # Links that are broken, of other types, hostile, or that grow when they are unpacked.
    bomb = room.link(ptx=" " * (17 << 20))
    for fragment, why in (
        ("#kernels=%%%", "This link cannot be read"),
        ("#kernels=AAAA", "This link cannot be read"),
        ("#kernels=" + "A" * 300_000, "This link cannot be read: it has 300000 characters"),
        (bomb, "This link cannot be read: more than 16777216 bytes"),
        ("#kernels-bug=nobody", "no kernel that the page knows"),
        (room.link(ptx=STORE, args="many", grid=[1], colour="red"), "parts that cannot be read: args; grid; colour"),
        (room.link(ptx=STORE, __proto__=1, constructor="x"), "constructor"),
        (room.link(ptx=STORE, kernel="store", grid=MARKUP, args=["i32[1]"], block="32"), "grid"),
        (room.link(ptx=STORE, kernel=MARKUP, launches="{"), "Several launches"),
    ):
        room.follow(fragment)
        message = room.said()[2]
        assert why in message and not room.has_markup(), (fragment[:60], message)
    placed = STORE.replace(".visible", f'.file 1 "/src/{MARKUP}.cu"\n.visible').replace("st.global", ".loc 1 1 1\n st.global")
    room.follow(room.link(
        ptx=placed, file=f"{MARKUP}.ptx", kernel="store", grid="1", block="32", args=["i32[1]"], sources={f"{MARKUP}.cu": MARKUP}))
    status, found, message = room.said()
    assert message == "" and MARKUP in found[0] and not room.has_markup(), (status, found, message)
    assert not web.runs_injected()

    # A report about 64 launches.
    launch = {"launch": "store", "grid": [1], "block": [1], "args": ["&x"]}
    launches = json.dumps({"arrays": {"x": "i32[1]"}, "operations": [launch] * 64})
    room.follow(room.link(ptx=STORE, kernel="store", grid="1", block="32", args=["i32[1]"], launches=launches))
    status, found, message = room.said()
    assert message == "" and found == [] and status.startswith("No finding in 64 launches"), (status, found, message)
    with room.report():
        assert "Launch 64" in web.text("main")


def links(room):
    """What a link carries, and what it cannot."""
    web = room.web
    room.open()
    room.paste(text_of("tests/foreign/triton/plain_total.sm_90.ptx"))
    web.until("location.hash.startsWith('#kernels=')", "the link carries the kernel")
    before = web.run("return location.hash")
    web.write("#k-grid", "1")
    room.ended("document.getElementById('k-form').requestSubmit()")
    assert room.said()[0].startswith("No finding"), room.said()
    web.until(f"location.hash !== '{before}'", "the link carries the grid")
    same = web.run("return location.hash")
    # The other room keeps its own state, and so does this one.
    room.click("nav [data-room=layouts]")
    web.until("document.querySelector('h1').textContent === 'Layouts' && document.getElementById('pictures').children.length > 0", "layouts")
    room.click("nav [data-room=kernels]")
    web.until("document.querySelector('h1').textContent === 'Kernels'", "kernels")
    assert web.run("return location.hash") == same
    room.open(same)
    assert room.said()[0].startswith("No finding") and web.run("return document.getElementById('k-grid').value") == "1", room.said()
    # Above 100,000 characters the page says so.
    noise = "".join(f"// {zlib.crc32(str(i).encode()):x}{zlib.adler32(str(i * 7).encode()):x}\n" for i in range(12_000))
    room.paste(STORE.replace(".visible", noise + ".visible"))
    room.said()
    web.until("location.hash === '#kernels'", "a long text is not in the link")
    room.click("#k-link")
    web.until("document.getElementById('k-copied').textContent.includes('more than 100000')", "the page says that the link is too long")


def phone(room):
    web = room.web
    room.open("#kernels-bug=answer_for_one")
    room.said()
    web.resize(500, 900)
    web.until("document.documentElement.scrollWidth <= window.innerWidth", "the page is wider than the window")
    web.resize(1180, 800)
    # Each field has a name for a screen reader.
    nameless = web.run("""
      return [...document.querySelectorAll('#kernels :is(input, select, textarea)')].filter((field) => !field.labels.length)
        .map((field) => field.outerHTML)""")
    assert nameless == [], nameless


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("page", type=pathlib.Path)
    arguments.add_argument("cutec", type=pathlib.Path)
    arguments.add_argument("--pictures", type=pathlib.Path)
    given = arguments.parse_args()
    begins = time.monotonic()
    with browser() as web:
        room = Room(web, given.page)

        def kept(name):
            if given.pictures:
                given.pictures.mkdir(parents=True, exist_ok=True)
                web.picture(given.pictures / f"page-kernel-{name}.png")

        took = []
        for name, part in (
            ("tasks", lambda: tasks(room, kept)), ("times", lambda: times(room)), ("links", lambda: links(room)),
            ("bad input", lambda: hostile(room)), ("phone", lambda: phone(room)),
            ("post-mortem", lambda: post_mortem(room, str(given.cutec.resolve()))), ("bugs", lambda: museum(room, str(given.cutec.resolve()))),
        ):
            start = time.monotonic()
            part()
            took.append(f"{name} {time.monotonic() - start:.1f} s")
        severe = [entry["message"] for entry in web.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
        assert all("Content Security Policy" in message for message in severe), severe
    print(f"kernels: the browser runs kernels; {', '.join(took)}, {time.monotonic() - begins:.0f} s in all")


if __name__ == "__main__":
    sys.exit(main())
