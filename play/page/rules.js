// The rules: docs/RULES.md, as part of the page. Each has an address, #rule=NAME.

import { byId, make } from './dom.js';
import { inWords, say, texts } from './words.js';

const ADDRESS = '#rule=';

export class Rules {
  constructor(lessons) {
    this.lessons = lessons;
    this.shown = undefined;
    byId('rule-close').addEventListener('click', () => byId('rule').close());
    addEventListener('hashchange', () => this.showAddressed());
  }

  // Makes a link to the rule; without one, hides it. In a new tab the address leads there.
  link(element, name) {
    element.hidden = name === undefined;
    if (name === undefined) return element;
    element.textContent = `${say('rule')}: ${texts().rules[name][0]}`;
    element.setAttribute('href', ADDRESS + name);
    element.setAttribute('aria-haspopup', 'dialog');
    element.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.show(name);
    };
    return element;
  }

  showAddressed() {
    const name = location.hash.startsWith(ADDRESS) ? location.hash.slice(ADDRESS.length) : '';
    if (Object.hasOwn(texts().rules, name)) this.show(name);
  }

  translate() {
    byId('rule-list').replaceChildren(...Object.keys(texts().rules).map((name) =>
      make('li', {}, [this.link(make('a'), name)])));
    for (const one of byId('rule-list').querySelectorAll('a')) {
      one.textContent = texts().rules[one.hash.slice(ADDRESS.length)][0];
    }
    if (this.shown !== undefined && byId('rule').open) this.show(this.shown);
  }

  show(name) {
    const [title, text] = texts().rules[name];
    this.shown = name;
    byId('rule-title').textContent = title;
    byId('rule-text').innerHTML = text; // of docs/RULES.md, which build.py has made HTML
    byId('rule-text').scrollTop = 0;
    const lessons = this.lessons.about(name);
    byId('rule-lessons').replaceChildren(...(lessons.length > 0
      ? [make('h3', { text: say('lessonsOf') })] : []), ...lessons.map((lesson) =>
      make('button', { text: inWords(lesson.title), onclick: () => {
        byId('rule').close();
        this.lessons.choose(lesson.id);
      } })));
    if (!byId('rule').open) byId('rule').showModal();
  }
}
