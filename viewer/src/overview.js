// The parts of the page that say what the trace was like as a whole.
import { NO_PHASE, PHASES } from './kinds.js';
import { formatCount, formatDuration, formatMoment, formatShare, plural } from './format.js';
import { byId, element } from './dom.js';
import { rowKind, rowTitle, splitPlace } from './describe.js';
import { loopSummary, requestSummary, sentencesOf } from './summary.js';

function showTitle(model) {
  const { head } = model;
  const program = head.program || 'Phasor trace';
  // Where a file lies is seldom what tells one recording from another, and takes much room.
  const short = program.replace(/(^|\s)\/\S*\/(?=\S)/g, '$1');
  document.title = `${short} · Phasor`;
  byId('title').textContent = short;
  byId('title').title = program;
  const pids = head.processes.map((process) => process.pid).join(', ');
  byId('meta').textContent = [
    pids && `pid ${pids}`,
    head.startedAt &&
      new Date(head.startedAt).toISOString().replace('T', ' ').slice(0, 16) + ' UTC',
    formatDuration(model.end),
    plural(model.rows.count, 'event'),
  ]
    .filter(Boolean)
    .join(' · ');
}

function showSentences(app, sentences) {
  byId('sentences').replaceChildren(
    ...sentences.map(({ text, row }) =>
      element(
        'li',
        {},
        row === undefined
          ? text
          : element(
              'button',
              { type: 'button', class: 'link', onclick: () => app.select(row) },
              text,
            ),
      ),
    ),
  );
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
  const poll = PHASES.findIndex((phase) => phase.name === 'poll');
  const times = loop.phaseTimes.map((time, phase) =>
    phase === poll ? Math.max(0, time - loop.waited) : time,
  );
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
    element('p', { class: 'muted' }, `and ${formatDuration(loop.waited)} asleep in poll`),
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
  add('Timers were late by', loop.lateness, 'no timer ran');
  add('Work waited for a thread', requests.queued, 'no work went to the pool');
  if (requests.worked.count) add('Work took', requests.worked);
  if (requests.returned.count) add('Results waited for the loop', requests.returned);
  byId('waiting').replaceChildren(...facts);
}

// Shows the figures of the app's loop.
export function showOverview(app) {
  const { model, track } = app;
  app.requestFigures ??= requestSummary(model);
  const loop = loopSummary(model, track);
  app.loopFigures = loop;
  showTitle(model);
  showSentences(app, sentencesOf(model, track, loop, app.requestFigures));
  showFigures(loop);
  showLongest(app, loop);
  showPhaseTimes(loop);
  showWaiting(loop, app.requestFigures);
}
