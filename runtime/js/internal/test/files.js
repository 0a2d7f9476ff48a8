'use strict';
// Which files are tests.

const fs = require('fs');
const path = require('path');

const SCRIPT = /\.[cm]?js$/;
const NAMED = /^(?:test|test-.+|.+[.\-_]test)$/;

function isTestFile(file) {
  return SCRIPT.test(file) && NAMED.test(path.basename(file).replace(SCRIPT, ''));
}

// All scripts in folders called "test", and elsewhere those with a test's name.
function filesBelow(folder, isInTests = path.basename(folder) === 'test') {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') {
        found.push(...filesBelow(file, isInTests || entry.name === 'test'));
      }
    } else if (isInTests ? SCRIPT.test(file) : isTestFile(file)) {
      found.push(file);
    }
  }
  return found.sort();
}

// The files that are named, and those below the folders that are; without any, those below here.
function listed(names) {
  if (names.length === 0) return filesBelow(process.cwd());
  const found = new Set();
  for (const name of names) {
    const absolute = path.resolve(name);
    let stat;
    try {
      stat = fs.statSync(absolute);
    } catch {
      process.stderr.write(`Could not find '${absolute}'\n`);
      process.exit(1);
    }
    if (stat.isDirectory()) filesBelow(absolute).forEach((file) => found.add(file));
    else found.add(absolute);
  }
  return [...found].sort();
}

module.exports = { isTestFile, filesBelow, listed };
