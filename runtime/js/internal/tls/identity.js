'use strict';
// Is a certificate that of the host that was asked for?

const { withCode } = require('internal/errors/errors');

function mismatch(reason, host, cert) {
  const error = withCode(Error, 'ERR_TLS_CERT_ALTNAME_INVALID',
    `Hostname/IP does not match certificate's altnames: ${reason}`);
  error.reason = reason;
  error.host = host;
  error.cert = cert;
  return error;
}

const withoutDot = (name) => (name.endsWith('.') ? name.slice(0, -1) : name);
// ASCII letters only: other letters have no second form in names of hosts.
const lower = (name) => name.replace(/[A-Z]/g, (c) => c.toLowerCase());
const labelsOf = (name) => lower(withoutDot(name)).split('.');

// `*` stands for one label at most, and for a part of the leftmost one only.
function matches(hostLabels, pattern, wildcards) {
  if (!pattern) return false;
  const labels = labelsOf(pattern);
  if (hostLabels.length !== labels.length || labels.includes('')) return false;
  if (/[^\u0021-\u007F]/.test(pattern)) return false;
  for (let i = labels.length - 1; i > 0; i--) if (hostLabels[i] !== labels[i]) return false;
  const [first] = hostLabels;
  const parts = labels[0].split('*', 3);
  if (parts.length === 1 || labels[0].includes('xn--')) return first === labels[0];
  if (!wildcards || parts.length > 2 || labels.length <= 2) return false;
  const [before, after] = parts;
  return before.length + after.length <= first.length && first.startsWith(before) &&
    first.endsWith(after);
}

// "DNS:a, DNS:\"b, c\"": what is quoted may have commas.
function splitNames(text) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const comma = text.indexOf(', ', at);
    if (quote !== -1 && (comma === -1 || quote < comma)) {
      const literal = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
        .exec(text.slice(quote));
      if (literal === null) {
        throw withCode(SyntaxError, 'ERR_TLS_CERT_ALTNAME_FORMAT',
          'Invalid subject alternative name string');
      }
      found.push(text.slice(at, quote) + JSON.parse(literal[0]));
      at = quote + literal[0].length;
      if (at < text.length) {
        if (text.slice(at, at + 2) !== ', ') {
          throw withCode(SyntaxError, 'ERR_TLS_CERT_ALTNAME_FORMAT',
            'Invalid subject alternative name string');
        }
        at += 2;
      }
    } else {
      const end = comma === -1 ? text.length : comma;
      found.push(text.slice(at, end));
      at = end + 2;
    }
  }
  return found;
}

function canonical(ip) {
  const { isIP, isIPv6, SocketAddress } = require('net');
  if (!isIP(ip)) return undefined;
  return isIPv6(ip) ? new SocketAddress({ address: ip, family: 'ipv6' }).address : ip;
}

function namesOf(text) {
  const dns = [];
  const ips = [];
  if (!text) return { dns, ips };
  for (const name of text.includes('"') ? splitNames(text) : text.split(', ')) {
    if (name.startsWith('DNS:')) dns.push(name.slice(4));
    else if (name.startsWith('IP Address:')) ips.push(canonical(name.slice(11)) ?? []);
  }
  return { dns, ips: ips.flat() };
}

function checkServerIdentity(hostname, cert) {
  const { subject, subjectaltname: altNames } = cert;
  const { dns, ips } = namesOf(altNames);
  hostname = `${hostname}`;
  const host = withoutDot(hostname);
  if (require('net').isIP(host)) {
    if (ips.includes(canonical(host))) return undefined;
    return mismatch(`IP: ${host} is not in the cert's list: ${ips.join(', ')}`, hostname, cert);
  }
  const labels = labelsOf(host);
  if (dns.length > 0) {
    if (dns.some((pattern) => matches(labels, pattern, true))) return undefined;
    return mismatch(`Host: ${host}. is not in the cert's altnames: ${altNames}`, hostname, cert);
  }
  const names = subject?.CN;
  if (!names) {
    return mismatch('Cert does not contain a DNS name', hostname, cert);
  }
  const all = Array.isArray(names) ? names : [names];
  if (all.some((pattern) => matches(labels, pattern, true))) return undefined;
  return mismatch(`Host: ${host}. is not cert's CN: ${names}`, hostname, cert);
}

module.exports = { checkServerIdentity };
