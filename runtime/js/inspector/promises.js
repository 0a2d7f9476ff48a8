'use strict';
const inspector = require('inspector');

class Session extends inspector.Session {
  post(method, params) {
    return new Promise((resolve, reject) => {
      super.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}

const { open, close, url, waitForDebugger, Network } = inspector;
module.exports = {
  open, close, url, waitForDebugger, get console() { return inspector.console; }, Session,
  Network,
};
