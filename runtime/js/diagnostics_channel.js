'use strict';
const { invalidArgType } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const told = require('internal/diagnostics/told_channels');

const channels = new Map(); // name -> WeakRef of a channel; those with subscribers are held below
const held = new Set();

function reportLater(error) {
  process.nextTick(() => { throw error; });
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
  }

  get hasSubscribers() {
    return (this._subscribers?.length ?? 0) > 0 || (this._stores?.size ?? 0) > 0;
  }

  _hold() {
    if (this.hasSubscribers) {
      held.add(this);
      told[this.name] = this;
    } else {
      held.delete(this);
      delete told[this.name];
    }
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    // A new list: one that is being walked stays as it is.
    this._subscribers = [...this._subscribers ?? [], subscription];
    this._hold();
  }

  unsubscribe(subscription) {
    const at = this._subscribers?.indexOf(subscription) ?? -1;
    if (at === -1) return false;
    this._subscribers = this._subscribers.toSpliced(at, 1);
    this._hold();
    return true;
  }

  bindStore(store, transform) {
    this._stores ??= new Map();
    this._stores.set(store, transform);
    this._hold();
  }

  unbindStore(store) {
    const had = this._stores?.delete(store) ?? false;
    this._hold();
    return had;
  }

  publish(data) {
    if (this._subscribers === undefined) return;
    for (const onMessage of this._subscribers) {
      try {
        onMessage(data, this.name);
      } catch (error) {
        reportLater(error);
      }
    }
  }

  runStores(data, work, self, ...args) {
    let run = () => {
      this.publish(data);
      return Reflect.apply(work, self, args);
    };
    for (const [store, transform] of this._stores ?? []) {
      const inner = run;
      run = () => {
        let context = data;
        if (transform) {
          try {
            context = transform(data);
          } catch (error) {
            reportLater(error);
            return inner();
          }
        }
        return store.run(context, inner);
      };
    }
    return run();
  }
}

function channel(name) {
  const known = channels.get(name)?.deref();
  if (known !== undefined) return known;
  if (typeof name !== 'string' && typeof name !== 'symbol')
    throw invalidArgType('channel', ['string', 'symbol'], name);
  const made = new Channel(name);
  channels.set(name, new WeakRef(made));
  return made;
}

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

// The work itself, between the events start and end.
function runTraced(tracing, context, work) {
  return tracing.start.runStores(context, () => {
    try {
      return work();
    } catch (error) {
      context.error = error;
      tracing.error.publish(context);
      throw error;
    } finally {
      tracing.end.publish(context);
    }
  });
}

// What a callback of Node's kind was called with.
function tellOutcome(failed, context, [error, result]) {
  if (!error) context.result = result;
  else failed.publish(Object.assign(context, { error }));
}

class TracingChannel {
  constructor(names) {
    if (typeof names !== 'string' && (typeof names !== 'object' || names === null)) {
      throw invalidArgType('nameOrChannels', ['string', 'TracingChannel', 'Object'], names);
    }
    for (const name of EVENTS) {
      if (typeof names !== 'string' && (names[name] === undefined || names[name] === null)) {
        throw new TypeError('Cannot convert undefined or null to object');
      }
      const given = typeof names === 'string' ? channel(`tracing:${names}:${name}`) : names[name];
      if (!(given instanceof Channel)) {
        throw invalidArgType(`nameOrChannels.${name}`, 'Channel', given);
      }
      Object.defineProperty(this, name, { value: given });
    }
  }

  get hasSubscribers() { return EVENTS.some((name) => this[name].hasSubscribers); }

  subscribe(handlers) {
    for (const name of EVENTS) if (handlers[name]) this[name].subscribe(handlers[name]);
  }

  unsubscribe(handlers) {
    let done = true;
    for (const name of EVENTS)
      if (handlers[name] && !this[name].unsubscribe(handlers[name])) done = false;
    return done;
  }

  traceSync(work, context = {}, self, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(work, self, args);
    return runTraced(this, context, () => {
      const result = Reflect.apply(work, self, args);
      context.result = result;
      return result;
    });
  }

  tracePromise(work, context = {}, self, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(work, self, args);
    const settle = () => {
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    const onRejected = (error) => {
      context.error = error;
      this.error.publish(context);
      settle();
      return Promise.reject(error);
    };
    const onFulfilled = (result) => {
      context.result = result;
      settle();
      return result;
    };
    return runTraced(this, context, () => {
      let promise = Reflect.apply(work, self, args);
      if (!(promise instanceof Promise)) promise = Promise.resolve(promise);
      return promise.then(onFulfilled, onRejected);
    });
  }

  traceCallback(work, position = -1, context = {}, self, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(work, self, args);
    const { asyncStart, asyncEnd, error: failed } = this;
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    function wrapped(...answer) {
      tellOutcome(failed, context, answer);
      asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, answer);
        } finally {
          asyncEnd.publish(context);
        }
      });
    }
    args.splice(position, 1, wrapped);
    return runTraced(this, context, () => Reflect.apply(work, self, args));
  }
}

module.exports = {
  channel,
  hasSubscribers: (name) => channels.get(name)?.deref()?.hasSubscribers ?? false,
  subscribe: (name, subscription) => channel(name).subscribe(subscription),
  tracingChannel: (names) => new TracingChannel(names),
  unsubscribe: (name, subscription) => channel(name).unsubscribe(subscription),
  Channel,
};
