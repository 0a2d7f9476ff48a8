'use strict';
// --build-snapshot, --snapshot-blob and v8.startupSnapshot. The engine can't write its heap down: a
// blob holds the text of the script, what was around it, and what files and child processes told
// it. Whoever starts from it runs the script again, silently and with the same answers, and goes on
// from there.

const { validateFunction, withCode } = require('internal/errors/validators');

const FORM = 'phasor startup snapshot 1';
const FAILED = 14; // the status that Node has for a snapshot that can't be used
const state = { isBuilding: false, serialize: [], deserialize: [], main: undefined };

function checkBuilding() {
  if (state.isBuilding) return;
  throw withCode(Error, 'ERR_NOT_BUILDING_SNAPSHOT',
    'Operation cannot be invoked when not building startup snapshot');
}

const startupSnapshot = {
  addDeserializeCallback(callback, data) {
    checkBuilding();
    validateFunction(callback, 'callback');
    state.deserialize.push([callback, data]);
  },
  addSerializeCallback(callback, data) {
    checkBuilding();
    validateFunction(callback, 'callback');
    state.serialize.push([callback, data]);
  },
  setDeserializeMainFunction(callback, data) {
    checkBuilding();
    validateFunction(callback, 'callback');
    if (state.main !== undefined) {
      throw withCode(Error, 'ERR_DUPLICATE_STARTUP_SNAPSHOT_MAIN_FUNCTION',
        'Deserialize main function is already configured.');
    }
    state.main = [callback, data];
  },
  isBuildingSnapshot: () => state.isBuilding,
};

// The script has its own text and what is built in, nothing else.
function requireBuiltIn(name) {
  const id = require('internal/modules/resolve').builtinId(`${name}`);
  if (id !== undefined) return require('internal/builtins').require(id);
  throw withCode(Error, 'MODULE_NOT_FOUND',
    `Cannot find module '${name}': only built-in modules can be required in a startup snapshot`);
}

function run({ file, source }) {
  state.isBuilding = true;
  const call = require('vm').compileFunction(source, ['require', '__filename', '__dirname'],
    { filename: file });
  call(requireBuiltIn, file, require('path').dirname(file));
}

const ASKED = [['fs', 'readFileSync'], ['child', 'spawnSync']];

// Whoever asks the system gets the answer that the hook gives; the function ends that.
function intercept(hook) {
  const before = ASKED.map(([name, key]) => [binding(name), key, binding(name)[key]]);
  for (const [native, key, ask] of before) {
    native[key] = (...args) => {
      const { error, value } = hook(key, () => ask(...args));
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return value;
    };
  }
  return () => { for (const [native, key, ask] of before) native[key] = ask; };
}

// While a snapshot is built: answers are kept.
function record(answers) {
  return intercept((key, ask) => {
    const answer = {};
    try {
      answer.value = ask();
    } catch (error) {
      answer.error = { message: error.message, ...error };
    }
    answers.push(require('v8').serialize([key, answer]).toString('base64'));
    return answer;
  });
}

// Bytes were Buffers.
function revived(value) {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revived(one)]));
}

// While it is run again: they are given in the same order.
function repeat(answers) {
  let at = 0;
  return intercept((key, ask) => {
    if (at < answers.length) {
      const [kept, answer] = require('v8').deserialize(Buffer.from(answers[at++], 'base64'));
      if (kept === key) return { ...answer, value: revived(answer.value) };
      at = answers.length; // it does something else now
    }
    return { value: ask() };
  });
}

// When nothing is left to be done.
function whenIdle(next) {
  require('internal/process/process').idle.next = () => {
    for (const [callback, data] of state.serialize) callback(data);
    state.end();
    state.isBuilding = false;
    next();
  };
}

function blobPath(options) {
  return require('path').resolve(options.snapshotBlob ?? 'snapshot.blob');
}

function entryOf(options, fail) {
  const config = options.buildConfig;
  if (config === undefined) {
    if (options.rest.length === 0) {
      fail('--build-snapshot must be used with an entry point script.\n' +
        `Usage: ${process.argv0} --build-snapshot /path/to/entry.js`);
    }
    return options.rest[0];
  }
  let found;
  try {
    found = JSON.parse(require('fs').readFileSync(config, 'utf8'));
  } catch {
    throw new Error(`Cannot read snapshot configuration from ${config}`);
  }
  if (typeof found?.builder !== 'string' || found.builder === '')
    throw new Error(`"builder" field of ${config} is not a non-empty string`);
  return found.builder;
}

function build(options, fail) {
  const entry = entryOf(options, fail);
  const file = require('path').resolve(entry);
  if (entry === 'node:embedded_snapshot_main')
    fail('Node.js was built without embedded snapshot');
  const source = require('fs').readFileSync(file, 'utf8');
  process.argv = [process.execPath, file, ...options.rest.slice(1)];
  const blob = { form: FORM, version: process.versions.phasor, file, source,
    flags: require('internal/boot/options').engineFlags(), env: { ...process.env },
    argv: process.argv, answers: [] };
  state.end = record(blob.answers);
  whenIdle(() => require('fs').writeFileSync(blobPath(options), JSON.stringify(blob)));
  run(blob);
}

function refuse(words) {
  binding('process').write(2, `${process.argv0}: ${words}\n`);
  binding('process').exit(FAILED);
}

function read(options) {
  const file = blobPath(options);
  let text;
  try {
    text = require('fs').readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ERR_ACCESS_DENIED') throw error;
    refuse(`Cannot open ${file}: ${binding('process').errorText(error.errno)}`);
  }
  let blob;
  try {
    blob = JSON.parse(text);
  } catch {
    // Said below.
  }
  const words = 'Failed to load the startup snapshot because it was built with another';
  if (blob?.form !== FORM || blob.version !== process.versions.phasor)
    refuse(`${words} program or version.`);
  if (blob.flags.join() !== require('internal/boot/options').engineFlags().join())
    refuse(`${words} configuration of the engine.`);
  return blob;
}

// What the script printed and warned of was seen when the snapshot was built.
function silently(blob) {
  const native = binding('process');
  const { write } = native;
  const { emitWarning, argv } = process;
  const now = { ...process.env };
  const replace = (names) => {
    for (const name of Object.keys(process.env)) if (!(name in names)) delete process.env[name];
    Object.assign(process.env, names);
  };
  native.write = (_, text) => text.length;
  process.emitWarning = () => {};
  process.argv = blob.argv;
  replace(blob.env);
  return () => {
    native.write = write;
    process.emitWarning = emitWarning;
    process.argv = argv;
    replace(now);
  };
}

// Starts from a snapshot: its main function, or else the program of the command line.
function start(options, runProgram) {
  const blob = read(options);
  const speakUp = silently(blob);
  state.end = repeat(blob.answers);
  whenIdle(() => {
    speakUp();
    setImmediate(() => {
      for (const [callback, data] of state.deserialize) callback(data);
      if (state.main === undefined) {
        runProgram();
        return;
      }
      process.argv = [process.execPath, ...options.rest];
      state.main[0](state.main[1]);
    });
  });
  run(blob);
}

module.exports = { startupSnapshot, state, build, start };
