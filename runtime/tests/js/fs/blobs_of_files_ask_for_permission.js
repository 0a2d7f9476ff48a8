'use strict';
// openAsBlob of a file that may not be read says so.

const { spawnSync } = require('child_process');

const code = `try { require('fs').openAsBlob('/etc/passwd'); } catch (error) {
  console.log(error.code, error.permission, error.resource); }
  try { require('fs').openAsBlob('/nowhere/at/all'); } catch (error) {
  console.log(error.code, error.permission, error.resource); }`;
for (const option of ['--experimental-permission', '--no-warnings'])
  console.log(spawnSync(process.execPath, [option, '-e', code], { encoding: 'utf8' }).stdout);
