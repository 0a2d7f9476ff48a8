'use strict';
// ask(owner, query, ready): in a worker of a cluster, asks the primary for what a server or a
// datagram socket listens on; ready(status, handle).
module.exports = { ask: null };
