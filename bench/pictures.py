"""Draws docs/ratios.svg and docs/scaling.svg from a result of `make bench`, and the table of
docs/PERFORMANCE.md between its markers.

usage: pictures.py RESULT.json DOCS
"""
import html
import json
import math
import re
import sys
from pathlib import Path

STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.small { font-size: 11px; fill: #57606a }
.grid { stroke: #d0d7de; stroke-width: 1 }
.one { stroke: #57606a; stroke-width: 1.5 }
.ours { fill: #0969da } .theirs { fill: #bf8700 } .worse { fill: #cf222e }
.line-ours { stroke: #0969da } .line-theirs { stroke: #bf8700 }
polyline { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 } }
</style>"""


def text(x, y, content, anchor="start", css=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{css}">'
            f"{html.escape(content)}</text>")


def picture(width, height, title, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{html.escape(title)}">\n{STYLE}\n' + "\n".join(parts) + "\n</svg>\n")


def times(ratio):
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def draw_ratios(rows):
    """One bar per row on a logarithmic scale; 1 is as fast as the other library."""
    left, right, step, top = 220, 60, 18, 40
    width = 860
    low, high = 0.5, max(10.0, max(row["ratio"] for row in rows.values()))

    def at(ratio):
        share = math.log(max(ratio, low) / low) / math.log(high / low)
        return left + share * (width - left - right)

    height = top + step * len(rows) + 20
    parts = [text(left, 16, "times as fast as libuv, or as frugal (logarithmic)", css="small")]
    for tick in (0.5, 1, 2, 5, 10, 100, 1000, 10000):
        if low <= tick <= high:
            css = "one" if tick == 1 else "grid"
            parts.append(f'<line x1="{at(tick):.1f}" x2="{at(tick):.1f}" y1="{top - 8}" '
                         f'y2="{height - 14}" class="{css}"/>')
            parts.append(text(at(tick), top - 12, f"{tick:g}", "middle", "small"))
    for index, (name, row) in enumerate(rows.items()):
        y = top + index * step
        begin, end = sorted((at(1), at(row["ratio"])))
        css = "ours" if row["ratio"] >= 1 else "worse"
        parts.append(text(left - 8, y + 11, name, "end"))
        parts.append(f'<rect x="{begin:.1f}" y="{y + 2}" width="{max(end - begin, 1):.1f}" '
                     f'height="{step - 6}" class="{css}"/>')
        parts.append(text(end + 5, y + 11, times(row["ratio"]), css="small"))
    return picture(width, height, "Ratios to libuv", parts)


def draw_scaling(rows):
    """Cost of one operation against the number of things alive, both logarithmic."""
    panels = [("timers", "restart of a timer"), ("asyncs", "wake-up of an async handle"),
              ("descriptors", "event on a descriptor")]
    width, panel, height, top, bottom = 900, 300, 300, 40, 50
    parts = []
    for number, (key, title) in enumerate(panels):
        points = sorted((int(name.rsplit("-", 1)[1]), row) for name, row in rows.items()
                        if name.startswith(f"scale-{key}-"))
        if not points:
            continue
        values = [v for _, row in points for v in (row["ours_median"], row["peer_median"])]
        x0, x1 = number * panel + 55, (number + 1) * panel - 20
        low, high = math.log10(min(values)), math.log10(max(values) * 1.3)
        low, high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
        most = math.log10(points[-1][0])

        def place(count, value):
            return (x0 + (math.log10(count) - 1) / (most - 1) * (x1 - x0),
                    height - bottom - (math.log10(value) - low) / (high - low)
                    * (height - top - bottom))

        parts.append(text(x0, 20, title))
        for power in range(low, high + 1):
            y = place(10, 10 ** power)[1]
            label = {0: "1 ns", 3: "1 µs", 6: "1 ms"}.get(power, f"{10 ** (power % 3)} "
                                                          + ("ns", "µs", "ms")[power // 3])
            parts.append(f'<line x1="{x0}" x2="{x1}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
            parts.append(text(x0 - 5, y + 4, label, "end", "small"))
        for count, _ in points:
            x = place(count, 10 ** low)[0]
            label = f"{count // 10**6} M" if count >= 10**6 else f"{count:,}"
            parts.append(text(x, height - bottom + 18, label, "middle", "small"))
        for side, css in (("peer_median", "theirs"), ("ours_median", "ours")):
            places = [place(count, row[side]) for count, row in points]
            joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<polyline points="{joined}" class="line-{css}"/>')
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="{css}"/>'
                      for x, y in places]
    parts.append(f'<rect x="55" y="{height - 16}" width="12" height="4" class="ours"/>')
    parts.append(text(72, height - 11, "Phasor", css="small"))
    parts.append(f'<rect x="135" y="{height - 16}" width="12" height="4" class="theirs"/>')
    parts.append(text(152, height - 11, "libuv", css="small"))
    return picture(width, height, "Cost against size", parts)


def number(value):
    if value is None:
        return ""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def write_table(document, result):
    lines = ["| workload | unit | Phasor | libuv | ratio | range | limit |",
             "|---|---|--:|--:|--:|--:|--:|"]
    for name, row in result["rows"].items():
        if row["ratio"] is None:
            continue
        extremes = "–".join(times(value) for value in row["range"])
        lines.append(f"| {name} | {row['unit']} | {number(row['ours_median'])} | "
                     f"{number(row['peer_median'])} | **{times(row['ratio'])}** | {extremes} | "
                     f"{number(row['limit_median'])} |")
    versions = result["libraries"]
    machine = result["machine"]
    system = " ".join(machine["system"].split("-")[:2])
    caption = f"libuv {versions['peer']['version']}, {machine['processors']} processors, {system}."
    marked = re.sub(r"(<!-- table -->\n).*?(<!-- end -->)",
                    lambda m: m[1] + caption + "\n\n" + "\n".join(lines) + "\n" + m[2],
                    document.read_text(), flags=re.S)
    document.write_text(marked)


def main():
    result = json.loads(Path(sys.argv[1]).read_text())
    docs = Path(sys.argv[2])
    rows = {name: row for name, row in result["rows"].items() if row["ratio"]}
    scale = {name: row for name, row in rows.items() if name.startswith("scale-")}
    plain = {name: row for name, row in rows.items() if name not in scale}
    (docs / "ratios.svg").write_text(draw_ratios(plain))
    if scale:
        (docs / "scaling.svg").write_text(draw_scaling(scale))
    write_table(docs / "PERFORMANCE.md", result)


if __name__ == "__main__":
    main()
