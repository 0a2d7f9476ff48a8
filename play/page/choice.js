// The programs of a page that was saved: one, or several to choose from. Each has an address,
// #program=NAME, without the end of the file's name.

import { byId, make } from './dom.js';
import { say } from './words.js';

const START = '#program=';

function shortName({ name }) {
  return name.replace(/\.\w+$/, '');
}

export class Choice {
  constructor(page, programs) {
    this.page = page;
    this.programs = programs;
    const select = byId('choice');
    select.hidden = programs.length < 2;
    byId('file').hidden = !select.hidden;
    select.replaceChildren(...programs.map((one) => make('option', { value: shortName(one),
      text: one.name })));
    select.addEventListener('change', () => this.show(select.value));
    addEventListener('hashchange', () => {
      if (location.hash.startsWith(START)) this.show(this.addressed());
    });
  }

  addressed() {
    return location.hash.startsWith(START) ? decodeURIComponent(location.hash.slice(START.length))
      : '';
  }

  begin() {
    this.show(this.addressed());
  }

  show(name) {
    const program = this.programs.find((one) => shortName(one) === name) ?? this.programs[0];
    const { source, language } = program;
    byId('choice').value = shortName(program);
    this.page.setProgram({ source, name: program.name, language });
    this.page.load(program);
    if (program.error === undefined) this.page.note(say('offline'));
  }
}
