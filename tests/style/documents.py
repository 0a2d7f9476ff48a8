"""Relative links lead somewhere, the map names every room of the house, the built-in modules that
pages name are there, and the tests that are said to hold a promise exist."""

import pathlib
import re

import project

LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)")
MAP = pathlib.Path("docs/ARCHITECTURE.md")
PROMISES = pathlib.Path("docs/PROMISES.md")
SCRIPTS = pathlib.Path("runtime/js")
DIFFERS = pathlib.Path("lib/tests/promises/differs.txt")


def anchors(path):
    """The names that a document's headings can be linked by."""
    found = set()
    for heading in re.findall(r"^#+\s+(.*?)\s*#*$", path.read_text(encoding="utf-8"), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.replace(" ", "-"))
    return found


def dead_links(path):
    source = re.sub(r"```.*?```|`[^`\n]*`", lambda m: "\n" * m[0].count("\n"),
                    project.text(path), flags=re.DOTALL)
    for match in LINK.finditer(source):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        found = path.parent / target if target else path
        line = project.line_of(source, match.start())
        if not found.exists():
            yield path, line, f"leads nowhere: {match[1]}"
        elif anchor and found.suffix == ".md" and anchor not in anchors(found):
            yield path, line, f"no such heading: {match[1]}"


def rooms_not_on_the_map():
    if not MAP.exists():
        return
    text = MAP.read_text(encoding="utf-8")
    rooms = {path.parts[1] for path in project.files(*project.C)
             if path.parts[0] == "lib" and len(path.parts) > 2}
    for room in sorted(rooms):
        if not re.search(rf"\b{room}/", text):
            yield MAP, 1, f"does not name lib/{room}/"


def tests_that_are_not_there():
    sources = [path for path in project.files(".c") if path.is_relative_to("lib/tests/behaviour")]
    tests = {name for path in sources
             for name in re.findall(r"^TEST\((\w+)\)", project.text(path), re.MULTILINE)}
    promised = (PROMISES, r"`([a-z0-9]+(?:_[a-z0-9]+){2,})`")
    for path, pattern in (promised, (DIFFERS, r"^([a-z]\w+) ")):
        if not path.exists():
            continue
        for match in re.finditer(pattern, project.text(path), re.MULTILINE):
            name = match[1]
            if name not in tests and not name.startswith("uv_"):
                line = project.line_of(project.text(path), match.start())
                yield path, line, f"no such test: {name}"


def paths_that_are_no_more():
    """`function`, `function` (file): each function stands in that file."""
    text = MAP.read_text(encoding="utf-8") if MAP.exists() else ""
    for match in re.finditer(r"((?:`\w+`,?\s+)+)\(([\w/]+\.(?:c|h|js))\)", text):
        path = pathlib.Path(match[2])
        line = project.line_of(text, match.start())
        if not path.exists():
            yield MAP, line, f"there is no {path}"
            continue
        source = project.text(path)
        for name in re.findall(r"`(\w+)`", match[1]):
            if not re.search(rf"\b{name}\b", source):
                yield MAP, line, f"{name} is not in {path}"


def scripts_that_are_not_there():
    """`internal/FOLDER/NAME` in a page of ours is a file or a folder of runtime/js."""
    for path in project.files(".md"):
        if path.name == "CHANGELOG.md":
            continue
        text = project.text(path)
        for match in re.finditer(r"(?<!')\b(internal/[a-z0-9_/]+)", text):
            name = match[1].rstrip("/")
            file = SCRIPTS / f"{name}.js"
            if not file.exists() and not (SCRIPTS / name).is_dir():
                yield path, project.line_of(text, match.start()), f"there is no {file}"


def main():
    breaks = [*rooms_not_on_the_map(), *tests_that_are_not_there()]
    breaks += [*paths_that_are_no_more(), *scripts_that_are_not_there()]
    paths = project.files(".md")
    for path in paths:
        breaks += dead_links(path)
    project.report(breaks, f"{len(paths)} documents")


main()
