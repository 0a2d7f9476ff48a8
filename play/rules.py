"""The rules of docs/RULES.md and of its translation, for the page: each has a title and its text as
HTML. Of Markdown it knows what these pages use: paragraphs, blocks of code, `code` and **bold**."""

import html
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
PAGES = {"en": "RULES.md", "zh": "RULES.zh.md"}
RULE = re.compile(r"^## (\S+)\n\n\*\*(.+?)\*\* (.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def inline(text):
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)


def as_html(text):
    parts = []
    for part in re.split(r"\n\n+", text.strip()):
        block = BLOCK.fullmatch(part)
        parts.append(f"<pre>{html.escape(block[2], quote=False)}</pre>" if block
                     else f"<p>{inline(part.replace(chr(10), ' '))}</p>")
    return "".join(parts)


def rules(language):
    """{name: [title, HTML]}, in the order of the page."""
    text = (DOCS / PAGES[language]).read_text(encoding="utf-8")
    found = {name: [title.rstrip(".。"), as_html(body)] for name, title, body in RULE.findall(text)}
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    if list(found) != headings:
        sys.exit(f"{PAGES[language]}: a section is no rule: {set(headings) - set(found)}")
    return found


def examples():
    """(name, program, what it prints) of each rule."""
    text = (DOCS / PAGES["en"]).read_text(encoding="utf-8")
    for name, _, body in RULE.findall(text):
        blocks = BLOCK.findall(body)
        if [kind for kind, _ in blocks] != ["js", "text"]:
            sys.exit(f"{PAGES['en']}: {name} does not have one program and what it prints")
        yield name, blocks[0][1], blocks[1][1]
