'use strict';
// Domains catch what is thrown inside run, bind and intercept; nothing follows asynchronous work.
const EventEmitter = require('events');

class Domain extends EventEmitter {
  members = [];

  add(emitter) { this.members.push(emitter); }

  remove(emitter) { this.members = this.members.filter((one) => one !== emitter); }

  enter() {
    module.exports._stack.push(this);
    module.exports.active = process.domain = this;
  }

  exit() {
    module.exports._stack.splice(module.exports._stack.lastIndexOf(this));
    module.exports.active = process.domain = module.exports._stack.at(-1);
  }

  run(work, ...args) {
    this.enter();
    try {
      return Reflect.apply(work, this, args);
    } catch (error) {
      if (this.listenerCount('error') === 0) throw error;
      this.emit('error', error);
      return undefined;
    } finally {
      this.exit();
    }
  }

  bind(work) {
    const domain = this;
    return function bound(...args) { return domain.run(() => Reflect.apply(work, this, args)); };
  }

  intercept(work) {
    const domain = this;
    return function bound(error, ...args) {
      if (error) {
        domain.emit('error', error);
        return undefined;
      }
      return domain.run(() => Reflect.apply(work, this, args));
    };
  }
}

const createDomain = () => new Domain();
module.exports = { Domain, _stack: [], active: undefined, create: createDomain, createDomain };
