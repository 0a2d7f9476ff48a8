"""firefox.py ADDRESS SAVED.html FOLDER: the page of phasor play in Firefox, through Marionette."""

import json
import pathlib
import socket
import subprocess
import sys
import time

ADDRESS, SAVED, FOLDER = sys.argv[1:4]
LONGEST = 120
PREFERENCES = {"marionette.port": 0, "app.update.auto": False,
               "browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False,
               "network.captive-portal-service.enabled": False}


def check(good, what):
    if not good:
        sys.exit(f"firefox.py: {what}")


class Firefox:
    """One Firefox with an empty profile. Use it with `with`."""

    def __enter__(self):
        profile = pathlib.Path(FOLDER, "firefox")
        profile.mkdir()
        (profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in PREFERENCES.items()), encoding="utf-8")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={
                "HOME": FOLDER, "PATH": "/usr/bin:/bin", "MOZ_HEADLESS_WIDTH": "1360",
                "MOZ_HEADLESS_HEIGHT": "900"})
        self.number = 0
        until = time.monotonic() + LONGEST
        port = profile / "MarionetteActivePort"
        while not port.exists() or not port.read_text():
            runs = time.monotonic() < until and self.process.poll() is None
            check(runs, "Firefox does not start")
            time.sleep(0.1)
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())), LONGEST)
        self.receive()
        self.send("WebDriver:NewSession", {"capabilities": {}})
        return self

    def __exit__(self, *unused):
        self.socket.close()
        self.process.terminate()
        self.process.wait(30)

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        left, data = int(length[:-1]), b""
        while len(data) < left:
            data += self.socket.recv(left - len(data))
        return json.loads(data)

    def send(self, name, values):
        self.number += 1
        data = json.dumps([0, self.number, name, values]).encode()
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        _, _, error, result = self.receive()
        check(error is None, f"{name}: {error}")
        return result

    def visit(self, address):
        self.send("WebDriver:Navigate", {"url": address})
        self.wait("document.body.dataset.ready === 'true'")

    def run(self, expression):
        script = f"return ({expression});"
        return self.send("WebDriver:ExecuteScript", {"script": script, "args": []})["value"]

    def wait(self, condition):
        until = time.monotonic() + LONGEST
        while not self.run(f"Boolean({condition})"):
            check(time.monotonic() < until, f"never came true: {condition}")
            time.sleep(0.05)


def lines(firefox):
    return firefox.run("[...document.querySelectorAll('#console li')].map((li) => li.innerText)"
                       ".join('|')")


def main():
    with Firefox() as firefox:
        firefox.visit(ADDRESS)
        firefox.run("phasorPlay.player.go(Infinity)")
        check(lines(firefox) == "script|tick|promise|read|immediate|timeout", lines(firefox))
        firefox.run("phasorPlay.player.go(5)")
        before = firefox.run("document.getElementById('boxes').innerText")
        firefox.run("phasorPlay.player.step(true, 0)")
        firefox.run("phasorPlay.player.step(false, 0)")
        check(firefox.run("document.getElementById('boxes').innerText") == before,
              "a moment looks different on the way back")
        wide = firefox.run("document.documentElement.scrollWidth <= innerWidth")
        check(wide, "the page is too wide")
        firefox.run("(() => { document.body.dataset.ready = 'no'; const one = "
                    "document.getElementById('lesson'); one.value = '06-tick-or-promise';"
                    "one.dispatchEvent(new Event('change')); })()")
        firefox.wait("document.body.dataset.ready === 'true'")
        firefox.run("document.querySelector('#guess > button.main').click()")
        check("Why:" in firefox.run("document.querySelector('#guess .result').innerText"),
              "no reason is given")
        firefox.visit(pathlib.Path(SAVED).resolve().as_uri())
        firefox.run("phasorPlay.player.go(Infinity)")
        check(lines(firefox).endswith("timeout"), "the saved page does not show its program")
    print("the page works")


main()
