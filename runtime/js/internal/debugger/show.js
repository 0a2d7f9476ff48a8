'use strict';
// Values that a target shows, as text.

const { inspect } = require('internal/inspect/inspect');

const WIDE = 72;

function functionText(description) {
  const isGenerator = /^(async )?function\s*\*/.test(description);
  const name = /^[^( ]+ ([^( ]+)\(|^([^( ]+)\(/.exec(description);
  const kind = isGenerator ? 'GeneratorFunction' : 'Function';
  return name === null ? `[${kind}]` : `[${kind}: ${name[1] ?? name[2]}]`;
}

function propertyText({ name, type, subtype, value }, isItem) {
  let text = value;
  if (type === 'string') text = inspect(value);
  else if (type === 'function') text = '[Function]';
  else if (type === 'accessor') text = '[Getter]';
  else if (subtype === 'date') text = inspect(new Date(value));
  return isItem ? text : `${/^[\w$]+$/.test(name) ? name : inspect(name)}: ${text}`;
}

function join(open, parts, close) {
  if (parts.length === 0) return open + close;
  const width = parts.reduce((sum, part) => sum + part.length + 2, 0);
  return `${open} ${parts.join(width > WIDE ? ',\n  ' : ', ')} ${close}`;
}

function entryText({ key, value }) {
  return key === undefined ? previewText(value) : `${previewText(key)} => ${previewText(value)}`;
}

function previewText(preview) {
  const { type, subtype, description, properties = [], entries, overflow } = preview;
  if (type !== 'object') return `${description}`;
  switch (subtype) {
    case 'null': return 'null';
    case 'regexp': case 'error': return description;
    case 'date': return inspect(new Date(description));
    case 'map': case 'set': {
      const parts = (entries ?? []).map(entryText);
      if (overflow) parts.push('...');
      return join(`${description} {`, parts, '}');
    }
    default:
  }
  const isArray = subtype === 'array' || subtype === 'typedarray';
  const parts = properties.map((property) =>
    propertyText(property, isArray && /^\d+$/.test(property.name)));
  if (overflow) parts.push('...');
  return isArray ? join('[', parts, ']') : join('{', parts, '}');
}

class RemoteObject {
  constructor(shown) { Object.assign(this, shown); }

  [inspect.custom]() {
    const { type, subtype, value, description, unserializableValue, preview } = this;
    switch (type) {
      case 'undefined': return 'undefined';
      case 'string': return inspect(value);
      case 'function': return functionText(description);
      case 'object': break;
      default: return unserializableValue ?? description ?? `${value}`;
    }
    if (subtype === 'null') return 'null';
    if (subtype === 'date') return inspect(new Date(description));
    if (subtype === 'regexp' || subtype === 'error' || preview === undefined) return description;
    return previewText(preview);
  }
}

module.exports = { RemoteObject };
