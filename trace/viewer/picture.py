#!/usr/bin/env python3
"""A picture of a recording, taken from its page in headless Chromium.

    picture.py FILE.trace|PAGE.html OUT.png [--iteration N] [--select NAME] [--zoom WHAT] [--dark]

--iteration 0 is what ran before the first one. --zoom: 12.5-40 (milliseconds since the recording
began), turns:2-3 (whole iterations), or the name of a function. --part leaves out the rest of the
page. A FILE.trace becomes a page through `phasor report`: the command of --phasor, $PHASOR, the one
in build/bin, or the one that is installed.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "viewer"))

import chromium  # noqa: E402

PARTS = {
    "page": None,
    "top": "#main",
    "turn": "#turn",
    "wheel": "#turn .dial",
    "happened": "#happened",
    "lag": "section:has(> #lag)",
    "timeline": "section:has(#timeline)",
    "longest": "section:has(#longest)",
}


def parse():
    parser = argparse.ArgumentParser(description="A picture of a recording.")
    parser.add_argument("source", type=pathlib.Path, help="FILE.trace or PAGE.html")
    parser.add_argument("picture", type=pathlib.Path, help="OUT.png")
    parser.add_argument("--iteration", type=int, help="the turn that the wheel shows")
    parser.add_argument("--zoom", metavar="WHAT",
                        help="the visible time: FROM-TO in ms, turns:A-B, or a function")
    parser.add_argument("--select", metavar="NAME", help="the first callback with this name")
    parser.add_argument("--part", choices=PARTS, default="page")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--scale", type=float, default=1, help="pixels per pixel of the page")
    parser.add_argument("--phasor", help="the phasor command, for a FILE.trace")
    return parser.parse_args()


def phasor(given):
    built = HERE.parent.parent / "build" / "bin" / "phasor"
    found = given or os.environ.get("PHASOR") or (built if built.exists() else None)
    found = found or shutil.which("phasor")
    if not found:
        sys.exit("picture.py: where is the phasor command? (--phasor)")
    return str(found)


def page_of(source, command, folder):
    if source.suffix in (".html", ".htm"):
        return source
    page = pathlib.Path(folder) / "page.html"
    subprocess.run([phasor(command), "report", "--html", str(page), str(source)], check=True)
    return page


def select(browser, name):
    if not browser.run(f"phasorPage.selectNamed({json.dumps(name)})"):
        sys.exit(f"picture.py: nothing is called {name}")


def zoom(browser, what):
    times = re.fullmatch(r"([\d.]+)-([\d.]+)", what)
    turns = re.fullmatch(r"turns:(\d+)-(\d+)", what)
    if times:
        first, last = (float(text) * 1e6 for text in times.groups())
        browser.run(f"phasorPage.setView({first}, {last})")
    elif turns:
        if not browser.run(f"phasorPage.showTurns({turns[1]}, {turns[2]})"):
            sys.exit(f"picture.py: there are no such turns: {what}")
    else:
        select(browser, what)
        browser.run("phasorPage.showRow(phasorPage.selected, true)")


def show(browser, wanted):
    """Brings what is wanted into view; the zoom comes last because the others move it."""
    if wanted.iteration is not None:
        browser.run(f"phasorPage.goToNumber({wanted.iteration})")
        if browser.run("phasorPage.turn.iteration?.number") != wanted.iteration:
            sys.exit(f"picture.py: there is no iteration {wanted.iteration}")
    if wanted.select:
        select(browser, wanted.select)
    if wanted.zoom:
        zoom(browser, wanted.zoom)
    # Whole lists, and no empty boxes.
    if wanted.part in ("happened", "turn"):
        browser.run("for (const id of ['turn', 'happened']) Object.assign("
                    "document.getElementById(id).style,"
                    "{ height: 'auto', minHeight: '0', maxHeight: 'none', overflow: 'visible' })")
    browser.run("if (phasorPage.selected < 0) document.getElementById('details').hidden = true")
    browser.run("new Promise(done => setTimeout(done, 400))")


def take(browser, wanted):
    command = {"format": "png"}
    selector = PARTS[wanted.part]
    if selector:
        box = browser.run(f"(() => {{ const b = document.querySelector({json.dumps(selector)})"
                          ".getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()")
        x, y, width, height = box
        command["clip"] = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        command["captureBeyondViewport"] = True
    shot = browser.send("Page.captureScreenshot", command)
    wanted.picture.write_bytes(base64.b64decode(shot["data"]))


def main():
    wanted = parse()
    if not chromium.program():
        sys.exit("picture.py: Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder, chromium.Browser() as browser:
        browser.size(wanted.width, wanted.height, wanted.dark, still=True)
        if wanted.scale != 1:
            browser.send("Emulation.setDeviceMetricsOverride", {
                "width": wanted.width, "height": wanted.height,
                "deviceScaleFactor": wanted.scale, "mobile": False})
        browser.open(page_of(wanted.source, wanted.phasor, folder))
        show(browser, wanted)
        take(browser, wanted)
        if browser.errors:
            sys.exit(f"picture.py: the page complains: {browser.errors[0]}")


if __name__ == "__main__":
    main()
