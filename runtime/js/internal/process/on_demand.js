'use strict';
// The parts of process that few programs touch; most of them load when they are first used.

const native = binding('process');
const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateArray, validateBoolean, validateString, validateUint32 } =
  require('internal/errors/validators');

function toId(value, name, kind) {
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw invalidArgType(name, ['number', 'string'], value);
  }
  if (typeof value === 'number') {
    validateUint32(value, name);
    return value;
  }
  const id = binding('identity')[kind === 'User' ? 'userId' : 'groupId'](value);
  if (id === undefined) throw unknown(kind, value);
  return id;
}

function unknown(kind, value) {
  return withCode(Error, 'ERR_UNKNOWN_CREDENTIAL', `${kind} identifier does not exist: ${value}`);
}

function setter(name, kind) {
  return { [name](id) {
    const number = toId(id, 'id', kind);
    try {
      binding('identity')[name](number);
    } catch (error) {
      // In the words of the system's own library, as Node has them here.
      const text = binding('process').errorText(error.errno);
      error.message = `${error.code}, ${text[0].toUpperCase()}${text.slice(1)}`;
      throw error;
    }
  } }[name];
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  binding('identity').setGroups(groups.map((one, i) => toId(one, `groups[${i}]`, 'Group')));
}

function initgroups(user, extraGroup) {
  if (typeof user === 'number') validateUint32(user, 'user');
  else if (typeof user !== 'string') throw invalidArgType('user', ['number', 'string'], user);
  const group = toId(extraGroup, 'extraGroup', 'Group');
  if (binding('identity').initGroups(user, group) === false) throw unknown('User', user);
}

function getgroups() {
  const groups = native.groups();
  const own = native.egid();
  return groups.includes(own) ? groups : [...groups, own];
}

let isAssertWarned = false;

function assert(value, message) {
  if (!isAssertWarned) {
    isAssertWarned = true;
    process.emitWarning('process.assert() is deprecated. Please use the `assert` module instead.',
      'DeprecationWarning', 'DEP0100');
  }
  if (value) return;
  throw withCode(Error, 'ERR_ASSERTION', message || 'assertion error');
}

// A Set that can't be changed, and knows an option by all of its spellings.
function allowedFlags() {
  const names = require('internal/boot/options').allowedFlags();
  const known = new Set(names);
  const plain = (flag) => {
    if (typeof flag !== 'string') return undefined;
    const name = flag.replace(/=.*$/s, '').replaceAll('_', '-');
    if (known.has(name)) return name;
    if (name.startsWith('-')) return undefined;
    return known.has(`--${name}`) || known.has(`-${name}`) ? name : undefined;
  };
  class NodeEnvironmentFlagsSet extends Set {
    constructor() {
      super();
      for (const name of ['add', 'delete', 'clear']) {
        Object.defineProperty(this, name,
          { value: name === 'add' ? () => this : () => (name === 'delete' ? false : undefined) });
      }
    }

    has(flag) { return plain(flag) !== undefined; }

    get size() { return names.length; }

    forEach(work, self = undefined) {
      for (const name of names) Reflect.apply(work, self, [name, name, this]);
    }

    entries() { return new Set(names).entries(); }

    values() { return new Set(names).values(); }
  }
  const { prototype } = NodeEnvironmentFlagsSet;
  prototype.keys = prototype.values;
  prototype[Symbol.iterator] = prototype.values;
  Object.freeze(prototype);
  Object.freeze(NodeEnvironmentFlagsSet);
  return Object.freeze(new NodeEnvironmentFlagsSet());
}

class FSReqCallback {}

function getActiveResourcesInfo() {
  const [timeouts, immediates] = binding('timers').counts();
  const requests = new Array(binding('identity').fileRequests()).fill('FSReqCallback');
  return [...requests, ...binding('identity').handles(), ...new Array(timeouts).fill('Timeout'),
    ...new Array(immediates).fill('Immediate')];
}

function getBuiltinModule(id) {
  validateString(id, 'id');
  const name = id.startsWith('node:') ? id.slice(5) : id;
  const { isBuiltin } = require('module');
  return isBuiltin(id) ? require('internal/builtins').require(name) : undefined;
}

function openStdin() {
  process.stdin.resume();
  return process.stdin;
}

function loadEnvFile(path = undefined) {
  const { toPath } = require('internal/fs/util');
  require('internal/boot/dotenv').load(path === undefined ? '.env' : toPath(path));
}

function setSourceMapsEnabled(isOn) {
  validateBoolean(isOn, 'val');
  require('internal/errors/source_map').enable(isOn);
}

function dlopen(...args) {
  return require('internal/modules/addons').dlopen(...args);
}

function _rawDebug(...args) {
  native.write(2, `${require('internal/inspect/format').format(...args)}\n`);
}

// Opens the inspector of a process, and closes that of this one.
function _debugProcess(pid) {
  process.kill(pid, 'SIGUSR1');
}

function _debugEnd() {
  if (require('inspector').url() !== undefined) require('inspector').close();
}

function portOf(value) {
  const port = value | 0;
  if (port === 0 || (port >= 1024 && port <= 65535)) return port;
  throw new RangeError('process.debugPort must be 0 or in range 1024 to 65535');
}

const config = Object.freeze({ target_defaults: Object.freeze({ cflags: [],
  default_configuration: 'Release', defines: [], include_dirs: [], libraries: [] }),
variables: Object.freeze({ napi_build_version: '9', node_shared: false, v8_enable_i18n_support: 1,
  node_builtin_shareable_builtins: [], shlib_suffix: 'so.115', node_module_version: 115 }) });

let flags;

const functions = {
  setuid: setter('setuid', 'User'), seteuid: setter('seteuid', 'User'),
  setgid: setter('setgid', 'Group'), setegid: setter('setegid', 'Group'), setgroups, initgroups,
  getgroups, assert, getActiveResourcesInfo, getBuiltinModule, openStdin, loadEnvFile,
  setSourceMapsEnabled, dlopen, _rawDebug, _debugProcess, _debugEnd,
  _getActiveHandles: () => binding('identity').owners(),
  _getActiveRequests: () => Array.from({ length: binding('identity').fileRequests() },
    () => new FSReqCallback()),
};
const values = {
  config: () => config,
  debugPort: () => 9229,
  sourceMapsEnabled: () => require('internal/errors/source_map').isOn(),
  report: () => require('internal/process/report').report,
  allowedNodeEnvironmentFlags: () => flags ??= allowedFlags(),
  moduleLoadList: () => require('internal/builtins').ids.map((id) => `NativeModule ${id}`),
};

module.exports = { functions, values, portOf };
