'use strict';
const readline = require('readline');
const { promisify } = require('util');

class Interface extends readline.Interface {
  question(query, options) {
    return readline.Interface.prototype.question[promisify.custom].call(
      { question: (...args) => readline.Interface.prototype.question.apply(this, args) },
      query, options);
  }
}

module.exports = { Interface, createInterface: (...args) => new Interface(...args) };
