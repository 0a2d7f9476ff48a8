'use strict';
// Resolver of dns, and of dns.promises: the same questions, answered in two ways.

const { invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateFunction, validateString } = require('internal/errors/validators');
const { ResolverBase } = require('internal/dns/servers');
const { METHODS, QUERIES, ask, askReverse } = require('internal/dns/queries');

function named(name, work) {
  return Object.defineProperty(work, 'name', { value: name });
}

function define(Class, name, method) {
  Object.defineProperty(Class.prototype, name,
    { value: method, writable: true, configurable: true, enumerable: true });
}

function methodOf(type) {
  const method = Object.hasOwn(METHODS, type) ? METHODS[type] : undefined;
  if (method === undefined) throw invalidArgValue('rrtype', type);
  return method;
}

class Resolver extends ResolverBase {}

for (const [method, [syscall]] of Object.entries(QUERIES)) {
  define(Resolver, method, named(syscall, function(name, second, ...third) {
    const [options, callback] = third.length > 0 ? [second, third[0]] : [undefined, second];
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    return ask(this, method, name, options, callback);
  }));
}
define(Resolver, 'reverse', named('getHostByAddr', function(name, callback) {
  validateString(name, 'name');
  validateFunction(callback, 'callback');
  return askReverse(this, name, callback);
}));
define(Resolver, 'resolve', function resolve(hostname, rrtype, callback) {
  if (typeof rrtype === 'string') return this[methodOf(rrtype)](hostname, callback);
  if (typeof rrtype === 'function') return this.resolve4(hostname, rrtype);
  throw invalidArgType('rrtype', 'string', rrtype);
});

function promised(start) {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}

class PromiseResolver extends ResolverBase {}
Object.defineProperty(PromiseResolver, 'name', { value: 'Resolver' });

for (const [method, [syscall]] of Object.entries(QUERIES)) {
  define(PromiseResolver, method, named(syscall, function(name, options) {
    validateString(name, 'name');
    return promised((done) => ask(this, method, name, options, done));
  }));
}
define(PromiseResolver, 'reverse', named('getHostByAddr', function(name) {
  validateString(name, 'name');
  return promised((done) => askReverse(this, name, done));
}));
define(PromiseResolver, 'resolve', function resolve(hostname, rrtype) {
  if (rrtype !== undefined && typeof rrtype !== 'string')
    throw invalidArgType('rrtype', 'string', rrtype);
  return this[rrtype === undefined ? 'resolve4' : methodOf(rrtype)](hostname);
});

// The resolver behind the functions of both modules: what one is told, the other knows.
let shared;
function defaults() {
  if (shared === undefined) {
    shared = { callback: new Resolver(), promise: new PromiseResolver() };
    shared.promise._handle = shared.callback._handle;
  }
  return shared;
}

const ORDER = ['resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname',
  'resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv',
  'resolveTxt', 'reverse'];

// getServers, resolve, ... as functions of a module.
function bind(exports, kind) {
  const Class = kind === 'callback' ? Resolver : PromiseResolver;
  for (const name of ['getServers', ...ORDER]) {
    const original = Class.prototype[name];
    const bound = (...args) => original.apply(defaults()[kind], args);
    Object.defineProperties(bound, { name: { value: `bound ${original.name}` },
      length: { value: original.length } });
    exports[name] = bound;
  }
}

function setServers(servers) { defaults().callback.setServers(servers); }
Object.defineProperty(setServers, 'name', { value: 'defaultResolverSetServers' });

module.exports = { Resolver, PromiseResolver, bind, setServers };
