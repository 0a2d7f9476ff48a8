'use strict';
// How the parts of an object share lines.

const { width, stripColors } = require('internal/inspect/text');

const LONG = 4096;

// More than six short entries of an array stand in columns, numbers aligned to the right.
function group(ctx, output, value) {
  const hasMore = ctx.maxArrayLength < output.length;
  const count = hasMore ? output.length - 1 : output.length;
  const gap = 2;
  const widths = [];
  let total = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    widths[i] = width(output[i]);
    total += widths[i] + gap;
    if (widths[i] > widest) widest = widths[i];
  }
  const cell = widest + gap;
  if (cell * 3 + ctx.indentation >= ctx.breakLength ||
      !(total / cell > 5 || widest <= 6)) return output;
  // About two and a half times as many characters across as lines down, favouring short entries.
  const biased = Math.max(cell - 3 - Math.sqrt(cell - total / output.length), 1);
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * biased * count) / biased),
    Math.floor((ctx.breakLength - ctx.indentation) / cell),
    ctx.compact * 4,
    15);
  if (columns <= 1) return output;
  const columnWidths = [];
  for (let column = 0; column < columns; column++) {
    let most = 0;
    for (let i = column; i < output.length; i += columns) if (widths[i] > most) most = widths[i];
    columnWidths.push(most + gap);
  }
  const right = value === undefined || output.every((_, i) =>
    typeof value[i] === 'number' || typeof value[i] === 'bigint');
  const lines = [];
  for (let start = 0; start < count; start += columns) {
    const end = Math.min(start + columns, count);
    let line = '';
    for (let i = start; i < end; i++) {
      const hidden = output[i].length - widths[i];
      const last = i === end - 1;
      const room = columnWidths[i - start] + hidden;
      if (right) line += last ? output[i].padStart(room - gap) : `${output[i]}, `.padStart(room);
      else line += last ? output[i] : `${output[i]}, `.padEnd(room);
    }
    lines.push(line);
  }
  if (hasMore) lines.push(output[count]);
  return lines;
}

// Whether the entries go into a line that has `start` characters besides them and their commas.
function fits(ctx, output, start, base) {
  if (base.includes('\n')) return false;
  let left = ctx.breakLength - start - output.length;
  if (left < output.length) return false;
  return output.every((text) => {
    left -= ctx.colors ? stripColors(text).length : text.length;
    return left >= 0;
  });
}

// Long texts are added, which copies none of them: in deep objects each holds those below it.
function onePerLine(output, indent) {
  const separator = `,${indent}  `;
  if (!output.some((one) => one.length > LONG)) return output.join(separator);
  let text = output[0];
  for (let i = 1; i < output.length; i++) text = text + separator + output[i];
  return text;
}

// compact: true. Everything in one line, or lines that begin beside the brace.
function packed(ctx, output, base, [open, close]) {
  const name = base === '' ? '' : ` ${base}`;
  if (fits(ctx, output, 0, base)) return `${open}${name} ${output.join(', ')} ${close}`;
  const indent = `\n${' '.repeat(ctx.indentation)}`;
  const first = base === '' && open.length === 1 ? ' ' : `${name}\n${indent}  `;
  return `${open}${first}${output.join(`,${indent}  `)} ${close}`;
}

// The entries in one line, or undefined where that would be long or has breaks of its own.
function oneLine(ctx, output, base, [open, close]) {
  const around = output.length + ctx.indentation + open.length + base.length + 10;
  if (!fits(ctx, output, around, base)) return undefined;
  const line = output.join(', ');
  return line.includes('\n') ? undefined : `${open} ${line} ${close}`;
}

// One line if it is short and holds at most ctx.compact levels; else one entry per line.
function layout(ctx, output, base, braces, extras, depth, value) {
  const { compact, indentation } = ctx;
  if (compact === true) return packed(ctx, output, base, braces);
  const mayShare = typeof compact === 'number' && compact >= 1;
  const rows = mayShare && extras === 1 && output.length > 6 ? group(ctx, output, value) : output;
  const isGrouped = rows.length !== output.length;
  const head = base === '' ? '' : `${base} `;
  if (mayShare && !isGrouped && ctx.currentDepth - depth < compact) {
    const line = oneLine(ctx, rows, base, braces);
    if (line !== undefined) return head + line;
  }
  const indent = `\n${' '.repeat(indentation)}`;
  return head + braces[0] + indent + '  ' + onePerLine(rows, indent) + indent + braces[1];
}

module.exports = { group, layout };
