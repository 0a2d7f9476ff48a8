'use strict';
// process.report: the settings of diagnostic reports, and what makes one be written.

const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateBoolean, validateObject, validateString } = require('internal/errors/validators');

const settings = { directory: '', filename: '', compact: false, excludeNetwork: false,
  signal: 'SIGUSR2', reportOnFatalError: false, reportOnSignal: false,
  reportOnUncaughtException: false };
let count = 0;

function synthetic(above) {
  const error = withCode(Error, 'ERR_SYNTHETIC', 'JavaScript Callstack');
  Error.captureStackTrace(error, above);
  error.stack = error.stack.replace(/^Error:/, 'Error [ERR_SYNTHETIC]:');
  return error;
}

function textOf(report) {
  return `${JSON.stringify(report, null, settings.compact ? undefined : 2)}\n`;
}

// report.DATE.TIME.PROCESS.THREAD.NUMBER.json
function freshName() {
  const now = new Date();
  const two = (number) => `${number}`.padStart(2, '0');
  const { threadId } = require('worker_threads');
  return ['report', `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`,
    `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`, process.pid, threadId,
    `${++count}`.padStart(3, '0'), 'json'].join('.');
}

function say(text) {
  binding('process').write(2, text);
}

function folder() {
  return settings.directory || require('internal/boot/options').last('diagnostic-dir') || '';
}

// The file's name, or '' if it can't be written.
function write(event, trigger, filename, error) {
  const name = filename ?? (settings.filename || freshName());
  const { excludeNetwork } = settings;
  const text = textOf(require('internal/process/report_content')
    .make({ event, trigger, filename: name, error, excludeNetwork }));
  if (name === 'stdout' || name === 'stderr') {
    binding('process').write(name === 'stdout' ? 1 : 2, text);
    if (name === 'stderr') say('\nNode.js report completed\n');
    return name;
  }
  const path = require('path');
  const where = folder() === '' ? name : path.join(folder(), name);
  try {
    require('fs').writeFileSync(where, text);
    say(`\nWriting Node.js report to file: ${name}`);
  } catch (failure) {
    if (failure.code === 'ERR_ACCESS_DENIED') {
      failure.resource = filename ?? process.cwd();
      throw failure;
    }
    say(`\nFailed to open Node.js report file: ${name}${
      folder() === '' ? '' : ` directory: ${folder()}`} (errno: ${-failure.errno})\n`);
    return '';
  }
  say('\nNode.js report completed\n');
  return name;
}

function writeReport(file, error) {
  if (typeof file === 'object' && file !== null) {
    error = file;
    file = undefined;
  } else if (file !== undefined) {
    validateString(file, 'file');
  }
  if (error === undefined) error = synthetic(writeReport);
  else validateObject(error, 'err');
  return write('JavaScript API', 'API', file, error);
}

function getReport(error) {
  if (error === undefined) error = synthetic(getReport);
  else validateObject(error, 'err');
  const { excludeNetwork } = settings;
  return JSON.parse(textOf(require('internal/process/report_content').make(
    { event: 'JavaScript API', trigger: 'GetReport', filename: null, error, excludeNetwork })));
}

function onSignal(signal) {
  write(signal, 'Signal', undefined, undefined);
}

function listen(isOn) {
  process.removeListener(settings.signal, onSignal);
  if (isOn) process.on(settings.signal, onSignal);
}

function checkSignal(name) {
  if (typeof name !== 'string') throw invalidArgType('signal', 'string', name);
  const { signals } = require('os').constants;
  if (signals[name] !== undefined) return;
  throw withCode(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${name}${
    signals[name.toUpperCase()] === undefined ? '' : ' (signals must use all capital letters)'}`);
}

const report = { writeReport, getReport };

function addSetting(name, check, before = () => {}, after = () => {}) {
  const argument = name.startsWith('reportOn') ? 'trigger' : name;
  Object.defineProperty(report, name, {
    configurable: true, enumerable: true,
    get: { [name]: () => settings[name] }[name],
    set(value) {
      check(value, argument);
      before();
      settings[name] = value;
      after();
    },
  });
}

addSetting('directory', validateString);
addSetting('filename', validateString);
addSetting('compact', validateBoolean);
addSetting('excludeNetwork', validateBoolean);
addSetting('signal', checkSignal, () => listen(false), () => listen(settings.reportOnSignal));
addSetting('reportOnFatalError', validateBoolean);
addSetting('reportOnSignal', validateBoolean, undefined, () => listen(settings.reportOnSignal));
addSetting('reportOnUncaughtException', validateBoolean);

// Of the command line.
function apply(options) {
  settings.directory = options.last('report-dir') ?? '';
  settings.filename = options.last('report-filename') ?? '';
  settings.compact = options.isOn('report-compact') === true;
  settings.excludeNetwork = options.isOn('report-exclude-network') === true;
  settings.signal = options.last('report-signal') ?? 'SIGUSR2';
  settings.reportOnFatalError = options.isOn('report-on-fatalerror') === true;
  settings.reportOnUncaughtException = options.isOn('report-uncaught-exception') === true;
  if (options.isOn('report-on-signal')) report.reportOnSignal = true;
}

require('internal/process/process').inspected.report = (error) => {
  if (settings.reportOnUncaughtException) write('Exception', 'Exception', undefined, error);
};

module.exports = { report, apply };
