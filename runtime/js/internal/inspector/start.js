'use strict';
// --inspect, --inspect-brk, --inspect-wait and their relatives.

// "host:port", "port", "host", "[address]:port"
function readAddress(text, fail) {
  const match = /^(?:\[([^\]]*)\]|([^:]*[^:\d][^:]*))?(?::?(\d+))?$/.exec(text) ??
    /^([0-9.]+):(\d+)$/.exec(text);
  if (match === null) fail(`Invalid host:port: ${text}`);
  const host = match.length === 3 ? match[1] : match[1] ?? match[2];
  const port = match.at(-1);
  if (port !== undefined && (port > 65535 || (port < 1024 && +port !== 0))) {
    fail('--inspect-port must be 0 or in range 1024 to 65535.');
  }
  return { host: host?.replace(/:$/, ''), port: port === undefined ? undefined : +port };
}

const WAYS = ['inspect', 'inspect-brk', 'inspect-brk-node', 'inspect-wait'];

function readPublishes(text, fail) {
  const words = text.split(',');
  const wrong = words.find((word) => word !== 'stderr' && word !== 'http');
  if (wrong !== undefined) fail('--inspect-publish-uid destination can be stderr or http');
  return { stderr: words.includes('stderr'), http: words.includes('http') };
}

// Gives what is to be done when the program starts; undefined if nothing is inspected.
function fromOptions(options, fail) {
  const places = [options.last('inspect-port'),
    ...WAYS.map((way) => options.last(`${way}-at`))].filter((text) => text !== undefined);
  const target = {};
  for (const text of places) {
    for (const [key, value] of Object.entries(readAddress(text, fail))) {
      if (value !== undefined) target[key] = value;
    }
  }
  if (target.port !== undefined) process.debugPort = target.port;
  const publishes = options.last('inspect-publish-uid');
  const chosen = publishes === undefined ? undefined : readPublishes(publishes, fail);
  const way = WAYS.find((name) => options.isOn(name) && name !== 'inspect') ??
    (options.isOn('inspect') ? 'inspect' : undefined);
  if (way === undefined) return undefined;
  return () => {
    const server = require('internal/inspector/server');
    if (chosen !== undefined) server.settings.publishes = chosen;
    if (!server.open(target)) return undefined;
    if (way !== 'inspect') server.wait();
    return way.startsWith('inspect-brk')
      ? () => require('internal/inspector/debugger').pauseSoon('Break on start') : undefined;
  };
}

module.exports = { fromOptions };
