"""What a learner does with the room of layouts: pastes what CuTe prints, follows colours, exports, finds functions and owners."""

import contextlib
import pathlib
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree

from webdriver import browser

SVG = "{http://www.w3.org/2000/svg}"
# Actions that a task may take.
TASK = 10


@contextlib.contextmanager
def task(web):
    """A task that must take fewer than ten actions."""
    before = web.actions
    yield
    assert web.actions - before < TASK, web.actions - before


def exported(web, folder, kind, name):
    """The bytes of an exported file."""
    web.choose("#export", kind)
    file = folder / name
    end = time.monotonic() + 20
    while not (file.exists() and file.stat().st_size):
        assert time.monotonic() < end, f"{name}: {web.text('#told')}"
        time.sleep(0.05)
    return file.read_bytes()


def check(page, pictures):
    url = page.resolve().as_uri()
    with browser() as web, tempfile.TemporaryDirectory() as downloads:
        downloads = pathlib.Path(downloads)
        web.downloads(downloads)

        def show(**state):
            web.open("about:blank")
            web.open(url + "#" + urllib.parse.urlencode(state))
            web.until("document.documentElement.dataset.ready === 'true'", "the page starts")

        def kept(name):
            if pictures:
                web.picture(pictures / f"page-{name}.png")

        def outlined(table):
            return web.run("return tables()[arguments[0]].linked", table)

        # Task: draw the banks of a swizzle, as CuTe prints it, and export it.
        with task(web):
            web.open(url)
            web.until("document.documentElement.dataset.ready === 'true'", "the page starts")
            web.write("#expression", "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1) // a tile of K")
            web.write("#bits", "16")
            picture = xml.etree.ElementTree.fromstring(exported(web, downloads, "svg", "layout.svg"))
        texts = [text.text for text in picture.iter(f"{SVG}text")]
        assert texts[0] == "S<3,3,3> o 0 o (8,64):(64,1)", texts[:3]
        cells = [rect.get("fill") for rect in picture.iter(f"{SVG}rect")][1:]
        assert len(cells) == 8 * 64 and len(set(cells)) == 8 and {"0", "511"} <= set(texts), (len(cells), set(cells))
        assert exported(web, downloads, "png", "layout.png").startswith(b"\x89PNG")
        tikz = exported(web, downloads, "latex", "layout.tex").decode()
        assert tikz.count("rectangle") == 8 * 64 and tikz.rstrip().endswith("\\end{document}"), tikz[-200:]
        python = {}
        exec(exported(web, downloads, "python", "layout.py"), python)
        assert python["tables"][0]["index"][1][:9] == [72, 73, 74, 75, 76, 77, 78, 79, 64], python["tables"][0]["index"][1]
        assert python["tables"][0]["bank"][1][8] == 0

        # Memory: the element below the pointer, its place, and its equations in a line.
        web.click("#physical")
        assert web.run("return tables().length") == 2
        web.point_at(*web.place_of(0, 1, 8))
        web.until("tables()[1].linked.length === 1", "the place in memory is outlined")
        assert outlined(1) == [64], outlined(1)
        line = web.text("#formula")
        assert "coordinate (1,8), index 64" in line and "bank 0 (128 / 4 % 32 = 0)" in line, line
        web.point_at(*web.place_of(1, 2, 0))
        web.until("tables()[0].linked.includes(2 * 64 + 16)", "the element of a place is outlined")
        assert "place line 2, bank 0" in web.text("#formula"), web.text("#formula")
        web.point_at(1, 1)
        web.until("!tables()[0].linked.includes(2 * 64 + 16)", "the pointer has left")
        kept("memory")

        # Task: who has element (3,5) of an accumulator of wgmma? PTX: lane 4 * (3 % 8) + 5 % 8 / 2 of warp 0, its second register.
        with task(web):
            web.open("about:blank")
            web.open(url)
            web.until("document.documentElement.dataset.ready === 'true'", "the page starts")
            web.write("#expression", "SM90_64x64x16_F32F16F16_SS")
            web.write("#find", "C(3,5)")
            web.press("Enter")
            facts = [web.fact(name) for name in ("coordinate", "thread", "value", "register")]
        assert facts == ["(3,5)", "14", "1", "1"], facts

        # What is found is in the link; ranges and the text of cells can be found, and what cannot be read is named.
        web.until("location.href.includes('find=C%283%2C5%29')", "the fragment has what is found")
        show(expression="SM80_16x8x16_F32F16F16F32_TN", find="thread=0..3 value=1")
        assert web.text("#found") == "12 cells", web.text("#found")
        web.write("#find", "T5 V1")
        assert web.text("#found") == "3 cells", web.text("#found")
        web.write("#find", "T5 now")
        assert web.text("#found").startswith("'now' cannot be read"), web.text("#found")
        web.write("#find", "bank=3")
        assert web.text("#found").startswith("Write facts"), web.text("#found")

        # Operands and result in linked colours.
        show(expression="zipped_divide((8,16):(16,1), (4,8))")
        titles = web.run("return tables().map((table) => table.grid.title.split(':')[0])")
        assert titles == ["divided", "result"], titles
        web.point_at(*web.place_of(0, 5, 9))
        web.until("tables()[1].linked.length === 1", "the element of the result is outlined")
        assert outlined(1) == [(1 + 1 * 4) * 4 + 3], outlined(1)
        # Nested coordinates have room, because they are turned.
        assert web.run("return tables()[1].turned && tables()[1].rim[1] > 30")
        kept("divide")

        # Fields: their labels are those of messages; those that are not taken are hidden; the old picture is pale after a mistake.
        labels = web.run("""
          const { fields } = call('about');
          return Object.entries(fields).map(([name, label]) => [label, el(name).closest('label').firstChild.textContent.trim()])""")
        assert all(label == own for label, own in labels) and len(labels) == 6, labels
        shown = "return TEXTS.filter((name) => !el(name).closest('label').hidden)"
        show(expression="SM80_16x8x16_F32F16F16F32_TN")
        assert web.run(shown) == ["expression", "against", "tile"], web.run(shown)
        web.write("#expression", "tma((4,8):(8,1), (4,8):(8,1), (4,8))")
        assert web.text("#message") == "this needs the type of an element: fill in the field 'Element type'", web.text("#message")
        assert web.run("return el('pictures').classList.contains('old') && !el('element').closest('label').hidden")
        web.write("#expression", "(4,8):(8,1)")
        assert web.run("return !el('pictures').classList.contains('old')") and web.text("#message") == ""

        # Functions and atoms by the words of PTX.
        web.run("el('help').open = true")
        for words, function, atom in (
            ("cp.async.bulk.tensor", "tma(", None), ("divide", "logical_divide(", None), ("datapath", "tmem_datapath_layout(", None),
            ("ldmatrix", None, "SM75_U32x1_LDSM_N"), ("m16n8k16", None, "SM80_16x8x16_"), ("wgmma", None, "SM90_64x8x16_"),
        ):
            web.write("#pattern", words)
            functions = web.run("return [...document.querySelectorAll('#functions dt')].map((name) => name.textContent)")
            atoms = web.run("return [...document.querySelectorAll('#atoms button')].map((name) => name.textContent)")
            assert function is None or any(name.startswith(function) for name in functions), (words, functions)
            assert atom is None or any(name.startswith(atom) for name in atoms), (words, atoms)
        web.write("#pattern", "tmem_datapath_layout")
        web.run("document.querySelector('#functions button').click()")
        assert web.run("return tables().length") == 1 and web.text("#message") == "", web.text("#message")

        # Zoom and fit; the threads of a conflict are outlined; a table has the name of its layout.
        gather = "gather=((8,16),(8,4)):((512,1),(64,16))@1"
        show(expression="(64,64):(1,64)", bits="16", access=gather)
        assert web.run("return tables()[0].crowd") == [8 * thread for thread in range(8)], web.run("return tables()[0].crowd")
        assert web.run("return document.querySelector('[role=grid]').getAttribute('aria-label')") == "(64,64):(1,64)"
        width = "return tables()[0].cell[0]"
        fit = web.run(width)
        web.click("#larger")
        assert web.run(width) > fit, (web.run(width), fit)
        web.click("#fit")
        assert web.run(width) == fit

        # The dark style is kept, and a frame has the picture without the fields.
        dark = "return document.documentElement.classList.contains('dark')"
        before = web.run(dark)
        web.click("#theme")
        show(expression="(4,8):(8,1)", embed="1")
        assert web.run(dark) != before
        visible = "return ['form', 'tools', 'help', 'pictures', 'facts'].filter((id) => el(id).getClientRects().length > 0)"
        assert web.run(visible) == ["pictures", "facts"], web.run(visible)
        show(expression="(4,8):(8,1)", physical="2")
        assert "physical=2" in web.text("#message"), web.text("#message")

        severe = [entry["message"] for entry in web.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]
        assert not severe, severe
    print("page: a learner pastes, follows colours, exports, and finds owners")
