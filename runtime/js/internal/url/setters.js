'use strict';
// What setting a part of a URL does to its record: the standard's parser, begun in the middle.

const { parseHost } = require('internal/url/host');
const { PORTS, isSpecial, parseFileHost, parsePath, withoutBreaks } = require('internal/url/parse');
const { percent, FRAGMENT, QUERY, SPECIAL_QUERY, USER } = require('internal/url/percent');

const hasCredentials = (record) => record.username !== '' || record.password !== '';
// Neither user nor port fit to a URL without a host.
const hasNoPort = (record) => !record.host || record.protocol === 'file:';

function setProtocol(record, value) {
  const match = /^([a-z][a-z0-9+.-]*)(:|$)/i.exec(withoutBreaks(value));
  if (!match) return;
  const next = `${match[1].toLowerCase()}:`;
  if (isSpecial(next) !== isSpecial(record.protocol)) return;
  if (next === 'file:' && (hasCredentials(record) || record.port !== '')) return;
  if (record.protocol === 'file:' && record.host === '') return;
  record.protocol = next;
  if (record.port !== '' && +record.port === PORTS[next]) record.port = '';
}

function setUser(record, key, value) {
  if (!hasNoPort(record)) record[key] = percent(value, USER);
}

// Digits up to whatever else follows.
function setPort(record, text) {
  const match = /^[0-9]+/.exec(text);
  if (match && +match[0] <= 65535) {
    record.port = +match[0] === PORTS[record.protocol] ? '' : `${+match[0]}`;
  }
}

function setHost(record, value, withPort) {
  if (record.opaque !== null) return;
  const special = isSpecial(record.protocol);
  const [text] = withoutBreaks(value).split(special ? /[/\\?#]/ : /[/?#]/);
  if (record.protocol === 'file:') {
    const host = parseFileHost(text);
    if (host !== null) record.host = host;
    return;
  }
  const [, host, port] = /^(\[[^\]]*\]?[^:]*|[^:]*)(?::(.*))?$/s.exec(text);
  if (host === '') {
    if (special || port !== undefined || hasCredentials(record) || record.port !== '') return;
    record.host = '';
    return;
  }
  if (port !== undefined && !withPort) return;
  const parsed = parseHost(host, special);
  if (parsed === null) return;
  record.host = parsed;
  if (port !== undefined) setPort(record, port);
}

function setPortAlone(record, value) {
  if (hasNoPort(record)) return;
  if (value === '') record.port = '';
  else setPort(record, withoutBreaks(value));
}

function setPath(record, value) {
  if (record.opaque !== null) return;
  const text = withoutBreaks(value);
  record.path = [];
  if (isSpecial(record.protocol)) parsePath(record, text.replace(/^[/\\]/, ''));
  else if (text !== '') parsePath(record, text[0] === '/' ? text.slice(1) : text);
  else if (record.host === null) record.path.push('');
}

// Spaces at the end of a URL would not survive being parsed again.
function tidyEnd(record) {
  if (record.opaque !== null && record.query === null && record.fragment === null) {
    record.opaque = record.opaque.replace(/ +$/, '');
  }
}

function setSearch(record, value) {
  const text = withoutBreaks(value).replace(/^\?/, '');
  record.query = value === '' ? null
    : percent(text, isSpecial(record.protocol) ? SPECIAL_QUERY : QUERY);
  tidyEnd(record);
}

function setHash(record, value) {
  record.fragment = value === '' ? null : percent(withoutBreaks(value).replace(/^#/, ''), FRAGMENT);
  tidyEnd(record);
}

module.exports = { tidyEnd, setHash, setHost, setPath, setPort: setPortAlone, setProtocol,
  setSearch, setUser };
