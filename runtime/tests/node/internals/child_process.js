'use strict';
// Node's name internal/child_process: what child_process itself calls.

const { ChildProcess } = require('child_process');
const { stdioList } = require('internal/child/stdio');

function typed(one) {
  if (typeof one === 'number') return { type: 'fd', fd: one };
  return { type: one === 'ipc' ? 'pipe' : one };
}

function getValidStdio(stdio, isSync) {
  const list = stdioList(stdio, isSync);
  while (Array.isArray(stdio) && stdio.length < 3) stdio.push(undefined);
  const ipcFd = list.indexOf('ipc');
  return { stdio: list.map(typed), ipc: undefined, ipcFd: ipcFd === -1 ? undefined : ipcFd };
}

module.exports = Object.assign(require('internal/child/sync'), { ChildProcess, getValidStdio });
