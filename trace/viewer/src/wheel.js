// The wheel: seven phases round a circle for one iteration, with a hand. The outer ring is a map
// (each phase has an equal place, so that short ones can be seen); the thin inner ring is true to
// time.
import { NO_PHASE, PHASES } from './kinds.js';
import { formatCount, formatDuration } from './format.js';
import { svgElement } from './dom.js';

const CENTRE = 200;
const SECTOR = 360 / PHASES.length;
const GAP = 1.2;
const RING = { inner: 132, outer: 164 };
const TRUE_RING = { inner: 98, outer: 108 };
const DOTS = 120;
const MOST_DOTS = 12;

// Degrees clockwise from the top.
function point(angle, radius) {
  const turn = ((angle - 90) * Math.PI) / 180;
  return [CENTRE + radius * Math.cos(turn), CENTRE + radius * Math.sin(turn)];
}

function arc(from, to, radius, reverse = false) {
  const [x0, y0] = point(reverse ? to : from, radius);
  const [x1, y1] = point(reverse ? from : to, radius);
  const large = to - from > 180 ? 1 : 0;
  return `${x0} ${y0} A ${radius} ${radius} 0 ${large} ${reverse ? 0 : 1} ${x1} ${y1}`;
}

function sector(from, to, inner, outer) {
  const end = Math.min(to, from + 359.9);
  return `M ${arc(from, end, outer)} L ${arc(from, end, inner, true)} Z`;
}

export class Wheel {
  constructor(svg) {
    this.svg = svg;
    this.sectors = PHASES.map((phase, index) => this.drawPhase(phase, index));
    this.trueRing = svgElement('g', { class: 'true-ring' });
    this.dots = svgElement('g', { class: 'dots' });
    this.hand = svgElement(
      'g',
      { class: 'hand' },
      svgElement('line', { x1: CENTRE, y1: CENTRE - 62, x2: CENTRE, y2: CENTRE - RING.inner + 2 }),
      svgElement('circle', { cx: CENTRE, cy: CENTRE - 62, r: 3.5 }),
    );
    const text = (y, kind) =>
      svgElement('text', { x: CENTRE, y, class: kind, 'text-anchor': 'middle' });
    this.above = text(CENTRE - 26, 'dial-small');
    this.number = text(CENTRE + 8, 'dial-number');
    this.below = text(CENTRE + 30, 'dial-small');
    svg.append(
      svgElement('circle', { cx: CENTRE, cy: CENTRE, r: 103, class: 'true-back' }),
      this.trueRing,
      this.hand,
      this.dots,
      this.above,
      this.number,
      this.below,
    );
  }

  drawPhase(phase, index) {
    const from = index * SECTOR + GAP;
    const to = (index + 1) * SECTOR - GAP;
    const middle = (from + to) / 2;
    const upsideDown = middle > 90 && middle < 270;
    const id = `arc-${phase.name}`;
    const baseline = upsideDown ? 152.5 : 143.5;
    const group = svgElement('g', { class: 'sector', 'data-phase': phase.name });
    const [x, y] = point(middle, RING.outer + 12);
    const aside = Math.sin((middle * Math.PI) / 180);
    const anchor = aside > 0.4 ? 'start' : aside < -0.4 ? 'end' : 'middle';
    const label = svgElement('text', { class: 'sector-time', x, y: y + 4, 'text-anchor': anchor });
    group.append(
      svgElement('title', {}, `${phase.name}: ${phase.about}`),
      svgElement('path', {
        d: sector(from, to, RING.inner, RING.outer),
        class: 'sector-shape',
        style: `--colour: var(--phase-${phase.name})`,
      }),
      svgElement('path', { id, d: `M ${arc(from, to, baseline, upsideDown)}`, fill: 'none' }),
      svgElement(
        'text',
        { class: 'sector-name', 'text-anchor': 'middle' },
        svgElement('textPath', { href: `#${id}`, startOffset: '50%' }, phase.name),
      ),
      label,
    );
    this.svg.append(group);
    return { group, label };
  }

  // iteration: { number, duration, phases } as from phasesOfIteration; null for none.
  show(iteration) {
    const times = PHASES.map(() => 0);
    const calls = PHASES.map(() => []);
    for (const part of iteration?.phases ?? []) {
      times[part.phase] += part.end - part.start;
      calls[part.phase].push(...part.callbackRows);
    }
    this.sectors.forEach(({ group, label }, phase) => {
      group.classList.toggle('busy', calls[phase].length > 0);
      label.textContent = times[phase] > 0 ? formatDuration(times[phase]) : '';
    });
    this.showTrueRing(iteration);
    this.showDots(calls);
    this.above.textContent = iteration?.label ?? '';
    this.number.textContent = iteration?.number === undefined ? '–' : formatCount(iteration.number);
    this.number.classList.toggle('long', (this.number.textContent.length ?? 0) > 6);
    this.below.textContent = iteration ? formatDuration(iteration.duration) : '';
  }

  showTrueRing(iteration) {
    this.trueRing.replaceChildren();
    if (!iteration || !(iteration.duration > 0)) return;
    const angle = (time) => ((time - iteration.start) / iteration.duration) * 360;
    const add = (from, to, phase, kind) => {
      const path = sector(from, Math.max(to, from + 0.4), TRUE_RING.inner, TRUE_RING.outer);
      this.trueRing.append(
        svgElement('path', {
          d: path,
          class: kind,
          style: `--colour: var(--phase-${PHASES[phase].name})`,
        }),
      );
    };
    for (const part of iteration.phases) {
      add(angle(part.start), angle(part.end), part.phase, 'true-phase');
      if (part.wait) add(angle(part.wait.start), angle(part.wait.end), part.phase, 'true-wait');
    }
  }

  showDots(calls) {
    this.dots.replaceChildren();
    calls.forEach((rows, phase) => {
      const shown = Math.min(rows.length, MOST_DOTS);
      for (let i = 0; i < shown; i++) {
        const row = rows[Math.floor((i * rows.length) / shown)];
        const [cx, cy] = point((phase + row.part) * SECTOR, DOTS);
        // From 3.5 for a microsecond to 8 for a tenth of a second.
        const r = Math.min(8, 3.5 + 0.9 * Math.max(0, Math.log10(row.duration / 1000)));
        this.dots.append(
          svgElement(
            'circle',
            {
              cx,
              cy,
              r,
              class: 'dot',
              'data-row': row.row,
              style: `--colour: var(--phase-${PHASES[phase].name})`,
            },
            svgElement('title', {}, `${row.title}, ${formatDuration(row.duration)}`),
          ),
        );
      }
    });
  }

  // Points the hand at a part (0 to 1) of a phase; lit: something happens there.
  point(phase, part, lit = true) {
    const shown = phase !== NO_PHASE;
    this.hand.classList.toggle('gone', !shown);
    if (shown)
      this.hand.setAttribute(
        'transform',
        `rotate(${(phase + Math.min(1, Math.max(0, part))) * SECTOR} ${CENTRE} ${CENTRE})`,
      );
    this.sectors.forEach(({ group }, index) =>
      group.classList.toggle('now', lit && index === phase),
    );
  }

  markRow(row) {
    for (const dot of this.dots.children)
      dot.classList.toggle('now', dot.dataset.row === String(row));
  }
}
