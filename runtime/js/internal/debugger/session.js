'use strict';
// One debugging session at the terminal: the target, what is known of it, and what is printed.

const path = require('path');
const { Client } = require('internal/debugger/client');
const { RemoteObject } = require('internal/debugger/show');
const { launch } = require('internal/debugger/target');
const { withCode } = require('internal/errors/errors');

const ATTEMPTS = 5;
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

function relative(url) {
  if (!url.startsWith('file://')) return url || '[unknown]';
  const file = require('url').fileURLToPath(url);
  const near = path.relative(process.cwd(), file);
  return near.startsWith('..') || near.length >= file.length ? file : near;
}

class DebugSession {
  client = new Client();
  scripts = new Map(); // by id: { url, isOwn }
  sources = new Map();
  breakpoints = []; // { breakpointId, location, script, again }
  watched = [];
  profiles = [];
  pauseOn = 'none';
  contextLines = 2;
  child = undefined;
  paused = undefined; // the last Debugger.paused

  constructor(target, print) {
    this.target = target;
    this.print = print;
    this.client.on('Debugger.scriptParsed', ({ scriptId, url }) => {
      if (url !== '') this.scripts.set(scriptId, { scriptId, url });
    });
    this.client.on('Debugger.breakpointResolved', ({ breakpointId, location }) => {
      const known = this.breakpoints.find((one) => one.breakpointId === breakpointId);
      if (known !== undefined) known.location = location;
    });
    this.client.on('Debugger.resumed', () => { this.paused = undefined; });
    this.client.on('Debugger.paused', (params) => this.#onPaused(params));
    this.client.on('Profiler.consoleProfileFinished', ({ profile }) => {
      this.profiles.push(this.makeProfile(profile));
      this.print('Captured new CPU profile.\n' +
        `Access it with profiles[${this.profiles.length - 1}]\n`);
    });
  }

  async #onPaused(params) {
    this.paused = params;
    if (params.reason === 'Break on start' && process.env.NODE_INSPECT_RESUME_ON_START === '1') {
      this.client.call('Debugger.resume');
      return;
    }
    const [{ location }] = params.callFrames;
    const what = params.reason === 'other' || params.reason === 'ambiguous' ? 'break'
      : params.reason;
    const head = `${what} in ${this.nameOf(location.scriptId)}:${location.lineNumber + 1}\n`;
    const watchers = this.watched.length === 0 ? ''
      : `Watchers:\n${await this.watchersText()}\n`;
    this.print(`${head}${watchers}${await this.sourceText(location, this.contextLines)}`);
  }

  nameOf(scriptId) { return relative(this.scripts.get(scriptId)?.url ?? ''); }

  needPause() {
    if (this.paused === undefined) {
      throw withCode(Error, 'ERR_DEBUGGER_ERROR', 'Requires execution to be paused');
    }
    return this.paused.callFrames[0];
  }

  // Lines around a place, marked where the program is and where it would stop.
  async sourceText({ scriptId, lineNumber }, delta) {
    if (!this.sources.has(scriptId)) {
      const { scriptSource } = await this.client.call('Debugger.getScriptSource', { scriptId });
      this.sources.set(scriptId, scriptSource.split('\n'));
    }
    const lines = this.sources.get(scriptId);
    const last = Math.min(lineNumber + delta, lines.length - 1);
    const width = Math.max(2, `${last + 1}`.length);
    let text = '';
    for (let i = Math.max(lineNumber - delta, 0); i <= last; i++) {
      const isHere = (at) => at?.scriptId === scriptId && at.lineNumber === i;
      const mark = i === lineNumber ? '>'
        : this.breakpoints.some(({ location }) => isHere(location)) ? '*' : ' ';
      text += `${mark}${`${i + 1}`.padStart(width)} ${lines[i]}\n`;
    }
    return text;
  }

  async evaluate(expression) {
    const common = { expression, objectGroup: 'node-inspect', generatePreview: true,
      includeCommandLineAPI: true };
    const { result } = this.paused === undefined
      ? await this.client.call('Runtime.evaluate', common)
      : await this.client.call('Debugger.evaluateOnCallFrame',
        { ...common, callFrameId: this.paused.callFrames[0].callFrameId });
    return new RemoteObject(result);
  }

  async watchersText() {
    const { inspect } = require('internal/inspect/inspect');
    const width = `${this.watched.length - 1}`.length;
    let text = '';
    for (const [i, expression] of this.watched.entries()) {
      const value = inspect(await this.evaluate(expression));
      const shown = value.includes('\n') ? `\n    ${value.replaceAll('\n', '\n    ')}`
        : ` ${value}`;
      text += `  ${`${i}`.padStart(width)}: ${expression} =${shown}\n`;
    }
    return text;
  }

  makeProfile(profile) {
    const { inspect } = require('internal/inspect/inspect');
    return {
      data: profile,
      save: (file = 'node.cpuprofile') => {
        const name = path.resolve(file);
        require('fs').writeFileSync(name, JSON.stringify(profile));
        this.print(`Saved profile to ${name}\n`);
      },
      [inspect.custom]: () => `[Profile ${profile.endTime - profile.startTime}\u03bcs]`,
    };
  }

  // What the program says, each line marked.
  #forward(text) {
    this.print(`${text.replace(/\n$/, '').split('\n').map((line) => `< ${line}`).join('\n')}\n`);
    if (/Waiting for the debugger to disconnect\.\.\.\n/.test(text)) this.client.end();
  }

  async start() {
    this.stop();
    let { host, port } = this.target;
    if (!this.target.isRemote) {
      if (port !== 0) this.print(`waiting for ${host}:${port} to be free\n`, true);
      const made = await launch(this.target, (text) => this.#forward(text));
      this.child = made.child;
      ({ host, port } = made);
    }
    await this.#connect(host, port);
    await this.client.call('Runtime.enable');
    await this.client.call('Profiler.enable');
    await this.client.call('Profiler.setSamplingInterval', { interval: 100 });
    await this.client.call('Debugger.enable');
    await this.client.call('Debugger.setPauseOnExceptions', { state: this.pauseOn });
    await this.client.call('Debugger.setAsyncCallStackDepth', { maxDepth: 0 });
    await this.restoreBreakpoints();
    await this.client.call('Runtime.runIfWaitingForDebugger');
  }

  async #connect(host, port) {
    for (let i = 1; ; i++) {
      this.print(`connecting to ${host}:${port} ...`, true);
      try {
        await this.client.connect(host, port);
        this.print(' ok\n', true);
        return;
      } catch (error) {
        if (error.code !== 'ECONNREFUSED') throw error;
        if (i === ATTEMPTS) {
          this.print(' failed to connect, please retry\n', true);
          throw withCode(Error, 'ERR_DEBUGGER_STARTUP_ERROR', 'failed to connect');
        }
        this.print(' failed to connect, please retry\n', true);
        await wait(200);
      }
    }
  }

  async restoreBreakpoints() {
    const before = this.breakpoints;
    this.breakpoints = [];
    for (const { again, name, line } of before) {
      const made = await this.client.call('Debugger.setBreakpointByUrl', again);
      this.breakpoints.push({ ...made, location: made.locations[0], again, name, line });
    }
  }

  stop() {
    this.client.end();
    this.paused = undefined;
    this.scripts.clear();
    this.sources.clear();
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

module.exports = { DebugSession, relative };
