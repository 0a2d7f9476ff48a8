'use strict';
// Its first property is `receive`, which an import sees by name, and none of the others.
module.exports = {
  receive(self, message) { self.state.postMessage({ message }); },
  begin(self, data) { return new BroadcastChannel(data.channel); },
  end(self) { self.state.close(); },
};
