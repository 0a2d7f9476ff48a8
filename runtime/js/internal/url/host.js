'use strict';
// Hosts of URLs: names, IPv4 and IPv6 addresses.

const { percent, C0 } = require('internal/url/percent');

function ipv4Part(part) {
  if (/^0x[0-9a-f]*$/i.test(part)) return part.length === 2 ? 0 : parseInt(part, 16);
  if (/^0[0-9]/.test(part)) return /^[0-7]+$/.test(part) ? parseInt(part, 8) : NaN;
  return /^[0-9]+$/.test(part) ? parseInt(part, 10) : NaN;
}

// The address if the host ends in a number; undefined if it is a name; null if it is wrong.
function ipv4(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  const last = parts[parts.length - 1];
  if (!/^[0-9]+$/.test(last) && Number.isNaN(ipv4Part(last))) return undefined;
  if (parts.length > 4) return null;
  const numbers = parts.map(ipv4Part);
  if (numbers.some(Number.isNaN)) return null;
  const tail = numbers.pop();
  if (numbers.some((n) => n > 255) || tail >= 256 ** (4 - numbers.length)) return null;
  let value = tail;
  numbers.forEach((n, i) => { value += n * 256 ** (3 - i); });
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

// The eight numbers, as hexadecimal digits; null if they are none.
function ipv6Pieces(text) {
  let source = text;
  const dotted = /^(.*:)((?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){3})$/.exec(text);
  if (dotted) {
    const bytes = dotted[2].split('.').map(Number);
    if (bytes.some((b) => b > 255)) return null;
    const hex = (high, low) => (high * 256 + low).toString(16);
    source = `${dotted[1]}${hex(bytes[0], bytes[1])}:${hex(bytes[2], bytes[3])}`;
  }
  const halves = source.split('::');
  if (halves.length > 2) return null;
  const pieces = (half) => (half === '' ? [] : half.split(':'));
  const head = pieces(halves[0]);
  const tail = halves.length === 2 ? pieces(halves[1]) : [];
  const missing = 8 - head.length - tail.length;
  if ((halves.length === 2 && missing < 1) || (halves.length === 1 && missing !== 0)) return null;
  const all = [...head, ...new Array(halves.length === 2 ? missing : 0).fill('0'), ...tail];
  if (!all.every((piece) => /^[0-9a-f]{1,4}$/i.test(piece))) return null;
  return all.map((piece) => parseInt(piece, 16).toString(16));
}

function ipv6(text) {
  const numbers = ipv6Pieces(text);
  if (numbers === null) return null;
  let best = { at: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && numbers[i + run] === '0') run++;
    if (run > best.length) best = { at: i, length: run };
  }
  if (best.at === -1) return `[${numbers.join(':')}]`;
  const before = numbers.slice(0, best.at).join(':');
  return `[${before}::${numbers.slice(best.at + best.length).join(':')}]`;
}

function parseName(host) {
  let name = host;
  if (host.includes('%')) {
    try {
      name = decodeURIComponent(host);
    } catch {
      return null;
    }
  }
  name = require('internal/url/idna').toASCII(name);
  if (name === null || name === '' || /[\x00-\x20#%/:<>?@[\\\]^|\x7f]/.test(name)) return null;
  const address = ipv4(name);
  return address === undefined ? name : address;
}

// null if it is none. Hosts of schemes that nobody knows are left as they are.
function parseHost(host, special) {
  if (host[0] === '[') return host.endsWith(']') ? ipv6(host.slice(1, -1)) : null;
  if (special) return parseName(host);
  return /[\x00\t\n\r #/:<>?@[\\\]^|]/.test(host) ? null : percent(host, C0);
}

module.exports = { parseHost };
