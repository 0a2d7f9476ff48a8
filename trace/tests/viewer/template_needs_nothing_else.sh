#!/usr/bin/env bash
# The template is one file that names no other; its C form compiles without a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -B trace/viewer/build.py "$folder/page.html" --c "$folder/page.c"
if grep -nE '(https?:)?//[a-z0-9.-]+\.[a-z]{2,}|@import|url\(' "$folder/page.html" \
    | grep -v 'http://www.w3.org/2000/svg'; then
    echo "the template names something outside of itself" >&2
    exit 1
fi
cat >"$folder/main.c" <<'C'
#include <stdio.h>
extern const unsigned char phasor_page_head[], phasor_page_tail[];
extern const size_t phasor_page_head_size, phasor_page_tail_size;
int main(void) {
    fwrite(phasor_page_head, 1, phasor_page_head_size, stdout);
    puts("<!-- phasor:data -->");
    fwrite(phasor_page_tail, 1, phasor_page_tail_size, stdout);
    return 0;
}
C
cc -std=c11 -Wall -Wextra -Werror -o "$folder/join" "$folder/page.c" "$folder/main.c"
"$folder/join" | cmp - "$folder/page.html"
