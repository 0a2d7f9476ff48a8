#!/usr/bin/env bash
# bash, zsh and fish, those that are here, know the commands and the options of each; after the name
# of a program, files and programs.
. tests/install/prefix.bash
[ -f "$prefix/share/man/man1/phasor.1" ] || { echo "skipped: no help to make them of"; exit 77; }
bash_file=$prefix/share/bash-completion/completions/phasor
mkdir "$temp/here"
touch "$temp/here/app.js"

# completes WORD... WANTED: what bash offers for the last WORD has WANTED.
completes() {
    local wanted=${*: -1}
    (
        cd "$temp/here"
        . "$bash_file"
        COMP_WORDS=(phasor "${@:1:$#-1}") COMP_CWORD=$(($# - 1))
        _phasor
        printf '%s\n' "${COMPREPLY[@]}"
    ) >"$temp/offered"
    grep -qxF -e "$wanted" "$temp/offered" || fail "bash: no $wanted for $*: $(cat "$temp/offered")"
}
completes tra trace
completes ru run
completes --lic --licenses
completes a app.js
completes trace --h --html
completes report --js --json
completes trace -o a app.js
completes run bas bash
completes run -- bas bash
completes trace --limit 1M bas bash
! (completes trace --limit bas bash) 2>/dev/null || fail "bash: a program where a limit is wanted"

if command -v fish >/dev/null; then
    offers() { # offers LINE WANTED
        HOME=$temp fish --no-config -c "source $prefix/share/fish/vendor_completions.d/phasor.fish
            complete -C '$1'" >"$temp/offered" 2>&1
        cut -f 1 "$temp/offered" | grep -qxF -e "$2" ||
            fail "fish: no $2 for $1: $(cat "$temp/offered")"
    }
    offers "phasor tra" trace
    offers "phasor report --js" --json
    offers "phasor --lic" --licenses
fi

if command -v zsh >/dev/null; then
    zsh_file=$prefix/share/zsh/site-functions/_phasor
    zsh -n "$zsh_file" || fail "zsh does not read its file"
    # What it would ask zsh's own functions for.
    asks() { # asks WANTED WORD...
        local wanted=$1
        shift
        zsh -f -c 'told() { print -rl -- "$@" }
            _describe() { print -rl -- "${(@P)2}" }
            _arguments() { told "$@" } ; _files() { told files }
            words=("$@") CURRENT=$#
            complete_phasor() { . '"$zsh_file"' }
            complete_phasor' zsh phasor "$@" >"$temp/offered" 2>&1
        grep -qF -e "$wanted" "$temp/offered" ||
            fail "zsh: no $wanted for $*: $(cat "$temp/offered")"
    }
    asks trace: tra
    asks --licenses --lic
    asks "--json[" report --js
    asks _command_names run ba
fi
