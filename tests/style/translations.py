"""A translation (NAME.zh.md) is as long as its original: the same headings in depth and order, the
same blocks of code to the letter, the same figures in its tables, the same links."""

import re

import project

BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = re.compile(r"^.*README(?:\.zh)?\.md\).*\n", re.MULTILINE)  # the line that switches


def shape(path):
    text = LANGUAGES.sub("", project.text(path))
    prose = BLOCK.sub("", text)
    return {
        "headings": [len(mark) for mark in re.findall(r"^(#+) ", prose, re.MULTILINE)],
        "blocks of code": BLOCK.findall(text),
        "rows of tables": re.findall(r"^\|.*\| ([\d., ]+) \|$", prose, re.MULTILINE),
        "links": re.findall(r"\]\(([^)]+)\)", prose),
        "code in the text": sorted(re.findall(r"`[^`\n]+`", prose)),
    }


def main():
    breaks = []
    paths = project.files(".zh.md")
    for path in paths:
        original = path.with_name(path.name.replace(".zh.md", ".md"))
        if not original.exists():
            breaks.append((path, 1, f"translates {original}, which is not there"))
            continue
        ours, theirs = shape(path), shape(original)
        for what, found in ours.items():
            if found != theirs[what]:
                breaks.append((path, 1, f"has other {what} than {original}"))
    project.report(breaks, f"{len(paths)} translations")


main()
