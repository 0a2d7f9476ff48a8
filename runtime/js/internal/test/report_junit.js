'use strict';
// Results as XML, in the form that JUnit made common.

const { inspect } = require('internal/inspect/inspect');
const { hostname } = require('os');

const escapeContent = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  .replace(/>/g, '&gt;');
const escapeAttribute = (text) => escapeContent(`${text}`.replace(/\n/g, ''))
  .replace(/"/g, '&quot;');
const escapeComment = (text) => `${text}`.replace(/--/g, '&#45;&#45;');

function xml(node, depth) {
  const indent = '\t'.repeat(depth);
  if (typeof node === 'string') return `${escapeContent(node)}\n`;
  if (node.comment !== undefined) return `${indent}<!-- ${escapeComment(node.comment)} -->\n`;
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
  if (node.children.length === 0) return `${indent}<${node.tag}${attributes}/>\n`;
  const inside = node.children.map((child) => xml(child, depth + 1)).join('');
  return `${indent}<${node.tag}${attributes}>\n${inside}${indent}</${node.tag}>\n`;
}

const isFailure = (node) => node.children?.some((child) => child.tag === 'failure' ||
  (child.tag === 'testsuite' && isFailure(child))) || node.attributes?.failures > 0;
const isSkipped = (node) => node.children?.some((child) => child.tag === 'skipped') ||
  node.attributes?.skipped > 0;

function node(tag, attributes, nesting, parent) {
  return { tag, attributes, nesting, parent, children: [] };
}

function fillSuite(suite) {
  const cases = suite.children.filter((child) => child.comment === undefined);
  Object.assign(suite.attributes, { disabled: 0, errors: 0, tests: cases.length,
    failures: cases.filter(isFailure).length, skipped: cases.filter(isSkipped).length,
    hostname: hostname() });
}

function fillCase(made, type, data) {
  made.tag = 'testcase';
  made.attributes.classname = made.attributes.classname ?? 'test';
  if (data.skip !== undefined) {
    made.children.push(node('skipped', { type: 'skipped', message: data.skip }, data.nesting + 1));
  }
  if (data.todo !== undefined) {
    made.children.push(node('skipped', { type: 'todo', message: data.todo }, data.nesting + 1));
  }
  if (type !== 'test:fail') return;
  const { error } = data.details;
  const failure = node('failure', { type: error?.failureType ?? error?.code,
    message: error?.message ?? '' }, data.nesting + 1);
  failure.children.push(inspect(error, { breakLength: Infinity }));
  made.children.push(failure);
  made.attributes.failure = error?.message ?? '';
}

module.exports = async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n';
  yield '<testsuites>\n';
  let open = null;
  const tops = [];
  const start = (data) => {
    const made = node('testcase', { name: data.name }, data.nesting, open);
    if (open) open.children.push(made);
    else tops.push(made);
    open = made;
  };
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      start(data);
    } else if (type === 'test:pass' || type === 'test:fail') {
      if (!open || open.attributes.name !== data.name || open.nesting !== data.nesting) start(data);
      const made = open;
      open = made.parent;
      made.attributes.time = (data.details.duration_ms / 1000).toFixed(6);
      const cases = made.children.filter((child) => child.comment === undefined);
      if (cases.length > 0) {
        made.tag = 'testsuite';
        fillSuite(made);
      } else {
        fillCase(made, type, data);
      }
      if (!open) {
        yield xml(made, 1);
        tops.length = 0;
      }
    } else if (type === 'test:diagnostic') {
      if (open) open.children.push({ comment: data.message });
      else yield xml({ comment: data.message }, 1);
    }
  }
  for (const top of tops) yield xml(top, 1);
  yield '</testsuites>\n';
};
