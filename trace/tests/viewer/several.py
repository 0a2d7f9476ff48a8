"""Two processes that are recorded at the same time: what the page of both shows.

    several.py BUILD
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import chromium
from pages import contains, drawn, equal
from recording import build_program


def record(phasor, program, folder):
    """The recordings of two processes, of which the shell that starts them has none."""
    subprocess.run([phasor, "trace", "-o", folder / "r.trace", "--html", folder / "traced.html",
                    "--", "sh", "-c",
                    f"'{program}' & '{program}'; wait"], check=True, cwd=folder)
    return sorted(folder.glob("r.trace*"))


def look(b, phasor, files):
    reports = [json.loads(subprocess.run([phasor, "report", "--json", file], check=True,
                                         capture_output=True).stdout) for file in files]
    contains(b.text("#meta"), "2 processes")
    equal(b.run("document.querySelectorAll('#loops tbody tr').length"), 2)
    b.run("phasorPage.timeline.canvas.style.height = '1200px'")
    texts = drawn(b)
    for report in reports:
        assert any(text.startswith(f"pid {report['pid']}") for text in texts), texts
        contains(b.text("#loops"), f"main loop · {report['pid']}")
    sizes = b.run("phasorPage.model.loops.map(t => t.iterations.count)")
    equal(sorted(sizes), sorted(report["loops"][0]["iterations"] for report in reports))
    # Each has its own work for the pool, and nobody takes another's.
    lives = b.run("(m => [...m.requests.submit].map((s, n) => [s, m.requests.work[n]])"
                  ".filter(([s, w]) => s >= 0 && w >= 0)"
                  ".map(([s, w]) => m.tracks[m.rows.track[s]].process =="
                  "  m.tracks[m.rows.track[w]].process))(phasorPage.model)")
    equal(len(lives), sum(report["pool"]["queueWait"]["count"] for report in reports))
    assert all(lives)
    begins = sorted(report["startedAt"] for report in reports)
    first = b.run("phasorPage.model.loops.map(t => t.iterations.start[0] / 1e6)")
    apart = max(first) - min(first)
    assert abs(apart - (begins[1] - begins[0])) < 1000, (first, begins)
    equal(b.errors, [])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    phasor = build / "bin" / "phasor"
    if not chromium.program() or not phasor.exists():
        print("Chromium or the phasor command is not there")
        sys.exit(77)
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        files = record(phasor, build_program(build, folder), folder)
        equal(len(files), 2)
        traced = (folder / "traced.html").read_text(encoding="utf-8")
        equal(traced.count('class="trace-head"'), 2)
        subprocess.run([phasor, "report", *files, "--html", folder / "page.html"], check=True)
        told = subprocess.run([phasor, "report", *files], check=True, capture_output=True,
                              text=True).stdout
        equal(told.count("utilisation"), 2)
        refused = subprocess.run([phasor, "report", *files, "--json"], capture_output=True,
                                 text=True, check=False)
        equal(refused.returncode, 2)
        contains(refused.stderr, "one file at a time")
        with chromium.Browser() as browser:
            browser.size(1280, 800, still=True)
            browser.open(folder / "page.html")
            look(browser, phasor, files)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
