'use strict';
// Media types, by the rules of mimesniff.spec.whatwg.org.

const { withCode } = require('internal/errors/errors');

const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const NOT_QUOTABLE = /[^\t\u0020-~\u0080-\u00FF]/;
const SPACE_AT_END = /[\r\n\t ]*$/;
const SPACE_AT_START = /^[\r\n\t ]*/;

function check(part, text, whole, wrong, mayBeEmpty) {
  const at = text.search(wrong);
  if (at === -1 && (mayBeEmpty || text !== '')) return;
  throw withCode(TypeError, 'ERR_INVALID_MIME_SYNTAX',
    `The MIME syntax for a ${part} in "${whole}" is invalid${at === -1 ? '' : ` at ${at}`}`);
}

// A value in quotes at the start of the text: the value, and what follows the closing quote.
function unquote(text) {
  let value = '';
  let i = 1;
  for (; i < text.length && text[i] !== '"'; i++) {
    if (text[i] === '\\' && i + 1 < text.length) i++;
    value += text[i];
  }
  return [value, text.slice(i + 1)];
}

class MIMEParams {
  #values = new Map();

  delete(name) { this.#values.delete(`${name}`); }

  get(name) { return this.#values.get(`${name}`) ?? null; }

  has(name) { return this.#values.has(`${name}`); }

  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    check('parameter name', name, name, NOT_TOKEN, false);
    check('parameter value', value, value, NOT_QUOTABLE, true);
    this.#values.set(name, value);
  }

  entries() { return this.#values.entries(); }

  keys() { return this.#values.keys(); }

  values() { return this.#values.values(); }

  toString() {
    let text = '';
    for (const [name, value] of this.#values) {
      const isPlain = value !== '' && !NOT_TOKEN.test(value);
      const shown = isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
      text += `${text === '' ? '' : ';'}${name}=${shown}`;
    }
    return text;
  }

  static parse(text) {
    const params = new MIMEParams();
    while (text !== '') {
      text = text.replace(SPACE_AT_START, '');
      const nameEnd = text.search(/[;=]|$/);
      const name = text.slice(0, nameEnd).toLowerCase();
      const hasValue = text[nameEnd] === '=';
      text = text.slice(nameEnd + 1);
      if (!hasValue) continue;
      let value;
      if (text[0] === '"') {
        [value, text] = unquote(text);
        text = text.slice(text.search(/;|$/) + 1);
      } else {
        const end = text.search(/;|$/);
        value = text.slice(0, end).replace(SPACE_AT_END, '');
        text = text.slice(end + 1);
        if (value === '') continue;
      }
      if (name !== '' && !NOT_TOKEN.test(name) && !NOT_QUOTABLE.test(value) && !params.has(name)) {
        params.set(name, value);
      }
    }
    return params;
  }
}
for (const [name, value] of [[Symbol.iterator, MIMEParams.prototype.entries],
  ['toJSON', MIMEParams.prototype.toString]]) {
  Object.defineProperty(MIMEParams.prototype, name, { value, writable: true, configurable: true });
}
const { parse } = MIMEParams;
delete MIMEParams.parse;

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(input) {
    input = `${input}`;
    const text = input.replace(SPACE_AT_START, '');
    const slash = text.indexOf('/');
    const type = slash === -1 ? text : text.slice(0, slash);
    check('type', slash === -1 && !NOT_TOKEN.test(type) ? '' : type, input, NOT_TOKEN, false);
    const rest = text.slice(slash + 1);
    const end = rest.search(/;|$/);
    const subtype = rest.slice(0, end).replace(SPACE_AT_END, '');
    check('subtype', subtype, input, NOT_TOKEN, false);
    this.#type = type.toLowerCase();
    this.#subtype = subtype.toLowerCase();
    this.#params = parse(rest.slice(end + 1));
  }

  get type() { return this.#type; }

  set type(value) {
    value = `${value}`;
    check('type', value, value, NOT_TOKEN, false);
    this.#type = value.toLowerCase();
  }

  get subtype() { return this.#subtype; }

  set subtype(value) {
    value = `${value}`;
    check('subtype', value, value, NOT_TOKEN, false);
    this.#subtype = value.toLowerCase();
  }

  get essence() { return `${this.#type}/${this.#subtype}`; }

  get params() { return this.#params; }

  toString() {
    const params = this.#params.toString();
    return `${this.#type}/${this.#subtype}${params === '' ? '' : `;${params}`}`;
  }
}
Object.defineProperty(MIMEType.prototype, 'toJSON',
  { value: MIMEType.prototype.toString, writable: true, configurable: true });

module.exports = { MIMEType, MIMEParams };
