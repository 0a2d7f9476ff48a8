'use strict';
// Several processes that serve the same addresses.
module.exports = process.env.NODE_UNIQUE_ID !== undefined && process.connected
  ? require('internal/cluster/worker') : require('internal/cluster/primary');
