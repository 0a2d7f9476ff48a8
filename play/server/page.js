'use strict';
// The page with a program in it; with its recording, it needs no server.

const fs = require('fs');
const path = require('path');

const MARK = '<!-- phasor:data -->\n';
// Around the editor, which a page without a server has no use for.
const EDITOR = '<!-- phasor:editor -->\n';
let template;

const home = path.dirname(__dirname);

function readTemplate() {
  template ??= fs.readFileSync(path.join(home, 'page.html'), 'utf8').split(MARK);
  return template;
}

// No text in it can end the block that it is in.
function quoted(value) {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

// recording: of runWorld, or undefined for a page that asks its server.
function writePage({ program, seed, recording, words, live = false }) {
  const { source, name, language } = program;
  const data = { live, source, name, language, seed, words,
    lines: recording?.lines, status: recording?.status, said: recording?.said,
    error: recording?.error };
  const [before, after] = readTemplate();
  const block = `<script type="application/json" id="play-data">${quoted(data)}</script>\n`;
  const [script, editor, rest] = after.split(EDITOR);
  return before + block + script + (live ? editor : '') + rest;
}

module.exports = { writePage };
