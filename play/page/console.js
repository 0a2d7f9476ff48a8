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

  // A piece of a line goes on where the last one ended, as on a terminal.
  append(i, piece) {
    if (i > 0 && !this.lines[i - 1].ends) this.list.lastElementChild.append(piece);
    else this.list.append(make('li', {}, [piece]));
  }

  takeOff() {
    const row = this.list.lastElementChild;
    row.lastElementChild.remove();
    if (row.lastElementChild === null) row.remove();
  }

  show(count) {
    const wanted = Math.min(count, MOST_LINES);
    if (wanted === this.shown) return;
    while (this.shown > wanted) {
      this.takeOff();
      this.shown--;
    }
    for (; this.shown < wanted; this.shown++) {
      const line = this.lines[this.shown];
      this.append(this.shown, make('button', { class: line.fd === 2 ? 'error' : undefined,
        text: line.text || ' ', onclick: () => this.go(line.step) }));
    }
    this.newest?.classList.remove('new');
    this.newest = this.list.lastElementChild;
    this.newest?.classList.add('new');
    this.list.scrollTop = this.list.scrollHeight;
  }
}
