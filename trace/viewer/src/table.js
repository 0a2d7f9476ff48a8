// The visible part of the timeline as a table, for screen readers and for exact numbers.
import { ITERATION, NO_PHASE, PHASE, PHASES, SHARES } from './kinds.js';
import { formatCount, formatDuration, formatTime } from './format.js';
import { byId, element } from './dom.js';
import { rowKind, rowTitle } from './describe.js';

const PAGE = 100;

function firstRowFrom(rows, time) {
  let low = 0;
  let high = rows.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.start[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Table {
  constructor(app) {
    this.app = app;
    this.box = byId('table');
    this.box.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button?.dataset.row) app.select(Number(button.dataset.row), false);
      else if (button?.dataset.more) this.show(Number(button.dataset.more));
    });
  }

  toggle() {
    this.box.hidden = !this.box.hidden;
    byId('table-toggle').setAttribute('aria-pressed', String(!this.box.hidden));
    if (!this.box.hidden) {
      this.show();
      this.box.focus({ preventScroll: true });
      this.box.scrollIntoView({ block: 'nearest' });
    }
  }

  refresh() {
    if (!this.box.hidden) this.show();
  }

  show(from = firstRowFrom(this.app.model.rows, this.app.view.from)) {
    const { model, view } = this.app;
    const { rows } = model;
    const shown = [];
    let row = from;
    for (; row < rows.count && rows.start[row] <= view.to && shown.length < PAGE; row++) {
      const kind = rows.kind[row];
      if (kind !== PHASE && kind < SHARES) shown.push(row);
    }
    const caption = shown.length
      ? `${formatCount(shown.length)} events from ${formatTime(rows.start[shown[0]], 1e3)}`
      : 'Nothing begins in the visible time.';
    const head = ['Time', 'Took', 'What', 'Kind', 'Phase', 'On'];
    const more =
      row < rows.count && rows.start[row] <= view.to
        ? element('button', { type: 'button', 'data-more': row }, 'Next 100')
        : '';
    this.box.replaceChildren(
      element(
        'table',
        {},
        element('caption', {}, caption),
        element(
          'thead',
          {},
          element('tr', {}, ...head.map((h) => element('th', { scope: 'col' }, h))),
        ),
        element('tbody', {}, ...shown.map((r) => this.line(r))),
      ),
      more,
    );
  }

  line(row) {
    const { model, selected } = this.app;
    const { rows } = model;
    const phase = model.phaseOf[row];
    const strong = rows.kind[row] === ITERATION ? 'turn' : null;
    return element(
      'tr',
      { class: strong, 'aria-selected': row === selected ? 'true' : null },
      element('td', { class: 'number' }, formatTime(rows.start[row], 1e3)),
      element(
        'td',
        { class: 'number' },
        rows.duration[row] > 0 ? formatDuration(rows.duration[row]) : '',
      ),
      element(
        'td',
        {},
        element('button', { type: 'button', 'data-row': row }, rowTitle(model, row)),
      ),
      element('td', {}, rowKind(model, row)),
      element('td', {}, phase === NO_PHASE ? '' : PHASES[phase].name),
      element('td', {}, model.tracks[rows.track[row]].name),
    );
  }
}
