// Names of what waits and runs, and the sentence of a step.

import { fill, say, texts } from './words.js';

export function milliseconds(ns) {
  const ms = Math.max(ns, 0) / 1e6; // what is due at once may be due a nanosecond ago
  return say('time', { ms: ms >= 100 || Number.isInteger(ms) ? Math.round(ms).toLocaleString('en')
    : ms.toFixed(ms < 1 ? 3 : 2).replace(/\.?0+$/, '') });
}

// The function's name; else the line where it is written or was made; else whose it is.
export function label(entry) {
  if (entry === undefined) return '';
  if (entry.kind === 'script') return entry.name || say('scriptName');
  const name = entry.name || (entry.ran && !entry.isBody ? say('anonymous', { line: entry.ran })
    : '');
  if (entry.kind === 'handle') return name || entry.type;
  if (entry.kind === 'req') {
    return entry.line ? `${entry.type} (${say('ofLine', entry)})` : entry.type;
  }
  if (entry.kind === 'cb') return name || say('runtimeStep');
  if (name) return name;
  if (entry.isBody) return say('scriptGoesOn');
  if (entry.line === 0) return say('runtimeStep');
  const isStep = entry.step !== undefined && (entry.kind === 'tick' || entry.kind === 'job');
  return say(isStep ? 'runtimeStep' : `${entry.kind}OfLine`, entry);
}

function count(number) {
  return typeof number === 'number' ? number.toLocaleString('en') : number;
}

export function detail(entry) {
  const parts = [];
  if (entry.kind === 'timer') {
    parts.push(say('due', { due: milliseconds(entry.due) }));
    if (entry.repeats) parts.push(say('every', { delay: count(entry.delay) }));
    if (entry.unref) parts.push(say('unrefShort'));
  }
  return parts.join(', ');
}

export function sentence(model, step) {
  const { sentences } = texts();
  if (step === undefined) return sentences.start;
  const { values } = step;
  const entry = model.entries.get(values.id);
  const template = sentences[step.key] ?? step.key;
  const text = fill(template, { ...values, name: values.name !== undefined
    && entry === undefined ? values.name : label(entry),
  delay: count(values.delay), limit: count(values.limit),
  other: label(model.entries.get(values.other)),
  due: values.due === undefined ? '' : milliseconds(values.due),
  slept: values.slept === undefined ? '' : Number(values.slept.toFixed(3)).toLocaleString('en'),
  inside: values.name ? say('inside', values) : '' });
  // A sentence may begin with words of ours, but the program's names stay as they are.
  const isOurs = template.startsWith('{name}') && entry !== undefined && !entry.name &&
    entry.kind !== 'handle' && entry.kind !== 'req';
  return isOurs ? text[0].toUpperCase() + text.slice(1) : text;
}
