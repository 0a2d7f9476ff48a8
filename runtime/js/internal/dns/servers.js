'use strict';
// Resolvers' servers, as text with or without a port, and what all resolvers share.

const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateString, validateArray, validateInt32 } = require('internal/errors/validators');

let native; // c-ares comes with the first resolver
function library() {
  native ??= binding('ares');
  return native;
}

const PORT = 53;
const isIP = (text) => require('net').isIP(text);

// [address, port]
function parseServer(text) {
  if (isIP(text)) return [text, PORT];
  const bracketed = /^\[([^[\]]*)\]/.exec(text);
  if (bracketed !== null && isIP(bracketed[1])) {
    const port = /:(\d+)$/.exec(text);
    return [bracketed[1], port === null ? PORT : Number(port[1])];
  }
  const plain = /^([^:]+):(\d+)$/.exec(text);
  if (plain !== null && isIP(plain[1])) return [plain[1], Number(plain[2])];
  throw withCode(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${text}`);
}

function showServer([address, port]) {
  if (!port || port === PORT) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function plainError(code, message) {
  return withCode(TypeError, code, message);
}

function localAddresses(ipv4, ipv6) {
  validateString(ipv4, 'ipv4');
  if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
  const places = ['', ''];
  for (const text of ipv6 === undefined ? [ipv4] : [ipv4, ipv6]) {
    const family = isIP(text);
    if (!family) throw plainError('ERR_INVALID_ARG_VALUE', 'Invalid IP address.');
    const place = family === 4 ? 0 : 1;
    if (places[place] !== '') {
      throw plainError('ERR_INVALID_ARG_VALUE', `Cannot specify two IPv${family} addresses.`);
    }
    places[place] = text;
  }
  return places;
}

// What programs find under _handle.
class ChannelWrap {
  cancel() { library().cancel(this.channel); }

  getServers() { return library().servers(this.channel); }

  setServers(flat) { return library().setServers(this.channel, flat); }
}

class ResolverBase {
  constructor(options = undefined) {
    const { timeout = -1, tries = 4 } = { ...options };
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    this._handle = new ChannelWrap();
    // Made when it is first needed: what a resolver is told before costs nothing.
    let channel;
    Object.defineProperty(this._handle, 'channel', {
      get: () => (channel ??= library().create(timeout, tries)),
    });
  }

  cancel() { this._handle.cancel(); }

  getServers() { return (this._handle.getServers() || []).map(showServer); }

  setServers(servers) {
    validateArray(servers, 'servers');
    const flat = [];
    servers.forEach((text, index) => {
      if (typeof text !== 'string') throw invalidArgType(`servers[${index}]`, 'string', text);
      const [address, port] = parseServer(text);
      // What is behind a % is a name of this machine's, which c-ares is not told.
      flat.push(address.replace(/%.*/, ''), port);
    });
    const status = this._handle.setServers(flat);
    if (status !== 0) {
      const why = status === -1 ? 'There are pending queries.' : library().words(status);
      throw withCode(Error, 'ERR_DNS_SET_SERVERS_FAILED',
        `c-ares failed to set servers: "${why}" [${servers}]`);
    }
  }

  setLocalAddress(ipv4, ipv6) {
    const places = localAddresses(ipv4, ipv6);
    library().setLocalAddress(this._handle.channel, ...places);
  }
}

module.exports = { ResolverBase, ChannelWrap, library };
