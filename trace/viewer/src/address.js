// What is shown as the end of the page's address, so that a link leads to it: #range=3204-3386.5
// (in milliseconds), #iteration=12, each with &loop=2 where there are several (counted from 1).

export function readAddress(text) {
  const parts = new URLSearchParams(text.replace(/^#/, ''));
  const range = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(parts.get('range') ?? '');
  const number = (name) => (/^\d+$/.test(parts.get(name) ?? '') ? Number(parts.get(name)) : null);
  return {
    range: range && Number(range[1]) < Number(range[2]) ? [range[1] * 1e6, range[2] * 1e6] : null,
    iteration: number('iteration'),
    loop: number('loop'),
  };
}

const milliseconds = (ns) => String(Number((ns / 1e6).toFixed(6)));

export function writeAddress({ range, iteration, loop }) {
  const parts = [];
  if (range) parts.push(`range=${milliseconds(range.from)}-${milliseconds(range.to)}`);
  else if (iteration !== null) parts.push(`iteration=${iteration}`);
  if (parts.length && loop !== null) parts.push(`loop=${loop}`);
  return parts.length ? `#${parts.join('&')}` : '';
}
