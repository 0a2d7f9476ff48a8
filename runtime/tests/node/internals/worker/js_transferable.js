'use strict';
// Node's name internal/worker/js_transferable.

const { kClone, kDeserialize, kTransfer, kTransferList } = require('internal/messages/transfer');

// What Node's own classes build on; here any object with the methods travels.
class JSTransferable {}

module.exports = { JSTransferable, kClone, kDeserialize, kTransfer, kTransferList,
  makeTransferable: (object) => object };
