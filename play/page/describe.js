// Names of what waits and runs, and the sentence of a step.

import { fill, say, texts } from './words.js';

export function milliseconds(ns) {
  const ms = ns / 1e6;
  return say('time', { ms: ms >= 100 || Number.isInteger(ms) ? Math.round(ms).toLocaleString('en')
    : ms.toFixed(ms < 1 ? 3 : 2).replace(/\.?0+$/, '') });
}

// The function's name; else the line where it is written or was made; else whose it is.
export function label(entry) {
  if (entry === undefined) return '';
  if (entry.kind === 'script') return entry.name || say('scriptName');
  const name = entry.name || (entry.ran ? say('anonymous', { line: entry.ran }) : '');
  if (entry.kind === 'handle') return name || entry.type;
  if (entry.kind === 'req') {
    return entry.line ? `${entry.type} (${say('ofLine', entry)})` : entry.type;
  }
  if (entry.kind === 'cb') return name || say('runtimeStep');
  if (name) return name;
  return entry.line && entry.step === undefined ? say('ofLine', { line: entry.line })
    : say('runtimeStep');
}

export function detail(entry) {
  const parts = [];
  if (entry.kind === 'timer') {
    parts.push(say('due', { due: milliseconds(entry.due) }));
    if (entry.repeats) parts.push(say('every', entry));
    if (entry.unref) parts.push(say('unrefShort'));
  }
  return parts.join(', ');
}

export function sentence(model, step) {
  const { sentences } = texts();
  if (step === undefined) return sentences.start;
  const { values } = step;
  const entry = model.entries.get(values.id);
  return fill(sentences[step.key] ?? step.key, { ...values, name: values.name !== undefined
    && entry === undefined ? values.name : label(entry),
  other: label(model.entries.get(values.other)),
  due: values.due === undefined ? '' : milliseconds(values.due),
  slept: values.slept === undefined ? '' : Number(values.slept.toFixed(3)).toLocaleString('en'),
  inside: values.name ? say('inside', values) : '' });
}
