# The page looks as in the pictures that are stored (play/tests/pictures): in light and dark, in
# Chinese, on a telephone. Letters are boxes there, so that no font matters. With WRITE=1 they are
# made anew.
. "$(dirname "$0")/common.bash"

command -v chromium >/dev/null || { echo "chromium is not installed"; exit 77; }
write_program
play program.js --language en --save saved.html
timeout -k 5 300 python3 -B "$here/pictures.py" saved.html "$folder" ${WRITE:+write}
