'use strict';
// EventEmitterAsyncResource: listeners run in the context in which the emitter was made.

const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');
const { withCode } = require('internal/errors/errors');

const kResource = Symbol('kResource');

class EmitterResource extends AsyncResource {
  #emitter;

  constructor(type, options, emitter) {
    super(type, options);
    this.#emitter = emitter;
  }

  get eventEmitter() { return this.#emitter; }
}

function resourceOf(emitter) {
  const resource = emitter?.[kResource];
  if (resource === undefined) {
    throw withCode(TypeError, 'ERR_INVALID_THIS',
      'Value of "this" must be of type EventEmitterAsyncResource');
  }
  return resource;
}

class EventEmitterAsyncResource extends EventEmitter {
  constructor(options = undefined) {
    let name;
    if (typeof options === 'string') {
      name = options;
      options = undefined;
    } else {
      if (new.target === EventEmitterAsyncResource) {
        require('internal/errors/errors').validateString(options?.name, 'options.name');
      }
      name = options?.name || new.target.name;
    }
    super(options);
    Object.defineProperty(this, kResource, { value: new EmitterResource(name, options, this) });
  }

  emit(event, ...args) {
    const resource = resourceOf(this);
    return resource.runInAsyncScope(super.emit, this, event, ...args);
  }

  emitDestroy() { resourceOf(this).emitDestroy(); }

  get asyncId() { return resourceOf(this).asyncId(); }

  get triggerAsyncId() { return resourceOf(this).triggerAsyncId(); }

  get asyncResource() { return resourceOf(this); }
}

module.exports = EventEmitterAsyncResource;
