'use strict';
// The page with programs in it; with their recordings, it needs no server.

const fs = require('fs');
const path = require('path');

const MARK = '<!-- phasor:data -->\n';
// Around what a page without a server has no use for: the editor and the lessons.
const LIVE = '<!-- phasor:live -->\n';
let template;

const home = path.dirname(__dirname);

function readTemplate(live) {
  template ??= fs.readFileSync(path.join(home, 'page.html'), 'utf8');
  const parts = template.split(LIVE);
  return parts.filter((part, i) => live || i % 2 === 0).join('').split(MARK);
}

// No text in it can end the block that it is in.
function quoted(value) {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

// What the page knows of a program; with its recording, of runWorld, it asks no server.
function dataOf({ source, name, language }, recording) {
  return { source, name, language, lines: recording?.lines, status: recording?.status,
    said: recording?.said, error: recording?.error };
}

// programs: [{ program, recording }], the first of which is shown first.
function writePage({ programs, seed, words, live = false }) {
  const all = programs.map(({ program, recording }) => dataOf(program, recording));
  const data = { live, seed, words, ...all[0], others: all.slice(1) };
  const [before, after] = readTemplate(live);
  const block = `<script type="application/json" id="play-data">${quoted(data)}</script>\n`;
  return before + block + after;
}

module.exports = { writePage };
