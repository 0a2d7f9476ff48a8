'use strict';
// Names of hosts, as ASCII and back. What is ASCII needs no tables; for the rest ICU has them.

let icu;
function library() {
  if (icu === undefined) {
    try {
      icu = binding('icu');
    } catch {
      icu = null;
    }
  }
  return icu;
}

// Without ICU: the letters' usual forms, unchecked.
function unchecked(name) {
  const plain = name.normalize('NFKC').toLowerCase().normalize('NFKC')
    .replace(/[\u3002\uff0e\uff61]/g, '.').replace(/\u00ad/g, '');
  try {
    return require('punycode').toASCII(plain);
  } catch {
    return null;
  }
}

// null if the name is not allowed
function toASCII(name) {
  const lower = name.toLowerCase();
  if (/^[\x00-\x7f]*$/.test(lower) && !/(^|\.)xn--/.test(lower)) return lower;
  return library() === null ? unchecked(name) : library().toASCII(name);
}

function toUnicode(name) {
  if (library() === null) return require('punycode').toUnicode(name);
  return library().toUnicode(name) ?? '';
}

// The host that a URL would have; "" if it would have none.
function domainToASCII(name) {
  const [host] = name.split(/[/\\?#]/);
  if (host === '' || (host[0] !== '[' && host.includes(':'))) return '';
  return require('internal/url/host').parseHost(host, true) ?? '';
}

function domainToUnicode(name) { return toUnicode(domainToASCII(name)); }

module.exports = { toASCII, domainToASCII, domainToUnicode };
