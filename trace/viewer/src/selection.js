// Below the timeline: what is known of the selection, or of the chosen range.
import { ITERATION } from './kinds.js';
import { formatCount, formatDuration, formatShare, formatTime, plural } from './format.js';
import { byId, element } from './dom.js';
import { rowFacts, rowKind, rowTitle } from './describe.js';
import { rangeFigures } from './range.js';

const HINT =
  'Select something to see its details, or drag over a range for its figures. The wheel zooms, ? ' +
  'shows all keys.';
const NOTHING = 'Nothing was recorded: the program may have ended before its loop did anything.';

function rowDetails(model, row) {
  return [
    element(
      'p',
      {},
      element('strong', {}, rowTitle(model, row)),
      model.rows.kind[row] === ITERATION
        ? ''
        : element('span', { class: 'muted' }, ` ${rowKind(model, row)}`),
    ),
    facts(rowFacts(model, row)),
  ];
}

function facts(pairs) {
  return element(
    'dl',
    {},
    ...pairs.map(([label, text]) =>
      element('div', {}, element('dt', {}, label), element('dd', {}, text)),
    ),
  );
}

async function copyLink(app, button) {
  const link = location.href.replace(/#.*$/, '') + app.address();
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = 'Copied';
  } catch {
    // Without the right to write to the clipboard, the link can still be taken from here.
    button.replaceWith(element('a', { href: link, class: 'copied' }, 'Link to this range'));
  }
}

function rangeButtons(app) {
  const button = (id, text, title, action) =>
    element('button', { type: 'button', id, title, onclick: action }, text);
  const copy = button('range-link', 'Copy link', 'The address of this page with this range', () =>
    copyLink(app, copy),
  );
  return element(
    'span',
    { class: 'tools' },
    copy,
    button('range-zoom', 'Zoom', 'Show the range', () =>
      app.view.span(app.range.from, app.range.to),
    ),
    button('range-clear', 'Clear', 'No range (Esc)', () => app.clearRange()),
  );
}

function rangeTable(figures) {
  const head = ['', 'Turns', 'Busy', 'Worst lag', 'Callbacks', 'Longest callback'];
  const cell = (text, kind) => element('td', { class: kind ?? 'number' }, text);
  return element(
    'table',
    { id: 'range-table' },
    element('thead', {}, element('tr', {}, ...head.map((h) => element('th', { scope: 'col' }, h)))),
    element(
      'tbody',
      {},
      ...figures.loops.map((loop) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, loop.name),
          cell(formatCount(loop.turns)),
          cell(formatShare(loop.utilisation)),
          cell(formatDuration(loop.worst)),
          cell(formatCount(loop.callbacks)),
          cell(loop.longest ? `${loop.longest}, ${formatDuration(loop.longestTook)}` : '', 'text'),
        ),
      ),
    ),
  );
}

function rangeDetails(app) {
  const { range, model } = app;
  const size = range.to - range.from;
  const figures = rangeFigures(model, range);
  const more = [];
  if (figures.works) {
    const together = formatDuration(figures.worked);
    more.push(['work on the pool', `${plural(figures.works, 'piece')}, together ${together}`]);
  }
  if (figures.lateTimers) {
    const worst = formatDuration(figures.latest);
    more.push(['late timers', `${formatCount(figures.lateTimers)}, at worst ${worst}`]);
  }
  if (figures.waiting) more.push(['waited for a processor', formatDuration(figures.waiting)]);
  return [
    element(
      'div',
      { class: 'range-head' },
      element('strong', {}, `${formatDuration(size)} chosen`),
      element(
        'span',
        { class: 'muted' },
        `${formatTime(range.from, size / 1000)} to ${formatTime(range.to, size / 1000)}`,
      ),
      rangeButtons(app),
    ),
    figures.loops.length
      ? element('div', { class: 'scroll' }, rangeTable(figures))
      : element('p', { class: 'muted' }, 'No loop turned in it.'),
    more.length ? facts(more) : '',
  ];
}

export function showSelection(app) {
  const { model, selected, range } = app;
  const parts = [];
  if (selected >= 0) parts.push(...rowDetails(model, selected));
  if (range) parts.push(...rangeDetails(app));
  if (!parts.length) {
    parts.push(element('p', { class: 'muted' }, model.rows.count ? HINT : NOTHING));
  }
  byId('details').replaceChildren(...parts);
}
