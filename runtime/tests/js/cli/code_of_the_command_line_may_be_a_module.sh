program=$1
# With the built-in modules as names, and an address in the working folder.
"$program" --input-type=module -e 'console.log(typeof fs.readFileSync, import.meta.url.slice(-7))'
"$program" -e 'const module = 3; import "node:os"; console.log("a module", module)'
"$program" -e 'function f() { await later(); }' 2>&1 | sed -n '1,5p'
"$program" -e 'function f() { return await later(1); }' 2>&1 | sed -n '1,5p'
"$program" -e 'if (await 1) 2; [1].map((x) => { await x })' 2>&1 | grep -c '^SyntaxError'
cat >names.js <<'EOF'
const exports = 'exports';
const require = 'require';
console.log(exports, require, typeof import.meta.url);
EOF
cat >wrapped.js <<'EOF'
const __filename = 'mine';
const later = await __filename;
console.log(later);
EOF
"$program" names.js
"$program" --no-warnings wrapped.js
