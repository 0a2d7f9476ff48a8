// The ring of phases, with the hand.

import { PHASES } from './levels.js';
import { say } from './words.js';

const NS = 'http://www.w3.org/2000/svg';
const CENTRE = 160;
const OUTER = 150;
const INNER = 88;
const GAP = 0.03;

function svg(name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function point(radius, turn) {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${(CENTRE + radius * Math.cos(angle)).toFixed(2)} ` +
    `${(CENTRE + radius * Math.sin(angle)).toFixed(2)}`;
}

function segment(from, to) {
  return `M ${point(OUTER, from)} A ${OUTER} ${OUTER} 0 0 1 ${point(OUTER, to)} ` +
    `L ${point(INNER, to)} A ${INNER} ${INNER} 0 0 0 ${point(INNER, from)} Z`;
}

export class Ring {
  constructor(parent) {
    this.turns = 0; // whole turns of the hand, so that it never goes back the long way
    this.phase = -1;
    const root = svg('svg', { viewBox: '0 0 320 320', role: 'img' });
    this.title = svg('title', {});
    root.append(this.title);
    this.segments = PHASES.map((name, i) => {
      const share = 1 / PHASES.length;
      const path = svg('path', { class: 'segment',
        d: segment(i * share + GAP / 4, (i + 1) * share - GAP / 4) });
      const [x, y] = point((OUTER + INNER) / 2, (i + 0.5) * share).split(' ');
      root.append(path, svg('text', { x, y: Number(y) + 4 }, name));
      return path;
    });
    this.hand = svg('line',
      { class: 'hand', x1: CENTRE, y1: CENTRE, x2: CENTRE, y2: CENTRE - 78 });
    this.first = svg('text', { x: CENTRE, y: CENTRE + 34 });
    this.second = svg('text', { x: CENTRE, y: CENTRE + 52, class: 'quiet' });
    const hub = svg('circle', { class: 'hub', cx: CENTRE, cy: CENTRE, r: 9 });
    root.append(this.hand, hub, this.first, this.second);
    parent.replaceChildren(root);
  }

  show(state) {
    const { phase, turn } = state;
    this.segments.forEach((one, i) => one.classList.toggle('now', i === phase));
    const turnsTo = turn + (phase < 0 ? 0 : (phase + 0.5) / PHASES.length);
    this.hand.style.transform = `rotate(${(turnsTo * 360).toFixed(1)}deg)`;
    const place = state.place === 'end' ? say('ended')
      : turn === 0 ? say('before') : say('turnNumber', { number: turn });
    this.first.textContent = place;
    this.second.textContent = state.asleep ? say('asleep') : phase >= 0 ? PHASES[phase] : '';
    this.title.textContent = `${say('theLoop')}: ${place} ${this.second.textContent}`;
  }
}
