'use strict';
// "await" where it is none: the engine takes it for a name, and what follows is not expected.

// Where a word that is not expected stands behind "await" as its operand: the place of "await". In
// parentheses it is something else that is missing.
function placeOf(message, place) {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(place);
  if (!/^Unexpected (identifier|number|string|token|template)/.test(message)) return undefined;
  const { text, column: at } =
    require('internal/modules/sources').lineAt(file, Number(line), Number(column));
  const before = text?.slice(0, at - 1).match(/^(.*[^\w$.])?await\s+$/);
  if (!before) return undefined;
  const [, head = ''] = before;
  const statement = head.slice(Math.max(head.lastIndexOf('{'), head.lastIndexOf(';')) + 1);
  if (statement.split('(').length > statement.split(')').length) return undefined;
  return `${file}:${line}:${column - at + head.length + 1}`;
}

module.exports = { placeOf };
