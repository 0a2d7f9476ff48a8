'use strict';
// How many colours a terminal has, and who prints them: FORCE_COLOR, NO_COLOR and the others.

const { spawnSync } = require('child_process');
const { getColorDepth, hasColors } = require('tty').WriteStream.prototype;

const terms = ['xterm', 'xterm-256color', 'screen', 'tmux', 'tmux-256color', 'rxvt-unicode',
  'vt100', 'vt220', 'ansi', 'ANSI', 'linux', 'konsole', 'terminator', 'mosh',
  'con80x25', 'console', 'dumb', 'alacritty', 'unknown', 'aixterm', 'scoansi', ''];
for (const TERM of terms) console.log(TERM, getColorDepth({ TERM }));
for (const env of [{}, { COLORTERM: '1' }, { COLORTERM: 'truecolor' }, { TMUX: '1' }, { CI: '1' },
  { CI: '1', TRAVIS: '1' }, { CI: '1', GITHUB_ACTIONS: '1' }, { CI: '1', CI_NAME: 'codeship' },
  { CI: '', TERM: 'xterm' }, { TEAMCITY_VERSION: '9.0.0' }, { TEAMCITY_VERSION: '9.1.0' },
  { TEAMCITY_VERSION: '10.2' }, { TERM_PROGRAM: 'iTerm.app' }, { TERM_PROGRAM: 'HyperTerm' },
  { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0' }, { TERM_PROGRAM: 'vscode' },
  { TERM_PROGRAM: 'Apple_Terminal' }, { NO_COLOR: '', TERM: 'xterm' }, { FORCE_COLOR: '' },
  { NODE_DISABLE_COLORS: '1', TERM: 'xterm' }, { FORCE_COLOR: '1' }, { FORCE_COLOR: '2' },
  { FORCE_COLOR: '3', TERM: 'dumb' }, { FORCE_COLOR: '0', TERM: 'xterm' }, { FORCE_COLOR: 3 }]) {
  const depth = getColorDepth(env);
  console.log(JSON.stringify(env), depth, hasColors.call({ getColorDepth }, env),
    hasColors.call({ getColorDepth }, 2 ** depth, env));
}
for (const count of [true, null, Symbol('s'), 5n, -1, 1]) {
  try {
    hasColors.call({ getColorDepth }, count);
  } catch (error) {
    console.log(error.code, error.message);
  }
}

const code = "console.log({ a: 1 }, 5); console.error([true]); console.log('text');" +
  "require('util').debuglog('mine')({ b: 'c' });" +
  "console.log(require('util').styleText('red', 'x'))";
for (const FORCE_COLOR of [undefined, '0', '1', 'true', 'other']) {
  const env = { ...process.env, FORCE_COLOR, NODE_DEBUG: 'mine' };
  if (FORCE_COLOR === undefined) delete env.FORCE_COLOR;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
  console.log(JSON.stringify(stdout), JSON.stringify(stderr.replace(/\d{2,}/g, 'PID')));
}
const told = spawnSync(process.execPath, ['-p', '5'],
  { env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: '1' }, encoding: 'utf8' });
console.log(JSON.stringify(told.stdout), told.stderr.split('\n')[0].replace(/\d+/, 'PID'));
