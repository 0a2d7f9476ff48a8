// A request's way: from where it was submitted, to the thread that worked on it, to its callback.

function middle(line, part = 0.5) {
  return line.y + line.height * part;
}

function drawCurve(context, x0, y0, x1, y1) {
  const bend = Math.max(3, Math.min(120, Math.abs(x1 - x0) / 2));
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1 + 1, y1);
  context.lineTo(x1 - 6, y1 - 3.5);
  context.lineTo(x1 - 6, y1 + 3.5);
  context.closePath();
  context.fill();
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
  const x = (time) => timeline.xOf(time);
  if (from && thread) {
    drawCurve(
      timeline.context,
      x(rows.start[submit]),
      middle(from, 1),
      x(rows.start[work]),
      middle(thread),
    );
  }
  if (thread && back) {
    drawCurve(
      timeline.context,
      x(rows.start[work] + rows.duration[work]),
      middle(thread),
      x(rows.start[callback]),
      middle(back, 1),
    );
  } else if (from && back && work < 0) {
    drawCurve(
      timeline.context,
      x(rows.start[submit]),
      middle(from, 1),
      x(rows.start[callback]),
      middle(back, 1),
    );
  }
}

// The ways of these requests, faint; the selected and the hovered one, strong.
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
  for (const number of numbers) if (!strong.has(number)) drawWay(timeline, number);
  context.globalAlpha = 1;
  context.strokeStyle = colours.ink;
  context.fillStyle = colours.ink;
  context.lineWidth = 1.5;
  for (const number of strong) drawWay(timeline, number);
  context.restore();
}
