"""Files of at most 700 lines (over 500 draws a remark), functions of at most 60, in C and in
JavaScript.

The public header is a list of declarations and may be as long as the interface is.
"""

import re

import project

FILE_REMARK, FILE_LIMIT, FUNCTION_LIMIT = 500, 700, 60
CODE = (".c", ".h", ".js", ".mjs", ".py", ".sh", ".bash", ".cmake", "CMakeLists.txt")
SCRIPTS = (".js", ".mjs")
NOT_A_FUNCTION = re.compile(r"(typedef|struct|union|enum|extern)\b[^()]*\{$|.*=\s*\{$")


def functions(source):
    """Yields (first line, length, head) of each function. With clang-format's style, a definition
    begins in column 1 and ends with a brace in column 1."""
    start = None
    head = ""
    body = False
    for number, line in enumerate(source.splitlines(), 1):
        if start is None and re.match(r"[A-Za-z_]", line):
            start, head, body = number, "", False
        if start is None or line.startswith("#"):
            continue
        if not body:
            head += line
            body = line.endswith("{")
            if line.endswith((";", "}")):
                start = None
        elif line.startswith("}"):
            if not NOT_A_FUNCTION.match(head):
                yield start, number - start + 1, head.split("(")[0]
            start = None


SCRIPT_FUNCTION = re.compile(
    r"( *)(?:[\w.]+ = |(?:const|let) \w+ = |[\w']+: )?"
    r"(?:(?:static |async |get |set )*(?!if|for|while|switch|catch|with|return)#?"
    r"(?P<method>[\w$]+)\("
    r"|(?:async )?function\b\*? ?(?P<name>[\w$]*)|\(?[\w, {}=.\[\]]*\)? => )")


def script_functions(source):
    """The same of JavaScript: a function's last line is indented like its first. What it holds
    counts as its own."""
    open_ones = []
    for number, line in enumerate(source.splitlines(), 1):
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and line.lstrip()[0] == "}":
            while open_ones and open_ones[-1][0] >= indent:
                depth, start, head = open_ones.pop()
                if depth == indent:
                    yield start, number - start + 1, head
        match = SCRIPT_FUNCTION.match(line)
        if match and line.endswith((") {", "=> {")):
            head = match["method"] or match["name"] or line.strip()
            open_ones.append((indent, number, head))


def main():
    breaks = []
    paths = [path for path in project.files(*CODE) if path.parts[:2] != ("lib", "include")]
    for path in paths:
        source = project.text(path)
        lines = source.count("\n")
        if lines > FILE_LIMIT:
            breaks.append((path, 1, f"{lines} lines, at most {FILE_LIMIT} are allowed"))
        elif lines > FILE_REMARK:
            print(f"remark: {path} has {lines} lines")
        if path.name.endswith(project.C + SCRIPTS):
            find = functions if path.name.endswith(project.C) else script_functions
            for start, length, head in find(source):
                if length > FUNCTION_LIMIT:
                    breaks.append((path, start, f"{head} has {length} lines, at most "
                                   f"{FUNCTION_LIMIT} are allowed"))
    project.report(breaks, f"{len(paths)} files")


main()
