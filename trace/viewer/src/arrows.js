// A request's way: from where it was submitted, to the thread that worked on it, to its callback.

function middle(line, part = 0.5) {
  return line.y + line.height * part;
}

// From and to: [x, y]. On one level the way dips, so that it can be told from what lies beside it.
function drawCurve(context, [x0, y0], [x1, y1]) {
  const bend = Math.max(3, Math.min(120, Math.abs(x1 - x0) / 2));
  const dip = y0 === y1 ? 26 : 0;
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0 + dip, x1 - bend, y1 + dip, x1, y1);
  context.stroke();
  context.save();
  context.translate(x1, y1);
  if (dip) context.rotate(-Math.atan2(dip, bend));
  context.beginPath();
  context.moveTo(1, 0);
  context.lineTo(-6, -3.5);
  context.lineTo(-6, 3.5);
  context.closePath();
  context.fill();
  context.restore();
}

function lineOfTrack(timeline, track, kind) {
  return timeline.layout.rows.find(
    (line) => line.track?.index === track && line.kind === kind && (line.depth ?? 0) === 0,
  );
}

function drawWay(timeline, number) {
  const { rows, requests } = timeline.app.model;
  const submit = requests.submit[number];
  const work = requests.work[number];
  const callback = requests.callback[number];
  const from = lineOfTrack(timeline, rows.track[submit], 'callbacks');
  const thread = work < 0 ? null : lineOfTrack(timeline, rows.track[work], 'works');
  const back = callback < 0 ? null : lineOfTrack(timeline, rows.track[callback], 'callbacks');
  const place = (time, line, part) => [timeline.xOf(time), middle(line, part)];
  const left = from && place(rows.start[submit], from, 1);
  const arrived = back && place(rows.start[callback], back, 1);
  const { context } = timeline;
  if (thread) {
    const end = rows.start[work] + rows.duration[work];
    if (left) drawCurve(context, left, place(rows.start[work], thread));
    if (arrived) drawCurve(context, place(end, thread), arrived);
  } else if (left && arrived) {
    drawCurve(context, left, arrived);
  }
}

const MOST_SENDS = 80;

// The callback that a send led to: the handle's next one on the loop that was woken; -1: none.
function answerOf(model, row) {
  const { rows } = model;
  const lane = model.tracks[rows.track[row]].callbacks[0];
  if (!lane) return -1;
  const first = Math.max(0, lane.at(rows.start[row]));
  for (let i = first; i < Math.min(lane.count, first + 200); i++) {
    const same = rows.subject[lane.ref[i]] === rows.subject[row];
    if (lane.start[i] >= rows.start[row] && same) return lane.ref[i];
  }
  return -1;
}

// uv_async_send from one thread to the loop of another: from the sender to the callback.
export function drawSends(timeline) {
  const { context, colours, app } = timeline;
  const { rows, tracks } = app.model;
  const { view } = app;
  const seen = [];
  for (const { wakes } of tracks) {
    for (let i = wakes.at(view.from) + 1; i < wakes.count && wakes.start[i] <= view.to; i++) {
      if (seen.push(wakes.ref[i]) > MOST_SENDS) return;
    }
  }
  context.save();
  context.beginPath();
  context.rect(timeline.left, timeline.top, timeline.width, timeline.canvas.clientHeight);
  context.clip();
  for (const row of seen) {
    const answer = answerOf(app.model, row);
    const sender = rows.value[row];
    const lane = tracks[sender].kind === 'pool' ? 'works' : 'callbacks';
    const from = lineOfTrack(timeline, sender, lane);
    const to = lineOfTrack(timeline, rows.track[row], answer < 0 ? 'instants' : 'callbacks');
    if (!from || !to) continue;
    const chosen = [app.selected, app.hovered?.row ?? -1].filter((one) => one >= 0);
    const strong = chosen.includes(row) || chosen.includes(answer);
    context.strokeStyle = context.fillStyle = strong ? colours.ink : colours.accent;
    context.globalAlpha = strong ? 1 : 0.55;
    context.lineWidth = strong ? 1.5 : 1;
    const until = rows.start[answer < 0 ? row : answer];
    const down = to.y > from.y;
    drawCurve(
      context,
      [timeline.xOf(rows.start[row]), middle(from, down ? 1 : 0)],
      [timeline.xOf(until), middle(to, down ? 0 : 1)],
    );
  }
  context.restore();
}

// The ways of these requests through the pool, faint; the selected and the hovered one, strong.
export function drawArrows(timeline, numbers) {
  const { context, colours, app } = timeline;
  const { rows, requests } = app.model;
  const strong = new Set();
  for (const row of [app.selected, app.hovered?.row ?? -1]) {
    const subject = row >= 0 ? rows.subject[row] : 0;
    if (subject && requests.submit[subject] >= 0) strong.add(subject);
  }
  context.save();
  context.beginPath();
  context.rect(timeline.left, timeline.top, timeline.width, timeline.canvas.clientHeight);
  context.clip();
  context.strokeStyle = colours.muted;
  context.fillStyle = colours.muted;
  context.globalAlpha = 0.35;
  for (const number of numbers) {
    if (!strong.has(number) && requests.work[number] >= 0) drawWay(timeline, number);
  }
  context.globalAlpha = 1;
  context.strokeStyle = colours.ink;
  context.fillStyle = colours.ink;
  context.lineWidth = 1.5;
  for (const number of strong) drawWay(timeline, number);
  context.restore();
}
