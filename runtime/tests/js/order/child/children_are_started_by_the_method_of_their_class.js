'use strict';
// Programs that watch children put a function in place of ChildProcess.prototype.spawn.
const child = require('child_process');
const { ChildProcess } = child;

const original = ChildProcess.prototype.spawn;
ChildProcess.prototype.spawn = function(options) {
  console.log(options.file, options.args, options.windowsHide, options.detached, options.cwd);
  return Reflect.apply(original, this, [{ ...options, args: [...options.args, 'added'] }]);
};

for (const stdio of [['foo'], [Buffer.from('foo')], [{ foo: 1 }], 'foo', 7]) {
  try {
    child.spawn('true', { stdio });
  } catch (error) {
    console.log(error.code, error.message);
  }
}
try {
  child.spawnSync('true', { stdio: ['ipc'] });
} catch (error) {
  console.log(error.code, error.message);
}

function killing() {
  ChildProcess.prototype.spawn = original;
  const { kill } = ChildProcess.prototype;
  ChildProcess.prototype.kill = function(...args) {
    Reflect.apply(kill, this, args);
    throw new Error('from kill');
  };
  child.exec('echo too much', { maxBuffer: 1 }, (error, out) => {
    console.log(error.message, JSON.stringify(out));
    ChildProcess.prototype.kill = kill;
    child.exec('echo too much', { maxBuffer: 1 }, (second, text) => {
      console.log(second.code, JSON.stringify(text));
    });
  });
}

child.execFile('echo', ['a'], { windowsHide: 1, cwd: '/' }, (error, out) => {
  console.log(error, out);
  killing();
});
