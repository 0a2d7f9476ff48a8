#!/usr/bin/env python3
"""Makes the page's template: one HTML file without data.

    build.py TEMPLATE.html [--c PAGE.c]

The modules in src/ are joined into one script in the order of their imports. They share one scope
then, so a top-level name may exist only once; this is checked. With --c, the template is also
written as a C file with what stands before and after the data (see DATA.md).
"""

import argparse
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent / "src"
MARK = "<!-- phasor:data -->\n"
IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w-]+\.js)';\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(async )?(function|const|let|class) )", re.MULTILINE)
TOP_LEVEL = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)


def joined(entry):
    """The entry module with everything that it imports before it."""
    done, parts, names = set(), [], {}

    def add(name):
        if name in done:
            return
        done.add(name)
        text = (SOURCE / name).read_text(encoding="utf-8")
        for needed in IMPORT.findall(text):
            add(needed)
        body = EXPORT.sub("", IMPORT.sub("", text)).strip("\n")
        if re.search(r"^(import|export)\b", body, re.MULTILINE):
            sys.exit(f"{name}: an import or export in a form that build.py does not know")
        for found in TOP_LEVEL.findall(body):
            if found in names:
                sys.exit(f"{name}: {found} is already a top-level name of {names[found]}")
            names[found] = name
        parts.append(f"// {name}\n{body}\n")

    add(entry)
    unused = {path.name for path in SOURCE.glob("*.js")} - done
    if unused:
        sys.exit(f"not imported by anything: {', '.join(sorted(unused))}")
    return "\n".join(parts)


def template():
    page = (SOURCE / "page.html").read_text(encoding="utf-8")
    style = (SOURCE / "style.css").read_text(encoding="utf-8")
    script = joined("app.js")
    if "</script" in script or "</style" in style:
        sys.exit("a source file ends the element that it is put into")
    page = page.replace("/* style */\n", style).replace("/* script */\n", script)
    if page.count(MARK) != 1:
        sys.exit("page.html does not have the data's place exactly once")
    return page


def c_array(name, data):
    rows = (data[at:at + 24] for at in range(0, len(data), 24))
    body = "\n".join("    " + ",".join(map(str, row)) + "," for row in rows)
    return (f"const unsigned char {name}[] = {{\n{body}\n}};\n"
            f"const size_t {name}_size = {len(data)};\n")


def c_file(page):
    head, tail = page.encode().split(MARK.encode())
    return ("#include <stddef.h>\n\n"
            "extern const unsigned char phasor_page_head[], phasor_page_tail[];\n"
            "extern const size_t phasor_page_head_size, phasor_page_tail_size;\n\n"
            + c_array("phasor_page_head", head) + c_array("phasor_page_tail", tail))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("html", type=pathlib.Path)
    parser.add_argument("--c", type=pathlib.Path, metavar="PAGE.c")
    arguments = parser.parse_args()
    page = template()
    arguments.html.write_text(page, encoding="utf-8")
    if arguments.c:
        arguments.c.write_text(c_file(page), encoding="utf-8")


if __name__ == "__main__":
    main()
