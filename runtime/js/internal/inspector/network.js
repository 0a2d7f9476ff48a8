'use strict';
// The Network domain: the requests that this program makes over HTTP, and those of which it tells
// itself. As in Node, with --experimental-network-inspection alone.

const agent = require('internal/inspector/agent');
const diagnostics = require('diagnostics_channel');

const numbers = new WeakMap(); // the names of requests that were told
let last = 0;

const seconds = () => Date.now() / 1000;
const isOn = () => process.execArgv.includes('--experimental-network-inspection');

// What an event consists of, with what stands for a value that is missing or of another kind.
const EVENTS = {
  requestWillBeSent: { requestId: '', request: { url: '', method: '', headers: null },
    timestamp: 0, wallTime: 0 },
  responseReceived: { requestId: '', timestamp: 0, type: '',
    response: { url: '', status: 0, statusText: '', headers: null } },
  loadingFinished: { requestId: '', timestamp: 0 },
  loadingFailed: { requestId: '', timestamp: 0, type: '', errorText: '' },
};

function shape(form, given) {
  if (form === null) return typeof given === 'object' && given !== null ? given : {};
  if (typeof form !== 'object') return typeof given === typeof form ? given : form;
  return Object.fromEntries(Object.entries(form).map(([key, inner]) =>
    [key, shape(inner, given?.[key])]));
}

function tell(name, params) {
  if (isOn()) agent.tellAll('Network', name, () => shape(EVENTS[name], params));
}

function addressOf(request) {
  return `${request.protocol}//${request.host}${request.path}`;
}

// A protocol's headers are strings.
function flatten(headers) {
  const found = { __proto__: null };
  for (const [name, value] of Object.entries(headers)) {
    const between = name === 'cookie' ? '; ' : name === 'set-cookie' ? '\n' : ', ';
    found[name] = Array.isArray(value) ? value.join(between) : String(value);
  }
  return found;
}

function onStart({ request }) {
  const requestId = `node-network-event-${++last}`;
  numbers.set(request, requestId);
  tell('requestWillBeSent', { requestId,
    request: { url: addressOf(request), method: request.method,
      headers: flatten(request.getHeaders()) },
    timestamp: seconds(), wallTime: Date.now() });
}

function onError({ request, error }) {
  const requestId = numbers.get(request);
  if (requestId === undefined) return;
  tell('loadingFailed', { requestId, timestamp: seconds(), type: 'Other',
    errorText: String(error?.message) });
}

function onAnswer({ request, response }) {
  const requestId = numbers.get(request);
  if (requestId === undefined) return;
  tell('responseReceived', { requestId, timestamp: seconds(), type: 'Other',
    response: { url: addressOf(request), status: response.statusCode,
      statusText: response.statusMessage ?? '', headers: flatten(response.headers) } });
  tell('loadingFinished', { requestId, timestamp: seconds() });
}

const LISTENERS = [['http.client.request.start', onStart], ['http.client.request.error', onError],
  ['http.client.response.finish', onAnswer]];
let isListening = false;

// As long as somebody wants to know.
function listen() {
  const wanted = isOn() && [...agent.sessions].some((session) => session.enabled.has('Network'));
  if (wanted === isListening) return;
  isListening = wanted;
  for (const [name, listener] of LISTENERS) {
    if (wanted) diagnostics.subscribe(name, listener);
    else diagnostics.unsubscribe(name, listener);
  }
}

const commands = {
  Network: {
    enable(session) {
      session.enabled.add('Network');
      listen();
    },
    disable(session) {
      session.enabled.delete('Network');
      listen();
    },
  },
};

module.exports = { commands, tell };
