// A page that `phasor top --html` serves: fetches the newest moments again and again.
import { byId, element } from './dom.js';
import { buildModel } from './model.js';
import { readTrace } from './data.js';

const BETWEEN = 1000; // ms
const MOST_MISSES = 3; // in a row, after which the program is taken to have ended

async function fetchTrace() {
  const answer = await fetch('data', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return readTrace(new DOMParser().parseFromString(await answer.text(), 'text/html'));
}

export function startLive(app) {
  if (!byId('trace-live')) return;
  let paused = false;
  let misses = 0;
  const button = element('button', { type: 'button', id: 'live', 'aria-pressed': 'true' }, 'Live');
  button.title = 'Follow what happens (p)';
  byId('theme').before(button);
  app.showAll();
  const show = (text) => {
    button.textContent = text;
    button.setAttribute('aria-pressed', String(text === 'Live'));
  };
  const next = async () => {
    if (!paused && !app.turn.playing && !app.range) {
      try {
        const trace = await fetchTrace();
        misses = 0;
        if (trace && !paused) app.replace(buildModel(trace));
        show(paused ? 'Paused' : 'Live');
      } catch {
        if (++misses >= MOST_MISSES) {
          show('Ended');
          return;
        }
      }
    }
    setTimeout(next, BETWEEN);
  };
  button.addEventListener('click', () => {
    paused = !paused;
    show(paused ? 'Paused' : 'Live');
  });
  setTimeout(next, BETWEEN);
}
