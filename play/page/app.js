// Puts the page together: the program, its recording, and what is shown of a moment.

import { Boxes } from './boxes.js';
import { Choice } from './choice.js';
import { ConsoleView } from './console.js';
import { milliseconds, sentence } from './describe.js';
import { byId } from './dom.js';
import { Editor } from './editor.js';
import { Lessons } from './lessons.js';
import { Model } from './model.js';
import { Others } from './others.js';
import { Player } from './player.js';
import { Predict } from './predict.js';
import { Ring } from './ring.js';
import { Rules } from './rules.js';
import { kept, keep } from './storage.js';
import { getLanguage, say, setLanguage, setTexts } from './words.js';

const EMPTY = { live: false, source: '', name: 'program.js', language: 'js', seed: 1, others: [] };

class Page {
  constructor(data) {
    this.data = data;
    this.program = { source: data.source, name: data.name, language: data.language };
    setLanguage(data.words ?? kept('language') ??
      (navigator.language.startsWith('zh') ? 'zh' : 'en'));
    this.setScheme(kept('scheme') ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    this.ring = new Ring(byId('ring'));
    this.boxes = new Boxes(byId('boxes'));
    this.console = new ConsoleView(byId('console'), (step) => this.player.go(step));
    this.editor = new Editor(byId('editor'), data, () => this.onEdit());
    this.player = new Player((count, isFlying) => this.show(count, isFlying));
    this.predict = new Predict(this);
    this.lessons = new Lessons(this, JSON.parse(byId('play-lessons')?.textContent ?? '[]'));
    this.choice = new Choice(this, [data, ...data.others]);
    this.others = new Others(this);
    this.rules = new Rules(this.lessons);
    this.listen();
    this.translate();
    byId('seed').value = data.seed;
  }

  listen() {
    byId('run').addEventListener('click', () => this.run());
    byId('language').addEventListener('click', () => {
      setLanguage(getLanguage() === 'en' ? 'zh' : 'en');
      keep('language', getLanguage());
      this.translate();
    });
    byId('scheme').addEventListener('click', () => {
      this.setScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark');
      keep('scheme', document.documentElement.dataset.scheme);
    });
    byId('seed').addEventListener('change', () => this.run());
  }

  setScheme(name) {
    document.documentElement.dataset.scheme = name;
    byId('scheme').setAttribute('aria-pressed', String(name === 'dark'));
  }

  translate() {
    document.documentElement.lang = getLanguage();
    for (const one of document.querySelectorAll('[data-word]')) {
      one.textContent = say(one.dataset.word);
    }
    for (const one of document.querySelectorAll('[data-title]')) {
      one.title = say(one.dataset.title);
      one.setAttribute('aria-label', say(one.dataset.title));
    }
    for (const one of document.querySelectorAll('[data-label]')) {
      one.setAttribute('aria-label', say(one.dataset.label));
    }
    this.lessons.translate();
    this.rules.translate();
    this.predict.show();
    this.others.clear();
    if (this.model !== undefined) this.player.go(this.player.at);
    else byId('sentence').textContent = say('wait');
  }

  note(text, isError = false) {
    byId('note').textContent = text;
    byId('note').classList.toggle('error', isError);
  }

  onEdit() {
    if (this.model === undefined || this.editor.text() === this.program.source) return;
    this.note(say('changed'));
  }

  async ask(action, more = {}) {
    const { source, name } = this.program;
    const response = await fetch(action, { method: 'POST',
      body: JSON.stringify({ source, name, seed: Number(byId('seed').value), ...more }) });
    return response.json();
  }

  // Another program into the editor: a lesson's.
  setProgram(program) {
    this.program = program;
    byId('seed').value = 1;
    this.editor.setLanguage(program.language);
    this.editor.setText(program.source);
    byId('file').textContent = program.name;
  }

  async run() {
    if (!this.data.live) return;
    this.player.pause();
    this.program = { ...this.program, source: this.editor.text() };
    byId('run').disabled = true;
    byId('run').textContent = say('running');
    try {
      this.load(await this.ask('run'));
    } catch (error) {
      this.note(say('failed', { why: error.message }), true);
      this.ready();
    }
    byId('run').disabled = false;
    byId('run').textContent = say('run');
  }

  // A recording, or the error that there is instead.
  load(recording) {
    this.others.clear();
    this.error = undefined;
    if (recording.error !== undefined) {
      this.showError(recording.error);
      return;
    }
    this.model = new Model({ lines: recording.lines, language: this.program.language,
      source: this.program.source });
    this.note('');
    this.console.load(this.model);
    this.predict.load(this.model);
    this.player.load(this.model);
    const failed = this.model.linesOf(2).map((line) => line.text);
    if (failed.some((text) => /SyntaxError/.test(text))) this.showError(failed.join('\n'));
    else if (this.model.stopped !== undefined) {
      this.note(sentence(this.model, this.model.steps.at(-1)), true);
    } else if (recording.said !== undefined) this.note(recording.said, true);
    this.ready();
  }

  // There is a picture. What it did not wait for comes after it was drawn.
  ready() {
    requestAnimationFrame(() => setTimeout(() => {
      this.editor.arrive();
      if (this.editor.isPlain && byId('note').textContent === '') this.note(say('plain'));
      document.body.dataset.ready = 'true';
    }));
  }

  // The line is in the text, as compilers and runtimes write it.
  showError(text) {
    const { name } = this.program;
    const found = new RegExp(`${name.replace(/[.]/g, '\\.')}:(\\d+)`).exec(text);
    this.error = found === null ? undefined : Number(found[1]);
    const what = text.split('\n').find((line) => /error/i.test(line)) ?? text;
    const where = found === null ? '' : `${say('error', { line: found[1] })}: `;
    this.note(where + what.trim(), true);
    if (this.error !== undefined) this.editor.light([[this.error, 'lit-error']]);
    this.ready();
  }

  show(count, isFlying) {
    const { model } = this;
    const state = model.at(count);
    const step = model.steps[count - 1];
    this.ring.show(state);
    this.boxes.show(state, model, isFlying ? this.movedBy(step) : []);
    this.console.show(state.lines);
    byId('clock').textContent = milliseconds(state.time);
    byId('sentence').textContent = sentence(model, step);
    this.rules.link(byId('rule-link'), step?.rule);
    this.light(state, step);
  }

  // Entries that the step puts somewhere else.
  movedBy(step) {
    const moving = step?.changes.filter(([field]) => '+#'.includes(field[0])) ?? [];
    return [...new Set(moving.map(([, id]) => id))].filter((id) => id > 0);
  }

  light(state, step) {
    const rows = [];
    const runs = state.frames[0]?.[1];
    const made = this.model.entries.get(step?.values.id)?.line;
    if (runs) rows.push([runs, 'lit-runs']);
    if (made && made !== runs) rows.push([made, 'lit-made']);
    if (this.error !== undefined) rows.push([this.error, 'lit-error']);
    this.editor.light(rows);
  }

  begin() {
    byId('file').textContent = this.data.name;
    for (const id of ['run', 'orders', 'node', 'browser', 'save', 'seed-field']) {
      byId(id).hidden = !this.data.live;
    }
    if (this.data.live) this.run();
    else this.choice.begin();
    this.rules.showAddressed();
  }
}

setTexts(JSON.parse(byId('play-words').textContent));
const given = byId('play-data');
const page = new Page(given === null ? EMPTY : JSON.parse(given.textContent));
globalThis.phasorPlay = page;
page.begin();
