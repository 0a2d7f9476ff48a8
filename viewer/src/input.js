// The mouse, pen and finger on the timeline: wheel zooms, dragging moves, hovering tells, a click
// selects, two fingers zoom.
import { formatDuration } from './format.js';
import { byId, element } from './dom.js';
import { rowKind, rowTitle } from './describe.js';

const CLICK = 4; // A press that moves less than this is a click.

export class TimelineInput {
  constructor(timeline, app) {
    this.timeline = timeline;
    this.app = app;
    this.pointers = new Map();
    this.moved = 0;
    const { canvas } = timeline;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => this.hover(null));
    canvas.addEventListener('dblclick', (event) => this.zoomTo(event));
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
    this.timeline.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = 0;
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
    } else if (this.moved >= CLICK) {
      app.pan((old.x - now.x) * timeline.scale);
      timeline.scrollBy(old.y - now.y);
      timeline.canvas.classList.add('dragged');
    }
    this.pointers.set(event.pointerId, now);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    this.timeline.canvas.classList.remove('dragged');
    if (this.moved >= CLICK) return;
    const found = this.timeline.hit(event.offsetX, event.offsetY);
    this.app.select(found?.row ?? -1, false);
  }

  zoomTo(event) {
    const found = this.timeline.hit(event.offsetX, event.offsetY);
    if (found) this.app.showRow(found.row, true);
  }

  hover(event) {
    const { app, timeline } = this;
    const found = event ? timeline.hit(event.offsetX, event.offsetY) : null;
    if (found?.row !== app.hovered?.row) {
      app.hovered = found;
      app.redraw();
    }
    const tip = byId('tip');
    tip.hidden = !found;
    if (!found) return;
    const { model } = app;
    const took = model.rows.duration[found.row];
    tip.replaceChildren(
      element('strong', {}, rowTitle(model, found.row)),
      element(
        'span',
        {},
        `${found.request ? 'request' : rowKind(model, found.row)}` +
          (took > 0 ? ` · ${formatDuration(took)}` : ''),
      ),
    );
    const box = timeline.canvas.getBoundingClientRect();
    const x = Math.min(event.offsetX + 14, box.width - tip.offsetWidth - 4);
    tip.style.transform = `translate(${Math.max(0, x)}px, ${event.offsetY + 18}px)`;
  }
}
