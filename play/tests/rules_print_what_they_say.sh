# The examples of docs/RULES.md print what stands there, in any world.
. "$(dirname "$0")/common.bash"

python3 -B "$here/rules_print_what_they_say.py" "$phasor" "$root/play"
