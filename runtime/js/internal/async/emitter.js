'use strict';
// EventEmitterAsyncResource: listeners run in the context in which the emitter was made.

const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');
const { withCode } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');

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
  // The resource has the name that is given, and else that of the program's own class.
  constructor(given = undefined) {
    const options = typeof given === 'string' ? { name: given } : given;
    if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
    super(options);
    const name = options?.name || new.target.name;
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
