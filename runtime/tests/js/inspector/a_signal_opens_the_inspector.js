'use strict';
// compare: stdout
const { spawn } = require('child_process');

const WAITS = 'setInterval(() => {}, 1000); console.log("ready");';

// Starts the program, sends it the signal, and gives what it says until it matches.
function run(program, pattern, next) {
  const child = spawn(process.execPath, ['--inspect-port=0', '-e', program]);
  let said = '';
  child.stdout.once('data', () => child.kill('SIGUSR1'));
  const onText = (text) => {
    said += text;
    if (!pattern.test(said)) return;
    pattern = /^nothing else$/;
    child.kill('SIGUSR1'); // again
    next(child, said);
  };
  child.stderr.on('data', onText);
  child.stdout.on('data', onText);
}

function opens(next) {
  run(WAITS, /ws:.*\n/, (child, said) => {
    const [, port] = /Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said);
    fetch(`http://127.0.0.1:${port}/json/list`).then((answer) => answer.json()).then((list) => {
      console.log(list.length, list[0].type);
      child.kill();
      child.on('exit', (code, signal) => {
        console.log(code, signal);
        next();
      });
    });
  });
}

function isTheProgramsOwn(next) {
  run(`process.on('SIGUSR1', () => console.log('caught')); ${WAITS}`, /caught/, (child, said) => {
    console.log(said);
    child.kill();
    child.on('exit', next);
  });
}

function endsAgain() {
  const program = `const f = () => {}; process.on('SIGUSR1', f); process.off('SIGUSR1', f);
    ${WAITS}`;
  const child = spawn(process.execPath, ['-e', program]);
  child.stdout.once('data', () => child.kill('SIGUSR1'));
  child.on('exit', (code, signal) => console.log(code, signal));
}

opens(() => isTheProgramsOwn(endsAgain));
