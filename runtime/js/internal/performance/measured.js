'use strict';
// Entries of the types net, http and dns, for those who observe them: a measure begins with its
// owner and ends with it. While nobody observes, told_channels has no `measures`, and nothing here
// is loaded.

const { KEY, add, isObserved } = require('internal/performance/entry');
const PerformanceNodeEntry = require('internal/performance/node_entry');

const running = new WeakMap();

function begin(owner, entryType, name, detail) {
  if (isObserved(entryType))
    running.set(owner, { entryType, name, detail, startTime: performance.now() });
}

function end(owner, more) {
  const measure = running.get(owner);
  if (measure === undefined) return;
  running.delete(owner);
  const { entryType, name, detail, startTime } = measure;
  if (!isObserved(entryType)) return;
  add(new PerformanceNodeEntry(KEY, { name, entryType, startTime,
    duration: performance.now() - startTime, detail: { ...detail, ...more } }));
}

const responseOf = ({ statusCode, statusMessage }, headers) =>
  ({ res: { statusCode, statusMessage, headers } });

module.exports = {
  begin, end,

  serverBegins(req, res) {
    const { method, url, headers } = req;
    begin(res, 'http', 'HttpRequest', { req: { method, url, headers } });
  },
  serverEnds(res) { end(res, responseOf(res, res.getHeaders?.() ?? {})); },

  clientBegins(request) {
    const { method, protocol, host, path } = request;
    begin(request, 'http', 'HttpClient', { req: { method, url: `${protocol}//${host}${path}`,
      headers: request.getHeaders?.() ?? {} } });
  },
  clientEnds(request, res) { end(request, responseOf(res, res.headers)); },
};
