'use strict';
// Files of NAME=value lines: --env-file, process.loadEnvFile, util.parseEnv.

const QUOTES = '"\'`';

// The value that begins at `at`: quoted (over several lines, too), or up to a # or the line's end.
function readValue(text, at) {
  while (text[at] === ' ' || text[at] === '\t') at++;
  const quote = text[at];
  if (quote !== undefined && QUOTES.includes(quote)) {
    const end = text.indexOf(quote, at + 1);
    if (end !== -1) {
      let value = text.slice(at + 1, end);
      if (quote === '"') value = value.replaceAll('\\n', '\n');
      const newline = text.indexOf('\n', end);
      return [value, newline === -1 ? text.length : newline + 1];
    }
  }
  const newline = text.indexOf('\n', at);
  const line = text.slice(at, newline === -1 ? undefined : newline);
  const comment = line.indexOf('#');
  return [(comment === -1 ? line : line.slice(0, comment)).trim(),
    newline === -1 ? text.length : newline + 1];
}

function parse(text) {
  const found = {};
  text = text.replace(/\r\n?/g, '\n');
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const equals = text.indexOf('=', at);
    if (equals === -1) break;
    if (equals > end || /^\s*#/.test(text.slice(at, end))) {
      at = end + 1;
      continue;
    }
    const name = text.slice(at, equals).trim().replace(/^export /, '');
    const [value, next] = readValue(text, equals + 1);
    if (name !== '') found[name] = value;
    at = next;
  }
  return found;
}

// Names that are set already stay as they are, but for those that files have set.
function load(file, set = new Set()) {
  const text = binding('fs').readFileSync(file, true, 0);
  for (const [name, value] of Object.entries(parse(text))) {
    if (process.env[name] !== undefined && !set.has(name)) continue;
    process.env[name] = value;
    set.add(name);
  }
}

module.exports = { parse, load };
