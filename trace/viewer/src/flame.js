// The flame graph: where the time went inside a callback, a turn or a chosen range, from the stacks
// that were taken while something ran for long. The outermost function is at the top.
import { formatDuration, formatShare, plural } from './format.js';
import { byId, element } from './dom.js';
import { rowTitle, splitPlace } from './describe.js';
import { samplesIn } from './range.js';

const NARROWEST = 0.002; // of the whole: what is narrower can't be seen
const LINE = 20;

// A tree of { name, weight, own, children } from samples, each of which names the end of its stack.
export function buildFlame(stacks, strings, samples) {
  const root = { name: '', weight: 0, children: new Map() };
  for (const { node, weight } of samples) {
    const path = [];
    for (let at = node; at >= 0 && at < stacks.length && path.length < 512; at = stacks[at][0]) {
      path.push(stacks[at][1]);
    }
    root.weight += weight;
    let here = root;
    for (const number of path.reverse()) {
      let next = here.children.get(number);
      if (!next) {
        next = { name: strings[number] ?? '?', weight: 0, children: new Map() };
        here.children.set(number, next);
      }
      next.weight += weight;
      here = next;
    }
  }
  return root;
}

// A colour between amber and red that is always the same for the same name.
function hueOf(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return 14 + (sum % 34);
}

export class Flame {
  constructor(app) {
    this.app = app;
    this.box = byId('flame');
    this.box.addEventListener('click', (event) => this.click(event));
    byId('flame-whole').addEventListener('click', () => this.focusOn(null));
  }

  // What the graph is about: the selection if there are stacks in it, else range, turn, or all.
  scope() {
    const { model, selected, range, track } = this.app;
    const { rows } = model;
    const spans = [];
    if (selected >= 0 && rows.duration[selected] > 0) {
      const from = rows.start[selected];
      const to = from + rows.duration[selected];
      const own = model.tracks[rows.track[selected]];
      const [text] = splitPlace(rowTitle(model, selected));
      spans.push({ range: { from, to }, track: own, text });
    }
    if (range) {
      const text = `the chosen ${formatDuration(range.to - range.from)}`;
      spans.push({ range, track: null, text });
    }
    const { iteration } = this.app.turn;
    if (iteration && !range) {
      const to = iteration.start + iteration.duration;
      const turn = { from: iteration.start, to };
      spans.push({ range: turn, track, text: `${iteration.label} ${iteration.number}` });
    }
    if (!range) {
      const whole = { from: model.begin, to: model.end };
      spans.push({ range: whole, track: null, text: 'the whole recording' });
    }
    for (const span of spans) {
      const samples = samplesIn(model, span.range, span.track);
      if (samples.length) return { ...span, samples };
    }
    return null;
  }

  show() {
    const { model } = this.app;
    const card = byId('flame-card');
    const scope = model.sampleCount ? this.scope() : null;
    card.hidden = !scope;
    if (!scope) return;
    this.root = buildFlame(model.head.stacks, model.head.strings, scope.samples);
    byId('flame-scope').textContent =
      `${scope.text}: ${plural(scope.samples.length, 'stack')}, ` +
      `${formatDuration(this.root.weight)}`;
    this.focusOn(null);
  }

  // Draws the part below a node as wide as the whole; null: everything.
  focusOn(node) {
    this.nodes = [];
    const top = node ?? this.root;
    const boxes = [];
    let depth = 0;
    const place = (one, from, level) => {
      const part = one.weight / top.weight;
      if (part < NARROWEST) return;
      depth = Math.max(depth, level + 1);
      boxes.push(this.boxOf(one, from, part, level));
      this.placeChildren(one, from, top.weight, (child, at) => place(child, at, level + 1));
    };
    if (node) place(node, 0, 0);
    else this.placeChildren(top, 0, top.weight, (child, at) => place(child, at, 0));
    byId('flame-whole').hidden = !node;
    this.box.style.height = `${depth * LINE}px`;
    this.box.replaceChildren(...boxes);
  }

  placeChildren(node, from, whole, place) {
    let at = from;
    const order = [...node.children.values()].sort((a, b) => b.weight - a.weight);
    for (const child of order) {
      place(child, at);
      at += child.weight / whole;
    }
  }

  boxOf(node, from, part, level) {
    const index = this.nodes.push(node) - 1;
    const [name, place] = splitPlace(node.name);
    const share = formatShare(node.weight / this.root.weight);
    const text = `${name}${place ? ` (${place})` : ''}, ${formatDuration(node.weight)}, ${share}`;
    const style =
      `left: ${(from * 100).toFixed(3)}%; width: ${(part * 100).toFixed(3)}%; ` +
      `top: ${level * LINE}px; --hue: ${hueOf(node.name)}`;
    return element(
      'button',
      { type: 'button', style, title: text, 'aria-label': text, 'data-node': index },
      part > 0.02 ? name : '',
    );
  }

  click(event) {
    const index = event.target.closest('button')?.dataset.node;
    if (index !== undefined) this.focusOn(this.nodes[index]);
  }
}
