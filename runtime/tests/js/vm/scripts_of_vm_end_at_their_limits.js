const vm = require('vm');
const { spawn } = require('child_process');
const told = (call) => {
  try {
    console.log(call());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
const limit = { timeout: 20 };
told(() => vm.runInThisContext('for (;;);', limit));
told(() => vm.runInNewContext('for (;;);', {}, limit));
told(() => new vm.Script('while (true) {}').runInThisContext(limit));
told(() => vm.runInContext('for (;;);', vm.createContext({}), limit));
told(() => vm.runInThisContext('try { for (;;); } catch { 1 } finally { 2 }', limit));
told(() => vm.runInNewContext('1 + 1', {}, { timeout: 10000 }));
told(() => vm.runInNewContext('inner()',
  { inner: () => vm.runInNewContext('for (;;);', {}, limit) }, { timeout: 10000 }));
told(() => vm.runInNewContext('inner()',
  { inner: () => vm.runInNewContext('for (;;);', {}, { timeout: 10000 }) }, limit));
for (const options of [{ timeout: 0 }, { timeout: 'a' }, { timeout: -1 }, { breakOnSigint: 1 }])
  told(() => vm.runInThisContext('1', options));

const program = `
  const vm = require('vm');
  process.on('SIGINT', () => console.log('handler'));
  console.log('ready');
  try {
    vm.runInThisContext('for (;;);', { breakOnSigint: true });
  } catch (error) {
    console.log(error.code, error.message);
  }
  setTimeout(() => {}, 20);`;
const child = spawn(process.execPath, ['-e', program]);
child.stdout.on('data', (data) => {
  process.stdout.write(data);
  if (String(data).includes('ready')) setTimeout(() => child.kill('SIGINT'), 300);
});
child.on('close', (code, signal) => console.log(code, signal));
