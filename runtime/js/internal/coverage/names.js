'use strict';
// What a function is called in reports of coverage, from the text around its start: its own name,
// or that of what it is assigned to.

const LOOK = 300; // characters before and after the start
const NAME = String.raw`[\w$\u0080-\uffff]+`;
const DECLARED = new RegExp(String.raw`^(?:async\s+)?function\s*\*?\s*(${NAME})?`);
const ARROW = new RegExp(
  String.raw`^(?:async\s+)?(?:${NAME}\s*=>|\()|^async\s*\([^(){}]*\)\s*=>`);
const METHOD = new RegExp(String.raw`^(?:static\s+)?(?:async\s+)?(?:\*\s*)?(?:(get|set)\s+)?` +
  String.raw`(#?${NAME}|'[^']*'|"[^"]*"|\[[^\]]*\])\s*\(`);
const ASSIGNED = new RegExp(
  String.raw`(#?${NAME}(?:\.#?${NAME}|\[[^\]]*\])*)\s*=\s*(?:\(\s*)?$`);
const PROPERTY = new RegExp(String.raw`[{,]\s*(${NAME}|'[^']*'|"[^"]*")\s*:\s*(?:\(\s*)?$`);
const CLASS = new RegExp(String.raw`\bclass\s+(${NAME})(?![\s\S]*\bclass\b)`);

const unquoted = (name) => name.replace(/^(['"])(.*)\1$/s, '$2');

function assignedName(text, start) {
  const before = text.slice(Math.max(0, start - LOOK), start);
  const assigned = ASSIGNED.exec(before);
  if (assigned !== null)
    return assigned[1].replace(/\[[^\]]*\]/g, '.<computed>').replace(/^this\./, '');
  const property = PROPERTY.exec(before);
  return property === null ? '' : unquoted(property[1]);
}

function methodName(text, start, kind, name) {
  if (name === 'constructor') return CLASS.exec(text.slice(0, start))?.[1] ?? '';
  if (name.startsWith('[')) return '';
  return kind === undefined ? unquoted(name) : `${kind} ${unquoted(name)}`;
}

function nameOf(text, start) {
  const head = text.slice(start, start + LOOK);
  const declared = DECLARED.exec(head);
  if (declared !== null) return declared[1] ?? assignedName(text, start);
  if (ARROW.test(head)) return assignedName(text, start);
  const method = METHOD.exec(head);
  return method === null ? '' : methodName(text, start, method[1], method[2]);
}

module.exports = { nameOf };
