// Predicting: the reader puts the lines into their order; the first wrong one is explained.

import { sentence } from './describe.js';
import { byId, make } from './dom.js';
import { say } from './words.js';

// Another order that is the same each time, and not the right one if there is another.
function shuffled(lines) {
  const order = lines.map((text, i) => ({ text, i }));
  let seed = lines.length * 7919 + 17;
  for (let i = order.length - 1; i > 0; i--) {
    seed = (seed * 48271) % 2147483647;
    const j = seed % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  if (order.every((one, i) => one.text === lines[i])) order.reverse();
  return order.map((one) => one.text);
}

export class Predict {
  constructor(page) {
    this.page = page;
    this.isOn = false;
    this.order = [];
    this.result = undefined;
    byId('predict').addEventListener('click', () => this.turn(!this.isOn));
  }

  load(model) {
    this.model = model;
    this.right = model.linesOf(1).map((line) => line.text);
    this.order = shuffled(this.right);
    this.result = undefined;
    this.show();
  }

  turn(isOn) {
    this.isOn = isOn;
    this.result = undefined;
    this.show();
  }

  move(i, by) {
    const to = i + by;
    if (to < 0 || to >= this.order.length) return;
    [this.order[i], this.order[to]] = [this.order[to], this.order[i]];
    this.result = undefined;
    this.show();
    byId('guess').querySelectorAll('li')[to].querySelector(by < 0 ? '.up' : '.down').focus();
  }

  compare() {
    const wrong = this.order.findIndex((text, i) => text !== this.right[i]);
    this.result = { wrong };
    if (wrong < 0) this.page.lessons.isSolved();
    this.show();
    byId('guess').querySelector('.result').focus();
  }

  // Why the line comes there: the sentence of what ran when it was printed.
  reason(i) {
    const line = this.model.linesOf(1)[i];
    const unit = this.model.entries.get(line.unit);
    return sentence(this.model, unit?.step ?? this.model.steps[line.step - 1]);
  }

  row(text, i) {
    const is = this.result?.wrong === i ? 'wrong' : undefined;
    return make('li', { class: is }, [make('code', { text }),
      make('button', { class: 'up', text: '↑', 'aria-label': say('moveUp', { text }),
        onclick: () => this.move(i, -1) }), ' ',
      make('button', { class: 'down', text: '↓', 'aria-label': say('moveDown', { text }),
        onclick: () => this.move(i, 1) })]);
  }

  resultText() {
    if (this.result === undefined) return [];
    const { wrong } = this.result;
    if (wrong < 0) {
      return [make('p', { class: 'result good', tabindex: '-1', role: 'status',
        text: say('right', { count: this.right.length }) })];
    }
    return [make('div', { class: 'result', tabindex: '-1', role: 'status' }, [
      make('p', { text: say('wrong', { number: wrong + 1, text: this.right[wrong] }) }),
      make('p', { text: `${say('because')} ${this.reason(wrong)}` })])];
  }

  show() {
    byId('predict').setAttribute('aria-pressed', String(this.isOn));
    byId('predict').textContent = say(this.isOn ? 'show' : 'predict');
    byId('console').hidden = this.isOn;
    byId('guess').hidden = !this.isOn;
    if (!this.isOn || this.model === undefined) return;
    byId('guess').replaceChildren(make('p', { text: say('predictHelp') }),
      make('ol', {}, this.order.map((text, i) => this.row(text, i))),
      make('button', { class: 'main', text: say('compare'), onclick: () => this.compare() }),
      ...this.resultText());
  }
}
