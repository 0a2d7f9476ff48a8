'use strict';
// The same program on others: the machine's node, and a browser without a window.

const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');
const { makeFolder, removeFolder, environment } = require('./program');

const SECONDS = 10;
const MOST_BYTES = 200000;

function find(names) {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    for (const name of names) {
      if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
    }
  }
  return undefined;
}

function collect(command, place, limit = SECONDS) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd: place.home, env: environment(place),
      stdio: ['ignore', 'pipe', 'pipe'] });
    const text = { out: '', err: '' };
    let why;
    const stop = (reason) => {
      why ??= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('time'), limit * 1000);
    for (const [name, stream] of [['out', child.stdout], ['err', child.stderr]]) {
      stream.setEncoding('utf8').on('data', (part) => {
        text[name] += part;
        if (text[name].length > MOST_BYTES) stop('output');
      });
    }
    child.on('error', (error) => resolve({ error: error.message }));
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ text: text.out, errors: text.err, status, stopped: why });
    });
  });
}

async function runNode(program) {
  const node = find(['node', 'nodejs']);
  if (node === undefined) return { error: 'no-node' };
  if (program.language !== 'js') return { error: 'not-js' };
  const place = makeFolder(program);
  try {
    const version = (await collect([node, '--version'], place)).text?.trim();
    return { version, ...await collect([node, place.file], place) };
  } finally {
    removeFolder(place);
  }
}

// What console.log writes of a value, for whoever compares it with what Node writes: this runs in
// the browser.
function shapeOf(value, depth = 0) {
  if (typeof value === 'string') return depth === 0 ? value : `'${value}'`;
  if (typeof value === 'function') {
    return value.name === '' ? '[Function (anonymous)]' : `[Function: ${value.name}]`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Error || value instanceof Date) return String(value);
  const isArray = Array.isArray(value);
  if (depth > 2) return isArray ? '[Array]' : '[Object]';
  const parts = isArray ? value.map((one) => shapeOf(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${name}: ${shapeOf(one, depth + 1)}`);
  const [open, close] = isArray ? '[]' : '{}';
  return parts.length === 0 ? open + close : `${open} ${parts.join(', ')} ${close}`;
}

// A page whose console is its text. What a browser lacks fails there as it would in any page.
function browserPage({ source, name }) {
  const isModule = name.endsWith('.mjs') || /^\s*(import|export)\b/m.test(source);
  const script = source.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--');
  return `<!DOCTYPE html><meta charset="utf-8"><pre id="console"></pre><script>
const shown = document.getElementById('console');
${shapeOf}
const show = (...all) => {
  shown.textContent += all.map((one) => shapeOf(one)).join(' ') + '\\n';
};
console.log = console.info = console.warn = console.error = show;
addEventListener('error', (event) => show(event.message ??
  'Uncaught TypeError: what the module imports is not in a browser'), true);
addEventListener('unhandledrejection', (event) => show('Uncaught (in promise) ' + event.reason));
</script><script${isModule ? ' type="module"' : ''}>
${script}
</script>`;
}

function unescapeHtml(text) {
  const signs = { lt: '<', gt: '>', amp: '&', nbsp: '\u00a0', quot: '"' };
  return text.replace(/&(lt|gt|amp|nbsp|quot);/g, (whole, name) => signs[name]);
}

async function runBrowser(program) {
  const browser = find(['chromium', 'chromium-browser', 'google-chrome']);
  if (browser === undefined) return { error: 'no-browser' };
  if (program.language !== 'js') return { error: 'not-js' };
  const place = makeFolder({ source: browserPage(program), name: 'page.html' });
  try {
    const ended = await collect([browser, '--headless', '--no-sandbox', '--disable-gpu',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--disable-dev-shm-usage', '--no-first-run', `--user-data-dir=${place.folder}/profile`,
      '--virtual-time-budget=60000', '--dump-dom', `file://${place.file}`], place, SECONDS * 2);
    if (ended.stopped !== undefined) return { stopped: ended.stopped };
    const found = /<pre id="console">([^]*?)<\/pre>/.exec(ended.text ?? '');
    if (found === null) return { error: 'browser-failed' };
    return { text: unescapeHtml(found[1]), status: ended.status };
  } finally {
    removeFolder(place);
  }
}

module.exports = { runNode, runBrowser };
