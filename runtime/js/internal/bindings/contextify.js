'use strict';
// Node's binding contextify: whether Ctrl-C came while someone watched for it.

let watchers = 0;
let isPending = false;
const onSigint = () => { isPending = true; };

function startSigintWatchdog() {
  if (watchers++ === 0) process.on('SIGINT', onSigint);
}

function stopSigintWatchdog() {
  const wasPending = isPending;
  isPending = false;
  if (--watchers === 0) process.removeListener('SIGINT', onSigint);
  return wasPending;
}

module.exports = { startSigintWatchdog, stopSigintWatchdog,
  watchdogHasPendingSigint: () => isPending };
