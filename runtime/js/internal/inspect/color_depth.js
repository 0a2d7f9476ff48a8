'use strict';
// How many colours are shown: what the environment says of the terminal, in bits.

const NONE = 1;
const SIXTEEN = 4;
const MANY = 8;
const ALL = 24;

// FORCE_COLOR: what is not here means none.
const FORCED = { '__proto__': null, '': SIXTEEN, '1': SIXTEEN, 'true': SIXTEEN, '2': MANY,
  '3': ALL };

// Services that build programs and show the colours of their output.
const SERVICES = ['APPVEYOR', 'BUILDKITE', 'CIRCLECI', 'DRONE', 'GITHUB_ACTIONS', 'GITLAB_CI',
  'TRAVIS'];

const TERMINALS = { __proto__: null, cons25: SIXTEEN, console: SIXTEEN, cygwin: SIXTEEN,
  dtterm: SIXTEEN, eterm: SIXTEEN, gnome: SIXTEEN, hurd: SIXTEEN, jfbterm: SIXTEEN,
  konsole: SIXTEEN, kterm: SIXTEEN, mlterm: SIXTEEN, mosh: ALL, putty: SIXTEEN, st: SIXTEEN,
  terminator: ALL };
const COLOURFUL = /ansi|color|linux|^con\d*x\d|^rxvt|^screen|^xterm|^vt100/;

let hasWarned = false;

function warnOfIgnored(env) {
  if (hasWarned) return;
  const ignored = ['NODE_DISABLE_COLORS', 'NO_COLOR'].filter((name) => env[name]);
  if (ignored.length === 0) return;
  hasWarned = true;
  process.emitWarning(`The '${ignored.join("' and '")}' env is ignored due to the ` +
    "'FORCE_COLOR' env being set.");
}

function depthOfProgram({ TERM_PROGRAM: program, TERM_PROGRAM_VERSION: version }) {
  switch (program) {
    case 'iTerm.app': return !version || /^[0-2]\./.test(version) ? MANY : ALL;
    case 'HyperTerm':
    case 'MacTerm': return ALL;
    case 'Apple_Terminal': return MANY;
    default: return undefined;
  }
}

function depthOfTerminal({ TERM: name = '', COLORTERM: claim }) {
  if (claim === 'truecolor' || claim === '24bit') return ALL;
  if (/^xterm-256/.test(name)) return MANY;
  const term = name.toLowerCase();
  return TERMINALS[term] ?? (COLOURFUL.test(term) || claim ? SIXTEEN : NONE);
}

function colorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) {
    const depth = typeof env.FORCE_COLOR === 'string' ? FORCED[env.FORCE_COLOR] : undefined;
    if (depth !== undefined) warnOfIgnored(env);
    return depth ?? NONE;
  }
  if (env.NODE_DISABLE_COLORS !== undefined || env.NO_COLOR !== undefined || env.TERM === 'dumb')
    return NONE;
  if (env.TMUX) return MANY;
  if (env.CI) {
    return SERVICES.some((name) => name in env) || env.CI_NAME === 'codeship' ? MANY : NONE;
  }
  if ('TEAMCITY_VERSION' in env)
    return /^(9\.0*[1-9]\d*\.|\d\d+\.)/.test(env.TEAMCITY_VERSION) ? SIXTEEN : NONE;
  return depthOfProgram(env) ?? depthOfTerminal(env);
}

// Does a stream show colours? One that is no terminal does if FORCE_COLOR says so.
function showsColors(stream) {
  if (process.env.FORCE_COLOR !== undefined) return colorDepth() > 2;
  return Boolean(stream?.isTTY) &&
    (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2);
}

module.exports = { colorDepth, showsColors };
