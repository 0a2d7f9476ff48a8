"$1" --frozen-intrinsics -e '
"use strict";
const attempt = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.name);
  }
};
attempt(() => Array.prototype.map = null);
attempt(() => Object.defineProperty = 1);
attempt(() => delete Map.prototype.get);
attempt(() => Object.getPrototypeOf(async () => {}).more = 1);
attempt(() => globalThis.JSON = null);
attempt(() => console.log = null);
class Own extends Array { map() { return "mine"; } }
attempt(() => new Own().map());
attempt(() => { const o = {}; o.toString = () => "shown"; return `${o}`; });
attempt(() => { const e = new TypeError("x"); e.name = "Other"; e.message = "y"; return `${e}`; });
attempt(() => Object.keys(Object.assign({}, { constructor: 1, valueOf: 2 })).join());
attempt(() => [3, 1, 2].sort().concat([...new Set([4])]).join());
attempt(() => Buffer.from("text").toString("hex"));
class Quiet extends console.Console {}
attempt(() => { const quiet = new Quiet(process.stdout); quiet.log = 1; return quiet.log; });
require("fs").promises.readFile("/dev/null").then((bytes) => console.log(bytes.length));'
