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

function fits(ctx, output, start, base) {
  let total = output.length + start;
  if (total + output.length > ctx.breakLength) return false;
  for (const text of output) {
    total += ctx.colors ? stripColors(text).length : text.length;
    if (total > ctx.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

// Long texts are added, which copies none of them: in deep objects each holds those below it.
function onePerLine(output, indent) {
  const separator = `,${indent}  `;
  if (!output.some((one) => one.length > LONG)) return output.join(separator);
  let text = output[0];
  for (let i = 1; i < output.length; i++) text = text + separator + output[i];
  return text;
}

// One line if it is short and holds at most ctx.compact levels; else one entry per line.
function layout(ctx, output, base, braces, extras, depth, value) {
  const head = base === '' ? '' : `${base} `;
  if (ctx.compact === true) {
    if (fits(ctx, output, 0, base)) {
      return `${braces[0]}${base ? ` ${base}` : ''} ${output.join(', ')} ${braces[1]}`;
    }
    const indent = `\n${' '.repeat(ctx.indentation)}`;
    const between =
      base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}\n${indent}  `;
    return `${braces[0]}${between}${output.join(`,${indent}  `)} ${braces[1]}`;
  }
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    const entries = output.length;
    if (extras === 1 && entries > 6) output = group(ctx, output, value);
    if (ctx.currentDepth - depth < ctx.compact && entries === output.length) {
      const start = output.length + ctx.indentation + braces[0].length + base.length + 10;
      if (fits(ctx, output, start, base)) {
        const line = output.join(', ');
        if (!line.includes('\n')) return `${head}${braces[0]} ${line} ${braces[1]}`;
      }
    }
  }
  const indent = `\n${' '.repeat(ctx.indentation)}`;
  return head + braces[0] + indent + '  ' + onePerLine(output, indent) + indent + braces[1];
}

module.exports = { group, layout };
