// steps.js PROGRAM PLAY [BOX] <EVENTS: what the page says of each step, without a browser.

import fs from 'node:fs';
import path from 'node:path';
import { label, sentence } from './describe.js';
import { Model } from './model.js';
import { setTexts } from './words.js';

const [program, play, box] = process.argv.slice(2);
setTexts({ en: JSON.parse(fs.readFileSync(path.join(play, 'words/en.json'), 'utf8')) });
const model = new Model({ lines: fs.readFileSync(0, 'utf8'),
  language: program.endsWith('.c') ? 'c' : 'js', source: fs.readFileSync(program, 'utf8') });
for (const [i, step] of model.steps.entries()) {
  const waiting = box ? model.at(i + 1)[box].map((id) => label(model.entries.get(id))) : [];
  console.log(`${step.key} ${step.rule ?? '-'}: ${sentence(model, step)}` +
    (waiting.length > 0 ? ` [${waiting.join(', ')}]` : ''));
}
