'use strict';
// process.report: the layout of reports, their settings, and what makes one be written.
const fs = require('fs');
const { spawnSync } = require('child_process');

const types = (object) => Object.entries(object).map(([key, value]) =>
  `${key}:${Array.isArray(value) ? 'list' : typeof value}`).join(' ');
const report = process.report.getReport();
console.log(types(report));
const { componentVersions, ...head } = report.header;
console.log(types(head), componentVersions.node === process.versions.node);
console.log(types(head.cpus[0]), types(head.networkInterfaces[0]));
console.log(head.event, head.trigger, head.filename, head.reportVersion, head.wordSize);
console.log(types(report.javascriptStack), report.javascriptStack.message,
  report.javascriptStack.errorProperties);
console.log(types(report.javascriptHeap));
console.log(types(report.nativeStack[0]));
console.log(types(report.resourceUsage), types(report.uvthreadResourceUsage));
console.log(types(report.userLimits));
console.log(report.sharedObjects.some((name) => name.includes('libc.so')), report.workers);
const loop = report.libuv.find(({ type }) => type === 'loop');
console.log(types(loop), /^0x[0-9a-f]+$/.test(loop.address));

const error = Object.assign(new TypeError('mine'), { extra: 5 });
const { message, errorProperties } = process.report.getReport(error).javascriptStack;
console.log(message, errorProperties);

console.log(process.report);
for (const [key, value] of [['directory', 1], ['filename', {}], ['compact', 'x'], ['signal', 'foo'],
  ['signal', 'sigusr1'], ['reportOnSignal', 1], ['excludeNetwork', null]]) {
  try {
    process.report[key] = value;
  } catch (failure) {
    console.log(failure.code, failure.message);
  }
}
for (const args of [[null], ['file', 'foo'], [5]]) {
  try {
    process.report.writeReport(...args);
  } catch (failure) {
    console.log(failure.code, failure.message);
  }
}
process.report.reportOnSignal = true;
console.log(process.listenerCount('SIGUSR2'));
process.report.signal = 'SIGUSR1';
console.log(process.listenerCount('SIGUSR2'), process.listenerCount('SIGUSR1'));
process.report.reportOnSignal = false;
console.log(process.listenerCount('SIGUSR1'));

// What a child writes, and what it says of it.
function child(...args) {
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const files = fs.readdirSync('.').filter((name) => name.endsWith('.json'));
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    const { header, javascriptStack } = JSON.parse(text);
    console.log(file.replace(/\.\d+\.\d+\.\d+\./, '.DATE.TIME.PID.'), text.split('\n').length > 2,
      header.event, header.trigger, header.networkInterfaces === undefined,
      header.filename === file,
      javascriptStack.message.replace(/^\[eval\]:1.*/s, 'Error: thrown'));
    fs.unlinkSync(file);
  }
  console.log(status, stderr.split('\n').filter((line) => /eport/.test(line))
    .map((line) => line.replace(/report\.\d+\.\d+\.\d+/, 'report.DATE.TIME.PID')));
}
child('-e', 'process.report.writeReport()');
child('--report-compact', '--report-filename=mine.json', '-e', 'process.report.writeReport()');
child('--report-exclude-network', '-e', 'process.report.writeReport("given.json", new Error("e"))');
child('--report-uncaught-exception', '-e', 'throw new Error("thrown")');
child('--report-uncaught-exception', '-e', 'throw Symbol("odd")');
child('--report-uncaught-exception', '-e', 'process.on("uncaughtException", () => {}); throw 1');
child('--report-on-signal', '-e',
  'setTimeout(() => {}, 300); process.kill(process.pid, "SIGUSR2")');
child('--report-on-signal', '--report-signal=SIGUSR1', '-e',
  'process.exit(process.listenerCount("SIGUSR1"))');
child('--report-directory=not/there', '-e', 'process.report.writeReport("x.json")');
