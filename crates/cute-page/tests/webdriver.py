"""A headless Chromium: WebDriver is JSON over HTTP, and this speaks it directly."""

import base64
import contextlib
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Right": "\ue014", "Down": "\ue015", "End": "\ue010", "Enter": "\ue007"}


class Browser:
    """A session of WebDriver. `actions` counts what a reader does: typing into a field, a click, a choice, a key."""

    actions = 0

    def __init__(self, port):
        self.base = f"http://127.0.0.1:{port}"
        options = {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1180,800",
                     "--force-color-profile=srgb", "--host-resolver-rules=MAP * ~NOTFOUND"],
        }
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += "/session/" + made["sessionId"]

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:500]}") from error

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def run(self, script, *args):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(args)})

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def write(self, selector, text):
        self.actions += 1
        element = self.find(selector)
        self.ask("POST", f"/element/{element}/clear", {})
        self.ask("POST", f"/element/{element}/value", {"text": text})

    def choose(self, selector, value):
        """Chooses an option of a list."""
        self.actions += 1
        option = self.find(f"{selector} option[value='{value}']")
        self.ask("POST", f"/element/{option}/click", {})

    def click(self, selector):
        self.actions += 1
        self.ask("POST", f"/element/{self.find(selector)}/click", {})

    def press(self, key):
        self.actions += 1
        actions = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def point_at(self, x, y, *clicks):
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "origin": "viewport"}, *clicks]
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self.ask("POST", "/actions", {"actions": [pointer]})

    def click_at(self, x, y):
        self.actions += 1
        self.point_at(x, y, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def downloads(self, folder):
        """Writes downloads to a folder."""
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def cdp(self, command, **params):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def resize(self, width, height):
        self.ask("POST", "/window/rect", {"width": width, "height": height})

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def runs_injected(self):
        """Whether a script that is added to the page runs."""
        return self.run("""
          const script = document.createElement('script');
          script.textContent = 'window.injected = true';
          document.body.append(script);
          return window.injected ?? false""")

    def until(self, script, what):
        end = time.monotonic() + 30
        while not self.run(f"return {script}"):
            assert time.monotonic() < end, f"{what}: {self.text('#message')}"
            time.sleep(0.05)

    def fact(self, name):
        return self.text(f"#facts [data-fact='{name}'] .mono")

    def steps(self, name):
        script = "return [...document.querySelectorAll(`#facts [data-fact='${arguments[0]}'] .step`)].map((s) => s.textContent)"
        return self.run(script, name)

    def place_of(self, table, row, column):
        """The middle of a cell in the window."""
        where = """
          const t = views.flatMap((v) => v.tables)[arguments[0]];
          t.box.scrollIntoView({block: 'center'});
          const box = t.base.getBoundingClientRect();
          return [box.left + t.rim[0] + (arguments[2] + .5) * t.cell[0], box.top + t.rim[1] + (arguments[1] + .5) * t.cell[1]];"""
        return self.run(where, table, row, column)

    def click_cell(self, table, row, column):
        self.click_at(*self.place_of(table, row, column))


@contextlib.contextmanager
def browser():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], env={**os.environ, "HOME": home}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 30
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5).close()
                    break
                except OSError:
                    assert driver.poll() is None and time.monotonic() < end, "chromedriver does not start"
                    time.sleep(0.1)
            session = Browser(port)
            yield session
            session.ask("DELETE", "")
        finally:
            driver.terminate()
            driver.wait()
