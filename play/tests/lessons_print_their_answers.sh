# Every lesson's answer is what its program prints, its texts are there in both languages.
. "$(dirname "$0")/common.bash"

python3 -B "$here/lessons_print_their_answers.py" "$phasor" "$root/play/lessons" "$root"
