'use strict';
// The names of web errors with their old numbers.
const NAMES = [
  ['IndexSizeError', 'INDEX_SIZE_ERR', 1], [null, 'DOMSTRING_SIZE_ERR', 2],
  ['HierarchyRequestError', 'HIERARCHY_REQUEST_ERR', 3],
  ['WrongDocumentError', 'WRONG_DOCUMENT_ERR', 4],
  ['InvalidCharacterError', 'INVALID_CHARACTER_ERR', 5], [null, 'NO_DATA_ALLOWED_ERR', 6],
  ['NoModificationAllowedError', 'NO_MODIFICATION_ALLOWED_ERR', 7],
  ['NotFoundError', 'NOT_FOUND_ERR', 8], ['NotSupportedError', 'NOT_SUPPORTED_ERR', 9],
  ['InUseAttributeError', 'INUSE_ATTRIBUTE_ERR', 10],
  ['InvalidStateError', 'INVALID_STATE_ERR', 11], ['SyntaxError', 'SYNTAX_ERR', 12],
  ['InvalidModificationError', 'INVALID_MODIFICATION_ERR', 13],
  ['NamespaceError', 'NAMESPACE_ERR', 14], ['InvalidAccessError', 'INVALID_ACCESS_ERR', 15],
  [null, 'VALIDATION_ERR', 16], ['TypeMismatchError', 'TYPE_MISMATCH_ERR', 17],
  ['SecurityError', 'SECURITY_ERR', 18], ['NetworkError', 'NETWORK_ERR', 19],
  ['AbortError', 'ABORT_ERR', 20], ['URLMismatchError', 'URL_MISMATCH_ERR', 21],
  ['QuotaExceededError', 'QUOTA_EXCEEDED_ERR', 22], ['TimeoutError', 'TIMEOUT_ERR', 23],
  ['InvalidNodeTypeError', 'INVALID_NODE_TYPE_ERR', 24],
  ['DataCloneError', 'DATA_CLONE_ERR', 25],
];
const codes = new Map(NAMES.map(([name, , code]) => [name, code]));

class DOMException extends Error {
  #name;
  #message;

  constructor(message = '', options = 'Error') {
    super(`${message}`);
    this.#message = `${message}`;
    delete this.message;
    this.#name = options !== null && typeof options === 'object'
      ? `${options.name ?? 'Error'}` : `${options}`;
    if (options !== null && typeof options === 'object' && 'cause' in options) {
      Object.defineProperty(this, 'cause',
        { value: options.cause, writable: true, configurable: true, enumerable: false });
    }
    Error.captureStackTrace(this, DOMException);
  }

  static #read(value, pick) {
    if (value === null || typeof value !== 'object' || !(#name in value)) {
      throw require('internal/errors/errors').withCode(TypeError, 'ERR_INVALID_THIS',
        'Value of "this" must be of type DOMException');
    }
    return pick(value);
  }

  get name() { return DOMException.#read(this, (self) => self.#name); }

  get message() { return DOMException.#read(this, (self) => self.#message); }

  get code() { return DOMException.#read(this, (self) => codes.get(self.#name) || 0); }
}
for (const name of ['name', 'message', 'code']) {
  Object.defineProperty(DOMException.prototype, name, { enumerable: true });
}
Object.defineProperty(DOMException.prototype, Symbol.toStringTag,
  { value: 'DOMException', configurable: true });
for (const [, name, code] of NAMES) {
  Object.defineProperty(DOMException, name, { value: code, enumerable: true });
  Object.defineProperty(DOMException.prototype, name, { value: code, enumerable: true });
}

module.exports = { DOMException };
