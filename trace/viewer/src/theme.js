// Dark and light: the system's choice until someone presses the button. Canvases need the colours
// as values, so they are read from the style sheet once per change.
import { PHASES } from './kinds.js';
import { HEAT } from './heat.js';

let colours = null;

function currentTheme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function palette() {
  if (!colours) {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(`--${name}`).trim();
    colours = {
      ink: read('ink'),
      muted: read('muted'),
      line: read('line'),
      card: read('card'),
      faint: read('faint'),
      accent: read('accent'),
      none: read('none'),
      work: read('work'),
      alarm: read('alarm'),
      band: read('band'),
      chosen: read('chosen'),
      rule: read('rule'),
      onphase: read('onphase'),
      phases: PHASES.map((phase) => read(`phase-${phase.name}`)),
      heat: HEAT.map((step) => read(`heat-${step.name}`)),
      font: style.getPropertyValue('--sans'),
    };
  }
  return colours;
}

export function toggleTheme() {
  document.documentElement.dataset.theme = currentTheme() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('phasor-theme', document.documentElement.dataset.theme);
  } catch {
    // A page from a file may have no storage: then the choice lasts as long as the page.
  }
}

export function startTheme(onChange) {
  try {
    const kept = localStorage.getItem('phasor-theme');
    if (kept) document.documentElement.dataset.theme = kept;
  } catch {
    // As above.
  }
  const changed = () => {
    colours = null;
    onChange();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  new MutationObserver(changed).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme'],
  });
}
