"""Sources with many mutants inside, of which one is chosen when a process starts.

A mutant changes one line of one function. The changed function stands beside the original under a
name of its own, and the original begins with a switch that calls it if the number in the variable
PHASOR_MUTANT of the environment is the mutant's. So the library and its tests are built once for
all mutants. The same build says which lines a test runs: a mark is set in a file that
PHASOR_MARKS names, which outlives any end of the process.
"""

import re

HEAD = "extern int ph_mutant;\nextern unsigned char* ph_marks;\n"
CHOICE = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int ph_mutant;
static unsigned char nobody_asks[COUNT];
unsigned char* ph_marks = nobody_asks;
__attribute__((constructor(101))) static void choose_mutant(void) {
    const char* number = getenv("PHASOR_MUTANT");
    const char* marks = getenv("PHASOR_MARKS");
    if (number != NULL)
        ph_mutant = atoi(number);
    if (marks != NULL) {
        int fd = open(marks, O_RDWR | O_CLOEXEC);
        void* place = mmap(NULL, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        if (place != MAP_FAILED)
            ph_marks = place;
    }
}
"""
AT = re.compile(r"(case\b.*|\w+):$")
ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*")
NO_CODE = re.compile(r"/\*.*?\*/|//.*|'(?:\\.|[^'\\])'|\"(?:\\.|[^\"\\])*\"")
LABEL = re.compile(r"^\s*(?!default\b)(\w+):$")


def choice(marks):
    return CHOICE.replace("COUNT", str(marks))


class Function:
    """Lines first to last (from 0) of a file; the body begins after the line `opens`."""

    def __init__(self, lines, first, opens, last):
        self.first, self.opens, self.last = first, opens, last
        self.head = " ".join(lines[first:opens + 1]).rstrip("{ ")
        self.plain = ATTRIBUTE.sub("", self.head)
        found = re.match(r"(.*?)(\w+)\((.*)\)$", self.plain)
        self.usable = found is not None and not any(
            line.startswith("#") for line in lines[first:opens + 1])
        if self.usable:
            before, self.name, arguments = found.groups()
            self.gives_nothing = before.split()[-1:] == ["void"]
            self.result = before if "static" in before else "static " + before
            self.arguments = arguments
            self.passed = None if "..." in arguments else names_of(arguments)
        body = lines[opens + 1:last]
        self.labels = [match[1] for match in map(LABEL.match, body) if match]


def names_of(arguments):
    """The names of parameters, as they are passed on."""
    if arguments == "void":
        return ""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    pointers = [re.search(r"\(\*(\w+)\)", part) for part in parts]
    return ", ".join(pointer[1] if pointer else re.findall(r"\w+", re.sub(r"\[.*", "", part))[-1]
                     for pointer, part in zip(pointers, parts))


def functions_of(lines):
    """As clang-format sets them: the head begins, and the brace ends, in the first column."""
    found, begun = [], None
    for number, line in enumerate(lines):
        if line == "}" and begun is not None:
            first, opens = begun
            found.append(Function(lines, first, opens, number))
            begun = None
        elif line.endswith(") {") and begun is None:
            first = number
            while re.match(r"[\w ]", lines[first - 1]) and lines[first][0] == " ":
                first -= 1
            if re.match(r"[a-zA-Z_]", lines[first]):
                begun = (first, number)
    return found


def marked(lines, function, first_mark):
    """The body with a mark before each line that begins a statement, and those lines."""
    marks = set()
    out, depth, blocks, before, comment = [], 0, ["code"], "{", False
    for number in range(function.opens + 1, function.last):
        line = lines[number]
        text = NO_CODE.sub("", ("/*" if comment else "") + line).strip()
        comment = text.startswith("/*")
        begins = (depth == 0 and blocks[-1] != "data" and
                  (before[-1:] in ("{", ";", "}") or AT.match(before)) and
                  not re.match(r"(\}|else\b|while\b.*;$|case\b|default:|\w+:$|#|$)", text))
        if begins and not comment:
            out.append(f"ph_marks[{first_mark + number}] = 1;")
            marks.add(number)
        out.append(line)
        if not text or text.startswith("#") or comment:
            continue
        for at, letter in enumerate(text):
            depth += (letter in "([") - (letter in ")]")
            if letter == "{":
                code = re.search(r"(\) |\belse |\bdo |: |^)$", text[:at])
                blocks.append("code" if code and depth == 0 else "data")
            elif letter == "}":
                blocks.pop()
        before = text
    return out, marks


def mark_before(lines, function, number, marks):
    """The mark (a line from 0) that is set when line `number` (from 1) is run, or before."""
    def indent(line):
        return len(line) - len(line.lstrip())
    wanted = indent(lines[number - 1])
    return next((at for at in range(number - 1, function.opens, -1)
                 if at in marks and indent(lines[at]) <= wanted), None)


def changed_body(lines, function, number, text):
    """The function's body as the mutant has it."""
    body = lines[function.opens + 1:function.last]
    body[number - 1 - function.opens - 1] = text
    return ([f"__label__ {', '.join(function.labels)};"] if function.labels else []) + body


def copy(lines, function, index, number, text):
    return ([f'#line 1 "mutant-{index}"', f"__attribute__((unused)) {function.result}"
             f"{function.name}__{index}({function.arguments}) {{"] +
            changed_body(lines, function, number, text) + ["}"])


def call(function, index):
    if function.gives_nothing:
        return f"case {index}: {function.name}__{index}({function.passed}); return;"
    return f"case {index}: return {function.name}__{index}({function.passed});"


def with_mutants(name, source, mutants, first_mark):
    """The file's text with the mutants [(index, line number from 1, new text)] inside, and the
    mark that says of each mutant, by its index, which tests may run it. Those that are in no
    function are missing there. Line 0's mark would be first_mark."""
    lines = source.split("\n")
    out, done, placed = [HEAD + f'#line 1 "{name}"'], 0, {}
    for function in functions_of(lines):
        if not function.usable:
            continue
        own = [mutant for mutant in mutants
               if function.opens + 1 < mutant[1] <= function.last]
        body, marks = marked(lines, function, first_mark)
        for index, number, _ in own:
            mark = mark_before(lines, function, number, marks)
            placed[index] = first_mark + (mark if mark is not None else min(marks, default=0))
        out += lines[done:function.first]
        if function.passed is not None and own:
            out.append(re.sub(r"^(static )?(inline )?", r"\1", function.plain) + ";")
            for index, number, text in own:
                out += copy(lines, function, index, number, text)
        out.append(f'#line {function.first + 1} "{name}"')
        out += lines[function.first:function.opens + 1]
        if function.passed is None:
            for index, number, text in own:
                out += [f'#line 1 "mutant-{index}"', f"if (ph_mutant == {index}) {{",
                        *changed_body(lines, function, number, text), "}"]
        elif own:
            out += ["switch (ph_mutant) {", *(call(function, index) for index, _, _ in own), "}"]
        out.append(f'#line {function.opens + 2} "{name}"')
        out += body
        done = function.last
    out += lines[done:]
    return "\n".join(out), placed
