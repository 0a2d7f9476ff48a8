// The lessons: programs whose output is to be predicted, and the rule that each teaches.

import { byId, make } from './dom.js';
import { keep, kept } from './storage.js';
import { inWords, say } from './words.js';

export class Lessons {
  constructor(page, lessons) {
    this.page = page;
    this.lessons = lessons;
    this.now = undefined;
    this.done = new Set((kept('done') ?? '').split(' ').filter(Boolean));
    byId('lesson').addEventListener('change', (event) => this.choose(event.target.value));
  }

  translate() {
    const select = byId('lesson');
    const groups = ['js', 'c'].map((course) => make('optgroup',
      { label: say(course === 'js' ? 'courseJs' : 'courseC') },
      this.lessons.filter((one) => one.course === course).map((one) => make('option',
        { value: one.id,
          text: `${this.done.has(one.id) ? '✓ ' : ''}${inWords(one.title)}` }))));
    select.replaceChildren(make('option', { value: '', text: say('own') }),
      ...groups.filter((group) => group.children.length > 0));
    select.value = this.now?.id ?? '';
    select.closest('label').hidden = !this.page.data.live;
    byId('progress').textContent = this.page.data.live
      ? say('progress', { done: this.done.size, all: this.lessons.length }) : '';
    this.show();
  }

  choose(id) {
    this.now = this.lessons.find((one) => one.id === id);
    const { data } = this.page;
    this.page.setProgram(this.now === undefined
      ? { source: data.source, name: data.name, language: data.language }
      : { source: this.now.source, name: this.now.name, language: this.now.course });
    this.solved = false;
    this.page.predict.turn(this.now !== undefined && this.now.predict !== false);
    this.show();
    this.page.run();
  }

  isSolved() {
    if (this.now === undefined) return;
    this.done.add(this.now.id);
    this.solved = true;
    keep('done', [...this.done].join(' '));
    this.translate();
  }

  show() {
    const about = byId('about');
    about.hidden = this.now === undefined;
    if (this.now === undefined) return;
    const { now } = this;
    about.replaceChildren(make('h3', { text: inWords(now.title) }),
      make('p', { text: `${say('goal')}: ${inWords(now.goal)}` }),
      ...now.hints.map((hint) => make('details', {}, [make('summary', { text: say('hint') }),
        make('p', { text: inWords(hint) })])),
      ...(this.solved || now.predict === false ? [make('p',
        { text: `${say('learned')}: ${inWords(now.learned)}` })] : []),
      this.page.rules.link(make('a'), now.rule));
  }

  // Those that teach a rule.
  about(rule) {
    return this.page.data.live ? this.lessons.filter((one) => one.rule === rule) : [];
  }
}
