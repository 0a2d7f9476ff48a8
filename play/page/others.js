// The same program in other worlds, on node and in a browser; and the page as a file.

import { byId, make } from './dom.js';
import { plain } from './terminal.js';
import { say } from './words.js';

const WORLDS = 24;

export class Others {
  constructor(page) {
    this.page = page;
    const actions = { orders: () => this.orders(), node: () => this.node(),
      browser: () => this.browser(), save: () => this.save() };
    for (const [id, action] of Object.entries(actions)) {
      byId(id).addEventListener('click', async () => {
        byId(id).disabled = true;
        this.tell([make('p', { text: say('wait') })]);
        try {
          await action();
        } catch (error) {
          this.tell([make('p', { text: say('failed', { why: error.message }) })]);
        }
        byId(id).disabled = false;
      });
    }
  }

  clear() {
    byId('other').hidden = true;
  }

  tell(parts) {
    byId('other').hidden = false;
    byId('other').replaceChildren(...parts);
    byId('other').scrollIntoView({ block: 'nearest' });
  }

  async orders() {
    const found = await this.page.ask('orders', { worlds: WORLDS });
    if (found.error !== undefined) throw new Error(found.error);
    const all = found.reduce((sum, one) => sum + one.seeds.length, 0);
    if (found.length < 2) {
      this.tell([make('p', { text: say('oneOrder', { count: all }) })]);
      return;
    }
    this.tell([make('p', { text: say('manyOrders', { orders: found.length, count: all }) }),
      ...found.map((one) => make('div', { class: 'order' }, [
        make('h3', { text: say('times', { count: one.seeds.length, all }) }),
        make('pre', { text: plain(one.text).trimEnd() }),
        make('button', { text: `${say('watch')} (${say('seed')} ${one.seeds[0]})`,
          onclick: () => {
            byId('seed').value = one.seeds[0];
            this.page.run();
          } })]))]);
  }

  isSame(text) {
    const own = this.page.model.linesOf(1);
    return own.map((line) => line.text).join('\n').trimEnd() === plain(text).trimEnd();
  }

  async node() {
    const said = await this.page.ask('node');
    const problem = { 'no-node': 'noNode', 'not-js': 'notJs' }[said.error];
    if (problem !== undefined) this.tell([make('p', { text: say(problem) })]);
    else if (said.error !== undefined) throw new Error(said.error);
    else if (said.stopped !== undefined) this.tell([make('p', { text: say('nodeStopped', said) })]);
    else if (this.isSame(said.text)) this.tell([make('p', { text: say('same', said) })]);
    else this.tell([make('p', { text: say('differs', said) }),
      make('pre', { text: plain(said.text + said.errors).trimEnd() })]);
  }

  async browser() {
    const said = await this.page.ask('browser');
    const why = make('p', { text: say('browserWhy') });
    const problem = { 'no-browser': 'noBrowser', 'not-js': 'notJs' }[said.error];
    if (problem !== undefined) this.tell([make('p', { text: say(problem) }), why]);
    else if (said.error !== undefined) throw new Error(said.error);
    else if (said.stopped !== undefined) this.tell([make('p', { text: say('browserStopped') })]);
    else if (this.isSame(said.text)) this.tell([make('p', { text: say('browserSame') }), why]);
    else this.tell([make('p', { text: say('browserDiffers') }),
      make('pre', { text: plain(said.text).trimEnd() }), why]);
  }

  async save() {
    const { page, error } = await this.page.ask('save');
    if (error !== undefined) throw new Error(error);
    const address = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
    const download = this.page.program.name.replace(/\.\w+$/, '.html');
    make('a', { href: address, download }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    this.clear();
  }
}
