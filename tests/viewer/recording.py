"""A real recording: what the page works out from the rows is what the report says.

    recording.py BUILD
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import chromium
from pages import contains, equal

PROGRAM = pathlib.Path(__file__).resolve().parent / "recording.c"


def build_program(build, folder):
    program = folder / "recording"
    subprocess.run(["cc", "-g", "-rdynamic", "-Iinclude", str(PROGRAM), "-o", str(program),
                    f"-L{build}/lib", "-luv", f"-Wl,-rpath,{build}/lib"], check=True)
    return program


def record(build, folder):
    """The report of a recording; its page is folder/page.html."""
    program = build_program(build, folder)
    phasor = build / "bin" / "phasor"
    recorded = folder / "recording.trace"
    subprocess.run([phasor, "trace", "-o", recorded, "--", program], check=True, cwd=folder)
    subprocess.run([phasor, "report", "--html", folder / "page.html", recorded], check=True)
    told = subprocess.run([phasor, "report", "--json", recorded], check=True, capture_output=True)
    return json.loads(told.stdout)


def compare(b, report):
    loop = report["loops"][0]
    shown = b.run("phasorPage.loopFigures")
    equal(shown["iterations"], loop["iterations"])
    equal(b.run("phasorPage.model.end"), report["duration"])
    equal(shown["lag"]["worst"], loop["lag"]["worst"])
    equal(shown["outside"], loop["outside"]["sum"])
    equal(shown["lateness"]["count"], loop["timerLateness"]["count"])
    equal(shown["waited"], loop["waiting"])
    assert abs(shown["utilisation"] - loop["utilisation"]) < 1e-5, shown["utilisation"]
    requests = b.run("phasorPage.requestFigures")
    equal(requests["queued"]["count"], report["pool"]["queueWait"]["count"])
    equal(requests["queued"]["worst"], report["pool"]["queueWait"]["worst"])
    equal(requests["worked"]["worst"], report["pool"]["ran"]["worst"])
    longest = report["longest"][0]
    b.click("#longest button")
    # On a busy machine, another callback than block_the_loop may have been held up longer.
    name = longest["function"].split(" (")[0]
    contains(b.text("#details strong"), name)
    equal(b.run("phasorPage.model.rows.duration[phasorPage.selected]"), longest["duration"])
    equal(b.text("#happened [aria-current] .name"), name)
    for sentence in report["sentences"]:
        contains(b.text("#sentences"), sentence)
    contains(b.text("#longest"), "block_the_loop")
    equal(b.errors, [])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not chromium.program() or not (build / "bin" / "phasor").exists():
        print("Chromium or the phasor command is not there")
        sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        report = record(build, folder)
        with chromium.Browser() as browser:
            browser.size(1280, 800, still=True)
            browser.open(folder / "page.html")
            compare(browser, report)
            equal(browser.run("phasorPage.track.outsides.count > 0"), True)
            contains(browser.text("#phase-times"), "outside of the loop")
            # The same without the report's figures: worked out from the rows.
            text = (folder / "page.html").read_text(encoding="utf-8")
            assert '"figures": {' in text
            (folder / "own.html").write_text(text.replace('"figures": {', '"other": {'),
                                             encoding="utf-8")
            browser.open(folder / "own.html")
            compare(browser, report)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
