'use strict';
const tls = require('tls');
const http = require('http');
const { setUp, readOptions, withHttp } = require('internal/http/server');
const { ClientRequest } = require('internal/http/client');
const { withMethods } = require('internal/util/callable');
const { Names, NAMING, nameOf, onlyRead } = require('internal/http/agent');
const { invalidArgType } = require('internal/errors/errors');

function Server(given, work) {
  if (!(this instanceof Server)) return new Server(given, work);
  const [options, listener] = readOptions(given, work);
  const secure = { ...options, noDelay: options.noDelay ?? true };
  if (!options.ALPNProtocols && !options.ALPNCallback) secure.ALPNProtocols = ['http/1.1'];
  tls.Server.call(this, secure);
  setUp(this, options, listener, 'secureConnection');
  this.on('tlsClientError', (error, socket) => {
    if (!this.emit('clientError', error, socket)) socket.destroy(error);
  });
}
withMethods(Server, withHttp(tls.Server));

// The last sessions, by what a connection is for.
class SessionCache {
  constructor(most) {
    this.most = most;
    this.list = [];
    this.map = {};
  }

  get(key) { return this.map[key]; }

  set(key, session) {
    if (this.most === 0) return;
    if (this.map[key] === undefined) {
      if (this.list.length >= this.most) delete this.map[this.list.shift()];
      this.list.push(key);
    }
    this.map[key] = session;
  }

  delete(key) {
    const at = this.list.indexOf(key);
    if (at === -1) return;
    this.list.splice(at, 1);
    delete this.map[key];
  }
}

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  http.Agent.call(this, options);
  const maxCachedSessions = this.options.maxCachedSessions ?? 100;
  Object.assign(this, {
    defaultPort: 443, protocol: 'https:', maxCachedSessions,
    _sessionCache: new SessionCache(maxCachedSessions),
  });
}

// The name that the server is to show a certificate for.
function serverName(options, request) {
  let name = options.host;
  const header = request.getHeader?.('host');
  if (header) {
    if (typeof header !== 'string') throw invalidArgType('options.headers.host', 'string', header);
    name = header.startsWith('[') ? header.slice(1, Math.max(1, header.indexOf(']')))
      : header.split(':', 1)[0];
  }
  return require('net').isIP(name) ? '' : name;
}

const { getName: usualName } = http.Agent.prototype;
// What of the options makes a connection another one.
const names = new Names([...NAMING, 'ca', 'cert', 'clientCertEngine', 'ciphers', 'key', 'pfx',
  'rejectUnauthorized', 'servername', 'minVersion', 'maxVersion', 'secureProtocol', 'crl',
  'honorCipherOrder', 'ecdhCurve', 'dhparam', 'secureOptions', 'sessionIdContext', 'sigalgs',
  'privateKeyIdentifier', 'privateKeyEngine'], secureNameOf);

// In the order of Node's names. What a list has of undefined and null is joined as nothing.
function secureNameOf(options, first = nameOf(options)) {
  const { rejectUnauthorized, servername, honorCipherOrder, secureOptions, sigalgs } = options;
  return [
    first, options.ca || '', options.cert || '', options.clientCertEngine || '',
    options.ciphers || '', options.key || '', options.pfx || '',
    rejectUnauthorized === null ? 'null' : rejectUnauthorized,
    servername && servername !== options.host ? servername : '',
    options.minVersion || '', options.maxVersion || '', options.secureProtocol || '',
    options.crl || '', honorCipherOrder === null ? 'null' : honorCipherOrder,
    options.ecdhCurve || '', options.dhparam || '',
    secureOptions === null ? 'null' : secureOptions, options.sessionIdContext || '',
    sigalgs ? JSON.stringify(sigalgs) : '', options.privateKeyIdentifier || '',
    options.privateKeyEngine || '',
  ].join(':');
}

class AgentMethods extends http.Agent {
  addRequest(request, options, port, localAddress) {
    if (typeof options === 'string') options = { host: options, port, localAddress };
    const all = { __proto__: options, ...this.options };
    if (!all.servername && all.servername !== '') {
      options = { ...options, servername: serverName(all, request) };
    }
    super.addRequest(request, options);
  }

  createConnection(...args) { return createConnection.apply(this, args); }

  getName(options = {}) {
    return super.getName === usualName ? names.of(options)
      : secureNameOf(options, super.getName(options));
  }

  _getSession(key) { return this._sessionCache.get(key); }

  _cacheSession(key, session) { this._sessionCache.set(key, session); }

  _evictSession(key) { this._sessionCache.delete(key); }
}
withMethods(Agent, AgentMethods);
onlyRead.add(Agent.prototype.getName);

function readConnect(args) {
  const [first, second, third] = args;
  let options;
  if (first !== null && typeof first === 'object') options = { ...first };
  else if (second !== null && typeof second === 'object') options = { ...second };
  else if (third !== null && typeof third === 'object') options = { ...third };
  else options = {};
  if (typeof first === 'number') options.port = first;
  if (typeof second === 'string') options.host = second;
  return options;
}

function createConnection(...args) {
  const options = readConnect(args);
  const key = options._agentKey;
  if (key) {
    const session = this._getSession(key);
    if (session) options.session = session;
  }
  const socket = tls.connect(options);
  if (this.listenerCount?.('keylog') > 0) {
    socket.on('keylog', (line) => this.emit('keylog', line, socket));
  }
  if (key) {
    socket.on('session', (session) => this._cacheSession(key, session));
    socket.once('close', (hadError) => { if (hadError) this._evictSession(key); });
  }
  return socket;
}

const globalAgent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string') {
    options = require('url').urlToHttpOptions(new URL(args.shift()));
  } else if (args[0] instanceof URL) {
    options = require('url').urlToHttpOptions(args.shift());
  }
  if (args[0] && typeof args[0] !== 'function') Object.assign(options, args.shift());
  options._defaultAgent = module.exports.globalAgent;
  return new ClientRequest(options, ...args);
}

function get(...args) {
  const made = request(...args);
  made.end();
  return made;
}

module.exports = {
  Agent, globalAgent, Server,
  createServer: (options, listener) => new Server(options, listener),
  get, request,
};
