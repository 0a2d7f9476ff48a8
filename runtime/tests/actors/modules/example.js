'use strict';
// Does what its messages say, and tells the port in its data about it.
module.exports = {
  begin(self, data) {
    if (data.failsToBegin) throw new Error('does not begin');
    return { seen: [], busy: false, report: new BroadcastChannel(data.channel) };
  },
  async receive(self, message) {
    const { state } = self;
    if (state.busy) throw new Error('two messages at a time');
    state.busy = true;
    if (message === 'fail') throw new Error('failed');
    if (message === 'exit') process.exit(3);
    if (message === 'hang') {
      await new Promise((resolve) => self.signal.addEventListener('abort', resolve));
    }
    if (message === 'pause') await new Promise((resolve) => setTimeout(resolve, 5));
    if (message.to !== undefined) self.send(message.to, message.text);
    if (message !== 'report') state.seen.push(message);
    else state.report.postMessage({ seen: state.seen, restarts: self.restarts });
    state.busy = false;
  },
  end(self, why) {
    self.state?.report.postMessage({ ended: why === undefined ? 'stopped' : why.message });
    self.state?.report.close();
  },
};
