// needs: readers
'use strict';
const fs = require('fs');
const v8 = require('v8');
const { Worker } = require('worker_threads');

class Shelf {
  constructor() {
    this.title = 'a title of its own';
    this.count = 42;
    this.books = [new Book('first'), new Book('second')];
    this.self = this;
  }
}
class Book {
  constructor(name) { this.name = name; }
}
const shelf = new Shelf();

// Nodes with their edges, by the fields that the file declares.
function read(text) {
  const { snapshot, nodes, edges, strings } = JSON.parse(text);
  const { meta } = snapshot;
  const all = [];
  let at = 0;
  for (let i = 0; i < nodes.length; i += meta.node_fields.length) {
    const [type, name, id, size, count] = nodes.slice(i, i + 5);
    const held = [];
    for (let j = 0; j < count; j++, at += 3) {
      const kind = meta.edge_types[0][edges[at]];
      const label = kind === 'element' || kind === 'hidden' ? edges[at + 1]
        : strings[edges[at + 1]];
      held.push({ kind, label, to: edges[at + 2] / meta.node_fields.length });
    }
    all.push({ type: meta.node_types[0][type], name: strings[name], id, size, held });
  }
  console.log('counts', snapshot.node_count === all.length, snapshot.edge_count * 3 === at,
    at === edges.length, new Set(all.map((one) => one.id)).size === all.length,
    all.every((one) => one.held.every(({ to }) => all[to] !== undefined)));
  return all;
}

function show(all) {
  const found = all.filter((one) => one.type === 'object' && one.name === 'Shelf' &&
    one.held.some(({ label }) => label === 'books'));
  console.log('shelves', found.length, found[0].size > 0);
  const get = (one, key) => all[one.held.find(({ label }) => label === key)?.to];
  console.log(get(found[0], 'title').type, get(found[0], 'title').name);
  console.log('itself', get(found[0], 'self') === found[0]);
  const books = get(found[0], 'books');
  console.log(books.name);
  const list = all.filter(({ name, type, held }) => name === 'Book' && type === 'object' &&
    held.some(({ label }) => label === 'name') &&
    held.every(({ label }) => label !== 'constructor'));
  console.log(list.map((one) => get(one, 'name').name).sort());
  console.log('a closure', all.some((one) => one.type === 'closure' && one.name === 'show'));
}

const file = v8.writeHeapSnapshot('shelf.heapsnapshot');
console.log(file);
const all = read(fs.readFileSync(file, 'utf8'));
show(all);
console.log(/^Heap\.\d{8}\.\d{6}\.\d+\.0\.\d{3}\.heapsnapshot$/.test(v8.writeHeapSnapshot()));
for (const bad of [1, null, []]) {
  try {
    v8.getHeapSnapshot(bad);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
try {
  v8.writeHeapSnapshot('missing/x');
} catch (error) {
  console.log(error.code, error.syscall);
}
const numbers = read(v8.getHeapSnapshot({ exposeNumericValues: true }).read());
console.log('numbers', numbers.some((one) => one.name === 'smi number'));
console.log('counted', v8.queryObjects(Book), v8.queryObjects(Shelf, { format: 'summary' }).length);
const worker = new Worker(`class Inside {} globalThis.x = new Inside(); setInterval(() => {}, 1e4);
  require('worker_threads').parentPort.postMessage('ready')`, { eval: true });
worker.once('message', async () => {
  const inside = read((await worker.getHeapSnapshot()).read());
  console.log('in the worker', inside.some(({ name }) => name === 'Inside'),
    inside.some((one) => one.name === 'Shelf' && one.type === 'object'));
  await worker.terminate();
  worker.getHeapSnapshot().catch((error) => console.log(error.code));
});
console.log(shelf.count);
