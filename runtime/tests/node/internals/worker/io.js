'use strict';
// Node's name internal/worker/io.

module.exports = {
  ...require('internal/messages/port'), ...require('internal/messages/event'),
  messageTypes: { COULD_NOT_SERIALIZE_ERROR: 'couldNotSerializeError',
    UP_AND_RUNNING: 'upAndRunning', ERROR_MESSAGE: 'errorMessage', STDIO_PAYLOAD: 'stdioPayload',
    STDIO_WANTS_MORE_DATA: 'stdioWantsMoreData', LOAD_SCRIPT: 'loadScript' },
};
