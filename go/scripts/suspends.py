#!/usr/bin/env python3
"""suspends.py FILE...: finds functions that call one marked go_suspends and are not marked.

A function is marked where it is declared or defined; a header's marks hold in every file.
Functions that are only passed on (go_start(loop, fn, arg)) are not calls. Calls through pointers
are not seen.
"""

import pathlib
import re
import sys

MARK = "go_suspends"
STRING_OR_COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                               re.DOTALL)
# From the start of a line: a type, a name, parameters; then a body or the end of a declaration.
HEAD = re.compile(r"^(?![ \t#}])((?:[^;{}()=]|__attribute__\(\([^()]*\)\))*?)\b(\w+)\s*"
                  r"\(((?:[^;{}()]|\([^;{}()]*\))*)\)(?:\s*(?:const|noexcept))?\s*([;{])",
                  re.MULTILINE)
CALL = re.compile(r"\b(\w+)\s*\(")
# The coroutine's own functions: who starts them does not call them, the scheduler does.
ENTRY = re.compile(r"^\s*void\s*\*\s*\w+\s*$")


def plain(text):
    """Without comments, strings and preprocessor lines; the lines keep their numbers."""
    def blank(match):
        return "\n" * match[0].count("\n") if match[0].startswith("/") else match[0][0] * 2
    text = STRING_OR_COMMENT.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m[0].count("\n"), text,
                  flags=re.MULTILINE)


def functions(text):
    """Yields (line, name, is_marked, is_entry, body); the body of a declaration is empty."""
    for match in HEAD.finditer(text):
        before, name, parameters, end = match.groups()
        body = ""
        if end == "{":
            close = text.find("\n}", match.end())
            body = text[match.end():close if close >= 0 else len(text)]
        line = text.count("\n", 0, match.start(2)) + 1
        is_entry = bool(ENTRY.match(parameters)) and re.search(r"\bint\s*$", before) is not None
        yield line, name, MARK in before, is_entry, body


def marked_in(parsed):
    return {name for _, name, is_marked, _, _ in parsed if is_marked}


def main():
    sources = {path: list(functions(plain(pathlib.Path(path).read_text(encoding="utf-8"))))
               for path in sys.argv[1:]}
    everywhere = set()
    for path, parsed in sources.items():
        if path.endswith(".h"):
            everywhere |= marked_in(parsed)
    found = 0
    for path, parsed in sources.items():
        marked = everywhere | marked_in(parsed)
        for line, name, _, is_entry, body in parsed:
            if name in marked or is_entry or name.isupper():  # a macro is nobody's function
                continue
            called = [call for call in CALL.findall(body) if call in marked]
            if called:
                print(f"{path}:{line}: {name} calls {called[0]}, which may suspend: mark it {MARK}",
                      file=sys.stderr)
                found += 1
    print(f"{len(sources)} files checked, {found} functions are not marked")
    sys.exit(found != 0)


main()
