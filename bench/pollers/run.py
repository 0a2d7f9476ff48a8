#!/usr/bin/env python3
"""run.py BUILD DOCS: what one event costs while few or many descriptors are watched, by select,
poll, epoll and by our loop on either poller. Draws DOCS/pollers.svg and fills the table of
DOCS/PORTING.md between its markers."""

import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
from pictures import picture, text  # noqa: E402

COUNTS = (10, 30, 100, 300, 1000, 3000, 9900)
# The way of the program, the library's poller, a colour.
WAYS = {"select": ("select", "epoll", "#8250df"), "poll": ("poll", "epoll", "#bf8700"),
        "epoll": ("epoll", "epoll", "#57606a"), "ours on poll": ("uv", "poll", "#1a7f37"),
        "ours on epoll": ("uv", "epoll", "#0969da")}


def build(folder, poller):
    """The program, with our library on that poller inside."""
    place = folder / "pollers" / poller
    place.mkdir(parents=True, exist_ok=True)
    for step in (["cmake", "-S", SOURCE / "lib", "-B", place, "-G", "Ninja", "-DPHASOR_TESTS=OFF",
                  f"-DPHASOR_POLLER={poller}"],
                 ["ninja", "-C", place, "uv_a"],
                 ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-I", SOURCE / "lib/include",
                  HERE / "pollers.c", place / "lib/libuv.a", "-o", place / "pollers"]):
        subprocess.run(step, check=True, stdout=subprocess.DEVNULL)
    return place / "pollers"


def measure(programs):
    """{way: {count: ns}}; the ways take turns, so that a disturbance meets all of them."""
    found = {way: {} for way in WAYS}
    for count in COUNTS:
        for way, (name, poller, _) in WAYS.items():
            done = subprocess.run([programs[poller], name, str(count)], capture_output=True,
                                  text=True, check=False)
            if done.returncode == 0:
                found[way][count] = int(done.stdout)
            elif done.returncode != 77:
                sys.exit(done.stderr)
    return found


def draw(found):
    left, top, width, height = 60, 40, 760, 420
    high = max(max(points.values()) for points in found.values())
    low = min(min(points.values()) for points in found.values())

    def at_x(count):
        share = math.log(count / COUNTS[0]) / math.log(COUNTS[-1] / COUNTS[0])
        return left + share * (width - left - 120)

    def at_y(value):
        return top + math.log(high / value) / math.log(high / low) * (height - top - 50)

    parts = [text(left, 18, "ns for one event, and descriptors watched (both logarithmic)",
                  css="small")]
    for exponent in range(2, 8):
        if low <= 10 ** exponent <= high:
            y = at_y(10 ** exponent)
            parts.append(f'<line x1="{left}" x2="{width - 110}" y1="{y:.1f}" y2="{y:.1f}" '
                         'class="grid"/>')
            parts.append(text(left - 6, y + 4, f"{10 ** exponent:,}", "end", "small"))
    for count in COUNTS:
        parts.append(text(at_x(count), height - 20, f"{count:,}", "middle", "small"))
    for way, points in found.items():
        colour = WAYS[way][2]
        line = " ".join(f"{at_x(count):.1f},{at_y(value):.1f}" for count, value in points.items())
        parts.append(f'<polyline points="{line}" style="stroke: {colour}"/>')
        last = max(points)
        parts.append(f'<g style="fill: {colour}">' +
                     text(at_x(last) + 6, at_y(points[last]) + 4, way) + "</g>")
    return picture(width, height, "What one event costs", parts)


def table(found):
    yield "| descriptors | " + " | ".join(found) + " |"
    yield "|---" * (len(found) + 1) + "|"
    for count in COUNTS:
        cells = (f"{points[count]:,}" if count in points else "too many"
                 for points in found.values())
        yield f"| {count:,} | " + " | ".join(cells) + " |"


def main():
    folder, docs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    found = measure({poller: build(folder, poller) for poller in ("epoll", "poll")})
    (docs / "pollers.svg").write_text(draw(found), encoding="utf-8")
    page = docs / "PORTING.md"
    head, rest = page.read_text(encoding="utf-8").split("<!-- pollers -->\n", 1)
    tail = rest.split("<!-- end -->", 1)[1]
    page.write_text(head + "<!-- pollers -->\n" + "\n".join(table(found)) + "\n<!-- end -->" + tail,
                    encoding="utf-8")
    print("\n".join(table(found)))


main()
