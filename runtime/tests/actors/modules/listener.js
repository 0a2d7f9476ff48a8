'use strict';
// Hears of the ends of linked actors.
module.exports = {
  begin(self, data) { return new BroadcastChannel(data.channel); },
  receive(self, other) { self.link(other); },
  linkedEnded(self, other, why) { self.state.postMessage({ heard: other, why: why?.message }); },
  end(self) { self.state.close(); },
};
