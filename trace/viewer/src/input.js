// The mouse, pen and finger on the timeline and on the lag chart above it: the wheel zooms,
// dragging chooses a range (with Shift or the middle button, or a finger, it moves), hovering
// tells, a click selects, two fingers zoom.
import { formatCount, formatDuration, formatShare } from './format.js';
import { byId, element } from './dom.js';
import { rowKind, rowTitle } from './describe.js';
import { secondAt } from './seconds.js';

const CLICK = 4; // A press that moves less than this is a click.

export class TimelineInput {
  constructor(timeline, lag, app) {
    this.timeline = timeline;
    this.app = app;
    this.pointers = new Map();
    this.moved = 0;
    for (const canvas of [timeline.canvas, lag]) {
      canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
      canvas.addEventListener('pointerdown', (event) => this.down(event));
      canvas.addEventListener('pointermove', (event) => this.move(event));
      canvas.addEventListener('pointerup', (event) => this.up(event));
      canvas.addEventListener('pointercancel', (event) => this.cancel(event));
      canvas.addEventListener('pointerleave', () => this.hover(null));
    }
    timeline.canvas.addEventListener('dblclick', (event) => this.zoomTo(event));
    lag.addEventListener('dblclick', () => app.showTurn());
  }

  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    const { timeline, app } = this;
    if (event.altKey) {
      timeline.scrollBy(event.deltaY * unit);
      app.redraw();
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      app.pan((event.deltaX || event.deltaY) * unit * timeline.scale);
    } else {
      app.zoom(1.0022 ** (event.deltaY * unit), timeline.timeAt(event.offsetX));
    }
  }

  down(event) {
    event.target.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = 0;
    this.moves = event.shiftKey || event.button === 1 || event.pointerType === 'touch';
    this.began = event.offsetX;
    if (event.button === 1) event.preventDefault();
  }

  move(event) {
    const { timeline, app } = this;
    const old = this.pointers.get(event.pointerId);
    if (!old) {
      this.hover(event);
      return;
    }
    const now = { x: event.offsetX, y: event.offsetY };
    this.moved += Math.abs(now.x - old.x) + Math.abs(now.y - old.y);
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
      const before = Math.max(20, Math.abs(old.x - other.x));
      const after = Math.max(20, Math.abs(now.x - other.x));
      app.zoom(before / after, timeline.timeAt((now.x + other.x) / 2));
    } else if (this.moved >= CLICK && this.moves) {
      app.pan((old.x - now.x) * timeline.scale);
      timeline.scrollBy(old.y - now.y);
      event.target.classList.add('dragged');
    } else if (this.moved >= CLICK) {
      app.dragged = this.rangeTo(now.x);
      app.redraw();
    }
    this.pointers.set(event.pointerId, now);
  }

  rangeTo(x) {
    const { timeline } = this;
    const times = [this.began, x].map((at) => timeline.timeAt(Math.max(timeline.left, at)));
    return { from: Math.min(...times), to: Math.max(...times) };
  }

  cancel(event) {
    this.pointers.delete(event.pointerId);
    this.app.dragged = null;
  }

  up(event) {
    const { app, timeline } = this;
    this.pointers.delete(event.pointerId);
    event.target.classList.remove('dragged');
    const { dragged } = app;
    app.dragged = null;
    if (dragged) app.setRange(dragged.from, dragged.to);
    if (this.moved >= CLICK) return;
    if (event.target === timeline.canvas) {
      app.select(timeline.hit(event.offsetX, event.offsetY)?.row ?? -1, false);
    } else {
      const found = this.stallAt(event.offsetX);
      if (found >= 0) app.select(found, false);
    }
  }

  // The turn, or what ran between two, whose lag stands at this place.
  stallAt(x) {
    const { timeline, app } = this;
    const stalls = app.track?.stalls;
    const at = stalls?.near(timeline.timeAt(x), timeline.scale * 3) ?? -1;
    return at < 0 ? -1 : stalls.ref[at];
  }

  zoomTo(event) {
    const found = this.timeline.hit(event.offsetX, event.offsetY);
    if (found) this.app.showRow(found.row, true);
    else this.app.zoom(0.5, this.timeline.timeAt(event.offsetX), true);
  }

  // What is under the pointer: { row } or { text: [strong, plain] }; null: nothing.
  under(event) {
    const { app, timeline } = this;
    if (!event) return null;
    if (event.target !== timeline.canvas) {
      const row = this.stallAt(event.offsetX);
      return row < 0 ? null : { row };
    }
    const found = timeline.hit(event.offsetX, event.offsetY);
    if (found || !app.track) return found;
    const second = secondAt(app.model, app.track, timeline.timeAt(event.offsetX));
    if (!second) return null;
    const share = second.busy / (second.to - second.from);
    const text = `${formatCount(second.turns)} turns, ${formatShare(share)} busy`;
    return { text: [text, `worst lag ${formatDuration(second.worst)}`] };
  }

  hover(event) {
    const { app } = this;
    const found = this.under(event);
    if (found?.row !== app.hovered?.row) {
      app.hovered = found?.row === undefined ? null : found;
      app.redraw();
    }
    const tip = byId('tip');
    tip.hidden = !found;
    if (!found) return;
    const [strong, plain] = found.text ?? this.words(found);
    tip.replaceChildren(element('strong', {}, strong), element('span', {}, plain));
    const box = byId('timeline-box').getBoundingClientRect();
    const x = Math.min(event.clientX - box.x + 14, box.width - tip.offsetWidth - 4);
    const y = event.clientY - box.y + 18;
    const above = event.clientY + 24 + tip.offsetHeight > innerHeight;
    const top = above ? y - tip.offsetHeight - 30 : y;
    tip.style.transform = `translate(${Math.max(0, x)}px, ${top}px)`;
  }

  words({ row, request }) {
    const { model } = this.app;
    const took = model.rows.duration[row];
    const kind = request ? 'request' : rowKind(model, row);
    const waited = model.shares.get(row)?.waiting ?? 0;
    return [
      rowTitle(model, row),
      kind +
        (took > 0 ? ` · ${formatDuration(took)}` : '') +
        (waited > took / 10 ? ` · ${formatDuration(waited)} of it waiting for a processor` : ''),
    ];
  }
}
