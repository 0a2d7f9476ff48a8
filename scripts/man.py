"""man.py PHASOR FOLDER: man pages from the texts that `phasor --help` and `phasor COMMAND --help`
print, so that there is one text only. FOLDER gets phasor.1 and phasor-COMMAND.1."""

import pathlib
import re
import sys

import helptext

OPTION = re.compile(r"^  (\S.*?)(?:  +(\S.*))?$")
HEADING = re.compile(r"(\w+)(?: \((.*)\))?:")
MORE = re.compile(r"^ {6,}(\S.*)$")


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def body(lines):
    """Sections by their headings ("Options:"), a tagged paragraph per option, the rest as prose."""
    tagged = False
    for line in lines:
        heading = HEADING.fullmatch(line)
        option = OPTION.match(line)
        more = MORE.match(line)
        if heading:
            yield f".SH {heading[1].upper()}"
            if heading[2]:
                yield escape(heading[2]) + "."
            tagged = False
        elif tagged and more and not option:
            yield escape(more[1])
        elif option:
            yield ".TP"
            yield f".B {escape(option[1])}"
            yield escape(option[2]) if option[2] else "\\&"
            tagged = True
        elif line.strip():
            if tagged:
                yield ".PP"
            yield escape(line.strip())
            tagged = False
        else:
            yield ".PP"
            tagged = False


def page(name, what, text, others):
    synopsis, lines = helptext.split_usage(text)
    out = [f'.TH {name.upper()} 1 "" "Phasor" "Phasor"', ".SH NAME",
           f"{escape(name)} \\- {escape(what)}", ".SH SYNOPSIS"]
    for line in synopsis:
        out += [escape(line), ".br"]
    while lines and not lines[0].strip():
        lines.pop(0)
    if not HEADING.fullmatch(lines[0]):
        out.append(".SH DESCRIPTION")
    out += [*body(lines), ".SH SEE ALSO", ", ".join(f"{escape(other)}(1)" for other in others)]
    return "\n".join(out) + "\n"


def main():
    phasor, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    main_text = helptext.text_of(phasor)
    commands = helptext.commands_of(main_text)
    names = ["phasor"] + [f"phasor-{command}" for command in commands]
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"phasor": ("JavaScript on an event loop that you can see turning", main_text)}
    for command, what in commands.items():
        texts[f"phasor-{command}"] = (what, helptext.text_of(phasor, command))
    for name, (what, text) in texts.items():
        others = [other for other in names if other != name]
        (folder / f"{name}.1").write_text(page(name, what, text, others), encoding="utf-8")


main()
