'use strict';
// Sampled allocations, by the session of a program and by --heap-prof.
const inspector = require('inspector');
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const kept = [];
function keepMany() { for (let i = 0; i < 20000; i++) kept.push({ number: i, text: `text ${i}` }); }
function waste() { for (let i = 0; i < 20000; i++) String(i).padStart(40, '-'); }

function find(node, name) {
  if (node.callFrame.functionName === name) return node;
  return node.children.map((child) => find(child, name)).find(Boolean);
}

const sum = (node) => node.selfSize + node.children.reduce((all, one) => all + sum(one), 0);

function show({ head, samples }) {
  const node = find(head, 'keepMany');
  console.log(head.callFrame.functionName, path.basename(node.callFrame.url),
    sum(node) > 200000, samples.length > 0, samples.every(({ size }) => size > 0));
  return node;
}

if (process.argv[2] === 'child') {
  keepMany();
  waste();
} else {
  const session = new inspector.Session();
  session.connect();
  session.post('HeapProfiler.enable');
  session.post('HeapProfiler.startSampling', { samplingInterval: 1024 });
  keepMany();
  waste();
  session.post('HeapProfiler.getSamplingProfile', (error, { profile }) => {
    const node = show(profile);
    console.log(node.callFrame.lineNumber);
  });
  session.post('HeapProfiler.stopSampling', (error, { profile }) => show(profile));
  session.post('HeapProfiler.stopSampling', (error) => console.log(typeof error.message));

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'heap-prof-'));
  execFileSync(process.execPath, ['--heap-prof', '--heap-prof-interval', '1024', '--heap-prof-dir',
    folder, __filename, 'child']);
  const names = fs.readdirSync(folder);
  console.log(names.length, /^Heap\.\d{8}\.\d{6}\.\d+\.0\.001\.heapprofile$/.test(names[0]));
  const { head } = JSON.parse(fs.readFileSync(path.join(folder, names[0]), 'utf8'));
  console.log(head.callFrame.functionName, sum(head) > 0);
  fs.rmSync(folder, { recursive: true });
}
