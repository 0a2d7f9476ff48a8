'use strict';
const codes = {
  IndexSizeError: 1, HierarchyRequestError: 3, InvalidCharacterError: 5, NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11, SyntaxError: 12, InvalidAccessError: 15, AbortError: 20, TimeoutError: 23,
  DataCloneError: 25,
};

class DOMException extends Error {
  #name;

  constructor(message = '', options = 'Error') {
    super(`${message}`);
    this.#name = options !== null && typeof options === 'object'
      ? `${options.name ?? 'Error'}` : `${options}`;
    if (options !== null && typeof options === 'object' && 'cause' in options) {
      Object.defineProperty(this, 'cause',
        { value: options.cause, writable: true, configurable: true, enumerable: false });
    }
    Error.captureStackTrace(this, DOMException);
  }

  get name() { return this.#name; }

  get code() { return codes[this.#name] || 0; }
}
for (const name of ['name', 'code']) {
  Object.defineProperty(DOMException.prototype, name, { enumerable: true });
}
Object.defineProperty(DOMException.prototype, Symbol.toStringTag,
  { value: 'DOMException', configurable: true });
DOMException.ABORT_ERR = 20;

module.exports = { DOMException };
