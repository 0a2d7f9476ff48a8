program=$1
# A map that stands in a text is none; functions have the names that they had where they were
# written, and what ends the program is shown as it was written.
map() {
    printf '{"version":3,"sources":["first.ts"],"names":["greeting"],"mappings":"%s",' "$1" >map
    printf '"sourcesContent":[%s]}' \
        '"function greeting() {\n  throw Error(1);\n}\ngreeting();\n"' >>map
    base64 -w 0 map
}
show() {
    "$program" --enable-source-maps "$1" 2>&1 | grep -v '^Node.js v\|node:\|^    at Module\.' |
        sed "s#$PWD/##"
}
printf '(function(){throw Error(1)})();\n//# sourceMappingURL=data:application/json;base64,%s\n' \
    "$(map 'CAACA,WACE,MAAM,SAERA')" >mapped.js
show mapped.js
printf 'throw Error(`\n//# sourceMappingURL=data:application/json;base64,%s\n`.length > 9);\n' \
    "$(map 'AAAA')" >text.js
show text.js
