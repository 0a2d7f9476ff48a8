'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'napi-'));
const attempt = (...args) => {
  try {
    process.dlopen(...args);
  } catch (error) {
    console.log(error.name, error.code, error.message.replaceAll(folder, 'FOLDER'));
  }
};
const text = path.join(folder, 'text.node');
fs.writeFileSync(text, 'this is text, and longer than the header of a library has to be, by far');
fs.writeFileSync(path.join(folder, 'empty.node'), '');
attempt();
attempt({});
attempt({}, 'x');
attempt({ exports: {} }, path.join(folder, 'missing.node'));
attempt({ exports: {} }, text);
attempt({ exports: {} }, path.join(folder, 'empty.node'));
attempt({ exports: {} }, 'libm.so.6');
attempt({ exports: {} }, 'libm.so.6', 'x');
try {
  require(text);
} catch (error) {
  console.log(error.code);
}
const module_ = { exports: {} };
process.dlopen(module_, `${process.env.PHASOR_TEST_ADDONS}/statuses.node`,
  os.constants.dlopen.RTLD_NOW);
console.log(Object.keys(module_.exports));
console.log(typeof require(`${process.env.PHASOR_TEST_ADDONS}/statuses`));
fs.rmSync(folder, { recursive: true });
