'use strict';
const http = require('http');
const { absentAll } = require('internal/absent');

class HttpsAgent extends http.Agent {
  constructor(options) {
    super(options);
    this.defaultPort = 443;
    this.protocol = 'https:';
    this.maxCachedSessions = options?.maxCachedSessions ?? 100;
  }
}
Object.defineProperty(HttpsAgent, 'name', { value: 'Agent' });

// Called with new and without, as in Node.
const Agent = new Proxy(HttpsAgent, { apply: (target, self, args) => new target(...args) });

module.exports = {
  Agent,
  globalAgent: new HttpsAgent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }),
  ...absentAll('https', ['Server', 'createServer', 'get', 'request'], 'TLS'),
};
