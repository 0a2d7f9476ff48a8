"""No notes to self, no tabs, no long lines, no blanks at a line's end, a newline at the file's end;
and nothing that is true on one machine only: paths of someone's folders, hosts of package servers.
Comments of C are /* */, except for the marks by which the build finds what a test needs.
"""

import re

import project

CODE = (".c", ".h", ".js", ".mjs", ".py", ".sh", ".bash", ".cmake", "CMakeLists.txt")
WIDTH = 100
TABS_ALLOWED = ("Makefile", "rules", "APKBUILD", ".txt", ".diff", ".patch", ".tsv", ".mk")
NOTE = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
VOID = re.compile(r"\s*void \w+;")
OWN_FOLDER = re.compile(r"(?<![\w.$}/*])/(work|root|home/\w+|Users/\w+)/[\w.]")
PACKAGE_HOST = re.compile(r"https?://(deb|ftp|registry|security|archive|mirrors?|pypi|npm)\.", re.I)


C_WORD = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
MARK = re.compile(r"// (threaded$|alone$|wrap: )")


def breaks_of_comments(source):
    for word in C_WORD.finditer(source):
        if word[0].startswith("//") and not MARK.match(word[0]):
            yield project.line_of(source, word.start())


def breaks_of_machine(line):
    if OWN_FOLDER.search(line):
        yield "a path of one machine"
    if PACKAGE_HOST.search(line):
        yield "the host of a package server"


def breaks_of_line(path, line):
    # The lines around a patch are another project's.
    is_context = path.name.endswith(".patch") and line[:1] in (" ", "-")
    if NOTE.search(line) and not is_context:
        yield "a note to self: do it, or write down what is so"
    if "\t" in line and not path.name.endswith(TABS_ALLOWED):
        yield "a tab"
    if len(line) > WIDTH and path.name.endswith(CODE):
        yield f"{len(line)} columns, at most {WIDTH} are allowed"
    if VOID.match(line) and path.name.endswith((".js", ".mjs")):
        yield "a name that nothing uses"
    if line != line.rstrip() and not path.name.endswith((".diff", ".patch")):
        yield "blanks at the end"
    yield from breaks_of_machine(line)


def main():
    breaks = []
    paths = project.files()
    for path in paths:
        source = project.text(path)
        if not source:
            continue
        # What programs print is as it is, on every machine; so is what is fed to fuzz targets.
        printed = path.is_relative_to("runtime/tests/js/expected") or path.is_relative_to(
            "tests/fuzz/corpus")
        for number, line in enumerate(source.split("\n"), 1):
            found = breaks_of_machine(line) if printed else breaks_of_line(path, line)
            breaks += [(path, number, message) for message in found]
        if path.name.endswith(project.C + (".def",)) and not printed:
            breaks += [(path, number, "a // comment: /* */ is how C is commented here")
                       for number in breaks_of_comments(source)]
        if not printed and not source.endswith("\n"):
            breaks.append((path, source.count("\n") + 1, "no newline at the end"))
    project.report(breaks, f"{len(paths)} files")


main()
