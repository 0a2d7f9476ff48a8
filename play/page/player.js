// Playing, stepping, the slider and the keys.

import { LEVEL } from './levels.js';
import { byId } from './dom.js';
import { say } from './words.js';

const SLOWEST = 1600;

export class Player {
  constructor(show) {
    this.show = show; // show(count, isFlying)
    this.model = undefined;
    this.at = 0;
    this.timer = undefined;
    const actions = { first: () => this.go(0), last: () => this.go(Infinity),
      back: () => this.step(false), forward: () => this.step(true), play: () => this.toggle() };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
    byId('slider').addEventListener('input', (event) => this.go(Number(event.target.value)));
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  load(model, at = 0) {
    this.pause();
    this.model = model;
    byId('slider').max = model.steps.length;
    this.go(at);
  }

  level() {
    return Number(byId('by').value);
  }

  go(count, isFlying = false) {
    if (this.model === undefined) return;
    this.at = Math.max(0, Math.min(this.model.steps.length, count));
    byId('slider').value = this.at;
    byId('where').textContent = say('step', { at: this.at, all: this.model.steps.length });
    byId('slider').setAttribute('aria-valuetext', byId('where').textContent);
    this.show(this.at, isFlying);
  }

  step(forward, level = this.level()) {
    if (this.model !== undefined) this.go(this.model.next(this.at, level, forward), true);
  }

  toggle() {
    if (this.timer !== undefined) this.pause();
    else if (this.model !== undefined) this.play();
  }

  play() {
    if (this.at >= this.model.steps.length) this.go(0);
    this.setTitle('pause', '❚❚');
    const tick = () => {
      this.step(true);
      if (this.at >= this.model.steps.length) this.pause();
      else this.timer = setTimeout(tick, SLOWEST / 1.9 ** Number(byId('speed').value));
    };
    this.timer = setTimeout(tick, 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.setTitle('play', '▶');
  }

  setTitle(word, sign) {
    const button = byId('play');
    button.dataset.title = word;
    button.textContent = sign;
    button.title = say(word);
    button.setAttribute('aria-label', say(word));
  }

  // Not while somebody writes or chooses.
  onKey(event) {
    const isTaken = event.target.closest?.('input, select, textarea, [contenteditable], dialog') ||
      event.ctrlKey || event.metaKey || event.altKey;
    const onButton = (event.key === ' ' || event.key === 'Enter') &&
      event.target.closest?.('button');
    if (isTaken || onButton || this.model === undefined) return;
    const level = event.shiftKey ? LEVEL.phase : this.level();
    const actions = { ' ': () => this.toggle(), ArrowRight: () => this.step(true, level),
      ArrowLeft: () => this.step(false, level), Home: () => this.go(0),
      End: () => this.go(Infinity) };
    for (let i = 0; i < 4; i++) actions[i + 1] = () => { byId('by').value = i; };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  }
}
