program=$1
# Lines of stacks differ; the number of the process is another each time, and so is its name.
tidy() {
    sed -e 's/(node:[0-9]*)/(node:N)/' -e 's/^(Use `phasor /(Use `node /' -e "s#$PWD#HERE#g" |
        grep -v '^    at \|^Node.js'
}
mkdir typeless plain
echo 'export default 1' > export.cjs
echo 'import "x"' > import.cjs
echo 'let a = 1 +* 2' > token.js
echo 'one two' > name.js
echo '{}' > typeless/package.json
echo 'import fs from "fs"; console.log(typeof fs)' > typeless/module.js
cp typeless/module.js typeless/again.js
cp typeless/module.js typeless/noext
cp typeless/module.js plain/module.js
echo 'import("./module.js"); setTimeout(() => import("./again.js"), 50)' > typeless/first.cjs
echo 'require("./typeless/module.js")' > require.cjs
for file in export.cjs import.cjs token.js name.js typeless/module.js typeless/first.cjs \
    plain/module.js typeless/noext require.cjs; do
    echo "-- $file"
    "$program" $file 2>&1 | tidy
done
