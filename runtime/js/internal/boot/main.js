'use strict';
// The command line: which program runs, and how.

const native = binding('process');
const gate = binding('gate');
const { check, colorful } = require('internal/console/console');

const HELP = `Usage: phasor [options] [ script.js ] [arguments]
       phasor -e CODE | -p EXPRESSION | - (script on standard input)
       phasor COMMAND ...

Commands (phasor COMMAND --help says more):
  run PROGRAM                run a program that uses libuv on phasor's libuv.so.1
  trace script.js            run a script, or any program that uses libuv, and record its loops
  report FILE                say what was recorded; also as a page with the timeline
  top PID | FILE             the same, live
  attach PID                 record a program that is running
  watch script.js            run it, or any program, and write down when its loops were blocked
  diff BEFORE AFTER          what became slower between two recordings
  export FILE | PID          the figures of a recording for Prometheus or OpenTelemetry
  inspect script.js          debug a script at the terminal
  play script.js             watch its loop and queues on a page, step by step
  sim script.js              run it in a simulated world: virtual time, chance, faults, one seed

Options:
  -                          script read from standard input
  --                         the end of phasor's own options
  -c, --check                check the syntax of the script without running it
  -e, --eval CODE            run CODE
  -h, --help                 print this help
  -i, --interactive          open the prompt even if standard input is not a terminal
  --inspect[=[HOST:]PORT]    let a debugger connect; 127.0.0.1:9229 unless told otherwise
  --inspect-brk[=[HOST:]PORT]  wait for a debugger, and stop before the script starts
  --inspect-wait[=[HOST:]PORT]  wait for a debugger
  --input-type=TYPE          "module" or "commonjs", for CODE and standard input
  -p, --print [CODE]         run CODE and print its result
  -r, --require MODULE       load MODULE first
  --expose-gc                global.gc() collects garbage
  --no-deprecation           no deprecation warnings
  --no-warnings              no warnings at all
  --test                     run the test files that are named, or found below this folder
  --test-reporter=FORM       "spec", "tap", "dot", "junit" or a module, for the results of tests
  --trace-warnings           warnings with their stack
  -v, --version              print the versions of phasor, its engine and its libuv interface
  --licenses                 print the licences of what phasor is made of

Without a script: a prompt on a terminal, else the script is read from standard input.
`;

function usageError(message) {
  native.write(2, `${process.argv0}: ${message}\n`);
  native.exit(9);
}

function say(text) {
  check(1, native.write(1, text));
}

// What the options of a program change before it starts.
function apply(options) {
  if (options.isOn('expose-gc')) globalThis.gc = native.gc;
  process.noDeprecation = options.isOn('deprecation') === false || process.noDeprecation;
  process.noProcessWarnings = options.isOn('warnings') === false;
  process.traceProcessWarnings = options.isOn('trace-warnings') === true;
  process.traceDeprecation = options.isOn('trace-deprecation') === true;
  process.throwDeprecation = options.isOn('throw-deprecation') === true;
  for (const name of ['noDeprecation', 'noProcessWarnings', 'traceProcessWarnings',
    'traceDeprecation', 'throwDeprecation']) if (!process[name]) delete process[name];
  if (options.last('title') !== undefined) process.title = options.last('title');
  if (options.last('stack-trace-limit') !== undefined) {
    Error.stackTraceLimit = Number(options.last('stack-trace-limit'));
  }
  require('internal/boot/option_effects').apply(options, usageError);
}

function parse(args) {
  const fromEnvironment = process.env.NODE_OPTIONS;
  const plain = { require: [], rest: args };
  if (!fromEnvironment && (args.length === 0 || args[0][0] !== '-')) return plain;
  if (!fromEnvironment && args.length === 2 && args[0] === '-e') {
    process.execArgv.push(...args);
    return { ...plain, code: args[1], rest: [] };
  }
  const options = require('internal/boot/options');
  if (fromEnvironment) {
    const words = options.splitWords(fromEnvironment);
    const rest = options.parse(words, { fail: usageError, fromEnvironment: true });
    if (rest.length > 0) usageError(`${rest[0]} is not allowed in NODE_OPTIONS`);
  }
  const rest = options.parse(args,
    { fail: usageError, onOption: (word) => process.execArgv.push(word) });
  if (options.last('env-file') || options.last('env-file-if-exists')) {
    require('internal/boot/option_effects').loadFiles(options, usageError);
    const words = fromEnvironment ? [] : options.splitWords(process.env.NODE_OPTIONS ?? '');
    options.parse(words, { fail: usageError, fromEnvironment: true, isLate: true });
  }
  apply(options);
  const isInspected = ['inspect', 'inspect-brk', 'inspect-wait', 'inspect-brk-node',
    'inspect-publish-uid'].some((name) => options.isOn(name)) || options.last('inspect-port');
  const names = options.all('require');
  const imported = options.all('import');
  const loaders = options.all('experimental-loader');
  const freezes = options.isOn('frozen-intrinsics');
  return {
    loadsFirst: freezes || names.length + imported.length + loaders.length > 0,
    require: names, import: imported, loaders, freezes,
    inspect: isInspected ? require('internal/inspector/start').fromOptions(options, usageError)
      : undefined,
    help: options.isOn('help'), version: options.isOn('version'),
    engine: options.isOn('v8-options'), check: options.isOn('check'),
    interactive: options.isOn('interactive'), print: options.isOn('print'),
    code: options.last('eval'), test: options.isOn('test'), rest,
    watch: options.isOn('watch') || options.last('watch-path') !== undefined,
    inputType: options.last('input-type'),
    defaultType: options.last('experimental-default-type'),
  };
}

// Inside of the loop and in a promise job, so that what the module queues runs in the order that
// Node has.
function runModule(start) {
  binding('timers').startInLoop(() => gate.enqueueMicrotask(() => {
    const settled = require('internal/process/process').awaitMain();
    start().then(settled, (error) => {
      settled();
      require('internal/process/process').onUncaught(error, false);
    });
  }));
}

function resolveMain(name) {
  try {
    return require('module')._resolveFilename(name, null, true);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw Object.assign(error, { requireStack: [] });
  }
}

// Whether the first file is one for the loader of ES modules.
function isMainModule(file) {
  if (file.endsWith('.mjs')) return true;
  if (file.endsWith('.cjs') || file.endsWith('.json')) return false;
  const { formatOf } = require('internal/modules/format');
  const source = () => binding('fs').readFileSync(file, true, 0);
  const format = formatOf(file, source);
  if (format !== undefined) return format === 'module' || format === 'wasm';
  return require('internal/modules/resolve').packageOf(file)?.data.type === 'module';
}

function runFile(name) {
  const Module = require('module');
  const absolute = require('path').resolve(name);
  const isHooked = process.execArgv.length > 0 &&
    (require('internal/boot/options').takesAllImports() || require('internal/esm/esm').isHooked());
  process.argv[1] = absolute;
  if (isHooked) {
    const { exactMain, tryMain } = require('internal/boot/first');
    const find = isHooked === 'type' ? exactMain : tryMain;
    runModule(() => require('internal/esm/esm').runMain(find(absolute)));
    return;
  }
  const file = resolveMain(absolute);
  if (isMainModule(file)) runModule(() => require('internal/esm/esm').runMain(file));
  else Module._load(file, null, true);
}

// Where code without a file is at home; the program's own folder if the working folder is gone.
function homeFolder() {
  try {
    return process.cwd();
  } catch {
    return require('path').dirname(process.execPath);
  }
}

function scriptModule(name) {
  let made;
  const module = () => {
    if (made !== undefined) return made;
    const Module = require('module');
    made = new Module(name);
    made.filename = require('path').join(homeFolder(), name);
    made.paths = Module._nodeModulePaths(homeFolder());
    return made;
  };
  lazyGlobal('module', module);
  lazyGlobal('exports', () => module().exports);
  lazyGlobal('require', () => require('module')._makeRequire(module()));
  lazyGlobal('__filename', () => name);
  lazyGlobal('__dirname', () => '.');
}

function defineGlobal(name, value, enumerable) {
  Object.defineProperty(globalThis, name,
    { value, writable: true, configurable: true, enumerable });
}

// A name that is made when it is first used; once a program has set it, it is listed if so asked.
function lazyGlobal(name, make, enumerable = false) {
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable: false,
    get() {
      const value = make(name);
      if (Object.getOwnPropertyDescriptor(globalThis, name).configurable)
        defineGlobal(name, value, false);
      return value;
    },
    set(value) { defineGlobal(name, value, enumerable); },
  });
}

function exposeBuiltins() {
  const builtins = require('internal/builtins');
  for (const id of builtins.ids) {
    const isFree = !(id in globalThis) || id === 'crypto';
    if (!id.includes('/') && isFree) lazyGlobal(id, builtins.require, true);
  }
}

// Most code has none of the words of which one is needed.
function looksLikeModule(code) {
  return /\b(import|export|await)\b/.test(code) &&
    require('internal/boot/options').isOn('experimental-detect-module') !== false &&
    require('internal/modules/format').looksLikeModule(code);
}

function runCode(code, name, { print, inputType, defaultType }) {
  inputType ??= defaultType;
  if (inputType === 'module' && print) {
    throw require('internal/errors/errors').withCode(Error, 'ERR_EVAL_ESM_CANNOT_PRINT',
      '--print cannot be used with ESM input');
  }
  if (inputType === 'module' || (inputType === undefined && !print && looksLikeModule(code))) {
    const { runSource } = require('internal/esm/esm');
    if (name === '[eval]') exposeBuiltins();
    runModule(() => runSource(code, `${name}1`.replace(/^\[(\w+)\]1$/, '[$11]')));
    return;
  }
  const sources = require('internal/modules/sources');
  sources.keep(name, code);
  if (code.includes('import')) sources.home = homeFolder();
  scriptModule(name);
  if (name === '[eval]') exposeBuiltins();
  const { checked } = require('internal/errors/syntax');
  const result = checked(() => binding('modules').runScript(code, name));
  if (print) {
    const { formatWithOptions } = require('internal/inspect/format');
    say(`${formatWithOptions({ colors: colorful(1) }, result)}\n`);
  }
}

function readStandardInput() {
  return binding('fs').readFileSync(0, true, 0);
}

function start() {
  const inWorker = binding('worker').startData();
  if (inWorker !== undefined) {
    require('internal/worker/worker').start(inWorker);
    return;
  }
  if (process.env.NODE_CHANNEL_FD) {
    require('internal/child/ipc').attachToParent();
    if (process.env.NODE_UNIQUE_ID !== undefined) require('cluster');
    if (process.env.WATCH_REPORT_DEPENDENCIES) require('internal/boot/watch_mode').report();
  }
  if (process.env.NODE_V8_COVERAGE)
    require('internal/coverage/files').start(process.env.NODE_V8_COVERAGE);
  const options = parse(process.argv.slice(1));
  if (options.help) {
    say(HELP);
    return;
  }
  if (options.engine) {
    say(require('internal/boot/engine_help'));
    return;
  }
  if (options.version) {
    const { phasor, quickjs, uv } = process.versions;
    say(`phasor ${phasor}\nquickjs-ng ${quickjs}\nlibuv interface ${uv}\n`);
    return;
  }
  const [file, ...args] = options.rest;
  const hasCode = options.code !== undefined;
  process.argv = hasCode || file === undefined ? [process.execPath, ...options.rest]
    : [process.execPath, file === '-' || options.require.length === 0 ? file
      : require('path').resolve(file), ...args];
  if (options.watch && !options.test) {
    require('internal/boot/watch_mode').run(options, usageError);
    return;
  }
  const breakOnStart = options.inspect?.();
  const run = () => {
    breakOnStart?.();
    runProgram(options, file);
  };
  if (options.loadsFirst) require('internal/boot/first').load(options, run);
  else run();
}

function runTests(options) {
  for (const name of ['check', 'interactive']) {
    if (options[name]) usageError(`either --test or --${name} can be used, not both`);
  }
  if (options.code !== undefined || options.print) {
    usageError('either --test or --eval or --print can be used, not both');
  }
  require('internal/test/command').start(options.rest);
}

// Code runs before the first line of the prompt, whose module is the prompt's own.
function runAtPrompt(options) {
  require('internal/boot/prompt').start();
  const ofPrompt = Object.getOwnPropertyDescriptor(globalThis, 'module');
  runCode(options.code, '[eval]', options);
  Object.defineProperty(globalThis, 'module', ofPrompt);
}

function runProgram(options, file) {
  const hasCode = options.code !== undefined;
  if (options.test) {
    runTests(options);
  } else if (options.check) {
    if (hasCode) usageError('either --check or --eval can be used, not both');
    const { checkFile, checkText } = require('internal/boot/check');
    if (file !== undefined && file !== '-') checkFile(resolveMain(require('path').resolve(file)));
    else checkText(readStandardInput(), options.inputType);
  } else if (hasCode) {
    process._eval = options.code;
    if (options.interactive) runAtPrompt(options);
    else runCode(options.code, '[eval]', options);
  } else if (file === 'inspect') {
    require('internal/debugger/prompt').start(process.argv.slice(2));
  } else if (file !== undefined && file !== '-') {
    if (options.inputType !== undefined) {
      throw require('internal/errors/errors').withCode(Error, 'ERR_INPUT_TYPE_NOT_ALLOWED',
        '--input-type can only be used with string input via --eval, --print, or STDIN');
    }
    // Modules that were loaded first may have changed how programs are run.
    if (options.require.length > 0) require('module').runMain(file);
    else runFile(file);
  } else if (file === undefined && (options.interactive || native.guessHandle(0) === 'TTY')) {
    require('internal/boot/prompt').start();
  } else {
    runCode(readStandardInput(), '[stdin]', options);
  }
}

module.exports = { start, runModule, scriptModule, exposeBuiltins, runFile, runCode, parse,
  resolveMain, homeFolder };
