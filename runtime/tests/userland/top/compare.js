'use strict';
// compare.js PHASOR PAGE [NAME...]: runs each program with Node and with phasor, compares what
// they print, and writes the list of docs/NPM.md into PAGE ("-": nowhere).

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

const [phasor, page, ...names] = process.argv.slice(2);
const LIMIT = 120_000;
const BEGIN = '<!-- programs -->';
const END = '<!-- end of programs -->';

function run(program, name) {
  return new Promise((done) => {
    const env = { ...process.env };
    for (const one of ['NODE_OPTIONS', 'NODE_PATH', 'FORCE_COLOR', 'NO_COLOR', 'CI'])
      delete env[one];
    const child = spawn(program, ['run.js', name], {
      cwd: __dirname,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT,
    });
    let printed = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('close', (code, signal) => {
      const text = printed
        .replaceAll(path.dirname(process.execPath), 'BIN')
        .replaceAll(program, 'RUNTIME')
        .replace(/top-\w{6}/g, 'FOLDER');
      done({ text: `${text}exit ${code ?? signal}\n`, errors, failed: code !== 0 });
    });
  });
}

// The first lines that differ.
function difference(first, second) {
  const [a, b] = [first.split('\n'), second.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  return { node: a.slice(at, at + 3).join('\n'), phasor: b.slice(at, at + 3).join('\n') };
}

async function compare(name) {
  const node = await run(process.execPath, name);
  const ours = await run(phasor, name);
  const isSame = node.text === ours.text;
  console.log(
    `${name.padEnd(40)} ${isSame ? 'same' : 'DIFFERS'}${node.failed ? ' (fails with Node)' : ''}`,
  );
  if (!isSame) {
    const { node: a, phasor: b } = difference(node.text, ours.text);
    console.log(
      `--- node\n${a}\n+++ phasor\n${b}\n${ours.errors.split('\n').slice(0, 8).join('\n')}`,
    );
  }
  return { name, isSame, failsWithNode: node.failed };
}

function pageText(results) {
  const same = results.filter((one) => one.isSame);
  const differ = results.filter((one) => !one.isSame);
  const { dependencies } = JSON.parse(
    fs.readFileSync(path.join(__dirname, 'package.json'), 'utf8'),
  );
  const causes = JSON.parse(fs.readFileSync(path.join(__dirname, 'causes.json'), 'utf8'));
  const lines = [
    `${results.length} programs, ${same.length} print the same, ${differ.length} do not:`,
    '',
  ];
  if (differ.length > 0) lines.push('| package | cause |', '|---|---|');
  for (const { name } of differ)
    lines.push(`| ${name} ${dependencies[name]} | ${causes[name] ?? 'not looked into'} |`);
  const named = same.map(({ name }) => `${name} ${dependencies[name]}`).join(', ');
  const wrapped = named.replace(/(.{1,98})(?: |$)/g, '$1\n').trimEnd();
  return [...lines, '', 'The same:', '', `${wrapped}.`].join('\n');
}

async function main() {
  const all = JSON.parse(
    await new Promise((done) => {
      let text = '';
      spawn(process.execPath, ['run.js'], { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'] })
        .stdout.on('data', (chunk) => {
          text += chunk;
        })
        .on('end', () => done(text));
    }),
  );
  const chosen = names.length > 0 ? names : all;
  const results = [];
  const queue = [...chosen];
  await Promise.all(
    Array.from({ length: Math.min(4, os.cpus().length) }, async () => {
      while (queue.length > 0) results.push(await compare(queue.shift()));
    }),
  );
  results.sort((a, b) => (a.name < b.name ? -1 : 1));
  console.log(`${results.filter((one) => one.isSame).length} of ${results.length} are the same.`);
  if (page !== '-') {
    const text = fs.readFileSync(page, 'utf8');
    const [head, rest] = text.split(BEGIN);
    fs.writeFileSync(page, `${head}${BEGIN}\n${pageText(results)}\n${END}${rest.split(END)[1]}`);
  }
  process.exitCode = results.every((one) => one.isSame) ? 0 : 1;
}

main();
