'use strict';
// What a primary and its workers say to each other: internal messages of the channel, some of which
// are answered.

const answers = new Map(); // number of a question → function (reply, handle)
let asked = 0;

function send(to, message, handle, onAnswer) {
  if (!to.connected) return false;
  const whole = { cmd: 'NODE_CLUSTER', ...message, seq: asked };
  if (onAnswer) answers.set(asked, onAnswer);
  asked++;
  return to.send(whole, handle ?? undefined);
}

function listen(from, onMessage) {
  from.on('internalMessage', (message, handle) => {
    if (message.cmd !== 'NODE_CLUSTER') return;
    if (message.ack === undefined) {
      onMessage(message, handle);
      return;
    }
    const onAnswer = answers.get(message.ack);
    answers.delete(message.ack);
    if (onAnswer) onAnswer(message, handle);
  });
}

module.exports = { send, listen };
