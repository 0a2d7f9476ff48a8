// The keyboard. Everything that the mouse can do has a key.
import { byId, element } from './dom.js';

// [keys, what they do, action]
function bindings(app) {
  return [
    [['ArrowRight', '.'], 'next iteration', () => app.step(app.index + 1)],
    [['ArrowLeft', ','], 'previous iteration', () => app.step(app.index - 1)],
    [['ArrowDown', 'j'], 'next callback in it', () => app.nextEntry(1)],
    [['ArrowUp', 'k'], 'previous callback', () => app.nextEntry(-1)],
    [['Home'], 'first iteration', () => app.step(app.firstIndex())],
    [['End'], 'last iteration', () => app.step(Infinity)],
    [[' '], 'play or pause', () => app.turn.toggle()],
    [['w'], 'next worst lag', () => app.worst(1)],
    [['W'], 'worst lag before', () => app.worst(-1)],
    [['+', '='], 'zoom in', () => app.zoom(0.5, undefined, true)],
    [['-'], 'zoom out', () => app.zoom(2, undefined, true)],
    [['Shift+ArrowRight', 'd'], 'move right', () => app.pan(0.25, true)],
    [['Shift+ArrowLeft', 'a'], 'move left', () => app.pan(-0.25, true)],
    [['Shift+ArrowDown'], 'scroll the rows down', () => app.scroll(40)],
    [['Shift+ArrowUp'], 'scroll the rows up', () => app.scroll(-40)],
    [['f'], 'show this iteration', () => app.showTurn()],
    [['Enter', 'z'], 'zoom to the selection', () => app.showRow(app.selected, true)],
    [['0'], 'show everything', () => app.showAll()],
    [['r'], 'choose its time as a range', () => app.rangeHere()],
    [['c'], 'colour by time or phase', () => app.changeColour()],
    [['p'], 'pause a live page', () => byId('live')?.click()],
    [['/'], 'search', () => app.focusSearch()],
    [['n'], 'next match', () => app.search.go(1)],
    [['N'], 'previous match', () => app.search.go(-1)],
    [['l'], 'other loop', () => app.otherLoop()],
    [['v'], 'the timeline as a table', () => app.table.toggle()],
    [['t'], 'dark or light', () => app.toggleTheme()],
    [['?'], 'this help', () => byId('help').showModal()],
    [['Escape'], 'no range, no selection', () => app.clearRange()],
  ];
}

const SIGNS = { ArrowRight: '→', ArrowLeft: '←', ArrowDown: '↓', ArrowUp: '↑', ' ': 'space' };

function keyName(key) {
  return (
    key
      .split('+')
      .map((part) => SIGNS[part] ?? part)
      .join(' ') || '+'
  );
}

function nameOf(event) {
  const arrow = event.key.startsWith('Arrow');
  return event.shiftKey && arrow ? `Shift+${event.key}` : event.key;
}

// A key pressed on a control belongs to that control.
function isTaken(event) {
  const { target } = event;
  if (target.closest('input, select, textarea, dialog[open]')) return true;
  if (target.closest('button, a') && (event.key === ' ' || event.key === 'Enter')) return true;
  return target.closest('.table') && event.key.startsWith('Arrow');
}

export function startKeys(app) {
  const list = bindings(app);
  const actions = new Map(list.flatMap(([keys, , action]) => keys.map((key) => [key, action])));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    const action = actions.get(nameOf(event));
    if (!action) return;
    event.preventDefault();
    action();
  });
  byId('help-keys').replaceChildren(
    ...list.map(([keys, what]) =>
      element(
        'div',
        {},
        element(
          'span',
          { class: 'caps' },
          ...keys.map((key) => element('kbd', {}, key === '+' ? '+' : keyName(key))),
        ),
        element('span', {}, what),
      ),
    ),
  );
  byId('help-open').addEventListener('click', () => byId('help').showModal());
}
