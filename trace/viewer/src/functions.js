// The table by function, of the chosen range or of the whole recording. Columns can be sorted.
import { formatCount, formatDuration } from './format.js';
import { byId, element } from './dom.js';
import { rowKind, rowTitle, splitPlace } from './describe.js';
import { functionsIn } from './range.js';
import { spread } from './summary.js';

const COLUMNS = [
  { key: 'name', title: 'Function' },
  { key: 'calls', title: 'Calls' },
  { key: 'total', title: 'Total' },
  { key: 'median', title: 'Median' },
  { key: 'high', title: '99th' },
  { key: 'worst', title: 'Worst' },
  { key: 'on', title: 'On a processor' },
];
const AT_FIRST = 12;

function fromRows(model, range) {
  return functionsIn(model, range).map((own) => {
    const { median, high, count } = spread(own.times);
    const [name, place] = splitPlace(rowTitle(model, own.row));
    const kind = rowKind(model, own.row).replace(' callback', '');
    return { ...own, name, place, kind, median, high, calls: count };
  });
}

// The report's own table, which knows of everything that was recorded.
function fromReport(model) {
  return model.head.functions.map((own) => {
    const [name, place] = splitPlace(own.function);
    const track = model.tracks[own.track];
    return {
      ...own,
      name,
      place,
      kind: (own.kind ?? '').replace(/^uv_|_cb$/g, '') + processOf(model, track),
      high: own.p99,
      on: own.onCpu ?? null,
      inside: (own.inside ?? []).map(
        (one) => `${one.function} ${Math.round((100 * one.stacks) / own.stacks)} %`,
      ),
      worstRow: rowAt(track, own.worstAt),
    };
  });
}

function about({ kind, place, stacks, inside }) {
  const known = inside?.length ? `of ${stacks} stacks: ${inside.join(', ')}` : '';
  return [kind, place, known].filter(Boolean).join(' · ');
}

function processOf({ head }, track) {
  const process = head.processes[track?.process];
  return head.processes.length > 1 && process ? ` in ${process.pid}` : '';
}

// The callback or work of a track that starts then; -1: it is not in the page.
function rowAt(track, start) {
  for (const lane of track ? [...track.callbacks, track.works] : []) {
    const at = lane.at(start);
    if (at >= 0 && lane.start[at] === start) return lane.ref[at];
  }
  return -1;
}

export class Functions {
  constructor(app) {
    this.app = app;
    this.by = 'total';
    this.down = true;
    this.most = AT_FIRST;
    byId('functions').addEventListener('click', (event) => this.click(event));
  }

  show() {
    const { model, range } = this.app;
    const known = !range && model.head.functions.length > 0;
    this.list = known ? fromReport(model) : fromRows(model, range);
    byId('functions-scope').textContent = range
      ? `in the chosen ${formatDuration(range.to - range.from)}`
      : 'in the whole recording';
    this.draw();
  }

  click(event) {
    const button = event.target.closest('button');
    if (!button) return;
    const { sort, row, more } = button.dataset;
    if (sort) {
      this.down = sort === this.by ? !this.down : sort !== 'name';
      this.by = sort;
      this.draw();
      byId('functions').querySelector(`[data-sort="${sort}"]`).focus();
    } else if (row) this.app.select(Number(row));
    else if (more) {
      this.most = Infinity;
      this.draw();
    }
  }

  sorted() {
    const sign = this.down ? -1 : 1;
    const value = (own) => (own[this.by] === null ? -1 : own[this.by]);
    const compare =
      this.by === 'name'
        ? (a, b) => sign * a.name.localeCompare(b.name)
        : (a, b) => sign * (value(a) - value(b));
    return [...this.list].sort(compare);
  }

  draw() {
    const shown = this.sorted().slice(0, this.most);
    const left = this.list.length - shown.length;
    const columns = COLUMNS.filter(
      ({ key }) => key !== 'on' || this.list.some((own) => own.on !== null),
    );
    const most = Math.max(1, ...this.list.map((own) => own.total));
    byId('functions').replaceChildren(
      this.list.length
        ? element(
            'table',
            {},
            element('thead', {}, element('tr', {}, ...columns.map((c) => this.head(c)))),
            element('tbody', {}, ...shown.map((own) => this.line(own, columns, most))),
          )
        : element('p', { class: 'empty' }, 'No function was called.'),
      left > 0
        ? element('button', { type: 'button', 'data-more': 'all' }, `${formatCount(left)} more`)
        : '',
    );
  }

  head({ key, title }) {
    const sorted = key === this.by ? (this.down ? 'descending' : 'ascending') : null;
    const sign = sorted === null ? '' : this.down ? ' ↓' : ' ↑';
    return element(
      'th',
      { scope: 'col', 'aria-sort': sorted, class: key === 'name' ? null : 'number' },
      element('button', { type: 'button', 'data-sort': key }, title + sign),
    );
  }

  line(own, columns, most) {
    const title = own.place ? `${own.name} (${own.place})` : own.name;
    const name =
      own.worstRow >= 0
        ? element('button', { type: 'button', 'data-row': own.worstRow, title }, own.name)
        : element('span', { title }, own.name);
    const cells = columns.slice(1).map(({ key }) => {
      const shown = key === 'calls' ? formatCount : formatDuration;
      const text = own[key] === null ? '–' : shown(own[key]);
      const bar = key === 'total' ? `--part: ${own.total / most}` : null;
      return element('td', { class: bar ? 'number bar-cell' : 'number', style: bar }, text);
    });
    return element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row' },
        name,
        element('span', { class: 'what' }, about(own)),
      ),
      ...cells,
    );
  }
}
