// Prints the names that programs can see: of the language, of the globals and of every public
// module, with what they hold. A shape keeps them, because nobody chooses them. The globals' own
// names come first, before an empty line.
"use strict";
const names = new Set();
const seen = new Set();

function walk(value, depth) {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return;
    if (depth > 3 || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
        if (typeof key !== "string" || !/^[A-Za-z$][\w$]*$/.test(key)) continue;
        names.add(key);
        const { value: inner } = Reflect.getOwnPropertyDescriptor(value, key);
        if (inner !== undefined) walk(inner, depth + 1);
    }
    walk(Object.getPrototypeOf(value), depth);
}

walk(globalThis, 0);
for (const name of require("module").builtinModules) {
    if (name.startsWith("_")) continue;
    try {
        walk(require(name), 0);
    } catch {
        // a module that this build does not have adds no names
    }
}
console.log(Object.getOwnPropertyNames(globalThis).sort().join("\n"), "\n");
console.log([...names].sort().join("\n"));
