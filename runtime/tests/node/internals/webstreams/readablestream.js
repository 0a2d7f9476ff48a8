'use strict';
// Node's name internal/webstreams/readablestream: the standard's operations.

const core = require('internal/web/readable_core');
const defaults = require('internal/web/default_controller');
const bytes = require('internal/web/byte_controller');

module.exports = {
  ...require('internal/web/readable'), ReadableByteStreamController:
    bytes.ReadableByteStreamController,
  ReadableStreamBYOBRequest: bytes.ReadableStreamBYOBRequest,
  isReadableStream: core.isReadableStream,
  readableStreamPipeTo: require('internal/web/pipe').pipeTo,
  readableStreamTee: require('internal/web/tee').tee,
  readableStreamReaderGenericRelease: core.release,
  readableStreamDefaultControllerEnqueue: defaults.enqueue,
  readableStreamDefaultControllerCanCloseOrEnqueue: defaults.hasPlace,
  readableByteStreamControllerConvertPullIntoDescriptor: require('internal/web/pull_into').convert,
  readableByteStreamControllerEnqueue: bytes.enqueue,
  readableByteStreamControllerClose: bytes.close,
  readableByteStreamControllerRespond: bytes.respond,
};
