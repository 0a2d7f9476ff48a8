"""Draws the ratios of a table that run.py has written as bars.

usage: picture.py PAGE.md PICTURE.svg
"""
import html
import math
import re
import sys
from pathlib import Path

STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.small { font-size: 11px; fill: #57606a }
.grid { stroke: #d0d7de; stroke-width: 1 }
.one { stroke: #57606a; stroke-width: 1.5 }
.better { fill: #0969da } .worse { fill: #cf222e }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9198a1 } .grid { stroke: #3d444d } .one { stroke: #9198a1 } }
</style>"""
LEFT, RIGHT, STEP, TOP, WIDTH = 330, 60, 18, 40, 900


def read(page):
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) >= 5 and re.fullmatch(r"\d+\.\d+", cells[3]):
            yield cells[0], float(cells[3])


def label(x, y, content, anchor="start", css=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{css}">'
            f"{html.escape(content)}</text>")


def draw(rows):
    low = min(0.1, min(ratio for _, ratio in rows))
    high = max(10, max(ratio for _, ratio in rows))

    def at(ratio):
        return LEFT + math.log(ratio / low) / math.log(high / low) * (WIDTH - LEFT - RIGHT)

    height = TOP + STEP * len(rows) + 12
    parts = [label(LEFT, 14, "times as good as Node 20 (logarithmic)", css="small")]
    for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50):
        if low <= tick <= high:
            parts.append(f'<line x1="{at(tick):.1f}" x2="{at(tick):.1f}" y1="{TOP - 8}" '
                         f'y2="{height - 8}" class="{"one" if tick == 1 else "grid"}"/>')
            parts.append(label(at(tick), TOP - 12, f"{tick:g}", "middle", "small"))
    for index, (name, ratio) in enumerate(rows):
        y = TOP + index * STEP
        begin, end = sorted((at(1), at(ratio)))
        parts.append(label(LEFT - 8, y + 11, name, "end"))
        parts.append(f'<rect x="{begin:.1f}" y="{y + 2}" width="{max(end - begin, 1):.1f}" '
                     f'height="{STEP - 6}" class="{"better" if ratio >= 1 else "worse"}"/>')
        parts.append(label(max(end, at(1)) + 5, y + 11, f"{ratio:g}", css="small"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'aria-label="Ratios to Node 20">\n{STYLE}\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    rows = list(read(Path(sys.argv[1]).read_text()))
    if not rows:
        sys.exit(f"{sys.argv[1]}: no table of run.py")
    Path(sys.argv[2]).write_text(draw(rows))


main()
