# The page in Firefox: the program to its end, a step there and back, a lesson, a saved page.
. "$(dirname "$0")/common.bash"

command -v firefox-esr >/dev/null || { echo "firefox-esr is not installed"; exit 77; }
write_program
play program.js --save saved.html
start_server program.js --language en
timeout -k 5 400 python3 -B "$here/firefox.py" "$address" saved.html "$folder"
