"""Drives headless Chromium through its debugging pipe: no port, no network, no other program."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--disable-breakpad", "--hide-scrollbars",
         "--remote-debugging-pipe"]
LONGEST = 60


def program():
    """Chromium's path; None if it is not installed."""
    return shutil.which("chromium")


class Browser:
    """One page in one Chromium with an empty profile. Use it with `with`."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="phasor-chromium-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def place():
            # Chromium reads commands from 3 and writes answers to 4. First out of the way, since
            # the ends of our pipes may be 3 or 4 themselves.
            first, second = os.dup(to_browser), os.dup(from_browser)
            high = [os.open("/dev/null", os.O_RDONLY) for _ in range(4)]
            source, sink = os.dup(first), os.dup(second)
            os.dup2(source, 3)
            os.dup2(sink, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)
            for extra in [first, second, source, sink] + high:
                if extra > 4:
                    os.close(extra)

        self.process = subprocess.Popen(
            [program(), *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            close_fds=False, preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile, "TMPDIR": self.profile,
                 "XDG_CONFIG_HOME": self.profile, "XDG_CACHE_HOME": self.profile})
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.errors = []
        self.requests = []
        self.open_page()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        try:
            self.send("Browser.close", session=False)
        except (OSError, RuntimeError):
            self.process.kill()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def open_page(self):
        target = self.send("Target.createTarget", {"url": "about:blank"}, False)["targetId"]
        attached = self.send("Target.attachToTarget", {"targetId": target, "flatten": True}, False)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.send(f"{domain}.enable")

    def message(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise RuntimeError("Chromium does not answer")
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("Chromium went away")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(" ".join(str(a.get("value")) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def send(self, method, params=None, session=True, longest=LONGEST):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params or {}}
        if session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        until = time.monotonic() + longest
        while True:
            message = self.message(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.note(message)

    def size(self, width, height, dark=False, still=False):
        self.send("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.send("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]})

    def open(self, path, ready="document.body?.dataset.ready === 'true'"):
        self.errors.clear()
        self.requests.clear()
        self.send("Page.navigate", {"url": pathlib.Path(path).resolve().as_uri()})
        self.wait(f"document.readyState === 'complete' && {ready}")

    def run(self, expression, longest=LONGEST):
        """The value of an expression in the page."""
        result = self.send("Runtime.evaluate", {
            "expression": expression, "returnByValue": True, "awaitPromise": True},
            longest=longest)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description"))
        return result["result"].get("value")

    def wait(self, condition, longest=LONGEST):
        until = time.monotonic() + longest
        while True:
            try:
                # A question that meets a page on its way out may never be answered.
                if self.run(f"Boolean({condition})", longest=5):
                    return
            except RuntimeError as problem:
                if "went away" in str(problem):
                    raise
            if time.monotonic() > until:
                raise AssertionError(f"never came true: {condition}")
            time.sleep(0.02)

    def key(self, key, text=None):
        shown = text if text is not None else (key if len(key) == 1 else None)
        down = {"type": "keyDown", "key": key}
        if shown:
            down["text"] = shown
        self.send("Input.dispatchKeyEvent", down)
        self.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def drag(self, x0, y0, x1, y1, shift=False):
        more = {"button": "left", "modifiers": 8 if shift else 0}
        self.mouse("mousePressed", x0, y0, clickCount=1, **more)
        for part in (0.5, 1):
            x, y = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
            self.mouse("mouseMoved", x, y, buttons=1, **more)
        self.mouse("mouseReleased", x1, y1, clickCount=1, **more)

    def click(self, selector):
        x, y = self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                        "e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect();"
                        "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def screenshot(self, path):
        shot = self.send("Page.captureScreenshot")
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))
