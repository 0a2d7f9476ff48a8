'use strict';
// needs: statements
const path = require('path');
const { start, connect, get } = require('./programs/client');

const file = path.join(__dirname, 'programs', 'walked.js');

async function main() {
  const program = await start(['--inspect-brk=0', file]);
  const list = JSON.parse((await get(program.port, '/json')).body);
  console.log(list.length, list[0].type, path.basename(list[0].url),
    list[0].webSocketDebuggerUrl.endsWith(program.path));
  console.log(Object.keys(JSON.parse((await get(program.port, '/json/version')).body)));
  const { client, response } = await connect(program);
  console.log(response.headers['sec-websocket-accept']);
  await client.post('Runtime.enable');
  const { context } = await client.next('Runtime.executionContextCreated');
  console.log(context.id, context.auxData);
  await client.post('Debugger.enable');
  await client.post('Runtime.runIfWaitingForDebugger');
  let paused = await client.next('Debugger.paused');
  const where = () => {
    const [{ functionName, location }] = paused.callFrames;
    return [functionName, location.lineNumber];
  };
  console.log(paused.reason, ...where());
  const step = async (how) => {
    await client.post(`Debugger.${how}`);
    paused = await client.next('Debugger.paused');
    console.log(how, ...where());
  };
  for (const how of ['stepOver', 'stepOver', 'stepInto', 'stepOver', 'stepOut', 'stepOver']) {
    await step(how);
  }
  await step('resume'); // to the statement debugger
  const { result } = await client.post('Debugger.evaluateOnCallFrame',
    { callFrameId: paused.callFrames[0].callFrameId, expression: '[this.name, 1]',
      returnByValue: true });
  console.log(result.value);
  console.log(paused.callFrames.slice(0, 2).map(({ functionName }) => functionName));
  await client.post('Debugger.resume');
  const told = await client.next('Runtime.consoleAPICalled');
  console.log(told.type, told.args.map(({ value }) => value));
  // It is busy: a pause reaches it all the same.
  await client.post('Debugger.pause');
  paused = await client.next('Debugger.paused');
  console.log(paused.reason);
  await client.post('Runtime.evaluate', { expression: 'globalThis.isOver = true' });
  await client.post('Debugger.resume');
  await client.next('Runtime.executionContextDestroyed');
  program.child.on('exit', (code) => {
    console.log('exit', code);
    console.log(program.output().replace(/:\d+\/[-\w]+/, ':PORT/ID'));
  });
  setTimeout(() => client.end(), 100);
}
main();
