'use strict';
// needs: statements
const { Session } = require('inspector');
const path = require('path');
const { pathToFileURL } = require('url');

const file = path.join(__dirname, 'programs', 'stepped.js');
const url = pathToFileURL(file).href;
const session = new Session();
session.connect();
const post = (method, params) => {
  let answer;
  session.post(method, params, (error, result) => { answer = error ? error.message : result; });
  return answer;
};

let onPause;
session.on('Debugger.paused', ({ params }) => onPause(params));
session.on('Debugger.scriptParsed', ({ params }) => {
  if (params.url === url) console.log('parsed', params.endLine, params.isModule);
});

function variables(frame, type) {
  const { object } = frame.scopeChain.find((scope) => scope.type === type);
  return post('Runtime.getProperties', { objectId: object.objectId, ownProperties: true }).result
    .filter(({ name }) => !/^(exports|require|module|__filename|__dirname)$/.test(name))
    .map(({ name, value }) => `${name}=${value.value ?? value.description}`).join(' ');
}

post('Debugger.enable');
const set = post('Debugger.setBreakpointByUrl', { url, lineNumber: 3, condition: 'amount > 1' });
console.log(set.breakpointId === `1:3:0:${url}`, set.locations);
console.log(post('Debugger.setBreakpointByUrl', { url, lineNumber: 3 }));

onPause = (params) => {
  const [frame, caller] = params.callFrames;
  if (frame.functionName === '') {
    console.log('debugger at', frame.location.lineNumber, params.hitBreakpoints);
    return;
  }
  console.log('paused at', frame.functionName, frame.location.lineNumber, params.reason,
    params.hitBreakpoints.length);
  console.log(variables(frame, 'local'));
  console.log('from line', caller.location.lineNumber, caller.functionName);
  const evaluate = (expression) => {
    const { result, exceptionDetails } = post('Debugger.evaluateOnCallFrame',
      { callFrameId: frame.callFrameId, expression });
    return exceptionDetails ? result.className : result.value;
  };
  console.log(evaluate('amount + factor'), evaluate('typeof total'), evaluate('nothing'),
    evaluate('scaled * 2'), evaluate('(() => amount)()'));
  if (evaluate('amount') === 2) evaluate('factor = 100, total = 1000');
  else console.log(post('Debugger.setVariableValue', { callFrameId: frame.callFrameId,
    scopeNumber: 0, variableName: 'amount', newValue: { value: 7 } }), evaluate('amount'));
};
const program = require(file);

console.log(post('Debugger.removeBreakpoint', { breakpointId: set.breakpointId }));
onPause = () => console.log('never');
program.add(5, 1);

post('Debugger.setPauseOnExceptions', { state: 'uncaught' });
onPause = ({ reason, data, callFrames: [frame] }) =>
  console.log(reason, data.className, data.uncaught, frame.location.lineNumber);
console.log(post('Debugger.nothing'), post('Debugger.resume'));
process.once('uncaughtException', ({ message }) => {
  console.log(message);
  session.disconnect();
});
program.fail();
