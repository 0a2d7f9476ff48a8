'use strict';
// The methods by which objects travel between threads. kTransfer and kClone give what goes in an
// object's place, { data, deserializeInfo: 'module:Class' }; kTransferList what it moves with it.

module.exports = {
  kTransfer: Symbol('messaging_transfer_symbol'),
  kClone: Symbol('messaging_clone_symbol'),
  kDeserialize: Symbol('messaging_deserialize_symbol'),
  kTransferList: Symbol('messaging_transfer_list_symbol'),
};
