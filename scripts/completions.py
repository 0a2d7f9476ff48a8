"""completions.py PHASOR FOLDER: what bash, zsh and fish complete after `phasor`, from the texts
that `phasor --help` and `phasor COMMAND --help` print. FOLDER gets phasor.bash, _phasor and
phasor.fish."""

import pathlib
import sys

import helptext


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def words(options):
    return " ".join(name for option in options for name in option.names)


def with_values(options):
    return "|".join(name for option in options if option.argument for name in option.names)


def bash(main, commands):
    """A file is always a good guess; after a program's name, the program's own completion is."""
    yield "# Completion of phasor for bash, made of what phasor --help prints."
    yield "_phasor() {"
    yield "    local current=${COMP_WORDS[COMP_CWORD]} options values=- program= i"
    yield "    COMPREPLY=()"
    yield "    if ((COMP_CWORD == 1)); then"
    first = quote(" ".join(commands) + " " + words(main))
    yield f"        mapfile -t COMPREPLY < <(compgen -W {first} -- \"$current\" || :"
    yield "            compgen -f -- \"$current\")"
    yield "        return"
    yield "    fi"
    yield "    case ${COMP_WORDS[1]} in"
    for name, (_, options, runs_program) in commands.items():
        yield f"    {name})"
        yield f"        options={quote(words(options))}"
        yield f"        values={quote(with_values(options) or '-')}"
        if runs_program:
            yield "        program=yes"
        yield "        ;;"
    yield "    *)"
    yield f"        options={quote(words(main))}"
    yield "        ;;"
    yield "    esac"
    yield "    for ((i = 2; i < COMP_CWORD; i++)); do"
    yield "        case ${COMP_WORDS[i]} in"
    yield "        --) ((i += 1)) && break ;;"
    yield "        -*) [[ \"|$values|\" != *\"|${COMP_WORDS[i]}|\"* ]] || ((i += 1)) ;;"
    yield "        *) break ;;"
    yield "        esac"
    yield "    done"
    yield "    if [[ $program && $i -lt $COMP_CWORD ]] &&"
    yield "        declare -F _command_offset >/dev/null; then"
    yield "        _command_offset \"$i\""
    yield "    elif [[ $i -gt $COMP_CWORD || $current != -* ]]; then"
    yield "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\" || :"
    yield "            [[ ! $program || $i -ne $COMP_CWORD ]] || compgen -c -- \"$current\")"
    yield "    else"
    yield "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")"
    yield "    fi"
    yield "}"
    yield "complete -o filenames -F _phasor phasor"


def zsh_option(option):
    what = option.what.translate({ord(mark): " " for mark in "[]:"}).replace("'", "'\\''")
    for name in option.names:
        if name.endswith("="):
            yield f"'{name}[{what}]:value:_files'"
        elif option.argument:
            yield f"'{name}[{what}]:{option.argument}:_files'"
        else:
            yield f"'{name}[{what}]'"


def zsh(main, commands):
    yield "#compdef phasor"
    yield "# Completion of phasor for zsh, made of what phasor --help prints."
    yield "local -a commands"
    yield "commands=("
    for name, (what, _, _) in commands.items():
        yield f"    {quote(name + ':' + what)}"
    yield ")"
    yield "if ((CURRENT == 2)); then"
    yield "    [[ $words[2] == -* ]] || _describe command commands"
    yield "    _arguments \\"
    yield from (f"        {text} \\" for option in main for text in zsh_option(option))
    yield "        '*:file:_files'"
    yield "    return"
    yield "fi"
    yield "local verb=$words[2]"
    yield "shift words"
    yield "((CURRENT -= 1))"
    yield "case $verb in"
    for name, (_, options, runs_program) in commands.items():
        yield f"{name})"
        yield "    _arguments -S \\"
        yield from (f"        {text} \\" for option in options for text in zsh_option(option))
        yield "        " + ("'(-):program:_command_names -e' '*::argument:_normal'" if runs_program
                            else "'*:file:_files'")
        yield "    ;;"
    yield "*)"
    yield "    _files"
    yield "    ;;"
    yield "esac"


def fish_option(option):
    for name in option.names:
        if name.endswith("="):
            yield f"-l {name.strip('-=')} -r"
        else:
            kind = "-l" if name.startswith("--") else "-s" if len(name) == 2 else "-o"
            yield f"{kind} {name.lstrip('-')}" + (" -r" if option.argument else "")


def fish(main, commands):
    yield "# Completion of phasor for fish, made of what phasor --help prints."
    for name, (what, _, _) in commands.items():
        yield f"complete -c phasor -n __fish_use_subcommand -a {name} -d {quote(what)}"
    for option in main:
        for text in fish_option(option):
            yield f"complete -c phasor -n __fish_use_subcommand {text} -d {quote(option.what)}"
    for name, (_, options, runs_program) in commands.items():
        seen = f"'__fish_seen_subcommand_from {name}'"
        for option in options:
            for text in fish_option(option):
                yield f"complete -c phasor -n {seen} {text} -d {quote(option.what)}"
        if runs_program:
            yield f"complete -c phasor -n {seen} -a '(__fish_complete_subcommand --fcs-skip=2)'"


def main():
    phasor, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    text = helptext.text_of(phasor)
    commands = {}
    for name, what in helptext.commands_of(text).items():
        help_text = helptext.text_of(phasor, name)
        runs_program = "PROGRAM" in "".join(helptext.split_usage(help_text)[0])
        commands[name] = (what, helptext.options_of(help_text), runs_program)
    options = helptext.options_of(text)
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("phasor.bash", bash), ("_phasor", zsh), ("phasor.fish", fish)):
        (folder / name).write_text("\n".join(lines(options, commands)) + "\n", encoding="utf-8")


main()
