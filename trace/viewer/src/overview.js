// The parts of the page that say what the trace was like as a whole.
import { NO_PHASE, PHASES } from './kinds.js';
import { formatCount, formatDuration, formatMoment, formatShare, plural } from './format.js';
import { byId, element } from './dom.js';
import { exitText, loopLabel, rowKind, rowTitle, splitPlace } from './describe.js';
import { poolFigures, sentencesOf } from './summary.js';

// Sentences that are shown at once.
const few = () => (innerHeight < 700 ? 2 : 4);

function showTitle(model) {
  const { head } = model;
  const program = head.program || 'Phasor trace';
  // Where a file lies is seldom what tells one recording from another, and takes much room.
  const short = program.replace(/(^|\s)\/\S*\/(?=\S)/g, '$1');
  document.title = `${short} · Phasor`;
  byId('title').textContent = short;
  byId('title').title = program;
  const { processes } = head;
  const [one] = processes;
  byId('meta').textContent = [
    processes.length > 1
      ? plural(processes.length, 'process', 'processes')
      : one && `pid ${one.pid}`,
    processes.length === 1 && exitText(one.exit),
    head.startedAt &&
      new Date(head.startedAt).toISOString().replace('T', ' ').slice(0, 16) + ' UTC',
    formatDuration(model.end - model.begin),
    plural(head.events ?? model.rows.count - model.shares.size, 'event'),
  ]
    .filter(Boolean)
    .join(' · ');
}

// There, as large as the screen, with its stacks; the address leads there, too.
function goTo(app, { row, start, track }) {
  const loop = app.model.tracks[track];
  if (row !== undefined) {
    app.select(row);
    app.showRow(row, true);
    app.rangeHere();
  } else {
    if (loop && app.model.loops.includes(loop)) app.chooseLoop(loop);
    app.view.span(start, start + 1e7, 2);
  }
}

// What the report says is worth most stands out: who it was, and for how long.
function weighed({ text, strong = [] }) {
  const parts = [];
  let rest = text;
  for (const part of strong) {
    const at = rest.indexOf(part);
    if (at < 0) continue;
    parts.push(rest.slice(0, at), element('strong', {}, part));
    rest = rest.slice(at + part.length);
  }
  return [...parts, rest];
}

function showSentences(app, sentences) {
  const list = byId('sentences');
  const item = (one) => {
    const leads = one.row !== undefined || one.start !== undefined;
    const attributes = { type: 'button', class: 'link', onclick: () => goTo(app, one) };
    const text = weighed(one);
    const quiet = text.length > 1 ? { class: 'weighed' } : {};
    return element('li', quiet, ...(leads ? [element('button', attributes, ...text)] : text));
  };
  const more = sentences.slice(few());
  list.replaceChildren(...sentences.slice(0, few()).map(item));
  if (more.length < 2) {
    list.append(...more.map(item));
    return;
  }
  const button = element('button', { type: 'button', class: 'more' }, `${more.length} more`);
  const last = element('li', {}, button);
  button.addEventListener('click', () => last.replaceWith(...more.map(item)));
  list.append(last);
}

const columnHead = (text) => element('th', { scope: 'col' }, text);

// Several loops: one line each, with a button that shows the loop.
function showLoops(app) {
  const { loops } = app.model;
  const box = byId('loops');
  box.hidden = loops.length < 2;
  byId('figures').hidden = loops.length > 1;
  if (box.hidden) return;
  const head = ['Loop', 'Busy', 'Turns', 'Median lag', '99th', 'Worst'];
  const number = (text) => element('td', { class: 'number' }, text);
  const line = (track, i) => {
    const { utilisation, iterations, lag } = app.figures.get(track);
    const choose = () => {
      app.chooseLoop(track);
      app.showWorst();
    };
    const gauge = element('i', { style: `width: ${(utilisation * 100).toFixed(1)}%` });
    const name = loopLabel(app.model, track);
    return element(
      'tr',
      { 'data-loop': i },
      element(
        'th',
        { scope: 'row' },
        element(
          'button',
          { type: 'button', onclick: choose, title: threadTitle(app, track) },
          name,
        ),
      ),
      element(
        'td',
        { class: 'number' },
        formatShare(utilisation),
        element('span', { class: 'gauge', 'aria-hidden': 'true' }, gauge),
      ),
      number(formatCount(iterations)),
      number(formatDuration(lag.median)),
      number(formatDuration(lag.high)),
      number(formatDuration(lag.worst)),
    );
  };
  const lines = loops.map(line);
  const idle = loops.map((track) => app.figures.get(track).iterations === 0);
  const folded = lines.filter((_, i) => idle[i]);
  box.replaceChildren(
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map(columnHead))),
      element('tbody', {}, ...(folded.length > 1 ? lines.filter((_, i) => !idle[i]) : lines)),
    ),
  );
  if (folded.length > 1) box.append(foldedLoops(box, folded));
}

// Loops that did nothing: one line until somebody wants to see them.
function foldedLoops(box, lines) {
  const text = `${lines.length} loops that did not turn`;
  const button = element('button', { type: 'button', class: 'more' }, text);
  button.addEventListener('click', () => {
    box.querySelector('tbody').append(...lines);
    button.remove();
  });
  return button;
}

function threadTitle(app, track) {
  const process = app.model.head.processes[track.process];
  const parts = [process && `process ${process.pid}`, track.tid > 0 && `thread ${track.tid}`];
  return parts.filter(Boolean).join(', ');
}

function showFigures(loop) {
  const figure = (label, value, note = '') =>
    element(
      'div',
      {},
      element('dt', {}, label),
      element('dd', {}, value, note && element('small', {}, note)),
    );
  const gauge = element(
    'div',
    { class: 'gauge', 'aria-hidden': 'true' },
    element('i', { style: `width: ${(loop.utilisation * 100).toFixed(1)}%` }),
  );
  const busy = figure('Utilisation', loop.iterations ? formatShare(loop.utilisation) : '–');
  busy.append(gauge);
  const lag = (value) => (loop.iterations ? formatDuration(value) : '–');
  byId('figures').replaceChildren(
    busy,
    figure('Iterations', formatCount(loop.iterations)),
    figure('Median lag', lag(loop.lag.median)),
    figure('99th percentile', lag(loop.lag.high)),
    figure('Worst lag', lag(loop.lag.worst)),
  );
}

function showLongest(app, loop) {
  const { model } = app;
  const most = loop.longest.length ? model.rows.duration[loop.longest[0]] : 1;
  byId('longest').replaceChildren(
    ...loop.longest.map((row) => {
      const [name, place] = splitPlace(rowTitle(model, row));
      const took = model.rows.duration[row];
      const phase = model.phaseOf[row];
      const colour = phase === NO_PHASE ? 'var(--none)' : `var(--phase-${PHASES[phase].name})`;
      return element(
        'li',
        {},
        element(
          'button',
          {
            type: 'button',
            onclick: () => app.select(row),
            style: `--part: ${took / most}; --colour: ${colour}`,
          },
          element('span', { class: 'name' }, name),
          element('span', { class: 'time' }, formatDuration(took)),
          element(
            'span',
            { class: 'what' },
            [
              rowKind(model, row).replace(' callback', ''),
              place,
              `at ${formatMoment(model.rows.start[row])}`,
            ]
              .filter(Boolean)
              .join(' · '),
          ),
        ),
      );
    }),
  );
  if (!loop.longest.length) {
    byId('longest').append(element('li', { class: 'empty' }, 'No callback was recorded.'));
  }
}

function showPhaseTimes(loop) {
  const times = loop.phaseTimes;
  const most = Math.max(1, ...times);
  const line = (name, time, part, colour) =>
    element(
      'div',
      { class: 'bar-line' },
      element('span', { class: 'bar-name' }, name),
      element(
        'span',
        { class: 'track' },
        element('i', { style: `width: ${(part * 100).toFixed(2)}%; --colour: ${colour}` }),
      ),
      element('span', { class: 'time' }, formatDuration(time)),
    );
  byId('phase-times').replaceChildren(
    ...PHASES.map((phase, i) =>
      line(phase.name, times[i], times[i] / most, `var(--phase-${phase.name})`),
    ),
    element(
      'p',
      { class: 'muted' },
      `and ${formatDuration(loop.waited)} asleep in poll` +
        (loop.outside > 0 ? `, ${formatDuration(loop.outside)} outside of the loop` : ''),
    ),
  );
}

function showWaiting(loop, requests) {
  const facts = [];
  const add = (label, values, none) => {
    facts.push(
      element('dt', {}, label),
      element(
        'dd',
        {},
        values.count
          ? `${formatDuration(values.median)} median · ${formatDuration(values.high)} 99th · ` +
              `${formatDuration(values.worst)} worst`
          : none,
      ),
    );
  };
  if (loop.processor?.known) {
    const { on, waitedFor } = loop.processor;
    facts.push(
      element('dt', {}, 'The thread was on a processor'),
      element('dd', {}, `${formatDuration(on)}, and waited ${formatDuration(waitedFor)} for one`),
    );
  }
  add('Timers were late by', loop.lateness, 'no timer ran');
  add('Work waited for a thread', requests.queued, 'no work went to the pool');
  if (requests.worked.count) add('Work took', requests.worked);
  if (requests.returned.count) add('Results waited for the loop', requests.returned);
  byId('waiting').replaceChildren(...facts);
}

// What is said of the recording as a whole.
export function showRecording(app) {
  const { model } = app;
  showTitle(model);
  showSentences(app, sentencesOf(model));
  showLoops(app);
}

// The figures of the app's loop.
export function showLoop(app) {
  const loop = app.loopFigures;
  app.requestFigures = poolFigures(app.model, app.track.process);
  showFigures(loop);
  showLongest(app, loop);
  showPhaseTimes(loop);
  showWaiting(loop, app.requestFigures);
  const at = String(app.model.loops.indexOf(app.track));
  for (const line of byId('loops').querySelectorAll('tbody tr')) {
    line.toggleAttribute('aria-current', line.dataset.loop === at);
  }
}
