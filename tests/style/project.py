"""The project's files, and how a rule reports what breaks it. Run by itself: lists the C files."""

import pathlib
import re
import subprocess
import sys

C = (".c", ".h")


def files(*suffixes):
    """Every file of the project that Git tracks or would track, with one of the suffixes."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = listed.stdout.split("\0")
    else:  # not a checkout
        names = [str(path) for path in pathlib.Path(".").rglob("*") if path.parts[0] != "build"]
    paths = sorted({pathlib.Path(name) for name in names if name})
    return [path for path in paths
            if path.is_file() and (not suffixes or path.name.endswith(suffixes))]


def text(path):
    """The file's text; None if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def code(path):
    """A C file's text without what stands in comments and strings; the lines keep their numbers."""
    def blank(match):
        found = match[0]
        if found.startswith(('"', "'")):
            return found[0] * 2
        return "\n" * found.count("\n")
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, blank, text(path), flags=re.DOTALL)


def line_of(source, position):
    return source.count("\n", 0, position) + 1


def report(breaks, checked):
    """Ends the test: prints each (path, line, message), fails if there is one."""
    for path, line, message in breaks:
        print(f"{path}:{line}: {message}", file=sys.stderr)
    print(f"{checked} checked, {len(breaks)} against the rules")
    sys.exit(1 if breaks else 0)


if __name__ == "__main__":
    print("\n".join(str(path) for path in files(*C)))
