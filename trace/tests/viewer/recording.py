"""A real recording: what the page shows is what the report says, and nothing else.

    recording.py BUILD
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import chromium
from pages import contains, equal

PROGRAM = pathlib.Path(__file__).resolve().parent / "recording.c"


def build_program(build, folder):
    program = folder / "recording"
    subprocess.run(["cc", "-g", "-rdynamic", "-Ilib/include", str(PROGRAM), "-o", str(program),
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


def check_source(b, folder):
    """Other figures and sentences in the data are other ones in the page; without, it says so."""
    text = (folder / "page.html").read_text(encoding="utf-8")
    begin, head, rest = re.split(r'(?<=class="trace-head">)(.*?)(?=</script>)', text, 1, re.DOTALL)
    data = json.loads(head)
    loop = data["figures"]["loops"][0]
    loop.update(utilisation=0.123, iterations=777, longest=loop["longest"][1:2])
    loop["lag"].update(median=1e6, p99=2e6, worst=3e6)
    loop["timerLateness"].update(worst=4e6)
    data["figures"]["pool"]["queueWait"].update(worst=5e6)
    data["sentences"] = [{"about": "turned", "text": "It turned."}]

    def change(changed):
        changed = json.dumps(changed).replace("<", "\\u003c")
        (folder / "own.html").write_text(begin + changed + rest, encoding="utf-8")
    change(data)
    b.open(folder / "own.html")
    equal(b.text("#sentences").strip(), "It turned.")
    for figure in ("12 %", "777", "1.00 ms", "2.00 ms", "3.00 ms"):
        contains(b.text("#figures"), figure)
    contains(b.text("#waiting"), "4.00 ms worst")
    contains(b.text("#waiting"), "5.00 ms worst")
    equal(b.run("document.querySelectorAll('#longest li').length"), 1)
    del data["figures"]
    change(data)
    b.open(folder / "own.html", ready="document.body.classList.contains('failed')")
    contains(b.text("#problem"), "figures are not in the data")


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
            check_source(browser, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
