'use strict';
// The text of an error: its stack, with a name that tells its class.

function stackOf(error) {
  const { stack } = error;
  return stack ? String(stack) : Error.prototype.toString.call(error);
}

// The class of an error shows even if the error's name is that of a class above it.
function improve(stack, constructor, error) {
  const name = error.name != null ? String(error.name) : 'Error';
  const length = name.length;
  const starts = name.endsWith('Error') && stack.startsWith(name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructor === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) ||
      /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
    const shown = (start && start[1]) || '';
    return `[${shown || 'Error'}: null prototype]${stack.slice(shown.length)}`;
  }
  if (!starts || constructor === name) return stack;
  if (constructor.includes(name)) return `${constructor}${stack.slice(length)}`;
  return `${constructor} [${name}]${stack.slice(length)}`;
}

// Frames that the cause has too are counted, not repeated.
function shortenFrames(error, lines) {
  const { cause } = error;
  if (!(cause instanceof Error)) return lines;
  const text = stackOf(cause);
  const start = text.indexOf('\n    at');
  if (start === -1) return lines;
  const others = text.slice(start + 1).split('\n');
  for (let i = 0; i < lines.length - 3; i++) {
    const at = others.indexOf(lines[i]);
    if (at === -1) continue;
    let run = 1;
    while (i + run < lines.length && at + run < others.length &&
           lines[i + run] === others[at + run]) run++;
    if (run > 3) {
      const skipped = run - 2;
      lines.splice(i + 1, skipped, `    ... ${skipped} lines matching cause stack trace ...`);
      return lines;
    }
  }
  return lines;
}

function errorText(ctx, error, constructor) {
  let stack = improve(stackOf(error), constructor, error);
  let start = error.message ? stack.indexOf(error.message) : -1;
  if (start !== -1) start += error.message.length;
  const firstFrame = stack.indexOf('\n    at', start === -1 ? 0 : start);
  if (firstFrame === -1) {
    stack = `[${stack}]`;
  } else {
    let lines = shortenFrames(error, stack.slice(firstFrame + 1).split('\n'));
    if (ctx.colors) {
      lines = lines.map((line) => (/\(?node:/.test(line) ? `\u001b[90m${line}\u001b[39m` : line));
    }
    stack = `${stack.slice(0, firstFrame)}\n${lines.join('\n')}`;
  }
  if (ctx.indentation !== 0) stack = stack.replaceAll('\n', `\n${' '.repeat(ctx.indentation)}`);
  return stack;
}

module.exports = { errorText };
