// The console: each line comes when its moment does, and leads back to it.

import { make } from './dom.js';

const MOST_LINES = 2000;

export class ConsoleView {
  constructor(list, go) {
    this.list = list;
    this.go = go;
    this.lines = [];
    this.shown = 0;
  }

  load(model) {
    this.lines = model.lines;
    this.shown = 0;
    this.list.replaceChildren();
  }

  show(count) {
    const wanted = Math.min(count, MOST_LINES);
    if (wanted === this.shown) return;
    while (this.shown > wanted) {
      this.list.lastElementChild.remove();
      this.shown--;
    }
    for (; this.shown < wanted; this.shown++) {
      const line = this.lines[this.shown];
      this.list.append(make('li', { class: line.fd === 2 ? 'error' : undefined }, [
        make('button', { text: line.text || ' ', onclick: () => this.go(line.step) })]));
    }
    this.newest?.classList.remove('new');
    this.newest = this.list.lastElementChild;
    this.newest?.classList.add('new');
    this.list.scrollTop = this.list.scrollHeight;
  }
}
