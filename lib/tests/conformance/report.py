"""Puts the results of the last `make conformance` and `make clients` into docs/CONFORMANCE.md.

    report.py BUILD

Each table stands between two markers; the rest of the document is left as it is.
"""

import csv
import pathlib
import re
import sys

RUNS = ("ours", "debian")
HEADS = ("ours", "Debian's libuv")
DOCUMENT = pathlib.Path("docs/CONFORMANCE.md")


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def counted(rows, title):
    counts = [f"{sum(row[title] == r for row in rows)} {r}" for r in ("pass", "fail", "skip")]
    return ", ".join(count for count in counts if not count.startswith("0 "))


def conformance(rows):
    lines = [line("family", "tests", *HEADS),
             "|---|---|---|---|"]
    families = sorted({row["family"] for row in rows})
    for family in families:
        own = [row for row in rows if row["family"] == family]
        lines.append(line(family, len(own), *(counted(own, title) for title in RUNS)))
    lines.append(line("all", len(rows), *(counted(rows, title) for title in RUNS)))
    others = [row for row in rows if row["note"] or any(row[title] != "pass" for title in RUNS)]
    lines += ["", f"The {len(rows) - len(others)} tests that are not named here pass on both.", "",
              line("test", *HEADS, "note"), "|---|---|---|---|"]
    for row in sorted(others, key=lambda row: (row["family"], row["test"])):
        lines.append(line(row["test"], *(row[title] for title in RUNS), row["note"]))
    return "\n".join(lines)


def clients(rows):
    lines = [line("client", *HEADS, "note"),
             "|---|---|---|---|"]
    lines += [line(row["client"], *(row[title] for title in RUNS), row["note"]) for row in rows]
    return "\n".join(lines)


def put(text, name, body):
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"{DOCUMENT} has no markers for {name}")
    return pattern.sub(lambda _: f"{begin}\n{body}\n{end}", text)


def main():
    build = pathlib.Path(sys.argv[1])
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, table in (("conformance/installed", conformance), ("conformance/newest", conformance),
                        ("clients", clients)):
        results = build / name / "results.tsv"
        if results.exists():
            text = put(text, name, table(rows_of(results)))
    DOCUMENT.write_text(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE), encoding="utf-8")


main()
