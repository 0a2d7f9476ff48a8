'use strict';
// Patterns of names, as shells have them: *, **, ?, [classes], {choices}, and lists in brackets
// after one of ! @ ? * +.

const { validateString } = require('internal/errors/validators');

// a{b,c} becomes ab and ac; what is not closed stands for itself.
function choices(pattern) {
  const open = pattern.search(/(?<!\\)\{/);
  if (open === -1) return [pattern];
  const parts = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '{') depth++;
    else if (pattern[i] === ',' && depth === 1) {
      parts.push(pattern.slice(from, i));
      from = i + 1;
    } else if (pattern[i] === '}' && --depth === 0) {
      parts.push(pattern.slice(from, i));
      const before = pattern.slice(0, open);
      const after = choices(pattern.slice(i + 1));
      if (parts.length < 2) return after.map((rest) => `${before}\\{${parts[0]}\\}${rest}`);
      return parts.flatMap(choices).flatMap((one) => after.map((rest) => before + one + rest));
    }
  }
  return [pattern];
}

const quoted = (character) => character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');

// The bracket that closes the one at a place, or -1.
function closing(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

function classOf(text, at) {
  const end = text.indexOf(']', at + 2);
  if (end === -1) return undefined;
  const isNot = text[at + 1] === '!' || text[at + 1] === '^';
  const inside = text.slice(at + (isNot ? 2 : 1), end).replace(/[\\\]^]/g, '\\$&');
  return { source: `[${isNot ? '^/' : ''}${inside}]`, end };
}

function extended(text, at) {
  const end = closing(text, at + 1);
  if (end === -1) return undefined;
  const inside = text.slice(at + 2, end).split('|').map(segment).join('|');
  const kind = text[at];
  const source = kind === '!' ? `(?!(?:${inside})$)[^/]*`
    : `(?:${inside})${kind === '@' ? '' : kind}`;
  return { source, end };
}

// A part between slashes.
function segment(text) {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    const special = '!@?*+'.includes(character) && text[i + 1] === '(' ? extended(text, i)
      : character === '[' ? classOf(text, i) : undefined;
    if (special !== undefined) {
      out += special.source;
      i = special.end;
    } else if (character === '*') out += '[^/]*';
    else if (character === '?') out += '[^/]';
    else if (character === '\\' && i + 1 < text.length) out += quoted(text[++i]);
    else out += quoted(character);
  }
  return out;
}

// Names that begin with a dot are matched by patterns that do.
const guarded = (text) => (/^[*?[!@+]/.test(text) ? `(?!\\.)${segment(text)}` : segment(text));

function toExpression(pattern) {
  const parts = pattern.split('/');
  let out = '';
  parts.forEach((part, i) => {
    const isLast = i === parts.length - 1;
    if (part === '**') out += isLast ? '(?:(?!\\.)[^/]+(?:/(?!\\.)[^/]+)*)?' : '(?:(?!\\.)[^/]+/)*';
    else out += guarded(part) + (isLast ? '' : '/');
  });
  return new RegExp(`^${out}/?$`);
}

let isTold = false;

function matchesGlob(path, pattern, isWindows) {
  if (!isTold) {
    isTold = true;
    process.emitWarning('glob is an experimental feature and might change at any time',
      'ExperimentalWarning');
  }
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  if (isWindows) [path, pattern] = [path, pattern].map((text) => text.replaceAll('\\', '/'));
  return choices(pattern).some((one) => toExpression(one).test(path));
}

module.exports = { matchesGlob };
